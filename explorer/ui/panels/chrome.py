"""What stands around the cells of a panel: title, labels, colour bar."""

from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QLinearGradient,
    QPainter,
    QPixmap,
    QRegion,
)

from explorer.ui import theme
from explorer.ui.painting import saved
from explorer.ui.panels.heatmap import Levels
from explorer.ui.panels.lettering import (
    MOST_SWATCHES,
    SLANT_LIMIT,
    SMALL,
    SWATCH,
    column_room,
    label_font,
    role_of,
    small_font,
    swatches_width,
    title_font,
)
from explorer.ui.panels.rich import paint_html
from explorer.ui.words import shown

if TYPE_CHECKING:
    from explorer.ui.panels.panel import Panel

# A label may be of another font, whose lines are higher than those that its box is made for.
UNCLIPPED = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
BAR_LEAST = 18  # pixels of a colour bar that still shows its map


class Chrome:
    """Ground, title and labels of one panel, kept as a picture until one of them changes; and the colour bar."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._drawn: tuple[object, ...] = ()  # what the picture shows
        self._picture = QPixmap()

    def paint(self, painter: QPainter, panel: "Panel", colours: theme.Theme, region: QRegion) -> None:
        """Everything outside the cells, as far as it is in `region`."""
        frame = panel.frame
        ratio, body = frame.ratio, frame.body
        if ratio.is_integer() and body.contains(region.boundingRect()) and self._key:
            return  # the cells cover it, without gaps
        self.prepare(panel, colours)
        if ratio.is_integer():
            for part in region - QRegion(body):
                painter.drawPixmap(part, self._picture, part if ratio == 1.0 else _scaled(part, ratio))
        else:
            painter.drawPixmap(QPoint(0, 0), self._picture)
        if region.boundingRect().bottom() > body.bottom():
            self._draw_bar(painter, panel, colours)

    def prepare(self, panel: "Panel", colours: theme.Theme) -> None:
        """Bring the picture up to date."""
        frame = panel.frame
        key = (panel.face, frame, colours.name, panel.size(), theme.ui_size())
        if key != self._key:
            self._key = key
            drawn = (*key[1:], *_around(panel))
            if drawn != self._drawn:  # as it is not for another mask
                self._drawn = drawn
                self._picture = QPixmap(panel.size() * frame.ratio)
                self._picture.setDevicePixelRatio(frame.ratio)
                self._picture.fill(colours.background)
                with QPainter(self._picture) as inner:
                    self._draw_around(inner, panel, colours)

    def foot(self, panel: "Panel") -> QRect:
        """Where the colour bar is: all below the cells."""
        top = panel.frame.body.bottom() + 1
        return QRect(0, top, panel.width(), panel.height() - top)

    def draw(self, painter: QPainter, panel: "Panel", colours: theme.Theme) -> None:
        """Everything outside the cells by any painter, as lines and texts."""
        self._draw_around(painter, panel, colours)
        self._draw_bar(painter, panel, colours)

    def _draw_around(self, painter: QPainter, panel: "Panel", colours: theme.Theme) -> None:
        rows, cols = panel.frame.in_view
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_title(painter, panel, colours)
        self._draw_row_labels(painter, panel, colours, rows)
        self._draw_column_labels(painter, panel, colours, cols)

    def _draw_title(self, painter: QPainter, panel: "Panel", colours: theme.Theme) -> None:
        left = panel.geometry_.left
        font = title_font()
        paint_html(painter, QPointF(left, 0), panel.kind.formula(panel.scene, panel.head), font, colours.text)
        painter.setFont(small_font())
        painter.setPen(colours.muted)
        role = role_of(panel.kind, panel.scene, panel.head)
        swatches = swatches_width(panel.kind, panel.scene, panel.head)
        if painter.fontMetrics().horizontalAdvance(role) + swatches > panel.width() - left:
            role = role_of(panel.kind, panel.scene, panel.head, shape=False)
        # By its base line: Chinese comes from another font, whose lines are higher than ours.
        line = QPoint(left, QFontMetrics(font).height() + 1 + painter.fontMetrics().ascent())
        painter.drawText(line, role)
        readers = panel.kind.readers(panel.scene, panel.head)
        first = line.x() + painter.fontMetrics().horizontalAdvance(role) + SWATCH
        if len(readers) and first - SWATCH + swatches <= panel.width():
            wide = (swatches - SWATCH) / len(readers)
            gap = 2 if len(readers) <= MOST_SWATCHES else 0
            for number, head in enumerate(readers):
                square = QRectF(first + number * wide, line.y() - SWATCH, wide - gap, SWATCH)
                painter.fillRect(square, colours.head_colour(head))

    def _draw_row_labels(self, painter: QPainter, panel: "Panel", colours: theme.Theme, rows: range) -> None:
        painter.setFont(label_font())
        painter.setPen(colours.muted)
        metrics = painter.fontMetrics()
        height = panel.cell_rect(rows.start, 0).height() if len(rows) == 1 else panel.geometry_.cell[1]
        step = _stride(metrics.height() - 2, max(height * panel.zoom, 0.01))
        labels = shown(panel.kind.row_labels(panel.scene))
        width = panel.geometry_.left - 6
        for row in rows[::step]:
            cell = panel.cell_rect(row, panel.first_column)
            middle = cell.center().y() if step == 1 else cell.y() + metrics.height() // 2
            box = QRect(0, middle - metrics.height() // 2, width, metrics.height())
            text = metrics.elidedText(labels[row], Qt.TextElideMode.ElideRight, width)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | UNCLIPPED, text)

    def _draw_column_labels(
        self, painter: QPainter, panel: "Panel", colours: theme.Theme, cols: range
    ) -> None:
        painter.setFont(label_font())
        metrics = painter.fontMetrics()
        labels = shown(panel.kind.column_labels(panel.scene))
        width = panel.geometry_.cell[0] * panel.zoom
        standing = column_room(labels)[0] > width
        step = _stride(metrics.height() - 2, max(width, 0.01)) if standing else 1
        body = panel.body()
        for col in cols[::step]:
            cell = panel.cell_rect(panel.first_row, col)
            head = panel.kind.column_head(panel.scene, col)
            painter.setPen(colours.muted)
            if not standing:
                box = QRect(cell.x() - 2, body.y() - metrics.height() - 2, cell.width() + 4, metrics.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignHCenter | UNCLIPPED, labels[col])
            else:
                room = SLANT_LIMIT * metrics.height()
                middle = cell.center().x() + 1 if step == 1 else cell.x() + metrics.height() // 2
                if step > 1 and middle + metrics.height() // 2 > panel.width():
                    continue
                with saved(painter):
                    painter.translate(middle, body.y() - 4)
                    painter.rotate(-90)
                    text = metrics.elidedText(labels[col], Qt.TextElideMode.ElideRight, room)
                    box = QRect(0, -metrics.height() // 2, room + 2, metrics.height())
                    painter.drawText(box, Qt.AlignmentFlag.AlignLeft | UNCLIPPED, text)
            if head is not None and panel.scene.heads > 1:
                painter.fillRect(QRect(cell.x(), body.y() - 3, cell.width(), 3), colours.head_colour(head))

    def _draw_bar(self, painter: QPainter, panel: "Panel", colours: theme.Theme) -> None:
        span = panel.levels()
        if span is None:
            return
        body, pixels = panel.frame.body, theme.ui_size(SMALL)
        font, metrics = _small(pixels)
        room, height, left = max(body.width(), panel.geometry_.title), metrics.height(), body.x()
        ends, widths = bar_ends(span, pixels, room - BAR_LEAST)
        thick = max(5, height // 4)
        y = body.bottom() + 3 + max(5, (height - thick) // 2)
        bar = QRect(left + widths[0], y, room - sum(widths), thick)
        baseline = y + (thick - 1) // 2 - height // 2 + metrics.ascent()
        painter.setFont(font)
        painter.setPen(colours.muted)
        for x, text in ((left, ends[0]), (left + room - widths[1] + 4, ends[1])):
            if text:
                painter.drawText(x, baseline, text)
        gradient = _gradient(panel.colour_map)
        gradient.setStart(bar.left(), 0)
        gradient.setFinalStop(bar.right(), 0)
        painter.fillRect(bar, gradient)


def _around(panel: "Panel") -> tuple[object, ...]:
    """What is drawn around the cells, and depends on the scene."""
    kind, scene, head = panel.kind, panel.scene, panel.head
    labels = kind.row_labels(scene), kind.column_labels(scene)
    heads = scene.heads, scene.d_v, kind.readers(scene, head)
    return kind.formula(scene, head), role_of(kind, scene, head), *labels, *heads


@lru_cache(maxsize=256)
def bar_ends(span: Levels, pixels: int, room: int) -> tuple[tuple[str, str], tuple[int, int]]:
    """What stands at the ends of a colour bar, and its logical pixels, at most `room` together.

    Where there is too little for both, of a map that is symmetric about 0 "±0.04" after the bar; else nothing.
    """
    advance = _small(pixels)[1].horizontalAdvance
    low, high = _rounded(span.low, 3), ("≥" if span.beyond else "") + _rounded(span.high, 3)
    fewer = (3, 2, 1) if span.low == -span.high else ()
    for pair in chain([(low, high)], (("", f"±{_rounded(span.high, digits)}") for digits in fewer)):
        first, last = (advance(text) + 5 if text else 0 for text in pair)
        if first + last <= room:
            return pair, (first, last)
    return ("", ""), (0, 0)


def _rounded(number: float, digits: int) -> str:
    return f"{number:.{digits}g}".replace("-", "−").replace("e+", "e")


def _scaled(rect: QRect, ratio: float) -> QRect:
    """In device pixels."""
    return QRect(rect.topLeft() * ratio, rect.size() * ratio)


@lru_cache(maxsize=8)
def _small(pixels: int) -> tuple[QFont, QFontMetrics]:
    """The font at the ends of colour bars, and its sizes: to make them anew takes longer than to draw the ends."""
    font = small_font()
    font.setPixelSize(pixels)
    return font, QFontMetrics(font)


@cache
def _gradient(colours: str) -> QLinearGradient:
    """The colour map, from one end of a bar to the other, which are yet to be set."""
    gradient = QLinearGradient()
    lut = theme.lut(colours)
    for index in range(0, 256, 15):
        gradient.setColorAt(index / 255, QColor(*lut[index].tolist()))
    return gradient


def _stride(wanted: float, cell: float) -> int:
    """Every how many-th label there is room for: 1, 2, 5, 10, 20, 50 …"""
    factor = 1
    while True:
        for step in (1, 2, 5):
            if step * factor * cell >= wanted:
                return step * factor
        factor *= 10
