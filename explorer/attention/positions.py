"""The positional encodings. To add one: write its class here and name it in POSITIONS."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorer.scene import Array, Index, Position, Rotation, Scene, is_finite, shape_text, told


@dataclass(frozen=True, eq=False, kw_only=True)
class Sinusoidal(Position):
    """PE(p, 2i) = sin(p/base^(2i/d)), PE(p, 2i+1) = cos(p/base^(2i/d)) (Vaswani et al. 2017, section 3.5)."""

    kind = "sinusoidal"
    base: float = 10000.0

    def problem(self, scene: Scene) -> str | None:
        return _base_problem(self.base)

    def added(self, length: int, width: int, side: str = "x") -> Array | None:
        return self.at(np.arange(length), width)

    def added_at(self, row: int, width: int, side: str = "x") -> Array | None:
        own: Array = self.at([row], width)[0]
        return own

    def at(self, places: ArrayLike, width: int) -> Array:
        """(places, width): the encoding at any positions, between two tokens too."""
        even = np.arange(0, width, 2)  # sine and cosine share a frequency
        encoding = np.empty((len(np.asarray(places)), width))
        with np.errstate(over="ignore", invalid="ignore"):  # an absurd base gives NaN, as it would in torch
            angle = np.asarray(places)[:, None] / float(self.base) ** (
                even / width
            )  # (places, half of width)
            encoding[:, 0::2] = np.sin(angle)
            encoding[:, 1::2] = np.cos(angle[:, : width // 2])
        return encoding

    def divisor(self, column: int, width: int) -> float:
        """What p is divided by in a column; after 2π times as many positions its wave begins again."""
        return float(np.float64(self.base) ** (column // 2 * 2 / width))


@dataclass(frozen=True, eq=False, kw_only=True)
class Learned(Position):
    """A table with one row per position, added likewise. Rows past the last token wait unused."""

    kind = "learned"
    tables = ("table", "context_table")
    table: Array = field(default_factory=lambda: np.zeros((0, 0)))  # at least (n, d_model)
    context_table: Array | None = None  # at least (m, d_context)

    def __post_init__(self) -> None:
        for name in self.tables:
            if (table := getattr(self, name)) is not None:
                object.__setattr__(self, name, _table(table))

    def problem(self, scene: Scene) -> str | None:
        problem = _table_problem("table", self.table, scene.n, scene.d_model)
        if problem or not scene.is_cross:
            return problem
        if self.context_table is None:
            return "context_table is missing, and there is a context"
        return _table_problem("context_table", self.context_table, scene.m, scene.d_context)

    def added(self, length: int, width: int, side: str = "x") -> Array | None:
        table = self.table if side == "x" else self.context_table
        return None if table is None else table[:length]

    def resized(self, sizes: Mapping[str, int]) -> Position:
        table = _grown(self.table, sizes["n"], sizes["d_model"])
        context_table = self.context_table
        if "m" in sizes:
            start = np.zeros((1, 1)) if context_table is None else context_table
            context_table = _grown(start, sizes["m"], sizes["d_context"])
        if table is self.table and context_table is self.context_table:
            return self
        return replace(self, table=table, context_table=context_table)


@dataclass(frozen=True, eq=False, kw_only=True)
class Rotary(Position):
    """Pairs of q and of k turned by p·base^(−2i/dims) (Su et al. 2021).

    "half" pairs column i with i + dims/2, "interleaved" 2i with 2i + 1; columns past `dims` stay as they are.
    `frequencies`, where a model scales them for long texts, stand in place of those of the base; `factor`, which
    goes with some of them, stretches what is turned.
    """

    kind = "rotary"
    tables = ("frequencies",)
    base: float = 10000.0
    layout: str = "half"
    dims: int | None = None  # None: all of d_k
    frequencies: Array | None = None  # (1, dims/2): radians per place
    factor: float | None = None  # of cosine and sine; None: 1

    def __post_init__(self) -> None:
        if self.frequencies is not None:
            object.__setattr__(self, "frequencies", _table(self.frequencies))

    def problem(self, scene: Scene) -> str | None:
        if self.layout not in ("half", "interleaved"):
            return f'layout is {told(self.layout)} but must be "half" or "interleaved"'
        if scene.d_k < 2:
            return f"it turns pairs of columns, so d_k must be at least 2, and it is {scene.d_k}"
        if self.dims is None and scene.d_k % 2:
            return f"it turns pairs of columns, and d_k = {scene.d_k} is odd; set dims to an even number"
        dims = scene.d_k if self.dims is None else self.dims
        if not isinstance(dims, int) or isinstance(dims, bool) or dims % 2 or not 0 < dims <= scene.d_k:
            return f"dims is {told(self.dims)} but must be an even number from 2 to d_k = {scene.d_k}"
        own = self.frequencies
        if own is not None and not (own.shape == (1, dims // 2) and np.isfinite(own).all()):
            return f"frequencies is {shape_text(own)} but must be a row of {dims // 2} numbers, one per pair"
        if self.factor is not None and not (is_finite(self.factor) and self.factor > 0):
            return f"factor is {told(self.factor)} but must be a number above 0"
        return _base_problem(self.base)

    def frequency(self, pair: int, d_k: int) -> float:
        """Radians by which a pair of columns turns from one place to the next."""
        if self.frequencies is not None:
            return float(self.frequencies[0, pair])
        return float(float(self.base) ** (-2 * pair / (self.dims or d_k)))

    def pairs(self, d_k: int) -> tuple[tuple[int, int], ...]:
        """The columns that turn together, from 0, in the order of `frequency`."""
        half = (d_k if self.dims is None else self.dims) // 2
        if self.layout == "half":
            return tuple((i, i + half) for i in range(half))
        return tuple((2 * i, 2 * i + 1) for i in range(half))

    def rotation(self, length: int, d_k: int) -> Rotation | None:
        dims = d_k if self.dims is None else self.dims
        column = np.arange(dims)
        if self.layout == "half":
            pair, first = column % (dims // 2), column < dims // 2
            partner = np.where(first, column + dims // 2, column - dims // 2)
        else:
            pair, first = column // 2, column % 2 == 0
            partner = np.where(first, column + 1, column - 1)
        with np.errstate(over="ignore", invalid="ignore"):
            own = self.frequencies
            frequency = float(self.base) ** (-2 * pair / dims) if own is None else own[0, pair]
            angle = np.arange(length)[:, None] * frequency  # (length, dims)
            stretch = 1.0 if self.factor is None else float(self.factor)
            cos, sin = np.cos(angle) * stretch, np.sin(angle) * stretch
        rest = d_k - dims
        return Rotation(
            cos=np.pad(cos, ((0, 0), (0, rest)), constant_values=1.0),
            sin=np.pad(np.where(first, -sin, sin), ((0, 0), (0, rest))),
            partner=np.concatenate([partner, np.arange(dims, d_k)]),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Alibi(Position):
    """−slope_h·|i − j| added to the scaled scores (Press et al. 2022)."""

    kind = "alibi"

    def bias_at(self, heads: int, which: Index, rows: Index, cols: Index) -> Array | None:
        distance = np.abs(rows[:, None] - cols[None, :])  # (rows, cols)
        bias: Array = -alibi_slopes(heads)[which][:, None, None] * distance
        return bias


@dataclass(frozen=True, eq=False, kw_only=True)
class Relative(Position):
    """A number for each distance key − query, added to the scaled scores (Shaw et al. 2018; Raffel et al. 2020).

    A row per head (head h has row h modulo their number), a column per distance −K … K; farther is as far as K.
    """

    kind = "relative"
    tables = ("table",)
    table: Array = field(default_factory=lambda: -0.5 * np.abs(np.arange(-4.0, 5.0))[None, :])  # (R, 2·K + 1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", _table(self.table))

    def problem(self, scene: Scene) -> str | None:
        if self.table.ndim != 2 or self.table.size == 0:
            return "table must be a table: rows of equally many numbers"
        if self.table.shape[1] % 2 == 0:
            return (
                f"table is {shape_text(self.table)} but must have an odd number of columns: distances −K to K"
            )
        return None

    @property
    def reach(self) -> int:
        """K."""
        return int(self.table.shape[1]) // 2

    def bias_at(self, heads: int, which: Index, rows: Index, cols: Index) -> Array | None:
        distance = cols[None, :] - rows[:, None]  # (rows, cols), key − query
        column = np.clip(distance, -self.reach, self.reach) + self.reach
        bias: Array = self.table[which % len(self.table)][:, column]  # (which, rows, cols)
        return bias


def alibi_slopes(heads: int) -> Array:
    """(H,): 2^(−8i/H) for a power of two; else those of the power below, then every other one above."""

    def geometric(count: int) -> Array:
        return 2.0 ** (-8.0 * np.arange(1, count + 1) / count)

    power = 2 ** int(np.log2(heads))
    return np.concatenate([geometric(power), geometric(2 * power)[::2][: heads - power]])


def _base_problem(base: object) -> str | None:
    if is_finite(base) and base > 0:
        return None
    return f"base is {told(base)} but must be a number above 0"


def _table(value: Any) -> Array:
    """A table as a read-only array, shared if it is one; an unusable one is empty, and `problem` names it."""
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and not value.flags.writeable:
        return value
    try:
        table = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        table = np.zeros((0, 0))
    table.setflags(write=False)
    return table


def _table_problem(key: str, table: Array, rows: int, width: int) -> str | None:
    if table.ndim != 2 or table.size == 0:
        return f"{key} must be a table: rows of equally many numbers"
    if table.shape[0] >= rows and table.shape[1] == width:
        return None
    return f"{key} is {shape_text(table)} but must have at least {rows} rows of {width} numbers"


def _grown(table: Array, rows: int, width: int) -> Array:
    """`table` with `width` columns and at least `rows` rows, new numbers 0; the same object if it fits."""
    if table.shape[0] >= rows and table.shape[1] == width:
        return table
    grown = np.zeros((max(rows, table.shape[0]), width))
    kept = min(width, table.shape[1])
    grown[: table.shape[0], :kept] = table[:, :kept]
    return _table(grown)


POSITIONS: dict[str, type[Position]] = {
    p.kind: p for p in (Position, Sinusoidal, Learned, Rotary, Alibi, Relative)
}
