"""The cells of a panel by any painter: rectangles and texts, for SVG and PDF as real vectors."""

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.panels.heatmap import (
    FADED,
    Levels,
    colour_image,
    colour_index,
    fitting_decimals,
    texts_of,
)

MOST_CELLS = 40_000  # of one panel; beyond, a file of rectangles is larger than anybody can open
HATCH = 6.0  # pixels between two lines of a hidden cell


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
) -> None:
    """Draw `values` into `rects` (both rows × columns); hidden cells are hatched, NaN cells plain."""
    lut = theme.lut(colours)
    if values.size > MOST_CELLS:
        body = rects[0][0] | rects[-1][-1]
        painter.fillRect(body, palette.surface)
        painter.drawImage(body, colour_image(values, hidden, lut, span))
        return
    index = colour_index(values, span)
    clear = np.isnan(values) if hidden is None else hidden | np.isnan(values)
    white = theme.light_text(lut)[index]
    font = theme.ui_font(font_size)
    cell = rects[0][0]
    shown = fitting_decimals(values, decimals, cell.width() - 3, font)
    texts = None if shown is None or cell.height() < font.pixelSize() else texts_of(values, hidden, shown)
    painter.setFont(font)
    for row, line in enumerate(rects):
        for col, rect in enumerate(line):
            painter.fillRect(
                rect, palette.surface if clear[row, col] else QColor(*lut[index[row, col]].tolist())
            )
            if clear[row, col]:
                paint_hatch(painter, rect, palette)
            if texts is not None:
                light = palette.is_dark if clear[row, col] else white[row, col]
                ink = QColor(Qt.GlobalColor.white if light else Qt.GlobalColor.black)
                ink.setAlpha(FADED if clear[row, col] else 255)
                painter.setPen(ink)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, texts[row * len(line) + col])


def paint_hatch(painter: QPainter, rect: QRect, palette: theme.Theme) -> None:
    """Diagonal lines over one cell; continued in its neighbours."""
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(palette.hatch, 1))
    area = QRectF(rect)
    first = np.floor((area.left() - area.bottom()) / HATCH) * HATCH
    for offset in np.arange(first, area.right() - area.top() + HATCH, HATCH):
        painter.drawLine(
            QPointF(area.top() + offset, area.top()), QPointF(area.bottom() + offset, area.bottom())
        )
    painter.restore()
