"""All heads of a layer, or of several, as small pictures: a click enlarges one."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.numbers import compact_number
from explorer.ui import theme
from explorer.ui.aloud import say
from explorer.ui.panels.overlay import paint_hatch
from explorer.ui.reading.facts import facts_lines, measure_text, sink_text
from explorer.ui.reading.tiles import Key, Measures, Tile, body_height, placed
from explorer.ui.texts import head_text
from explorer.ui.tips import plain
from explorer.ui.words import shown

MARGIN = 14  # px around everything
LEAST, MOST = 112, 330  # px that a picture is wide, at the usual size
LEAST_OF_MANY = 42  # likewise, where a layer is one line of many


class Overview(QWidget):
    """Groups of Tiles, each group with a heading where there are several. Arrows go from one to the next."""

    chosen = Signal(object)  # Key

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("heads_overview")
        self.setAccessibleName(self.tr("All heads"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._groups: list[tuple[str, list[Tile]]] = []
        self._numbers: Sequence[int] = ()
        self._sort = "number"
        self._rects: dict[Key, QRect] = {}
        self._headings: list[int] = []
        self._hovered: Key | None = None
        self._current: Key | None = None
        self._marked: Key | None = None
        self._height = 0
        self._view_height = 0
        theme.watcher().changed.connect(self._lay_out)

    # ---- what is shown ----

    @property
    def tiles(self) -> list[Tile]:
        """In the order in which they stand."""
        return [tile for _title, tiles in self._groups for tile in tiles]

    def tile(self, key: Key) -> Tile | None:
        """The one of this head, if it is shown."""
        return next((tile for tile in self.tiles if tile.key == key), None)

    def show_groups(
        self,
        groups: Sequence[tuple[str, list[Tile]]],
        sort: str,
        marked: Key | None,
        numbers: Sequence[int] = (),
    ) -> None:
        """Show these, with the number they are sorted by; of those that were there only what differs is painted.
        `numbers`: what each layer is called, where there are several.
        """
        self._numbers = numbers
        before = {tile.key: tile for tile in self.tiles}
        arranged = [(title, [(tile.key, tile.values.shape) for tile in tiles]) for title, tiles in groups]
        old = [(title, [(tile.key, tile.values.shape) for tile in tiles]) for title, tiles in self._groups]
        self._groups = [(title, list(tiles)) for title, tiles in groups]
        marks_moved = (self._sort, self._marked) != (sort, marked)
        self._sort, self._marked = sort, marked
        if arranged != old:
            self._lay_out()
            return
        for tile in self.tiles:
            earlier = before[tile.key]
            if tile is not earlier or marks_moved:
                self.update(self.tile_rect(tile.key))

    def set_view_height(self, height: int) -> None:
        """How much of it can be seen at a time."""
        if height != self._view_height:
            self._view_height = height
            self._lay_out()

    def tile_rect(self, key: Key) -> QRect:
        """Pixels of a tile, with what stands above and below its picture."""
        return self._rects.get(key, QRect())

    def picture_rect(self, key: Key) -> QRect:
        """Pixels of the picture."""
        rect, measures = self.tile_rect(key), self._measures()
        tile = self.tile(key)
        height = 0 if tile is None else body_height(rect.width(), tile.values.shape)
        return QRect(rect.x(), rect.y() + measures.above, rect.width(), height)

    def cell_at(self, tile: Tile, point: QPoint) -> tuple[int, int] | None:
        """The query and key under a point; None beside the picture."""
        body = self.picture_rect(tile.key)
        if not body.contains(point):
            return None
        rows, cols = tile.values.shape
        if (rows, cols) != (len(tile.queries), len(tile.keys)):
            return None  # seen from afar, where several words share a pixel
        return (point.y() - body.y()) * rows // body.height(), (point.x() - body.x()) * cols // body.width()

    # ---- layout ----

    def _measures(self) -> Measures:
        part = theme.ui_size() / theme.USUAL_SIZE
        line, small = (QFontMetrics(theme.ui_font(size)).height() for size in (1.0, 0.88))
        least = LEAST_OF_MANY if len(self._groups) > 1 else LEAST
        return Measures(round(least * part), round(MOST * part), line + 3, small + 2, line + 12)

    def _lay_out(self) -> None:
        shapes = [
            [(tile.values.shape[0], tile.values.shape[1]) for tile in tiles] for _title, tiles in self._groups
        ]
        room = (max(60, self.width() - 2 * MARGIN), max(0, self._view_height - 2 * MARGIN))
        rects, self._headings, height = placed(shapes, self._measures(), room)
        self._rects = {
            tile.key: rect.translated(MARGIN, MARGIN)
            for (_title, tiles), group in zip(self._groups, rects, strict=True)
            for tile, rect in zip(tiles, group, strict=True)
        }
        self._height = height + 2 * MARGIN
        self.setFixedHeight(max(self._height, self._view_height))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, self._height)

    def resizeEvent(self, _event: object) -> None:
        self._lay_out()

    # ---- painting ----

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colours.background)
            if len(self._groups) > 1:
                self._paint_headings(painter, colours)
            for tile in self.tiles:
                if self.tile_rect(tile.key).adjusted(-4, -4, 4, 4).intersects(event.rect()):
                    self._paint_tile(painter, tile, colours)

    def _paint_headings(self, painter: QPainter, colours: theme.Theme) -> None:
        font = theme.ui_font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(colours.text)
        metrics = painter.fontMetrics()
        for (title, _tiles), top in zip(self._groups, self._headings, strict=True):
            text = metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, self.width() - 2 * MARGIN)
            painter.drawText(QPoint(MARGIN, MARGIN + top + metrics.ascent() + 2), text)

    def _paint_tile(self, painter: QPainter, tile: Tile, colours: theme.Theme) -> None:
        rect, body = self.tile_rect(tile.key), self.picture_rect(tile.key)
        ratio = self.devicePixelRatioF()
        if tile.hidden is not None:
            paint_hatch(painter, body, colours)
        else:
            painter.fillRect(body, colours.surface)
        painter.drawImage(body, tile.image(round(body.height() * ratio), round(body.width() * ratio)))
        painter.setPen(QPen(colours.line, 1))
        painter.drawRect(body.adjusted(-1, -1, 0, 0))
        self._paint_caption(painter, tile, rect, colours)
        strong = tile.key in (self._hovered, self._marked) or (self.hasFocus() and tile.key == self._current)
        if strong:
            colour = colours.selection if tile.key == self._marked else colours.accent
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour, 2))
            painter.drawRect(QRectF(body).adjusted(-2, -2, 2, 2))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_caption(self, painter: QPainter, tile: Tile, rect: QRect, colours: theme.Theme) -> None:
        """Above the picture the head and the number it is sorted by; below it what is pointed out."""
        font = theme.ui_font()
        font.setBold(True)
        number = measure_text(tile.facts, self._sort)
        painter.setFont(theme.ui_font(0.88))
        small = painter.fontMetrics()
        wide = small.horizontalAdvance(number)
        base = rect.y() + QFontMetrics(font).ascent()
        painter.setPen(colours.muted)
        painter.drawText(QPoint(rect.right() - wide, base), number)
        painter.setFont(font)
        painter.setPen(colours.head_colour(tile.key.head))
        painter.drawText(
            QPoint(rect.x(), base), self._caption(painter.fontMetrics(), tile.key, rect.width() - wide - 6)
        )
        note = self.note(tile)
        if note:
            bottom = self.picture_rect(tile.key).bottom() + 3 + small.ascent()
            painter.fillRect(QRect(rect.x(), bottom - small.ascent() + 3, 8, 8), colours.source)
            painter.setFont(theme.ui_font(0.88))
            painter.setPen(colours.text)
            if rect.width() >= self._measures().most // 4:  # the mark alone says as much as "sin…"
                text = small.elidedText(note, Qt.TextElideMode.ElideRight, rect.width() - 13)
                painter.drawText(QPoint(rect.x() + 13, bottom), text)

    def _caption(self, metrics: QFontMetrics, key: Key, room: int) -> str:
        """The head's name, as long as there is room for all such names."""
        layer, head = key.layer, key.head + 1
        texts = [self._name(key), str(head)]
        if layer is not None and len(self._groups) == 1:
            texts[1:] = [
                self.tr("L{layer} H{head}").format(layer=self._numbers[layer], head=head),
                f"{self._numbers[layer]}·{head}",
            ]
        longest = metrics.horizontalAdvance(re.sub(r"\d+", "88", texts[0]))
        if longest > room:
            del texts[0]
        return next((text for text in texts if metrics.horizontalAdvance(text) <= room), texts[-1])

    # ---- words ----

    def _name(self, key: Key) -> str:
        if key.layer is None or len(self._groups) > 1:
            return head_text(key.head + 1)
        number, head = self._numbers[key.layer], head_text(key.head + 1)
        return self.tr("layer {layer} · {head}").format(layer=number, head=head)

    def note(self, tile: Tile) -> str:
        """What is pointed out about a head; empty for most."""
        return sink_text(tile.facts, shown(tile.keys))

    def describe(self, tile: Tile, cell: tuple[int, int] | None = None) -> str:
        """A head in words, and the number under the mouse."""
        lines = [self._name(tile.key)]
        if cell is not None:
            row, col = cell
            lines.append(
                f"{tile.queries[row]} → {tile.keys[col]}: {compact_number(float(tile.values[row, col]))}"
            )
        return "\n".join([*lines, *facts_lines(tile.facts, tile.keys)])

    # ---- mouse and keyboard ----

    def _at(self, point: QPoint) -> Tile | None:
        return next((tile for tile in self.tiles if self.tile_rect(tile.key).contains(point)), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        tile = self._at(event.position().toPoint())
        self._hover(None if tile is None else tile.key)

    def leaveEvent(self, _event: object) -> None:
        self._hover(None)

    def _hover(self, key: Key | None) -> None:
        if key != self._hovered:
            for each in {key, self._hovered} - {None}:
                self.update(self.tile_rect(each).adjusted(-4, -4, 4, 4))  # type: ignore[arg-type]
            self._hovered = key
            self.setCursor(Qt.CursorShape.ArrowCursor if key is None else Qt.CursorShape.PointingHandCursor)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tile = self._at(event.pos())
            if tile is None:
                QToolTip.hideText()
            else:
                text = self.describe(tile, self.cell_at(tile, event.pos()))
                QToolTip.showText(event.globalPos(), plain(text), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        tile = self._at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and tile is not None:
            self._current = tile.key
            self.chosen.emit(tile.key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        tiles = self.tiles
        keys = [tile.key for tile in tiles]
        if not keys:
            super().keyPressEvent(event)
            return
        at = keys.index(self._current) if self._current in keys else 0
        tops = [self.tile_rect(key).y() for key in keys]
        columns = max(1, tops.count(tops[0]))
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -columns, Qt.Key.Key_Down: columns,
            Qt.Key.Key_Home: -len(keys), Qt.Key.Key_End: len(keys),
        }  # fmt: skip
        if event.key() in steps:
            self._go_to(tiles[min(max(at + steps[Qt.Key(event.key())], 0), len(keys) - 1)])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(keys[at])
        else:
            super().keyPressEvent(event)

    def _go_to(self, tile: Tile) -> None:
        self._current = tile.key
        say(self, self.describe(tile).replace("\n", ", "))
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        tiles = self.tiles
        if tiles:
            self._go_to(next((tile for tile in tiles if tile.key == self._current), tiles[0]))
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusOutEvent(event)
