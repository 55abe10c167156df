"""What QSvgGenerator writes, made fit for viewers that do not have our fonts."""

import re
from functools import lru_cache
from html import unescape

from PySide6.QtGui import QFont, QFontMetricsF

# Each <g> repeats the font that each <text> in it has anyway.
_FONT_OF_GROUP = re.compile(r'(<g [^>]*?)\nfont-family="[^"]*" font-size="[^"]*"[^>]*>')
_TEXT = re.compile(
    r'<text (?P<before>[^>]*?)\bx="(?P<x>[^"]+)"(?P<after>[^>]*?)'
    r'font-family="(?P<families>[^"]*)" font-size="(?P<size>[^"]*)" font-weight="(?P<weight>[^"]*)"'
    r' font-style="(?P<style>[^"]*)"\s*>(?P<text>[^<]*)</text>'
)


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
