"""The Selection: the one place that knows which number is being looked at."""

from PySide6.QtCore import QObject, Signal

from explorer.attention.trace import Cell


class Selection(QObject):
    """The chosen cell of a stage or a grid. Views set it and listen to it; they never talk to one another."""

    changed = Signal(object)  # Cell or None
    hovered = Signal(object)  # Cell or None: what the mouse is over

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cell: Cell | None = None
        self._trail: list[Cell] = []

    @property
    def cell(self) -> Cell | None:
        """The chosen cell."""
        return self._cell

    @property
    def trail(self) -> tuple[Cell, ...]:
        """Where one came from by walking from source to source, oldest first; the chosen cell is not in it."""
        return tuple(self._trail)

    def select(self, cell: Cell | None) -> None:
        """Choose a cell; a new trail begins."""
        self._trail.clear()
        self._show(cell)

    def walk(self, cell: Cell) -> None:
        """Go on to a source or dependent of the chosen cell; the trail grows."""
        if cell in self._trail:
            del self._trail[self._trail.index(cell) :]
        elif self._cell is not None and cell != self._cell:
            self._trail.append(self._cell)
        self._show(cell)

    def hover(self, cell: Cell | None) -> None:
        """The mouse is over this cell (None: over none)."""
        self.hovered.emit(cell)

    def _show(self, cell: Cell | None) -> None:
        if cell != self._cell:
            self._cell = cell
            self.changed.emit(cell)
