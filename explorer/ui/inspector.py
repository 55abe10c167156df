"""The inspector: the arithmetic behind the chosen number, where it comes from and what it reaches."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.attention.explain import Explanation, explain
from explorer.attention.notation import Html
from explorer.attention.provenance import dependent_regions
from explorer.attention.trace import Cell, Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.numbers import exact
from explorer.scene import MATRICES, Scene
from explorer.ui import theme
from explorer.ui.arithmetic import Arithmetic, StepsCard
from explorer.ui.boxes import StepBox
from explorer.ui.chips import ChipRow, Item
from explorer.ui.inspector_style import sheet
from explorer.ui.links import FEW, MORE, item_of, link_items
from explorer.ui.preferences import preferences
from explorer.ui.reach import reach_text
from explorer.ui.row_card import STAGES as ROW_STAGES
from explorer.ui.row_card import RowCard
from explorer.ui.selection import Selection
from explorer.ui.texts import head_text, place_title

REFRESH_MS = 30  # edits closer than this are shown together, and never before the panels
LATEST_MS = 120  # a drag without a pause is shown at least so often
SHARE = 4  # a long row takes long to explain: of the time, at most one part in so many goes into it
STALE_MS = 120  # a computation shorter than this is not worth a word
CRUMBS = 5  # of a longer trail the last ones are shown
FINER = 2  # decimals that the value has more than the formulas


class Inspector(QWidget):
    """Follows the Selection and the Engine. What it shows is always of one trace, that of the newest answer."""

    walked = Signal(object)  # Cell that was walked to from here: bring it into view

    def __init__(self, document: Document, engine: Engine, selection: Selection) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self.setAccessibleName(self.tr("Inspector"))
        self._document, self._engine, self._selection = document, engine, selection
        self._explanation: Explanation | None = None
        self._scene = document.scene  # which it is of
        self._linked: tuple[object, ...] = ()
        self._most = [FEW, FEW]
        self._covered: frozenset[Cell] = frozenset()
        self._failed = False
        self._took = self._waits_since = 0.0  # seconds
        self._build()
        self._refresh = QTimer(self, singleShot=True)
        self._refresh.timeout.connect(self.refresh)
        self._stale = QTimer(self, singleShot=True, interval=STALE_MS)
        self._stale.timeout.connect(self._show_state)
        selection.changed.connect(lambda _cell: self._refresh.start(0))
        engine.finished.connect(self._on_finished)
        engine.failed.connect(self._on_failed)
        document.changed.connect(lambda *_scenes: self._stale.start())
        preferences().changed.connect(self._on_preference)
        theme.watcher().changed.connect(self._on_theme)
        self._on_theme()
        self.refresh()

    # ---- building ----

    def _build(self) -> None:
        self._empty = _Empty()
        self._waiting = QLabel(wordWrap=True)
        self._waiting.setObjectName("note")
        self._number_card = self._build_number()
        self.row_card = RowCard()
        self.row_card.key_chosen.connect(self._on_key)
        self.steps_card = StepsCard()
        self.steps_card.unfold_asked.connect(self.arithmetic.unfold)
        self.arithmetic.changed.connect(self._show_steps)
        content = QWidget()
        content.setObjectName("inspector_content")
        layout = QVBoxLayout(content)
        layout.setContentsMargins(10, 8, 10, 10)
        layout.setSpacing(10)
        layout.addWidget(self._empty, 1)
        for widget in (self._waiting, self._number_card, self.row_card, self.steps_card):
            layout.addWidget(widget)
        layout.addStretch(0)
        self.scroll = QScrollArea()
        self.scroll.setObjectName("inspector_scroll")
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setWidgetResizable(True)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.scroll, 1)
        outer.addWidget(self._build_foot())

    def _build_number(self) -> QWidget:
        self.crumbs = ChipRow("trail")
        self._where = QLabel(wordWrap=True)
        self._where.setObjectName("where")
        self.value = QLabel(wordWrap=True)
        self.value.setObjectName("value")
        self.value.setIndent(0)
        self.value.setTextFormat(Qt.TextFormat.RichText)
        self.value.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.arithmetic = Arithmetic()
        self.sources, self.dependents = ChipRow("sources"), ChipRow("dependents")
        self._reach = QLabel(wordWrap=True)
        self._reach.setObjectName("reach")
        for row in (self.crumbs, self.sources, self.dependents):
            row.chosen.connect(self._walk)
        for which, row in enumerate((self.sources, self.dependents)):
            row.more.connect(lambda which=which: self._show_more(which))
        card = QFrame()
        card.setObjectName("card")
        layout = QVBoxLayout(card)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        for widget in (self.crumbs, self._where, self.value, self.arithmetic):
            layout.addWidget(widget)
        for widget in (self.sources, self.dependents, self._reach):
            layout.addWidget(widget)
        return card

    def _build_foot(self) -> QWidget:
        foot = QFrame()
        foot.setObjectName("foot")
        self._actions = [
            self._action("copy_value", self.tr("Copy the exact value"), self._copy_value, "Ctrl+C"),
            self._action(
                "copy_text", self.tr("Copy the arithmetic as text"), self._copy_text, "Ctrl+Shift+C"
            ),
            self._action("copy_latex", self.tr("Copy the formula as LaTeX"), self._copy_latex),
            self._action("back", self.tr("Back along the trail"), self._back, "Alt+Left"),
        ]
        self._actions[-1].setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._copy = QToolButton(text=self.tr("Copy ▾"))
        self._copy.setObjectName("copy")
        self._copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._copy.addActions(self._actions[:3])
        self.decimals = StepBox()
        self.decimals.setObjectName("decimals")
        self.decimals.setRange(0, 6)
        self.decimals.setValue(preferences().decimals)
        self.decimals.setAccessibleName(self.tr("Decimals"))
        self.decimals.valueChanged.connect(_set_decimals)
        label = QLabel(self.tr("&Decimals"))
        label.setBuddy(self.decimals)
        label.setProperty("muted", True)
        layout = QHBoxLayout(foot)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.addWidget(self._copy)
        layout.addStretch(1)
        layout.addWidget(label)
        layout.addWidget(self.decimals)
        return foot

    def _action(self, name: str, text: str, do: Callable[[], None], key: str = "") -> QAction:
        action = QAction(text, self)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda: do())
        self.addAction(action)
        return action

    # ---- following ----

    def _on_finished(self, _generation: int, _trace: Trace) -> None:
        self._failed = False
        if not self._refresh.isActive():
            self._waits_since = perf_counter()
        wait = max(REFRESH_MS, SHARE * self._took * 1000)
        left = max(LATEST_MS, wait) - (perf_counter() - self._waits_since) * 1000
        self._refresh.start(max(0, round(min(wait, left))))

    def _on_failed(self, _generation: int, _sentence: str) -> None:
        self._failed = True
        self._show_state()

    def _on_preference(self, name: str) -> None:
        if name == "decimals":
            self.decimals.setValue(preferences().decimals)
            self.refresh()

    def _on_theme(self) -> None:
        self.setStyleSheet(sheet(theme.current()))
        self.value.setFont(theme.ui_font(1.55))
        if self._explanation is not None:
            self._show_value(self._explanation)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    # ---- showing ----

    @property
    def explanation(self) -> Explanation | None:
        """What is shown; None where no number is chosen or its trace is not there yet."""
        return self._explanation

    def set_covered(self, cells: frozenset[Cell]) -> None:
        """These are to be guessed: nothing here may give them away."""
        self._covered = cells
        self.refresh()

    def refresh(self) -> None:
        """Show the chosen number as it is in the newest trace."""
        self._refresh.stop()
        if self.isVisible():  # else showEvent catches up
            start = perf_counter()
            self._show()
            self._took = perf_counter() - start

    def _show(self) -> None:
        cell, trace = self._selection.cell, self._engine.trace
        found = _explained(cell, trace)
        given_away = found is not None and self._gives_away(found)
        found = None if given_away else found
        before, self._explanation = self._explanation, found
        self._empty.setVisible(cell is None)
        self._waiting.setVisible(cell is not None and found is None)
        self._number_card.setVisible(found is not None)
        for action in self._actions[:3]:
            action.setEnabled(found is not None)
        self._copy.setEnabled(found is not None)
        self._actions[-1].setEnabled(bool(self._selection.trail))
        if found is None or trace is None:
            self.row_card.hide()
            self.steps_card.hide()
            covered = self.tr("Covered: guess it first. Click it, or press Enter on it.")
            self._waiting.setText(covered if given_away else self.tr("Computing …"))
            return
        self._scene = trace.scene
        another = before is None or before.cell != found.cell
        if another:
            self._most = [FEW, FEW]
        self._show_value(found)
        self.arithmetic.show_explanation(found, soon=another)
        self.steps_card.show_steps(found, self.arithmetic.view, soon=another)
        self._show_links(trace.scene, found)
        self.row_card.show_row_of(trace, found.cell)
        self._show_state()
        if another:
            self.scroll.verticalScrollBar().setValue(0)

    def _gives_away(self, found: Explanation) -> bool:
        """Whether the number is covered, or one of those it is made of, or one of its row's weights."""
        cell = found.cell
        row = {c for c in self._covered if (c.place, c.head, c.row) == ("weights", cell.head, cell.row)}
        if cell in self._covered or (row and cell.place in ROW_STAGES):
            return True
        shown = (region for region in found.regions for c in self._covered if region.holds(c))
        return any(True for _ in shown)

    def _show_value(self, found: Explanation) -> None:
        colours = theme.current()
        head = _head_of(self._scene, found.cell)
        colour = colours.text if head is None else colours.head_colour(head)
        value = Html(preferences().decimals + FINER).number(found.value)
        name = found.symbol
        self.value.setText(f'<span style="color:{colour.name()}"><b>{name.html}</b></span> = <b>{value}</b>')
        self.value.setAccessibleName(f"{name.text} = {exact(found.value)}")
        self.value.setToolTip(exact(found.value))

    def _show_state(self) -> None:
        """Where the number stands, and whether it is of the newest scene."""
        found, state = self._explanation, ""
        if found is None:
            return
        if self._failed:
            state = self.tr("of the scene before")
        elif self._engine.busy:
            state = self.tr("computing …")
        where = (place_title(found.cell.place), _head_name(self._scene, found.cell), found.where, state)
        self._where.setText(" · ".join(filter(None, where)))

    def _show_links(self, scene: Scene, found: Explanation) -> None:
        """Chips, trail and reach: they follow from the structure alone, not from the numbers."""
        cell, trail = found.cell, self._selection.trail
        key = (cell, trail, tuple(self._most), _shape_key(scene))
        if key == self._linked:
            return
        self._linked = key
        self._show_trail(scene, cell, trail)
        self.sources.show_items(self.tr("← made of"), link_items(scene, cell, found.regions, self._most[0]))
        after = dependent_regions(scene, cell)
        self.dependents.show_items(self.tr("→ used by"), link_items(scene, cell, after, self._most[1]))
        reaches = reach_text(scene, cell) if cell.place in MATRICES else ""
        self._reach.setText(self.tr("Reaches {places}").format(places=reaches) if reaches else "")
        self._reach.setVisible(bool(reaches))

    def _show_trail(self, scene: Scene, cell: Cell, trail: tuple[Cell, ...]) -> None:
        shown = trail[-CRUMBS:]
        items = [item_of(scene, each, None) for each in shown]
        items = [Item(f"{item.html} ›", item.told, item.cell) for item in items]
        if len(shown) < len(trail):
            first = trail[-CRUMBS - 1]
            items.insert(0, Item("… ›", item_of(scene, first, None).told, first))
        self.crumbs.show_items("", items, item_of(scene, cell, None).html)

    def _show_steps(self) -> None:
        if self._explanation is not None:
            self.steps_card.show_steps(self._explanation, self.arithmetic.view, soon=True)

    def _show_more(self, which: int) -> None:
        self._most[which] += MORE
        self.refresh()

    # ---- walking and copying ----

    def _walk(self, cell: Cell) -> None:
        self._selection.walk(cell)
        self.walked.emit(cell)

    def _back(self) -> None:
        if self._selection.trail:
            self._walk(self._selection.trail[-1])

    def _on_key(self, key: int) -> None:
        """A bar was chosen: the weight of that key. Along the row one does not walk."""
        cell = self._selection.cell
        assert cell is not None
        weight = Cell("weights", cell.head, cell.row, key)
        if cell.place == "weights":
            self._selection.select(weight)
            self.walked.emit(weight)
        else:
            self._walk(weight)

    def _copy_value(self) -> None:
        if self._explanation is not None:
            QGuiApplication.clipboard().setText(exact(self._explanation.value))

    def _copy_text(self) -> None:
        if self._explanation is not None:
            QGuiApplication.clipboard().setText(self._explanation.text(preferences().decimals))

    def _copy_latex(self) -> None:
        if self._explanation is not None:
            lines = self._explanation.latex(preferences().decimals, width=1 << 20)
            QGuiApplication.clipboard().setText(" ".join(lines))


class _Empty(QWidget):
    """What to do, where no number is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("inspector_empty")
        title = QLabel(self.tr("Click a number to see where it comes from."), wordWrap=True)
        title.setObjectName("empty_title")
        keys = QLabel(wordWrap=True)
        keys.setObjectName("empty_keys")
        keys.setTextFormat(Qt.TextFormat.RichText)
        rows = (
            (self.tr("Tab"), self.tr("from panel to panel")),
            ("← ↑ ↓ →", self.tr("from number to number")),
            (self.tr("Alt+←"), self.tr("back along the trail")),
        )
        keys.setText(
            "<table cellspacing='0' cellpadding='3'>"
            + "".join(f"<tr><td><b>{key}</b>&nbsp;&nbsp;</td><td>{what}</td></tr>" for key, what in rows)
            + "</table>"
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(12)
        layout.addStretch(2)
        layout.addWidget(title)
        layout.addWidget(keys)
        layout.addStretch(3)


def _explained(cell: Cell | None, trace: Trace | None) -> Explanation | None:
    if cell is None or trace is None:
        return None
    try:
        return explain(trace.scene, trace, cell)
    except ValueError:  # the trace is of a scene that did not have the cell yet
        return None


def _head_of(scene: Scene, cell: Cell) -> int | None:
    """The head (from 0) whose colour the cell bears: a joined column belongs to one, too."""
    width = {"concat": scene.d_v, "w_q": scene.d_k, "b_q": scene.d_k, "w_k": scene.d_k, "b_k": scene.d_k}
    width |= {"w_v": scene.d_v, "b_v": scene.d_v}
    if cell.head is not None:
        return cell.head
    return cell.col // width[cell.place] if cell.place in width else None


def _head_name(scene: Scene, cell: Cell) -> str:
    head = _head_of(scene, cell)
    if head is None or scene.heads == 1:
        return ""
    shared = cell.place[-1] in "kv" and scene.groups != scene.heads
    return head_text(head + 1, shared)


def _shape_key(scene: Scene) -> tuple[object, ...]:
    shapes = tuple(None if (array := scene.matrix(name)) is None else array.shape for name in MATRICES)
    return shapes, scene.heads, scene.groups, id(scene.mask), scene.mask_fill, id(scene.position), scene.dtype


def _set_decimals(value: int) -> None:
    preferences().decimals = value
