"""Gradients against central finite differences through attend, which know nothing of autograd."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.gradients import gradient
from explorer.attention.masks import Causal, Custom, Padding
from explorer.attention.places import heads_of, shape_of
from explorer.attention.precision import EPS
from explorer.attention.saturation import softmax_jacobian
from explorer.attention.trace import STAGE, Cell
from explorer.scene import DTYPES, Array, Scene
from tests.attention.random_scenes import scenes

EYE = np.eye(2)
HAND = Scene(x=[[1, 1], [1, 0]], w_q=[[1, 1], [0, 1]], w_k=[[0, 1], [1, -1]], w_v=[[0, 1], [1, -1]])


@st.composite
def cells(draw: st.DrawFn, scene: Scene) -> Cell:
    place = draw(st.sampled_from(["scaled", "weights", "head_outputs", "output", "output", *STAGE]))
    rows, cols = shape_of(scene, place)
    heads = heads_of(scene, place)
    head = None if heads is None else draw(st.integers(0, heads - 1))
    return Cell(place, head, draw(st.integers(0, rows - 1)), draw(st.integers(0, cols - 1)))


def value(scene: Scene, cell: Cell) -> float:
    return float(attend(scene).matrix(cell.place, cell.head)[cell.row, cell.col])


def slope(scene: Scene, cell: Cell, name: str, direction: Array, step: float) -> float:
    """The central difference along one direction of one matrix."""
    start = getattr(scene, name)
    up, down = (value(scene.replace(**{name: start + sign * step * direction}), cell) for sign in (1, -1))
    return 0.0 if up == down else (up - down) / (2 * step)  # −∞ is put in place of a hidden score, always


@settings(max_examples=40)
@given(st.data(), scenes(dtypes=("float64",)), st.integers(0, 2**32 - 1))
def test_every_gradient_is_the_slope(data: st.DataObject, scene: Scene, seed: int) -> None:
    cell = data.draw(cells(scene))
    found = gradient(scene, cell)
    rng = np.random.default_rng(seed)
    for name, array in found.matrices.items():
        assert array.shape == getattr(scene, name).shape
        assert np.isfinite(array).all() and not array.flags.writeable
        direction = rng.normal(size=array.shape)
        # Two steps and Richardson's extrapolation: what is left is of the order of step⁴.
        coarse, fine = (slope(scene, cell, name, direction, step) for step in (2e-4, 1e-4))
        expected = fine + (fine - coarse) / 3
        size = np.abs(array * direction).sum() + abs(found.value if np.isfinite(found.value) else 0)
        # Random scenes of whole numbers have scores up to some hundred: there the curve bends sharply.
        assert (array * direction).sum() == pytest.approx(expected, rel=1e-5, abs=1e-6 * (1 + size)), name


def test_two_tokens_by_hand() -> None:
    """α₁,₁ = 1/(1 + e^{1/√2}), and its slope by the score s₁,₁ is α(1 − α); by W_q, times k/√2 and x."""
    found = gradient(HAND, Cell("weights", 0, 0, 0))
    weight = 1 / (1 + np.exp(1 / np.sqrt(2)))
    assert found.value == pytest.approx(weight)
    by_q = weight * (1 - weight) / np.sqrt(2) * np.array([1, -1])  # K is the identity
    np.testing.assert_allclose(found.matrices["w_q"], np.outer([1, 1], by_q), atol=1e-15)
    assert set(found.matrices) == {"x", "w_q", "w_k", "w_v"}
    assert not found.matrices["w_v"].any()
    assert found.largest() == max(np.abs(a).max() for a in found.matrices.values())


def test_a_stage_of_the_input_is_its_own_cell() -> None:
    found = gradient(HAND, Cell("x", None, 1, 0))
    assert found.matrices["x"].tolist() == [[0, 0], [1, 0]]
    assert not any(found.matrices[name].any() for name in ("w_q", "w_k", "w_v"))


@pytest.mark.parametrize("fill", [-np.inf, -1e9])
@pytest.mark.parametrize("place", ["masked", "weights"])
def test_a_hidden_key_answers_to_nothing(place: str, fill: float) -> None:
    scene = HAND.replace(mask=(Causal(),), mask_fill=fill)
    found = gradient(scene, Cell(place, 0, 0, 1))
    assert found.largest() == 0
    assert gradient(scene, Cell("scaled", 0, 0, 1)).largest() > 0  # the score before it is hidden


@pytest.mark.parametrize("place", ["masked", "weights", "head_outputs", "output"])
def test_a_blind_row_answers_to_nothing_but_the_bias(place: str) -> None:
    scene = HAND.replace(mask=(Custom(table=[[False, False], [True, True]]),), b_o=np.ones(2))
    found = gradient(scene, Cell(place, None if place == "output" else 0, 0, 1))
    assert found.matrices["b_o"].tolist() == ([0, 1] if place == "output" else [0, 0])
    assert not any(found.matrices[name].any() for name in ("x", "w_q", "w_k", "w_v"))


def test_a_blind_row_beside_it_brings_no_nan() -> None:
    scene = HAND.replace(mask=(Custom(table=[[False, False], [True, True]]),))
    seen = gradient(scene, Cell("output", None, 1, 0))
    assert all(np.isfinite(a).all() for a in seen.matrices.values()) and seen.largest() > 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_precision_of_the_scene_does_not_blur_it(dtype: str) -> None:
    scene = HAND.with_cell("w_q", 0, 0, 0.3).replace(dtype=dtype)
    exact = gradient(scene.replace(dtype="float64"), Cell("output", None, 0, 0))
    found = gradient(scene, Cell("output", None, 0, 0))
    for name, array in found.matrices.items():
        np.testing.assert_allclose(array, exact.matrices[name], atol=EPS[dtype])
        assert array.dtype == np.float64


def test_a_fill_that_the_precision_cannot_hold_is_minus_infinity() -> None:
    blind = HAND.replace(mask=(Padding(keys=(False, False)),), mask_fill=-1e9)
    cell = Cell("output", None, 0, 0)
    assert gradient(blind, cell).value == pytest.approx(0.5)
    assert gradient(blind.replace(dtype="float16"), cell).value == 0


def test_a_row_of_weights_is_its_jacobian() -> None:
    """∂α/∂s through the matrices: with K the identity, q is the row of scores times √2."""
    weights = attend(HAND).weights[0, 0]
    jacobian = softmax_jacobian(weights)
    for j in range(2):
        by_score = gradient(HAND.replace(b_q=np.zeros(2)), Cell("weights", 0, 0, j)).matrices["b_q"]
        np.testing.assert_allclose(by_score * np.sqrt(2), jacobian[j], atol=1e-15)


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        (Cell("w_q", None, 0, 0), "w_q is set by you"),
        (Cell("weights", 0, 2, 0), "weights has rows 1 to 2; there is no row 3"),
        (Cell("nothing", None, 0, 0), "nothing is set by you"),
    ],
)
def test_cells_that_have_no_gradient(cell: Cell, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        gradient(HAND, cell)
