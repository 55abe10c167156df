"""Has the maps of large heads drawn: coarse at once, exact when the hand rests; one computation at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.attention.places import shape_of
from explorer.attention.trace import STAGE, Trace
from explorer.attention.windows import Tiles, Window
from explorer.engine import Aside, Engine
from explorer.patience import GoingOn, go_on
from explorer.scene import Scene
from explorer.ui.panels.heatmap import Levels
from explorer.ui.panels.map import MapPanel, standing_in
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.view import TraceView
from explorer.ui.pipeline import Pipeline

REST_MS = 150  # so long without another trace or another view, and the exact pictures begin
USUAL = 0.99  # of the weights have a colour of their own; the first rows of a causal mask would make all others pale
FULL = 0.5  # where those reach that far, the map ends at 1, as everywhere


class Place(Protocol):
    """Where maps are seen: in the pipeline, on the presenter's screen."""

    @property
    def maps(self) -> list[MapPanel]:
        """Those there are."""

    @property
    def view(self) -> TraceView | None:
        """The trace that they show."""


class Drawn(NamedTuple):
    """What Maps have drawn of a trace."""

    trace: Trace | None
    pool: str
    tiles: Mapping[Window, Tiles]
    spans: Mapping[str, Levels]


class Maps(QObject):
    """Between maps, which say what they want, and the Engine, whose worker does it."""

    progress = Signal(object)  # how far the work under way is, from 0 to 1; None: there is none
    coarse_changed = Signal(bool)  # whether a picture in view is only a sketch
    found = Signal(object)  # Strongest

    def __init__(self, engine: Engine, pipeline: Pipeline, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._pipeline = engine, pipeline
        self._place: Place = pipeline
        self._trace: Trace | None = None
        self._pool = "max"
        self._tiles: dict[Window, Tiles] = {}  # of this trace, as far as they are wanted
        self._spans: dict[str, Levels] = {}
        self._given: dict[Window, tuple[Tiles, int]] = {}
        self._searching = self._sketching = self._stopped = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._sketch)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._fill)
        pipeline.use_maps(self)
        pipeline.shown.connect(self.on_shown)
        for signal in (
            pipeline.relaid,
            pipeline.verticalScrollBar().valueChanged,
            pipeline.horizontalScrollBar().valueChanged,
        ):
            signal.connect(lambda *_: self.refresh())

    # ---- what is wanted ----

    @property
    def pool(self) -> str:
        """What a tile shows of its cells: "max" or "mean"."""
        return self._pool

    def set_pool(self, pool: str) -> None:
        """Show the largest, or the mean, of each tile's cells."""
        if pool != self._pool:
            self._pool = pool
            self._tiles.clear()
            self._spans.clear()
            self.refresh()

    def span_of(self, kind: str) -> Levels:
        """The ends of the colour map for all maps of a kind: what was seen so far of its numbers."""
        return self._spans.get(kind, Levels(0.0, 1.0) if STAGE[kind].colours == "unit" else Levels(-1.0, 1.0))

    def refresh(self) -> None:
        """The view, or the trace, is another."""
        self._stopped = False
        self._soon.start()

    @property
    def drawn(self) -> Drawn:
        """What there is, for `go_on_from`."""
        return Drawn(self._trace, self._pool, dict(self._tiles), dict(self._spans))

    def go_on_from(self, drawn: Drawn) -> None:
        """Show what the maps of another window have drawn, as far as it is of the same trace."""
        view = self._place.view
        if view is not None and view.trace is drawn.trace and drawn.pool == self._pool:
            self._trace = drawn.trace
            self._tiles, self._spans = dict(drawn.tiles), dict(drawn.spans)
            for panel in self.panels:
                for window, tiles in drawn.tiles.items():
                    if (panel.kind.name, panel.head) == (window.stage, window.head):
                        panel.give(tiles)
            self._given = self._states()
        self.refresh()

    def look_at(self, place: Place | None) -> None:
        """Draw the maps of this place instead; None: those of the pipeline again."""
        self._place = place or self._pipeline
        self.refresh()

    def on_shown(self) -> None:
        """Another trace: its sketch before the next one is computed."""
        self._stopped = False
        if self._trace is not None or self._pipeline.view.trace.large is not None:
            self._sketch()

    @property
    def panels(self) -> list[MapPanel]:
        """The maps there are."""
        return self._place.maps

    def stop(self) -> None:
        """What is under way is enough."""
        self._stopped = True
        self._rest.stop()
        self._end()

    def go_on(self) -> None:
        """After all, the exact pictures."""
        self._stopped = False
        self._fill()

    def search_strongest(self, head: int) -> None:
        """Look for the largest weight of a head; `found` says where it is."""
        trace = self._trace
        if trace is None:
            return
        strongest = _tiles_module().Strongest(trace.large, head)
        self._searching, self._sketching = (
            True,
            False,
        )  # it takes the place of a sketch, and is followed by the rest
        self._rest.stop()
        self.progress.emit(0.0)
        self._engine.aside(Aside(strongest.search(), lambda part: self._on_searched(strongest, part)))

    def give_up_search(self) -> None:
        """Something else was chosen meanwhile: nobody wants to be taken from there."""
        if self._searching:
            self._searching = False
            self._engine.aside(None)
            self.progress.emit(None)
            self.refresh()

    def _on_searched(self, strongest: Any, part: float | None) -> None:
        self.progress.emit(part)
        if part is None:
            self._searching = False
            self.found.emit(strongest)
            self._fill()

    # ---- the work ----

    def _sketch(self) -> None:
        """What is wanted and not there yet, coarsely; after a while exactly."""
        view = self._place.view
        trace = None if view is None else view.trace
        if trace is None or trace.large is None:
            self._end()
            return
        if trace is not self._trace:
            self._trace = trace
            self._tiles.clear()  # not the spans: in any others what is still seen would not be recognized
            self._searching = self._sketching = False
        self._want()
        missing = [tiles for tiles in self._tiles.values() if tiles.is_blank]
        if missing and not self._searching:
            self._sketching = True
            self._run(lambda: _tiles_module().sketch(trace.large, missing), coarse=True)
        self._tell_coarse()
        self._rest.start()

    def _want(self) -> None:
        """Keep what is wanted, forget the rest."""
        wanted: dict[Window, Tiles] = {}
        for panel in self.panels:
            panel.pool = self._pool
            windows = panel.wanted()
            if len(windows) == 1:
                panel.forget_detail()
            for window in windows:
                wanted[window] = self._tiles.get(window) or Tiles(window)
                if not wanted[window].is_blank:
                    panel.give(wanted[window])
        self._tiles = wanted

    def _fill(self) -> None:
        trace = self._trace
        if trace is None or self._engine.busy or self._searching or self._sketching or self._stopped:
            return  # after a search or a sketch it comes by itself
        rough = [tiles for tiles in self._tiles.values() if not tiles.is_done]
        if rough:
            self._run(lambda: _tiles_module().fill(trace.large, rough), coarse=False)

    def _run(self, work: Callable[[], Iterator[float]], coarse: bool) -> None:
        if not coarse:
            self.progress.emit(0.0)
        self._engine.aside(Aside(work(), lambda part: self._on_slice(part, coarse), urgent=coarse))

    def _on_slice(self, part: float | None, coarse: bool) -> None:
        self._hand_out()
        self.progress.emit(None if coarse else part)
        self._tell_coarse()
        if coarse and part is None:
            self._sketching = False
            if not self._rest.isActive():
                self._fill()

    def _end(self) -> None:
        self._engine.aside(None)
        self._searching = self._sketching = False
        self.progress.emit(None)
        self._tell_coarse()

    def _hand_out(self) -> None:
        """Give the maps what has changed, and all of a kind another scale of colours if need be."""
        states = self._states()
        changed = {window for window, state in states.items() if self._given.get(window) != state}
        self._given = states
        scaled = {kind for kind in {window.stage for window in changed} if self._rescale(kind)}
        for panel in self.panels:
            for window in changed:
                if (panel.kind.name, panel.head) == (window.stage, window.head) and not self._tiles[
                    window
                ].is_blank:
                    panel.give(self._tiles[window])
            if panel.kind.name in scaled:
                panel.update()

    def _rescale(self, kind: str) -> bool:
        """Whether the ends of a kind's map are others now."""
        assert self._trace is not None
        span = span_over(self._trace.scene, kind, self._tiles.values())
        if span == self._spans.get(kind):
            return False
        self._spans[kind] = span
        return True

    @property
    def is_stopped(self) -> bool:
        """Whether somebody had enough of it before the end."""
        return self._stopped

    @property
    def is_coarse(self) -> bool:
        """Whether a picture in view is only a sketch: also where the exact one is computed and not yet given."""
        states = self._states()
        given = all(self._given.get(window) == state for window, state in states.items())
        return (
            self._soon.isActive()
            or not given
            or any(not tiles.is_done for tiles, _version in states.values())
        )

    def _states(self) -> dict[Window, tuple[Tiles, int]]:
        """Every window's tiles, and how many times they have changed."""
        return {window: (tiles, tiles.version) for window, tiles in self._tiles.items()}

    def _tell_coarse(self) -> None:
        self.coarse_changed.emit(self.is_coarse)


class StillMaps:
    """Maps of what no window shows, or not all of it: every tile exactly, while whoever asked waits."""

    def __init__(self) -> None:
        self._spans: dict[str, Levels] = {}
        self._tiles: dict[MapPanel, list[Tiles]] = {}  # from behind
        self._is_made = False
        self._one_at_a_time = Lock()

    def refresh(self) -> None:
        """Nothing moves here."""

    def span_of(self, kind: str) -> Levels:
        """As `Maps.span_of`."""
        return self._spans[kind] if kind in self._spans else Levels(-1.0, 1.0)

    def make(self, panels: Sequence[Panel], trace: Trace) -> Iterator[object]:
        """Part by part the pictures of these panels, which show `trace`; once. For any thread."""
        with self._one_at_a_time:
            if not self._is_made:
                maps = [panel for panel in panels if isinstance(panel, MapPanel)]
                tiles = {panel: [Tiles(window) for window in reversed(panel.needed())] for panel in maps}
                if tiles:
                    every = [each for own in tiles.values() for each in own]
                    yield from _tiles_module().fill(trace.large, every)
                for kind in {panel.kind.name for panel in maps}:
                    whole = (own[0] for own in tiles.values())
                    self._spans[kind] = span_over(trace.scene, kind, whole)
                self._tiles = tiles
                self._is_made = True

    def standing_in(self) -> AbstractContextManager[None]:
        """In force while these panels are drawn as what was made, whatever they show on the screen."""
        return standing_in(self._tiles, self._spans)

    def draw(self, panels: Sequence[Panel], trace: Trace, going_on: GoingOn = go_on) -> None:
        """Give these panels, which show `trace`, their pictures; perhaps beside the window's thread."""
        for _part in self.make(panels, trace):
            going_on()
        for panel, own in self._tiles.items():
            panel.overview, panel.detail = own[0], own[1] if len(own) > 1 else None


def span_over(scene: Scene, kind: str, tiles: Iterable[Tiles]) -> Levels:
    """The ends of a kind's map, from pictures of whole heads if there are any: what one has zoomed into then keeps
    the colours that it had.
    """
    whole, parts = [], []
    for each in tiles:
        window = each.window
        if window.stage == kind:
            known = np.abs(each.values[np.isfinite(each.values) & ~each.hidden])
            everywhere = (len(window.rows), len(window.cols)) == shape_of(scene, kind)
            (whole if everywhere else parts).append(known)
    values = np.concatenate(whole or parts)
    largest = float(values.max(initial=0.0))
    if STAGE[kind].colours == "signed":
        return Levels(-largest, largest) if largest else Levels(-1.0, 1.0)
    usual = float(np.quantile(values, USUAL)) if values.size else 1.0
    full = usual >= FULL or not usual
    return Levels(0.0, 1.0 if full else usual, beyond=not full and largest > usual)


def _tiles_module() -> Any:
    """Brings torch, which is there long since: a trace is."""
    return import_module("explorer.attention.tiles")
