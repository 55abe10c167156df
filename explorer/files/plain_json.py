"""JSON, read strictly and laid out for people: one row of a matrix per line."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.scene import brief

MAX_VALUES = 3_000_000  # what these take in memory is some 300 MB
MAX_LISTS = 500_000
MAX_DEPTH = 100
MAX_DIGITS = 400  # of a whole number; float64 ends at 309

_HALF = re.compile("[\ud800-\udfff]")
_MAYBE_HUGE = re.compile(r"[eE]\+?[0-9]{3}|[0-9]{200}")  # 200 digits and e99 is not yet 1e308


class JsonError(ValueError):
    """A text that is no JSON; the message is one plain sentence without the file's name."""


class Huge(float):
    """A number that float64 cannot hold: infinite to calculate with, and written back as it was spelled."""

    def __new__(cls, text: str) -> "Huge":
        return super().__new__(cls, "-inf" if text.startswith("-") else "inf")

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def loads(text: str) -> Any:
    """The value of a JSON text; NaN, Infinity and -Infinity are floats, numbers past float64 `Huge`.

    Raises JsonError naming the line and column or the repeated key, and, before any work, for too many values.
    """
    if not text.strip():
        raise JsonError("it is empty.")
    if text.count(",") > MAX_VALUES or text.count("[") + text.count("{") > MAX_LISTS:
        raise JsonError(f"it holds more than {MAX_VALUES:,} values or {MAX_LISTS:,} lists.")
    # A function called for each number takes most of the time: only where one may be too large.
    whole, real = (_int, _float) if _MAYBE_HUGE.search(text) else (None, None)
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=whole, parse_float=real)
    except json.JSONDecodeError as error:
        what = error.msg[0].lower() + error.msg[1:]
        raise JsonError(f"it is not JSON: line {error.lineno}, column {error.colno}, {what}.") from None
    except RecursionError:
        raise JsonError(f"it is nested deeper than {MAX_DEPTH} levels.") from None


def check_depth(value: Any) -> None:
    """Raises JsonError for a value so deep that whoever walks through it would run out of stack."""
    level = _containers([value])
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _containers(outer)]
    if level:
        raise JsonError(f"it is nested deeper than {MAX_DEPTH} levels.")


def plain(array: NDArray[Any]) -> list[Any]:
    """An array as nested lists, whole numbers without their `.0`; float64 survives bit for bit."""
    if array.ndim > 1:
        return [plain(row) for row in array]
    return [short(v) for v in array.tolist()]


def short(value: float) -> float:
    """The same number, as an int where that is shorter and the same."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return value if value == 0 and math.copysign(1, value) < 0 else int(value)
    return value


def dumps(entries: Mapping[str, Any]) -> str:
    """An object as text that `loads` reads: one key per line, tables one row per line, arrays as `plain`.

    NaN and infinities become the strings "nan", "inf" and "-inf", so that every reader of JSON can read it.
    """
    return "".join(pieces(entries))


def pieces(entries: Mapping[str, Any]) -> Iterator[str]:
    """Likewise, a row at a time."""
    before = "{\n"
    for key, value in entries.items():
        yield _spelled(f"{before}  {_quote(key)}: ")
        yield from map(_spelled, _laid_out(value, 2))
        before = ",\n"
    yield "\n}\n" if entries else "{}\n"


def _spelled(text: str) -> str:
    """Half of a surrogate pair, which a JSON text can spell and UTF-8 cannot hold: spelled again."""
    return text if text.isascii() else _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _laid_out(value: Any, indent: int) -> Iterator[str]:
    if isinstance(value, np.ndarray) and value.ndim <= 1:
        value = plain(value)
    if isinstance(value, list | tuple | np.ndarray) and _is_table(value):
        before = "[\n"
        for item in value:
            yield before + " " * (indent + 2)
            yield from _laid_out(item, indent + 2)
            before = ",\n"
        yield "\n" + " " * indent + "]"
    elif isinstance(value, Mapping):
        yield "{" + ", ".join(f"{_quote(key)}: {_text(item, indent)}" for key, item in value.items()) + "}"
    elif isinstance(value, list | tuple | np.ndarray):
        yield "[" + ", ".join([_text(item, indent) for item in value]) + "]"
    else:
        yield _number_or_text(value)


def _is_table(value: Any) -> bool:
    return len(value) > 0 and all(isinstance(item, list | tuple | Mapping | np.ndarray) for item in value)


def _text(value: Any, indent: int) -> str:
    """Of a single value at once: there are many of them."""
    if isinstance(value, list | tuple | Mapping | np.ndarray):
        return "".join(_laid_out(value, indent))
    return _number_or_text(value)


def _number_or_text(value: Any) -> str:
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) or isinstance(value, Huge) else f'"{value}"'
    if isinstance(value, str):
        return _quote(value)
    return json.dumps(value)  # a whole number, true, false, null


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise JsonError(f'the key "{brief(twice)}" appears more than once.')
    return entries


def _int(text: str) -> int | Huge:
    return int(text) if len(text) <= MAX_DIGITS else Huge(text)


def _float(text: str) -> float:
    value = float(text)
    return Huge(text) if math.isinf(value) else value


def _containers(value: Any) -> list[Any]:
    items = value.values() if isinstance(value, dict) else value
    return [item for item in items if isinstance(item, dict | list)]
