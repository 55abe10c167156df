"""Numbers, tables and foreign text as Python source."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.scene import Array


def decimal(value: float) -> str:
    """A number as Python reads it back, bit for bit: `0.5`, `-1e-09`, `inf`, `nan` (imported from math)."""
    value = float(value)
    if math.isnan(value):
        return "nan"
    return repr(value)  # an infinity reads `inf` or `-inf`


def table(array: Array, comments: Sequence[str] = ()) -> list[str]:
    """The lines of a list of lists, without its own brackets; `comments` stand behind the rows."""
    rows = [[decimal(v) for v in row] for row in array.tolist()]
    return _lines(rows, comments)


def flag_table(array: NDArray[np.bool_]) -> list[str]:
    """The same for True and False."""
    return _lines([[str(v) for v in row] for row in array.tolist()])


def vector(array: NDArray[np.generic]) -> str:
    """A list of numbers or flags on one line."""
    return f"[{', '.join(str(v) if isinstance(v, bool) else decimal(v) for v in array.tolist())}]"


def comment(text: str) -> str:
    """Any text as one line that is safe behind a #: what cannot be printed is spelled as Python spells it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _lines(rows: list[list[str]], comments: Sequence[str] = ()) -> list[str]:
    """Cells right-aligned in their columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"[{', '.join(f'{cell:>{w}}' for cell, w in zip(row, widths, strict=True))}]," for row in rows]
    if not comments:
        return lines
    return [f"{line}  # {comment(text)}" for line, text in zip(lines, comments, strict=True)]
