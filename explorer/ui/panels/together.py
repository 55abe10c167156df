"""Several panels at once: their pictures are drawn together, which takes less time than one after the other."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from explorer.ui import theme
from explorer.ui.panels.picture import Content, Look, redraw
from explorer.ui.panels.view import TraceView
from explorer.ui.turns import turns

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


def prepare_in_turns(panels: Iterable["Panel"], around: QWidget) -> None:
    """If what is `around` them is held, it waits until those in view have drawn what takes long, one per turn of the
    event loop: to paint it takes the less.
    """
    seen = [panel for panel in panels if not panel.visibleRegion().isEmpty()]
    if seen and turns().hold_longer(around):
        for panel in seen:
            turns().add(panel, panel.prepare)


def refresh(panels: Sequence["Panel"]) -> None:
    """Bring the pictures of panels up to date, and have painted what looks different."""
    colours = theme.current()
    alike: dict[tuple[Look, Panel | None], list[tuple[Panel, Content]]] = defaultdict(list)
    for panel in panels:
        content = panel.content()
        is_large = content.values.size > LARGE  # joined with others it would take longer
        alike[panel.look(colours), panel if is_large else None].append((panel, content))
    for (look, _), group in alike.items():
        pictures, contents = [panel.picture for panel, _ in group], [content for _, content in group]
        before = [picture.content for picture in pictures]
        changes = redraw(pictures, contents, look)
        for (panel, new), old, cells in zip(group, before, changes, strict=True):
            panel.update_cells(cells, bar=old is None or old.span != new.span)
