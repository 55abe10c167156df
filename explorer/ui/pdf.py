"""PDF as QPdfWriter writes it, with images that are packed while other threads run."""

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QPdfWriter

# Pixels of what Qt draws in the place of an image: a size that none of ours has, and that divides without a remainder.
STAND_IN = (1, 8)
_OPAQUE = (QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32_Premultiplied)

_IMAGE = re.compile(
    rb"(?P<size>/Width 1\n/Height 8\n)/BitsPerComponent 8\n/ColorSpace /DeviceRGB\n/Length \d+ 0 R\n"
    rb"/Filter /FlateDecode\n>>\nstream\n(?P<data>.*?)\nendstream\nendobj\n\d+ 0 obj\n(?P<length>\d+)\nendobj\n",
    re.DOTALL,
)
_PLACE = re.compile(rb"(?P<entry>\d{10})(?= \d{5} n )|(?<=\nstartxref\n)(?P<start>\d+)")


class _Packed(NamedTuple):
    width: int
    height: int
    data: bytes


class _Change(NamedTuple):
    """Bytes from `start` to `end` are replaced."""

    start: int
    end: int
    by: bytes

    @property
    def growth(self) -> int:
        return len(self.by) - (self.end - self.start)


class Writer(QPdfWriter):
    """Images are put in afterwards: Qt holds up all threads of Python while it packs one, the window's too."""

    def __init__(self) -> None:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        super().__init__(buffer)
        self._buffer = buffer
        self._images: list[_Packed] = []

    def keep(self, image: QImage) -> QImage | None:
        """What is to be drawn in its place; None where it has to be drawn itself: it can be seen through."""
        if image.format() not in _OPAQUE:
            return None
        width, height = image.width(), image.height()
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(height, width, 4)  # BGRA
        if image.hasAlphaChannel() and not (pixels[..., 3] == 255).all():
            return None
        self._images.append(_Packed(width, height, zlib.compress(pixels[..., 2::-1].tobytes())))
        stand_in = QImage(
            *STAND_IN, QImage.Format.Format_RGB32
        )  # a new one: what Qt knows it draws only once
        stand_in.fill(0xFF000000)
        return stand_in

    def parts(self) -> Iterator[bytes]:
        """What was drawn, piece by piece, once the painter has ended."""
        data = self._buffer.data().data()
        changes = []
        for found, image in zip(_IMAGE.finditer(data), self._images, strict=True):
            size = b"/Width %d\n/Height %d\n" % image[:2]
            for name, by in ("size", size), ("data", image.data), ("length", b"%d" % len(image.data)):
                changes.append(_Change(*found.span(name), by))
        table = data.rindex(b"\nxref\n")
        at = 0
        for change in changes:
            yield data[at : change.start]
            yield change.by
            at = change.end
        yield data[at:table]
        yield _PLACE.sub(lambda found: _moved(found, changes), data[table:])


def _moved(found: re.Match[bytes], changes: list[_Change]) -> bytes:
    """Where in the file something is now, written as it was."""
    place = int(found[0])
    place += sum(change.growth for change in changes if change.end <= place)
    return b"%010d" % place if found["entry"] else b"%d" % place
