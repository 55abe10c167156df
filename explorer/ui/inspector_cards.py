"""What the inspector says about a chosen number. Loaded after the first paint, with the arithmetic behind it."""

from explorer.attention.explain import Explanation, explain
from explorer.attention.trace import Cell, Trace
from explorer.ui.arithmetic import StepsCard
from explorer.ui.number_card import NumberCard
from explorer.ui.row_card import STAGES as ROW_STAGES
from explorer.ui.row_card import RowCard


class Cards:
    """The number, the row of weights that it belongs to, the steps to it; hidden until there is something to say."""

    def __init__(self) -> None:
        self.number, self.row, self.steps = NumberCard(), RowCard(), StepsCard()
        self.steps.unfold_asked.connect(self.number.arithmetic.unfold)
        self.hide()

    def hide(self) -> None:
        """There is nothing to say."""
        for card in (self.number, self.row, self.steps):
            card.hide()

    @staticmethod
    def explained(cell: Cell, trace: Trace | None) -> Explanation | None:
        """None where there is no such number."""
        if trace is None:
            return None
        try:
            return explain(trace.scene, trace, cell)
        except ValueError:  # the trace is of a scene that did not have the cell yet
            return None

    @staticmethod
    def gives_away(found: Explanation, covered: frozenset[Cell]) -> bool:
        """Whether the number is covered, or one of those it is made of, or one of its row's weights."""
        cell = found.cell
        for each in covered:
            in_row = (each.place, each.head, each.row) == ("weights", cell.head, cell.row)
            if each == cell or (in_row and cell.place in ROW_STAGES):
                return True
            if any(region.holds(each) for region in found.regions):
                return True
        return False
