"""Large tables of which few numbers have changed: what changed is kept, and put together with the rest where asked for.

A copy of a hundred megabytes takes longer than a hand waits, and as many for each undo step would soon fill the memory.
"""

from collections.abc import Mapping
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
Cells = Mapping[tuple[int, int], float]

LARGE = 2**20  # numbers, from which a table is not copied for each that changes
MOST = 1024  # numbers kept apart; with more the table is put together, and the next begin anew


class _Shelf:
    """Room for one whole table, that of the newest of those with one base."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.cells: Cells | None = None
        self.whole: Array | None = None


class Patched:
    """The 2-D table `base` with the numbers of `cells`, (row, column) from 0, in place of its own."""

    def __init__(self, base: Array, cells: Cells, shelf: _Shelf | None = None) -> None:
        self._base, self._cells = base, cells
        self._shelf = shelf or _Shelf()

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        return self._base.shape

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return self._base.size

    @property
    def nbytes(self) -> int:
        """As many bytes as the whole takes, in float64."""
        return self.size * 8

    def item(self, row: int, col: int) -> float:
        """One number."""
        found = self._cells.get((row, col))
        return float(self._base.item(row, col)) if found is None else found

    def patched(self, cells: Cells) -> "Patched":
        """This with other numbers in these cells."""
        every = {**self._cells, **cells}
        return Patched(self._base, every, self._shelf) if len(every) <= MOST else Patched(self.whole(), cells)

    def whole(self) -> Array:
        """All of it in one read-only array: as a rule that which was made the last time. For any thread."""
        shelf = self._shelf
        with shelf.lock:
            if shelf.whole is None or shelf.cells is not self._cells:
                whole = np.array(self._base, dtype=np.float64)
                rows, cols = zip(*self._cells, strict=True)
                whole[rows, cols] = list(self._cells.values())
                whole.setflags(write=False)
                shelf.cells, shelf.whole = self._cells, whole
            return shelf.whole


Table = Array | Patched  # has a shape, a size, and each number as `item`
