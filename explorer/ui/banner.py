"""A sentence across the top of the window: what went wrong or goes on, with at most one thing to do about it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.ui import theme


class Banner(QFrame):
    """Hidden until it has something to say. It never takes the keyboard and never blocks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self._text = QLabel(wordWrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._action = QToolButton()
        self._close = QToolButton(text="✕")
        self._close.setAccessibleName(self.tr("Close this message"))
        self._close.setToolTip(self.tr("Close this message"))
        self._close.clicked.connect(self.hide)
        self._action.clicked.connect(self._act)
        self._do: Callable[[], None] | None = None
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._action)
        layout.addWidget(self._close)
        self._error = True
        theme.watcher().changed.connect(self._paint)
        self.hide()

    @property
    def text(self) -> str:
        """What it says; empty while hidden."""
        return "" if self.isHidden() else self._text.text()

    def say(
        self, sentence: str, error: bool = True, action: str = "", do: Callable[[], None] | None = None
    ) -> None:
        """Show a sentence; `action` labels a button that calls `do` and hides the banner."""
        self._text.setText(sentence)
        self.setAccessibleName(sentence)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._do, self._error = do, error
        self._paint()
        self.show()

    def _act(self) -> None:
        self.hide()
        if self._do is not None:
            self._do()

    def _paint(self) -> None:
        colours = theme.current()
        edge = colours.error if self._error else colours.accent
        self.setStyleSheet(
            f"#banner {{ background: {colours.surface.name()}; border: none;"
            f" border-left: 5px solid {edge.name()}; border-bottom: 1px solid {colours.line.name()}; }}"
        )
