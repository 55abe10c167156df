"""What lies between the Engine's trace and the panels: nothing, a deliberate mistake, a comparison, a missing head."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from explorer.attention.compare import stage_delta
from explorer.attention.trace import STAGES, Trace
from explorer.scene import Array
from explorer.ui.panels.view import TraceView


@dataclass(frozen=True)
class Look:
    """How the panels show a trace: another one in its place, and in words what is seen.

    `difference`: the numbers are B − A, so all panels take the diverging colours, each kind its own symmetric scale.
    `missing`: the stages that there are no numbers for, and why, in a few words.
    """

    transform: Callable[[Trace], Trace]
    note: str
    difference: bool = False
    missing: Mapping[str, str] = field(default_factory=dict)


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

    def view(self, trace: Trace) -> TraceView:
        """Likewise, with the colours it takes."""
        look = self._look
        if look is None:
            return TraceView(trace)
        return TraceView(look.transform(trace), look.difference, look.missing)


def stand_in(trace: Trace, stages: Mapping[str, Array | None], visible: Array | None = None) -> Trace:
    """`trace` with other numbers in its stages; NaN in one that is None. Hidden is what is not `visible`."""
    arrays: dict[str, Array] = {}
    for name, array in stages.items():
        arrays[name] = np.full(trace.stage(name).shape, np.nan) if array is None else array
        arrays[name].setflags(write=False)
    seen = trace.visible if visible is None else visible
    return replace(trace, **arrays, visible=seen, blind=~seen.any(axis=1) & trace.blind)


def difference(a: Trace, b: Trace) -> Trace:
    """B − A in every stage, for the panels of B; NaN in stages of other shapes. Hidden is what both hide."""
    changes = {stage.name: stage_delta(a, b, stage.name) for stage in STAGES}
    same = a.visible.shape == b.visible.shape
    shown = stand_in(b, changes, a.visible | b.visible if same else None)
    return replace(shown, blind=np.zeros_like(b.blind))


def largest_changes(a: Trace, b: Trace) -> dict[str, tuple[float, float]]:
    """Of each stage that can be compared: max|B − A|, and the largest finite number of A or B.

    ∞ where a number is ∞ or NaN on one side alone.
    """
    found = {}
    for stage in STAGES:
        change = stage_delta(a, b, stage.name)
        if change is not None:
            both = (largest(a.stage(stage.name)), largest(b.stage(stage.name)))
            sizes = np.where(np.isnan(change), np.inf, np.abs(change))
            found[stage.name] = (float(sizes.max(initial=0.0)), max(both))
    return found


def largest(array: Array) -> float:
    """max|·| over the finite numbers; 0 where there are none."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0.0))
