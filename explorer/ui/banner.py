"""A sentence across the top of the window: what went wrong or goes on, and what can be done about it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.ui import theme

Choice = tuple[str, Callable[[], None]]  # the text of a button, and what it does


@dataclass(frozen=True)
class Notice:
    """What the banner says. One that `lasts` comes back after others that were said meanwhile."""

    sentence: str
    error: bool = True
    choices: tuple[Choice, ...] = ()
    lasts: bool = False


class Banner(QFrame):
    """Hidden until it has something to say. It never takes the keyboard and never blocks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._notice: Notice | None = None
        self._waiting: list[Notice] = []
        self._text = QLabel(wordWrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._action, self._other = QToolButton(), QToolButton()
        self._close = QToolButton(text="✕")
        self._close.setAccessibleName(self.tr("Close this message"))
        self._close.setToolTip(self.tr("Close this message"))
        self._close.clicked.connect(self._next)
        self._action.clicked.connect(lambda: self._act(0))
        self._other.clicked.connect(lambda: self._act(1))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.addWidget(self._text, 1)
        for button in (self._action, self._other, self._close):
            layout.addWidget(button)
        theme.watcher().changed.connect(self._paint)
        self.hide()

    @property
    def text(self) -> str:
        """What it says; empty while hidden."""
        return "" if self.isHidden() else self._text.text()

    def say(self, sentence: str) -> None:
        """Show what went wrong, until something else is said or a person closes it."""
        self._show(Notice(sentence))

    def ask(self, sentence: str, *choices: Choice, error: bool = False) -> None:
        """Show a sentence with things to do, two at most; it stays until one is done or it is closed."""
        self.withdraw(sentence)
        self._show(Notice(sentence, error, choices, lasts=True))

    def warn(self, sentence: str) -> None:
        """Show what is wrong and stays so: it comes back after others until it is withdrawn, or a person closes it."""
        self.ask(sentence, error=True)

    def withdraw(self, sentence: str) -> None:
        """What was said, asked or warned of is over."""
        self._waiting = [notice for notice in self._waiting if notice.sentence != sentence]
        if self._notice is not None and self._notice.sentence == sentence:
            self._next()

    def _show(self, notice: Notice) -> None:
        if self._notice is not None and self._notice.lasts:
            self._waiting.append(self._notice)
        self._notice = notice
        self._text.setText(notice.sentence)
        self.setAccessibleName(notice.sentence)
        for number, button in enumerate((self._action, self._other)):
            has_one = number < len(notice.choices)
            button.setText(notice.choices[number][0] if has_one else "")
            button.setVisible(has_one)
        self._paint()
        self.show()

    def _next(self) -> None:
        """What has waited, or nothing."""
        self._notice = None
        if self._waiting:
            self._show(self._waiting.pop())
        else:
            self.hide()

    def _act(self, number: int) -> None:
        notice = self._notice
        self._next()
        if notice is not None:
            notice.choices[number][1]()

    def _paint(self) -> None:
        colours = theme.current()
        edge = colours.error if self._notice is None or self._notice.error else colours.accent
        self.setStyleSheet(
            f"#banner {{ background: {colours.surface.name()}; border: none;"
            f" border-left: 5px solid {edge.name()}; border-bottom: 1px solid {colours.line.name()}; }}"
        )
