"""What a lesson may claim, ask for and check: a small language of its own, read from the Scene and its Trace.

    condition = quantity ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) value { value }
    quantity  = cells | function "(" cells ")" | setting | "cost." name | arithmetic
    function  = "sum" | "mean" | "max" | "min" | "std"

`weights[1,1,:] = 0.33 0.67` compares cell by cell, row by row; a single value counts for all cells. A value
written with a decimal point is met within rounding, any other exactly. `slip.weights[1]` is the stage as the
step's slip makes it, `scene.x[1]` the matrix as typed, before a position is added. Arithmetic is what
explorer.numbers reads. Nothing is evaluated as Python.
"""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from explorer.attention.cost import Sizes, activation_bytes, kv_cache_bytes, multiply_adds, parameters
from explorer.attention.trace import STAGE, Trace
from explorer.lessons.cells import Cells, CellsError, parse_cells
from explorer.numbers import NumberError, format_number, parse_number
from explorer.scene import Array, Scene

_CONDITION = re.compile(r"(?P<quantity>[^=<>≤≥≠!]+)(?P<operator><=|>=|!=|[=<>≤≥≠])(?P<wanted>[^=<>≤≥≠!]+)")
_FUNCTION = re.compile(r"(?P<function>sum|mean|max|min|std)\s*\(\s*(?P<inside>.*\S)\s*\)")
_CELLS = re.compile(r"(?:(?P<source>slip|scene)\.)?(?P<cells>[a-z_]+\s*(?:\[[^\[\]]*\])?)")

_OPERATORS: dict[str, tuple[str, Callable[[float, float], bool]]] = {
    "<": ("<", operator.lt),
    "<=": ("≤", operator.le),
    ">": (">", operator.gt),
    ">=": ("≥", operator.ge),
    "=": ("=", operator.eq),
    "!=": ("≠", operator.ne),
}
_OPERATORS |= {sign: (sign, function) for sign, function in _OPERATORS.values()}

_FUNCTIONS: dict[str, Callable[[Array], float]] = {
    "sum": lambda values: float(values.sum()),
    "mean": lambda values: float(values.mean()),
    "max": lambda values: float(values.max()),
    "min": lambda values: float(values.min()),
    "std": lambda values: float(values.std()),
}

SETTINGS: dict[str, Callable[[Scene], float | str]] = {
    "heads": lambda scene: scene.heads,
    "kv_heads": lambda scene: scene.groups,
    "n": lambda scene: scene.n,
    "m": lambda scene: scene.m,
    "d_model": lambda scene: scene.d_model,
    "d_context": lambda scene: scene.d_context,
    "d_k": lambda scene: scene.d_k,
    "d_v": lambda scene: scene.d_v,
    "d_out": lambda scene: scene.d_out,
    "scale": lambda scene: scene.scale,
    "mask": lambda scene: "+".join(mask.kind for mask in scene.mask) or "none",
    "mask_fill": lambda scene: scene.mask_fill,
    "position": lambda scene: scene.position.kind,
    "dtype": lambda scene: scene.dtype,
}


def _stage_cost(stage: str) -> Callable[[Sizes], int]:
    return lambda sizes: multiply_adds(sizes).get(stage, 0)


COSTS: dict[str, Callable[[Sizes], int]] = {
    "total": lambda sizes: sum(multiply_adds(sizes).values()),
    **{stage: _stage_cost(stage) for stage in ("q", "k", "v", "scores", "head_outputs", "output")},
    "parameters": lambda sizes: sum(parameters(sizes).values()),
    "activations": lambda sizes: sum(activation_bytes(sizes).values()),
    "kv_cache": kv_cache_bytes,
}


class CheckError(ValueError):
    """A text that is no condition or quantity, in one plain sentence."""


@dataclass(frozen=True, eq=False)
class View:
    """What a check reads."""

    scene: Scene
    trace: Trace
    slipped: Mapping[str, Array]
    sizes: Sizes


@dataclass(frozen=True)
class Quantity:
    """Something with a value: one of the four kinds; `text` as the lesson writes it."""

    text: str
    cells: Cells | None = None
    source: str = "trace"  # "trace", "slip" or "scene"
    function: str | None = None
    setting: str | None = None
    cost: str | None = None
    number: float | None = None

    def problem(self, scene: Scene) -> str | None:
        """Why it cannot be read in this scene, as a sentence; or None."""
        return None if self.cells is None else self.cells.problem(scene)

    def read(self, view: View) -> Array | str:
        """Its values, flat, or the word that a setting is. Raises LookupError where there are none."""
        if self.number is not None:
            return np.array([self.number])
        if self.cost is not None:
            return np.array([float(COSTS[self.cost](view.sizes))])
        if self.setting is not None:
            value = SETTINGS[self.setting](view.scene)
            return value if isinstance(value, str) else np.array([float(value)])
        values = self._cell_values(view)
        return values if self.function is None else np.array([_FUNCTIONS[self.function](values)])

    def value(self, view: View) -> float:
        """The value of a quantity that has exactly one. Raises LookupError."""
        values = self.read(view)
        if isinstance(values, str) or len(values) != 1:
            raise LookupError(f"{self.text} is not one number")
        return float(values[0])

    def _cell_values(self, view: View) -> Array:
        assert self.cells is not None
        if self.cells.problem(view.scene) is not None:
            raise LookupError(f"{self.text} is not there")
        place = self.cells.place
        if self.source == "slip":
            array = view.slipped.get(place, view.trace.stage(place))
        elif self.source == "scene" or place not in STAGE:
            matrix = view.scene.matrix(place)
            assert matrix is not None  # `problem` looked
            array = matrix
        else:
            array = view.trace.stage(place)
        spans = (self.cells.heads, self.cells.rows, self.cells.cols)[-array.ndim :]
        block: Array = array[
            np.ix_(*(span.within(size) for span, size in zip(spans, array.shape, strict=True)))
        ]
        return block.ravel()


@dataclass(frozen=True)
class Wanted:
    """One value of a condition: a number as written, or the word of a setting."""

    text: str
    number: float | None  # None: a word
    decimals: int | None  # None: exactly

    @property
    def tolerance(self) -> float:
        """How far a value may be from it: half a unit of the last decimal written, or next to nothing."""
        return (
            within(self.decimals) if self.decimals is not None else max(1e-9, 1e-12 * abs(self.number or 0.0))
        )

    def met_by(self, value: float, sign: str) -> bool:
        """Whether `value` stands in the relation `sign` to it."""
        assert self.number is not None
        equal = value == self.number or abs(value - self.number) <= self.tolerance
        if sign in ("=", "≠"):
            return equal == (sign == "=")
        return _OPERATORS[sign][1](value, self.number)


@dataclass(frozen=True)
class Condition:
    """Something that holds or does not."""

    text: str
    quantity: Quantity
    sign: str
    wanted: tuple[Wanted, ...]

    def problem(self, scene: Scene) -> str | None:
        """Why it cannot be checked in this scene, as a sentence; or None."""
        if problem := self.quantity.problem(scene):
            return problem
        count = 1
        if self.quantity.cells is not None and self.quantity.function is None:
            count = sum(1 for _ in self.quantity.cells.cells(scene))
        if len(self.wanted) not in (1, count):
            return f"'{self.text}' gives {len(self.wanted)} values for {count} cells."
        return None

    def holds(self, view: View) -> bool:
        """True where every cell meets its value; False too where there are no such cells."""
        try:
            actual = self.quantity.read(view)
        except LookupError:
            return False
        if isinstance(actual, str):
            return (actual == self.wanted[0].text) == (self.sign == "=")
        wanted = self.wanted * len(actual) if len(self.wanted) == 1 else self.wanted
        if len(wanted) != len(actual) or wanted[0].number is None:
            return False
        return all(want.met_by(float(value), self.sign) for want, value in zip(wanted, actual, strict=True))

    def actual(self, view: View) -> str:
        """What the quantity is, as text; "—" where it is not there."""
        try:
            actual = self.quantity.read(view)
        except LookupError:
            return "—"
        if isinstance(actual, str):
            return actual
        decimals = max((want.decimals or 0 for want in self.wanted), default=0)
        return " ".join(written(float(value), max(decimals, 2)) for value in actual)


def within(decimals: int) -> float:
    """Half a unit of the last decimal; a little more, since a half itself is nothing to quarrel about."""
    return 0.5 * 10.0**-decimals * (1 + 1e-9)


def written(value: float, decimals: int) -> str:
    """A value for a sentence: whole numbers in full and grouped (`60,129,542,144`), others to `decimals`."""
    if np.isfinite(value) and value == round(value):
        return f"{int(value):,}".replace("-", "\N{MINUS SIGN}")
    return format_number(value, decimals)


def parse_condition(text: str) -> Condition:
    """`weights[1,1,2] > 0.9` as a Condition; raises CheckError."""
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise CheckError(
            f"'{_short(text)}' is no condition; write one like heads = 2 or weights[1,1,2] > 0.9."
        )
    quantity = parse_quantity(match["quantity"])
    sign = _OPERATORS[match["operator"]][0]
    words = quantity.setting is not None
    wanted = tuple(_wanted(part, text, words) for part in match["wanted"].split())
    if not wanted:
        raise CheckError(f"'{_short(text)}' compares with nothing.")
    if wanted[0].number is None and (len(wanted) > 1 or sign not in ("=", "≠")):
        raise CheckError(f"'{_short(text)}': a word can only be compared by = or !=.")
    return Condition(text.strip(), quantity, sign, wanted)


def parse_quantity(text: str) -> Quantity:
    """`weights[1,1,2]`, `sum(weights[1,1,:])`, `heads`, `cost.total`, `2/sqrt(2)`; raises CheckError."""
    text = text.strip()
    if text in SETTINGS:
        return Quantity(text, setting=text)
    if text.startswith("cost."):
        if (name := text.removeprefix("cost.")) not in COSTS:
            raise CheckError(f"'{_short(text)}' is no cost; there are {', '.join(COSTS)}.")
        return Quantity(text, cost=name)
    match = _FUNCTION.fullmatch(text)
    function, inside = (match["function"], match["inside"]) if match else (None, text)
    if cells := _CELLS.fullmatch(inside):
        try:
            return Quantity(text, parse_cells(cells["cells"]), cells["source"] or "trace", function)
        except CellsError as error:
            if function or "[" in inside or cells["source"]:
                raise CheckError(str(error)) from None
    try:
        return Quantity(text, number=parse_number(text))
    except NumberError:
        raise CheckError(
            f"'{_short(text)}' is no cell, setting, cost or number; write one like weights[1,1,2] or heads."
        ) from None


def decimals_of(text: str) -> int | None:
    """The digits after the point of a plain decimal (0 for a whole number); None for anything else."""
    match = re.fullmatch(r"[-+\N{MINUS SIGN}]?\d*(?:\.(\d*))?", text.strip())
    return len(match[1] or "") if match and any(c.isdigit() for c in text) else None


def _wanted(part: str, text: str, words: bool) -> Wanted:
    try:
        return Wanted(part, parse_number(part), (decimals_of(part) or None))
    except NumberError:
        if words and re.fullmatch(r"[a-z0-9_+]+", part):
            return Wanted(part, None, None)
        raise CheckError(f"'{_short(text)}': '{_short(part)}' is not a number.") from None


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
