"""One editing of one cell, from the first key to Enter or Esc, without its widgets."""

from itertools import count

from explorer.document import Document
from explorer.numbers import NumberError, parse_number
from explorer.scene import Scene
from explorer.ui.grids.matrices import edit_text

_numbers = count()


class CellEditing:
    """Each valid text takes effect at once, so that the panels follow; all of it is one undo step."""

    def __init__(self, document: Document, name: str, row: int, col: int) -> None:
        self.name, self.row, self.col = name, row, col
        self._document = document
        self._before = self._last = document.scene
        self._merge = f"type {next(_numbers)}"
        self.problem: NumberError | None = None

    @property
    def overtaken(self) -> bool:
        """Whether somebody else (undo, another view) has changed the Scene since."""
        return self._document.scene is not self._last

    def type(self, text: str) -> NumberError | None:
        """Take what the editor shows now. Where it is no number, the last one stays; returns the reason."""
        try:
            value = parse_number(text)
        except NumberError as error:
            self.problem = error
            return error
        self.problem = None
        self._show(self._before.with_cell(self.name, self.row, self.col, value))
        return None

    def cancel(self) -> None:
        """As if nothing had been typed: the old number, and no undo step."""
        self.problem = None
        if not self.overtaken:
            self._show(self._before)

    def _show(self, scene: Scene) -> None:
        self._last = scene
        self._document.edit(scene, edit_text(self.name, self.row, self.col), merge=self._merge)
