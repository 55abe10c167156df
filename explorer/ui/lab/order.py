"""The order that tokens were in before they were reordered, as the session keeps it. No widgets.

Kept are the rows, counted from 1, by their side: {"x": [1, 3, 2]} says that row 2 was row 3. An order that does not fit
the scene, because tokens came or went, counts as none.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.reshape import reorder_tokens
from explorer.scene import Scene
from explorer.ui.lab.kept import remembered, with_remembered

NAME = "reorder"
SIDES = ("x", "context")


def count_of(scene: Scene, side: str) -> int:
    """How many tokens a side has; a context that there is not has none."""
    return scene.n if side == "x" else scene.m if scene.is_cross else 0


def order_of(scene: Scene, side: str) -> tuple[int, ...]:
    """Row i of `side` was row order[i], from 0, before anything was moved."""
    rows = _kept(scene).get(side)
    plain = tuple(range(count_of(scene, side)))
    if not isinstance(rows, Sequence) or not all(type(row) is int for row in rows):
        return plain
    order = tuple(row - 1 for row in rows)
    return order if sorted(order) == list(plain) else plain


def is_moved(scene: Scene, side: str) -> bool:
    """Whether the tokens of a side are in another order than they were."""
    order = order_of(scene, side)
    return order != tuple(range(len(order)))


def reordered(scene: Scene, index: Sequence[int], side: str) -> Scene:
    """As `reorder_tokens`; the scene keeps where its rows came from."""
    order = order_of(scene, side)
    return _with_order(reorder_tokens(scene, index, side), side, [order[i] for i in index])


def settled(scene: Scene) -> Scene:
    """The scene without orders of tokens that have come or gone since; else they might fit again one day."""
    for side in SIDES:
        if side in _kept(scene) and count_of(scene, side) and not is_moved(scene, side):
            scene = _with_order(scene, side, ())
    return scene


def original(scene: Scene) -> Scene:
    """The scene with its tokens as they were, keeping no order any more."""
    for side in SIDES:
        if is_moved(scene, side):
            order = order_of(scene, side)
            scene = reordered(scene, sorted(range(len(order)), key=order.__getitem__), side)
    return scene


def _kept(scene: Scene) -> Mapping[str, Any]:
    entry = remembered(scene, NAME)
    return entry if isinstance(entry, Mapping) else {}


def _with_order(scene: Scene, side: str, order: Sequence[int]) -> Scene:
    entry = {key: value for key, value in _kept(scene).items() if key != side}
    if list(order) != sorted(order):
        entry[side] = [row + 1 for row in order]
    return with_remembered(scene, NAME, entry or None)
