"""What is to be seen of a large head, and the picture of it. Nothing is computed here, so torch is not needed."""

from dataclasses import dataclass
from math import ceil

import numpy as np

from explorer.scene import Array, Flags, Index

POOLS = ("max", "mean")
PAIRS = (
    "scores",
    "scaled",
    "masked",
    "weights",
)  # a number for each query and key, in the order they are made
STREAMED = (*PAIRS, "head_outputs", "concat", "output")  # what a trace too large to be held does not hold
HIDING = ("masked", "weights")  # where a mask's hidden cells are not counted, and not coloured


def block_starts(size: int, most: int) -> Index:
    """Where each of at most `most` blocks of about as many rows (or columns) begins, in a picture kept whole."""
    starts: Index = np.linspace(0, size, min(most, size), endpoint=False).astype(np.intp)
    return starts


@dataclass(frozen=True)
class Window:
    """Rows and columns of a stage that are to be seen in at most `height` × `width` tiles.

    A tile stands for row_step × col_step cells (fewer at the ends): the largest, or the mean, of those that no mask
    hides. Where each tile is a cell it is just that cell. `head` from 0, for k and v the K/V head, None
    for the joined stages.
    """

    stage: str
    head: int | None
    rows: range
    cols: range
    height: int
    width: int
    pool: str = "max"

    @property
    def row_step(self) -> int:
        """Rows of cells in a tile."""
        return ceil(len(self.rows) / max(1, self.height))

    @property
    def col_step(self) -> int:
        """Columns of cells in a tile."""
        return ceil(len(self.cols) / max(1, self.width))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of tiles."""
        return ceil(len(self.rows) / self.row_step), ceil(len(self.cols) / self.col_step)

    @property
    def is_exact(self) -> bool:
        """Whether each tile is one cell."""
        return self.row_step == self.col_step == 1


class Tiles:
    """The picture of one Window, as far as it is there."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.values: Array = np.full(window.shape, np.nan)  # NaN: not there yet, all hidden, or NaN
        self.hidden: Flags = np.zeros(window.shape, dtype=bool)  # all of its cells are, by a mask
        self.exact: Flags = np.zeros(window.shape[0], dtype=bool)  # the rows that are not a sketch
        self.version = 0  # counts the changes
        self._seen = (0, True)  # of which version it is known whether one sees through

    @property
    def see_through(self) -> bool:
        """Whether some tile has no number: it is all hidden, or not there yet, or NaN."""
        if self._seen[0] != self.version:
            self._seen = self.version, bool(self.hidden.any() or np.isnan(self.values).any())
        return self._seen[1]

    @property
    def is_done(self) -> bool:
        """Whether nothing is a sketch."""
        return bool(self.exact.all())

    @property
    def is_blank(self) -> bool:
        """Whether nothing is there at all."""
        return self.version == 0

    def put(self, rows: slice, values: Array, hidden: Flags, exact: bool) -> None:
        """These rows of tiles are known."""
        self.values[rows] = values if self.window.is_exact else np.where(hidden, np.nan, values)
        self.hidden[rows] = hidden
        self.exact[rows] = exact
        self.version += 1
