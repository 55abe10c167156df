"""Typing into a matrix on the presenter's screen."""

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from explorer.document import Document
from explorer.ui import theme
from explorer.ui.grids.bubble import Bubble
from explorer.ui.grids.editing import CellEditing
from explorer.ui.grids.editor import NumberEditor


class CellEdit(NumberEditor):
    """The grids' editor over one cell of a panel; what is typed takes effect at once, Esc takes it back."""

    def __init__(
        self,
        parent: QWidget,
        document: Document,
        place: tuple[str, int, int],
        cell: QRect,
        text: str,
        pixels: int,
    ) -> None:
        super().__init__(parent, CellEditing(document, *place), replacing=True)
        font = theme.ui_font()
        font.setPixelSize(pixels)
        self.setFont(font)
        self._bubble = Bubble(self)
        self.place(cell)
        self.said.connect(self._say)
        self.left.connect(lambda *_step: self._finish())
        self.given_up.connect(self._finish)
        self.editingFinished.connect(self._on_focus_lost)
        self.show()
        self.setFocus()
        self.insert(text)
        self._take(text)

    def _say(self, sentence: str, final: bool) -> None:
        if sentence and final:
            self._bubble.say(sentence, self.rect())
        else:
            self._bubble.hide()

    def _on_focus_lost(self) -> None:
        if not self.hasFocus():
            self.settle()
            self._finish()

    def _finish(self) -> None:
        self._bubble.hide()
        self._bubble.deleteLater()
        self.hide()
        self.deleteLater()
        parent = self.parentWidget()
        if parent is not None:
            parent.setFocus()
