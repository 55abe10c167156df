"""Lights up, for the chosen number, where it comes from and what it reaches."""

from PySide6.QtCore import QObject

from explorer.attention.trace import STAGE, Cell
from explorer.document import Document
from explorer.scene import Scene
from explorer.ui.inputs import Inputs
from explorer.ui.panels.panel import Marks
from explorer.ui.pipeline import Pipeline
from explorer.ui.selection import Selection


class Provenance(QObject):
    """Listens to the Selection and the Document; frames cells in panels and grids."""

    def __init__(self, document: Document, selection: Selection, pipeline: Pipeline, inputs: Inputs) -> None:
        super().__init__(pipeline)
        self._document, self._selection = document, selection
        self._pipeline, self._inputs = pipeline, inputs
        selection.changed.connect(self._show)
        document.changed.connect(self._on_changed)

    def _on_changed(self, old: Scene, new: Scene) -> None:
        self._show(self._selection.cell)

    def _show(self, cell: Cell | None) -> None:
        marks: dict[str, Marks] = {}
        if cell is not None and cell.place in STAGE:
            name = f"panel_{cell.place}" + ("" if cell.head is None else f"_{cell.head + 1}")
            marks[name] = Marks(selected=(cell.row, cell.col))
        self._pipeline.set_marks(marks)
