"""The pipeline: every panel in the order the data flows, one row per head, in a scrolling canvas."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from explorer.attention.cost import is_large
from explorer.attention.trace import Trace
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.canvas import Canvas
from explorer.ui.painting import saved
from explorer.ui.panels import PANELS, lettering, vector
from explorer.ui.panels.frame import Geometry
from explorer.ui.panels.geometry import head_height, resolve
from explorer.ui.panels.heatmap import AIR
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.panels.map import MapPanel
from explorer.ui.panels.measures import Box, Metrics, Section, narrowest
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.together import prepare_in_turns, show_together
from explorer.ui.panels.view import TraceView, face_of
from explorer.ui.preferences import preferences
from explorer.ui.turns import turns

if TYPE_CHECKING:
    from explorer.ui.maps import Maps, StillMaps

AT_ONCE = 16  # panels of a large scene that are made in one go
STALE_MS = 120  # a computation shorter than this is not worth a flicker


class Pipeline(QScrollArea):
    """Shows a Scene's panels at once and a Trace's numbers when they come. Knows no Document and no Engine."""

    cell_clicked = Signal(object)  # Cell
    cell_pressed = Signal(object)  # Cell: with the mouse or with Enter
    cell_hovered = Signal(object)  # Cell or None
    cover_clicked = Signal(object)  # Cell
    menu_asked = Signal(object, object)  # Panel, and where on the screen
    relaid = Signal()  # panels came, went or moved
    shown = Signal()  # a trace
    head_changed = Signal(object)  # the head that fills the canvas, from 0; None: all

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pipeline")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._canvas = Canvas(self)
        self.setWidget(self._canvas)
        self._before_panels = QWidget(self)  # never seen: Tab comes to the panels, which come and go, here
        self._before_panels.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._before_panels.hide()
        self._panels: dict[str, Panel] = {}
        self._missing: list[str] = []  # panels that are yet to be made, the lowest first
        self._places: dict[str, tuple[QRect, Geometry]] = {}
        self._sections_now: list[Section] = []
        self._measured: tuple[object, ...] = ()  # what they are of
        self._marks: Mapping[str, Marks] = {}
        self._waits = False  # to be laid out in a later turn of the event loop
        self._making = False  # some of them in the next turn of the event loop
        self._scene: Scene | None = None
        self._view: TraceView | None = None
        self._pointed: Mapping[str, tuple[tuple[range, range], ...]] = {}
        self._face: tuple[object, ...] = ()
        self._key: tuple[object, ...] = ()
        self._maps: Maps | StillMaps | None = None
        self._only: int | None = None
        self._zoom = 1.0
        self._laid_in = QSize()  # what `_room` was for the layout
        self.beside = True  # heads may stand side by side; else each begins a strip of its own
        self._stale = QTimer(self, singleShot=True, interval=STALE_MS)
        self._stale.timeout.connect(lambda: self._mark_stale(True))
        self._type_size = theme.ui_size()
        theme.watcher().changed.connect(self._on_theme)
        preferences().changed.connect(self._on_preference)

    # ---- what is shown ----

    @property
    def view(self) -> TraceView | None:
        """The trace that is shown."""
        return self._view

    @property
    def maps(self) -> list[MapPanel]:
        """The panels that are maps: all those of a large scene."""
        return [panel for panel in self._panels.values() if isinstance(panel, MapPanel)]

    @property
    def only(self) -> int | None:
        """The head that fills the canvas, from 0; None: all of them."""
        return self._only

    @property
    def zoom(self) -> float:
        """How much larger the cells are than what fits the window's width."""
        return self._zoom

    @property
    def panels(self) -> dict[str, Panel]:
        """All panels by their object names. Those of a large scene that are not made yet are made now."""
        self.finish()
        return self._panels

    @property
    def made(self) -> dict[str, Panel]:
        """Those that are there already; `relaid` says when there are more."""
        return self._panels

    @property
    def is_made(self) -> bool:
        """Whether all of them are there."""
        return not self._missing

    def set_scene(self, scene: Scene) -> None:
        """Lay out the panels of this scene; their numbers follow with `show_trace`."""
        self._lay_out(scene, face_of(scene))

    def _lay_out(self, scene: Scene, face: tuple[object, ...]) -> None:
        self._scene = scene
        if self._only is not None and self._only >= scene.heads:
            self._only = None
            self.head_changed.emit(None)
        if face != self._face:
            self._face = face
            if (key := _layout_key(scene)) != self._key:
                self._key = key
                self.relayout()

    def show_trace(self, trace: Trace) -> None:
        """The numbers of the newest scene."""
        self.show_view(TraceView(trace))

    def show_view(self, view: TraceView) -> None:
        """Likewise, seen in another way than plainly."""
        self._stale.stop()
        self._lay_out(view.trace.scene, view.face)  # no panel of a head that is gone is asked for numbers
        self._view = view
        show_together(self._panels.values(), view)
        self.shown.emit()

    def use_maps(self, maps: "Maps | StillMaps") -> None:
        """Show the heads of large scenes as maps, which `maps` has drawn."""
        self._maps = maps

    def set_busy(self, busy: bool) -> None:
        """A newer scene is being computed: after a moment the old picture pales."""
        if busy:
            self._stale.start()
        else:
            self._stale.stop()

    def mark_failed(self) -> None:
        """The newest scene could not be computed: what is seen is of an older one."""
        self._stale.stop()
        self._mark_stale(True)

    def set_marks(self, marks: Mapping[str, Marks]) -> None:
        """Frames per panel name; panels that are not named lose theirs."""
        self._marks = marks
        for name, panel in self._panels.items():
            panel.set_marks(marks.get(name, Marks()))

    def set_pointed(self, regions: Mapping[str, tuple[tuple[range, range], ...]]) -> None:
        """Double frames per panel name, until others are set; panels that come later get theirs."""
        self._pointed = regions
        for name, panel in self._panels.items():
            panel.set_pointed(regions.get(name, ()))

    def show_head(self, head: int | None) -> None:
        """Give one head the whole canvas, or show all (None)."""
        if head != self._only and (head is None or self._scene is None or head < self._scene.heads):
            self._only = head
            self._zoom = 1.0
            self.relayout()
            self.verticalScrollBar().setValue(0)
            self.head_changed.emit(head)

    def set_zoom(self, zoom: float) -> None:
        """Multiply the size of all cells; 1.0 fits the window's width."""
        if (zoom := min(max(zoom, 0.1), 20.0)) != self._zoom:
            self._zoom = zoom
            self.relayout()

    def zoom_by(self, factor: float) -> None:
        """A step of `set_zoom`."""
        self.set_zoom(self._zoom * factor)

    def bring_into_view(self, name: str) -> None:
        """Scroll so that this panel is seen."""
        if (panel := self.panels.get(name)) is not None:
            self.ensureWidgetVisible(panel, 20, 20)

    def content_size(self) -> QSize:
        """Logical pixels of everything, whether in view or not."""
        return self._canvas.content_size()

    def sections(self) -> list[QRect]:
        """Logical pixels of the strips that belong together: a head's, and those of the joined stages."""
        return self._canvas.sections()

    def render_to(self, painter: QPainter, marks: bool = True) -> Iterator[Panel]:
        """Everything, by any painter, a panel at a time; `marks`: with the frames."""
        self._canvas.render_to(painter)
        most = vector.MOST_CELLS // max(1, len(self.panels))
        for panel in list(self.panels.values()):
            with saved(painter):
                painter.translate(panel.pos())
                panel.render_to(painter, marks, most)
            yield panel

    # ---- layout ----

    def relayout(self, paint_later: bool = True) -> None:
        """Build, move and size the panels for the scene, the window and the theme.

        Those of a large scene are painted in a later turn of the event loop, unless `paint_later` is False.
        """
        scene = self._scene
        if scene is None:
            return
        self._type_size = theme.ui_size()
        self._waits = False
        if (
            is_large(scene) and paint_later and self.viewport().updatesEnabled()
        ):  # else all around waits as well
            turns().hold(self.viewport())
        entries = self._entries(scene)
        self._keep_only(set(entries), scene)
        sections = self._sections(scene, entries)
        room = self._laid_in = self._room()
        metrics = self._metrics(scene)
        height = room.height() if self.beside else None
        width = max(narrowest(sections, metrics), room.width() - 8)  # if need be one scrolls to the side
        layout = resolve(sections, metrics, width, self._zoom, height)
        boxes = {box.key: box for section in sections for group in section.groups for box in group}
        usual = theme.ui_size()
        self._places.clear()
        for name in entries:
            rect, box, cell = layout.panels[name], boxes[name], layout.cells[name]
            top = head_height(box, rect, metrics, cell)
            larger = max(1.0, min(cell[0] / metrics.cell[0], 3.0))
            grown = int(usual * larger) / usual  # whole pixels, not more
            geometry = Geometry(cell, box.labels, top, metrics.foot, box.title, grown)
            self._places[name] = QRect(rect.x, rect.y, rect.w, rect.h), geometry
            if name in self._panels:
                self._place(name, scene)
        self._canvas.set_layout(scene, layout, self._section_heads(scene), metrics)
        self._missing = sorted(set(entries) - set(self._panels), key=lambda name: -layout.panels[name].y)
        self._make_some(0 if is_large(scene) else len(entries))

    def _room(self) -> QSize:
        """Logical pixels for the layout: the same with a scroll bar and without, or each would ask for the other."""
        room = self.maximumViewportSize()
        if self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded:
            room.setWidth(room.width() - self.verticalScrollBar().sizeHint().width())
        return room

    def finish(self) -> None:
        """Make all panels that are still missing, now."""
        if self._missing:
            self._make_some(len(self._missing))

    def _make_some(self, most: int) -> None:
        """So many of the panels that are missing, from above; the others when there is time."""
        scene = self._scene
        assert scene is not None
        entries = self._entries(scene)
        for _ in range(min(most, len(self._missing))):
            name = self._missing.pop()
            self._panels[name] = self._made(name, *entries[name], scene)
            self._place(name, scene)
        if self._missing and not self._making:
            self._making = True
            turns().add(self, self._make_more)
        if not self._missing:
            self._panels = {name: self._panels[name] for name in entries}
            self._set_tab_order(self._sections_now)
        if is_large(scene):
            prepare_in_turns(self._panels.values(), self.window())
        self.relaid.emit()

    def _make_more(self) -> None:
        self._making = False
        if self._missing:
            self._make_some(AT_ONCE)

    def _place(self, name: str, scene: Scene) -> None:
        panel, (rect, geometry) = self._panels[name], self._places[name]
        panel.set_scene(scene, geometry)
        panel.setGeometry(rect)
        panel.show()

    def _entries(self, scene: Scene) -> dict[str, tuple[StagePanel, int | None]]:
        """The panels wanted now: object name → kind and head."""
        hidden = preferences().hidden_panels
        wanted = {}
        for kind in PANELS:
            if kind.name in hidden or not kind.present(scene):
                continue
            for head in kind.heads(scene):
                if head is None or self._only is None or self._belongs(kind, scene, head):
                    wanted[f"panel_{kind.name}" + ("" if head is None else f"_{head + 1}")] = (kind, head)
        return wanted

    def _belongs(self, kind: StagePanel, scene: Scene, head: int) -> bool:
        assert self._only is not None
        own = scene.kv_head(self._only) if kind.stage.per == "kv_head" else self._only
        return head == own

    def _keep_only(self, names: set[str], scene: Scene) -> None:
        as_maps = self._maps is not None and is_large(scene)
        other = {name for name, panel in self._panels.items() if isinstance(panel, MapPanel) != as_maps}
        for name in set(self._panels) - names | other:
            panel = self._panels.pop(name)
            panel.hide()
            panel.setObjectName("")  # it lives on until the event loop runs, and must not be found
            panel.deleteLater()

    def _made(self, name: str, kind: StagePanel, head: int | None, scene: Scene) -> Panel:
        panel = self._new_panel(kind, head, scene)
        panel.cell_clicked.connect(self.cell_clicked)
        panel.cell_pressed.connect(self.cell_pressed)
        panel.cell_hovered.connect(self.cell_hovered)
        panel.cover_clicked.connect(self.cover_clicked)
        panel.enlarge_asked.connect(self._toggle_head)
        panel.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        panel.customContextMenuRequested.connect(self._on_menu)
        if self._view is not None and self._view.trace.scene is scene:
            panel.show_view(self._view)
        panel.set_marks(self._marks.get(name, Marks()))
        panel.set_pointed(self._pointed.get(name, ()))
        return panel

    def _new_panel(self, kind: StagePanel, head: int | None, scene: Scene) -> Panel:
        maps = self._maps if is_large(scene) else None
        if maps is None:
            return Panel(kind, head, scene, self._canvas)
        return MapPanel(kind, head, scene, maps.refresh, maps.span_of, self._canvas)

    def _on_menu(self, at: QPoint) -> None:
        panel = self.sender()
        self.menu_asked.emit(panel, panel.mapToGlobal(at))

    def _toggle_head(self, head: int) -> None:
        self.show_head(None if head < 0 or head == self._only else head)

    def _section_heads(self, scene: Scene) -> list[int | None]:
        """The head of each section; None for input and joined."""
        heads: list[int | None] = list(range(scene.heads)) if self._only is None else [self._only]
        shown = {
            kind.group
            for kind in PANELS
            if kind.name not in preferences().hidden_panels and kind.present(scene)
        }
        first: list[int | None] = [None] if "input" in shown else []
        middle = heads if shown & {"projections", "attention"} else []
        last: list[int | None] = [None] if "joined" in shown else []
        return [*first, *middle, *last]

    def _sections(self, scene: Scene, entries: Mapping[str, tuple[StagePanel, int | None]]) -> list[Section]:
        """Measured once for a scene: most often it is the room that has changed."""
        key = scene, self._only, tuple(entries), theme.ui_size()
        if key != self._measured:
            self._measured = key
            self._sections_now = self._measure(scene, entries)
        return self._sections_now

    def _measure(self, scene: Scene, entries: Mapping[str, tuple[StagePanel, int | None]]) -> list[Section]:
        kinds = {kind for kind, _head in entries.values()}
        rooms = {kind: _room_for(kind, scene) for kind in kinds}  # the same for every head
        found: dict[tuple[str, int | None], list[Box]] = defaultdict(list)
        for name, (kind, head) in entries.items():
            row = head if head is None else kind.row_of(scene, head) if self._only is None else self._only
            found[kind.group, row].append(rooms[kind](name, lettering.title_width(kind, scene, head)))

        def boxes(group: str, row: int | None) -> tuple[Box, ...]:
            return tuple(found[group, row])

        rows = range(scene.heads) if self._only is None else [self._only]
        wanted = [
            ([boxes("input", None)], False),
            *(([boxes("projections", head), boxes("attention", head)], True) for head in rows),
            ([boxes("joined", None)], False),
        ]
        filled = [(tuple(group for group in groups if group), beside) for groups, beside in wanted]
        return [Section(groups, beside) for groups, beside in filled if groups]

    def _metrics(self, scene: Scene) -> Metrics:
        font = QFontMetrics(theme.ui_font())
        decimals = preferences().decimals
        number = font.horizontalAdvance("−0" + "." * bool(decimals) + "0" * decimals)
        return Metrics(
            cell=(number + 10, font.height() + 12),
            tight=number + AIR,
            title=lettering.title_height(),
            foot=lettering.foot_height() + 10,
            gap=font.height() + 5,
            margin=self.margin(scene),
            section_gap=font.height() + 4,
        )

    def margin(self, scene: Scene) -> int:
        """Logical pixels at the left for the head's name; more than one head needs one."""
        font = QFontMetrics(theme.ui_font())
        texts = (self.tr("head {number}").format(number=88), "d_k = 888", self.tr("joined"))
        return max(font.horizontalAdvance(text) for text in texts) + 14

    def _set_tab_order(self, sections: Sequence[Section]) -> None:
        """As one reads, row by row, after what comes before the pipeline."""
        before = self._before_panels
        for box in (box for section in sections for group in section.groups for box in group):
            QWidget.setTabOrder(before, self._panels[box.key])
            before = self._panels[box.key]

    def _mark_stale(self, stale: bool) -> None:
        for panel in self._panels.values():
            panel.set_stale(stale)

    def _on_theme(self) -> None:
        if theme.ui_size() != self._type_size:
            self._relayout_soon()
        elif self._scene is not None and is_large(self._scene):
            prepare_in_turns(self._panels.values(), self.window())
        self._canvas.update()
        for panel in self._panels.values():
            panel.update()

    def _on_preference(self, name: str) -> None:
        if name in ("hidden_panels", "decimals"):
            self.relayout()
            for panel in self._panels.values():
                panel.update()

    # ---- events ----

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room, before = self._room(), self._laid_in
        taller = self.beside and self._several and room.height() != before.height()
        if room.width() == before.width() and not taller:
            self._canvas.fit()
        elif self.updatesEnabled():
            self.relayout(paint_later=False)  # a part of the window that is new would stay empty meanwhile
        else:
            self._relayout_soon()

    def _relayout_soon(self) -> None:
        """For what comes in steps, such as other clothes: a large scene is laid out once they are all done."""
        if self._scene is None or not is_large(self._scene):
            self.relayout()
        elif not self._waits:
            self._waits = True
            if self.viewport().updatesEnabled():
                turns().hold(self.viewport())
            turns().add(self, self._relayout_now)

    def _relayout_now(self) -> None:
        if self._waits:
            self.relayout(paint_later=False)

    @property
    def _several(self) -> bool:
        return self._only is None and self._scene is not None and self._scene.heads > 1

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if event.angleDelta().y():
                self.zoom_by(1.15 if event.angleDelta().y() > 0 else 1 / 1.15)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._only is not None:
            self.show_head(None)
        else:
            super().keyPressEvent(event)


def _layout_key(scene: Scene) -> tuple[object, ...]:
    """What the layout depends on: an edit of a number leaves it alone."""
    kinds = tuple(
        (kind.name, kind.shape(scene), kind.formula(scene, 0)) for kind in PANELS if kind.present(scene)
    )
    tokens = scene.tokens, scene.context_tokens
    return scene.heads, scene.groups, tokens, scene.position.kind, kinds, is_large(scene)


def _room_for(kind: StagePanel, scene: Scene) -> Callable[[str, int], Box]:
    """Makes the box of a panel of a kind from its name and the width of its title."""
    rows, cols = kind.shape(scene)
    labels = lettering.labels_width(kind.row_labels(scene))
    room = lettering.column_room(kind.column_labels(scene))
    return lambda name, title: Box(name, rows, cols, title, labels, *room, kind.flows)
