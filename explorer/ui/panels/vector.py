"""The cells of a panel by any painter: rectangles and texts, for SVG and PDF as real vectors.

What is drawn keeps to what every format has: no clipping, which SVG by Qt leaves out.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.painting import draw_image
from explorer.ui.panels.heatmap import (
    AIR,
    FADED,
    Levels,
    colour_image,
    colour_index,
    fitting_decimals,
    pooled,
    texts_of,
)

MOST_CELLS = 80_000  # that a picture has as rectangles; beyond, the file is larger than anybody can open
HATCH = 8.0  # pixels between two lines of a hidden cell, as on the screen
LAP = 0.5  # pixels that a cell reaches below the next, so that no viewer shows a seam between them
SHARP = 4  # image pixels per cell where there are too many for rectangles: viewers that smooth, smooth little


class Places(NamedTuple):
    """Where cells are: a rectangle of each column, whose left and right count, and of each row likewise."""

    columns: list[QRect]
    rows: list[QRect]

    @property
    def body(self) -> QRect:
        """All cells."""
        return self.block(0, range(len(self.columns))) | self.block(len(self.rows) - 1, range(1))

    def cell(self, row: int, col: int) -> QRect:
        """One cell."""
        across, down = self.columns[col], self.rows[row]
        return QRect(across.x(), down.y(), across.width(), down.height())

    def block(self, row: int, cols: range) -> QRect:
        """Cells side by side."""
        return self.cell(row, cols[0]) | self.cell(row, cols[-1])


def paint_cells(
    painter: QPainter,
    places: Places,
    values: Array,
    hidden: Flags | None,
    colours: str,
    span: Levels,
    decimals: int,
    font_size: float,
    palette: theme.Theme,
    most: int = MOST_CELLS,
    ends: tuple[float, float] | None = None,
) -> None:
    """Draw `values` where `places` says; hidden cells are hatched, and so are NaN cells.

    `ends`: of all numbers that shall have as many decimals. More than `most` cells are one image, which still has a
    whole number of pixels for each.
    """
    clear = np.isnan(values) if hidden is None else hidden | np.isnan(values)
    if values.size > most:
        _paint_image(painter, places, values, clear, colours, span, palette)
        return
    lut = theme.lut(colours)
    index = colour_index(values, span.low, span.high)
    grounds = [[QColor(*rgb) for rgb in row] for row in lut[index].tolist()]
    _paint_grounds(painter, places, grounds, clear, palette)
    paint_hatch(painter, places, clear, palette)
    font = theme.ui_font(font_size)
    width = max(column.width() for column in places.columns)  # some may be cut off at the edge
    height = max(row.height() for row in places.rows)
    shown = fitting_decimals(values, decimals, width - AIR, QFontMetricsF(font).horizontalAdvance, ends)
    if shown is not None and height >= font.pixelSize():
        painter.setFont(font)
        light = np.where(clear, palette.is_dark, theme.light_text(lut)[index])
        _paint_texts(painter, places, texts_of(values, hidden, shown), light, clear)


def _paint_grounds(
    painter: QPainter, places: Places, colours: list[list[QColor]], clear: Flags, palette: theme.Theme
) -> None:
    last_row, last_col = len(places.rows) - 1, len(places.columns) - 1
    for row, line in enumerate(colours):
        for col, colour in enumerate(line):
            rect = QRectF(places.cell(row, col)).adjusted(
                0, 0, LAP * (col < last_col), LAP * (row < last_row)
            )
            painter.fillRect(rect, palette.surface if clear[row, col] else colour)


def _paint_texts(painter: QPainter, places: Places, texts: list[str], light: Flags, clear: Flags) -> None:
    metrics = painter.fontMetrics()
    ink = None
    for number, text in enumerate(texts):
        row, col = divmod(number, len(places.columns))
        wanted = QColor(Qt.GlobalColor.white if light[row, col] else Qt.GlobalColor.black)
        wanted.setAlpha(FADED if clear[row, col] else 255)
        if wanted != ink:
            ink = wanted
            painter.setPen(ink)
        cell = places.cell(row, col)
        if metrics.horizontalAdvance(text) <= cell.width():  # not one cut off at the edge
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)


def _paint_image(
    painter: QPainter,
    places: Places,
    values: Array,
    clear: Flags,
    colours: str,
    span: Levels,
    palette: theme.Theme,
) -> None:
    body = places.body
    painter.fillRect(body, palette.surface)
    most = SHARP * body.height(), SHARP * body.width()
    shown = pooled(np.nan_to_num(values, neginf=0.0, posinf=np.inf), *most)
    veiled = pooled(clear.astype(np.int8), *most) > 0
    image = colour_image(shown, veiled, theme.lut(colours), span)
    if shown.shape == values.shape:
        image = image.scaled(SHARP * image.width(), SHARP * image.height())
        paint_hatch(painter, places, clear, palette)
    draw_image(painter, QRectF(body), image)


def paint_hatch(painter: QPainter, places: Places, clear: Flags, palette: theme.Theme) -> None:
    """Diagonal lines over the cells that are `clear`; they go on from one to the next, row by row as one."""
    origin = QPointF(places.body.topLeft())
    lines = [line for rect in _runs(places, clear) for line in _diagonals(QRectF(rect), origin)]
    if lines:
        pen = QPen(palette.hatch, 1)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLines(lines)


def _runs(places: Places, clear: Flags) -> Iterator[QRect]:
    """The rectangles that lie side by side, joined."""
    for row, flags in enumerate(clear.tolist()):
        first = None
        for col, flag in enumerate([*flags, False]):
            if flag and first is None:
                first = col
            elif not flag and first is not None:
                yield places.block(row, range(first, col))
                first = None


def _diagonals(area: QRectF, origin: QPointF) -> Iterator[QLineF]:
    """Lines from the top left to the bottom right, cut at the edges of `area`; one goes through `origin`."""
    shift = origin.x() - origin.y()  # of the line x = y + shift
    first = np.ceil((area.left() - area.bottom() - shift) / HATCH)
    last = np.floor((area.right() - area.top() - shift) / HATCH)
    for number in np.arange(first, last + 1):
        offset = number * HATCH + shift
        top, bottom = max(area.top(), area.left() - offset), min(area.bottom(), area.right() - offset)
        if top < bottom:
            yield QLineF(top + offset, top, bottom + offset, bottom)
