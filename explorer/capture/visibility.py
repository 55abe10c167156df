"""From the masks of a running model to those of a Scene."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.capture.naming import CaptureError
from explorer.scene import Array, Flags, Mask

HIDES = (
    -5000.0
)  # less than this added to a score leaves the key no weight in any precision; models add -1e4 or less


def masks_of(visible: Flags) -> tuple[Mask, ...]:
    """The masks that together allow exactly what `visible` (n, m) does; the ones with a name where they will do."""
    n, m = visible.shape
    keys = np.asarray(visible.any(axis=0))
    padding: tuple[Mask, ...] = () if keys.all() else (Padding(keys=tuple(bool(k) for k in keys)),)
    for masks in _named(visible):
        allowed = np.ones((n, m), dtype=bool)
        for mask in (*masks, *padding):
            allowed &= mask.allowed(n, m)
        if np.array_equal(allowed, visible):
            return (*masks, *padding)
    return (Custom(table=visible),)


def _named(visible: Flags) -> Iterator[tuple[Mask, ...]]:
    n, m = visible.shape
    yield ()
    yield (Causal(),)
    if n != m:
        yield (Causal(align="bottom_right"),)
    rows, columns = np.nonzero(visible)
    if not rows.size:
        return
    left, right = int(np.max(rows - columns)), int(np.max(columns - rows))
    if left >= 0 and right == 0:
        yield (Causal(), Window(left=left, right=0))
    if left >= 0 and right >= 0:
        yield (Window(left=left, right=right),)


def split_added(added: Array) -> tuple[Flags, Array]:
    """What is added to scores, as what stays visible and what is then added to it (0 where hidden)."""
    visible: Flags = added > HIDES
    return visible, np.where(visible, added, 0.0)


def same_for_all_heads(table: NDArray[np.generic]) -> bool:
    """Whether (H, n, m) says the same of each head."""
    return bool((table == table[:1]).all())


def fields_of_added(added: Array) -> dict[str, Any]:
    """The Scene's fields that do what adding `added` (H or 1, n, m) to the scaled scores does.

    Raises CaptureError where a Scene cannot say it.
    """
    visible, rest = split_added(added)
    if not same_for_all_heads(visible):
        raise CaptureError("each head has a mask of its own, which a session cannot hold")
    fields: dict[str, Any] = {"mask": masks_of(visible[0])}
    if rest.any():
        fields["bias"] = rest[0] if same_for_all_heads(rest) else rest
    hidden = added[0][~visible[0].any(axis=1)]  # (rows that see nothing, m)
    if hidden.size and np.isfinite(hidden).all():
        fields["mask_fill"] = float(hidden[0, 0])  # equal for all keys: such a row attends to all alike
    return fields


def fields_of_visible(added: Array) -> dict[str, Any]:
    """Likewise of what `added` hides; numbers that it adds are the position's, which says them itself."""
    return fields_of_added(np.where(added > HIDES, 0.0, added))
