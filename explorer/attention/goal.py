"""Goals: numbers that a person wishes for, and the matrices that may change for it. The search: descent.py."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from explorer.attention.formula import number
from explorer.attention.places import check
from explorer.attention.precision import widened
from explorer.attention.remarks import Remark
from explorer.attention.trace import STAGE, Cell
from explorer.scene import MATRICES, Flags, Scene

TOLERANCE = 0.01


class Wish(NamedTuple):
    """One cell of a stage, and what it shall be."""

    cell: Cell
    target: float


@dataclass(frozen=True)
class Goal:
    """Wishes to be met within `tolerance` each, by changing nothing but the numbers of `matrices`."""

    wishes: tuple[Wish, ...]
    matrices: tuple[str, ...]
    tolerance: float = TOLERANCE

    @classmethod
    def weight(
        cls,
        head: int,
        query: int,
        key: int,
        target: float,
        matrices: Sequence[str],
        tolerance: float = TOLERANCE,
    ) -> Self:
        """ "Query 2 shall attend to key 1 with 0.9 in head 1", all counted from 0."""
        return cls((Wish(Cell("weights", head, query, key), target),), tuple(matrices), tolerance)

    @classmethod
    def row(
        cls,
        place: str,
        head: int | None,
        row: int,
        targets: Sequence[float],
        matrices: Sequence[str],
        tolerance: float = TOLERANCE,
    ) -> Self:
        """A whole row of a stage, such as the output vector of a token (head None)."""
        wishes = (Wish(Cell(place, head, row, col), float(value)) for col, value in enumerate(targets))
        return cls(tuple(wishes), tuple(matrices), tolerance)

    def check(self, scene: Scene) -> None:
        """Raises ValueError, with a sentence, for a cell or a matrix that the scene does not have."""
        for cell, _ in self.wishes:
            if cell.place not in STAGE:
                raise ValueError(f"{cell.place} is set by you; a goal is a number that follows from others.")
            check(scene, cell)
        for name in self.matrices:
            if name not in MATRICES or getattr(scene, name) is None:
                raise ValueError(f"{name} is not set in this scene, so it cannot change.")

    def miss(self, values: Sequence[float]) -> float:
        """The largest distance of a value from its target; NaN where one is NaN."""
        return float(np.abs(np.subtract(values, [wish.target for wish in self.wishes])).max())


@dataclass(frozen=True, eq=False)
class Progress:
    """One step of the search. The last one has an `ending`, and says whether the goal is `reached`."""

    step: int
    loss: float  # 0: exactly as wished
    values: tuple[float, ...]  # of each wish
    miss: float  # the largest distance from a target
    scene: Scene  # so far; a normal scene
    ending: Remark | None = None
    reached: bool = False

    def stopped(self) -> Remark:
        """What to say where the caller goes no further."""
        return Remark("stopped", {"steps": str(self.step), "miss": number(self.miss)})


def only_nears(scene: Scene, goal: Goal) -> str | None:
    """The target that softmax comes ever nearer to and never reaches: a weight of 0 or 1 that no mask makes so."""
    for cell, target in goal.wishes:
        if cell.place == "weights" and target in (0, 1) and _fixed(_seen(scene)[cell.row], cell.col) is None:
            return number(target)
    return None


def impossible(scene: Scene, goal: Goal) -> Remark | None:
    """Why no numbers in the matrices can meet the goal, where that is plain beforehand."""
    if not goal.matrices:
        return Remark("no_matrix")
    seen = _seen(scene)
    sums: dict[tuple[int | None, int], list[float]] = {}
    for cell, target in goal.wishes:
        if cell.place != "weights":
            continue
        if not -goal.tolerance <= target <= 1 + goal.tolerance:
            return Remark("impossible_weight", {"target": number(target)})
        fixed = _fixed(seen[cell.row], cell.col)
        if fixed is not None and abs(fixed[0] - target) > goal.tolerance:
            return Remark(fixed[1])
        sums.setdefault((cell.head, cell.row), []).append(target)
    for (_, row), targets in sums.items():
        slack = goal.tolerance * len(targets)
        whole = len(targets) == np.count_nonzero(seen[row])
        if sum(targets) > 1 + slack or (whole and sum(targets) < 1 - slack):
            return Remark("impossible_sum", {"sum": number(sum(targets))})
    return None


def _seen(scene: Scene) -> Flags:
    """(n, m): which keys have a weight. A hidden score of −∞ has none; one of −10⁹ has, if next to nothing."""
    return scene.visible() | (widened(scene).mask_fill != -np.inf)


def _fixed(seen: Flags, key: int) -> tuple[float, str] | None:
    """The weight that a key has in any case, and why, by what its query sees."""
    if not seen.any():
        return 0.0, "blind_row"
    if not seen[key]:
        return 0.0, "hidden_key"
    return (1.0, "only_key") if seen.sum() == 1 else None
