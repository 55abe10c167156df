"""Cells as a lesson writes them, counted from 1: `weights[1,2,:]`, `concat[2,3:4]`, `w_q[:,1]`, `scores[2]`.

    cells = place [ "[" index { "," index } "]" ]      place: a stage or a matrix
    index = number | number ":" number | ":"           both ends belong to it

A stage with heads takes head, rows, columns, the others rows, columns; what is left out means all.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.attention.trace import STAGE, Cell
from explorer.scene import MATRICES, Scene

_CELLS = re.compile(r"(?P<place>[a-z_]+)\s*(?:\[(?P<indices>[^\[\]]*)\])?")
_INDEX = re.compile(r"(?P<first>\d{1,6})(?:\s*:\s*(?P<last>\d{1,6}))?|:")


class CellsError(ValueError):
    """A text that names no cells, in one plain sentence."""


@dataclass(frozen=True)
class Span:
    """Indices from 0: first … last, both included; last None: up to the end."""

    first: int = 0
    last: int | None = None

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and self.first <= index and (self.last is None or index <= self.last)

    def within(self, size: int) -> range:
        """The indices of an axis of this size."""
        return range(self.first, size if self.last is None else min(self.last + 1, size))


ALL = Span()


@dataclass(frozen=True)
class Cells:
    """A block of cells of one stage or matrix; `heads` counts for stages that have heads."""

    place: str
    heads: Span = ALL
    rows: Span = ALL
    cols: Span = ALL
    text: str = ""

    @property
    def has_heads(self) -> bool:
        """True where the place is a stack of matrices, one per head."""
        return has_heads(self.place)

    @property
    def single(self) -> Cell | None:
        """The cell, if it is a single one."""
        spans = (self.heads, self.rows, self.cols) if self.has_heads else (self.rows, self.cols)
        if any(span.last != span.first for span in spans):
            return None
        return Cell(
            self.place, self.heads.first if self.has_heads else None, self.rows.first, self.cols.first
        )

    def __contains__(self, cell: object) -> bool:
        if not isinstance(cell, Cell) or cell.place != self.place:
            return False
        head = not self.has_heads or (cell.head or 0) in self.heads
        return head and cell.row in self.rows and cell.col in self.cols

    def cells(self, scene: Scene) -> Iterator[Cell]:
        """All of them, row by row; none where the scene has no such place."""
        shape = shape_of(scene, self.place)
        if shape is None:
            return
        heads = self.heads.within(shape[0]) if self.has_heads else [None]
        for head in heads:
            for row in self.rows.within(shape[-2]):
                for col in self.cols.within(shape[-1]):
                    yield Cell(self.place, head, row, col)

    def problem(self, scene: Scene) -> str | None:
        """Why the scene has no such cells, as a sentence; or None."""
        shape = shape_of(scene, self.place)
        if shape is None:
            return f"{self.place} is not set in this step's scene."
        spans = (self.heads, self.rows, self.cols) if self.has_heads else (self.rows, self.cols)
        for span, size, name in zip(spans[::-1], shape[::-1], ("columns", "rows", "heads"), strict=False):
            last = span.first if span.last is None else span.last
            if last >= size:
                return f"{self.text} asks for {name[:-1]} {last + 1}, but {self.place} has {size} {name}."
        return None


def parse_cells(text: str) -> Cells:
    """`weights[1,2,:]` as Cells; raises CellsError."""
    match = _CELLS.fullmatch(text.strip())
    if match is None:
        raise CellsError(f"'{_short(text)}' names no cells; write them like weights[1,2,:].")
    place = match["place"]
    if place not in STAGE and place not in MATRICES:
        known = ", ".join([*STAGE, *(name for name in MATRICES if name not in STAGE)])
        raise CellsError(f"'{_short(place)}' is no stage and no matrix; there are {known}.")
    indices = match["indices"]
    spans = [] if indices is None else [_span(part, text) for part in indices.split(",")]
    axes = 3 if has_heads(place) else 2
    if len(spans) > axes:
        meaning = "head, row, column" if axes == 3 else "row, column"
        raise CellsError(f"'{_short(text)}' has {len(spans)} indices, but {place} takes {axes}: {meaning}.")
    spans += [ALL] * (axes - len(spans))
    heads = spans.pop(0) if axes == 3 else ALL
    return Cells(place, heads, spans[0], spans[1], text.strip())


def has_heads(place: str) -> bool:
    """True for a stage that is a stack of matrices."""
    return place in STAGE and STAGE[place].per != "scene"


def shape_of(scene: Scene, place: str) -> tuple[int, ...] | None:
    """The shape of a stage or a matrix; None for a matrix that is not set."""
    if place not in STAGE:
        matrix = scene.matrix(place)
        return None if matrix is None else matrix.shape
    stage = STAGE[place]
    rows = scene.n if stage.rows == "query" else scene.m
    cols = {
        "key": scene.m,
        "d_k": scene.d_k,
        "d_v": scene.d_v,
        "d_model": scene.d_model,
        "concat": scene.heads * scene.d_v,
        "d_out": scene.d_out,
    }[stage.cols]
    if stage.per == "scene":
        return rows, cols
    return scene.heads if stage.per == "head" else scene.groups, rows, cols


def _span(part: str, text: str) -> Span:
    match = _INDEX.fullmatch(part.strip())
    if match is None:
        raise CellsError(f"'{_short(text)}': '{_short(part.strip())}' is no index; write 2, 1:3 or :.")
    if match["first"] is None:
        return ALL
    first = int(match["first"]) - 1
    last = first if match["last"] is None else int(match["last"]) - 1
    if first < 0 or last < first:
        raise CellsError(f"'{_short(text)}': indices count from 1, and upwards.")
    return Span(first, last)


def _short(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
