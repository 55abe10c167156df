"""A Trace as the panels share it: with the colour scale of each kind, worked out at most once."""

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache

from explorer.attention.trace import Trace
from explorer.scene import MATRICES, Flags, Scene
from explorer.ui.panels.heatmap import Levels, ends_of, levels, levels_of
from explorer.ui.panels.kinds import StagePanel

_UNSEEN = {*MATRICES, "title", "notes", "extra"}
_SETTINGS = tuple(field.name for field in fields(Scene) if field.name not in _UNSEEN)


@lru_cache(maxsize=1)  # a hundred panels ask for that of one scene
def face_of(scene: Scene) -> tuple[object, ...]:
    """What formulas, labels and the layout depend on: an edit of a number leaves it alone."""
    tables = (scene.table(name) for name in MATRICES)
    shapes = (None if table is None else table.shape for table in tables)
    return (*(getattr(scene, name) for name in _SETTINGS), *shapes)


class TraceView:
    """One trace on its way to all panels.

    `difference`: its numbers are differences, so that every panel takes the diverging map. `missing`: the stages
    that it has no numbers for, and why, in a few words.
    """

    def __init__(
        self, trace: Trace, difference: bool = False, missing: Mapping[str, str] | None = None
    ) -> None:
        self.trace = trace
        self.difference = difference
        self.missing = missing or {}
        self.face = face_of(trace.scene)
        self._levels: dict[str, Levels] = {}
        self._ends: dict[str, tuple[float, float]] = {}
        self._hidden: dict[str, Flags | None] = {}

    def continues(self, before: "TraceView | None") -> bool:
        """Whether it differs from the one before in numbers only."""
        return before is not None and (before.difference, before.missing) == (self.difference, self.missing)

    def colours(self, kind: StagePanel) -> str:
        """The colour map of a kind: "signed" or "unit"."""
        return "signed" if self.difference else kind.stage.colours

    def levels(self, kind: StagePanel) -> Levels:
        """The ends of the colour map for all panels of a kind."""
        if kind.name not in self._levels:
            array, colours = kind.all(self.trace), self.colours(kind)
            as_written = array is kind.written(self.trace)  # gone through once for both
            self._levels[kind.name] = (
                levels_of(self.ends(kind), colours) if as_written else levels(array, colours)
            )
        return self._levels[kind.name]

    def ends(self, kind: StagePanel) -> tuple[float, float]:
        """The least and the largest number in the panels of a kind, which all have equally many decimals."""
        if kind.name not in self._ends:
            self._ends[kind.name] = ends_of(kind.written(self.trace))
        return self._ends[kind.name]

    def hidden(self, kind: StagePanel) -> Flags | None:
        """(rows, columns) of the cells that a mask hides in the panels of a kind; None where none are."""
        if kind.name not in self._hidden:
            self._hidden[kind.name] = kind.hidden(self.trace)
        return self._hidden[kind.name]
