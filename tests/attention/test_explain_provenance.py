import tracemalloc
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.cost import is_large
from explorer.attention.masks import Causal, Padding, Window
from explorer.attention.places import PLACES, cell_at, heads_of, shape_of
from explorer.attention.positions import Rotary
from explorer.attention.provenance import dependents, reach, source_regions, sources
from explorer.attention.region import Region
from explorer.attention.trace import STAGES, Cell
from explorer.scene import MATRICES, Mask, Scene
from tests.attention.large_scenes import scene_of
from tests.attention.random_scenes import scenes


def cells_of(scene: Scene, place: str) -> list[Cell]:
    if place in MATRICES and scene.matrix(place) is None:
        return []
    rows, cols = shape_of(scene, place)
    heads = heads_of(scene, place)
    return [
        Cell(place, *at)
        for at in product([None] if heads is None else range(heads), range(rows), range(cols))
    ]


def all_cells(scene: Scene) -> list[Cell]:
    return [cell for place in PLACES for cell in cells_of(scene, place)]


def three_tokens(**changes: object) -> Scene:
    square = np.arange(16.0).reshape(4, 4) % 5
    start = Scene(x=np.arange(12.0).reshape(3, 4) % 7, w_q=square, w_k=square.T, w_v=square + 1, heads=2)
    return start.replace(**changes)


@given(scenes(dtypes=("float64",)))
def test_sources_and_dependents_are_inverse_and_without_duplicates(scene: Scene) -> None:
    forward = {(cell, after) for cell in all_cells(scene) for after in dependents(scene, cell)}
    back = [(before, cell) for cell in all_cells(scene) for before in sources(scene, cell)]
    assert len(back) == len(set(back))
    assert set(back) == forward


@given(scenes(dtypes=("float64",)), st.data())
def test_reach_is_what_dependents_lead_to(scene: Scene, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(all_cells(scene)))
    found: set[Cell] = set()
    waiting = [start]
    while waiting:
        new = set(dependents(scene, waiting.pop())) - found
        found |= new
        waiting += new
    assert {cell for regions in reach(scene, start).values() for r in regions for cell in r.cells()} == found


@given(scenes(dtypes=("float64",)), st.data())
def test_nothing_outside_the_reach_of_a_grid_cell_changes(scene: Scene, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from([c for c in all_cells(scene) if c.place in MATRICES]))
    matrix = scene.matrix(start.place)
    assert matrix is not None
    step = data.draw(st.sampled_from([0.37, -1.5, 3.0]))
    edited = scene.with_cell(start.place, start.row, start.col, float(matrix[start.row, start.col]) + step)
    before, after, reached = attend(scene), attend(edited), reach(scene, start)
    for stage in STAGES[1:]:
        for head in range(heads_of(scene, stage.name) or 1):
            old, new = before.matrix(stage.name, head), after.matrix(stage.name, head)
            inside = np.zeros(old.shape, dtype=bool)
            for region in reached.get(stage.name, ()):
                if region.head in (None, head):
                    inside |= region.flags(old.shape)
            assert np.array_equal(old[~inside], new[~inside]), stage.name


def test_what_is_inside_the_reach_does_change() -> None:
    rng = np.random.default_rng(3)
    w_q, w_k, w_v, w_o = rng.normal(size=(4, 4, 4)) / 2
    scene = Scene(
        x=rng.normal(size=(3, 4)),
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
        w_o=w_o,
        heads=2,
        mask=(Causal(),),
        position=Rotary(),
    )
    trace = attend(scene)
    for start in (
        Cell("x", None, 1, 2),
        Cell("w_q", None, 0, 3),
        Cell("w_k", None, 2, 0),
        Cell("w_v", None, 1, 1),
    ):
        matrix = scene.matrix(start.place)
        assert matrix is not None
        changed = attend(
            scene.with_cell(start.place, start.row, start.col, matrix[start.row, start.col] + 0.5)
        )
        for place, regions in reach(scene, start).items():
            for region in regions:
                inside = region.flags(shape_of(scene, place))
                same = trace.matrix(place, region.head) == changed.matrix(place, region.head)
                # Position 0 is turned by an angle of 0, and the only visible key has weight 1 in any case.
                assert not same[inside & (np.arange(len(inside)) > 0)[:, None]].any(), (start, place)


def test_one_step_back_by_hand() -> None:
    scene = three_tokens(b_v=np.ones(4), mask=(Causal(),), w_o=np.eye(4))
    row = [("x", None, 1, c) for c in range(4)]
    assert sources(scene, Cell("q", 1, 1, 0)) == tuple(
        Cell(*c) for c in [*row, *(("w_q", None, r, 2) for r in range(4))]
    )
    assert sources(scene, Cell("v", 0, 1, 1))[-1] == Cell("b_v", None, 0, 1)
    assert sources(scene, Cell("scores", 1, 2, 0)) == (
        Cell("q", 1, 2, 0), Cell("q", 1, 2, 1), Cell("k", 1, 0, 0), Cell("k", 1, 0, 1),
    )  # fmt: skip
    assert sources(scene, Cell("scaled", 1, 2, 0)) == (Cell("scores", 1, 2, 0),)
    assert sources(scene, Cell("masked", 1, 2, 0)) == (Cell("scaled", 1, 2, 0),)
    assert sources(scene, Cell("weights", 1, 1, 0)) == (Cell("masked", 1, 1, 0), Cell("masked", 1, 1, 1))
    assert sources(scene, Cell("head_outputs", 0, 1, 1)) == (
        Cell("weights", 0, 1, 0), Cell("weights", 0, 1, 1), Cell("v", 0, 0, 1), Cell("v", 0, 1, 1),
    )  # fmt: skip
    assert sources(scene, Cell("concat", None, 2, 3)) == (Cell("head_outputs", 1, 2, 1),)
    assert len(sources(scene, Cell("output", None, 0, 0))) == 8
    assert sources(scene, Cell("x", None, 0, 0)) == sources(scene, Cell("w_q", None, 0, 0)) == ()


def test_hidden_scores_reach_nothing() -> None:
    scene = three_tokens(mask=(Causal(),))
    assert dependents(scene, Cell("scaled", 0, 0, 2)) == () == sources(scene, Cell("masked", 0, 0, 2))
    assert set(reach(scene, Cell("scores", 0, 0, 2))) == {"scaled"}
    assert sources(scene, Cell("weights", 0, 0, 2)) == (Cell("masked", 0, 0, 2),)
    assert dependents(scene, Cell("weights", 0, 0, 2)) == ()


def test_a_finite_fill_counts_in_the_row() -> None:
    scene = three_tokens(mask=(Causal(),), mask_fill=-1e9)
    assert sources(scene, Cell("weights", 0, 0, 2)) == tuple(Cell("masked", 0, 0, c) for c in range(3))
    assert len(dependents(scene, Cell("v", 0, 2, 0))) == 3
    # −1e9 is more than float16 can hold, and so is −∞.
    assert sources(scene.replace(dtype="float16"), Cell("weights", 0, 0, 2)) == (Cell("masked", 0, 0, 2),)


def test_a_row_that_sees_nothing_has_no_sources_beyond_its_own_scores() -> None:
    scene = three_tokens(mask=(Padding(keys=(False, False, False)),))
    assert sources(scene, Cell("weights", 0, 1, 1)) == (Cell("masked", 0, 1, 1),)
    assert sources(scene, Cell("head_outputs", 0, 1, 1)) == ()
    assert "weights" not in reach(scene, Cell("x", None, 1, 1))


def test_rotary_takes_both_columns_of_the_pair() -> None:
    scene = three_tokens(heads=1, position=Rotary(layout="half"))
    columns = {c.col for c in sources(scene, Cell("q", 0, 1, 0)) if c.place == "w_q"}
    assert columns == {0, 2}
    partial = scene.replace(position=Rotary(layout="interleaved", dims=2))
    assert {c.col for c in sources(partial, Cell("k", 0, 1, 1)) if c.place == "w_k"} == {0, 1}
    assert {c.col for c in sources(partial, Cell("k", 0, 1, 3)) if c.place == "w_k"} == {3}


def test_shared_heads_are_read_by_their_query_heads_only() -> None:
    square = np.eye(4)
    scene = Scene(x=square, w_q=np.ones((4, 8)), w_k=square, w_v=square, heads=4, kv_heads=2)
    assert {c.head for c in dependents(scene, Cell("k", 1, 0, 0))} == {2, 3}
    assert sources(scene, Cell("scores", 3, 0, 2))[-1] == Cell("k", 1, 2, 1)


def test_regions_stay_few_for_many_tokens() -> None:
    tokens, wide = 1024, 64
    scene = Scene(
        x=np.zeros((tokens, wide)), w_q=np.eye(wide), w_k=np.eye(wide), w_v=np.eye(wide), w_o=np.eye(wide),
        heads=16, mask=(Causal(),),
    )  # fmt: skip
    row = source_regions(scene, Cell("weights", 3, 900, 7))
    assert len(row) == 1 and row[0].rectangles() == [(900, 0, 1, 901)]
    reached = reach(scene, Cell("x", None, 500, 3))
    assert max(len([r for r in regions if r.head in (None, 0)]) for regions in reached.values()) <= 2
    (weights,) = [r for r in reached["weights"] if r.head == 0]
    assert weights.rows.tolist() == list(range(500, tokens))
    assert sum(r.flags((tokens, wide)).sum() for r in reached["output"]) == (tokens - 500) * wide


@pytest.mark.parametrize(
    ("mask", "sees"),
    [
        ((Causal(),), lambda i, j: j <= i),
        ((Window(left=2, right=0),), lambda i, j: i - 2 <= j <= i),
        ((Causal(), Padding(keys=(False,) * 700 + (True,) * 400)), lambda i, j: 700 <= j <= i),
        ((Causal(), Padding(keys=(True, *(False,) * 1099))), lambda i, j: j == 0),
    ],
)
@pytest.mark.parametrize("fill", [-np.inf, -1e9])
def test_reach_in_a_large_scene(
    mask: tuple[Mask, ...], sees: Callable[[int, int], bool], fill: float
) -> None:
    n = 1100
    scene = scene_of(n, heads=1, width=2, mask=mask, mask_fill=fill)
    assert is_large(scene)
    finite = bool(np.isfinite(fill))
    seeing = [i for i in range(n) if any(sees(i, j) for j in range(n))]
    seen = [i for i in range(n) if sees(i, 40)]
    by_key = list(range(n)) if finite else seen  # whose output has v[40] in it
    expected = {
        Cell("w_q", None, 0, 1): (seeing, seeing),
        Cell("w_v", None, 0, 1): ([], list(range(n)) if finite else seeing),
        Cell("v", 0, 40, 1): ([], by_key),
        Cell("k", 0, 40, 1): (seen, seen),
        Cell("x", None, 40, 0): (
            sorted({40} & set(seeing) | set(seen)),
            sorted({40} & set(seeing) | set(seen) | set(by_key)),
        ),
    }
    for cell, (weights, output) in expected.items():
        found = reach(scene, cell)
        for place, rows in (("weights", weights), ("output", output)):
            regions = found.get(place, ())
            assert sorted({row for region in regions for row in region.touched_rows.tolist()}) == rows
    assert [r.touched_cols.tolist() for r in reach(scene, Cell("k", 0, 40, 1)).get("masked", ())] == (
        [[40]] if seen else []
    )


def test_reach_holds_no_table_of_all_pairs() -> None:
    n = 32_768  # a byte for each pair of them would be a gigabyte
    scene = scene_of(n, heads=1, width=1, mask=(Causal(),))
    tracemalloc.start()
    for cell in (Cell("x", None, 9, 0), Cell("w_q", None, 0, 0), Cell("w_v", None, 0, 0)):
        (output,) = reach(scene, cell)["output"]
        assert output.rows[0] == (9 if cell.place == "x" else 0) and output.rows[-1] == n - 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6


def test_rectangles_frame_runs() -> None:
    region = Region("weights", 0, np.array([0, 1, 4]), np.array([2, 3, 5]))
    assert region.rectangles() == [(0, 2, 2, 2), (0, 5, 2, 1), (4, 2, 1, 2), (4, 5, 1, 1)]
    triangle = Region("weights", 0, np.arange(3), np.arange(3), np.tri(3, dtype=bool))
    assert triangle.rectangles() == [(0, 0, 1, 1), (1, 0, 1, 2), (2, 0, 1, 3)]
    assert [tuple(c[2:]) for c in triangle.cells()] == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        (("wights", 1, 1, 1), "There is no stage 'wights'; the stages are x, q, k, v, scores,"),
        (("weights", 3, 1, 1), "weights has heads 1 to 2; there is no head 3."),
        (("weights", None, 1, 1), "weights has heads 1 to 2; say which one."),
        (("weights", 1, 0, 1), "weights has rows 1 to 3; there is no row 0."),
        (("weights", 1, 1, 4), "weights has columns 1 to 3; there is no column 4."),
        (("b_q", None, 1, 1), "b_q is not set in this scene."),
        (("concat", 2, 1, 1), "concat has no heads, so there is no head 2 in it."),
    ],
)
def test_a_cell_that_is_not_there_is_named(at: tuple[str, int | None, int, int], sentence: str) -> None:
    with pytest.raises(ValueError) as error:
        cell_at(three_tokens(), *at)
    assert str(error.value).startswith(sentence)


def test_cells_are_counted_from_one_by_a_person() -> None:
    scene = three_tokens()
    assert cell_at(scene, "weights", 2, 1, 3) == Cell("weights", 1, 0, 2)
    assert cell_at(scene, "concat", 1, 3, 4) == Cell("concat", None, 2, 3)
    assert cell_at(three_tokens(heads=1), "q", None, 1, 1) == Cell("q", 0, 0, 0)
    with pytest.raises(ValueError, match="should say head 0"):
        sources(three_tokens(heads=1), Cell("q", None, 0, 0))
