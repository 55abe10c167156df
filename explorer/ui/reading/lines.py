"""Two columns of words with a line for each weight between them: who looks at whom."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
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

from explorer.attention.trace import Cell
from explorer.numbers import format_number
from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.aloud import say
from explorer.ui.preferences import preferences
from explorer.ui.reading.links import Links, blended, nearest
from explorer.ui.texts import head_text
from explorer.ui.tips import plain
from explorer.ui.words import is_special, shown

MARGIN = 14  # px around everything
PAD = 6  # px between a word and its lines
WIDEST = 0.3  # of the width: a column of words, with its numbers
TALLEST = 1.9  # times its own height: a line of words where there is room
REACH = 6.0  # px from a line at which a click still means it
FAINTEST = 0.04  # opacity of the weakest line that is drawn


@dataclass(frozen=True, eq=False)
class Pairs:
    """What is shown: the lines, and the numbers they stand for, `values` (H, n, m)."""

    links: Links
    values: Array
    heads: tuple[int, ...]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    blind: Flags  # (n,): attends to nothing


@dataclass(frozen=True)
class Word:
    """One of the words: a query at the left, or a key at the right; from 0."""

    is_query: bool
    number: int


class Lines(QWidget):
    """Hovering over a word leaves its lines alone, a click on it keeps them so; a click on a line chooses its weight.

    By keyboard: up and down go from word to word, left and right change sides, Enter chooses the strongest line.
    """

    line_chosen = Signal(object)  # Cell of the weights

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("word_lines")
        self.setAccessibleName(self.tr("Words and what they look at"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.pairs: Pairs | None = None
        self._words: dict[bool, tuple[str, ...]] = {True: (), False: ()}
        self._hovered: Word | None = None
        self._line: int | None = None  # under the mouse
        self._pinned: Word | None = None
        self._current = Word(True, 0)
        self._selected: Cell | None = None
        self._widths = (0, 0, 0)  # of the queries, the keys and a number
        self._view_height = 0
        theme.watcher().changed.connect(self._lay_out)

    # ---- what is shown ----

    def show_pairs(self, pairs: Pairs) -> None:
        """Show these."""
        old, self.pairs = self.pairs, pairs
        self._line = None
        labels = (pairs.queries, pairs.keys)
        if old is None or (old.queries, old.keys) != labels:
            self._words = {True: shown(pairs.queries), False: shown(pairs.keys)}
            self._hovered = self._pinned = None
            self._current = Word(True, 0)
            self._lay_out()
        self.update()

    def select(self, cell: Cell | None) -> None:
        """The line of this cell is drawn strongest."""
        if cell != self._selected:
            self._selected = cell
            self.update()

    def set_view_height(self, height: int) -> None:
        """How much of it can be seen at a time."""
        if height != self._view_height:
            self._view_height = height
            self._lay_out()

    @property
    def alone(self) -> Word | None:
        """The word whose lines alone are drawn."""
        return self._hovered or self._pinned

    def words(self, is_query: bool) -> tuple[str, ...]:
        """One of the columns, as it is written."""
        return self._words[is_query]

    def cells_shown(self) -> set[Cell]:
        """The weights whose lines are drawn at the moment."""
        return {self.cell_of_line(index) for index in np.flatnonzero(self._flags()).tolist()}

    def _flags(self) -> Flags:
        assert self.pairs is not None
        word, links = self.alone, self.pairs.links
        if word is None:
            return links.seen
        return links.seen & links.touching(**{"row" if word.is_query else "col": word.number})

    # ---- layout ----

    def _lay_out(self) -> None:
        metrics, small = QFontMetrics(theme.ui_font()), QFontMetrics(theme.ui_font(0.82))
        number = small.horizontalAdvance(format_number(0.0, min(preferences().decimals, 2))) + PAD
        most = max(30, round(self.width() * WIDEST) - number)
        widths = [
            min(most, max((metrics.horizontalAdvance(text) for text in self._words[side]), default=0) + 8)
            for side in (True, False)
        ]
        self._widths = (widths[0], widths[1], number)
        self.setFixedHeight(max(self._view_height, self.sizeHint().height()))
        self.update()

    @property
    def _line_height(self) -> float:
        """Of one word: as its font needs, up to TALLEST times that where there is room."""
        count = max(len(self._words[True]), len(self._words[False]), 1)
        least = QFontMetrics(theme.ui_font()).height() + 3
        room = (self._view_height - 2 * MARGIN - self._heading) / count
        return float(min(max(least, room), TALLEST * least))

    @property
    def _heading(self) -> int:
        return QFontMetrics(theme.ui_font(0.88)).height() + 6

    def sizeHint(self) -> QSize:
        count = max(len(self._words[True]), len(self._words[False]), 1)
        least = QFontMetrics(theme.ui_font()).height() + 3
        return QSize(380, 2 * MARGIN + self._heading + round(count * least))

    def resizeEvent(self, _event: object) -> None:
        self._lay_out()

    def word_rect(self, word: Word) -> QRect:
        """Pixels of a word."""
        height = self._line_height
        y = MARGIN + self._heading + word.number * height
        width = self._widths[0 if word.is_query else 1]
        x = MARGIN if word.is_query else self.width() - MARGIN - width
        return QRect(x, round(y), width, max(1, round(y + height) - round(y)))

    def _ends(self, rows: Array, cols: Array) -> Array:
        """(lines, 4): x₁, y₁, x₂, y₂ in pixels."""
        height, top = self._line_height, MARGIN + self._heading
        found = np.empty((len(rows), 4))
        found[:, 0] = MARGIN + self._widths[0] + self._widths[2] + PAD
        found[:, 1] = top + (rows + 0.5) * height
        found[:, 2] = self.width() - MARGIN - self._widths[1] - self._widths[2] - PAD
        found[:, 3] = top + (cols + 0.5) * height
        return found

    def line_middle(self, cell: Cell) -> QPointF:
        """The middle of a weight's line."""
        x1, y1, x2, y2 = self._ends(np.array([cell.row]), np.array([cell.col]))[0].tolist()
        return QPointF((x1 + x2) / 2, (y1 + y2) / 2)

    # ---- painting ----

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colours.background)
            if self.pairs is None:
                return
            self._paint_headings(painter, colours)
            self._paint_lines(painter, event.rect(), colours)
            for is_query in (True, False):
                self._paint_words(painter, is_query, event.rect(), colours)

    def _paint_headings(self, painter: QPainter, colours: theme.Theme) -> None:
        painter.setFont(theme.ui_font(0.88))
        painter.setPen(colours.muted)
        metrics = painter.fontMetrics()
        half = self.width() // 2 - MARGIN - PAD
        texts = [metrics.elidedText(text, Qt.TextElideMode.ElideRight, half) for text in self._headings()]
        base = MARGIN + metrics.ascent()
        painter.drawText(QPoint(MARGIN, base), texts[0])
        painter.drawText(QPoint(self.width() - MARGIN - metrics.horizontalAdvance(texts[1]), base), texts[1])

    def _headings(self) -> tuple[str, str]:
        return self.tr("queries: who looks"), self.tr("keys: what is looked at")

    def _paint_lines(self, painter: QPainter, area: QRect, colours: theme.Theme) -> None:
        assert self.pairs is not None
        links = self.pairs.links
        heads = np.array([colour.getRgb()[:3] for colour in colours.heads], dtype=np.uint8)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows, cols, shades = blended(links, self._flags() & self._in(area), heads, FAINTEST)
        for end, shade in zip(self._ends(rows, cols).tolist(), shades.tolist(), strict=True):
            painter.setPen(QPen(QColor.fromRgbF(*shade), 1 + shade[3] / 2))
            painter.drawLine(QLineF(*end))
        ends = self._ends(links.rows, links.cols)
        for index, colour in ((self._line, colours.accent), (self._selected_line(), colours.selection)):
            if index is not None:
                painter.setPen(QPen(colour, 3))
                painter.drawLine(QLineF(*ends[index].tolist()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _in(self, area: QRect) -> Flags:
        """Which lines come near an area."""
        assert self.pairs is not None
        ends = self._ends(self.pairs.links.rows, self.pairs.links.cols)
        low, high = np.minimum(ends[:, 1], ends[:, 3]), np.maximum(ends[:, 1], ends[:, 3])
        near: Flags = (high >= area.top() - 3) & (low <= area.bottom() + 3)
        return near

    def _selected_line(self) -> int | None:
        cell = self._selected
        if cell is None or cell.head is None or self.pairs is None:
            return None
        return self.pairs.links.index_of(cell.head, cell.row, cell.col)

    def _paint_words(self, painter: QPainter, is_query: bool, area: QRect, colours: theme.Theme) -> None:
        assert self.pairs is not None
        texts, labels = self._words[is_query], self.pairs.queries if is_query else self.pairs.keys
        height, top = self._line_height, MARGIN + self._heading
        first = max(0, int((area.top() - top) / height) - 1)
        last = min(len(texts), int((area.bottom() - top) / height) + 2)
        alone = self.alone
        shares = self._shares(alone) if alone is not None and alone.is_query != is_query else None
        font, small = theme.ui_font(), theme.ui_font(0.82)
        for number in range(first, last):
            word = Word(is_query, number)
            rect = self.word_rect(word)
            if word == alone:
                painter.fillRect(rect, colours.line)
            elif shares is not None:
                self._paint_shares(painter, rect, shares[number], colours)
            font.setBold(word == alone)
            painter.setFont(font)
            blind = is_query and bool(self.pairs.blind[number])
            painter.setPen(colours.muted if blind or is_special(labels[number]) else colours.text)
            self._paint_text(painter, rect, texts[number], is_query)
            if blind:
                self._paint_number(painter, rect, is_query, "∅", small)
            elif shares is not None and len(self.pairs.heads) == 1:
                painter.setPen(colours.text)
                self._paint_number(painter, rect, is_query, self._number_text(alone, number), small)
            if self.hasFocus() and word == self._current:
                painter.setPen(QPen(colours.accent, 1.5))
                painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))

    @staticmethod
    def _paint_text(painter: QPainter, rect: QRect, text: str, is_query: bool) -> None:
        """By its base line: letters of another font may stand higher than ours."""
        metrics = painter.fontMetrics()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - 6)
        x = rect.right() - 3 - metrics.horizontalAdvance(text) if is_query else rect.x() + 3
        painter.drawText(QPoint(x, rect.center().y() - metrics.height() // 2 + metrics.ascent() + 1), text)

    def _paint_number(self, painter: QPainter, rect: QRect, is_query: bool, text: str, font: object) -> None:
        painter.setFont(font)  # type: ignore[arg-type]
        metrics = painter.fontMetrics()
        x = rect.right() + PAD // 2 if is_query else rect.x() - PAD // 2 - metrics.horizontalAdvance(text)
        painter.drawText(QPoint(x, rect.center().y() - metrics.height() // 2 + metrics.ascent() + 1), text)

    def _paint_shares(
        self, painter: QPainter, rect: QRect, shares: list[tuple[int, float]], colours: theme.Theme
    ) -> None:
        """A strip for each head behind a word, as opaque as the line that reaches it."""
        if not shares:
            return
        assert self.pairs is not None
        width = rect.width() / len(self.pairs.heads)
        for head, strength in shares:
            colour = QColor(colours.head_colour(head))
            colour.setAlphaF(0.6 * strength)
            left = rect.x() + self.pairs.heads.index(head) * width
            painter.fillRect(QRectF(left, rect.y(), width, rect.height()), colour)

    def _shares(self, alone: Word) -> list[list[tuple[int, float]]]:
        """For each word of the other side the heads whose lines reach it, and how strong they are."""
        assert self.pairs is not None
        found: list[list[tuple[int, float]]] = [[] for _word in self._words[not alone.is_query]]
        links = self.pairs.links
        for index in np.flatnonzero(self._flags()).tolist():
            other = int((links.cols if alone.is_query else links.rows)[index])
            found[other].append((int(links.heads[index]), float(links.strengths[index])))
        return found

    def _number_text(self, alone: Word | None, other: int) -> str:
        """The weight between the word that stands alone and another; nothing for one that is not drawn, or reads 0."""
        assert self.pairs is not None and alone is not None
        row, col = (alone.number, other) if alone.is_query else (other, alone.number)
        head, decimals = self.pairs.heads[0], min(preferences().decimals, 2)
        if self.pairs.links.index_of(head, row, col) is None:
            return ""
        text = format_number(float(self.pairs.values[head, row, col]), decimals)
        return "" if text == format_number(0.0, decimals) else text

    # ---- mouse ----

    def word_at(self, point: QPoint) -> Word | None:
        """The word under a point."""
        height, top = self._line_height, MARGIN + self._heading
        number = int((point.y() - top) // height)
        for is_query in (True, False):
            if 0 <= number < len(self._words[is_query]):
                rect = self.word_rect(Word(is_query, number))
                if rect.left() <= point.x() <= rect.right():
                    return Word(is_query, number)
        return None

    def cell_of_line(self, index: int) -> Cell:
        """The weight that a line stands for."""
        assert self.pairs is not None
        links = self.pairs.links
        return Cell("weights", int(links.heads[index]), int(links.rows[index]), int(links.cols[index]))

    def _line_at(self, point: QPointF) -> int | None:
        assert self.pairs is not None
        links, flags = self.pairs.links, np.flatnonzero(self._flags())
        found = nearest(self._ends(links.rows[flags], links.cols[flags]), (point.x(), point.y()), REACH)
        return None if found is None else int(flags[found])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.pairs is None:
            return
        word = self.word_at(event.position().toPoint())
        line = self._line_at(event.position()) if word is None else None
        if (word, line) != (self._hovered, self._line):
            self._hovered, self._line = word, line
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if line is not None or word else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def leaveEvent(self, _event: object) -> None:
        self._hovered = self._line = None
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.pairs is None:
            return
        word = self.word_at(event.position().toPoint())
        if word is not None:
            self._current = word
            self._pinned = None if word == self._pinned else word
        elif (line := self._line_at(event.position())) is not None:
            self.line_chosen.emit(self.cell_of_line(line))
        else:
            self._pinned = None
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.pairs is not None:
            text = self.describe_at(event.pos())
            QToolTip.showText(event.globalPos(), plain(text), self) if text else QToolTip.hideText()
            return True
        return super().event(event)

    def describe_at(self, point: QPoint) -> str:
        """The full text of a word, or a line in words with its number; empty elsewhere."""
        word = self.word_at(point)
        if word is not None:
            return self.describe(word)
        line = self._line_at(QPointF(point))
        return "" if line is None else self._describe_line(line)

    def _describe_line(self, index: int) -> str:
        assert self.pairs is not None
        cell = self.cell_of_line(index)
        head = cell.head or 0
        value = format_number(float(self.pairs.values[head, cell.row, cell.col]), 4)
        return (
            f"{self.pairs.queries[cell.row]} → {self.pairs.keys[cell.col]} · {head_text(head + 1)}: {value}"
        )

    def describe(self, word: Word) -> str:
        """A word with its number, as it was given."""
        assert self.pairs is not None
        label = (self.pairs.queries if word.is_query else self.pairs.keys)[word.number]
        text = self.tr("query {number} “{token}”") if word.is_query else self.tr("key {number} “{token}”")
        text = text.format(number=word.number + 1, token=label)
        if word.is_query and self.pairs.blind[word.number]:
            text += "\n" + self.tr("attends to nothing")
        return text

    # ---- keyboard ----

    def keyPressEvent(self, event: QKeyEvent) -> None:
        word, keys = self._current, Qt.Key
        longest = max(map(len, self._words.values()))
        steps = {keys.Key_Up: -1, keys.Key_Down: 1, keys.Key_Home: -longest, keys.Key_End: longest}
        if event.key() in steps:
            self._go_to(Word(word.is_query, word.number + steps[Qt.Key(event.key())]))
        elif event.key() in (keys.Key_Left, keys.Key_Right):
            self._go_to(Word(event.key() == keys.Key_Left, word.number))
        elif event.key() in (keys.Key_Return, keys.Key_Enter, keys.Key_Space):
            self._choose_strongest()
        elif event.key() == keys.Key_Escape and self._pinned is not None:
            self._pinned = None
            self.update()
        else:
            super().keyPressEvent(event)

    def _go_to(self, word: Word) -> None:
        number = min(max(word.number, 0), len(self._words[word.is_query]) - 1)
        self._current = self._pinned = Word(word.is_query, number)
        self._hovered = None
        self._tell()
        self.update()

    def _choose_strongest(self) -> None:
        flags = np.flatnonzero(self._flags())
        if len(flags):
            self.line_chosen.emit(self.cell_of_line(int(flags[-1])))

    def _tell(self) -> None:
        """Screen readers hear the word and what it looks at most, or what looks at it."""
        if self.pairs is None:
            return
        strongest = np.flatnonzero(self._flags())[-3:][::-1].tolist()
        say(self, ", ".join([self.describe(self._current), *map(self._describe_line, strongest)]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._tell()
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusOutEvent(event)
