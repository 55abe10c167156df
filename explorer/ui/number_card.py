"""The inspector's first card: a number's name and value, its arithmetic, and the cells before and after it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from explorer.attention.explain import Explanation
from explorer.attention.notation import Html
from explorer.attention.provenance import dependent_regions
from explorer.attention.trace import Cell
from explorer.numbers import exact
from explorer.scene import MATRICES, Scene
from explorer.ui import theme
from explorer.ui.arithmetic import Arithmetic
from explorer.ui.chips import ChipRow, Item
from explorer.ui.links import FEW, MORE, item_of, link_items
from explorer.ui.preferences import preferences
from explorer.ui.provenance import structure
from explorer.ui.reach import reach_text
from explorer.ui.texts import head_text, place_title

CRUMBS = 5  # of a longer trail the last ones are shown
FINER = 2  # decimals that the value has more than the formulas


class NumberCard(QFrame):
    """Shows an Explanation of `scene`. `chosen(cell)`: somebody wants to walk on, or back along the trail."""

    chosen = Signal(object)  # Cell

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self._scene: Scene | None = None
        self._found: Explanation | None = None
        self._trail: tuple[Cell, ...] = ()
        self._linked: tuple[object, ...] = ()
        self._reached: tuple[object, ...] = ()
        self._most = [FEW, FEW]
        self.crumbs = ChipRow("trail", pad=3)
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
            row.chosen.connect(self.chosen)
        for which, row in enumerate((self.sources, self.dependents)):
            row.more.connect(lambda which=which: self._show_more(which))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        for widget in (self.crumbs, self._where, self.value, self.arithmetic):
            layout.addWidget(widget)
        for widget in (self.sources, self.dependents, self._reach):
            layout.addWidget(widget)

    def show_number(self, scene: Scene, found: Explanation, trail: tuple[Cell, ...], another: bool) -> None:
        """Show it, and then `show_links` and `show_reach`; `another`: not the number that was shown before."""
        self._scene, self._found, self._trail = scene, found, trail
        if another:
            self._most = [FEW, FEW]
        self._show_value()
        self.arithmetic.show_explanation(found, soon=another)

    def show_state(self, state: str) -> None:
        """Where the number stands; `state`: and that it is not of the newest scene."""
        if self._scene is not None and self._found is not None:
            cell = self._found.cell
            where = (place_title(cell.place), head_name(self._scene, cell), self._found.where, state)
            self._where.setText(" · ".join(filter(None, where)))

    def follow_theme(self) -> None:
        """Other colours, another size."""
        self.value.setFont(theme.ui_font(1.55))
        self._show_value()

    def _show_value(self) -> None:
        found, colours = self._found, theme.current()
        if self._scene is None or found is None:
            return
        head = head_of(self._scene, found.cell)
        colour = colours.text if head is None else colours.head_colour(head)
        value = Html(preferences().decimals + FINER).number(found.value)
        name = found.symbol
        self.value.setText(f'<span style="color:{colour.name()}"><b>{name.html}</b></span> = <b>{value}</b>')
        self.value.setAccessibleName(f"{name.text} = {exact(found.value)}")
        self.value.setToolTip(exact(found.value))

    def show_links(self) -> None:
        """Chips and trail: they follow from the structure alone, not from the numbers."""
        scene, found = self._scene, self._found
        if scene is None or found is None:
            return
        cell = found.cell
        key = (cell, self._trail, tuple(self._most), structure(scene))
        if key == self._linked:
            return
        self._linked = key
        self._show_trail(scene, cell)
        self.sources.show_items(self.tr("← made of"), link_items(scene, cell, found.regions, self._most[0]))
        after = dependent_regions(scene, cell)
        self.dependents.show_items(self.tr("→ used by"), link_items(scene, cell, after, self._most[1]))

    def show_reach(self) -> None:
        """How far a number that was typed is felt, which follows from the structure, too."""
        scene, found = self._scene, self._found
        if scene is None or found is None or (key := (found.cell, structure(scene))) == self._reached:
            return
        self._reached = key
        reaches = reach_text(scene, found.cell) if found.cell.place in MATRICES else ""
        self._reach.setText(self.tr("Reaches {places}").format(places=reaches) if reaches else "")
        self._reach.setVisible(bool(reaches))

    def _show_trail(self, scene: Scene, cell: Cell) -> None:
        shown = [item_of(scene, each, None) for each in self._trail[-CRUMBS:]]
        items = [Item(f"{item.html} ›", item.told, item.cell) for item in shown]
        if len(shown) < len(self._trail):
            first = self._trail[-CRUMBS - 1]
            items.insert(0, Item("… ›", item_of(scene, first, None).told, first))
        self.crumbs.show_items("", items, item_of(scene, cell, None).html)

    def _show_more(self, which: int) -> None:
        self._most[which] += MORE
        self.show_links()


def head_of(scene: Scene, cell: Cell) -> int | None:
    """The head (from 0) whose colour the cell bears: a column of W_q or of concat belongs to one, too."""
    if cell.head is not None:
        return cell.head
    width = scene.d_v if cell.place in ("w_v", "b_v", "concat") else scene.d_k
    return cell.col // width if cell.place == "concat" or cell.place[1:] in ("_q", "_k", "_v") else None


def head_name(scene: Scene, cell: Cell) -> str:
    """'head 2', for such a column, too."""
    head = head_of(scene, cell)
    if head is None or scene.heads == 1:
        return ""
    return head_text(head + 1, shared=cell.place[-1] in "kv" and scene.groups != scene.heads)
