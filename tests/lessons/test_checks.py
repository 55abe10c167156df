"""The notation for cells, and the check language."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention.attend import attend
from explorer.attention.cost import Sizes
from explorer.attention.masks import Causal, Padding
from explorer.attention.positions import Sinusoidal
from explorer.attention.trace import STAGES, Cell
from explorer.attention.variants import SLIP
from explorer.lessons.cells import CellsError, parse_cells, shape_of
from explorer.lessons.check import CheckError, View, decimals_of, parse_condition, parse_quantity
from explorer.scene import Scene


def scene() -> Scene:
    """Two queries, three keys, two heads of d_k = 2, d_v = 3, with W^O."""
    generator = np.random.default_rng(3)
    return Scene(
        x=np.array([[1.0, 2.0], [3.0, 4.0]]), context=generator.normal(size=(3, 5)), heads=2,
        w_q=generator.normal(size=(2, 4)), w_k=generator.normal(size=(5, 4)), w_v=generator.normal(size=(5, 6)),
        w_o=generator.normal(size=(6, 7)), mask=(Causal(align="bottom_right"),), position=Sinusoidal(),
    )  # fmt: skip


def view(of: Scene | None = None) -> View:
    of = of or scene()
    trace = attend(of)
    return View(of, trace, SLIP["scale_forgotten"].stages(of, trace), Sizes.of(of))


# ---- cells ----


def test_single_cell_counts_from_one() -> None:
    assert parse_cells("weights[1,2,3]").single == Cell("weights", 0, 1, 2)
    assert parse_cells(" concat[ 2 , 3 ] ").single == Cell("concat", None, 1, 2)
    assert parse_cells("w_q[2,1]").single == Cell("w_q", None, 1, 0)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("weights", 12),
        ("weights[2]", 6),
        ("weights[:,1]", 6),
        ("weights[2,1]", 3),
        ("weights[2,1,2:3]", 2),
        ("concat[:,3:4]", 4),
        ("w_o[3:4,:]", 14),
        ("x", 4),
        ("b_q", 0),
    ],
)
def test_blocks(text: str, count: int) -> None:
    cells = parse_cells(text)
    assert cells.single is None
    listed = list(cells.cells(scene()))
    assert len(listed) == count
    assert all(cell in cells for cell in listed)


def test_membership() -> None:
    cells = parse_cells("weights[2,1:2,:]")
    assert Cell("weights", 1, 1, 7) in cells
    assert Cell("weights", 0, 1, 0) not in cells
    assert Cell("weights", 1, 2, 0) not in cells
    assert Cell("scaled", 1, 1, 0) not in cells
    assert Cell("x", None, 0, 0) in parse_cells("x[1]")
    assert "weights" not in cells


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("weight[1,2,3]", "'weight' is no stage and no matrix; there are x, q, k"),
        ("weights(1)", "'weights(1)' names no cells; write them like weights[1,2,:]."),
        ("weights[1,2,3,4]", "has 4 indices, but weights takes 3: head, row, column."),
        ("x[1,2,3]", "has 3 indices, but x takes 2: row, column."),
        ("x[0,1]", "indices count from 1, and upwards."),
        ("x[3:2,1]", "indices count from 1, and upwards."),
        ("x[-1]", "'-1' is no index; write 2, 1:3 or :."),
        ("x[]", "'' is no index"),
        ("x[99999999999999999999]", "is no index"),
        ("a" * 10_000, "…' is no stage"),
        ("", "'' names no cells"),
    ],
)
def test_cells_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(CellsError) as error:
        parse_cells(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("weights[3,1,1]", "weights[3,1,1] asks for head 3, but weights has 2 heads."),
        ("weights[1,3,1]", "weights[1,3,1] asks for row 3, but weights has 2 rows."),
        ("weights[1,1,2:4]", "weights[1,1,2:4] asks for column 4, but weights has 3 columns."),
        ("b_q[1,1]", "b_q is not set in this step's scene."),
        ("output[2,7]", None),
    ],
)
def test_cells_that_the_scene_lacks(text: str, sentence: str | None) -> None:
    assert parse_cells(text).problem(scene()) == sentence


def test_shapes_are_those_of_the_trace() -> None:
    trace = attend(scene())
    for stage in STAGES:
        assert shape_of(scene(), stage.name) == trace.stage(stage.name).shape


@given(st.text(max_size=60))
def test_any_text_is_cells_or_a_sentence(text: str) -> None:
    try:
        parse_cells(text)
    except CellsError as error:
        assert str(error).endswith(".") or "…" in str(error)


# ---- quantities ----


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("heads", 2),
        ("kv_heads", 2),
        ("n", 2),
        ("m", 3),
        ("d_model", 2),
        ("d_context", 5),
        ("d_k", 2),
        ("d_v", 3),
        ("d_out", 7),
        ("scene.x[2,1]", 3),
        ("x[1,2]", 3),  # 2 + cos 0
        ("sum(weights[1,1,:])", 1),
        ("max( scene.x )", 4),
        ("min(scene.x)", 1),
        ("mean(scene.x)", 2.5),
        ("std(scene.x)", 1.25**0.5),
        ("cost.total", 2 * 2 * 4 + 3 * 5 * 4 + 3 * 5 * 6 + 2 * 2 * 3 * 2 + 2 * 2 * 3 * 3 + 2 * 6 * 7),
        ("cost.q", 16),
        ("cost.output", 84),
        ("cost.parameters", 8 + 20 + 30 + 42),
        ("cost.kv_cache", 3 * 10 * 4),
        ("2/sqrt(2)", 2**0.5),
        ("e", 2.718281828459045),
        ("-3", -3),
    ],
)
def test_quantities(text: str, value: float) -> None:
    assert parse_quantity(text).value(view()) == pytest.approx(value)


def test_stages_and_slipped_stages() -> None:
    now = view()
    assert parse_quantity("scaled[2,1,1]").value(now) == now.trace.scaled[1, 0, 0]
    assert parse_quantity("slip.scaled[2,1,1]").value(now) == now.trace.scores[1, 0, 0]
    assert parse_quantity("slip.scores[2,1,1]").value(now) == now.trace.scores[1, 0, 0]  # before the damage


@pytest.mark.parametrize(
    ("text", "word"),
    [("scale", "sqrt_dk"), ("mask", "causal"), ("position", "sinusoidal"), ("dtype", "float64")],
)
def test_words(text: str, word: str) -> None:
    assert parse_quantity(text).read(view()) == word


def test_masks_as_words() -> None:
    padding = Padding(keys=(True, True, False))
    assert parse_quantity("mask").read(view(scene().replace(mask=(Causal(), padding)))) == "causal+padding"
    assert parse_quantity("mask").read(view(scene().replace(mask=()))) == "none"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("weights[1,2", "is no cell, setting, cost or number"),
        ("cost.price", "'cost.price' is no cost; there are total"),
        ("wights[1,1,1]", "'wights' is no stage"),
        ("sum(2+2)", "is no cell"),
        ("__import__('os')", "is no cell"),
        ("", "is no cell"),
        ("x" * 1000, "…'"),
    ],
)
def test_quantities_that_are_none(text: str, sentence: str) -> None:
    with pytest.raises(CheckError) as error:
        parse_quantity(text)
    assert sentence in str(error.value)


# ---- conditions ----


@pytest.mark.parametrize(
    "text",
    [
        "heads = 2",
        "heads != 3",
        "heads ≠ 3",
        "heads >= 2",
        "heads ≤ 2",
        "heads < 3",
        "heads > 1.5",
        "scale = sqrt_dk",
        "scale != none",
        "mask = causal",
        "position = sinusoidal",
        "scene.x = 1 2 3 4",
        "scene.x > 0",
        "scene.x[1,:] = 1 2",
        "scene.x[1,1] = 1.0",
        "masked[1,1,3] = -inf",
        "mask_fill = -inf",
        "sqrt(2) = 1.41",
        "sqrt(2) = 1.4142",
        "2*3 = 6",
        "60129542144 = 60129542144",
    ],
)
def test_conditions_that_hold(text: str) -> None:
    assert parse_condition(text).holds(view())
    assert parse_condition(text).problem(scene()) is None


@pytest.mark.parametrize(
    "text",
    [
        "heads = 3",
        "heads != 2",
        "heads = sqrt_dk",
        "scale = none",
        "scale = 1",
        "scene.x = 1 2 3 5",
        "scene.x > 1",
        "sqrt(2) = 1",
        "sqrt(2) = 1.42",
        "60129542144 = 60129542145",
        "weights[7,1,1] = 1",
        "b_q[1,1] = 0",
        "scene.x[1,1] = nan",
    ],
)
def test_conditions_that_do_not(text: str) -> None:
    assert not parse_condition(text).holds(view())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("heads", "is no condition; write one like heads = 2"),
        ("heads == 2", "is no condition"),
        ("heads = ", "compares with nothing"),
        ("heads = two", None),  # a word: simply does not hold
        ("weights[1,1,1] = much", "'much' is not a number."),
        ("scale > none", "a word can only be compared by = or !=."),
        ("scale = none none", "a word can only be compared by = or !=."),
        ("1 < heads < 3", "is no condition"),
    ],
)
def test_conditions_that_are_none(text: str, sentence: str | None) -> None:
    if sentence is None:
        assert not parse_condition(text).holds(view())
        return
    with pytest.raises(CheckError) as error:
        parse_condition(text)
    assert sentence in str(error.value)


def test_condition_with_the_wrong_number_of_values() -> None:
    assert (
        parse_condition("scene.x = 1 2 3").problem(scene()) == "'scene.x = 1 2 3' gives 3 values for 4 cells."
    )
    assert not parse_condition("scene.x = 1 2 3").holds(view())


def test_what_a_condition_found() -> None:
    assert parse_condition("scene.x[1,:] = 1 2.50").actual(view()) == "1 2"
    assert parse_condition("sqrt(2) = 1.4142").actual(view()) == "1.4142"
    assert parse_condition("scale = none").actual(view()) == "sqrt_dk"
    assert parse_condition("weights[9,1,1] = 1").actual(view()) == "—"


@pytest.mark.parametrize(
    ("text", "decimals"),
    [
        ("2", 0),
        ("2.", 0),
        ("2.50", 2),
        ("-.5", 1),
        ("−0.125", 3),
        ("1/3", None),
        ("1e-3", None),
        ("", None),
        ("-", None),
    ],
)
def test_decimals_of(text: str, decimals: int | None) -> None:
    assert decimals_of(text) == decimals


@given(st.text(alphabet="weights[]():,.123 =<>!e+-*/", max_size=40))
def test_any_text_is_a_condition_or_a_sentence(text: str) -> None:
    try:
        parse_condition(text).holds(view_once)
    except CheckError:
        pass


view_once = view()
