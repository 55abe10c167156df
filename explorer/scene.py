"""The Scene: everything a person set, frozen, with its rules.

Row-vector convention: Q = X·W_q. Shapes: n queries, m keys, H heads of width d_k, G key/value heads.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.norm import Norm
from explorer.patched import LARGE, MOST, Patched, Table

Array = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
Index = NDArray[np.intp]

DTYPES = ("float64", "float32", "bfloat16", "float16")
SCALES = ("sqrt_dk", "none")
MATRICES = ("x", "context", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o")
BIASES = ("b_q", "b_k", "b_v", "b_o")
NORMS = ("q_norm", "k_norm")


class SceneError(ValueError):
    """A broken rule: `key` names the field, the message is one plain sentence."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key


def shape_text(array: NDArray[Any] | Table) -> str:
    """'2 × 3', as sentences and titles write a shape."""
    return " × ".join(str(size) for size in array.shape)


def told(value: object) -> str:
    """A value as a sentence quotes it: spelled as in a session file; long ones cut, tables only named."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple | np.ndarray):
        return "a list"
    text = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else text[:37] + "…" + text[-1]


def brief(text: str, most: int = 40) -> str:
    """A name out of a file as a sentence quotes it: long ones cut, "�" for what cannot be printed."""
    return "".join(letter if letter.isprintable() else "�" for letter in text[:most])


def follow(array: NDArray[Any], index: Sequence[int], axis: int = 0, new: float = 0.0) -> NDArray[Any]:
    """The slices of `array` along `axis` in the order of `index`; −1 is a new slice filled with `new`."""
    wanted = np.asarray(index, dtype=np.intp)
    padded = np.concatenate([array, np.full_like(array.take([0], axis), new)], axis)
    return padded.take(np.where(wanted < 0, array.shape[axis], wanted), axis)


@dataclass(frozen=True, eq=False, kw_only=True)
class Setting:
    """One `{"kind": …}` entry of a session: the common part of masks and positions.

    A subclass is a dataclass whose fields are the entry's keys; keys it does not know stay in `extra`.
    """

    kind: ClassVar[str] = "none"
    tables: ClassVar[tuple[str, ...]] = ()  # the keys that hold tables of numbers
    flags: ClassVar[tuple[str, ...]] = ()  # the keys that hold tables of true and false
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Self:
        """The entry as a setting, null as the default; the values are checked by `problem`, not here."""
        own = {f.name for f in fields(cls)} - {"extra"}
        known = {k: cls.parse(k, value) for k, value in entry.items() if k in own and value is not None}
        return cls(**known, extra={k: v for k, v in entry.items() if k not in own and k != "kind"})

    @classmethod
    def parse(cls, key: str, value: Any) -> Any:
        """One JSON value as the field `key` holds it."""
        return value

    def entry(self) -> dict[str, Any]:
        """The entry with its tables as they are held, as arrays; optional keys that are not set are left out."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "extra"}
        return {"kind": self.kind} | {k: v for k, v in own.items() if v is not None} | dict(self.extra)

    def to_json(self) -> dict[str, Any]:
        """The entry as JSON can hold it."""
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in self.entry().items()}


class Mask(Setting):
    """Which keys a query may see. Kinds: attention/masks.py."""

    # A kind overrides one of the next two; each has the other as what it does by itself.

    def allowed(self, n: int, m: int) -> Flags:
        """(n, m): True where query i may attend to key j."""
        return self.allowed_at(np.arange(n), np.arange(m), n, m)

    def allowed_at(self, rows: Index, cols: Index, n: int, m: int) -> Flags:
        """(rows, cols) of `allowed`, for these queries and keys: what large heads ask for, a block at a time."""
        return self.allowed(n, m)[np.ix_(rows, cols)]

    def allows(self, row: int, col: int, n: int, m: int) -> bool:
        """One of `allowed`."""
        return bool(self.allowed_at(np.array([row]), np.array([col]), n, m)[0, 0])

    def problem(self, n: int, m: int) -> str | None:
        """What is wrong with this mask over n queries and m keys, as the end of a sentence; or None."""
        return None

    def follow(self, queries: Sequence[int], keys: Sequence[int]) -> "Mask":
        """The same mask after tokens moved: old indices in their new order, −1 for a new token."""
        return self

    def extended(self, more: "Mask") -> "Mask":
        """The same mask over more keys: after its own come those of `more`, a mask of the same kind."""
        return self


class Position(Setting):
    """How order enters. This base class is the kind "none"; the others: attention/positions.py."""

    def problem(self, scene: "Scene") -> str | None:
        """What is wrong with this encoding in `scene`, as a sentence; or None."""
        return None

    def added(self, length: int, width: int, side: str = "x") -> Array | None:
        """(length, width): what is added to the rows of `side` ("x" or "context"); None: nothing."""
        return None

    def added_at(self, row: int, width: int, side: str = "x") -> Array | None:
        """(width,): that row of `added`."""
        added = self.added(row + 1, width, side)
        return None if added is None else added[row]

    def rotation(self, length: int, d_k: int) -> "Rotation | None":
        """How q and k of each head are turned; None: not at all."""
        return None

    def bias(self, heads: int, n: int, m: int) -> Array | None:
        """(H, n, m): what is added to the scaled scores; None: nothing."""
        return self.bias_at(heads, np.arange(heads), np.arange(n), np.arange(m))

    def bias_at(self, heads: int, which: Index, rows: Index, cols: Index) -> Array | None:
        """(which, rows, cols) of `bias` over so many heads: the block of these heads, queries and keys."""
        return None

    def resized(self, sizes: Mapping[str, int]) -> "Position":
        """The same encoding for other sizes (keys n, d_model, m, d_context), keeping what it can."""
        return self


@dataclass(frozen=True, eq=False)
class Rotation:
    """y[p, c] = cos[p, c]·x[p, c] + sin[p, c]·x[p, partner[c]] (Su et al. 2021); the sign is in `sin`."""

    cos: Array  # (length, d_k)
    sin: Array  # (length, d_k)
    partner: NDArray[np.intp]  # (d_k,)


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything a person set. Arrays are read-only and shared between a Scene and the ones made from it.

    Large ones in which few numbers were changed are put together when they are asked for; `table` does without.

    Shapes: x (n, d_model); context (m, d_context) or None for self-attention (m = n);
    w_q (d_model, H·d_k); w_k (d_context, G·d_k); w_v (d_context, G·d_v);
    w_o (H·d_v, d_out) or None: identity; biases as wide as their matrix; bias (n, m), or (H, n, m), is added to the
    scaled scores.
    Raises SceneError when a rule is broken.
    """

    x: Array
    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array | None = field(default_factory=lambda: None)
    b_q: Array | None = None
    b_k: Array | None = None
    b_v: Array | None = None
    b_o: Array | None = None
    context: Array | None = field(default_factory=lambda: None)
    heads: int = 1
    kv_heads: int | None = None
    q_norm: Norm | None = None
    k_norm: Norm | None = None
    scale: str | float = "sqrt_dk"
    softcap: float | None = None
    bias: Array | None = None
    mask: tuple[Mask, ...] = ()
    mask_fill: float = -np.inf
    position: Position = field(default_factory=Position)
    dtype: str = "float64"
    title: str = ""
    notes: str = ""
    tokens: tuple[str, ...] = ()
    context_tokens: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        patched: dict[str, Patched] = {}
        object.__setattr__(self, "_patched", patched)
        for name in MATRICES:
            value = getattr(self, name)
            if isinstance(value, Patched):
                patched[name] = value
                object.__delattr__(self, name)  # see __getattr__
            elif value is not None:
                object.__setattr__(self, name, _frozen(name, value))
        if self.bias is not None:
            object.__setattr__(self, "bias", _frozen("bias", self.bias))
        self._check_shapes()
        self._check_settings()
        object.__setattr__(self, "tokens", _labels("tokens", self.tokens, "x", self.n))
        context_tokens = (
            () if self.context is None else _labels("context_tokens", self.context_tokens, "c", self.m)
        )
        object.__setattr__(self, "context_tokens", context_tokens)
        object.__setattr__(self, "mask", tuple(self.mask))
        for number, mask in enumerate(self.mask, 1):
            if problem := mask.problem(self.n, self.m):
                raise SceneError("mask", f"mask entry {number} ({mask.kind}): {problem}.")
        if problem := self.position.problem(self):
            raise SceneError("position", f"position ({self.position.kind}): {problem}.")

    if not TYPE_CHECKING:  # the fields are known

        def __getattr__(self, name: str) -> Array:
            """Only a matrix that has been patched is not there as it is."""
            patched = self.__dict__.get("_patched", {})
            if name not in patched:
                raise AttributeError(name, name=name, obj=self)
            return patched[name].whole()

    def _held(self, name: str) -> Any:
        """A field as it is kept: a Patched is not put together."""
        return self.__dict__[name] if name in self.__dict__ else self.__dict__["_patched"][name]

    # ---- sizes ----

    @property
    def n(self) -> int:
        """Number of queries."""
        return int(self._held("x").shape[0])

    @property
    def m(self) -> int:
        """Number of keys."""
        return int(self._held(self._side).shape[0])

    @property
    def source(self) -> Array:
        """What keys and values are made from: the context, or x itself."""
        return self.x if self.context is None else self.context

    @property
    def _side(self) -> str:
        """The name of `source`."""
        return "context" if self.is_cross else "x"

    @property
    def is_cross(self) -> bool:
        """True where keys and values come from a context."""
        return self._held("context") is not None

    @property
    def d_model(self) -> int:
        """Width of x."""
        return int(self._held("x").shape[1])

    @property
    def d_context(self) -> int:
        """Width of what keys and values are made from."""
        return int(self._held(self._side).shape[1])

    @property
    def groups(self) -> int:
        """G: the number of key/value heads; query head h reads K/V head ⌊h·G/H⌋."""
        return self.heads if self.kv_heads is None else self.kv_heads

    @property
    def d_k(self) -> int:
        """Width of one head's queries and keys."""
        return int(self._held("w_q").shape[1]) // self.heads

    @property
    def d_v(self) -> int:
        """Width of one head's values."""
        return int(self._held("w_v").shape[1]) // self.groups

    @property
    def d_out(self) -> int:
        """Width of the output."""
        w_o: Table | None = self._held("w_o")
        return self.heads * self.d_v if w_o is None else int(w_o.shape[1])

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """One label per key."""
        return self.context_tokens if self.is_cross else self.tokens

    @property
    def factor(self) -> float:
        """The number that multiplies the raw scores."""
        if isinstance(self.scale, str):
            return 1.0 if self.scale == "none" else float(1 / np.sqrt(self.d_k))
        return float(self.scale)

    def kv_head(self, head: int) -> int:
        """The K/V head that query head `head` reads (both from 0)."""
        return head * self.groups // self.heads

    def matrix(self, name: str) -> Array | None:
        """One of MATRICES as a 2-D array (a bias is one row); None where it is not set."""
        value: Array | None = getattr(self, name)
        return value[None, :] if value is not None and value.ndim == 1 else value

    def table(self, name: str) -> Table | None:
        """Likewise, for whoever asks for single numbers, for sizes or whether it is another one: it takes no time."""
        patched: Patched | None = self.__dict__["_patched"].get(name)
        return self.matrix(name) if patched is None else patched

    def bias_at(self, which: Index, rows: Index, cols: Index) -> Array | None:
        """(which or 1, rows, cols) of `bias`: the block of these heads, queries and keys."""
        if self.bias is None:
            return None
        heads = self.bias[None] if self.bias.ndim == 2 else self.bias[which]
        block: Array = heads[:, rows[:, None], cols[None, :]]
        return block

    def added_at(self, which: Index, rows: Index, cols: Index) -> Array | None:
        """(which, rows, cols): all that is added to the scaled scores, by the position and by `bias`; None: nothing."""
        place = self.position.bias_at(self.heads, which, rows, cols)
        own = self.bias_at(which, rows, cols)
        if place is None or own is None:
            shape = (len(which), len(rows), len(cols))
            return place if own is None else np.broadcast_to(own, shape)
        both: Array = place + own
        return both

    def added(self) -> Array | None:
        """(H, n, m) of `added_at`."""
        return self.added_at(np.arange(self.heads), np.arange(self.n), np.arange(self.m))

    def visible(self) -> Flags:
        """(n, m): True where every mask allows key j to query i."""
        return self.visible_at(np.arange(self.n), np.arange(self.m))

    def visible_at(self, rows: Index, cols: Index) -> Flags:
        """(rows, cols) of `visible`, for these queries and keys."""
        allowed = np.ones((len(rows), len(cols)), dtype=bool)
        for mask in self.mask:
            allowed &= mask.allowed_at(rows, cols, self.n, self.m)
        return allowed

    # ---- edits: each returns a new Scene that shares what it did not change ----

    def replace(self, **changes: Any) -> "Scene":
        """The same scene with other fields."""
        return Scene(**{each.name: self._held(each.name) for each in fields(self)} | changes)

    def with_cell(self, name: str, row: int, col: int, value: float) -> "Scene":
        """One number of one of MATRICES changed (a bias has row 0); the same Scene if it is that already."""
        return self.with_cells(name, [(row, col, value)])

    def with_cells(self, name: str, cells: Iterable[tuple[int, int, float]]) -> "Scene":
        """Several numbers of one matrix changed: (row, column, value), counted from 0."""
        old = self.table(name)
        if old is None:
            raise SceneError(name, f"{name} is not set, so it has no cells.")
        rows, cols = (range(size) for size in old.shape)
        changed = {(rows[row], cols[col]): float(value) for row, col, value in cells}
        changed = {at: value for at, value in changed.items() if not _is_same(value, old.item(*at))}
        if not changed:
            return self
        if old.size >= LARGE and len(changed) <= MOST and name not in BIASES:
            patch = old.patched(changed) if isinstance(old, Patched) else Patched(old, changed)
            return self.replace(**{name: patch})
        new = np.array(self.matrix(name), dtype=np.float64)
        for at, value in changed.items():
            new[at] = value
        new.setflags(write=False)  # so that it is taken as it is
        return self.replace(**{name: new[0] if name in BIASES else new})

    def with_matrix(self, name: str, values: ArrayLike | None) -> "Scene":
        """A whole matrix replaced (a bias may come as one row)."""
        array = None if values is None else np.asarray(values, dtype=np.float64)
        if array is not None and name in BIASES and array.ndim == 2 and array.shape[0] == 1:
            array = array[0]
        return self.replace(**{name: array})

    def with_heads(self, heads: int) -> "Scene":
        """The same matrices cut into another number of heads; grouped K/V heads keep their ratio.

        Raises SceneError naming the counts that divide evenly.
        """
        if heads == self.heads:
            return self
        possible = self.possible_heads()
        if heads not in possible:
            raise SceneError("heads", self.heads_sentence(heads, possible))
        return self._cut(heads)

    def possible_heads(self) -> tuple[int, ...]:
        """The head counts that divide the columns of W_q, W_k and W_v evenly, ascending."""
        columns = self.w_q.shape[1]
        return tuple(h for h in range(1, columns + 1) if columns % h == 0 and self._can_cut(h))

    def heads_sentence(self, heads: int, possible: Sequence[int]) -> str:
        """Why this number of heads cannot be."""
        counts = ", ".join(map(str, possible))
        columns = self.w_q.shape[1]
        if heads < 1 or columns % heads:
            return f"{heads} heads do not divide the {columns} columns of W_q evenly; possible: {counts}."
        try:
            self._cut(heads)
        except SceneError as error:
            if error.key == "position":
                return f"With {heads} heads, {str(error).rstrip('.')}; possible: {counts}."
        return f"{heads} heads do not divide the columns of W_k and W_v evenly; possible: {counts}."

    def _cut(self, heads: int) -> "Scene":
        groups = None if self.kv_heads is None else heads * self.w_k.shape[1] // self.w_q.shape[1]
        bias = self.bias
        if bias is not None and bias.ndim == 3:  # a new head has that of the old one in whose place it stands
            bias = bias[np.arange(heads) * self.heads // heads]
        norms = self.norms_for(self.w_q.shape[1] // heads)
        return self.replace(heads=heads, kv_heads=groups, bias=bias, **norms)

    def norms_for(self, d_k: int) -> dict[str, Norm]:
        """Those of NORMS that are set, for heads of another width."""
        return {name: norm.resized(d_k) for name in NORMS if (norm := getattr(self, name)) is not None}

    def _can_cut(self, heads: int) -> bool:
        if heads * self.w_k.shape[1] % self.w_q.shape[1]:
            return False
        try:
            self._cut(heads)
        except SceneError:
            return False
        return True

    # ---- rules ----

    def _check_shapes(self) -> None:
        if not _is_count(self.heads):
            raise SceneError("heads", f"heads is {told(self.heads)} but must be a whole number from 1.")
        if self.kv_heads is not None and (not _is_count(self.kv_heads) or self.heads % self.kv_heads):
            raise SceneError(
                "kv_heads", f"kv_heads is {told(self.kv_heads)} but must divide heads = {told(self.heads)}."
            )
        rows = {
            "w_q": (self.d_model, "d_model"),
            "w_k": (self.d_context, "d_context" if self.is_cross else "d_model"),
            "w_v": (self.d_context, "d_context" if self.is_cross else "d_model"),
        }
        w_q, w_k, w_v, w_o = (self._held(name) for name in ("w_q", "w_k", "w_v", "w_o"))
        for (name, (wanted, meaning)), array in zip(rows.items(), (w_q, w_k, w_v), strict=True):
            if array.shape[0] != wanted:
                raise SceneError(
                    name, f"{name} is {shape_text(array)} but must have {meaning} = {wanted} rows."
                )
        if w_q.shape[1] % self.heads:
            raise SceneError(
                "w_q",
                f"w_q is {shape_text(w_q)}: its columns must be divisible by heads = {told(self.heads)}.",
            )
        if w_k.shape[1] != self.groups * self.d_k:
            raise SceneError(
                "w_k",
                f"w_k is {shape_text(w_k)} but must have G·d_k = {self.groups}·{self.d_k}"
                f" = {self.groups * self.d_k} columns.",
            )
        if w_v.shape[1] % self.groups:
            raise SceneError(
                "w_v",
                f"w_v is {shape_text(w_v)}: its columns must be divisible by kv_heads = {told(self.groups)}.",
            )
        joined = self.heads * self.d_v
        if w_o is not None and w_o.shape[0] != joined:
            raise SceneError(
                "w_o",
                f"w_o is {shape_text(w_o)} but must have H·d_v = {self.heads}·{self.d_v} = {joined} rows.",
            )
        widths = {"b_q": w_q, "b_k": w_k, "b_v": w_v}
        for name in BIASES:
            bias = getattr(self, name)
            wanted = self.d_out if name == "b_o" else widths[name].shape[1]
            if bias is not None and bias.shape != (wanted,):
                raise SceneError(name, f"{name} has length {bias.shape[0]} but must have length {wanted}.")

    def _check_bias(self) -> None:
        if self.bias is None:
            return
        wanted = (self.n, self.m) if self.bias.ndim == 2 else (self.heads, self.n, self.m)
        if self.bias.shape != wanted:
            own, each = f"{self.n} × {self.m}", f"{told(self.heads)} × {self.n} × {self.m}"
            raise SceneError(
                "bias",
                f"bias is {shape_text(self.bias)} but must be n × m = {own}, or one for each head, {each}.",
            )
        if not np.isfinite(self.bias).all():
            raise SceneError("bias", "bias must have finite numbers; what hides keys belongs to mask.")

    def _check_settings(self) -> None:
        self._check_bias()
        for name in NORMS:
            if (norm := getattr(self, name)) is not None and (problem := norm.problem(name, self.d_k)):
                raise SceneError(name, f"{problem}.")
        if self.dtype not in DTYPES:
            raise SceneError("dtype", f"dtype is {told(self.dtype)} but must be one of {', '.join(DTYPES)}.")
        if not (self.scale in SCALES if isinstance(self.scale, str) else is_finite(self.scale)):
            sentence = f'scale is {told(self.scale)} but must be "sqrt_dk", "none" or a finite number.'
            raise SceneError("scale", sentence)
        if self.softcap is not None and not (is_finite(self.softcap) and self.softcap > 0):
            sentence = f"softcap is {told(self.softcap)} but must be a number above 0, or null."
            raise SceneError("softcap", sentence)
        if not (self.mask_fill == -np.inf or is_finite(self.mask_fill)):
            sentence = f'mask_fill is {told(self.mask_fill)} but must be "-inf" or a finite number.'
            raise SceneError("mask_fill", sentence)
        for name in ("scale", "softcap", "mask_fill"):
            if is_finite(value := getattr(self, name)):
                object.__setattr__(self, name, float(value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def is_finite(value: object) -> TypeGuard[int | float]:
    """True for a number, no bool, that float64 can hold and that is not NaN or infinite."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int past 1.8e308
        return False


def _frozen(name: str, value: ArrayLike) -> Array:
    """`value` as a read-only float array of the rank that `name` has; shared if it is one already."""
    meaning = "one row of numbers" if name in BIASES else "a table: rows of equally many numbers"
    ranks = (1,) if name in BIASES else (2, 3) if name == "bias" else (2,)
    try:
        array = np.asarray(value)
        if array.dtype not in (np.float64, np.float32):
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise SceneError(name, f"{name} must be {meaning}.") from None
    if array.ndim not in ranks or 0 in array.shape:
        raise SceneError(name, f"{name} has shape {array.shape} but must be {meaning}, at least one.")
    # Transposed is as good: so a torch Linear stores what we call W, and a model's weights are not copied.
    if array.flags.writeable or not (array.flags.c_contiguous or array.flags.f_contiguous):
        array = array.copy()
        array.setflags(write=False)
    return array


def _is_same(a: float, b: float) -> bool:
    """Also NaN and NaN, but not 0 and −0."""
    return (a == b or (math.isnan(a) and math.isnan(b))) and math.copysign(1, a) == math.copysign(1, b)


class _Labels(tuple[str, ...]):
    """Labels known to be texts: every edit makes a new Scene, and 32,768 of them take a while to be looked through."""


def _labels(key: str, labels: Sequence[str], letter: str, count: int) -> tuple[str, ...]:
    if not labels:
        return _Labels(f"{letter}{i}" for i in range(1, count + 1))
    if len(labels) != count:
        raise SceneError(
            key, f"{key} has length {len(labels)} but must have length {count}, one label per row."
        )
    if isinstance(labels, _Labels):
        return labels
    for number, label in enumerate(labels, 1):
        if not isinstance(label, str):
            raise SceneError(key, f"{key}[{number}] is {told(label)} but must be text.")
    return _Labels(labels)
