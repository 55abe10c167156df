"""What stands around and on the cells of a panel: title, labels, colour bar, hatching, frames."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QLinearGradient,
    QPainter,
    QPen,
    QPixmap,
    QRegion,
)

from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.painting import saved
from explorer.ui.panels.frame import Geometry
from explorer.ui.panels.heatmap import Levels
from explorer.ui.panels.rich import paint_html
from explorer.ui.rich_text import RichText
from explorer.ui.texts import heads_text, some_of, stage_title
from explorer.ui.words import shown

if TYPE_CHECKING:
    from explorer.ui.panels.kinds import StagePanel
    from explorer.ui.panels.panel import Marks, Panel

_DIGIT = re.compile(r"\d")
# A label may be of another font, whose lines are higher than those that its box is made for.
UNCLIPPED = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
LABEL_SHARE = 9  # a row label is at most so many times as wide as its font is high
BAR_LEAST = 18  # pixels of a colour bar that still shows its map
SWATCH = 7  # pixels of a square in a head's colour
MOST_SWATCHES = 4  # more heads share a strip as wide as so many
SLANT_LIMIT = 5  # an upright column label is at most so many times as long as its font is high


def number_font(geometry: Geometry) -> QFont:
    """The font of the numbers in the cells."""
    return theme.ui_font(geometry.font_size)


def label_font() -> QFont:
    """The font of the token labels."""
    return theme.ui_font(0.88)


def small_font() -> QFont:
    """Shapes, roles, ends of the colour bar."""
    return theme.ui_font(0.82)


def title_font() -> QFont:
    """The font of a panel's formula."""
    font = theme.formula_font(1.2)
    font.setItalic(True)
    return font


@lru_cache(maxsize=512)
def _html_width(html: str, family: str, size: int) -> float:
    font = title_font()
    font.setPixelSize(size)
    return RichText(html, font, QColor()).width


def role_of(kind: "StagePanel", scene: Scene, head: int | None, shape: bool = True) -> str:
    """'weights · 4 × 4'; of keys and values that heads share also whose they are: 'keys · 4 × 2 · heads 1–2'."""
    size = " × ".join(map(str, kind.shape(scene))) if shape else ""
    readers = kind.readers(scene, head)
    return " · ".join(filter(None, (stage_title(kind.stage.name), size, heads_text(readers))))


def title_width(kind: "StagePanel", scene: Scene, head: int | None) -> int:
    """Logical pixels that the formula needs, and the role without the shape."""
    formula, role = kind.formula(scene, head), role_of(kind, scene, head, shape=False)
    return _title_width(
        _DIGIT.sub("0", formula),
        role,
        _swatches_width(kind, scene, head),
        theme.ui_size(1.2),
        theme.ui_size(0.82),
    )


@lru_cache(maxsize=256)
def _title_width(formula: str, role: str, swatches: int, _size: int, _small: int) -> int:
    """Digits are all of one width: so the titles of a dozen heads are one."""
    font = title_font()
    width = _html_width(formula, font.family(), font.pixelSize())
    return int(max(width, QFontMetrics(small_font()).horizontalAdvance(role) + swatches)) + 3


def _swatches_width(kind: "StagePanel", scene: Scene, head: int | None) -> int:
    """Logical pixels of the squares after the role, and of the gap before them."""
    count = min(len(kind.readers(scene, head)), MOST_SWATCHES)
    return count * (SWATCH + 2) + SWATCH * bool(count)


def labels_width(labels: Sequence[str]) -> int:
    """Logical pixels of the longest row label, up to a limit; longer ones are cut with an ellipsis."""
    longest, height = _label_sizes(tuple(labels), theme.ui_size(0.88))
    return min(LABEL_SHARE * height, longest) + 8


def column_room(labels: Sequence[str]) -> tuple[int, int, int]:
    """For the column labels: the cell width that the longest needs to lie; the height of lying and standing ones."""
    longest, height = _label_sizes(tuple(labels), theme.ui_size(0.88))
    return longest + 4, height + 4, min(SLANT_LIMIT * height, longest) + 8


@lru_cache(maxsize=64)
def _label_sizes(labels: tuple[str, ...], pixels: int) -> tuple[int, int]:
    """Logical pixels of the longest label, and of a line: most panels of a scene share theirs."""
    font = label_font()
    font.setPixelSize(pixels)
    metrics = QFontMetrics(font)
    return max(map(metrics.horizontalAdvance, some_of(shown(labels)))), metrics.height()


def title_height() -> int:
    """Logical pixels of title and role."""
    return QFontMetrics(title_font()).height() + QFontMetrics(small_font()).height() + 4


def foot_height() -> int:
    """Logical pixels of the colour bar with its ends."""
    return QFontMetrics(small_font()).height() + 8


class Chrome:
    """Ground, title and labels of one panel, kept as a picture until one of them changes; and the colour bar."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._drawn: tuple[object, ...] = ()  # what the picture shows
        self._picture = QPixmap()

    def paint(self, painter: QPainter, panel: "Panel", colours: theme.Theme, region: QRegion) -> None:
        """Everything outside the cells, as far as it is in `region`."""
        ratio, body = panel.frame.ratio, panel.frame.body
        if ratio.is_integer() and body.contains(region.boundingRect()) and self._key:
            return  # the cells cover it, without gaps
        key = (panel.face, panel.frame, colours.name, panel.size(), theme.ui_size())
        if key != self._key:
            self._key = key
            drawn = (*key[1:], *_around(panel))
            if drawn != self._drawn:  # as it is not for another mask
                self._drawn = drawn
                self._picture = QPixmap(panel.size() * ratio)
                self._picture.setDevicePixelRatio(ratio)
                self._picture.fill(colours.background)
                with QPainter(self._picture) as inner:
                    self._draw_around(inner, panel, colours)
        if ratio.is_integer():
            for part in region - QRegion(body):
                painter.drawPixmap(part.topLeft(), self._picture, _scaled(part, ratio))
        else:
            painter.drawPixmap(QPoint(0, 0), self._picture)
        if region.intersects(self.foot(panel)):
            self._draw_bar(painter, panel, colours)

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
        swatches = _swatches_width(panel.kind, panel.scene, panel.head)
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
        body, font = panel.body(), small_font()
        painter.setFont(font)
        painter.setPen(colours.muted)
        metrics = painter.fontMetrics()
        room = max(body.width(), panel.geometry_.title)
        ends, widths = bar_ends(span, font.pixelSize(), room - BAR_LEAST)
        thick = max(5, metrics.height() // 4)
        y = body.bottom() + 3 + max(5, (metrics.height() - thick) // 2)
        bar = QRect(body.x() + widths[0], y, room - sum(widths), thick)
        baseline = bar.center().y() - metrics.height() // 2 + metrics.ascent()
        for x, text in ((body.x(), ends[0]), (bar.right() + 5, ends[1])):
            painter.drawText(x, baseline, text)
        painter.fillRect(bar, _gradient(panel.colour_map, bar.left(), bar.right()))


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
    font = small_font()
    font.setPixelSize(pixels)
    advance = QFontMetrics(font).horizontalAdvance
    low, high = _rounded(span.low, 3), ("≥" if span.beyond else "") + _rounded(span.high, 3)
    pairs = [(low, high)]
    if span.low == -span.high:
        pairs += [("", f"±{_rounded(span.high, digits)}") for digits in (3, 2, 1)]
    for pair in pairs:
        first, last = (advance(text) + 5 if text else 0 for text in pair)
        if first + last <= room:
            return pair, (first, last)
    return ("", ""), (0, 0)


def _rounded(number: float, digits: int) -> str:
    return f"{number:.{digits}g}".replace("-", "−").replace("e+", "e")


def _scaled(rect: QRect, ratio: float) -> QRect:
    """In device pixels."""
    return QRect(rect.topLeft() * ratio, rect.size() * ratio)


@lru_cache(maxsize=64)
def _gradient(colours: str, left: int, right: int) -> QLinearGradient:
    """The colour map from one pixel to another."""
    gradient = QLinearGradient(left, 0, right, 0)
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


def paint_marks(painter: QPainter, panel: "Panel", marks: "Marks", colours: theme.Theme) -> None:
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
