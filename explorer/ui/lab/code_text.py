"""Code to be read and copied."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from explorer.ui import theme


class CodeText(QPlainTextEdit):
    """Read-only, in letters of one width; Tab goes on to what comes next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def show_text(self, text: str) -> None:
        """Show this; where it is shown already, the place one has scrolled to stays."""
        if text != self.toPlainText():
            self.setPlainText(text)

    def _restyle(self) -> None:
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setPixelSize(theme.ui_font(0.92).pixelSize())
        colours = theme.current()
        self.setStyleSheet(
            f"QPlainTextEdit {{ background: {colours.background.name()}; color: {colours.text.name()};"
            f" border: 1px solid {colours.line.name()}; border-radius: 5px; padding: 4px; }}"
            f" QPlainTextEdit:focus {{ border-color: {colours.accent.name()}; }}"
        )
        self.setFont(font)
        self.setCursorWidth(1)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
