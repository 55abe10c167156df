"""Edits that change sizes: tokens inserted, deleted, moved, widths grown or shrunk. Everything else follows.

Each function returns a new Scene that keeps every number it can; new numbers are 0 (new columns of an
identity projection included), so that one undo brings everything back and nothing else has to know how.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.scene import Array, Scene, SceneError, follow

SIZES = ("d_model", "d_context", "d_k", "d_v", "d_out")


def reorder_tokens(scene: Scene, index: Sequence[int], side: str = "x", labels: Sequence[str] = ()) -> Scene:
    """The rows of `side` ("x" or "context") as old indices in their new order; −1 is a new row of zeros.

    Labels, the bias and the masks that belong to a token move along; positions belong to places and stay.
    `labels` names the new rows in order. Raises SceneError if no row would be left.
    """
    if side == "context" and not scene.is_cross:
        raise SceneError("context", "There is no context: this is self-attention.")
    if not index:
        raise SceneError(side, "The last token cannot be deleted.")
    old = scene.x if side == "x" else scene.source
    old_labels = scene.tokens if side == "x" else scene.context_tokens
    names = iter(labels)
    used = set(old_labels)
    new_labels = [old_labels[i] if i >= 0 else next(names, None) or _fresh(side, used) for i in index]
    queries: Sequence[int] = index if side == "x" else range(scene.n)
    keys: Sequence[int] = index if side == "context" or not scene.is_cross else range(scene.m)
    sizes = {"n": len(queries), "d_model": scene.d_model}
    if scene.is_cross:
        sizes |= {"m": len(keys), "d_context": scene.d_context}
    return scene.replace(
        **{side: follow(old, index), "tokens" if side == "x" else "context_tokens": tuple(new_labels)},
        bias=_bias(scene, queries, keys),
        mask=tuple(mask.follow(queries, keys) for mask in scene.mask),
        position=scene.position.resized(sizes),
    )


def insert_tokens(
    scene: Scene, at: int, count: int = 1, side: str = "x", labels: Sequence[str] = ()
) -> Scene:
    """`count` new rows of zeros before row `at`."""
    size = scene.n if side == "x" else scene.m
    return reorder_tokens(scene, [*range(at), *[-1] * count, *range(at, size)], side, labels)


def delete_tokens(scene: Scene, rows: Sequence[int], side: str = "x") -> Scene:
    """Without these rows."""
    size = scene.n if side == "x" else scene.m
    return reorder_tokens(scene, [i for i in range(size) if i not in set(rows)], side)


def move_tokens(scene: Scene, rows: Sequence[int], to: int, side: str = "x") -> Scene:
    """These rows, together and in their order, put before what is row `to` now (n: at the end)."""
    size = scene.n if side == "x" else scene.m
    index = moved_rows(size, rows, to)
    return scene if index == list(range(size)) else reorder_tokens(scene, index, side)


def moved_rows(size: int, rows: Sequence[int], to: int) -> list[int]:
    """The rows 0 … size − 1 in their new order: `rows`, together, before what is row `to` now."""
    moving = sorted(set(rows))
    before = [i for i in range(to) if i not in moving]
    after = [i for i in range(to, size) if i not in moving]
    return [*before, *moving, *after]


def resize(scene: Scene, **sizes: int) -> Scene:
    """Other widths (keys of SIZES); for self-attention d_model is d_context too.

    d_k and d_v are per head: each head keeps its first columns. Raises SceneError where a width cannot be.
    """
    for name, size in sizes.items():
        if name not in SIZES:
            raise SceneError(name, f"{name} is not a width; the widths are {', '.join(SIZES)}.")
        if size < 1:
            raise SceneError(name, f"{name} must be at least 1.")
    for name in SIZES:  # d_out last: without W^O it follows from d_v
        if name in sizes and sizes[name] != getattr(scene, name):
            scene = _RESIZE[name](scene, sizes[name])
    return scene


def with_context(scene: Scene, context: Array | None, labels: Sequence[str] = ()) -> Scene:
    """Cross-attention to `context`, or self-attention again with None; W_k, W_v, masks and tables follow."""
    width = scene.d_model if context is None else int(np.shape(context)[1])
    m = scene.n if context is None else int(np.shape(context)[0])
    kept = range(min(m, scene.m))
    keys = [*kept, *[-1] * (m - len(kept))]
    sizes = {"n": scene.n, "d_model": scene.d_model}
    if context is not None:
        sizes |= {"m": m, "d_context": width}
    return scene.replace(
        context=context,
        context_tokens=tuple(labels),
        w_k=_rows(scene.w_k, width),
        w_v=_rows(scene.w_v, width),
        bias=_bias(scene, range(scene.n), keys),
        mask=tuple(mask.follow(range(scene.n), keys) for mask in scene.mask),
        position=scene.position.resized(sizes),
    )


def with_kv_heads(scene: Scene, groups: int | None) -> Scene:
    """Another number of K/V heads: more by repeating each (the output stays), fewer by the mean of those
    joined (Ainslie et al. 2023, section 2.1). Raises SceneError where `groups` does not divide heads.
    """
    wanted = scene.heads if groups is None else groups
    if wanted < 1 or scene.heads % wanted:
        counts = ", ".join(str(g) for g in possible_kv_heads(scene))
        raise SceneError(
            "kv_heads", f"{wanted} K/V heads do not divide {scene.heads} heads; possible: {counts}."
        )
    changes = {
        name: _regroup(value, scene.groups, wanted)
        for name in ("w_k", "w_v", "b_k", "b_v")
        if (value := getattr(scene, name)) is not None and wanted != scene.groups
    }
    return scene.replace(kv_heads=groups, **changes)


def possible_kv_heads(scene: Scene) -> tuple[int, ...]:
    """The divisors of H, ascending."""
    return tuple(g for g in range(1, scene.heads + 1) if scene.heads % g == 0)


def with_w_o(scene: Scene, on: bool) -> Scene:
    """W^O as an explicit identity to type into, or none (the output is concat)."""
    if on == (scene.w_o is not None):
        return scene
    joined = scene.heads * scene.d_v
    b_o = None if scene.b_o is None else _cols(scene.b_o, joined, 1)
    return scene.replace(w_o=np.eye(joined) if on else None, b_o=b_o)


def with_bias(scene: Scene, name: str, on: bool) -> Scene:
    """A bias of zeros to type into, or none."""
    if on == (getattr(scene, name) is not None):
        return scene
    width = scene.d_out if name == "b_o" else getattr(scene, "w" + name[1:]).shape[1]
    return scene.replace(**{name: np.zeros(width) if on else None})


def _bias(scene: Scene, queries: Sequence[int], keys: Sequence[int]) -> Array | None:
    """The bias of the scores after tokens moved; that of a new token is 0."""
    if scene.bias is None or (list(queries), list(keys)) == (list(range(scene.n)), list(range(scene.m))):
        return scene.bias
    return follow(follow(scene.bias, queries, -2), keys, -1)


def _fresh(side: str, used: set[str]) -> str:
    """The first of x1, x2 … (c1, c2 …) that no row bears; beside a1 and a2 it is a3."""
    letter = "x" if side == "x" else "c"
    series = {match[1] if (match := re.fullmatch(r"(\D+)[1-9]\d*", label)) else "" for label in used}
    if len(series) == 1 < len(used):
        letter = series.pop() or letter
    number = 1
    while f"{letter}{number}" in used:
        number += 1
    used.add(f"{letter}{number}")
    return f"{letter}{number}"


def _index(old: int, new: int) -> list[int]:
    return [i if i < old else -1 for i in range(new)]


def _rows(array: Array, size: int, heads: int = 1) -> Array:
    """Each head's rows cut or padded so that there are heads·size; the same object if nothing changes."""
    own = array.shape[0] // heads
    if own == size:
        return array
    return follow(array, [h * own + i if i >= 0 else -1 for h in range(heads) for i in _index(own, size)])


def _cols(array: Array, size: int, heads: int) -> Array:
    """Each head's columns likewise; for a bias, its numbers."""
    return np.ascontiguousarray(_rows(array.T, size, heads).T)


def _set_cols(scene: Scene, names: Sequence[str], size: int, heads: int) -> dict[str, Any]:
    return {n: _cols(value, size, heads) for n in names if (value := getattr(scene, n)) is not None}


def _set_d_model(scene: Scene, size: int) -> Scene:
    changes = {"x": _cols(scene.x, size, 1), "w_q": _rows(scene.w_q, size)}
    sizes = {"n": scene.n, "d_model": size}
    if scene.is_cross:
        sizes |= {"m": scene.m, "d_context": scene.d_context}
    else:
        changes |= {"w_k": _rows(scene.w_k, size), "w_v": _rows(scene.w_v, size)}
    return scene.replace(**changes, position=scene.position.resized(sizes))


def _set_d_context(scene: Scene, size: int) -> Scene:
    if not scene.is_cross:
        return _set_d_model(scene, size)
    sizes = {"n": scene.n, "d_model": scene.d_model, "m": scene.m, "d_context": size}
    return scene.replace(
        context=_cols(scene.source, size, 1),
        w_k=_rows(scene.w_k, size),
        w_v=_rows(scene.w_v, size),
        position=scene.position.resized(sizes),
    )


def _set_d_k(scene: Scene, size: int) -> Scene:
    return scene.replace(
        **_set_cols(scene, ("w_q", "b_q"), size, scene.heads),
        **_set_cols(scene, ("w_k", "b_k"), size, scene.groups),
        **scene.norms_for(size),
    )


def _set_d_v(scene: Scene, size: int) -> Scene:
    changes = _set_cols(scene, ("w_v", "b_v"), size, scene.groups)
    if scene.w_o is not None:
        changes["w_o"] = _rows(scene.w_o, size, scene.heads)
    elif scene.b_o is not None:
        changes["b_o"] = _cols(scene.b_o, size, scene.heads)
    return scene.replace(**changes)


def _set_d_out(scene: Scene, size: int) -> Scene:
    return with_w_o(scene, True).replace(
        w_o=_cols(scene.w_o if scene.w_o is not None else np.eye(scene.d_out), size, 1),
        **_set_cols(scene, ("b_o",), size, 1),
    )


def _regroup(array: Array, old: int, new: int) -> Array:
    """The last axis of G·d numbers with another G."""
    blocks = array.reshape(*array.shape[:-1], old, array.shape[-1] // old)  # (…, G, d)
    fine = np.lcm(old, new)
    blocks = np.repeat(blocks, fine // old, axis=-2)  # (…, lcm, d)
    blocks = blocks.reshape(*array.shape[:-1], new, fine // new, blocks.shape[-1]).mean(axis=-2)  # (…, G', d)
    return np.ascontiguousarray(blocks.reshape(*array.shape[:-1], -1))


_RESIZE = {
    "d_model": _set_d_model,
    "d_context": _set_d_context,
    "d_k": _set_d_k,
    "d_v": _set_d_v,
    "d_out": _set_d_out,
}
