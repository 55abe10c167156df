"""Numbers as ready-made stamps: drawing six thousand of them costs a few milliseconds, not a hundred.

A stamp is the alpha of one text, centred in one cell, in device pixels. Each distinct text is drawn by Qt once per
font and cell size; after that a whole panel of numbers is one numpy take and one multiplication.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QImage, QPainter

LIMIT = (
    20_000  # stamps of one size kept; at 88 × 56 device pixels about 100 MB, at a usual cell a tenth of that
)
SIZES = 6  # kept at once; while zooming many are passed through


class Glyphs:
    """Stamps for one font at one cell size (width, height in device pixels)."""

    def __init__(self, font: QFont, width: int, height: int) -> None:
        self._font, self.width, self.height = font, width, height
        self._ids: dict[str, int] = {"": 0}
        self.stamps = np.zeros((64, height, width), dtype=np.uint8)  # (room for some, height, width)

    @property
    def full(self) -> bool:
        """True where there are so many stamps that one had better begin anew."""
        return len(self._ids) > LIMIT

    def ids(self, texts: Sequence[str]) -> list[int]:
        """For each text the number of its stamp; 0 for the empty one."""
        known = self._ids
        if missing := [text for text in dict.fromkeys(texts) if text not in known]:
            self._draw(missing)
        return [known[text] for text in texts]

    def alphas(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        """(len(texts), height, width): the alpha of each text; "" is empty."""
        ids = self.ids(texts)  # which may make more stamps
        return self.stamps[ids]

    def _draw(self, texts: Sequence[str]) -> None:
        sheet = QImage(self.width, self.height * len(texts), QImage.Format.Format_Grayscale8)
        sheet.fill(Qt.GlobalColor.black)
        painter = QPainter(sheet)
        painter.setFont(self._font)
        painter.setPen(Qt.GlobalColor.white)
        for number, text in enumerate(texts):
            cell = QRect(0, number * self.height, self.width, self.height)
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)
        painter.end()
        rows = np.frombuffer(sheet.constBits(), dtype=np.uint8).reshape(sheet.height(), sheet.bytesPerLine())
        first = len(self._ids)
        while first + len(texts) > len(self.stamps):
            self.stamps = np.concatenate([self.stamps, np.zeros_like(self.stamps)])
        stamps = rows[:, : self.width].reshape(len(texts), self.height, self.width)
        self.stamps[first : first + len(texts)] = stamps
        self._ids.update({text: first + number for number, text in enumerate(texts)})


_shared: dict[tuple[str, int, int, int], Glyphs] = {}


def shared_glyphs(font: QFont, width: int, height: int) -> Glyphs:
    """One atlas for all panels with cells of one size."""
    key = (font.family(), font.pixelSize(), width, height)
    if key not in _shared or _shared[key].full:
        if len(_shared) > SIZES:
            _shared.clear()
        _shared[key] = Glyphs(font, width, height)
    return _shared[key]
