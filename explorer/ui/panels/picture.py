"""The pictures of the cells of panels, kept from one edit to the next: only what changed is made anew.

A picture is two images: one of colours, a pixel per cell, which Qt enlarges; over it one of numbers, in device pixels,
without the empty strips between the lines of numbers. Both are numpy arrays that Qt looks at in place. Pictures of
small matrices are brought up to date together, all cells at once: many cost little more than one. No widget here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QImage, QPainter

from explorer.scene import Array, Flags
from explorer.ui import theme
from explorer.ui.panels.glyphs import Glyphs
from explorer.ui.panels.heatmap import FADED, Levels, colour_index, fitting_decimals, packed, texts_of

Pixels = NDArray[np.uint32]  # 0xAARRGGBB, premultiplied
Indices = NDArray[np.intp]

MAPS = ("signed", "unit")
BLACK, WHITE, PALE_BLACK, PALE_WHITE = range(4)
INKS = np.array([0x01000000, 0x01010101] * 2, dtype=np.uint32)  # times an alpha: premultiplied black or white


@dataclass(frozen=True)
class Look:
    """What pictures that are made together have in common."""

    glyphs: Glyphs | None  # None: the cells are too small for numbers
    decimals: int  # fewer where they don't fit
    room: float  # device pixels of the width that a number may take
    on_light: bool  # what shows through hidden cells is light

    @property
    def is_worn(self) -> bool:
        """Whether so many different numbers have been written that another had better take its place."""
        return self.glyphs is not None and self.glyphs.full


@dataclass(frozen=True, eq=False)
class Content:
    """What one picture is to show."""

    values: Array  # (rows, columns)
    hidden: Flags | None  # (rows, columns): by a mask; None: no cell is
    colours: str  # one of MAPS
    span: Levels  # the ends of the map
    # Of all numbers that shall have as many decimals; None: of its own.
    ends: tuple[float, float] | None = None


class Picture:
    """Nothing at first; `redraw` makes it show something."""

    def __init__(self) -> None:
        self.content: Content | None = None
        self.look: Look | None = None
        self.see_through = False  # some cell has no colour: NaN, or hidden by a mask
        self.begin((0, 0))

    def begin(self, shape: tuple[int, ...]) -> None:
        """So many rows and columns, all blank."""
        self.content = None
        self.values: Array = np.full(shape, np.nan)
        self.clear: Flags = np.zeros(shape, dtype=bool)  # the cells without a colour
        self.pixels: Pixels = np.zeros(shape, dtype=np.uint32)
        self.colours = _image_over(self.pixels)
        self.rule(None, None)

    def rule(self, glyphs: Glyphs | None, decimals: int | None) -> None:
        """An empty sheet for numbers with so many decimals; None: no numbers."""
        shape = rows, cols = self.pixels.shape
        self.glyphs, self.decimals = glyphs, decimals
        self.stamps: Indices = np.zeros(shape, dtype=np.intp)  # one of the glyphs' for each cell; 0 is empty
        self.written: Indices = np.zeros(shape, dtype=np.intp)  # stamp and ink
        self.numbers: QImage | None = None
        if glyphs is not None:
            self.sheet: Pixels = np.zeros((rows, glyphs.height, cols, glyphs.width), dtype=np.uint32)
            self.numbers = _image_over(self.sheet.reshape(rows * glyphs.height, cols * glyphs.width))

    def stamp(self, cells: Flags) -> None:
        """Put what is `written` in these cells onto the sheet."""
        if self.glyphs is None:
            return
        where = cells.nonzero()
        inks = self.written[where] % len(INKS)
        alphas = self.glyphs.stamps[self.stamps[where]]  # (changed cells, height, width)
        if self.see_through:
            pale = inks >= PALE_BLACK
            alphas[pale] = (alphas[pale].astype(np.uint16) * FADED // 255).astype(np.uint8)
        by_cell = self.sheet.transpose(0, 2, 1, 3)  # (rows, columns, height, width)
        by_cell[where] = alphas * INKS[inks][:, None, None]

    def paint(self, painter: QPainter, target: QRect, area: QRect) -> None:
        """Draw it to `target`, the pixels of all cells, as far as it is in `area`."""
        painter.drawImage(target, self.colours)
        if self.numbers is None or self.glyphs is None:
            return
        height, line = self.glyphs.cell_height, QRect(0, 0, self.numbers.width(), self.glyphs.height)
        first = max(0, (area.top() - target.top()) // height)
        last = min(len(self.values) - 1, (area.bottom() - target.top()) // height)
        for row in range(first, last + 1):
            line.moveTop(row * line.height())
            corner = QPoint(target.left(), target.top() + row * height + self.glyphs.top)
            painter.drawImage(corner, self.numbers, line)


def redraw(pictures: Sequence[Picture], contents: Sequence[Content], look: Look) -> list[Flags | None]:
    """Make the pictures show these contents. Returns for each the cells that look different now; None: none do."""
    new = [_is_new(picture, content, look) for picture, content in zip(pictures, contents, strict=True)]
    row = _Row(pictures, contents, look)
    if not any(new) and not row.moved.any():
        return [None] * len(pictures)
    row.colour()
    row.write()
    return row.hand_out()


def _is_new(picture: Picture, content: Content, look: Look) -> bool:
    """Whether more than numbers is different; the picture then has the right shape."""
    if picture.values.shape != content.values.shape:
        picture.begin(content.values.shape)
    old = picture.content
    if old is None or picture.look != look:
        return True
    return (old.colours, old.span) != (content.colours, content.span)


class _Row:
    """The cells of several pictures one after the other, on their way from numbers to pixels."""

    def __init__(self, pictures: Sequence[Picture], contents: Sequence[Content], look: Look) -> None:
        self.pictures, self.contents, self.look = pictures, contents, look
        self.counts = [content.values.size for content in contents]
        ends = list(accumulate(self.counts))
        self.parts = [slice(end - count, end) for end, count in zip(ends, self.counts, strict=True)]
        self.values: Array = self.joined([content.values for content in contents])
        self.clear: Flags = np.isnan(self.values)
        for content, part in zip(contents, self.parts, strict=True):
            if content.hidden is not None:
                self.clear[part] |= content.hidden.ravel()
        # Those with another number; NaN always counts as another.
        self.moved: Flags = self.values != self.joined([picture.values for picture in pictures])
        self.moved |= self.clear != self.joined([picture.clear for picture in pictures])

    def joined(self, arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """One number per cell, from one array per picture."""
        return np.concatenate([array.ravel() for array in arrays])

    def spread(self, numbers: Sequence[float]) -> NDArray[Any]:
        """One number per cell, from one per picture."""
        return np.repeat(numbers, self.counts)

    def colour(self) -> None:
        """Numbers to places in the colour maps, and these to pixels."""
        low = self.spread([content.span.low for content in self.contents])
        high = self.spread([content.span.high for content in self.contents])
        first = self.spread(
            [len(theme.lut(MAPS[0])) * MAPS.index(content.colours) for content in self.contents]
        )
        self.shades: Indices = colour_index(self.values, low, high) + first
        self.pixels: Pixels = _palette()[self.shades]
        self.pixels[self.clear] = 0
        self.changed: Flags = self.pixels != self.joined([picture.pixels for picture in self.pictures])

    def write(self) -> None:
        """Numbers to texts, and these to stamps and inks."""
        glyphs = self.look.glyphs
        look = self.look
        for picture, content, part in zip(self.pictures, self.contents, self.parts, strict=True):
            decimals = None
            if glyphs is not None:
                decimals = fitting_decimals(
                    content.values, look.decimals, look.room, glyphs.width_of, content.ends
                )
            sheet = (None if decimals is None else glyphs, decimals)
            if picture.content is None or sheet != (picture.glyphs, picture.decimals):
                picture.rule(*sheet)
                self.moved[part] = self.changed[part] = True
        if glyphs is None:
            return
        self.stamps: Indices = self.joined([picture.stamps for picture in self.pictures])
        for decimals in {picture.decimals for picture in self.pictures} - {None}:
            asked = self.moved & self.spread([picture.decimals == decimals for picture in self.pictures])
            self.stamps[asked] = glyphs.ids(texts_of(self.values[asked], self.clear[asked], decimals))
        inks = _inks()[self.shades]
        inks[self.clear] = PALE_BLACK if self.look.on_light else PALE_WHITE
        self.written: Indices = np.where(self.stamps > 0, self.stamps * len(INKS) + inks, 0)
        self.changed |= self.written != self.joined([picture.written for picture in self.pictures])

    def hand_out(self) -> list[Flags | None]:
        """Give the pictures what is theirs."""
        starts = [part.start for part in self.parts]
        different = np.logical_or.reduceat(self.changed, starts).tolist()
        see_through = np.logical_or.reduceat(self.clear, starts).tolist()
        found: list[Flags | None] = []
        for picture, content, part, is_different, has_holes in zip(
            self.pictures, self.contents, self.parts, different, see_through, strict=True
        ):
            shape = content.values.shape
            picture.content, picture.look, picture.values = content, self.look, content.values
            found.append(self.changed[part].reshape(shape) if is_different else None)
            if is_different:
                picture.clear = self.clear[part].reshape(shape)
                picture.see_through = has_holes
                picture.pixels[...] = self.pixels[part].reshape(
                    shape
                )  # in place: the image looks at this array
                if picture.glyphs is not None:
                    picture.stamps = self.stamps[part].reshape(shape)
                    picture.written = self.written[part].reshape(shape)
                    picture.stamp(self.changed[part].reshape(shape))
        return found


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
    if not pixels.size:
        return QImage()  # over nothing, PySide would keep the array for good
    return QImage(pixels.data, cols, rows, 4 * cols, QImage.Format.Format_ARGB32_Premultiplied)


@cache
def _palette() -> Pixels:
    """The colours of all MAPS, one map after the other."""
    return packed(np.concatenate([theme.lut(name) for name in MAPS]))


@cache
def _inks() -> NDArray[np.uint8]:
    """The ink that reads best on each of them."""
    light = np.concatenate([theme.light_text(theme.lut(name)) for name in MAPS])
    return np.where(light, WHITE, BLACK).astype(np.uint8)
