"""What a grid draws around its numbers: lines between cells, frames of selection, sources and dependents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QTableView

from explorer.ui.panels.overlay import paint_double_frame
from explorer.ui.theme import Theme

TINT = 0.18  # strength of the colour under a marked number

Cells = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Marks:
    """Cells (from 0) to frame: the number that is looked at, what it is made of, what is made of it."""

    selected: Cells = field(default_factory=frozenset)
    sources: Cells = field(default_factory=frozenset)
    dependents: Cells = field(default_factory=frozenset)


def block_rect(view: QTableView, top: int, left: int, bottom: int, right: int) -> QRect:
    """The rectangle of a block of cells in the viewport."""
    x, y = view.columnViewportPosition(left), view.rowViewportPosition(top)
    end_x = view.columnViewportPosition(right) + view.columnWidth(right)
    end_y = view.rowViewportPosition(bottom) + view.rowHeight(bottom)
    return QRect(x, y, end_x - x, end_y - y)


def paint_lines(painter: QPainter, view: QTableView, colours: Theme) -> None:
    """The lines between the cells that are in sight, and around them."""
    columns, rows = view.horizontalHeader(), view.verticalHeader()
    width = min(columns.length() - columns.offset(), view.viewport().width())
    height = min(rows.length() - rows.offset(), view.viewport().height())
    painter.setPen(colours.line)
    if columns.offset() == 0:
        painter.drawLine(0, 0, 0, height - 1)
    if rows.offset() == 0:
        painter.drawLine(0, 0, width - 1, 0)
    seen_rows, seen_cols = _seen(view)
    for col in seen_cols:
        x = view.columnViewportPosition(col) + view.columnWidth(col) - 1
        painter.drawLine(x, 0, x, height - 1)
    for row in seen_rows:
        y = view.rowViewportPosition(row) + view.rowHeight(row) - 1
        painter.drawLine(0, y, width - 1, y)


def paint_frame(painter: QPainter, rect: QRect, colour: QColor, width: int = 2) -> None:
    """A frame along the inside of `rect`."""
    painter.setPen(QPen(colour, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    half = width // 2
    painter.drawRect(rect.adjusted(half, half, half - width, half - width))


def paint_tint(painter: QPainter, rect: QRect, colour: QColor, strength: float) -> None:
    """A see-through colour, to be painted before the numbers."""
    tint = QColor(colour)
    tint.setAlphaF(strength)
    painter.fillRect(rect, tint)


def paint_mark_tints(painter: QPainter, view: QTableView, marks: Marks, colours: Theme) -> None:
    """What lies under the numbers of marked cells."""
    for cells, colour in ((marks.dependents, colours.dependent), (marks.sources, colours.source)):
        for rect in _in_sight(view, cells):
            paint_tint(painter, rect, colour, TINT)


def paint_mark_frames(painter: QPainter, view: QTableView, marks: Marks, colours: Theme) -> None:
    """The frames of marked cells; the number that is looked at comes last and lies on top."""
    for cells, colour in (
        (marks.dependents, colours.dependent),
        (marks.sources, colours.source),
        (marks.selected, colours.selection),
    ):
        for rect in _in_sight(view, cells):
            paint_frame(painter, rect, colour)


def paint_pointed(
    painter: QPainter, view: QTableView, regions: Iterable[tuple[range, range]], colours: Theme
) -> None:
    """Double frames around blocks of cells, as far as the matrix has them."""
    model = view.model()
    for rows, cols in regions:
        bottom, right = min(rows[-1], model.rowCount() - 1), min(cols[-1], model.columnCount() - 1)
        if rows[0] <= bottom and cols[0] <= right:
            paint_double_frame(painter, block_rect(view, rows[0], cols[0], bottom, right), colours)


def _in_sight(view: QTableView, cells: Cells) -> Iterator[QRect]:
    """The rectangles of the cells that can be seen: of thousands a few."""
    rows, cols = _seen(view)
    for row, col in cells:
        if row in rows and col in cols:
            yield block_rect(view, row, col, row, col)


def _seen(view: QTableView) -> tuple[range, range]:
    """The rows and the columns that are in sight."""
    found = []
    for header, size in (
        (view.verticalHeader(), view.viewport().height()),
        (view.horizontalHeader(), view.viewport().width()),
    ):
        last = min(header.length() - header.offset(), size) - 1
        found.append(_visible(header.visualIndexAt(0), header.visualIndexAt(last)))
    return found[0], found[1]


def _visible(first: int, last: int) -> range:
    return range(first, last + 1) if 0 <= first <= last else range(0)
