from math import exp, fsum, isfinite, isnan, prod, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.explain import Explanation, Step, explain
from explorer.attention.masks import Causal, Padding, Window
from explorer.attention.places import PLACES, cell_at, heads_of, shape_of
from explorer.attention.positions import Alibi, Learned, Rotary
from explorer.attention.precision import EPS, held
from explorer.attention.provenance import sources
from explorer.attention.trace import Cell
from explorer.scene import DTYPES, MATRICES, Scene
from tests.attention.random_scenes import scenes


def some_cells(scene: Scene, draw: np.random.Generator, most: int = 5) -> list[Cell]:
    """A few cells of every place."""
    found = []
    for place in PLACES:
        if place in MATRICES and scene.matrix(place) is None:
            continue
        rows, cols = shape_of(scene, place)
        heads = heads_of(scene, place)
        for _ in range(min(most, rows * cols * (heads or 1))):
            head = None if heads is None else int(draw.integers(heads))
            found.append(Cell(place, head, int(draw.integers(rows)), int(draw.integers(cols))))
    return found


def size(step: Step) -> float:
    return fsum(abs(term.value) for term in step.terms)


def near(value: float, expected: float, tolerance: float) -> bool:
    return value == expected or (isnan(value) and isnan(expected)) or abs(value - expected) <= tolerance


def check_steps(found: Explanation, scene: Scene) -> None:
    """Every step follows from its terms, is built on the one before, and the last one is the traced value."""
    largest = 0.0  # of what was rounded since the last rounding
    for at, step in enumerate(found.steps):
        for term in step.terms:
            by_hand = exp(term.factors[0]) if term.exponential else prod(term.factors)
            assert near(term.value, by_hand, 1e-15 * abs(by_hand)), (found.cell, step)
        values = [term.value for term in step.terms]
        if step.kind == "cast":
            tolerance = 2 * EPS[scene.dtype] * largest + 2.0**-24  # float16 has nothing smaller
            assert near(step.result, values[0], tolerance), (found.cell, step)
            assert float(held(step.result, scene.dtype)) == step.result
            largest = 0.0
            continue
        expected = values[0] / values[1] if step.kind == "normalise" else fsum(values)
        assert near(step.result, expected, 1e-15 * size(step)), (found.cell, step)
        largest = max(largest, abs(step.result) if step.kind == "normalise" else size(step))
        if step.figures is not None and step.kind in ("scale", "softcap", "alibi", "bias", "position"):
            assert step.before == found.steps[at - 1].result
    last = found.steps[-1].result
    assert near(last, found.value, 1e-9 * max(largest, abs(last)) if scene.dtype == "float64" else 0.0), (
        found.cell
    )
    if scene.dtype != "float64":
        assert last == found.value


@settings(max_examples=150)
@given(scenes(), st.integers(0, 2**32 - 1))
def test_the_steps_add_up_to_the_traced_value(scene: Scene, seed: int) -> None:
    trace = attend(scene)
    for cell in some_cells(scene, np.random.default_rng(seed)):
        found = explain(scene, trace, cell)
        assert found.cell == cell and found.sources == sources(scene, cell)
        check_steps(found, scene)


odd_numbers = st.sampled_from([np.nan, np.inf, -np.inf, 1e300, -1e300, 1e160, 7e4, 1e-300, 0.0])


@given(
    scenes(),
    st.lists(st.tuples(st.sampled_from(MATRICES), odd_numbers), min_size=1, max_size=3),
    st.integers(0, 99),
)
def test_odd_numbers_are_explained_up_to_where_they_arise(
    scene: Scene, changes: list[tuple[str, float]], seed: int
) -> None:
    draw = np.random.default_rng(seed)
    for name, value in changes:
        matrix = scene.matrix(name)
        if matrix is not None:
            row, col = (int(draw.integers(size)) for size in matrix.shape)
            scene = scene.with_cell(name, row, col, value)
    trace = attend(scene)
    for cell in some_cells(scene, draw):
        found = explain(scene, trace, cell)
        last = found.steps[-1].result
        assert isnan(last) if isnan(found.value) else isfinite(last) == isfinite(found.value), found.text()
        if not isfinite(found.value) and cell.place not in MATRICES and cell.place != "masked":
            assert any(note.key.startswith(("nan_", "infinite_")) for note in found.notes), found.text()
        assert found.text() and found.html() and all(found.latex())
