"""Predict, then reveal: which numbers are covered."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from explorer.attention.trace import Cell
from explorer.document import Document
from explorer.scene import Scene
from explorer.ui.note import Note
from explorer.ui.pipeline import Pipeline


class Covers(QObject):
    """The covered cells of a window. Panels show them as "?", and a click on one asks for a guess."""

    changed = Signal()
    covering_changed = Signal(bool)
    guess_asked = Signal(object)  # Cell

    def __init__(self, document: Document, pipeline: Pipeline, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pipeline = pipeline
        self._cells: frozenset[Cell] = frozenset()
        self._covering = False
        self.note = Note("covering", self.tr("Stop covering"), "accent")
        self.note.closed.clicked.connect(lambda: self.set_covering(False))
        pipeline.cover_clicked.connect(self._on_clicked)
        pipeline.relaid.connect(self._show)
        document.changed.connect(self._on_changed)

    @property
    def cells(self) -> frozenset[Cell]:
        """What is covered."""
        return self._cells

    @property
    def covering(self) -> bool:
        """Whether a click on a number covers it."""
        return self._covering

    def set_covering(self, on: bool) -> None:
        """Cover by clicking, or stop; stopping leaves what is covered covered."""
        if on != self._covering:
            self._covering = on
            self.note.say(self.tr("A click covers a number. Esc ends it.") if on else "")
            self._show()
            self.covering_changed.emit(on)

    def cover(self, cells: Iterable[Cell]) -> None:
        """Cover these as well."""
        self._set(self._cells | set(cells))

    def reveal(self, cells: Iterable[Cell] | None = None) -> None:
        """Uncover these, or all."""
        self._set(frozenset() if cells is None else self._cells - set(cells))

    def _set(self, cells: frozenset[Cell]) -> None:
        if cells != self._cells:
            self._cells = cells
            self._show()
            self.changed.emit()

    def _on_clicked(self, cell: Cell) -> None:
        if cell in self._cells:
            self.guess_asked.emit(cell)
        else:
            self.cover([cell])

    def _on_changed(self, _old: Scene, new: Scene) -> None:
        panels = self._pipeline.made
        gone = {
            c for c in self._cells if (p := panels.get(panel_name(c))) is not None and not _inside(c, p.shape)
        }
        self.reveal(gone)

    def _show(self) -> None:
        by_panel: dict[str, set[tuple[int, int]]] = {}
        for cell in self._cells:
            by_panel.setdefault(panel_name(cell), set()).add((cell.row, cell.col))
        for name, panel in self._pipeline.made.items():
            panel.set_covered(frozenset(by_panel.get(name, ())))
            panel.set_covering(self._covering)


def panel_name(cell: Cell) -> str:
    """The object name of the panel that shows a cell of a stage."""
    return f"panel_{cell.place}" + ("" if cell.head is None else f"_{cell.head + 1}")


def _inside(cell: Cell, shape: tuple[int, int]) -> bool:
    return cell.row < shape[0] and cell.col < shape[1]
