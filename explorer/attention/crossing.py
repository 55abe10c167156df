"""Self-attention ↔ cross-attention, to and fro without a loss.

Both sides share what both have room for: the first rows of W_k and W_v, the masks' flags of the first keys. What only
the side that is left has room for is set aside, as JSON can hold it, and comes back with that side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from explorer.attention.masks import MASKS
from explorer.attention.positions import Learned
from explorer.reshape import with_context
from explorer.scene import Array, Flags, Mask, Scene, follow


@dataclass(frozen=True, eq=False, kw_only=True)
class Aside:
    """What the other side of a scene holds beyond this one."""

    context: Array | None = None  # of the cross-attention that was left
    context_tokens: tuple[str, ...] = ()
    rows: int = 0  # w_k and w_v are rows of those matrices from this one on
    w_k: Array | None = None
    w_v: Array | None = None
    keys: int = 0  # `masks` speak of the keys from this one on
    masks: tuple[Mask, ...] = ()
    tokens: tuple[str, ...] = ()  # the queries of these masks, and of the bias
    bias: Array | None = None  # (…, queries, keys), of the keys from `keys` on

    @property
    def size(self) -> int:
        """How many numbers and flags it holds."""
        arrays = [self.context, self.w_k, self.w_v, self.bias, *(_flags(mask) for mask in self.masks)]
        return sum(array.size for array in arrays if array is not None)

    def to_json(self) -> dict[str, Any]:
        """The entry that `read` reads; empty where nothing is set aside."""
        entry: dict[str, Any] = {}
        if self.context is not None:
            entry |= {"context": self.context.tolist(), "context_tokens": list(self.context_tokens)}
        if self.w_k is not None and self.w_v is not None:
            entry |= {"rows": self.rows, "w_k": self.w_k.tolist(), "w_v": self.w_v.tolist()}
        if self.masks:
            masks = [mask.to_json() for mask in self.masks]
            entry |= {"keys": self.keys, "tokens": list(self.tokens), "mask": masks}
        if self.bias is not None:
            entry |= {"keys": self.keys, "tokens": list(self.tokens), "bias": self.bias.tolist()}
        return entry

    @classmethod
    def read(cls, entry: Any) -> Self:
        """What an entry of a session holds, as far as it can be read."""
        if not isinstance(entry, Mapping):
            return cls()
        context, labels = _table(entry.get("context")), _labels(entry.get("context_tokens"))
        if context is None or len(labels) not in (0, len(context)):
            labels = ()
        tokens = _labels(entry.get("tokens"))
        masks = entry.get("mask")
        return cls(
            context=context,
            context_tokens=labels,
            rows=_count(entry.get("rows")),
            w_k=_table(entry.get("w_k")),
            w_v=_table(entry.get("w_v")),
            keys=_count(entry.get("keys")),
            masks=tuple(mask for e in masks if (mask := _mask(e, len(tokens))) is not None)
            if isinstance(masks, list)
            else (),
            tokens=tokens,
            bias=_table(entry.get("bias"), ranks=(2, 3)),
        )


def crossed(scene: Scene, on: bool, aside: Aside | None = None) -> tuple[Scene, Aside]:
    """Cross-attention or self-attention (`on` False), and what that leaves aside.

    Without a context set aside, cross-attention begins with a copy of X, so that no number changes. `crossed` of what
    it returned gives back the scene it came from.
    """
    aside = aside or Aside()
    if on == scene.is_cross:
        return scene, aside
    if not on:
        new = with_context(scene, None)
    elif aside.context is not None:
        new = with_context(scene, aside.context, aside.context_tokens)
    else:
        new = _copied(scene)
    new = _with_rows(scene, new, aside)
    new = new.replace(mask=_masks(scene, new, aside), bias=_bias(scene, new, aside))
    return new, _left(scene, new)


def _copied(scene: Scene) -> Scene:
    """Cross-attention to a copy of X; an added table of positions is copied too."""
    plain = scene.tokens == tuple(f"x{i}" for i in range(1, scene.n + 1))
    new = with_context(scene, scene.x, () if plain else scene.tokens)
    if isinstance(scene.position, Learned) and scene.position.context_table is None:
        new = new.replace(position=replace(scene.position, context_table=scene.position.table))
    return new


def _with_rows(old: Scene, new: Scene, aside: Aside) -> Scene:
    """The rows of W_k and W_v that `new` has beyond `old`, as they were set aside."""
    changes: dict[str, Array] = {}
    for name in ("w_k", "w_v"):
        kept, weights = getattr(aside, name), getattr(new, name)
        if kept is None or new.d_context <= old.d_context:
            continue
        kept = _with_columns(kept, weights.shape[1], new.groups)
        wanted = range(old.d_context, new.d_context)
        rows = follow(kept, [r - aside.rows if 0 <= r - aside.rows < len(kept) else -1 for r in wanted])
        changes[name] = np.concatenate([weights[: old.d_context], rows])
    return new.replace(**changes) if changes else new


def _with_columns(kept: Array, columns: int, groups: int) -> Array:
    """(rows, columns): each K/V head's columns cut or padded with 0."""
    if kept.shape[1] == columns:
        return kept
    if kept.shape[1] % groups:
        return np.zeros((len(kept), columns))
    width, own = columns // groups, kept.shape[1] // groups
    blocks = kept.reshape(len(kept), groups, own)  # (rows, G, d)
    fitted = follow(blocks, [c if c < own else -1 for c in range(width)], 2)
    return fitted.reshape(len(kept), columns)


def _masks(old: Scene, new: Scene, aside: Aside) -> tuple[Mask, ...]:
    """`new`'s masks, with the flags that were set aside for the keys that `old` does not have."""
    shared, waiting, masks = min(old.m, new.m), list(aside.masks), []
    queries = _queries(new, aside)
    for before, mask in zip(old.mask, new.mask, strict=True):
        kept = next((w for w in waiting if w.kind == mask.kind), None)
        if kept is not None and new.m > shared:
            waiting.remove(kept)
            count = _flags(kept).shape[1]
            places = [k - aside.keys for k in range(shared, new.m)]
            tail = kept.follow(queries, [p if 0 <= p < count else -1 for p in places])
            mask = before.follow(range(old.n), range(shared)).extended(tail)
        masks.append(mask)
    return tuple(masks)


def _queries(new: Scene, aside: Aside) -> list[int]:
    """Where the queries of `new` stand among those that were set aside; −1: nowhere."""
    if aside.tokens == new.tokens:
        return list(range(new.n))  # labels may repeat
    return [aside.tokens.index(t) if t in aside.tokens else -1 for t in new.tokens]


def _bias(old: Scene, new: Scene, aside: Aside) -> Array | None:
    """`new`'s bias, with the numbers that were set aside for the keys that `old` does not have."""
    shared, kept = min(old.m, new.m), aside.bias
    if new.bias is None or kept is None or new.m <= shared:
        return new.bias
    if kept.shape[:-2] != new.bias.shape[:-2] or kept.shape[-2] != len(aside.tokens):
        return new.bias
    places = [k - aside.keys for k in range(shared, new.m)]
    tail = follow(kept, _queries(new, aside), -2)
    tail = follow(tail, [p if 0 <= p < kept.shape[-1] else -1 for p in places], -1)
    return np.concatenate([new.bias[..., :shared], tail], axis=-1)


def _left(old: Scene, new: Scene) -> Aside:
    """What `old` holds and `new` has no room for."""
    rows = new.d_context if old.d_context > new.d_context else None
    masks = []
    if old.m > new.m:
        for mask in old.mask:
            tail = mask.follow(range(old.n), range(new.m, old.m))
            if tail is not mask and not tail.allowed(old.n, old.m - new.m).all():
                masks.append(tail)
    bias = None if old.bias is None or old.m <= new.m else old.bias[..., new.m :]
    bias = bias if bias is not None and bias.any() else None
    return Aside(
        context=old.context,
        context_tokens=old.context_tokens,
        rows=rows or 0,
        w_k=None if rows is None else old.w_k[rows:],
        w_v=None if rows is None else old.w_v[rows:],
        keys=new.m,
        masks=tuple(masks),
        tokens=old.tokens if masks or bias is not None else (),
        bias=bias,
    )


def _flags(mask: Mask) -> Flags:
    """(queries or 1, keys): the flags of a mask that belongs to keys."""
    table = getattr(mask, "table", None)
    return np.atleast_2d(np.array(getattr(mask, "keys", ()), dtype=bool)) if table is None else table


# ---- reading ----


def _mask(entry: Any, queries: int) -> Mask | None:
    kind = entry.get("kind") if isinstance(entry, Mapping) else None
    if not isinstance(kind, str) or kind not in MASKS:
        return None
    mask = MASKS[kind].from_json(entry)
    try:
        return mask if mask.problem(queries, _flags(mask).shape[1]) is None else None
    except (TypeError, ValueError, IndexError):
        return None


def _table(value: Any, ranks: tuple[int, ...] = (2,)) -> Array | None:
    try:
        table = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return table if table.ndim in ranks and table.size else None


def _labels(value: Any) -> tuple[str, ...]:
    is_list: bool = isinstance(value, Sequence) and not isinstance(value, str)
    return tuple(value) if is_list and all(isinstance(label, str) for label in value) else ()


def _count(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0
