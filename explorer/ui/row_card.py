"""The card below the arithmetic: the row that the chosen number belongs to, as bars."""

from math import isnan

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from explorer.attention.rows import row_facts
from explorer.attention.trace import Cell, Trace
from explorer.numbers import format_number
from explorer.ui.preferences import preferences
from explorer.ui.row_bars import RowBars

STAGES = ("scores", "scaled", "masked", "weights", "head_outputs")  # where a row is one of weights
KEYED = STAGES[:-1]  # and a column is a key


class RowCard(QFrame):
    """Title, bars, and how spread the weights are. Hidden for a number that no row of weights belongs to."""

    key_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("row_card")
        self._title, self._rest, self._facts = (
            QLabel(wordWrap=True),
            QLabel(wordWrap=True),
            QLabel(wordWrap=True),
        )
        self._title.setObjectName("row_title")
        self._rest.setObjectName("row_rest")
        self._facts.setObjectName("row_facts")
        self.bars = RowBars()
        self.bars.activated.connect(self.key_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(7)
        for widget in (self._title, self.bars, self._rest, self._facts):
            layout.addWidget(widget)

    def show_row_of(self, trace: Trace, cell: Cell) -> None:
        """Show the row of weights that `cell` is made from, or goes into."""
        self.setVisible(cell.place in STAGES)
        if cell.place not in STAGES:
            return
        head = cell.head or 0
        self._title.setText(
            self.tr("row “{token}” · where it looks").format(token=trace.scene.tokens[cell.row])
        )
        self.bars.show_row(trace, head, cell.row, cell.col if cell.place in KEYED else None)
        count, together = self.bars.rest
        self._rest.setVisible(count > 0)
        text = self.tr("… {count} more, together {weight}")
        self._rest.setText(text.format(count=count, weight=format_number(together, preferences().decimals)))
        self._facts.setText(self._facts_text(trace, head, cell.row))

    def _facts_text(self, trace: Trace, head: int, row: int) -> str:
        facts = row_facts(trace, head, row)
        if trace.blind[row]:
            return self.tr("attends to nothing")
        if isnan(facts.entropy):
            return self.tr("no entropy: a weight is NaN")
        text = self.tr("entropy {entropy} bit · effective keys {effective} of {visible} visible")
        return text.format(
            entropy=f"{facts.entropy:.2f}", effective=f"{facts.effective:.1f}", visible=facts.visible
        )
