"""The picture of a panel's cells, kept from one edit to the next: only what changed is made anew.

Two images: one of colours, a pixel per cell, which Qt enlarges; over it one of numbers, in device pixels, without the
empty strips between the lines of numbers. Both are numpy arrays that Qt looks at in place. No widget here.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.panels.glyphs import Glyphs
from explorer.ui.panels.heatmap import FADED, Levels, colour_index, fitting_decimals, texts_of

Pixels = NDArray[np.uint32]  # 0xAARRGGBB, premultiplied

BLACK, WHITE, PALE_BLACK, PALE_WHITE = range(4)
INKS = np.array([0x01000000, 0x01010101] * 2, dtype=np.uint32)  # times an alpha: premultiplied black or white


@dataclass(frozen=True)
class Look:
    """What a picture depends on beside its numbers."""

    colours: str  # the map: "unit" or "signed"
    span: Levels
    glyphs: Glyphs | None  # None: the cells are too small for numbers
    decimals: int  # fewer where they don't fit
    room: float  # device pixels of the width that a number may take
    on_light: bool  # what shows through hidden cells is light


class Picture:
    """Nothing at first; `update` makes it a picture of a matrix."""

    def __init__(self) -> None:
        self.colours = QImage()
        self.see_through = False  # some cell has no colour: NaN, or hidden by a mask
        self._look: Look | None = None
        self._values: Array = np.empty((0, 0))
        self._hidden: Flags | None = None
        self._colours: Pixels = np.empty((0, 0), np.uint32)
        self._sheet: _Sheet | None = None

    def update(self, values: Array, hidden: Flags | None, look: Look) -> Flags | None:
        """Show these numbers, (rows, columns). Returns which cells look different now, None if none do."""
        moved = _all_of(values) if values.shape != self._values.shape else values != self._values
        same_hidden = _same_flags(hidden, self._hidden)
        if same_hidden and look == self._look and not moved.any():
            return None
        clear = np.isnan(values) if hidden is None else hidden | np.isnan(values)
        self.see_through = bool(clear.any())
        index = colour_index(values, look.span)
        changed = self._colour(index, clear, look)
        changed |= self._write(values, hidden, moved if same_hidden else _all_of(values), index, clear, look)
        self._look, self._values, self._hidden = look, values, hidden
        return changed if changed.any() else None

    @property
    def numbers(self) -> QImage | None:
        """The numbers without the strips between their lines; None where they don't fit."""
        return None if self._sheet is None else self._sheet.image

    def paint(self, painter: QPainter, target: QRect, area: QRect) -> None:
        """Draw it to `target`, the pixels of all cells, as far as it is in `area`."""
        painter.drawImage(target, self.colours)
        if self._sheet is not None:
            self._sheet.paint(painter, target.topLeft(), area)

    def _colour(self, index: NDArray[np.uint8], clear: Flags, look: Look) -> Flags:
        colours = _palette(look.colours)[index]
        if self.see_through:
            colours[clear] = 0
        if colours.shape != self._colours.shape:
            self._colours = colours
            self.colours = _image_over(colours)
            return _all_of(colours)
        changed: Flags = colours != self._colours
        self._colours[...] = colours  # in place: the image looks at this array
        return changed

    def _write(
        self,
        values: Array,
        hidden: Flags | None,
        moved: Flags,
        index: NDArray[np.uint8],
        clear: Flags,
        look: Look,
    ) -> Flags:
        glyphs, decimals = look.glyphs, None
        if glyphs is not None:
            decimals = fitting_decimals(values, look.decimals, look.room, glyphs.width_of)
        if glyphs is None or decimals is None:
            changed = np.full(values.shape, self._sheet is not None)
            self._sheet = None
            return changed
        sheet = self._sheet
        if sheet is None or not sheet.fits(values, glyphs, decimals):
            sheet = self._sheet = _Sheet(values, glyphs, decimals)
            moved = _all_of(values)
        inks = _inks(look.colours)[index]
        if self.see_through:
            inks[clear] = PALE_BLACK if look.on_light else PALE_WHITE
        texts = texts_of(values[moved], None if hidden is None else hidden[moved], decimals)
        return sheet.write(texts, moved, inks)


class _Sheet:
    """The numbers of one matrix, written in cells of one size."""

    def __init__(self, values: Array, glyphs: Glyphs, decimals: int) -> None:
        rows, cols = values.shape
        self._glyphs, self._decimals = glyphs, decimals
        self._stamps = np.zeros((rows, cols), dtype=np.intp)  # which of the glyphs' stamps; 0 is empty
        self._written = np.zeros((rows, cols), dtype=np.intp)  # stamp and ink
        self._pixels: Pixels = np.zeros((rows, glyphs.height, cols, glyphs.width), dtype=np.uint32)
        self.image = _image_over(self._pixels.reshape(rows * glyphs.height, cols * glyphs.width))

    def paint(self, painter: QPainter, corner: QPoint, area: QRect) -> None:
        """Draw it with its cells beginning at `corner`, as far as it is in `area`; all in device pixels."""
        glyphs = self._glyphs
        line = QRect(0, 0, self.image.width(), glyphs.height)
        first = max(0, (area.top() - corner.y()) // glyphs.cell_height)
        last = min(len(self._stamps) - 1, (area.bottom() - corner.y()) // glyphs.cell_height)
        for row in range(first, last + 1):
            line.moveTop(row * glyphs.height)
            painter.drawImage(corner + QPoint(0, row * glyphs.cell_height + glyphs.top), self.image, line)

    def fits(self, values: Array, glyphs: Glyphs, decimals: int) -> bool:
        """Whether it can be written on, as it is."""
        return glyphs is self._glyphs and decimals == self._decimals and values.shape == self._stamps.shape

    def write(self, texts: list[str], moved: Flags, inks: NDArray[np.uint8]) -> Flags:
        """`texts` are for the `moved` cells, row by row. Returns the cells that look different now."""
        self._stamps[moved] = self._glyphs.ids(texts)
        written = self._stamps * len(INKS) + inks
        changed: Flags = written != self._written
        self._written = written
        rows, cols = changed.nonzero()
        inks = inks[rows, cols]
        alphas = self._glyphs.stamps[self._stamps[rows, cols]]  # (changed cells, height, width)
        pale = inks >= PALE_BLACK
        if pale.any():
            alphas[pale] = (alphas[pale].astype(np.uint16) * FADED // 255).astype(np.uint8)
        by_cell = self._pixels.transpose(0, 2, 1, 3)  # (rows, columns, height, width)
        by_cell[rows, cols] = alphas * INKS[inks][:, None, None]
        return changed


def bands(cells: Flags, most: int = 4) -> list[tuple[range, range]]:
    """Rectangles (rows, columns) that hold all flagged cells: a row and a column are three of them, not everything.

    One rectangle where it would take more than `most`.
    """
    found: list[tuple[range, range]] = []
    rows = cells.any(axis=1).nonzero()[0]
    if not rows.size:
        return found
    firsts = cells[rows].argmax(axis=1)
    lasts = cells.shape[1] - cells[rows, ::-1].argmax(axis=1)
    for row, first, last in zip(rows.tolist(), firsts.tolist(), lasts.tolist(), strict=True):
        cols = range(first, last)
        if found and found[-1] == (range(found[-1][0].start, row), cols):
            found[-1] = (range(found[-1][0].start, row + 1), cols)
        elif len(found) < most:
            found.append((range(row, row + 1), cols))
        else:
            return [(range(int(rows[0]), int(rows[-1]) + 1), range(int(firsts.min()), int(lasts.max())))]
    return found


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
def _inks(colours: str) -> NDArray[np.uint8]:
    """(256,) the ink that reads best on each colour of a map."""
    return np.where(theme.light_text(theme.lut(colours)), WHITE, BLACK).astype(np.uint8)


def _all_of(cells: NDArray[Any]) -> Flags:
    return np.ones(cells.shape, dtype=bool)


def _same_flags(one: Flags | None, other: Flags | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
