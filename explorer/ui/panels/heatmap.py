"""A matrix as a picture: one image of colours, one of numbers. No widget here, so that exports draw the same."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from explorer.attention.windows import block_starts
from explorer.numbers import MINUS, format_number
from explorer.scene import Array, Flags, Index
from explorer.ui.theme import Lut

PLAIN = 99_999  # format_number writes smaller numbers without an exponent
WIDEST = str.maketrans("123456789", "000000000")
TALL = 16  # rows of a block at least, from which the blocks of a picture are gone through one by one
AIR = 2  # pixels at least between numbers side by side
FADED = 150  # alpha of a number in a hidden cell, of 255


@dataclass(frozen=True)
class Levels:
    """The two ends of the colour map."""

    low: float
    high: float
    beyond: bool = False  # there are numbers above the upper end


def levels(array: Array, colours: str) -> Levels:
    """[0, 1] for "unit"; for "signed" symmetric about 0 over the finite numbers, ±1 where there are none."""
    return levels_of((0.0, 1.0) if colours == "unit" else ends_of(array), colours)


def levels_of(ends: tuple[float, float], colours: str) -> Levels:
    """The same, where what `ends_of` tells of the numbers is known."""
    if colours == "unit":
        return Levels(0.0, 1.0)
    largest = max(ends[1], -ends[0])
    return Levels(-largest, largest) if largest else Levels(-1.0, 1.0)


def colour_index(values: Array, low: float | Array, high: float | Array) -> NDArray[np.uint8]:
    """0 … 255 for each number from `low` to `high`; beyond the ends the ends, NaN the middle."""
    # Halved first: the difference of two huge ends would overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        part = values / 2
        part -= low / 2
        part /= high / 2 - low / 2
        np.maximum(part, 0.0, out=part)
        np.minimum(part, 1.0, out=part)
    part[np.isnan(part)] = 0.5
    part *= 255.0
    part += 0.5
    return part.astype(np.uint8)


def colour_image(values: Array, hidden: Flags | None, lut: Lut, span: Levels) -> QImage:
    """One pixel per cell; hidden cells and NaN are transparent, what lies behind shows through."""
    pixels = packed(lut)[colour_index(values, span.low, span.high)]
    clear = np.isnan(values) if hidden is None else hidden | np.isnan(values)
    pixels[clear] = 0
    return image_of(pixels)


def packed(lut: Lut) -> NDArray[np.uint32]:
    """(256) the colours of a map as a QImage has them: opaque, a number each."""
    red, green, blue = lut.astype(np.uint32).T
    return 0xFF000000 | red << 16 | green << 8 | blue


def image_of(pixels: NDArray[np.uint32]) -> QImage:
    """A picture of its own from (rows, columns)."""
    rows, cols = pixels.shape
    image = QImage(pixels.data, cols, rows, 4 * cols, QImage.Format.Format_ARGB32_Premultiplied)
    return image.copy()


def texts_of(values: Array, hidden: Flags | None, decimals: int) -> list[str]:
    """The numbers as a panel writes them, row by row; the weight of a hidden key is plainly 0."""
    flat = values.ravel()
    if flat.size and np.abs(flat).max() < PLAIN:  # False where there is a NaN
        # All at once, what format_number makes of such numbers one by one.
        joined = (f"%.{decimals}f\n" * flat.size) % tuple(flat.tolist())
        zero = f"{0:.{decimals}f}\n"
        texts = joined.replace("-" + zero, zero).replace("-", MINUS).split("\n")[:-1]
    else:
        texts = [format_number(value, decimals) for value in flat.tolist()]
    if hidden is not None:
        for index in np.flatnonzero(hidden & (values == 0)).tolist():
            texts[index] = "0"
    return texts


def ends_of(values: Array) -> tuple[float, float]:
    """The least and the largest of the finite numbers; zeros where there are none."""
    ends = (float(values.min()), float(values.max())) if values.size else (math.nan, math.nan)
    if not all(map(math.isfinite, ends)):
        values = values[np.isfinite(values)]
        ends = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    return ends


def fitting_decimals(
    values: Array,
    wanted: int,
    width: float,
    advance: Callable[[str], float],
    ends: tuple[float, float] | None = None,
) -> int | None:
    """The most decimals up to `wanted` at which every number fits `width` pixels; None where too few would.

    `advance` tells the width of a text; `ends` are those of all numbers that shall have equally many decimals, if they
    can have any. They count as if written with the widest digit, so that other digits change nothing. A −∞ or NaN among
    short numbers must not take the decimals away, so finite numbers decide. Fractions are not shown as whole numbers: a
    weight of 0.4 that reads 0 is worse than none.
    """
    low, high = ends_of(values) if ends is None else ends
    for decimals in range(wanted, -1, -1):
        if decimals == 0 < wanted and bool(((values != np.rint(values)) & np.isfinite(values)).any()):
            break
        if max(advance(format_number(end, decimals).translate(WIDEST)) for end in (low, high)) <= width:
            return decimals
    return None if ends is None else fitting_decimals(values, wanted, width, advance)


def _over_rows(values: Array, starts: Index, stops: Index) -> tuple[Array, Array]:
    """The largest and the least of each block of rows, one after the other: where they are tall, memory is gone
    through once.
    """
    high, low = np.empty((2, len(starts), values.shape[1]), values.dtype)
    for block, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        np.maximum.reduce(values[start:stop], 0, out=high[block])
        np.minimum.reduce(values[start:stop], 0, out=low[block])
    return high, low


def pooled(values: Array, rows: int, cols: int) -> Array:
    """At most rows × cols numbers: of each block the one furthest from 0, so that a single peak stays visible."""
    for axis, most in enumerate((rows, cols)):
        size = values.shape[axis]
        if size <= most:
            continue
        starts = block_starts(size, most)
        last = np.append(starts[1:], size) - 1
        if axis == 0 and size >= TALL * most:
            high, low = _over_rows(values, starts, last + 1)
            values = np.where(np.abs(low) > np.abs(high), low, high)
            continue
        high = low = values.take(starts, axis)
        # The first of all blocks, the second of all: several times as fast as ufunc.reduceat, block by block.
        for step in range(1, int((last - starts).max()) + 1):
            more = values.take(np.minimum(starts + step, last), axis)
            high, low = np.maximum(high, more), np.minimum(low, more)
        values = np.where(np.abs(low) > np.abs(high), low, high)
    return values
