"""What QSvgGenerator writes, made fit for viewers that do not have our fonts."""

import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, lru_cache
from html import unescape
from itertools import zip_longest

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QImage
from PySide6.QtSvg import QSvgGenerator

# Each <g> repeats the font that each <text> in it has anyway.
_FONT_OF_GROUP = re.compile(r'(<g [^>]*?)\nfont-family="[^"]*" font-size="[^"]*"[^>]*>')
_TEXT = re.compile(
    r'<text (?P<before>[^>]*?)\bx="(?P<x>[^"]+)"(?P<after>[^>]*?)'
    r'font-family="(?P<families>[^"]*)" font-size="(?P<size>[^"]*)" font-weight="(?P<weight>[^"]*)"'
    r' font-style="(?P<style>[^"]*)"\s*>(?P<text>[^<]*)</text>'
)

PIXEL = QRectF(0, 0, 1, 1)  # all of what `keep` gives


class Generator(QSvgGenerator):
    """Images are put in afterwards: Qt holds up all threads of Python while it draws one, the window's too."""

    def __init__(self) -> None:
        super().__init__()
        self._images: list[str] = []
        self._buffer = QBuffer()
        self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        self.setOutputDevice(self._buffer)

    def keep(self, image: QImage) -> QImage:
        """What is to be drawn in its place."""
        self._images.append(_encoded(image))
        return _stand_in()

    def parts(self) -> Iterator[str]:
        """What was drawn, piece by piece: images are long."""
        plain = tidy(bytes(self._buffer.data().data()).decode()).split(_encoded(_stand_in()))
        for text, image in zip_longest(plain, self._images, fillvalue=""):
            yield text
            yield image


def _encoded(image: QImage) -> str:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return b64encode(buffer.data().data()).decode()


@cache
def _stand_in() -> QImage:
    """A pixel of a colour that nothing has."""
    image = QImage(1, 1, QImage.Format.Format_RGB32)
    image.fill(0xFF010203)
    return image


def tidy(svg: str) -> str:
    """The same picture in fewer bytes. Texts are anchored in their middle: set in another font, they stay in place.

    Images keep their sharp pixels where a viewer enlarges them.
    """
    svg = _FONT_OF_GROUP.sub(r"\1>", svg)
    svg = svg.replace("<image ", '<image style="image-rendering: pixelated" ')
    return _TEXT.sub(_anchored, svg)


def _anchored(found: re.Match[str]) -> str:
    font = _font(found["families"], float(found["size"]), int(found["weight"]), found["style"] == "italic")
    middle = float(found["x"]) + QFontMetricsF(font).horizontalAdvance(unescape(found["text"])) / 2
    slant = ' font-style="italic"' if font.italic() else ""
    return (
        f'<text {found["before"]}x="{middle:.6g}"{found["after"]}text-anchor="middle"'
        f' font-family="{found["families"]}" font-size="{found["size"]}" font-weight="{found["weight"]}"{slant}>'
        f"{found['text']}</text>"
    )


@lru_cache(maxsize=64)
def _font(families: str, size: float, weight: int, italic: bool) -> QFont:
    font = QFont()
    font.setFamilies([family.strip(" '") for family in families.split(",")])
    font.setPixelSize(round(size))
    font.setWeight(QFont.Weight(weight))
    font.setItalic(italic)
    return font
