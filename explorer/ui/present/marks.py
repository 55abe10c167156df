"""Frames on the presenter's panels: the sources of the chosen number that are on the screen."""

from collections.abc import Sequence

from explorer.attention.provenance import source_regions
from explorer.attention.trace import STAGE, Cell
from explorer.scene import Scene
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.panel import Panel
from explorer.ui.present.kinds import MatrixPanel


def marks_of(scene: Scene, cell: Cell, panels: Sequence[Panel]) -> dict[Panel, Marks]:
    """For each panel with something to frame its Marks."""
    regions = source_regions(scene, cell) if cell.place in STAGE else ()
    found: dict[Panel, Marks] = {}
    for panel in panels:
        sources = []
        for region in regions:
            if region.place != panel.kind.name or (region.head or 0) != (_head(panel) or 0):
                continue
            for top, left, height, width in region.rectangles():
                columns = range(left, left + width)
                if isinstance(panel.kind, MatrixPanel):
                    shown = panel.kind.columns(scene, panel.head)
                    columns = range(
                        max(left, shown.start) - shown.start, min(left + width, shown.stop) - shown.start
                    )
                if columns:
                    sources.append((range(top, top + height), columns))
        own = (panel.kind.name, panel.head) == (cell.place, cell.head)
        selected = (cell.row, cell.col) if own else None
        if sources or selected is not None:
            found[panel] = Marks(selected, tuple(sources))
    return found


def _head(panel: Panel) -> int | None:
    return None if isinstance(panel.kind, MatrixPanel) else panel.head
