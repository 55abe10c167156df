"""The cells of a panel by any painter: rectangles and texts, for SVG and PDF as real vectors.

What is drawn keeps to what every format has: no clipping, which SVG by Qt leaves out.
"""

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.panels.heatmap import (
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


def paint_cells(
    painter: QPainter,
    rects: list[list[QRect]],
    values: Array,
    hidden: Flags | None,
    colours: str,
    span: Levels,
    decimals: int,
    font_size: float,
    palette: theme.Theme,
    most: int = MOST_CELLS,
) -> None:
    """Draw `values` into `rects` (both rows × columns); hidden cells are hatched, and so are NaN cells.

    More than `most` cells are one image, which still has a whole number of pixels for each.
    """
    clear = np.isnan(values) if hidden is None else hidden | np.isnan(values)
    if values.size > most:
        _paint_image(painter, rects, values, clear, colours, span, palette)
        return
    lut = theme.lut(colours)
    index = colour_index(values, span)
    _paint_grounds(
        painter, rects, [[QColor(*rgb) for rgb in row] for row in lut[index].tolist()], clear, palette
    )
    paint_hatch(painter, rects, clear, palette)
    font = theme.ui_font(font_size)
    cell = rects[0][0]
    shown = fitting_decimals(values, decimals, cell.width() - 3, font)
    if shown is not None and cell.height() >= font.pixelSize():
        painter.setFont(font)
        light = np.where(clear, palette.is_dark, theme.light_text(lut)[index])
        _paint_texts(painter, rects, texts_of(values, hidden, shown), light, clear)


def _paint_grounds(
    painter: QPainter,
    rects: list[list[QRect]],
    colours: list[list[QColor]],
    clear: Flags,
    palette: theme.Theme,
) -> None:
    last_row, last_col = len(rects) - 1, len(rects[0]) - 1
    for row, line in enumerate(rects):
        for col, rect in enumerate(line):
            lap = QRectF(rect).adjusted(0, 0, LAP * (col < last_col), LAP * (row < last_row))
            painter.fillRect(lap, palette.surface if clear[row, col] else colours[row][col])


def _paint_texts(
    painter: QPainter, rects: list[list[QRect]], texts: list[str], light: Flags, clear: Flags
) -> None:
    metrics = painter.fontMetrics()
    ink = None
    for number, text in enumerate(texts):
        row, col = divmod(number, len(rects[0]))
        wanted = QColor(Qt.GlobalColor.white if light[row, col] else Qt.GlobalColor.black)
        wanted.setAlpha(FADED if clear[row, col] else 255)
        if wanted != ink:
            ink = wanted
            painter.setPen(ink)
        if metrics.horizontalAdvance(text) <= rects[row][col].width():  # not one cut off at the edge
            painter.drawText(rects[row][col], Qt.AlignmentFlag.AlignCenter, text)


def _paint_image(
    painter: QPainter,
    rects: list[list[QRect]],
    values: Array,
    clear: Flags,
    colours: str,
    span: Levels,
    palette: theme.Theme,
) -> None:
    body = rects[0][0] | rects[-1][-1]
    painter.fillRect(body, palette.surface)
    most = SHARP * body.height(), SHARP * body.width()
    shown = pooled(np.nan_to_num(values, neginf=0.0, posinf=np.inf), *most)
    veiled = pooled(clear.astype(np.int8), *most) > 0
    image = colour_image(shown, veiled, theme.lut(colours), span)
    if shown.shape == values.shape:
        image = image.scaled(SHARP * image.width(), SHARP * image.height())
        paint_hatch(painter, rects, clear, palette)
    painter.drawImage(QRectF(body), image, QRectF(image.rect()))


def paint_hatch(painter: QPainter, rects: list[list[QRect]], clear: Flags, palette: theme.Theme) -> None:
    """Diagonal lines over the cells that are `clear`; they go on from one to the next, row by row as one."""
    lines = [
        line for rect in _runs(rects, clear) for line in _diagonals(rect, QPointF(rects[0][0].topLeft()))
    ]
    if lines:
        pen = QPen(palette.hatch, 1)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.drawLines(lines)


def _runs(rects: list[list[QRect]], clear: Flags) -> Iterator[QRectF]:
    """The rectangles that lie side by side, joined."""
    for line, flags in zip(rects, clear.tolist(), strict=True):
        run = QRectF()
        for rect, flag in zip([*line, QRect()], [*flags, False], strict=True):
            if flag:
                run |= QRectF(rect)
            elif not run.isEmpty():
                yield run
                run = QRectF()


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
