"""What a session keeps of a goal: {"cell": [stage, head or null, row, column], "row": bool, "target", "matrices"}.

Head, row and column count from 1. What cannot be in a scene is as if it were not there.
"""

from collections.abc import Mapping
from typing import Any

from explorer.attention.goal import Goal, Wish
from explorer.attention.places import is_there, shape_of
from explorer.attention.trace import STAGE, Cell
from explorer.scene import MATRICES, Scene

USUAL = ("w_q", "w_k")  # that are ticked at first
AFTER = ("v", "head_outputs", "concat", "output")  # stages that W_v and W_o have a part in


class GoalEntry:
    """A goal as it is kept, read for one scene; `chosen` is the cell it is about where none is kept."""

    def __init__(self, scene: Scene, entry: Any, chosen: Cell | None = None) -> None:
        self._scene = scene
        self.entry: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {}
        kept = kept_cell(self.entry)
        self.cell = next((c for c in (kept, chosen) if c is not None and _is_computed(scene, c)), None)

    @property
    def is_row(self) -> bool:
        """Whether the whole row of the cell is wished for."""
        return self.entry.get("row") is True

    @property
    def length(self) -> int:
        """How many numbers are wished for."""
        return shape_of(self._scene, self.cell.place)[1] if self.is_row and self.cell is not None else 1

    @property
    def targets(self) -> list[float]:
        """The numbers wished for; none until there are as many as are needed."""
        kept = self.entry.get("target")
        if self.cell is None or not isinstance(kept, list) or len(kept) != self.length:
            return []
        return [float(v) for v in kept] if all(type(v) in (int, float) for v in kept) else []

    @property
    def matrices(self) -> tuple[str, ...]:
        """The matrices that may change."""
        names = self.entry.get("matrices")
        if not isinstance(names, list):
            names = (
                [*USUAL, "w_v", "w_o"] if self.cell is not None and self.cell.place in AFTER else list(USUAL)
            )
        return tuple(n for n in MATRICES if n in names and getattr(self._scene, n) is not None)

    @property
    def goal(self) -> Goal | None:
        """What is to be reached; None where there is no cell or no number yet."""
        cell, targets = self.cell, self.targets
        if cell is None or not targets:
            return None
        if self.is_row:
            return Goal.row(cell.place, cell.head, cell.row, targets, self.matrices)
        return Goal((Wish(cell, targets[0]),), self.matrices)

    def changed(self, **changes: Any) -> dict[str, Any]:
        """The entry with other values; None and False are left out."""
        new = {**self.entry, **changes}
        if "cell" not in changes and self.cell is not None:
            new["cell"] = entry_of(self.cell)
        return {key: value for key, value in new.items() if value is not None and value is not False}


def entry_of(cell: Cell) -> list[Any]:
    """A cell as it is kept."""
    return [cell.place, None if cell.head is None else cell.head + 1, cell.row + 1, cell.col + 1]


def kept_cell(entry: Any) -> Cell | None:
    """The cell that an entry keeps; None where it keeps none that can be one."""
    place = entry.get("cell") if isinstance(entry, Mapping) else None
    if not isinstance(place, list) or len(place) != 4 or not isinstance(place[0], str):
        return None
    head, row, col = place[1:]
    if type(row) is not int or type(col) is not int or not (head is None or type(head) is int):
        return None
    return Cell(place[0], None if head is None else head - 1, row - 1, col - 1)


def _is_computed(scene: Scene, cell: Cell) -> bool:
    return cell.place in STAGE and is_there(scene, cell)
