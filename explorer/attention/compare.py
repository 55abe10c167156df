"""Two states side by side: what differs between two scenes in words, and B − A of two traces in numbers."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from explorer.attention.formula import number
from explorer.attention.remarks import Remark
from explorer.attention.trace import Trace
from explorer.numbers import MINUS, exact
from explorer.scene import BIASES, MATRICES, NORMS, Array, Mask, Scene, Setting, shape_text

NAMES = {
    "x": "X", "context": "context", "w_q": "W_q", "w_k": "W_k", "w_v": "W_v", "w_o": "W_o",
    "b_q": "b_q", "b_k": "b_k", "b_v": "b_v", "b_o": "b_o", "q_norm": "q_norm", "k_norm": "k_norm",
    "bias": "bias",
}  # fmt: skip


def differences(a: Scene, b: Scene) -> tuple[Remark, ...]:
    """What is otherwise in `b` than in `a`: sizes, numbers, settings, labels. Empty: they compute the same."""
    return (
        *_sizes(a, b),
        *(remark for name in MATRICES for remark in _numbers(name, a.matrix(name), b.matrix(name))),
        *_norms(a, b),
        *_numbers("bias", a.bias, b.bias),
        *_settings(a, b),
        *_masks(a, b),
        *_position(a, b),
        *_labels(a, b),
    )


def delta(a: Array | None, b: Array | None) -> Array | None:
    """B − A, 0 where both are the same (also ∞ or NaN); None where one is missing or the shapes differ."""
    if a is None or b is None or a.shape != b.shape:
        return None
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore"):
        change: Array = np.where(same, 0.0, np.subtract(b, a, dtype=np.float64))
    return change


def stage_delta(a: Trace, b: Trace, stage: str) -> Array | None:
    """B − A of one stage, all heads; None where the shapes differ."""
    return delta(a.stage(stage), b.stage(stage))


def _sizes(a: Scene, b: Scene) -> Iterator[Remark]:
    if a.is_cross != b.is_cross:
        yield Remark("to_cross" if b.is_cross else "to_self")
    names = ["n", "d_model", "d_k", "d_v", "d_out"]
    if a.is_cross or b.is_cross:
        names[2:2] = ["m", "d_context"]
    yield from _changed("heads", str(a.heads), str(b.heads))
    if (a.groups, b.groups) != (a.heads, b.heads):
        yield from _changed("kv_heads", str(a.groups), str(b.groups))
    for name in names:
        yield from _changed("size", str(getattr(a, name)), str(getattr(b, name)), name=name)


def _numbers(name: str, a: Array | None, b: Array | None) -> Iterator[Remark]:
    """One matrix, as 2-D; or the bias of the scores, as it is."""
    if a is b:
        return
    label, is_row = NAMES[name], name in (*BIASES, *NORMS)
    if a is None or b is None or a.shape != b.shape:
        old, new = ("none" if array is None else shape_text(array) for array in (a, b))
        yield from _changed("matrix", old, new, name=label)
        return
    other = np.argwhere((a != b) & ~(np.isnan(a) & np.isnan(b)))
    if len(other) == 1:
        cell = tuple(other[0].tolist())
        where = ",".join(str(place + 1) for place in (cell[1:] if is_row else cell))
        old, new = _told_apart(float(a[cell]), float(b[cell]))
        yield from _changed("cell", old, new, name=label, where=where)
    elif len(other):
        yield Remark("cells", {"name": label, "count": str(len(other))})


def _norms(a: Scene, b: Scene) -> Iterator[Remark]:
    for name in NORMS:
        old, new = getattr(a, name), getattr(b, name)
        yield from _numbers(name, *(None if norm is None else norm.weight[None, :] for norm in (old, new)))
        if old is not None and new is not None:
            yield from _changed("norm_eps", *_values(float(old.eps), float(new.eps)), name=NAMES[name])


def _settings(a: Scene, b: Scene) -> Iterator[Remark]:
    yield from _changed("scale", _scale(a), _scale(b))
    yield from _changed("softcap", *_values(a.softcap, b.softcap))
    yield from _changed("fill", *_values(a.mask_fill, b.mask_fill))
    yield from _changed("precision", a.dtype, b.dtype)


def _masks(a: Scene, b: Scene) -> Iterator[Remark]:
    old, new = (" + ".join(map(_mask, scene.mask)) or "none" for scene in (a, b))
    yield from _changed("mask", old, new)
    if old == new and (a.n, a.m) == (b.n, b.m) and (count := np.count_nonzero(a.visible() != b.visible())):
        yield Remark("mask_cells", {"count": str(count)})


def _mask(mask: Mask) -> str:
    """'causal', 'causal (bottom_right)', 'window (2, 0)'."""
    if mask.kind == "window":
        return f"window ({_plain(mask)['left']}, {_plain(mask)['right']})"
    if mask.kind == "causal" and _plain(mask)["align"] != "top_left":
        return f"causal ({_plain(mask)['align']})"
    return mask.kind


def _position(a: Scene, b: Scene) -> Iterator[Remark]:
    kind = a.position.kind
    if kind != b.position.kind:
        yield from _changed("position", kind, b.position.kind)
        return
    before, after = _plain(a.position), _plain(b.position)
    for name in before:
        if name not in a.position.tables:
            old, new = _values(before[name], after[name])
            yield from _changed("position_setting", old, new, name=name, kind=kind)
        elif before[name] is not after[name]:
            change = delta(before[name], after[name])
            if change is None or change.any():
                yield Remark("position_table", {"name": name, "kind": kind})


def _labels(a: Scene, b: Scene) -> Iterator[Remark]:
    for old, new in ((a.tokens, b.tokens), (a.context_tokens, b.context_tokens)):
        if old != new and len(old) == len(new):
            pairs = [(x, y) for x, y in zip(old, new, strict=True) if x != y]
            yield from _changed("tokens", " ".join(x for x, _ in pairs), " ".join(y for _, y in pairs))


def _plain(setting: Setting) -> dict[str, Any]:
    """A setting's own fields."""
    return {f.name: getattr(setting, f.name) for f in fields(setting) if f.name != "extra"}


def _changed(key: str, old: str, new: str, **values: str) -> Iterator[Remark]:
    if old != new:
        yield Remark(key, {**values, "old": old, "new": new})


def _scale(scene: Scene) -> str:
    if isinstance(scene.scale, str):
        return "1/√d_k" if scene.scale == "sqrt_dk" else "none"
    return _spelled(scene.scale)


def _values(a: object, b: object) -> tuple[str, str]:
    """Two settings as text, different where they are."""
    if isinstance(a, float) and isinstance(b, float):
        return _told_apart(a, b)
    return _spelled(a), _spelled(b)


def _told_apart(a: float, b: float) -> tuple[str, str]:
    """Two numbers, rounded unless only the further decimals tell them apart."""
    rounded = number(a), number(b)
    same = len({text.rstrip("0").rstrip(".") for text in rounded}) == 1  # 1 → 1.0000 tells nobody anything
    return (_exactly(a), _exactly(b)) if same else rounded


def _exactly(value: float) -> str:
    return exact(value).replace("-", MINUS, value < 0)


def _spelled(value: object) -> str:
    return "none" if value is None else number(value) if isinstance(value, float) else str(value)
