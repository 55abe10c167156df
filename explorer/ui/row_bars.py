"""Where a token looks: the weights of one row as bars, and how spread they are."""

import numpy as np
from PySide6.QtCore import QCoreApplication, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.attention.trace import Trace
from explorer.numbers import format_number
from explorer.scene import Array
from explorer.ui import theme
from explorer.ui.aloud import say
from explorer.ui.panels.overlay import paint_hatch
from explorer.ui.preferences import preferences
from explorer.ui.words import shown

SHORT = 16  # keys that are all shown, in their order
MOST = 12  # of a longer row: the largest
GAP = 8  # px


def chosen_keys(weights: Array, chosen: int | None) -> list[int]:
    """The keys to show: all of a short row in their order, else the largest first, and the chosen one for sure."""
    if len(weights) <= SHORT:
        return list(range(len(weights)))
    order = np.nan_to_num(weights, nan=np.inf)
    least = np.partition(order, -MOST)[-MOST]  # so that only a few of 32,768 are sorted
    largest = np.flatnonzero(order >= least)
    largest = largest[np.argsort(-order[largest], kind="stable")][:MOST].tolist()
    return largest if chosen is None or chosen in largest else [*largest, chosen]


class RowBars(QWidget):
    """One line per key: its label, a bar from 0 to 1 and the weight. Arrows go from key to key, Enter chooses.

    Of a long row only the largest are shown, and their bars are drawn relative to the largest.
    """

    activated = Signal(int)  # a key, from 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("row_bars")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._trace: Trace | None = None
        self._head = self._row = 0
        self._chosen: int | None = None
        self._keys: list[int] = []
        self._texts: dict[int, str] = {}
        self._widths = (0, 0)
        self._current = 0
        theme.watcher().changed.connect(self._on_theme)

    def show_row(self, trace: Trace, head: int, row: int, chosen: int | None) -> None:
        """Show the weights of query `row` in `head`; `chosen`: the key whose number is looked at."""
        same = (head, row, chosen) == (self._head, self._row, self._chosen)
        self._trace, self._head, self._row, self._chosen = trace, head, row, chosen
        self._keys = chosen_keys(self.weights, chosen)
        if not same or self._current >= len(self._keys):
            self._current = self._keys.index(chosen) if chosen is not None else 0
        decimals = preferences().decimals
        self._texts = {key: self._value_text(key, decimals) for key in self._keys}
        self._widths = self._columns()
        self.setAccessibleName(self._spoken())
        if self.height() != self.sizeHint().height():
            self.updateGeometry()
        self.update()

    @property
    def weights(self) -> Array:
        """(m,): the row."""
        assert self._trace is not None
        return self._trace.weights[self._head, self._row]

    @property
    def keys(self) -> list[int]:
        """The keys that have a bar, from above."""
        return self._keys

    @property
    def rest(self) -> tuple[int, float]:
        """How many keys have no bar, and their weights together."""
        count = len(self.weights) - len(self._keys)
        return count, float(np.nansum(self.weights) - np.nansum(self.weights[self._keys]))

    def is_hidden(self, key: int) -> bool:
        """Whether a mask hides the key from this row."""
        assert self._trace is not None
        return not self._trace.visible[self._row, key]

    def value_text(self, key: int) -> str:
        """The weight as it is written beside the bar."""
        return self._texts[key]

    def _value_text(self, key: int, decimals: int) -> str:
        weight = float(self.weights[key])
        if self.is_hidden(key) and weight == 0:
            return QCoreApplication.translate("RowBars", "hidden")
        return format_number(weight, decimals)

    def label(self, key: int) -> str:
        """The key's token."""
        assert self._trace is not None
        return shown(self._trace.scene.key_tokens)[key]

    def _spoken(self) -> str:
        return ", ".join(map(self._line_text, self._keys))

    def _line_text(self, key: int) -> str:
        return f"{self.label(key)} {self.value_text(key)}"

    def _tell(self) -> None:
        """Screen readers hear the key that the arrows have come to."""
        if self._keys:
            say(self, self._line_text(self._keys[self._current]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._tell()
        super().focusInEvent(event)

    # ---- geometry ----

    @property
    def line_height(self) -> int:
        """Pixels of one key."""
        return self.fontMetrics().height() + 5

    def bar_rect(self, line: int) -> QRect:
        """The track of the line's bar, in full width."""
        left, right = self._widths
        left = min(left, self.width() // 3)
        height = max(8, self.line_height * 11 // 20)
        top = line * self.line_height + (self.line_height - height) // 2
        return QRect(left + GAP, top, max(1, self.width() - left - right - 2 * GAP), height)

    def _columns(self) -> tuple[int, int]:
        """Widths of the labels and of the values, in pixels."""
        metrics = self._bold_metrics()
        labels = max((metrics.horizontalAdvance(self.label(key)) for key in self._keys), default=0)
        values = max((metrics.horizontalAdvance(self.value_text(key)) for key in self._keys), default=0)
        return labels + 2, values + 2

    def _bold_metrics(self) -> QFontMetrics:
        font = self.font()
        font.setBold(True)
        return QFontMetrics(font)

    def sizeHint(self) -> QSize:
        return QSize(200, max(1, len(self._keys)) * self.line_height)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    # ---- painting ----

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._trace is None:
            return
        colours = theme.current()
        shown = self.weights[self._keys]
        full = 1.0 if len(self._keys) == len(self.weights) else float(np.nanmax(shown, initial=0.0)) or 1.0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for line, key in enumerate(self._keys):
                self._paint_line(painter, line, key, full, colours)

    def _paint_line(self, painter: QPainter, line: int, key: int, full: float, colours: theme.Theme) -> None:
        top, height = line * self.line_height, self.line_height
        track, hidden, chosen = self.bar_rect(line), self.is_hidden(key), key == self._chosen
        font = self.font()
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(colours.text if chosen else colours.muted)
        label = painter.fontMetrics().elidedText(
            self.label(key), Qt.TextElideMode.ElideRight, track.left() - GAP
        )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(0, top, track.left() - GAP, height), right, label)
        painter.setPen(colours.muted if hidden else colours.text)
        painter.drawText(
            QRect(track.right() + GAP, top, self.width() - track.right() - GAP, height),
            right,
            self.value_text(key),
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.background if colours.name != "contrast" else colours.line.lighter(260))
        painter.drawRoundedRect(track, 3, 3)
        if hidden:
            paint_hatch(painter, track, colours)
        self._paint_bar(painter, QRectF(track), float(self.weights[key]) / full, chosen, colours)
        if self.hasFocus() and line == self._current:
            painter.setPen(QPen(colours.accent, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(track).adjusted(-2.5, -2.5, 2.5, 2.5), 4, 4)

    def _paint_bar(
        self, painter: QPainter, track: QRectF, part: float, chosen: bool, colours: theme.Theme
    ) -> None:
        if not part > 0:  # NaN neither
            return
        colour = QColor(colours.head_colour(self._head))
        colour.setAlphaF(1.0 if chosen or self._chosen is None else 0.55)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(
            QRectF(track.x(), track.y(), max(2.0, track.width() * min(part, 1.0)), track.height()), 3, 3
        )

    def _on_theme(self) -> None:
        if self._trace is not None:
            self._widths = self._columns()
        self.updateGeometry()
        self.update()

    # ---- mouse and keyboard ----

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = int(event.position().y()) // self.line_height
        if event.button() == Qt.MouseButton.LeftButton and 0 <= line < len(self._keys):
            self._current = line
            self.activated.emit(self._keys[line])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Home: -len(self._keys),
            Qt.Key.Key_End: len(self._keys),
        }
        if event.key() in step:
            self._current = min(max(self._current + step[Qt.Key(event.key())], 0), len(self._keys) - 1)
            self._tell()
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit(self._keys[self._current])
        else:
            super().keyPressEvent(event)
