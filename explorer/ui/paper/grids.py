"""Matrices on paper: to read, to fill in, filled in; squared paper; tables."""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from explorer.files.worksheet import ExpTable, Grid
from explorer.ui.paper import ink
from explorer.ui.paper.ink import MILLIMETRE, POINT

NAME = 11.0  # points of a matrix's name
NUMBER, LABEL = 9.5, 7.5
GIVEN_CELL = (9.5 * MILLIMETRE, 6.2 * MILLIMETRE)
BLANK_CELL = (14.0 * MILLIMETRE, 8.6 * MILLIMETRE)
NARROWEST = 8.5 * MILLIMETRE
LONGEST_LABEL = 20.0 * MILLIMETRE
SQUARE = 5.0 * MILLIMETRE


@dataclass(frozen=True)
class Shape:
    """Units of a matrix on paper: one cell, the room for row labels at the left and for name and labels above."""

    cell: tuple[float, float]
    left: float
    top: float
    width: float
    height: float


@lru_cache(maxsize=64)  # lines are tried with one more matrix each, and measuring text takes long
def shape_of(grid: Grid, most: float) -> Shape:
    """As comfortable as `most` units of width allow."""
    rows, columns = grid.shape
    width, height = BLANK_CELL if grid.is_task else GIVEN_CELL
    left = labels_width(grid)
    number = (
        max((ink.width(text, NUMBER) for row in grid.texts for text in row), default=0.0) + 2 * MILLIMETRE
    )
    width = max(NARROWEST, min(max(width, number), (most - left) / columns))
    top = 5.6 * MILLIMETRE + (3.2 * MILLIMETRE if grid.bands else 0.0) + 3.6 * MILLIMETRE
    name = ink.maths(grid.name.latex, grid.name.html, NAME).width
    whole = left + max(columns * width, name)
    return Shape((width, height), left, top, whole, top + rows * height)


def labels_width(grid: Grid) -> float:
    """Units of the row labels and the air after them."""
    longest = max((ink.width(row, LABEL) for row in grid.rows), default=0.0)
    return min(longest, LONGEST_LABEL) + 1.6 * MILLIMETRE if longest else 0.0


def draw_grid(painter: QPainter, grid: Grid, shape: Shape, x: float, y: float, answers: bool) -> None:
    """The matrix with its name and labels; with `answers` filled in."""
    left, top = x + shape.left, y + shape.top
    ink.maths(grid.name.latex, grid.name.html, NAME).draw(painter, left, y + 3.6 * MILLIMETRE)
    _draw_labels(painter, grid, shape, left, top)
    _draw_cells(painter, grid, shape, left, top, answers)
    _draw_frames(painter, grid, shape, left, top)


def _draw_labels(painter: QPainter, grid: Grid, shape: Shape, left: float, top: float) -> None:
    width, height = shape.cell
    metrics = QFontMetricsF(ink.font(LABEL))
    painter.setFont(ink.font(LABEL))
    painter.setPen(ink.GREY)
    elide = Qt.TextElideMode.ElideRight
    for row, label in enumerate(grid.rows):
        room = QRectF(left - shape.left, top + row * height, shape.left - 1.6 * MILLIMETRE, height)
        text = metrics.elidedText(label, elide, room.width() + POINT)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
    for col, label in enumerate(grid.columns):
        room = QRectF(left + col * width, top - 3.8 * MILLIMETRE, width, 3.4 * MILLIMETRE)
        text = metrics.elidedText(label, elide, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, text)
    each = len(grid.columns) // max(1, len(grid.bands)) * width
    for number, band in enumerate(grid.bands):
        room = QRectF(left + number * each, top - 7.2 * MILLIMETRE, each, 3.4 * MILLIMETRE)
        painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, band)


def _draw_cells(painter: QPainter, grid: Grid, shape: Shape, left: float, top: float, answers: bool) -> None:
    width, height = shape.cell
    for row, texts in enumerate(grid.texts):
        for col, text in enumerate(texts):
            cell = QRectF(left + col * width, top + row * height, width, height)
            blank = bool(grid.blank[row, col])
            if grid.hidden[row, col]:
                _draw_hatch(painter, cell)
            if blank and answers:
                painter.fillRect(cell, ink.SHADE)
            if blank and not answers:
                continue
            bold = blank or not grid.is_task
            painter.setFont(_fitting(text, width - 1.2 * MILLIMETRE, bold and answers))
            painter.setPen(ink.GREY if grid.hidden[row, col] else ink.BLACK)
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)


def _fitting(text: str, room: float, bold: bool) -> QFont:
    points = NUMBER
    while points > 6 and ink.width(text, points, bold) > room:
        points -= 0.5
    return ink.font(points, bold)


def _draw_frames(painter: QPainter, grid: Grid, shape: Shape, left: float, top: float) -> None:
    width, height = shape.cell
    rows, columns = grid.shape
    inner = ink.pen(ink.BLACK, 0.5) if grid.is_task else ink.pen(ink.LINE, 0.35)
    painter.setPen(inner)
    right, bottom = left + columns * width, top + rows * height
    ink.draw_lines(painter, ((left + k * width, top, left + k * width, bottom) for k in range(1, columns)))
    ink.draw_lines(painter, ((left, top + k * height, right, top + k * height) for k in range(1, rows)))
    painter.setPen(_square(ink.pen(ink.BLACK, 1.1 if grid.is_task else 0.7)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(left, top, right - left, bottom - top))
    if grid.bands:
        each = columns // len(grid.bands) * width
        ends = [left + k * each for k in range(1, len(grid.bands))]
        ink.draw_lines(painter, ((x, top, x, bottom) for x in ends))


def _square(pen: QPen) -> QPen:
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _draw_hatch(painter: QPainter, cell: QRectF) -> None:
    step = 4.5 * POINT
    painter.setPen(ink.pen(ink.HATCH, 0.4))
    shift = cell.left() - cell.bottom()
    number = -(-shift // step)
    while number * step < cell.right() - cell.top():
        offset = number * step
        y1, y2 = max(cell.top(), cell.left() - offset), min(cell.bottom(), cell.right() - offset)
        if y1 < y2:
            ink.draw_lines(painter, [(y1 + offset, y1, y2 + offset, y2)])
        number += 1


def draw_squares(painter: QPainter, area: QRectF) -> None:
    """Squared paper to calculate on, over the whole width; as many rows as fit."""
    across = max(1, round(area.width() / SQUARE))
    side = area.width() / across
    down = int(area.height() / side + 0.2)
    left, top, right, bottom = area.left(), area.top(), area.right(), area.top() + down * side
    painter.setPen(ink.pen(ink.SQUARES, 0.4))
    ink.draw_lines(painter, ((left + k * side, top, left + k * side, bottom) for k in range(across + 1)))
    ink.draw_lines(painter, ((left, top + k * side, right, top + k * side) for k in range(down + 1)))


# ---- tables ----

TABLE_ROW = 5.0 * MILLIMETRE
TABLE_NAME = 12.0 * MILLIMETRE
TABLE_CELL = 13.0 * MILLIMETRE


def table_size(table: ExpTable, most: float) -> tuple[float, float]:
    """Units."""
    columns = len(table.rows[0][1])
    return min(most, TABLE_NAME + columns * TABLE_CELL), len(table.rows) * TABLE_ROW


def draw_table(painter: QPainter, table: ExpTable, x: float, y: float, wide: float) -> None:
    """Names at the left, a line below each row but the last."""
    columns = len(table.rows[0][1])
    cell = (wide - TABLE_NAME) / columns
    for row, (name, texts) in enumerate(table.rows):
        top = y + row * TABLE_ROW
        ink.maths(name.latex, name.html, 9.5).draw(painter, x + 1.2 * MILLIMETRE, top + 3.6 * MILLIMETRE)
        painter.setFont(ink.font(8.5))
        painter.setPen(ink.BLACK)
        for col, text in enumerate(texts):
            room = QRectF(x + TABLE_NAME + col * cell, top, cell, TABLE_ROW)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
    painter.setPen(ink.pen(ink.LINE, 0.35))
    height = len(table.rows) * TABLE_ROW
    ink.draw_lines(
        painter, ((x, y + k * TABLE_ROW, x + wide, y + k * TABLE_ROW) for k in range(1, len(table.rows)))
    )
    ends = [x + TABLE_NAME + k * cell for k in range(columns)]
    ink.draw_lines(painter, ((at, y, at, y + height) for at in ends))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(x, y, wide, height))
