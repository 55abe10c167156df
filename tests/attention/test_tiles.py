"""Pictures of large heads against numpy pooling of the plain matrix."""

from typing import Any

import numpy as np
import pytest

from explorer.attention.masks import Causal, Padding, Window
from explorer.attention.streamed import BLOCK
from explorer.attention.tiles import SKETCHED, Strongest, fill, sketch, whole
from explorer.attention.windows import Tiles
from explorer.attention.windows import Window as View
from explorer.scene import Array, Flags
from tests.attention.large_scenes import both, scene_of

PAIRS = ("scores", "scaled", "masked", "weights")
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"mask": (Causal(),)},
    "filled": {"mask": (Window(left=50, right=0),), "mask_fill": -1.0},
    "blind": {"mask": (Padding(keys=(False,) * 90 + (True,) * 422), Causal())},
}


def pooled(cells: Array, hidden: Flags, view: View) -> tuple[Array, Flags]:
    """Tile by tile; NaN where all is hidden."""
    values, gone = np.full(view.shape, np.nan), np.zeros(view.shape, bool)
    for i in range(view.shape[0]):
        for j in range(view.shape[1]):
            rows = view.rows[i * view.row_step : (i + 1) * view.row_step]
            cols = view.cols[j * view.col_step : (j + 1) * view.col_step]
            at = np.ix_(rows, cols)
            shown = cells[at][~hidden[at]]
            gone[i, j] = not shown.size
            if shown.size:
                values[i, j] = shown.max() if view.pool == "max" else shown.mean()
    return values, gone


@pytest.mark.parametrize("pool", ["max", "mean"])
@pytest.mark.parametrize("kind", SETTINGS)
def test_tiles_are_the_pooled_plain_matrix(kind: str, pool: str) -> None:
    held, _, large = both(scene_of(512, **SETTINGS[kind]))
    views = [
        View(stage, 1, rows, cols, height, width, pool)
        for stage in PAIRS
        for rows, cols, height, width in (
            (range(512), range(512), 50, 40),  # 11 and 13 cells; the last tiles are smaller
            (range(512), range(512), 512, 100),
            (range(100, 130), range(7, 400), 64, 64),  # single rows
            (range(33, 36), range(500, 512), 3, 12),  # single cells
        )
    ]
    views += [whole(large, stage, None, 40, 5, pool) for stage in ("concat", "output", "x")]
    views += [whole(large, stage, 0, 40, 5, pool) for stage in ("q", "k", "v", "head_outputs")]
    tiles = [Tiles(view) for view in views]
    progress = list(fill(large, tiles))
    assert progress == sorted(progress) and progress[-1] == 1.0
    for one in tiles:
        view = one.window
        cells = held.matrix(view.stage, view.head)
        hides = view.stage in ("masked", "weights")
        hidden = ~held.visible if hides else np.zeros(cells.shape, bool)
        values, gone = pooled(cells, hidden, view)
        if view.is_exact:  # a hidden cell has its number, too
            values = cells[view.rows.start : view.rows.stop, view.cols.start : view.cols.stop]
        np.testing.assert_allclose(one.values, values, rtol=1e-9, atol=1e-12, err_msg=str(view))
        assert np.array_equal(one.hidden, gone) and one.is_done


def test_tiles_of_more_rows_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """2048 × 2048 in 2 × 3 tiles: each is made of several blocks."""
    held, _, large = both(scene_of(2048, heads=1, mask=(Causal(),)))
    for pool in ("max", "mean"):
        one = Tiles(whole(large, "weights", 0, 2, 3, pool))
        assert len(list(fill(large, [one]))) == 2048 * 2048 // BLOCK
        values, gone = pooled(held.weights[0], ~held.visible, one.window)
        np.testing.assert_allclose(one.values, values, rtol=1e-9)
        assert np.array_equal(one.hidden, gone)


def test_a_sketch_shows_true_rows_and_repeats_them() -> None:
    held, _, large = both(scene_of(512, heads=1))
    one = Tiles(View("scores", 0, range(512), range(512), 256, 128))
    list(sketch(large, [one]))
    assert not one.exact.any() and not np.isnan(one.values).any()
    each = -(-256 // SKETCHED)
    first = held.scores[0, int(each / 2 * 2)].reshape(128, 4).max(axis=1)
    np.testing.assert_allclose(one.values[:each], np.tile(first, (each, 1)))
    list(fill(large, [one]))
    np.testing.assert_allclose(one.values, held.scores[0].reshape(256, 2, 128, 4).max(axis=(1, 3)))
    list(sketch(large, [one]))  # what is exact stays
    assert one.is_done


def test_few_cells_are_exact_at_once() -> None:
    held, _, large = both(scene_of(512, heads=1))
    one = Tiles(View("weights", 0, range(200, 230), range(300, 340), 30, 40))
    list(sketch(large, [one]))
    assert one.is_done and one.window.is_exact
    np.testing.assert_allclose(one.values, held.weights[0, 200:230, 300:340])


def test_whoever_stops_has_what_was_done_till_then() -> None:
    _, _, large = both(scene_of(2048, heads=1))
    one = Tiles(whole(large, "weights", 0, 64, 64))
    steps = fill(large, [one])
    assert next(steps) == 0.25
    assert one.exact.tolist() == [True] * 16 + [False] * 48 and np.isnan(one.values[16:]).all()


def test_no_block_is_larger_than_it_says() -> None:
    scene = scene_of(4096, heads=2, width=2, mask=(Causal(),))
    _, streamed, large = both(scene_of(16))
    large = type(large)(scene)
    sizes: list[int] = []
    block = large.block

    def watched(head: int | None, rows: Any, *wanted: str) -> Any:
        found = block(head, rows, *wanted)
        sizes.extend(each.numel() for each in found.values())
        return found

    large.block = watched  # type: ignore[method-assign]
    tiles = [Tiles(whole(large, stage, 0, 30, 30)) for stage in PAIRS]
    tiles += [Tiles(whole(large, "output", None, 30, 4))]
    list(sketch(large, tiles))
    list(fill(large, tiles))
    assert max(sizes) <= BLOCK


def test_the_strongest_weight() -> None:
    held, _, large = both(scene_of(512, heads=2, mask=(Causal(),)))
    for head in (0, 1):
        strongest = Strongest(large, head)
        assert list(strongest.search())[-1] == 1.0
        row, col = np.unravel_index(held.weights[head].argmax(), (512, 512))
        assert (strongest.row, strongest.col) == (row, col)
        assert strongest.value == pytest.approx(held.weights[head].max())
