"""Several panels at once: their pictures are drawn together, which takes less time than one after the other."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from explorer.ui import theme
from explorer.ui.panels.picture import Look, redraw
from explorer.ui.panels.view import TraceView

if TYPE_CHECKING:
    from explorer.ui.panels.panel import Panel

LARGE = 10_000  # cells


def show_together(panels: Iterable["Panel"], view: TraceView) -> None:
    """What `show_view` does, for several panels at once."""
    steady = []
    for panel in panels:
        if panel.take_view(view):
            steady.append(panel)
        else:
            panel.update()
    refresh(steady)


def refresh(panels: Sequence["Panel"]) -> None:
    """Bring the pictures of panels up to date, and have painted what looks different."""
    colours = theme.current()
    alike: dict[tuple[Look, Panel | None], list[Panel]] = defaultdict(list)
    for panel in panels:
        is_large = panel.content().values.size > LARGE  # joined with others it would take longer
        alike[panel.look(colours), panel if is_large else None].append(panel)
    for (look, _), group in alike.items():
        pictures, contents = [panel.picture for panel in group], [panel.content() for panel in group]
        before = [picture.content for picture in pictures]
        changes = redraw(pictures, contents, look)
        for panel, old, new, cells in zip(group, before, contents, changes, strict=True):
            panel.update_cells(cells, bar=old is None or old.span != new.span)
