"""Text with sub- and superscripts, laid out and drawn in any thread.

Not by QTextDocument: it is a QObject, and makes others. PySide holds Python's lock while they are connected, for which
Qt wants a lock of its own; the window's thread may hold that one and wait for Python's. Then both wait for ever.
"""

import re
from html import unescape

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QPainter, QTextCharFormat, QTextLayout, QTextOption

from explorer.ui.painting import saved

_TAG, _SPACE = re.compile(r"(</?(?:sub|sup|i|b)>)"), re.compile(r"[ \n\t]+")
ENDLESS = 1e6  # of a line that is not broken


class RichText:
    """`html` knows <sub>, <sup>, <i> and <b>; it is broken at `wide`, or is one line (None). Lengths in logical pixels.

    Fonts are of the thread that lays text out with them: draw it where it was made.
    """

    def __init__(self, html: str, font: QFont, colour: QColor, wide: float | None = None) -> None:
        text, pieces = _read(html)
        self._layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WordWrap if wide else QTextOption.WrapMode.NoWrap)
        self._layout.setTextOption(option)
        self._layout.setFormats([_range(*piece, colour) for piece in pieces])
        self.width = self.height = self.ascent = 0.0
        self._layout.beginLayout()
        while (line := self._layout.createLine()).isValid():
            line.setLeadingIncluded(True)
            line.setLineWidth(wide or ENDLESS)
            line.setPosition(QPointF(0, self.height))
            self.ascent = self.ascent or line.ascent()  # of the first line
            self.height += line.height()
            self.width = max(self.width, line.naturalTextWidth())
        self._layout.endLayout()

    def draw(self, painter: QPainter, at: QPointF) -> None:
        """With its top left corner there."""
        with saved(painter):
            self._layout.draw(painter, at)


def _read(html: str) -> tuple[str, list[tuple[int, int, tuple[str, ...]]]]:
    """The text, and which tags are open from where to where."""
    text, pieces, tags = "", [], list[str]()
    for part in _TAG.split(html):
        if _TAG.fullmatch(part) is None:
            start = len(text)
            text += unescape(_SPACE.sub(" ", part))
            pieces.append((start, len(text), tuple(tags)))
        elif part.startswith("</"):
            tags.pop()
        else:
            tags.append(part[1:-1])
    return text, pieces


def _range(start: int, end: int, tags: tuple[str, ...], colour: QColor) -> QTextLayout.FormatRange:
    form = QTextCharFormat()
    form.setForeground(colour)
    for tag in tags:  # of one in another the inner one counts
        if tag == "i":
            form.setFontItalic(True)
        elif tag == "b":
            form.setFontWeight(QFont.Weight.Bold)
        else:
            place = QTextCharFormat.VerticalAlignment
            form.setVerticalAlignment(place.AlignSubScript if tag == "sub" else place.AlignSuperScript)
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, end - start, form
    return found
