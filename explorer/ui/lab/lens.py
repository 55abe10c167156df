"""What lies between the Engine's trace and the panels: nothing, a deliberate mistake, a comparison, a missing head."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from explorer.attention.trace import Trace


@dataclass(frozen=True)
class Look:
    """How the panels show a trace: another one in its place, and in words what is seen.

    `difference`: the numbers are B − A, so all panels take the diverging colours, each kind its own symmetric scale.
    """

    transform: Callable[[Trace], Trace]
    note: str
    difference: bool = False


class Lens(QObject):
    """At most one Look at a time; who sets another one takes the first one's place."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._look: Look | None = None
        self._owner = ""

    @property
    def look(self) -> Look | None:
        """The one in force; None: panels show what was computed."""
        return self._look

    @property
    def owner(self) -> str:
        """Who set it: the name of a tool."""
        return self._owner

    def set(self, owner: str, look: Look) -> None:
        """Look at traces this way."""
        self._owner, self._look = owner, look
        self.changed.emit()

    def clear(self, owner: str) -> None:
        """Look plainly again, if it was `owner` who set the Look."""
        if self._look is not None and owner == self._owner:
            self._owner, self._look = "", None
            self.changed.emit()

    def shown(self, trace: Trace) -> Trace:
        """What the panels are to show of a trace."""
        return trace if self._look is None else self._look.transform(trace)
