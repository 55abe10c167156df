"""A word beside the thing it is about, instead of a message box."""

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget

from explorer.ui import theme

GAP = 5  # px between the bubble and what it is about
LASTS = 8000  # ms


class Bubble(QLabel):
    """A sentence that floats over the window of `anchor`, without focus or clicks, and goes by itself."""

    def __init__(self, anchor: QWidget) -> None:
        super().__init__(anchor)
        self.setObjectName("bubble")
        self._anchor = anchor
        self._frame = QColor()
        self.lasting = False
        self._timer = QTimer(self, singleShot=True, interval=LASTS)
        self._timer.timeout.connect(self.hide)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMargin(7)
        theme.watcher().changed.connect(self.hide)  # what it stands beside has moved
        self.hide()

    def say(self, sentence: str, beside: QRect, error: bool = True, lasting: bool = False) -> None:
        """Show a sentence under `beside` (in the anchor's coordinates), or above where there is no room.

        `error` frames it in red; `lasting` keeps it until it is hidden.
        """
        window = self._anchor.window()
        if self.parent() is not window:  # docks can be torn off
            self.setParent(window)
        colours = theme.current()
        self._frame = colours.error if error else colours.muted
        palette = self.palette()
        palette.setColor(self.foregroundRole(), colours.error if error else colours.text)
        self.setPalette(palette)
        self.setFont(theme.ui_font(0.92))
        self.setText(sentence)
        self.setAccessibleName(sentence)
        self._place(QRect(self._anchor.mapTo(window, beside.topLeft()), beside.size()), window.rect())
        self.show()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        self.lasting = lasting
        self._timer.stop()
        if not lasting:
            self._timer.start()

    def _place(self, beside: QRect, room: QRect) -> None:
        width = min(
            self.fontMetrics().horizontalAdvance(self.text()) + 2 * self.margin() + 4, 340, room.width() - 8
        )
        self.resize(width, self.heightForWidth(width))
        x = max(4, min(beside.left(), room.width() - width - 4))
        y = beside.bottom() + GAP
        if y + self.height() > room.height():
            y = max(0, beside.top() - GAP - self.height())
        self.move(QPoint(x, y))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._frame, 1))
            painter.setBrush(theme.current().surface)
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        super().paintEvent(event)
