"""A Trace as the panels share it: with the colour scale of each kind, worked out at most once."""

from explorer.attention.trace import Trace
from explorer.ui.panels.heatmap import Levels, levels
from explorer.ui.panels.kinds import StagePanel


class TraceView:
    """One trace on its way to all panels."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._levels: dict[str, Levels] = {}

    def levels(self, kind: StagePanel) -> Levels:
        """The ends of the colour map for all panels of a kind."""
        if kind.name not in self._levels:
            self._levels[kind.name] = levels(kind.all(self.trace), kind.stage.colours)
        return self._levels[kind.name]
