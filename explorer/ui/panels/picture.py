"""The picture of a panel's cells, kept from one edit to the next: only what changed is made anew.

Two images: one of colours, a pixel per cell, which Qt enlarges; one of numbers, in device pixels, over it. Both are
numpy arrays that Qt looks at in place. No widget here.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QFont, QImage

from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.panels.glyphs import Glyphs, shared_glyphs
from explorer.ui.panels.heatmap import FADED, Levels, colour_index, fitting_decimals, texts_of

Pixels = NDArray[np.uint32]  # 0xAARRGGBB, premultiplied

BLACK_INK, WHITE_INK = (
    np.uint32(0x01000000),
    np.uint32(0x01010101),
)  # times an alpha: premultiplied black, white


@dataclass(frozen=True)
class Look:
    """What a picture depends on beside its numbers. Sizes are device pixels."""

    colours: str  # the map: "unit" or "signed"
    span: Levels
    cell: tuple[float, float]  # width, height
    font: QFont
    decimals: int  # fewer where they don't fit
    room: float  # the width that a number may take; 0: no numbers
    on_light: bool  # what shows through hidden cells is light


class Picture:
    """Nothing at first; `update` makes it a picture of a matrix."""

    def __init__(self) -> None:
        self.colours = QImage()
        self.numbers: QImage | None = None  # None where the cells are too small
        self.see_through = False  # some cell has no colour: NaN, or hidden by a mask
        self._look: Look | None = None
        self._values: Array = np.empty((0, 0))
        self._hidden: Flags | None = None
        self._colours: Pixels = np.empty((0, 0), np.uint32)
        self._sheet: _Sheet | None = None

    def update(self, values: Array, hidden: Flags | None, look: Look) -> Flags | None:
        """Show these numbers, (rows, columns). Returns which cells look different now, None if none do."""
        if look == self._look and _same(values, self._values) and _same_flags(hidden, self._hidden):
            return None
        clear = np.isnan(values) if hidden is None else hidden | np.isnan(values)
        index = colour_index(values, look.span)
        changed = self._colour(index, clear, look)
        changed |= self._write(values, hidden, index, clear, look)
        self.see_through = bool(clear.any())
        self._look, self._values, self._hidden = look, values, hidden
        return changed if changed.any() else None

    def _colour(self, index: NDArray[np.uint8], clear: Flags, look: Look) -> Flags:
        colours = _palette(look.colours)[index]
        colours[clear] = 0
        if colours.shape != self._colours.shape:
            self._colours = colours
            self.colours = _image_over(colours)
            return np.ones(colours.shape, dtype=bool)
        changed: Flags = colours != self._colours
        self._colours[...] = colours
        return changed

    def _write(
        self, values: Array, hidden: Flags | None, index: NDArray[np.uint8], clear: Flags, look: Look
    ) -> Flags:
        decimals = fitting_decimals(values, look.decimals, look.room, look.font) if look.room else None
        if decimals is None:
            changed = np.full(values.shape, self._sheet is not None)
            self.numbers = self._sheet = None
            return changed
        sheet = self._sheet
        width, height = look.cell
        glyphs = shared_glyphs(look.font, int(width), int(height))
        if sheet is None or not sheet.fits(values.shape, glyphs, decimals):
            sheet = self._sheet = _Sheet(values.shape, glyphs, decimals)
            self.numbers = sheet.image
            asked = np.ones(values.shape, dtype=bool)
        else:
            asked = _differ(values, self._values)
            if not _same_flags(hidden, self._hidden):
                asked[...] = True
        inks = np.where(_wants_white(look.colours)[index], WHITE_INK, BLACK_INK)
        if clear.any():
            inks[clear] = BLACK_INK if look.on_light else WHITE_INK
        texts = texts_of(values[asked], None if hidden is None else hidden[asked], decimals)
        return sheet.write(texts, asked, inks, clear)


class _Sheet:
    """The numbers of one matrix, written in cells of one size."""

    def __init__(self, shape: tuple[int, ...], glyphs: Glyphs, decimals: int) -> None:
        rows, cols = shape
        self._glyphs, self._decimals = glyphs, decimals
        self._stamps = np.zeros(shape, dtype=np.intp)  # which of the glyphs' stamps; 0 is empty
        self._inks = np.zeros(shape, dtype=np.uint32)
        self._faded = np.zeros(shape, dtype=bool)
        self._pixels: Pixels = np.zeros((rows, glyphs.height, cols, glyphs.width), dtype=np.uint32)
        self.image = _image_over(self._pixels.reshape(rows * glyphs.height, cols * glyphs.width))

    def fits(self, shape: tuple[int, ...], glyphs: Glyphs, decimals: int) -> bool:
        """Whether it can be written on, as it is."""
        return glyphs is self._glyphs and (shape, decimals) == (self._stamps.shape, self._decimals)

    def write(self, texts: list[str], asked: Flags, inks: Pixels, faded: Flags) -> Flags:
        """`texts` are for the `asked` cells, row by row. Returns the cells that look different now."""
        stamps = self._stamps.copy()
        stamps[asked] = self._glyphs.ids(texts)
        changed: Flags = (stamps != self._stamps) | (inks != self._inks) | (faded != self._faded)
        self._stamps, self._inks, self._faded = stamps, inks, faded
        rows, cols = np.nonzero(changed)
        alphas = self._glyphs.stamps[stamps[rows, cols]]  # (changed cells, height, width)
        pale = faded[rows, cols]
        if pale.any():
            alphas[pale] = (alphas[pale].astype(np.uint16) * FADED // 255).astype(np.uint8)
        by_cell = self._pixels.transpose(0, 2, 1, 3)  # (rows, columns, height, width)
        by_cell[rows, cols] = alphas * inks[rows, cols][:, None, None]
        return changed


def _image_over(pixels: Pixels) -> QImage:
    """A picture of the array itself, which must outlive it."""
    rows, cols = pixels.shape
    return QImage(pixels.data, cols, rows, 4 * cols, QImage.Format.Format_ARGB32_Premultiplied)


@cache
def _palette(colours: str) -> Pixels:
    """(256,) the colours of a map."""
    red, green, blue = theme.lut(colours).astype(np.uint32).T
    return 0xFF000000 | red << 16 | green << 8 | blue


@cache
def _wants_white(colours: str) -> Flags:
    """(256,) where white reads better than black."""
    return theme.light_text(theme.lut(colours))


def _differ(one: Array, other: Array) -> Flags:
    """Where two arrays of one shape are not the same number; NaN is the same as NaN."""
    return np.asarray((one != other) & ~(np.isnan(one) & np.isnan(other)))


def _same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and not _differ(one, other).any()


def _same_flags(one: Flags | None, other: Flags | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
