"""Flags of pairs of queries and keys, for more tokens than a table of them could be held."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from explorer.attention.streamed import BLOCK, Streamed
from explorer.scene import Flags, Index, Scene

NEAR = 128  # rows, and keys, that are looked at together at first
KEPT = 16  # answers that are remembered: of all heads the same is asked


class Sight(Streamed):
    """(n, m) flags, computed a block at a time by `flags_at`."""

    def __init__(self, name: str, shape: tuple[int, int], flags_at: Callable[[Index, Index], Flags]) -> None:
        every = np.arange(shape[1])

        @lru_cache(maxsize=KEPT)
        def block(rows: bytes, cols: bytes) -> Flags:
            return flags_at(np.frombuffer(rows, dtype=np.intp), np.frombuffer(cols, dtype=np.intp))

        def part(_head: int | None, rows: Index, cols: Index | None) -> Flags:
            return block(rows.tobytes(), (every if cols is None else cols).tobytes())

        @lru_cache(maxsize=KEPT)
        def rows_with(rows: bytes, cols: bytes) -> Flags:
            return rows_seeing(
                flags_at, np.frombuffer(rows, dtype=np.intp), np.frombuffer(cols, dtype=np.intp)
            )

        super().__init__(name, shape, np.bool_, part)
        self._rows_with = rows_with

    def _at_once(self, width: int) -> int:
        return max(1, BLOCK // max(1, width))

    def rows_with(self, rows: Index, cols: Index) -> Flags:
        """(rows,): which of these rows have one of these columns, both ascending, in memory for a block."""
        return self._rows_with(rows.tobytes(), cols.tobytes())


def rows_with(flags: Flags | Sight, rows: Index, cols: Index) -> Flags:
    """(rows,): which of these rows of (n, m) flags have one of these columns, both ascending."""
    if isinstance(flags, Sight):
        return flags.rows_with(rows, cols)
    block: Flags = flags[np.ix_(rows, cols)]
    return np.asarray(block.any(axis=1))


def rows_seeing(flags_at: Callable[[Index, Index], Flags], rows: Index, cols: Index) -> Flags:
    """(rows,): which of these rows have one of these columns, both ascending, in memory for a block.

    First near the diagonal, where most masks let something through; then all columns for the rows that are left, more
    and more at a time.
    """
    found = np.zeros(len(rows), dtype=bool)
    firsts = np.arange(0, len(rows), NEAR)
    lasts = np.minimum(firsts + NEAR, len(rows)) - 1
    starts, stops = np.searchsorted(cols, rows[firsts]), np.searchsorted(cols, rows[lasts], side="right")
    for block in np.flatnonzero(starts < stops).tolist():
        part = slice(firsts[block], lasts[block] + 1)
        near = cols[max(starts[block], stops[block] - NEAR) : stops[block]]
        found[part] = flags_at(rows[part], near).any(axis=1)
    start, width = 0, NEAR
    while start < len(cols) and len(left := np.flatnonzero(~found)):
        some = cols[start : start + width]
        step = max(1, BLOCK // len(some))
        for first in range(0, len(left), step):
            these = left[first : first + step]
            found[these] = flags_at(rows[these], some).any(axis=1)
        start, width = start + width, 2 * width
    return found


def hides(scene: Scene) -> bool:
    """Whether a mask hides anything, in memory for a block; no further than to the first that does."""
    rows, cols = np.arange(scene.n if scene.mask else 0), np.arange(scene.m)
    step = max(1, BLOCK // len(cols))
    return any(
        not scene.visible_at(rows[first : first + step], cols).all() for first in range(0, len(rows), step)
    )
