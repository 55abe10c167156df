"""One head as a small picture, and where many of them go. Pure but for the picture itself."""

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from explorer.attention.heads import HeadFacts
from explorer.attention.windows import block_starts
from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.panels.heatmap import Levels, colour_image, pooled

GAP = 14  # px between tiles


@dataclass(frozen=True)
class Key:
    """Which head of which layer, from 0; layer None: the one that the window shows."""

    layer: int | None
    head: int


@dataclass(eq=False)
class Tile:
    """What a small picture shows. `values` (n, m) with `span` as the ends of its colours, those `left_out` as if they
    were 0; `facts` of its weights.
    """

    key: Key
    values: Array
    hidden: Flags | None
    left_out: Flags | None
    span: Levels
    facts: HeadFacts
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    _image: QImage | None = field(default=None, repr=False)
    _most: tuple[int, int] = (0, 0)

    def image(self, rows: int, cols: int) -> QImage:
        """At most so many rows and columns of pixels, one for each number or block of numbers."""
        shape = self.values.shape
        most = (min(rows, shape[0]), min(cols, shape[1]))
        if self._image is None or most != self._most:
            self._most = most
            left = self.values if self.left_out is None else np.where(self.left_out, 0.0, self.values)
            values = pooled(left, *most)
            hidden = None if self.hidden is None else all_hidden(self.hidden, *most)
            self._image = colour_image(values, hidden, theme.lut("unit"), self.span)
        return self._image

    def looks_like(self, other: "Tile") -> bool:
        """Whether nobody sees a difference."""
        if (self.queries, self.keys, self.span, str(self.facts)) != (
            other.queries, other.keys, other.span, str(other.facts),
        ):  # fmt: skip
            return False  # as texts, so that NaN is the same as NaN
        mine, theirs = (self.hidden, self.left_out), (other.hidden, other.left_out)
        return all(map(_same, mine, theirs)) and np.array_equal(self.values, other.values, equal_nan=True)


def _same(a: Flags | None, b: Flags | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))


def all_hidden(hidden: Flags, rows: int, cols: int) -> Flags:
    """Blocks of cells all of which are hidden."""
    for axis, most in enumerate((rows, cols)):
        size = hidden.shape[axis]
        if size > most:
            starts = block_starts(size, most)
            hidden = np.logical_and.reduceat(hidden, starts, axis)
    return hidden


@dataclass(frozen=True)
class Measures:
    """Pixels: the narrowest and the widest picture; what stands above and below one; the height of a heading."""

    least: int
    most: int
    above: int
    below: int
    heading: int


def body_height(width: int, shape: tuple[int, int]) -> int:
    """Pixels of a picture so wide of a matrix of this shape: cells are square unless it would be a ribbon."""
    return max(1, round(width * min(max(shape[0] / shape[1], 0.4), 1.6)))


def placed(
    groups: list[list[tuple[int, int]]], measures: Measures, room: tuple[int, int]
) -> tuple[list[list[QRect]], list[int], int]:
    """Where the tiles of each group go, group below group: rectangles with what stands above and below the picture;
    the top of each group's heading; the height of everything.

    `groups`: the shape of each tile's matrix. `room`: what is in view, in pixels. Pictures are as large as can all be
    in view; where even the smallest cannot, as many stand side by side as fit.
    """
    fitting = max(1, (room[0] + GAP) // (measures.least + GAP))
    longest = max((len(group) for group in groups), default=1)
    best, best_width = min(fitting, max(1, longest)), 0
    for columns in range(1, best + 1):
        width = min(
            measures.most, (room[0] + GAP) // columns - GAP, _by_height(groups, measures, columns, room[1])
        )
        if width >= max(measures.least, best_width + 1):
            best, best_width = columns, width
    width = best_width or min(measures.most, (room[0] + GAP) // best - GAP)
    return _in_columns(groups, measures, best, width)


def _by_height(groups: list[list[tuple[int, int]]], measures: Measures, columns: int, room: int) -> int:
    """The width of the pictures, in so many columns, at which everything is just in view; 0 where nothing is."""
    rows = sum(-(-len(shapes) // columns) for shapes in groups)
    tallest = max((shape[0] / shape[1] for shapes in groups for shape in shapes), default=1.0)
    left = room + GAP - rows * (GAP + measures.above + measures.below)
    left -= measures.heading * len(groups) if len(groups) > 1 else 0
    return int(max(0.0, left / max(1, rows)) / min(max(tallest, 0.4), 1.6))


def _in_columns(
    groups: list[list[tuple[int, int]]], measures: Measures, columns: int, width: int
) -> tuple[list[list[QRect]], list[int], int]:
    top, rects, headings = 0, [], []
    for shapes in groups:
        headings.append(top)
        top += measures.heading if len(groups) > 1 else 0
        height = (
            max((body_height(width, shape) for shape in shapes), default=0) + measures.above + measures.below
        )
        cells = [
            QRect(
                (number % columns) * (width + GAP), top + (number // columns) * (height + GAP), width, height
            )
            for number in range(len(shapes))
        ]
        rects.append(cells)
        top += -(-len(shapes) // columns) * (height + GAP)
    return rects, headings, max(0, top - GAP)
