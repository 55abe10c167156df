"""The mask kinds. To add one: write its class here and name it in MASKS."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from explorer.scene import Flags, Index, Mask, follow, told


@dataclass(frozen=True, eq=False, kw_only=True)
class Causal(Mask):
    """Query i sees keys up to its own position: j ≤ i, or j ≤ i + m − n with the ends aligned."""

    kind = "causal"
    align: str = "top_left"

    def allowed_at(self, rows: Index, cols: Index, n: int, m: int) -> Flags:
        last = rows if self.align == "top_left" else rows + (m - n)
        seen: Flags = cols.astype(np.int32) <= last.astype(np.int32)[:, None]  # half the bytes, half the time
        return seen

    def problem(self, n: int, m: int) -> str | None:
        if self.align not in ("top_left", "bottom_right"):
            return f'align is {told(self.align)} but must be "top_left" or "bottom_right"'
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Padding(Mask):
    """One flag per key, the same for every query: True = may be attended."""

    kind = "padding"
    keys: tuple[bool, ...] = ()

    @classmethod
    def parse(cls, key: str, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    def allowed_at(self, rows: Index, cols: Index, n: int, m: int) -> Flags:
        return np.broadcast_to(self._seen[cols], (len(rows), len(cols))).copy()

    @cached_property
    def _seen(self) -> Flags:
        """(m,): of many keys it takes a while to be made, and it is asked for a block at a time."""
        return np.array(self.keys, dtype=bool)

    @cached_property
    def _are_flags(self) -> bool:
        """Of so many it takes a while to be seen, and every edit makes a new Scene."""
        return isinstance(self.keys, tuple) and all(isinstance(flag, bool) for flag in self.keys)

    def problem(self, n: int, m: int) -> str | None:
        if not self._are_flags:
            return "keys must be a list of true and false"
        return (
            None
            if len(self.keys) == m
            else f"keys has length {len(self.keys)} but must have length {m}, one flag per key"
        )

    def follow(self, queries: Sequence[int], keys: Sequence[int]) -> Mask:
        return Padding(keys=tuple(k < 0 or self.keys[k] for k in keys), extra=self.extra)

    def extended(self, more: Mask) -> Mask:
        return Padding(keys=self.keys + more.keys, extra=self.extra) if isinstance(more, Padding) else self


@dataclass(frozen=True, eq=False, kw_only=True)
class Window(Mask):
    """Query i sees keys i − left … i + right."""

    kind = "window"
    left: int = 1
    right: int = 1

    def allowed_at(self, rows: Index, cols: Index, n: int, m: int) -> Flags:
        offset = cols.astype(np.int32) - rows.astype(np.int32)[:, None]  # (rows, cols): j − i
        return (offset >= -self.left) & (offset <= self.right)

    def problem(self, n: int, m: int) -> str | None:
        for name in ("left", "right"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                return f"{name} is {told(value)} but must be a whole number of at least 0"
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Custom(Mask):
    """Any n × m table of flags: True = may be attended."""

    kind = "custom"
    flags = ("allowed",)
    table: Flags  # (n, m), read-only; the session file's key is "allowed"

    def __post_init__(self) -> None:
        table = np.array(self.table)
        table.setflags(write=False)
        object.__setattr__(self, "table", table)

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> "Custom":
        extra = {key: value for key, value in entry.items() if key not in ("kind", "allowed")}
        try:
            table = np.array(entry.get("allowed"))
        except ValueError:  # ragged rows
            table = np.zeros((0, 0))
        return cls(table=table, extra=extra)

    def entry(self) -> dict[str, Any]:
        return {"kind": self.kind, "allowed": self.table, **self.extra}

    def allowed(self, n: int, m: int) -> Flags:
        return self.table

    def allowed_at(self, rows: Index, cols: Index, n: int, m: int) -> Flags:
        whole = len(cols) == m and bool((cols == np.arange(m)).all())
        return self.table[rows] if whole else self.table[np.ix_(rows, cols)]

    def problem(self, n: int, m: int) -> str | None:
        if self.table.ndim != 2 or self.table.dtype != np.bool_ or not self.table.size:
            return "allowed must be a table of true and false with equally long rows"
        if self.table.shape == (n, m):
            return None
        return f"allowed is {self.table.shape[0]} × {self.table.shape[1]} but must be n × m = {n} × {m}"

    def follow(self, queries: Sequence[int], keys: Sequence[int]) -> Mask:
        return Custom(
            table=follow(follow(self.table, queries, 0, new=True), keys, 1, new=True), extra=self.extra
        )

    def extended(self, more: Mask) -> Mask:
        return (
            Custom(table=np.hstack([self.table, more.table]), extra=self.extra)
            if isinstance(more, Custom)
            else self
        )


MASKS: dict[str, type[Mask]] = {mask.kind: mask for mask in (Causal, Padding, Window, Custom)}
