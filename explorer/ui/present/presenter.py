"""The presenter: the walk through a scene, full screen, one stage revealed after another."""

import html
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from explorer.attention.cost import is_large
from explorer.attention.explain import explain
from explorer.attention.trace import Cell, Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.lessons.messages import cell_name
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.choices import kind_name
from explorer.ui.guess import GuessBox
from explorer.ui.language import lesson_code
from explorer.ui.panels import lettering
from explorer.ui.panels.frame import Geometry
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.panels.map import MapPanel
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.together import prepare_in_turns
from explorer.ui.panels.view import TraceView
from explorer.ui.preferences import preferences
from explorer.ui.present.big_panel import BigMap, BigPanel
from explorer.ui.present.edit import CellEdit
from explorer.ui.present.kinds import MatrixPanel, kind_of
from explorer.ui.present.marks import marks_of
from explorer.ui.present.page import MARGIN, Page, font
from explorer.ui.present.screen import LEAST, PLAIN, fit, pictures
from explorer.ui.present.seen import Seen
from explorer.ui.present.steps import Item, Step, steps_of
from explorer.ui.texts import step_title
from explorer.ui.turns import turns

if TYPE_CHECKING:
    from explorer.ui.maps import Maps

NEXT = (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_N)
BACK = (Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace)
PALETTES = ("dark", "light", "contrast")
MOST_COVERED = 1024  # numbers that are covered one by one


class Place(NamedTuple):
    """Where one is on the walk, and how it looks there."""

    head: int
    step: str
    cell: Cell | None
    covered: frozenset[Cell]
    palette: str
    zoom: float


class Presenter(QWidget):
    """A window of its own over the main window; the Document and the Engine are the same, so edits stay live."""

    closed = Signal()
    uncovered = Signal(object)  # set of Cell

    def __init__(
        self,
        document: Document,
        engine: Engine,
        parent: QWidget | None = None,
        seen: Callable[[Trace], Seen] = Seen.plainly,
        covers: Callable[[], frozenset[Cell]] = frozenset,
        maps: "Maps | None" = None,
    ) -> None:
        """`seen` says what of a trace the audience sees; `covers`, which numbers are covered when a step begins;
        `maps` has the heads of large scenes drawn as long as this window is open.
        """
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("presenter")
        self.setWindowTitle(self.tr("Presenting"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._document, self._engine = document, engine
        self._scene = document.scene  # what is laid out
        self._head, self._index, self._zoom = 0, 0, 1.0
        self._palette = "dark" if theme.current().is_dark else "light"
        if preferences().theme == "contrast":
            self._palette = "contrast"
        self._steps: tuple[Step, ...] = ()
        self._panels: list[BigPanel | BigMap] = []
        self._maps = maps
        self._view: TraceView | None = None
        self._items: list[Item] = []
        self._cell: Cell | None = None
        self._seen, self._covers, self._note = seen, covers, ""
        self._covered = set(covers())
        self._arithmetic = ""
        self._guess = GuessBox(self)
        self._guess.revealed.connect(self._uncover)
        self._guess.closed.connect(self.setFocus)
        self._explain_later = QTimer(self, singleShot=True, interval=0)
        self._explain_later.timeout.connect(self._explain)
        document.changed.connect(self._on_changed)
        engine.finished.connect(self._on_finished)
        self._restart()
        self.setFocus()  # otherwise the first panel gets it, and the arrows go through its numbers instead of the steps

    # ---- what is shown ----

    @property
    def step(self) -> Step:
        """The step on the screen."""
        return self._steps[self._index]

    @property
    def index(self) -> int:
        """Its number, from 0."""
        return self._index

    @property
    def steps(self) -> tuple[Step, ...]:
        """The whole walk."""
        return self._steps

    @property
    def panels(self) -> tuple[BigPanel | BigMap, ...]:
        """The panels on the screen, from left to right."""
        return tuple(self._panels)

    @property
    def maps(self) -> list[MapPanel]:
        """Those of them that are maps."""
        return [panel for panel in self._panels if isinstance(panel, MapPanel)]

    @property
    def view(self) -> TraceView | None:
        """The trace that is shown."""
        return self._view

    @property
    def palette_name(self) -> str:
        """One of PALETTES."""
        return self._palette

    @property
    def arithmetic(self) -> str:
        """The line of arithmetic below, as HTML."""
        return self._arithmetic

    @property
    def note(self) -> str:
        """What stands in its place while the picture is not what was computed."""
        return self._note

    def number_pixels(self) -> int:
        """The height of the numbers' font."""
        return self._size.font

    @property
    def place(self) -> Place:
        """Where one is; another presenter of the same Document can `return_to` it."""
        return Place(
            self._head, self.step.key, self._cell, frozenset(self._covered), self._palette, self._zoom
        )

    def return_to(self, place: Place) -> None:
        """Go on at a place."""
        self._head, self._palette, self._zoom = place.head, place.palette, place.zoom
        self._restart(place.step)
        self._covered = set(place.covered)
        if place.cell is not None:
            self.select(place.cell)

    def go(self, index: int) -> None:
        """Show a step; beyond the ends nothing changes."""
        if 0 <= index < len(self._steps) and index != self._index:
            self._index = index
            self._cell = None
            self._covered = set(self._covers())
            self._build()

    def show_head(self, head: int) -> None:
        """Walk through another head, at the same step."""
        if 0 <= head < self._document.scene.heads and head != self._head:
            key = self.step.key
            self._head = head
            self._restart(key)

    def select(self, cell: Cell) -> None:
        """Show the arithmetic of a number on the screen, and light up what it is made of."""
        self._cell = cell
        self._mark()
        self._explain_later.start()

    def _restart(self, key: str = "") -> None:
        """New steps, as near as can be to the step `key`."""
        self._steps = steps_of(self._document.scene, self._head)
        keys = [step.key for step in self._steps]
        self._index = keys.index(key) if key in keys else min(self._index, len(keys) - 1)
        self._build()

    def _on_changed(self, _old: Scene, new: Scene) -> None:
        self._follow(new)

    def _follow(self, new: Scene) -> None:
        """Lay out `new` where it differs in more than numbers from what is on the screen."""
        old, self._scene = self._scene, new
        if old is new:
            return
        self._head = min(self._head, new.heads - 1)
        key = self.step.key
        steps = steps_of(new, self._head)
        shapes = [kind_of(item, scene).shape(scene) for scene in (old, new) for item in self._shared(scene)]
        half = len(shapes) // 2
        if steps != self._steps or shapes[:half] != shapes[half:] or old.tokens != new.tokens:
            self._covered = set(self._covers())
            self._cell = None
            self._restart(key)

    def _shared(self, scene: Scene) -> list[Item]:
        """The items on the screen that `scene` has too."""
        return [
            item for item in self._items if item in {i for s in steps_of(scene, self._head) for i in s.items}
        ]

    def _on_finished(self, _generation: int, trace: Trace) -> None:
        self._follow(trace.scene)  # a small scene is computed before its change is heard of here
        self._show(trace)
        self._explain_later.start()

    def _show(self, trace: Trace) -> None:
        seen = self._seen(trace)
        self._note, self._view = seen.note, seen.view
        for panel in self._panels:
            panel.show_view(seen.view)
        if self._maps is not None:
            self._maps.on_shown()

    # ---- layout ----

    def _build(self) -> None:
        for panel in self._panels:
            panel.hide()
            panel.deleteLater()
        scene, trace = self._document.scene, self._engine.trace
        # What is new on the screen is painted at once, and so is what comes while a key is held down.
        if is_large(scene) and self.isVisible() and self.updatesEnabled():
            turns().hold(self)
        self._items = list(self.step.items)
        self._panels = []
        for item in self._items:
            kind = kind_of(item, scene)
            head = item.head if kind.stage.per != "scene" or item.place in ("w_q", "w_k", "w_v") else None
            panel = self._new_panel(kind, head, scene)
            panel.setObjectName(f"present_{item.place}" + ("" if head is None else f"_{head + 1}"))
            panel.cell_clicked.connect(self._on_clicked)
            panel.cover_clicked.connect(self._ask)
            self._panels.append(panel)
        if trace is not None and trace.scene is scene:
            self._show(trace)
        self._lay_out()
        self._mark()
        if self._cell is None:
            self._select_first()

    def _new_panel(self, kind: StagePanel, head: int | None, scene: Scene) -> BigPanel | BigMap:
        if self._maps is None or not is_large(scene) or isinstance(kind, MatrixPanel):
            return BigPanel(kind, head, scene, self)
        return BigMap(kind, head, scene, self._maps.refresh, self._maps.span_of, self)

    def _select_first(self) -> None:
        """The number whose arithmetic a lecturer would show first: one of what is new that no mask hides."""
        panel, item = self._panels[-1], self.step.new
        if not isinstance(panel.kind, MatrixPanel):
            row, col = 0, panel.shape[1] - 1
            if item.place in ("masked", "weights") and not is_large(self._document.scene):
                visible = self._document.scene.visible()
                row = int(visible.sum(axis=1).argmax())
                col = int(visible[row].nonzero()[0][-1]) if visible[row].any() else col
            self.select(Cell(item.place, panel.head, row, col))
        else:
            self._arithmetic = ""
            self.update()

    def _lay_out(self) -> None:
        scene = self._document.scene
        screen, width = float(self.height()), self.width() * (1 - 2 * MARGIN)
        kinds = [panel.kind for panel in self._panels]
        shapes = [kind.shape(scene) for kind in kinds]
        type_size = 1.12 * LEAST * screen * self._zoom / theme.USUAL_SIZE
        with theme.using(theme.THEMES[self._palette], type_size):
            labels = [lettering.labels_width(kind.row_labels(scene)) for kind in kinds]
            titles = [lettering.title_width(p.kind, scene, p.head) for p in self._panels]
            gap = round(2.6 * QFontMetrics(theme.ui_font()).height())
            top = lettering.title_height()
            foot = lettering.foot_height()
            rooms = [lettering.column_room(kind.column_labels(scene)) for kind in kinds]
        room = (
            width - sum(labels) - gap * (len(kinds) - 1),
            screen * 0.62 - top - foot - max(room[1] for room in rooms),
        )
        self._size = fit([s[1] for s in shapes], max(s[0] for s in shapes), *room, screen, self._zoom)
        cells = [(float(self._size.cell[0]), float(self._size.cell[1]))] * len(shapes)
        if min(room[0] / sum(s[1] for s in shapes), room[1] / max(s[0] for s in shapes)) < PLAIN:
            standing = max(r[2] for r in rooms) - max(r[1] for r in rooms)
            cells = pictures(shapes, titles, room[0], room[1] - standing, screen)
        head = top + max(r[1] if r[0] <= cell[0] else r[2] for r, cell in zip(rooms, cells, strict=True))
        widths = [
            label + max(round(cols * cell[0]), title)
            for label, title, cell, (_rows, cols) in zip(labels, titles, cells, shapes, strict=True)
        ]
        x = round((self.width() - sum(widths) - gap * (len(kinds) - 1)) / 2)
        heights = [round(s[0] * cell[1]) for s, cell in zip(shapes, cells, strict=True)]
        tallest = head + max(heights) + foot
        y = round(screen * 0.16 + max(0.0, (screen * 0.62 - tallest) / 2))
        self._signs: list[tuple[QRect, str]] = []
        for panel, item, w, label, title, cell, height in zip(
            self._panels, self._items, widths, labels, titles, cells, heights, strict=True
        ):
            font_size = self._size.font / (theme.USUAL_SIZE * type_size)
            panel.set_look(self._palette, type_size)
            panel.set_scene(scene, Geometry(cell, label, head, foot, title, font_size))
            panel.setGeometry(x, y, w, head + height + foot)
            panel.show()
            middle = y + head + height // 2
            self._signs.append((QRect(x - gap, middle - gap, gap, 2 * gap), item.sign))
            x += w + gap
        prepare_in_turns(self._panels, self)
        if self.maps and self._maps is not None:
            self._maps.refresh()
        self.update()

    def _mark(self) -> None:
        marks = marks_of(self._document.scene, self._cell, self._panels) if self._cell is not None else {}
        for panel in self._panels:
            panel.set_marks(marks.get(panel, Marks()))
            panel.set_covered(
                frozenset(
                    (c.row, c.col)
                    for c in self._covered
                    if (c.place, c.head) == (panel.kind.name, panel.head)
                )
            )

    def _whole(self, cell: Cell) -> Cell:
        """A cell of the columns that a panel shows of a matrix as the cell of the whole matrix; others as they are."""
        kind = next((panel.kind for panel in self._panels if panel.kind.name == cell.place), None)
        if not isinstance(kind, MatrixPanel):
            return cell
        columns = kind.columns(self._document.scene, cell.head)
        return Cell(cell.place, None, cell.row, columns[cell.col])

    def _explain(self) -> None:
        trace, cell = self._engine.trace, self._cell
        self._arithmetic = ""
        if (
            trace is not None
            and cell is not None
            and trace.scene is self._document.scene
            and cell not in self._covered
            and not any(panel.veiled for panel in self._panels)
            and not self._note  # what is explained is what was computed, which would be at odds with the picture
        ):
            cell = self._whole(cell)
            self._arithmetic = explain(trace.scene, trace, cell).html(preferences().decimals, keep=4)
        self.update()

    # ---- painting ----

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = theme.THEMES[self._palette]
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colours.background)
            page = Page(self.width(), self.height(), self._zoom, colours)
            page.title(painter, step_title(self.step.key))
            page.facts(painter, self._facts())
            for area, sign in self._signs:
                page.sign(painter, area, sign)
            page.arithmetic(painter, html.escape(self._note) or self._arithmetic)
            page.progress(painter, self._index, len(self._steps), self._keys())

    def _facts(self) -> str:
        scene = self._document.scene
        facts = [f"n = {scene.n}", f"d_k = {scene.d_k}"]
        if scene.heads > 1:
            head = self.tr("head {number} of {count}").format(number=self._head + 1, count=scene.heads)
            facts.insert(0, head)
        if scene.mask:
            kinds = " + ".join(kind_name(mask.kind) for mask in scene.mask)
            facts.append(self.tr("mask: {kinds}").format(kinds=kinds))
        return " · ".join(facts)

    def _keys(self) -> str:
        if self._document.scene.heads == 1:
            return self.tr("Space next · ← back · P predict · C colours · Ctrl +/− size · Esc leave")
        return self.tr("Space next · ← back · ↑↓ head · P predict · C colours · Ctrl +/− size · Esc leave")

    # ---- mouse and keyboard ----

    def _on_clicked(self, cell: Cell) -> None:
        self.select(cell)
        if not any(panel.walking for panel in self._panels):
            self.setFocus()

    def _matrix_cell(self) -> Cell | None:
        """The chosen cell, where it is one that can be typed into."""
        sender = next(
            (p for p in self._panels if self._cell is not None and p.kind.name == self._cell.place), None
        )
        return self._cell if sender is not None and isinstance(sender.kind, MatrixPanel) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_F5):
            self.close()
        elif control and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus, Qt.Key.Key_0):
            self._zoom = {Qt.Key.Key_Minus: max(0.6, self._zoom / 1.1), Qt.Key.Key_0: 1.0}.get(
                key, min(1.8, self._zoom * 1.1)
            )
            self._lay_out()
        elif control and key == Qt.Key.Key_Z:
            redo = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self._document.redo if redo else self._document.undo)()
        elif self._begins_number(event) and (cell := self._matrix_cell()) is not None:
            self._edit(cell, event.text())
        elif key in NEXT:
            self.go(self._index + 1)
        elif key in BACK:
            self.go(self._index - 1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go(0 if key == Qt.Key.Key_Home else len(self._steps) - 1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.show_head(self._head + (1 if key == Qt.Key.Key_Down else -1))
        elif key == Qt.Key.Key_C:
            self._palette = PALETTES[(PALETTES.index(self._palette) + 1) % len(PALETTES)]
            self._lay_out()
        elif key == Qt.Key.Key_P:
            self._cover_new()
        else:
            super().keyPressEvent(event)

    @staticmethod
    def _begins_number(event: QKeyEvent) -> bool:
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        return plain and event.text() != "" and event.text() in "0123456789.-+√"

    def _edit(self, cell: Cell, text: str) -> None:
        panel = next(p for p in self._panels if p.kind.name == cell.place)
        assert isinstance(panel.kind, MatrixPanel)
        column = panel.kind.columns(self._document.scene, panel.head)[cell.col]
        rect = panel.cell_rect(cell.row, cell.col).translated(panel.pos())
        CellEdit(self, self._document, (cell.place, cell.row, column), rect, text, round(self._size.font))

    # ---- predict, then reveal ----

    def _cover_new(self) -> None:
        """Cover what is new on this step, or reveal it."""
        panel = self._panels[-1]
        if isinstance(panel.kind, MatrixPanel):
            return
        rows, cols = panel.shape
        if rows * cols > MOST_COVERED:
            panel.set_veiled(not panel.veiled)
        elif self._covered:
            uncovered, self._covered = self._covered, set()
            self.uncovered.emit(uncovered)
        else:
            self._covered = {
                Cell(panel.kind.name, panel.head, r, c) for r in range(rows) for c in range(cols)
            }
        self._mark()
        self._explain_later.start()

    def _ask(self, cell: Cell) -> None:
        trace = self._engine.trace
        if trace is not None and cell in self._covered:
            rect = self._panels[-1].cell_rect(cell.row, cell.col).translated(self._panels[-1].pos())
            self._guess.setFont(font(0.025 * self.height()))
            self._guess.ask(cell, cell_name(cell, lesson_code()), trace, rect)

    def _uncover(self, cell: Cell) -> None:
        self._covered.discard(cell)
        self.uncovered.emit({cell})
        self.select(cell)

    # ---- window ----

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def sizeHint(self) -> QSize:
        return QSize(1280, 720)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._maps is not None:
            self._maps.look_at(self)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if self._maps is not None:
            self._maps.look_at(None)
        self.closed.emit()
