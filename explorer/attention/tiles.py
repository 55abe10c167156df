"""Pictures of large heads: tiles that stand for many cells, filled a block of rows at a time.

All work is done by iterators that pause after each block and say how far they are; whoever no longer wants the rest
goes no further.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import ceil, isinf

import numpy as np
import torch
from torch import Tensor

from explorer.attention.forward import to_numpy
from explorer.attention.large import Large
from explorer.attention.places import shape_of
from explorer.attention.streamed import BLOCK
from explorer.attention.trace import STAGE
from explorer.attention.windows import HIDING, Tiles, Window
from explorer.scene import Array, Flags, Index

SKETCHED = 96  # rows of a coarse picture
AT_ONCE = 4 * BLOCK  # so few numbers are computed for the coarse picture already


def whole(large: Large, stage: str, head: int | None, height: int, width: int, pool: str = "max") -> Window:
    """The Window on all of a stage."""
    rows, cols = shape_of(large.scene, stage)
    return Window(stage, head, range(rows), range(cols), height, width, pool)


def sketch(large: Large, tiles: Sequence[Tiles]) -> Iterator[float]:
    """Coarse pictures soon: of some rows of tiles one row of cells each, and its neighbours alike."""
    groups = _groups(tiles)
    for number, group in enumerate(groups, 1):
        first = group[0].window
        if first.row_step == 1 and len(first.rows) * _weight(large, first) <= AT_ONCE:
            yield from ((number - 1 + part) / len(groups) for part in _fill(large, group))
            continue
        rows = first.shape[0]
        each = ceil(rows / SKETCHED)
        shown = np.arange(0, rows, each)
        middle = np.minimum((shown + each / 2) * first.row_step, len(first.rows) - 1).astype(np.intp)
        for at in _pieces(len(shown), max(1, BLOCK // _weight(large, first))):
            pools = [_Pool(large, one.window) for one in group]
            _add(large, group, pools, middle[at] + first.rows.start, len(middle[at]))
            for pool, one in zip(pools, group, strict=True):
                values, hidden = pool.take()
                for k, row in enumerate(shown[at].tolist()):
                    place = slice(row, min(row + each, rows))
                    if not one.exact[place].any():
                        one.put(
                            place, values[k : k + 1], hidden[k : k + 1], exact=first.row_step == each == 1
                        )
            yield (number - 1 + at.stop / len(shown)) / len(groups)


def fill(large: Large, tiles: Sequence[Tiles]) -> Iterator[float]:
    """The exact pictures, from above; pictures of the same rows of one head are made in one go."""
    groups = _groups([one for one in tiles if not one.is_done])
    costs = [len(group[0].window.rows) * _weight(large, group[0].window) for group in groups]
    before = 0
    for group, cost in zip(groups, costs, strict=True):
        for part in _fill(large, group):
            yield (before + part * cost) / sum(costs)
        before += cost


def _fill(large: Large, group: Sequence[Tiles]) -> Iterator[float]:
    window = group[0].window
    pools = [_Pool(large, one.window) for one in group]
    for tiles, cells, complete in _plan(window, max(1, BLOCK // _weight(large, window))):
        rows = np.arange(window.rows.start + cells.start, window.rows.start + cells.stop)
        _add(large, group, pools, rows, tiles.stop - tiles.start)
        if complete:
            for pool, one in zip(pools, group, strict=True):
                one.put(tiles, *pool.take(), exact=True)
        yield cells.stop / len(window.rows)


def _plan(window: Window, most: int) -> Iterator[tuple[slice, slice, bool]]:
    """Rows of tiles with the rows of cells to be added to them, and whether they are complete then; so that a block
    has at most so many rows of cells, and is some whole rows of tiles or a part of one.
    """
    step, count = window.row_step, len(window.rows)
    whole_rows = count // step
    if step <= most:
        for at in _pieces(whole_rows, most // step):
            yield at, slice(at.start * step, at.stop * step), True
    else:
        for row in range(whole_rows):
            yield from _part_by_part(row, row * step, (row + 1) * step, most)
    yield from _part_by_part(whole_rows, whole_rows * step, count, most)


def _part_by_part(row: int, start: int, stop: int, most: int) -> Iterator[tuple[slice, slice, bool]]:
    for part in _pieces(stop - start, most):
        yield slice(row, row + 1), slice(start + part.start, start + part.stop), start + part.stop == stop


class Strongest:
    """The largest weight of a head, searched block by block."""

    def __init__(self, large: Large, head: int) -> None:
        self._large, self.head = large, head
        self.row = self.col = 0
        self.value = -1.0

    def search(self) -> Iterator[float]:
        """How far it is, after each block; at the end the fields hold what was found."""
        n, m = self._large.scene.n, self._large.scene.m
        for at in _pieces(n, max(1, BLOCK // m)):
            self._large.safely(partial(self._look, np.arange(at.start, at.stop)))
            yield at.stop / n

    @torch.inference_mode()
    def _look(self, rows: Index) -> None:
        weights = self._large.block(self.head, rows, "weights")["weights"]
        top = weights.max()
        if bool(top.isnan()):
            weights = weights.nan_to_num(-1.0)
            top = weights.max()
        if float(top) > self.value:
            self.value = float(top)
            row, self.col = divmod(int(weights.argmax()), weights.shape[1])
            self.row = int(rows[0]) + row


# ---- parts ----

Block = dict[str, Tensor]


def _groups(tiles: Sequence[Tiles]) -> list[list[Tiles]]:
    """Those that the same blocks fill."""
    groups: dict[object, list[Tiles]] = defaultdict(list)
    for one in tiles:
        w, per = one.window, STAGE[one.window.stage]
        own = w.stage if w.stage in ("x", "q", "k", "v") else per.per
        groups[own, w.head, w.rows, w.row_step].append(one)
    return list(groups.values())


def _weight(large: Large, window: Window) -> int:
    """Numbers that one row takes to compute."""
    if window.stage in large.held:
        return shape_of(large.scene, window.stage)[1]
    return large.scene.m * (large.scene.heads if window.head is None else 1)


def _block(large: Large, group: Sequence[Tiles], rows: Index) -> Block:
    window = group[0].window
    if window.stage in large.held:
        return {window.stage: large.part(window.stage, window.head, rows)}
    return large.block(window.head, rows, *{one.window.stage for one in group})


def _add(large: Large, group: Sequence[Tiles], pools: Sequence["_Pool"], rows: Index, count: int) -> None:
    """These rows of cells, which are `count` rows of tiles or a part of one, to the pools of a group."""

    def parts() -> "list[_Part]":
        block = _block(large, group, rows)
        return [pool.part(block, count) for pool in pools]

    for pool, part in zip(pools, large.safely(parts), strict=True):
        pool.add(*part)


def _pieces(count: int, most: int) -> Iterator[slice]:
    for start in range(0, count, most):
        yield slice(start, min(count, start + most))


_Part = tuple[
    Tensor, Tensor | None
]  # values, and how many cells (mean) or whether any (max) are seen; or all are


class _Pool:
    """Cells to tiles, added up over the blocks of a row of tiles."""

    def __init__(self, large: Large, window: Window) -> None:
        self._window = window
        scene = large.scene
        self._mean = window.pool == "mean" and not window.is_exact
        self._hides = window.stage in HIDING and bool(scene.mask)
        infinite = isinf(scene.mask_fill) and scene.mask_fill < 0
        # Cells that add nothing by themselves need not be taken out.
        self._harmless = window.is_exact or (infinite and (window.stage == "weights" or not self._mean))
        self._values: Tensor | None = None
        self._seen: Tensor | None = None

    @torch.inference_mode()
    def part(self, block: Block, rows: int) -> _Part:
        """A block of as many rows of tiles, or of a part of one: pooled where it is, then on the processor."""
        cols = slice(self._window.cols.start, self._window.cols.stop)
        values = block[self._window.stage][:, cols]
        visible = block["visible"][:, cols] if self._hides else None
        if visible is not None and not self._harmless:
            values = values.masked_fill(~visible, 0.0 if self._mean else -torch.inf)
        if not self._mean:
            seen = None if visible is None else self._tiles(visible, rows, torch.any)
            return self._tiles(values, rows, torch.amax), seen
        wide = _wide(values)

        def total(each: Tensor, dim: int) -> Tensor:
            return each.sum(dim, dtype=wide)

        counted = torch.ones(1, 1, device=values.device).expand_as(values) if visible is None else visible
        return self._tiles(values, rows, total), self._tiles(counted, rows, total)

    def _tiles(self, cells: Tensor, rows: int, pool: Callable[[Tensor, int], Tensor]) -> Tensor:
        """Rows first, which halves the memory that is gone through again and again."""
        height, width = cells.shape
        step, full = self._window.col_step, width // self._window.col_step
        if height > rows:
            cells = pool(cells.view(rows, height // rows, width), 1) if rows > 1 else pool(cells, 0)[None]
        if step == 1:
            return (cells if cells.dtype == torch.bool or not self._mean else cells.to(_wide(cells))).cpu()
        parts = [pool(cells[:, : full * step].reshape(-1, full, step), 2)] if full else []
        if full * step < width:
            parts.append(pool(cells[:, full * step :], 1)[:, None])
        return torch.cat(parts, dim=1).cpu()

    @torch.inference_mode()
    def add(self, values: Tensor, seen: Tensor | None) -> None:
        """A `part` more."""
        if self._values is None:
            self._values, self._seen = values, seen
        elif self._mean:
            assert self._seen is not None and seen is not None
            self._values, self._seen = self._values + values, self._seen + seen
        else:
            self._values = torch.maximum(self._values, values)
            self._seen = None if self._seen is None or seen is None else self._seen | seen

    @torch.inference_mode()
    def take(self) -> tuple[Array, Flags]:
        """The rows of tiles, and begin others."""
        values, seen = self._values, self._seen
        assert values is not None
        self._values = self._seen = None
        if self._mean:
            assert seen is not None
            values = values / seen
        hidden = torch.zeros_like(values, dtype=torch.bool) if seen is None else seen == 0
        return to_numpy(values), hidden.numpy()


def _wide(values: Tensor) -> torch.dtype:
    return torch.float64 if values.dtype == torch.float64 else torch.float32
