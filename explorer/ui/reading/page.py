"""The page that takes the place of the panels: all heads side by side, or words with lines between them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf, isnan

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from explorer.attention.trace import Cell, Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.scene import Scene
from explorer.ui.lab.pieces import muted
from explorer.ui.lab.worker import Worker
from explorer.ui.reading.bar import Bar
from explorer.ui.reading.layer_bar import LayerBar
from explorer.ui.reading.layer_folder import LayerFolder
from explorer.ui.reading.model import Heads, heads_of, is_too_large, settled
from explorer.ui.reading.model_bar import ModelBar
from explorer.ui.reading.overview import Overview
from explorer.ui.reading.scroll import UpAndDown
from explorer.ui.reading.settings import OVERVIEW, WORDS, Settings, filters_of, with_filters
from explorer.ui.reading.tiles import Key, Tile
from explorer.ui.reading.words_pane import WordsPane
from explorer.ui.selection import Selection

SHEET = """
#reading_bar, #layer_bar, #model_bar { background: palette(window); }
#reading_left_out { color: palette(placeholder-text); }
"""


class ReadingPage(QWidget):
    """Follows the Document and the Engine while it is seen. `seen(trace)` is what the panels would show of a trace."""

    panels_asked = Signal(object)  # a head that is to have the canvas, from 0; None: as it was
    layer_asked = Signal(int, object)  # of the open folder, from 0; a head to go on with, or None

    def __init__(
        self,
        document: Document,
        engine: Engine,
        selection: Selection,
        folder: LayerFolder,
        seen: Callable[[Trace], Trace],
        covered: Callable[[], frozenset[Cell]],
    ) -> None:
        super().__init__()
        self.setObjectName("reading")
        self._document, self._engine, self._selection = document, engine, selection
        self._seen, self._covered = seen, covered
        self.folder = folder
        self._asked = Settings()  # but for the filters, which the scene keeps
        self._heads: tuple[tuple[Trace, frozenset[Cell]], Heads] | None = None
        self._made: dict[int, tuple[Heads, Settings, list[Tile]]] = {}  # by layer
        self._asked_for: tuple[Trace, frozenset[Cell]] | None = None
        self._worker = Worker(self)
        self._from_overview = False
        self.view = OVERVIEW
        self._build()
        document.changed.connect(lambda _old, _new: self.refresh())
        engine.finished.connect(lambda _generation, _trace: self.refresh())
        selection.changed.connect(self.words.select)
        folder.changed.connect(self.refresh)
        document.file_changed.connect(self.refresh)
        self.setStyleSheet(SHEET)
        self.setAutoFillBackground(True)

    def _build(self) -> None:
        self.bar, self.layer_bar = Bar(), LayerBar(self.folder, self)
        self.bar.view_asked.connect(self.open)
        self.bar.panels_asked.connect(lambda: self.panels_asked.emit(None))
        self.bar.changed.connect(self._set)
        self.bar.heads_asked.connect(self.choose_heads)
        self.layer_bar.layer_asked.connect(lambda number: self.layer_asked.emit(number, None))
        self.layer_bar.scope_changed.connect(self.refresh)
        self.model_bar = ModelBar(self._document)
        self.overview, self.words = Overview(), WordsPane()
        self.overview.chosen.connect(self._enlarge)
        self.words.cell_chosen.connect(self._selection.select)
        self.words.panels_asked.connect(self.panels_asked)
        self._scroll = UpAndDown(self.overview)
        self.note = muted()
        self.note.setContentsMargins(14, 14, 14, 14)
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.stack = QStackedWidget()
        for widget in (self._scroll, self.words, self.note):
            self.stack.addWidget(widget)
        self.left_out = QLabel(wordWrap=True)
        self.left_out.setObjectName("reading_left_out")
        self.left_out.setContentsMargins(14, 2, 14, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.bar, self.layer_bar, self.model_bar, self.stack, self.left_out):
            layout.addWidget(widget, int(widget is self.stack))

    # ---- what is chosen ----

    def open(self, view: str) -> None:
        """Show one of OVERVIEW and WORDS."""
        self._from_overview = False
        self.view = view
        self.refresh()
        (self.overview if view == OVERVIEW else self.words.lines).setFocus()

    @property
    def settings(self) -> Settings:
        """What a person asked for."""
        return replace(self._asked, filters=filters_of(self._document.scene))

    def choose_heads(self, heads: tuple[int, ...]) -> None:
        """The heads whose lines are drawn."""
        self._set("heads", heads)

    def _set(self, name: str, value: object) -> None:
        if name in ("threshold", "top"):
            scene = self._document.scene
            filters = replace(filters_of(scene), **{name: value})
            text = self.tr("Weights from {share} %").format(share=round(100 * filters.threshold))
            if name == "top":
                text = self.tr("Keys per query: {count}").format(count=filters.top or self.tr("all"))
            self._document.edit(with_filters(scene, filters), text, f"reading {name}")
        else:
            self._asked = replace(self._asked, **{name: value})
            self.refresh()

    def _enlarge(self, key: Key) -> None:
        """A head from the overview: its words and its heat map, here or in another layer."""
        if key.layer is not None and key.layer != self.folder.place_of(self._document.path):
            self.layer_asked.emit(key.layer, key.head)
            return
        self.show_head(key.head)

    def show_head(self, head: int) -> None:
        """The words of one head alone; Esc goes back to the overview."""
        self.choose_heads((head,))
        self.open(WORDS)
        self._from_overview = True

    # ---- showing ----

    def refresh(self) -> None:
        """Show the newest trace, if anybody looks."""
        if not self.isVisible():
            return
        trace, settings = self._engine.trace, self.settings
        self.layer_bar.show_place(self._document.path, self.view == OVERVIEW)
        in_folder = self.folder.place_of(self._document.path) is not None
        self.model_bar.show_scene(self._document.scene, instead=in_folder)
        if trace is None or is_too_large(trace.scene):
            self._say("" if trace is None else self._too_large(trace.scene))
            return
        seen = self._seen(trace)
        heads = self._heads_of(seen)
        if heads is None:
            return  # what was seen before stays until they come
        count, keys = heads.weights.shape[0], heads.weights.shape[2]
        self.bar.show_state(self.view, settings, count, keys)
        self.left_out.hide()
        if self.view == OVERVIEW:
            self.stack.setCurrentWidget(self._scroll)
            self._show_overview(heads, settings)
        else:
            self.stack.setCurrentWidget(self.words)
            left_out = self.words.show_heads(heads, seen, settings, self._selection.cell)
            self.left_out.setVisible(bool(left_out))
            self.left_out.setText(left_out)

    def _heads_of(self, trace: Trace) -> Heads | None:
        """What is read of a trace; of a large one None until it has been computed."""
        key = (trace, self._covered())
        if self._heads is not None and self._heads[0] == key:
            return self._heads[1]
        if trace.large is None:
            self._heads = (key, heads_of(*key))
            return self._heads[1]
        if self._asked_for != key:
            self._asked_for = key
            self._worker.run(lambda: heads_of(*key), lambda found: self._take(key, found))
        return None

    def _take(self, key: tuple[Trace, frozenset[Cell]], found: Heads | Exception) -> None:
        if isinstance(found, Exception):
            raise found
        self._heads = (key, found)
        self.refresh()

    def _show_overview(self, heads: Heads, settings: Settings) -> None:
        old = {tile.key: tile for tile in self.overview.tiles}
        here = self.folder.place_of(self._document.path)
        marked = self._selection.cell
        if not self.layer_bar.shows_all:
            tiles = settled(heads.tiles(settings), old)
            key = None if marked is None or marked.place != "weights" else Key(None, marked.head or 0)
            self.overview.show_groups([("", tiles)], settings.sort, key)
            return
        self.folder.read_all()
        assert self.folder.run is not None
        files = self.folder.run.layers
        layers = self.folder.heads | ({} if here is None else {here: heads})
        groups = [
            (
                self.tr("layer {number} · {name}").format(number=files[n].number, name=files[n].name),
                self._tiles_of(n, each, settings, old),
            )
            for n, each in sorted(layers.items())
        ]
        self._made = {n: self._made[n] for n in layers}
        if settings.sort != "number":
            groups = [("", _merged([tiles for _name, tiles in groups], settings.sort))]
        self.overview.show_groups(groups, settings.sort, None, [layer.number for layer in files])

    def _tiles_of(self, number: int, heads: Heads, settings: Settings, old: Mapping[Key, Tile]) -> list[Tile]:
        """Those of a layer of many: as they were, where the layer and the settings are the same."""
        made = self._made.get(number)
        if made is None or made[0] is not heads or made[1] != settings:
            made = heads, settings, settled(heads.tiles(settings, number), old)
            self._made[number] = made
        return made[2]

    def _say(self, sentence: str) -> None:
        self.note.setText(sentence)
        self.stack.setCurrentWidget(self.note)
        self.left_out.hide()

    def _too_large(self, scene: Scene) -> str:
        text = self.tr(
            "With {queries} × {keys} weights in each of {heads} heads there is too much to draw side by side. The"
            " panels show one head at a time; a session with fewer tokens shows them all."
        )
        return text.format(queries=f"{scene.n:,}", keys=f"{scene.m:,}", heads=scene.heads)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._asked_for = None
        self._worker.stop()
        self.model_bar.stop()
        self.folder.pause()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.view == WORDS and self._from_overview:
            self.open(OVERVIEW)
        else:
            self.panels_asked.emit(None)


def _merged(groups: list[list[Tile]], sort: str) -> list[Tile]:
    """The tiles of all layers in one order."""

    def rank(tile: Tile) -> float:
        value: float = getattr(tile.facts, sort)
        return inf if isnan(value) else value if sort == "entropy" else -value

    return sorted((tile for tiles in groups for tile in tiles), key=rank)
