"""How a person reads the heads: what is drawn, sorted and left out. The scene keeps the filters. No widgets."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from explorer.scene import Scene
from explorer.ui.lab.kept import remembered, with_remembered

OVERVIEW, WORDS = "overview", "words"  # the two views
NAME = "reading"  # of the entry among those that the lab's tools keep in a scene
ALL_KEYS = 40  # up to so many keys all lines are drawn unless a person says otherwise
FEW = 3  # lines of each query where there are more keys


@dataclass(frozen=True)
class Filters:
    """`threshold`: a share of the largest possible number, 0 … 1. `top`: so many keys of each query, 0 for all, None
    for as many as can be told apart.
    """

    threshold: float = 0.0
    top: int | None = None

    def top_of(self, keys: int) -> int | None:
        """How many lines of each query, given so many keys; None: all."""
        if self.top is None:
            return None if keys <= ALL_KEYS else FEW
        return self.top or None


@dataclass(frozen=True)
class Settings:
    """`heads`: those whose lines are drawn, from 0 (none: the first)."""

    sort: str = "number"
    sent: bool = False  # ‖α·v·W^O_h‖ in place of the weights
    heads: tuple[int, ...] = ()
    filters: Filters = Filters()

    def heads_of(self, count: int) -> tuple[int, ...]:
        """The heads to draw of a layer that has so many."""
        return tuple(head for head in self.heads if head < count) or (0,)


def filters_of(scene: Scene) -> Filters:
    """What a scene keeps; what makes no sense in it counts as not there."""
    entry = remembered(scene, NAME)
    found = Filters()
    if not isinstance(entry, Mapping):
        return found
    threshold, top = entry.get("threshold"), entry.get("top")
    if type(threshold) in (int, float) and 0 <= threshold <= 1:
        found = replace(found, threshold=float(threshold))
    if type(top) is int and top >= 0:
        found = replace(found, top=top)
    return found


def with_filters(scene: Scene, filters: Filters) -> Scene:
    """The scene that keeps these, each only where it is not as it comes."""
    usual = Filters()
    entry = {
        field.name: getattr(filters, field.name)
        for field in fields(Filters)
        if getattr(filters, field.name) != getattr(usual, field.name)
    }
    return with_remembered(scene, NAME, entry or None)


def differ_in_filters_alone(a: Scene, b: Scene) -> bool:
    """Whether `b` was made from `a` and keeps at most other filters."""
    plain_a, plain_b = (with_remembered(scene, NAME, None) for scene in (a, b))
    others = [field.name for field in fields(Scene) if field.name != "extra"]
    return plain_a.extra == plain_b.extra and all(getattr(a, name) is getattr(b, name) for name in others)
