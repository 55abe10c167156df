"""What stands on the cells of a panel: hatching, covers, frames."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap

from explorer.ui import theme
from explorer.ui.painting import saved
from explorer.ui.panels.lettering import label_font, number_font

if TYPE_CHECKING:
    from explorer.ui.panels.panel import Panel


@dataclass(frozen=True)
class Marks:
    """Which cells bear a frame: (rows, columns) index arrays per group."""

    selected: tuple[int, int] | None = None
    sources: tuple[tuple[range, range], ...] = ()
    dependents: tuple[tuple[range, range], ...] = ()


@lru_cache(maxsize=8)
def _hatch(colour: str, ground: str, ratio: float) -> QPixmap:
    """A seamless tile of diagonal lines."""
    size = 8
    tile = QPixmap(round(size * ratio), round(size * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(QColor(ground))
    with QPainter(tile) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), 1))
        for shift in (-size, 0, size):
            painter.drawLine(QPointF(shift, 0), QPointF(shift + size, size))
    return tile


def paint_hatch(painter: QPainter, area: QRect, colours: theme.Theme) -> None:
    """What shows through hidden cells."""
    ratio = painter.device().devicePixelRatioF()
    with saved(painter):
        painter.setBrushOrigin(area.topLeft())
        painter.fillRect(area, QBrush(_hatch(colours.hatch.name(), colours.surface.name(), ratio)))


def paint_skeleton(painter: QPainter, panel: "Panel", colours: theme.Theme) -> None:
    """Empty cells, before the first numbers are there."""
    body = panel.body()
    painter.fillRect(body, colours.surface)
    painter.setPen(colours.line)
    rows, cols = panel.shape
    if rows * cols <= 4096:
        for row in range(rows):
            for col in range(cols):
                painter.drawRect(panel.cell_rect(row, col).adjusted(0, 0, -1, -1))


def paint_missing(painter: QPainter, body: QRect, reason: str, colours: theme.Theme) -> None:
    """Hatching where the cells would be, and on it why there are none."""
    paint_hatch(painter, body, colours)
    painter.setFont(label_font())
    flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    area = painter.boundingRect(body.adjusted(4, 2, -4, -2), flags, reason).adjusted(-4, -2, 4, 2)
    painter.fillRect(area & body, colours.surface)
    painter.setPen(colours.text)
    painter.drawText(area & body, flags, reason)


def paint_covers(
    painter: QPainter, panel: "Panel", cells: Iterable[tuple[int, int]], colours: theme.Theme
) -> None:
    """A question mark on a plain ground over each cell that is to be guessed."""
    for row, col in cells:
        painter.setFont(number_font(panel.geometry_))
        rect = panel.cell_rect(row, col)
        painter.fillRect(rect, colours.surface)
        painter.setPen(QPen(colours.accent, 1))
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, "?")


def paint_veil(painter: QPainter, body: QRect, colours: theme.Theme) -> None:
    """One question mark over all cells."""
    painter.fillRect(body, colours.surface)
    painter.setPen(QPen(colours.accent, 1))
    painter.drawRect(body.adjusted(0, 0, -1, -1))
    painter.setFont(theme.ui_font(3.0))
    painter.drawText(body, Qt.AlignmentFlag.AlignCenter, "?")


def paint_marks(painter: QPainter, panel: "Panel", marks: Marks, colours: theme.Theme) -> None:
    """Frames: sources solid, dependents dashed, the selection on top in the strongest colour."""
    if marks.selected is None and not marks.sources and not marks.dependents:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for regions, colour, style in (
        (marks.dependents, colours.dependent, Qt.PenStyle.DashLine),
        (marks.sources, colours.source, Qt.PenStyle.SolidLine),
    ):
        for rows, cols in regions:
            _paint_region(painter, panel, rows, cols, colours, colour, style)
    if marks.selected is not None:
        cell = QRectF(panel.cell_rect(*marks.selected))
        if not cell.isEmpty():
            width = _frame_width(cell)
            ground = width + max(2.0, width / 2)  # the frame may be as light, or as dark, as the cell
            inner = cell.adjusted(ground / 2, ground / 2, -ground / 2, -ground / 2)
            painter.setPen(_pen(colours.surface, ground))
            painter.drawRect(inner)
            painter.setPen(_pen(colours.selection, width))
            painter.drawRect(inner)


def paint_pointed(
    painter: QPainter, panel: "Panel", regions: Iterable[tuple[range, range]], colours: theme.Theme
) -> None:
    """A double frame around each block, light between dark, so that it shows on any colour."""
    if not regions:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for rows, cols in regions:
        block = panel.cell_rect(rows[0], cols[0]) | panel.cell_rect(rows[-1], cols[-1])
        if not block.isEmpty():
            paint_double_frame(painter, block, colours)


def paint_double_frame(painter: QPainter, block: QRect, colours: theme.Theme) -> None:
    """Along the inside of `block`: two lines of the accent with the surface between them."""
    for inset, width, colour in ((0, 2, colours.accent), (2, 1, colours.surface), (3, 1, colours.accent)):
        for k in range(inset, inset + width):
            painter.setPen(QPen(colour, 1))
            painter.drawRect(block.adjusted(k, k, -k - 1, -k - 1))


def _paint_region(
    painter: QPainter,
    panel: "Panel",
    rows: range,
    cols: range,
    colours: theme.Theme,
    colour: QColor,
    style: Qt.PenStyle,
) -> None:
    first = panel.cell_rect(rows[0], cols[0])
    single = style == Qt.PenStyle.SolidLine
    if single and len(rows) * len(cols) <= 64 and min(first.width(), first.height()) >= 12:
        cells = [panel.cell_rect(row, col) for row in rows for col in cols]
    else:  # dependents, many or tiny cells: one frame around all of them
        cells = [first | panel.cell_rect(rows[-1], cols[-1])]
    for cell in cells:
        if cell.isEmpty():
            continue
        width = _frame_width(QRectF(cell))
        line = QRectF(cell).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        if not single:  # dashes alone are lost on a cell as dark as they are
            painter.setPen(_pen(colours.surface, width))
            painter.drawRect(line)
        painter.setPen(_pen(colour, width, style))
        painter.drawRect(line)


def _frame_width(cell: QRectF) -> float:
    side = min(cell.width(), cell.height())
    return max(3.0, side / 18) if side >= 20 else 1.5


def _pen(colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    pen = QPen(colour, width, style)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if style == Qt.PenStyle.DashLine:
        pen.setDashPattern([2.0, 1.5])
    return pen


def paint_focus(painter: QPainter, panel: "Panel", colours: theme.Theme) -> None:
    """A thin frame around the cells of the panel that has the keyboard. It may end where they do: it stays inside."""
    painter.setPen(QPen(colours.accent, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    frame = QRectF(panel.body()).adjusted(-1.5, -1.5, 1.5, 1.5)
    painter.drawRect(frame.intersected(QRectF(panel.rect()).adjusted(0.75, 0.75, -0.75, -0.75)))
