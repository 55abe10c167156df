"""Units, inks and type of a printed page. A unit is a tenth of a point, fine enough for whole-pixel fonts."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
)

from explorer.lessons.notation import indices
from explorer.ui import theme, typesetting
from explorer.ui.painting import saved
from explorer.ui.rich_text import RichText

POINT = 10.0  # units
MILLIMETRE = 720 / 25.4
DPI = 720  # units to the inch

# All of them hold on a printer that has no colours.
BLACK = QColor("#000000")
GREY = QColor("#4a4a4a")  # labels
LINE = QColor("#8a8a8a")  # between the cells of a given matrix
SQUARES = QColor("#cfcfcf")  # of the paper to calculate on
HATCH = QColor("#9a9a9a")
SHADE = QColor("#ececec")  # behind what was filled in

PAPERS = {"A4": QSizeF(210 * MILLIMETRE, 297 * MILLIMETRE), "Letter": QSizeF(6120.0, 7920.0)}


@cache
def rehearse() -> None:
    """What pages are made of, once in the window's thread, before they are made beside it: see picture.rehearse."""
    Rich("<sup>x</sup>", 9.5, 100.0)
    _outline(
        'viewBox="0 0 1 1" <path d="M0 0L1 1Q1 1 2 2C1 1 2 2 3 3Z"/><rect x="0" y="0" width="1" height="1"/>'
    )
    elided("x", 9.5, width("x", 9.5))
    pen(BLACK, 1.0)


def font(points: float, bold: bool = False, formula: bool = False) -> QFont:
    """The program's type, for paper."""
    made = theme.formula_font() if formula else theme.ui_font()
    made.setPixelSize(round(points * POINT))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    made.setBold(bold)
    return made


def pen(colour: QColor, points: float) -> QPen:
    """A line so thick."""
    return QPen(colour, points * POINT)


def width(text: str, points: float, bold: bool = False) -> float:
    """Units that a plain text takes."""
    return QFontMetricsF(font(points, bold)).horizontalAdvance(text)


def elided(text: str, points: float, room: float) -> str:
    """As much of a plain text as fits, on one line."""
    return QFontMetricsF(font(points)).elidedText(" ".join(text.split()), Qt.TextElideMode.ElideRight, room)


def rich(text: str) -> str:
    """Plain text as HTML, with the letters of W_q and d_k where they belong."""
    done, at = "", 0
    for index in indices(text):
        tag = "sub" if index.is_low else "sup"
        done += f"{escape(text[at : index.start - 1])}<{tag}>{escape(text[index.start : index.end])}</{tag}>"
        at = index.end
    return done + escape(text[at:])


class Rich:
    """Rich text, broken at `wide` units; None: one line. Lengths in units."""

    def __init__(self, html: str, points: float, wide: float | None = None) -> None:
        self._html, self._points, self._wide = html, points, wide
        made = self._made()
        self.width, self.height = made.width, made.height

    def draw(self, painter: QPainter, x: float, y: float) -> None:
        """With its top left corner there."""
        self._made().draw(painter, QPointF(x, y))

    def _made(self) -> RichText:
        """Not kept: fonts are of the thread that lays text out with them, and pages are drawn in others."""
        return RichText(self._html, font(self._points), BLACK, self._wide)


def draw_text(
    painter: QPainter,
    text: str,
    x: float,
    baseline: float,
    points: float,
    colour: QColor = BLACK,
    bold: bool = False,
) -> None:
    """One line from the left."""
    painter.setFont(font(points, bold))
    painter.setPen(colour)
    painter.drawText(QPointF(x, baseline), text)


class Maths:
    """A line of LaTeX at a size; `html` where ziamath cannot set it."""

    def __init__(self, latex: str, html: str, points: float) -> None:
        self._em = points * POINT
        line = typesetting.typeset(latex)
        self._outline = None if line is None else _outline(line.svg)
        self._fallback = Rich(f"<i>{html}</i>", points)
        if line is not None and self._outline is not None:
            self.width, self.ascent, self.descent = (
                length * self._em for length in (line.width, line.ascent, line.descent)
            )
        else:
            self.width = self._fallback.width
            self.ascent = QFontMetricsF(font(points)).ascent()
            self.descent = self._fallback.height - self.ascent

    def draw(self, painter: QPainter, x: float, baseline: float) -> None:
        """From the left."""
        if self._outline is None:
            self._fallback.draw(painter, x, baseline - self.ascent)
            return
        with saved(painter):
            painter.translate(x, baseline)
            painter.scale(self._em / typesetting.EM, self._em / typesetting.EM)
            painter.fillPath(self._outline, BLACK)


_SHAPES = re.compile(r'<path d="([^"]*)"|<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"')
_STEPS = re.compile(r"([MLQCZ])([^MLQCZ]*)")


def _outline(svg: str) -> QPainterPath | None:
    """What ziamath draws, as one path whose origin is on the baseline; None where it holds something else.

    Not by QSvgRenderer: into a PDF, Qt strokes what that fills.
    """
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    left = float(svg.partition('viewBox="')[2].split(" ", 1)[0])
    for steps, *rect in _SHAPES.findall(svg):
        if not steps:
            x, y, wide, high = map(float, rect)
            path.addRect(QRectF(x - left, y, wide, high))
        for command, numbers in _STEPS.findall(steps):
            values = [float(number) for number in numbers.replace(",", " ").split()]
            points = [QPointF(x - left, y) for x, y in zip(values[::2], values[1::2], strict=True)]
            match command, points:
                case "M", [to]:
                    path.moveTo(to)
                case "L", [to]:
                    path.lineTo(to)
                case "Q", [through, to]:
                    path.quadTo(through, to)
                case "C", [first, second, to]:
                    path.cubicTo(first, second, to)
                case "Z", []:
                    path.closeSubpath()
                case _:
                    return None
    return path


@lru_cache(maxsize=512)
def maths(latex: str, html: str, points: float) -> Maths:
    """The same for the same."""
    return Maths(latex, html, points)


def draw_lines(painter: QPainter, lines: Iterable[tuple[float, float, float, float]]) -> None:
    """Each from x₁, y₁ to x₂, y₂."""
    for x1, y1, x2, y2 in lines:
        painter.drawLine(QPointF(x1, y1), QPointF(x2, y2))
