"""A slim line above the panels: that they show, or take clicks for, something else than usual."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from explorer.ui import theme


class Note(QFrame):
    """Hidden until it has something to say; `closed` is its button, which ends what the note speaks of."""

    def __init__(self, name: str, close_text: str, edge: str, parent: QWidget | None = None) -> None:
        """`edge` names the colour of the theme that marks it, such as "source"."""
        super().__init__(parent)
        self._name, self._edge = name, edge
        self.setObjectName(f"{name}_note")
        self._text = QLabel(wordWrap=True)
        self.closed = QToolButton(text="✕")
        self.closed.setObjectName(f"{name}_close")
        self.closed.setAccessibleName(close_text)
        self.closed.setToolTip(close_text)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 3, 8, 3)
        layout.addWidget(self._text, 1)
        layout.addWidget(self.closed)
        theme.watcher().changed.connect(self._paint)
        self._paint()
        self.hide()

    @property
    def text(self) -> str:
        """What it says; empty while hidden."""
        return "" if self.isHidden() else self._text.text()

    def say(self, sentence: str) -> None:
        """Say this, or hide where there is nothing to say."""
        self._text.setText(sentence)
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def _paint(self) -> None:
        colours = theme.current()
        edge = getattr(colours, self._edge)
        self.setStyleSheet(
            f"#{self._name}_note {{ background: {colours.surface.name()}; border: none;"
            f" border-left: 5px solid {edge.name()}; border-bottom: 1px solid {colours.line.name()}; }}"
            f" #{self._name}_close {{ border: none; padding: 2px 8px; }}"
        )
