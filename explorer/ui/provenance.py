"""Lights up, for the chosen number, where it comes from and what it reaches."""

from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.attention.cost import is_large
from explorer.attention.places import is_there
from explorer.attention.provenance import reach, source_regions
from explorer.attention.region import Region
from explorer.attention.trace import STAGE, Cell
from explorer.document import Document
from explorer.scene import MATRICES, Scene
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.inputs import Inputs
from explorer.ui.panels.overlay import Marks
from explorer.ui.pipeline import Pipeline
from explorer.ui.selection import Selection

HOVER_MS = 40  # the mouse only passing over a cell lights up nothing
MOST_CELLS = 4096  # marked one by one in a grid; the rest of a huge matrix is out of sight anyway


class Provenance(QObject):
    """Between the Selection, the panels and the grids: who was clicked, and which cells bear a frame.

    `shown(cell)` is emitted when another number is lit up: the chosen one, or the one under the mouse.
    """

    shown = Signal(object)  # Cell or None

    def __init__(self, document: Document, selection: Selection, pipeline: Pipeline, inputs: Inputs) -> None:
        super().__init__(pipeline)
        self._document, self._selection = document, selection
        self._pipeline, self._inputs = pipeline, inputs
        self._hovered: Cell | None = None
        self._marked: Cell | None = None
        self._rest = QTimer(self, singleShot=True, interval=HOVER_MS)
        self._rest.timeout.connect(self._show)
        selection.changed.connect(lambda _cell: self._show())
        selection.hovered.connect(self._on_hover)
        document.changed.connect(self._on_changed)
        pipeline.cell_clicked.connect(self._on_clicked)
        pipeline.cell_hovered.connect(selection.hover)
        inputs.for_each_grid(self._follow)

    def _follow(self, grid: MatrixGrid) -> None:
        grid.cell_activated.connect(lambda row, col: self._on_clicked(Cell(grid.name, None, row, col)))

    def _on_clicked(self, cell: Cell) -> None:
        """A source or a dependent of the chosen number continues the walk; anything else begins a new one."""
        if not self._exists(cell):  # of a panel that shows another scene than the Document's: the lab's A
            return
        chosen = self._selection.cell
        if chosen is not None and (self._is_before(cell, chosen) or self._is_before(chosen, cell)):
            self._selection.walk(cell)
        else:
            self._selection.select(cell)

    def _is_before(self, cell: Cell, later: Cell) -> bool:
        try:
            return any(region.holds(cell) for region in source_regions(self._document.scene, later))
        except (
            ValueError
        ):  # it is gone with its row or column; a grid may say so before `_on_changed` hears of it
            return False

    def _on_hover(self, cell: Cell | None) -> None:
        self._hovered = cell if cell is not None and self._exists(cell) else None
        self._rest.start()

    def forget_hover(self) -> None:
        """Light up what is chosen, wherever the mouse is."""
        self._hovered = None
        self._rest.stop()
        self._show()

    def _exists(self, cell: Cell) -> bool:
        return is_there(self._document.scene, cell)

    def _on_changed(self, old: Scene, new: Scene) -> None:
        self._hovered = None
        if self._selection.cell is not None and not self._exists(self._selection.cell):
            self._selection.select(None)  # gone with its row, column, head or matrix
        if structure(old) != structure(new):
            self._show(force=True)

    def _show(self, force: bool = False) -> None:
        cell = self._hovered or self._selection.cell
        if cell is not None and not self._exists(cell):
            cell = None  # whoever chose it has not heard of the newest scene yet
        if cell == self._marked and not force:
            return
        self._marked = cell
        sources: tuple[Region, ...] = ()
        reached: list[Region] = []
        if cell is not None:
            sources = source_regions(self._document.scene, cell)
            if not is_large(self._document.scene):  # there a row of regions would be a row of the mask
                after = reach(self._document.scene, cell).values()
                reached = [region for regions in after for region in regions]
        self._mark_panels(cell, sources, reached)
        self._mark_grids(cell, sources, reached)
        self.shown.emit(cell)

    def _mark_panels(self, cell: Cell | None, sources: Iterable[Region], reached: Iterable[Region]) -> None:
        before, after = _by_panel(sources), _by_panel(reached)
        chosen = self._selection.cell
        selected = {}
        for each in (chosen, cell):
            if each is not None and each.place in STAGE:
                selected[_panel_name(each.place, each.head)] = (each.row, each.col)
        self._pipeline.set_marks(
            {
                name: Marks(selected.get(name), tuple(before[name]), tuple(after[name]))
                for name in {*before, *after, *selected}
            }
        )

    def _mark_grids(self, cell: Cell | None, sources: Iterable[Region], reached: Iterable[Region]) -> None:
        before, after = _by_grid(sources), _by_grid(reached)
        for name, section in self._inputs.sections.items():
            selected = frozenset({(cell.row, cell.col)} if cell is not None and cell.place == name else ())
            section.grid.set_marks(selected, before[name], after[name])


def structure(scene: Scene) -> tuple[object, ...]:
    """What sources and dependents depend on; the numbers themselves are not part of it."""
    shapes = tuple(None if (table := scene.table(name)) is None else table.shape for name in MATRICES)
    return shapes, scene.heads, scene.groups, id(scene.mask), scene.mask_fill, id(scene.position), scene.dtype


def _panel_name(place: str, head: int | None) -> str:
    return f"panel_{place}" + ("" if head is None else f"_{head + 1}")


def _by_panel(regions: Iterable[Region]) -> dict[str, list[tuple[range, range]]]:
    found: dict[str, list[tuple[range, range]]] = defaultdict(list)
    for region in regions:
        if region.place in STAGE:
            found[_panel_name(region.place, region.head)] += _frames(region)
    return found


def _frames(region: Region) -> list[tuple[range, range]]:
    """The region's rectangles, those that continue the one above joined with it."""
    frames: list[tuple[range, range]] = []
    for top, left, height, width in region.rectangles():
        rows, cols = range(top, top + height), range(left, left + width)
        above = next((f for f in frames if f[1] == cols and f[0].stop == top), None)
        if above is not None:
            frames.remove(above)
            rows = range(above[0].start, rows.stop)
        frames.append((rows, cols))
    return frames


def _by_grid(regions: Iterable[Region]) -> dict[str, frozenset[tuple[int, int]]]:
    found: dict[str, frozenset[tuple[int, int]]] = defaultdict(frozenset)
    for region in regions:
        if region.place in MATRICES and len(region.rows) * len(region.cols) <= MOST_CELLS:
            found[region.place] |= {(cell.row, cell.col) for cell in region.cells()}
    return found
