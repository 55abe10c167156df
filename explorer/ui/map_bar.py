"""What one does with the maps of large heads: choose what a tile shows, find a token, jump to the strongest weight."""

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from explorer.attention.cost import is_large
from explorer.attention.trace import STAGE
from explorer.attention.windows import POOLS
from explorer.document import Document
from explorer.engine import Engine
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.boxes import ChoiceBox
from explorer.ui.maps import Maps
from explorer.ui.panels.map import MapPanel
from explorer.ui.pipeline import Pipeline
from explorer.ui.selection import Selection
from explorer.ui.turns import turns

SHOWN_MS = 300  # a computation that takes longer is spoken of


class MapBar(QFrame):
    """A line above the pipeline, for large scenes only."""

    def __init__(
        self,
        document: Document,
        engine: Engine,
        maps: Maps,
        pipeline: Pipeline,
        selection: Selection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("map_bar")
        self._document, self._maps, self._pipeline, self._selection = document, maps, pipeline, selection
        self._engine = engine
        self._working = self._cancelled = False
        self._part = 0.0  # of what is under way
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._soon.timeout.connect(self._show_state)
        self._build()
        self.pool.activated.connect(lambda index: maps.set_pool(POOLS[index]))
        self.strongest.clicked.connect(self._search)
        self.stop.clicked.connect(self._stop_or_go_on)
        maps.progress.connect(self._on_progress)
        maps.coarse_changed.connect(lambda _coarse: self._show_state())
        maps.found.connect(self._on_found)
        selection.changed.connect(lambda _cell: maps.give_up_search())
        engine.busy_changed.connect(self._on_busy)
        engine.cancelled.connect(self._on_cancelled)
        document.changed.connect(lambda _old, new: self._follow(new))
        theme.watcher().changed.connect(self._paint)
        self._paint()
        if not is_large(document.scene):
            self.hide()

    def _build(self) -> None:
        self.pool = ChoiceBox()
        self.pool.setObjectName("map_pool")
        self.pool.addItems([self.tr("largest"), self.tr("mean")])
        self.pool.setAccessibleName(self.tr("What a tile shows of its cells"))
        self.pool.setToolTip(
            self.tr("A tile stands for many cells: it shows the largest of them, or their mean")
        )
        self.find = _Find()
        self.find.setObjectName("map_find")
        self.find.setPlaceholderText(self.tr("Find a token"))
        self.find.setAccessibleName(self.tr("Find a token"))
        self.find.setToolTip(
            self.tr(
                "A token or its number. Enter goes to the next row of that name, Shift+Enter to the next column"
            )
        )
        self.find.setClearButtonEnabled(True)
        self.find.asked.connect(self._find)
        self.strongest = QToolButton(text=self.tr("Strongest weight"))
        self.strongest.setObjectName("map_strongest")
        self.strongest.setToolTip(self.tr("Go to the largest weight of the head"))
        self._said = _Said()
        self._said.setObjectName("map_said")
        self.bar = _Progress()
        self.bar.setObjectName("map_progress")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Exact pictures"))
        self.stop = QToolButton()
        self.stop.setObjectName("map_stop")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 4, 8, 4)
        layout.setSpacing(8)
        tiles = QLabel(self.tr("Tiles:"))
        tiles.setBuddy(self.pool)
        for widget in (tiles, self.pool, self.find, self.strongest):
            layout.addWidget(widget)
        layout.addWidget(self._said, 1)
        layout.addWidget(self.bar)
        layout.addWidget(self.stop)

    @property
    def said(self) -> str:
        """What it says about the last search."""
        return self._said.text()

    def _follow(self, scene: Scene) -> None:
        if is_large(scene) and self.isHidden():  # which takes a while
            turns().add(self, lambda: self.setVisible(is_large(self._document.scene)))
        else:
            self.setVisible(is_large(scene))
        self._hush()

    def _hush(self) -> None:
        self._said.say("")

    # ---- the map that is meant ----

    def target(self) -> MapPanel | None:
        """The map of queries and keys that was last used, else the weights of the first head in view."""
        cell, panels = self._selection.cell, self._maps.panels
        pairs = [panel for panel in panels if STAGE[panel.kind.name].cols == "key"]
        if cell is not None:
            for panel in pairs:
                if (panel.kind.name, panel.head) == (cell.place, cell.head):
                    return panel
        weights = [panel for panel in pairs if panel.kind.name == "weights"] or pairs
        in_view = [panel for panel in weights if not panel.visibleRegion().isEmpty()]
        return next(iter(in_view or weights), None)

    def _go_to(self, panel: MapPanel, row: int, col: int) -> None:
        self._pipeline.bring_into_view(panel.objectName())
        panel.go_to(row, col)

    # ---- finding ----

    def _find(self, columns: bool) -> None:
        panel, wanted = self.target(), self.find.text().strip()
        if panel is None or not wanted:
            return
        scene = self._document.scene
        labels = scene.key_tokens if columns else scene.tokens
        places = _matches(labels, wanted)
        if not places:
            self._said.say(self.tr("no token “{text}”").format(text=wanted))
            return
        cell = self._selection.cell
        inside = cell is not None and (panel.kind.name, panel.head) == (cell.place, cell.head)
        row, col = (cell.row, cell.col) if cell is not None and inside else (-1, -1)
        now = col if columns else row
        number = next((k for k, place in enumerate(places) if place > now), 0)
        place = places[number]
        if not inside:
            row = col = place
        row, col = (row, place) if columns else (place, col)
        self._go_to(panel, min(row, scene.n - 1), min(col, scene.m - 1))
        self.find.setFocus()
        self._said.say(self.tr("{number} of {count}").format(number=number + 1, count=len(places)))

    def _search(self) -> None:
        panel = self.target()
        self._maps.search_strongest(0 if panel is None or panel.head is None else panel.head)

    def _on_found(self, strongest: Any) -> None:
        panel = self._pipeline.panels.get(f"panel_weights_{strongest.head + 1}") or self.target()
        if isinstance(panel, MapPanel):
            self._go_to(panel, strongest.row, strongest.col)
        text = self.tr("{value} · row {row}, column {col}")
        self._said.say(
            text.format(value=f"{strongest.value:.4g}", row=strongest.row + 1, col=strongest.col + 1)
        )

    # ---- progress ----

    def _on_progress(self, part: float | None) -> None:
        self._working = part is not None
        if part is not None:
            self._part = part
        self._show_state()

    def _on_busy(self, busy: bool) -> None:
        if busy:
            self._cancelled = False
            self._soon.start()
        else:
            self._soon.stop()
        if not self._soon.isActive():
            self._show_state()

    def _on_cancelled(self) -> None:
        self._cancelled = True
        self._said.say(self.tr("Not computed"), self.tr("These pictures are of the scene before"))
        self._show_state()

    @property
    def _computing(self) -> bool:
        """A scene is under way, and takes long enough to be spoken of."""
        return self._engine.busy and not self._cancelled and not self._soon.isActive()

    def _show_state(self) -> None:
        """At work: a bar and how to stop it; stopped before the end: how to go on."""
        coarse, computing = self._maps.is_coarse, self._computing
        working = self._working or computing
        self.bar.show_part(None if computing else self._part)
        self.bar.setVisible(working)
        self.stop.setVisible(working or self._cancelled or (coarse and self._maps.is_stopped))
        if computing:
            text, tip = self.tr("Cancel"), self.tr("Keep the pictures of the scene before")
        elif self._cancelled:
            text, tip = self.tr("Compute"), self.tr("Compute this scene after all")
        elif self._working:
            text, tip = self.tr("Stop"), self.tr("The coarse picture is enough")
        else:
            text, tip = self.tr("Exactly"), self.tr("Compute the exact picture")
        if self.stop.text() != text:
            self.stop.setText(text)
            self.stop.setToolTip(tip)

    def _stop_or_go_on(self) -> None:
        if self._computing:
            self._engine.cancel()
        elif self._cancelled:
            self._hush()
            self._engine.start()
        elif self._working:
            self._maps.stop()
        else:
            self._maps.go_on()

    def _paint(self) -> None:
        c = theme.current()
        sheet = (
            f"#map_bar {{ background: {c.surface.name()}; border: none; border-bottom: 1px solid {c.line.name()}; }}"
            f" #map_said {{ color: {c.muted.name()}; }}"
            f" #map_progress {{ background: {c.background.name()}; border: none; border-radius: 3px;"
            f" min-width: 90px; max-width: 140px; max-height: 6px; }}"
            f" #map_progress::chunk {{ background: {c.accent.name()}; border-radius: 3px; }}"
        )
        if sheet != self.styleSheet():  # to set the same one takes as long
            self.setStyleSheet(sheet)


def _matches(labels: tuple[str, ...], wanted: str) -> list[int]:
    """The places of a token: exactly so called; else with that in the name; else the one of that number."""
    exactly = [place for place, label in enumerate(labels) if label == wanted]
    if exactly:
        return exactly
    within = [place for place, label in enumerate(labels) if wanted.casefold() in label.casefold()]
    if not within and wanted.isdecimal() and 1 <= int(wanted) <= len(labels):
        return [int(wanted) - 1]
    return within


class _Progress(QProgressBar):
    """Is painted with all else: by itself a QProgressBar paints at once, and the whole window with it."""

    def show_part(self, part: float | None) -> None:
        """From 0 to 1; None where nobody knows."""
        self.setUpdatesEnabled(False)
        self.setRange(0, 0 if part is None else 1000)
        if part is not None:
            self.setValue(round(part * 1000))
        self.setUpdatesEnabled(True)


class _Said(QLabel):
    """One line, which ends in … where there is no room for all of it: then the tip has it."""

    def __init__(self) -> None:
        super().__init__()
        # What it says must not make the bar, and with it the middle of the window, wider.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def say(self, text: str, tip: str = "") -> None:
        """`tip`: what there is to add."""
        self.setText(text)
        self.setToolTip(tip or text)

    def paintEvent(self, _event: QPaintEvent) -> None:
        area = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, area.width())
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter, area, self.alignment(), self.palette(), self.isEnabled(), text, self.foregroundRole()
            )


class _Find(QLineEdit):
    """Enter asks for rows, Shift+Enter for columns."""

    asked = Signal(bool)  # columns

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
