"""The picture of a Scene that no window shows, into a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QWidget

from explorer.attention.trace import Trace
from explorer.scene import Scene
from explorer.ui import language, picture, theme
from explorer.ui.maps import StillMaps
from explorer.ui.panels import PANELS, lettering
from explorer.ui.panels.frame import Geometry
from explorer.ui.panels.map import MapPanel
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.view import TraceView
from explorer.ui.picture import MARGIN, Look, Picture
from explorer.ui.pipeline import Pipeline

USUAL = Look()
WIDTH = 1600  # pixels of the pipeline where no size is asked for


@contextmanager
def drawing(lang: str) -> Iterator[None]:
    """For the length of a block there is what is needed to draw, speaking `lang`; no window is opened."""
    app = QApplication.instance() or QApplication(["attention-explorer"])
    language.speak(lang)
    language.apply()
    try:
        yield
    finally:
        language.speak("")
        language.apply()
        del app  # kept until here: without it nothing can be drawn


def render(
    scene: Scene,
    trace: Trace,
    out: Path,
    stage: str | None = None,
    head: int | None = None,
    look: Look = USUAL,
) -> None:
    """Write the picture of a scene and its trace to `out`, a name that ends in .png, .svg or .pdf.

    `stage` and `head` (from 0) choose one panel; a head without a stage chooses one row of the pipeline.
    Needs a QApplication, such as `drawing` gives. Raises what `picture.write` does.
    """
    with theme.using(look.colours):
        drawn, widget = (
            _pipeline(scene, trace, head, look.size)
            if stage is None
            else _panel(scene, trace, stage, head, look.size)
        )
    try:
        picture.write(drawn, look, out)
    finally:
        delete(widget)


def laid_out(scene: Scene, trace: Trace, width: int, head: int | None = None) -> Pipeline:
    """A pipeline that no window shows, so many logical pixels wide; `delete` it after use."""
    pipeline, maps = placed(scene, trace, width, head)
    maps.draw(list(pipeline.panels.values()), trace)
    return pipeline


def placed(scene: Scene, trace: Trace, width: int, head: int | None = None) -> tuple[Pipeline, StillMaps]:
    """Likewise; the panels of a large scene are yet to be made, and to have their maps drawn."""
    pipeline = Pipeline()
    pipeline.beside = False
    pipeline.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    pipeline.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    pipeline.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    pipeline.resize(width, 200)
    pipeline.show()
    maps = StillMaps()
    if trace.large is not None:
        pipeline.use_maps(maps)
    pipeline.set_scene(scene)
    pipeline.show_trace(trace)
    pipeline.show_head(head)
    return pipeline, maps


def delete(widget: QWidget) -> None:
    """Now, not when the event loop runs: there may be none."""
    widget.hide()
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(widget, QEvent.Type.DeferredDelete.value)


def _pipeline(
    scene: Scene, trace: Trace, head: int | None, size: tuple[int, int] | None
) -> tuple[Picture, QWidget]:
    pipeline = laid_out(scene, trace, (WIDTH if size is None else size[0]) - picture.EDGE, head)
    return replace(picture.of_pipeline(pipeline), type_scale=1.0), pipeline


def _panel(
    scene: Scene, trace: Trace, stage: str, head: int | None, size: tuple[int, int] | None
) -> tuple[Picture, QWidget]:
    kind = next(kind for kind in PANELS if kind.name == stage)
    head = None if kind.stage.per == "scene" else head or 0
    rows, cols = kind.shape(scene)
    left = lettering.labels_width(kind.row_labels(scene))
    longest, lying, standing = lettering.column_room(kind.column_labels(scene))
    around = (left + 2 * MARGIN, lettering.title_height() + standing + lettering.foot_height() + 2 * MARGIN)
    cell = (64.0, 44.0) if max(rows, cols) <= 32 else (max(2.0, 1200 / max(rows, cols)),) * 2
    if trace.large is not None:
        cell = (max(96.0, min(1200.0, cols)) / cols, max(96.0, min(1200.0, rows)) / rows)
    if size is not None:
        cell = (max(0.2, (size[0] - around[0]) / cols), max(0.2, (size[1] - around[1]) / rows))
    top = lettering.title_height() + (lying if longest <= cell[0] else standing)
    grown = max(1.0, min(cell[1] / 26, cell[0] / 46, 3.0))
    title = lettering.title_width(kind, scene, head)
    maps = StillMaps()
    panel = Panel(kind, head, scene)
    if trace.large is not None:
        panel = MapPanel(kind, head, scene, maps.refresh, maps.span_of)
    panel.set_scene(scene, Geometry(cell, left, top, lettering.foot_height(), title, grown))
    panel.show_view(TraceView(trace))
    panel.resize(panel.sizeHint())
    maps.draw([panel], trace)
    return replace(picture.of_panel(panel), type_scale=1.0), panel
