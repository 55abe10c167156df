from math import cos, exp, fsum, isfinite, isnan, prod, sin, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.explain import Explanation, Step, View, explain
from explorer.attention.masks import Causal, Padding, Window
from explorer.attention.places import PLACES, cell_at, heads_of, shape_of
from explorer.attention.positions import Alibi, Learned, Rotary
from explorer.attention.precision import EPS, held
from explorer.attention.provenance import sources
from explorer.attention.trace import Cell
from explorer.norm import Norm
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
            rounded = float(held(values[0], scene.dtype))  # ∞ where the precision ends
            assert step.result == rounded or near(step.result, values[0], tolerance), (found.cell, step)
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


# ---- literal ----

HAND = Scene(
    x=[[1, 1], [1, 0]],
    w_q=[[1, 1], [0, 1]],
    w_k=[[0, 1], [1, -1]],
    w_v=[[0, 1], [1, -1]],
    tokens=("a1", "a2"),
)


def of(scene: Scene, place: str, head: int | None, row: int, col: int) -> Explanation:
    """As the command line asks, counted from 1."""
    return explain(scene, attend(scene), cell_at(scene, place, head, row, col))


def kinds(found: Explanation) -> list[str]:
    return [step.kind for step in found.steps]


def test_two_tokens_by_hand() -> None:
    found = of(HAND, "scaled", 1, 1, 2)
    assert (found.name, found.title, found.head, found.where) == ("s₁,₂", "scaled scores", "", "a1 → a2")
    assert [(t.factors, t.value, t.index) for t in found.steps[0].terms] == [
        ((1.0, 0.0), 0.0, 0),
        ((2.0, 1.0), 2.0, 1),
    ]
    assert found.steps[0].terms[1].sources == (Cell("q", 0, 0, 1), Cell("k", 0, 1, 1))
    assert found.value == pytest.approx(sqrt(2), rel=1e-15) and found.sources == (Cell("scores", 0, 0, 1),)
    assert found.text(2) == (
        "scaled scores · a1 → a2\n"
        "\n"
        "s₁,₂ = q₁·k₂/√d_k\n"
        "     = (1·0 + 2·1)/√2 = 1.41\n"
        "\n"
        "  sum of products   q₁·k₂ = 1·0 + 2·1 = 2\n"
        "  divided by √d_k   q₁·k₂/√d_k = 2/√2 = 1.41\n"
        "\n"
        "full precision: 1.414213562373095"
    )
    assert found.latex(2) == [
        r"s_{1,2} = \frac{q_{1}\cdot k_{2}}{\sqrt{d_k}} = \frac{1\cdot 0+2\cdot 1}{\sqrt{2}} = 1.41"
    ]
    assert found.html(2).endswith("/√d<sub>k</sub> = (1·0 + 2·1)/√2 = 1.41")


def test_a_weight_is_exponential_sum_and_quotient() -> None:
    found = of(HAND, "weights", 1, 1, 2)
    assert kinds(found) == ["exp", "sum", "normalise"]
    assert [step.result for step in found.steps] == pytest.approx([4.1133, 6.1414, 0.66976], abs=1e-4)
    assert found.text(2).splitlines()[2:5] == [
        "α₁,₂ = e^s′₁,₂/Σⱼ e^s′₁,ⱼ",
        "     = e^1.41/(e^0.71 + e^1.41)",
        "     = 4.11/6.14 = 0.67",
    ]
    assert not found.notes


def test_huge_scores_do_not_overflow() -> None:
    huge = HAND.replace(x=[[1000, 0], [0, 1000]], w_q=np.eye(2) * 1000, w_k=np.eye(2) * 1000, scale="none")
    found = of(huge, "weights", 1, 1, 2)
    assert kinds(found) == ["shift", "exp", "sum", "normalise"]
    assert [step.result for step in found.steps] == [-1e12, 0.0, 1.0, 0.0]
    assert found.notes[0].text.startswith(
        "Subtracting 1e12 from every score of the row leaves the weights as they are"
    )


def test_each_setting_is_a_step_of_its_own() -> None:
    rich = HAND.replace(scale=0.5, softcap=3.0, position=Alibi(), b_q=[0.5, 0.25], dtype="bfloat16")
    assert kinds(of(rich, "q", None, 1, 2)) == ["sum", "bias"]  # 2.25, which bfloat16 can hold
    found = of(rich, "scaled", None, 2, 1)
    assert kinds(found) == ["sum", "scale", "softcap", "alibi", "cast"]
    assert found.text(3).splitlines()[2:4] == [
        "s₂,₁ = 3·tanh(q₂·k₁·0.5/3) − m·|2−1|",
        "     = 3·tanh((1.5·1 + 1.25·0)·0.5/3) − 0.004·1 ≈ 0.730",
    ]
    assert found.steps[-1].text(view := View(3)) == "0.731 → 0.730" and found.steps[-1].latex(view) == [
        r"0.731 \to 0.730"
    ]


def test_what_the_scene_leaves_out_is_said() -> None:
    bare = HAND.replace(scale="none")
    assert [s.title.text for s in of(bare, "scaled", 1, 1, 1).steps] == [
        "sum of products", "neither scaled nor bent, so as it is",
    ]  # fmt: skip
    assert of(bare, "masked", 1, 1, 1).steps[0].title.text == "visible, so as it is"
    assert of(bare, "output", None, 1, 1).steps[0].title.text == "no W_o, so as it is"
    assert of(bare, "concat", None, 1, 1).steps[0].title.text == "taken over from head 1"


def test_a_typed_number_is_set_by_you() -> None:
    found = of(HAND, "w_k", None, 2, 2)
    assert (found.name, found.value, found.sources) == ("W_k[2,2]", -1.0, ())
    assert found.steps[0].title.text == "set by you"
    assert found.text().splitlines()[:3] == ["key projection", "", "W_k[2,2] = −1"]
    rounded = of(HAND.with_cell("w_k", 0, 0, 0.1).replace(dtype="bfloat16"), "w_k", None, 1, 1)
    assert rounded.value == 0.10009765625 and kinds(rounded) == ["given", "cast"]


def test_an_additive_position_is_a_step_of_the_input() -> None:
    placed = HAND.replace(position=Learned(table=[[0.5, 0], [0, 2]]))
    found = of(placed, "x", None, 2, 2)
    assert kinds(found) == ["given", "position"] and found.value == 2.0
    assert found.text().splitlines()[2:4] == ["x₂,₂ = x̄₂,₂ + p₂,₂", "     = 0 + 2 = 2"]
    assert found.notes[0].text == "p is in row 2 of the learned table of positions."


@given(scenes(dtypes=("float64",)), st.integers(0, 99))
def test_the_note_on_a_position_gives_its_number(scene: Scene, seed: int) -> None:
    trace = attend(scene)
    for cell in some_cells(scene, np.random.default_rng(seed)):
        found = explain(scene, trace, cell)
        for note in found.notes:
            at = {
                key: float(value)
                for key, value in note.values.items()
                if key in ("position", "base", "power")
            }
            if note.key == "sinusoidal":
                function = {"sin": sin, "cos": cos}[note.values["function"]]
                angle = at["position"] / at["base"] ** (at["power"] / float(note.values["width"]))
                assert found.steps[1].terms[1].value == pytest.approx(function(angle))
            elif note.key == "turned":
                angle = at["position"] * at["base"] ** (-at["power"] / float(note.values["dims"]))
                turn = [term.factors[1] for term in found.steps[-1].terms]
                stretch = scene.position.factor or 1.0
                expected = (stretch * cos(angle), stretch * abs(sin(angle)))
                assert (turn[0], abs(turn[1])) == pytest.approx(expected)


def test_rotary_shows_both_columns_and_the_turn() -> None:
    turned = HAND.replace(position=Rotary(base=1.0), b_k=[1.0, 0.0])
    found = of(turned, "k", None, 2, 1)
    assert kinds(found) == ["sum", "bias", "sum", "bias", "rotary"]
    assert [t.factors for t in found.steps[-1].terms] == [
        (1.0, pytest.approx(0.5403, abs=1e-4)),
        (1.0, pytest.approx(-0.8415, abs=1e-4)),
    ]
    assert found.text().splitlines()[2:4] == [
        "k₂,₁ = k̄₂,₁·cos θ − k̄₂,₂·sin θ",
        "     = 1·0.5403 − 1·0.8415 = −0.3012",
    ]
    assert found.notes[0].text == (
        "Columns 1 and 2 turn together by θ = 1·1^(−0/2) = 1; positions count from 0."
    )
    assert "k̄₂,₂·cos θ + k̄₂,₁·sin θ" in of(turned, "k", None, 2, 2).text()


def test_hidden_cells_say_what_hides_them() -> None:
    hidden = HAND.replace(mask=(Causal(), Window(left=0, right=0)))
    assert of(hidden, "scaled", 1, 1, 2).notes[0].text == (
        "Hidden by the causal and window masks: the score will be replaced, so nothing depends on it."
    )
    found = of(hidden, "masked", 1, 1, 2)
    assert kinds(found) == ["mask"] and found.value == -np.inf and found.sources == ()
    assert (
        found.notes[0].text
        == "Hidden by the causal and window masks: −∞ stands in place of the score 1.4142."
    )
    assert (
        of(hidden, "weights", 1, 2, 1).notes[0].text
        == "Hidden by the window mask: the weight is 0 whatever the score."
    )
    assert of(hidden, "weights", 1, 1, 1).notes[0].text.startswith("It is the only key that a1 may see")
    filled = of(hidden.replace(mask_fill=-1.0), "weights", 1, 1, 2)
    assert (
        filled.notes[0].text
        == "Hidden by the causal and window masks, yet −1 counts in the sum like any score."
    )
    assert len(filled.steps[1].terms) == 2


def test_a_row_that_sees_nothing_says_so() -> None:
    blind = HAND.replace(mask=(Padding(keys=(False, False)),))
    for stage in ("weights", "head_outputs"):
        found = of(blind, stage, 1, 2, 1)
        assert found.value == 0 == found.steps[-1].result
        assert found.notes[-1].text == "a2 attends to nothing: every key is hidden, so the weights are 0."


def test_shared_heads_are_named() -> None:
    shared = Scene(x=np.eye(2), w_q=np.ones((2, 4)), w_k=np.eye(2), w_v=np.eye(2), heads=4, kv_heads=2)
    assert of(shared, "scores", 3, 1, 2).notes[0].text == "K/V head 2 is shared by heads 3–4."
    assert (of(shared, "v", 2, 1, 1).name, of(shared, "weights", 3, 1, 2).name) == (
        "v₁,₁, K/V head 2",
        "α₁,₂, head 3",
    )
    assert of(shared, "weights", 3, 1, 2).name_latex == r"\alpha_{1,2}^{(3)}"


def test_where_nan_and_infinity_come_from() -> None:
    endless = HAND.with_cell("x", 0, 0, np.inf)
    assert of(endless, "x", None, 1, 1).notes == ()
    assert of(endless, "q", None, 1, 1).notes[0].text == "The ∞ comes from x₁,₁."
    assert of(endless, "k", None, 1, 1).notes[0].text == "NaN arises here: 0·∞ has no value."
    assert of(endless, "scores", None, 1, 1).notes[0].text == "The NaN comes from k₁,₁."
    # Of the scores of row 1, one is ∞, and so the row's largest.
    softmax = HAND.replace(x=[[1e200, 1], [1, 1]], w_q=np.eye(2) * 1e200, w_k=np.eye(2))
    assert (
        of(softmax, "q", None, 1, 1).notes[0].text
        == "∞ arises here: the result is more than float64 can hold."
    )
    assert of(softmax, "weights", None, 1, 2).notes[0].text == "NaN arises here: ∞ − ∞ has no value."
    large = HAND.replace(x=[[300, 300], [1, 0]], w_q=np.eye(2) * 300, dtype="float16")
    found = of(large, "q", None, 1, 1)
    assert kinds(found) == ["sum", "cast"] and found.value == np.inf
    assert found.notes[0].text == "∞ arises here: the result is more than float16 can hold."


def test_a_hidden_key_without_a_value_still_spoils_the_output() -> None:
    scene = HAND.replace(mask=(Causal(),)).with_cell("x", 1, 0, np.inf)
    found = of(scene, "head_outputs", 1, 1, 2)
    assert isnan(found.value) and isnan(found.steps[0].result) and len(found.steps[0].terms) == 2
    assert found.notes[0].key == "nan_here"


def test_a_column_that_rotary_leaves_alone_stays_as_it_is() -> None:
    scene = Scene(x=[[1.0]], w_q=[[1, 2, 3]], w_k=[[1, 2, np.inf]], w_v=[[1]], position=Rotary(dims=2))
    found = of(scene, "k", None, 1, 3)
    assert found.value == np.inf == found.steps[-1].result and kinds(found) == ["sum"]


@pytest.mark.parametrize("dtype", DTYPES)
@given(st.lists(st.floats(width=64), min_size=1, max_size=20))
def test_held_rounds_as_torch_does(dtype: str, values: list[float]) -> None:
    import torch

    theirs = torch.tensor(values, dtype=torch.float64).to(getattr(torch, dtype)).double().numpy()
    np.testing.assert_array_equal(held(values, dtype), theirs)


def test_an_unknown_cell_is_refused() -> None:
    with pytest.raises(ValueError, match="w_o is not set"):
        explain(HAND, attend(HAND), Cell("w_o", None, 0, 0))
    with pytest.raises(ValueError, match="there is no row 3"):
        explain(HAND, attend(HAND), Cell("weights", 0, 2, 0))


def test_a_normed_query_is_explained_from_its_whole_row() -> None:
    """[3, 4]: the mean of squares is 12.5; with ε = 3.5 the root is 4."""
    scene = HAND.replace(x=[[3, 4]], tokens=(), w_q=np.eye(2), q_norm=Norm(weight=[2, 1], eps=3.5))
    found = of(scene, "q", 1, 1, 1)
    assert kinds(found) == ["sum", "squares", "mean", "root", "norm"]
    assert [step.result for step in found.steps] == [3, 25, 16, 4, 1.5] and found.value == 1.5
    assert found.text(2).splitlines()[2:] == [
        "q₁,₁ = q̃₁,₁·g₁/rms",
        "     = 3·2/4 = 1.5",
        "",
        "  sum of products                                Σᵣ x₁,ᵣ·W_q[r,1] = 3·1 + 4·0 = 3",
        "  sum of squares of the row                      Σᵣ q̃₁,ᵣ·q̃₁,ᵣ = 3·3 + 4·4 = 25",
        "  their mean, and ε                              Σ/d_k + ε = 25/2 + 3.5 = 16",
        "  the root of it                                 √μ = √16 = 4",
        "  divided by the root, times the norm's weight   q̃₁,₁·g₁/rms = 3·2/4 = 1.5",
        "",
        "q̃ is the row as it was projected; its root mean square is 4, with ε = 3.5 under the root.",
        "",
        "full precision: 1.5",
    ]
    # the other column of W_q counts too
    assert {c.col for c in found.sources if c.place == "w_q"} == {0, 1}
    # a turned one: both columns of the pair are normed first
    turned = scene.replace(position=Rotary(), x=[[1, 0], [3, 4]], tokens=())
    assert kinds(of(turned, "q", 1, 2, 1)) == [
        "sum",
        "sum",
        "squares",
        "mean",
        "root",
        "norm",
        "norm",
        "rotary",
    ]
    # where a NaN of another column reaches it
    lost = of(scene.with_cell("w_q", 0, 1, np.nan), "q", 1, 1, 1)
    assert isnan(lost.value) and ("nan_from", {"name": "q̃₁,₂"}) in [(n.key, n.values) for n in lost.notes]
