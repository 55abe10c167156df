"""The little box in which a covered number is guessed."""

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from explorer.attention.trace import Cell, Trace
from explorer.lessons.judge import predict
from explorer.ui import theme
from explorer.ui.language import lesson_code
from explorer.ui.preferences import preferences

WIDTH = 24  # times the font's height


class GuessBox(QFrame):
    """Says whether a typed number is right, and names the slip that it comes from where it is a known one."""

    revealed = Signal(object)  # Cell: guessed, or given up
    closed = Signal()
    dresses_itself = True

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("guess")
        self._cell: Cell | None = None
        self._trace: Trace | None = None
        self._line = QLineEdit()
        self._line.setObjectName("guess_line")
        self._line.setAccessibleName(self.tr("Your guess"))
        self._line.returnPressed.connect(self.check)
        self._check = QPushButton(self.tr("Check"))
        self._check.clicked.connect(self.check)
        self._reveal = QPushButton(self.tr("Reveal"))
        self._reveal.setObjectName("guess_reveal")
        self._reveal.clicked.connect(self._give_up)
        self._question, self._verdict = QLabel(), QLabel()
        self._verdict.setObjectName("guess_verdict")
        self._verdict.setWordWrap(True)
        self._verdict.setTextFormat(Qt.TextFormat.MarkdownText)
        row = QHBoxLayout()
        for widget in (self._line, self._check, self._reveal):
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.addWidget(self._question)
        layout.addLayout(row)
        layout.addWidget(self._verdict)
        self.hide()

    def ask(self, cell: Cell, name: str, trace: Trace, beside: QRect) -> None:
        """Ask for `cell`, called `name`; `beside` is its rectangle in the parent's coordinates."""
        self._cell, self._trace = cell, trace
        self._question.setText(self.tr("What is {name}?").format(name=name))
        self._line.clear()
        self._verdict.clear()
        self._verdict.hide()
        self._restyle()
        self.setFixedWidth(WIDTH * self.fontMetrics().height())
        self.adjustSize()
        self._place(beside)
        self.show()
        self.raise_()
        self._line.setFocus()

    def check(self) -> None:
        """Judge what is typed."""
        if self._cell is None or self._trace is None or not self._line.text().strip():
            return
        verdict = predict(self._cell, self._line.text(), self._trace, preferences().decimals)
        colours = theme.current()
        colour = {"right": colours.good, "wrong": colours.error}.get(verdict.kind, colours.text)
        mark = {"right": "✓ ", "wrong": "✗ "}.get(verdict.kind, "")
        self._verdict.setText(mark + verdict.sentence(lesson_code()))
        self._verdict.setStyleSheet(f"color: {colour.name()}")
        self._verdict.show()
        self.adjustSize()
        if verdict.right:
            self._reveal.hide()
            self.revealed.emit(self._cell)
        else:
            self._line.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_box()
        else:
            super().keyPressEvent(event)

    def close_box(self) -> None:
        """Leave the number covered."""
        self.hide()
        self.closed.emit()

    def _give_up(self) -> None:
        cell = self._cell
        self.close_box()
        if cell is not None:
            self.revealed.emit(cell)

    def _place(self, beside: QRect) -> None:
        room = self.parentWidget().rect()
        x = min(max(8, beside.center().x() - self.width() // 2), room.width() - self.width() - 8)
        below = beside.bottom() + 8
        y = below if below + self.height() < room.height() else max(8, beside.top() - self.height() - 8)
        self.move(QPoint(x, y))
        self._reveal.show()

    def _restyle(self) -> None:
        colours = theme.current()
        self.setStyleSheet(
            theme.sheet()
            + f"#guess {{ background: {colours.surface.name()}; border: 1px solid {colours.accent.name()};"
            f" border-radius: 8px; }}"
        )
