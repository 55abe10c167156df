"""A scene's masks taken apart and changed by hand: what each kind hides, cells painted, keys and windows set.

A mask that is painted is the kind "custom". Masks combine: what another kind hides, painting cannot show.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.attention.masks import MASKS, Custom, Padding, Window
from explorer.scene import Flags, Mask, Scene

Cell = tuple[int, int]
Cells = tuple[NDArray[np.intp], NDArray[np.intp]]  # rows and columns, as numpy takes them


@dataclass(frozen=True, eq=False)
class Part:
    """What all masks of one kind do together; arrays are (n, m)."""

    kind: str
    allowed: Flags
    alone: Flags  # hidden by this kind and by no other

    @property
    def hidden(self) -> int:
        """How many cells it hides."""
        return int(self.allowed.size - np.count_nonzero(self.allowed))


def mask_of(scene: Scene, kind: str) -> Mask | None:
    """The scene's mask of this kind, the first if there are several."""
    return next((mask for mask in scene.mask if mask.kind == kind), None)


def with_mask_of(scene: Scene, kind: str, mask: Mask | None) -> Scene:
    """`mask` in the place of the first one of its kind, or added to the others; None: without this kind."""
    if mask is None:
        return scene.replace(mask=tuple(other for other in scene.mask if other.kind != kind))
    old = mask_of(scene, kind)
    if old is None:
        return scene.replace(mask=(*scene.mask, mask))
    return scene.replace(mask=tuple(mask if other is old else other for other in scene.mask))


def parts(scene: Scene) -> dict[str, Part]:
    """The kinds that the scene has, in the order of MASKS: result = the conjunction of what they allow."""
    allowed: dict[str, Flags] = {}
    for mask in scene.mask:
        own = mask.allowed(scene.n, scene.m)
        allowed[mask.kind] = allowed[mask.kind] & own if mask.kind in allowed else own
    hiding = sum((~own for own in allowed.values()), np.zeros((scene.n, scene.m), dtype=np.int64))
    return {
        kind: Part(kind, allowed[kind], ~allowed[kind] & (hiding == 1)) for kind in MASKS if kind in allowed
    }


def hidden_by(scene: Scene, row: int, col: int) -> tuple[str, ...]:
    """The kinds that hide a key from a query."""
    kinds = (mask.kind for mask in scene.mask if not mask.allows(row, col, scene.n, scene.m))
    return tuple(dict.fromkeys(kinds))


def painted(scene: Scene, cells: Cells, on: bool) -> Scene:
    """These cells shown or hidden in the painted mask, which is added if there is none; the same Scene if they are so.

    A cell that another kind hides stays hidden.
    """
    first = mask_of(scene, Custom.kind)
    if first is None:
        if on:
            return scene
        first = Custom(table=np.ones((scene.n, scene.m), dtype=bool))
        scene = scene.replace(mask=(*scene.mask, first))
    masks: list[Mask] = []
    for mask in scene.mask:
        # one of several painted masks hides a cell, all of them together show it
        if isinstance(mask, Custom) and (on or mask is first) and (mask.table[cells] != on).any():
            table = mask.table.copy()
            table[cells] = on
            masks.append(replace(mask, table=table))
        else:
            masks.append(mask)
    changed = any(old is not new for old, new in zip(scene.mask, masks, strict=True))
    return scene.replace(mask=tuple(masks)) if changed else scene


def as_painted(scene: Scene) -> Scene:
    """What all masks allow together as one painted mask, of which every cell can be shown."""
    return scene.replace(mask=(Custom(table=scene.visible()),))


def with_key(scene: Scene, key: int, on: bool) -> Scene:
    """A key shown to or hidden from every query, by the padding mask, which is added if there is none."""
    keys = [True] * scene.m
    for mask in scene.mask:
        if isinstance(mask, Padding):
            keys = [own and flag for own, flag in zip(keys, mask.keys, strict=True)]
    if keys[key] == on:
        return scene
    keys[key] = on
    first = mask_of(scene, Padding.kind)
    if not isinstance(first, Padding):
        return scene.replace(mask=(*scene.mask, Padding(keys=tuple(keys))))
    whole = replace(first, keys=tuple(keys))
    others = [mask for mask in scene.mask if mask is first or mask.kind != Padding.kind]
    return scene.replace(mask=tuple(whole if mask is first else mask for mask in others))


def with_window(scene: Scene, left: int, right: int) -> Scene:
    """Another reach of the window, which is added if there is none; the same Scene if it reaches so far."""
    window = mask_of(scene, Window.kind)
    if not isinstance(window, Window):
        return with_mask_of(scene, Window.kind, Window(left=left, right=right))
    if (window.left, window.right) == (left, right):
        return scene
    return with_mask_of(scene, Window.kind, replace(window, left=left, right=right))


# ---- strokes ----


def line(start: Cell, end: Cell) -> Cells:
    """The cells that a stroke from one to the other passes, both included."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    share = np.arange(steps + 1) / steps
    rows, cols = (np.rint(a + share * (b - a)).astype(np.intp) for a, b in zip(start, end, strict=True))
    return rows, cols


def block(start: Cell, end: Cell) -> Cells:
    """The rectangle with these corners."""
    (top, bottom), (left, right) = (sorted(pair) for pair in zip(start, end, strict=True))
    rows, cols = np.mgrid[top : bottom + 1, left : right + 1]
    return rows.ravel(), cols.ravel()
