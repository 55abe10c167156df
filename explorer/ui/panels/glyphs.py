"""Numbers as ready-made stamps: drawing six thousand of them costs a few milliseconds, not a hundred.

A stamp is the alpha of one text, centred in one cell, in device pixels. Each distinct text is drawn by Qt once per
font and cell size; after that a whole panel of numbers is one numpy take and one multiplication.
"""

from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter

from explorer.ui import theme

# Stamps of one size kept: 6 MB at a usual cell, ten times as much at 88 × 56 device pixels. More than all that a
# window has room for, so that even numbers of which none is like another begin anew only every now and then.
LIMIT = 12_000
CHARACTERS = "0123456789.−-eNa∞"  # all that numbers are written with
SIZES = 6  # kept at once; while zooming many are passed through


class Glyphs:
    """Stamps of numbers for one font at one cell size (`width`, `cell_height`), in device pixels.

    A stamp is as wide as the cell, and as high as digits are: `height` pixels from `top`. The rest is empty.
    """

    def __init__(self, font: QFont, width: int, cell_height: int) -> None:
        self._font, self.width, self.cell_height = font, width, cell_height
        self._metrics = QFontMetricsF(font)
        self._widths: dict[str, float] = {}
        self._ids: dict[str, int] = {"": 0}
        self._drawing = Lock()  # a picture may be drawn beside the window's thread
        inked = self._drawn(CHARACTERS).any(axis=(0, 2)).nonzero()[0]
        self.top, self.height = (int(inked[0]), int(np.ptp(inked)) + 1) if inked.size else (0, 1)
        self.stamps = np.zeros((64, self.height, width), dtype=np.uint8)  # (room for some, height, width)

    def width_of(self, text: str) -> float:
        """Device pixels that a text takes."""
        if text not in self._widths:
            self._widths[text] = self._metrics.horizontalAdvance(text)
        return self._widths[text]

    @property
    def full(self) -> bool:
        """True where there are so many stamps that one had better begin anew."""
        return len(self._ids) > LIMIT

    def ids(self, texts: Sequence[str]) -> list[int]:
        """For each text the number of its stamp; 0 for the empty one."""
        known = self._ids
        if any(text not in known for text in texts):
            with self._drawing:
                self._draw([text for text in dict.fromkeys(texts) if text not in known])
        return [known[text] for text in texts]

    def alphas(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        """(len(texts), height, width): the alpha of each text; "" is empty."""
        ids = self.ids(texts)  # which may make more stamps
        return self.stamps[ids]

    def _draw(self, texts: Sequence[str]) -> None:
        first, last = len(self._ids), len(self._ids) + len(texts)
        if last > len(self.stamps):
            more = np.zeros((max(last, len(self.stamps) * 5 // 4), self.height, self.width), dtype=np.uint8)
            more[:first] = self.stamps[:first]
            self.stamps = more
        self.stamps[first:last] = self._drawn(texts)[:, self.top : self.top + self.height]
        self._ids.update({text: first + number for number, text in enumerate(texts)})

    def _drawn(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        """(len(texts), cell_height, width): each text in the middle of its cell."""
        sheet = QImage(self.width, self.cell_height * len(texts), QImage.Format.Format_Grayscale8)
        sheet.fill(Qt.GlobalColor.black)
        with QPainter(sheet) as painter:
            painter.setFont(self._font)
            painter.setPen(Qt.GlobalColor.white)
            # To a point, not into a rectangle: Qt needs a third of the time to come to the same pixels.
            baseline = (self.cell_height - self._metrics.height()) / 2 + self._metrics.ascent()
            for number, text in enumerate(texts):
                left = (self.width - self._metrics.horizontalAdvance(text)) / 2  # each is drawn once
                painter.drawText(QPointF(left, number * self.cell_height + baseline), text)
        rows = np.frombuffer(sheet.constBits(), dtype=np.uint8).reshape(sheet.height(), sheet.bytesPerLine())
        return rows[:, : self.width].reshape(len(texts), self.cell_height, self.width).copy()


_shared: dict[tuple[int, int, int], Glyphs] = {}


def shared_glyphs(size: int, width: int, height: int) -> Glyphs:
    """One atlas for all panels with cells of one size; `size` is the font's, all in device pixels."""
    key = (size, width, height)
    if key not in _shared or _shared[key].full:
        if len(_shared) > SIZES:
            _shared.clear()
        font = theme.ui_font()
        font.setPixelSize(size)
        _shared[key] = Glyphs(font, width, height)
    return _shared[key]
