"""Words with lines, and beside them the heat map and the facts of one of the heads."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.attention.trace import Cell, Trace
from explorer.ui import theme
from explorer.ui.lab.heat import HeatMaps, Matrix
from explorer.ui.lab.pieces import Words
from explorer.ui.panels.heatmap import Levels
from explorer.ui.reading.facts import facts_lines
from explorer.ui.reading.lines import Lines, Pairs
from explorer.ui.reading.links import links_of
from explorer.ui.reading.model import Heads
from explorer.ui.reading.scroll import UpAndDown
from explorer.ui.reading.settings import Settings
from explorer.ui.texts import head_text, place_title

NARROW = 480  # px of the whole pane, at the usual size: below, there is no room for the heat map


class WordsPane(QWidget):
    """The lines of the chosen heads; the heat map is of the head whose weight is chosen, else of the first."""

    cell_chosen = Signal(object)  # Cell of the weights
    panels_asked = Signal(object)  # head, from 0

    def __init__(self) -> None:
        super().__init__()
        self.lines = Lines()
        self.lines.line_chosen.connect(self.cell_chosen)
        self._scroll = UpAndDown(self.lines)
        self.maps = HeatMaps()
        self.facts = Words()
        self.facts.setObjectName("head_facts")
        self.panels = QPushButton()
        self.panels.setObjectName("panels_of_head")
        self.panels.clicked.connect(lambda: self.panels_asked.emit(self._head))
        self._head = 0
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(10, 12, 12, 10)
        column.setSpacing(10)
        column.addWidget(self.maps)
        column.addWidget(self.facts)
        column.addWidget(self.panels, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._side = UpAndDown(side)
        self._side.setObjectName("reading_side")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 3)
        layout.addWidget(self._side, 2)
        self._shown: tuple[Heads, Trace, Settings] | None = None

    @property
    def head(self) -> int:
        """The one whose heat map is seen, from 0."""
        return self._head

    def show_heads(self, heads: Heads, trace: Trace, settings: Settings, cell: Cell | None) -> str:
        """Show these; what had to be left out, in a sentence, or nothing."""
        self._shown = (heads, trace, settings)
        count, _n, m = heads.weights.shape
        chosen = settings.heads_of(count)
        values, highest = heads.values(settings.sent), heads.highest(settings.sent)
        top = settings.filters.top_of(m)
        links = links_of(values, chosen, highest, settings.filters.threshold, top)
        self.lines.show_pairs(Pairs(links, values, chosen, heads.queries, heads.keys, heads.blind))
        self.select(cell)
        self._show_side()
        if links.left_out:
            text = self.tr("The {shown} strongest lines are drawn; {left} more are too many to tell apart.")
            return text.format(shown=f"{len(links):,}", left=f"{links.left_out:,}")
        if settings.filters.top is None and top is not None:
            text = self.tr("Of each query the {count} strongest lines are drawn; “keys per query” has more.")
            return text.format(count=top)
        return ""

    def select(self, cell: Cell | None) -> None:
        """Mark the line of this cell; the heat map goes along to its head."""
        weights = cell is not None and cell.place == "weights"
        self.lines.select(cell if weights else None)
        if self._shown is not None:
            heads, _trace, settings = self._shown
            chosen = settings.heads_of(heads.weights.shape[0])
            head = cell.head or 0 if cell is not None and weights else -1
            before = self._head
            self._head = head if head in chosen else self._head if self._head in chosen else chosen[0]
            if self._head != before:
                self._show_side()

    def _show_side(self) -> None:
        if self._shown is None:
            return
        heads, trace, settings = self._shown
        head, name = self._head, head_text(self._head + 1)
        title = f"‖α v W<sup>O</sup><sub>{head + 1}</sub>‖" if settings.sent else f"A<sub>{head + 1}</sub>"
        spoken = self.tr("what each key sends") if settings.sent else place_title("weights")
        matrix = Matrix(
            heads.values(settings.sent)[head], title, f"{spoken} · {name}", heads.queries, heads.keys,
            place="weights", head=head, colours="unit", span=Levels(0.0, heads.highest(settings.sent)),
            hidden=heads.hidden,
        )  # fmt: skip
        for heat in self.maps.show_all([matrix], trace):
            heat.cell_pressed.connect(self.cell_chosen)
            heat.enlarge_asked.connect(self.panels_asked.emit)
        self.facts.say("\n".join([name, *facts_lines(heads.facts[head], heads.keys)]))
        self.panels.setText(self.tr("All stages of {head}").format(head=name))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._side.setVisible(self.width() >= NARROW * theme.ui_size() / theme.USUAL_SIZE)
