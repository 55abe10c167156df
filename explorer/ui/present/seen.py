"""What the audience sees of a trace: what was computed, or what a lesson or the lab shows in its place."""

from typing import NamedTuple

from explorer.attention.trace import Trace
from explorer.ui.panels.view import TraceView


class Seen(NamedTuple):
    """The numbers and colours of the panels; `note` says what they are where that is not what was computed."""

    view: TraceView
    note: str = ""

    @classmethod
    def plainly(cls, trace: Trace) -> "Seen":
        """What was computed."""
        return cls(TraceView(trace))
