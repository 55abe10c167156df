"""The top of a worksheet: what it is, its version, and lines for a name and a date."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.files.worksheet import Sheet
from explorer.files.worksheet.texts import say
from explorer.ui.paper import ink
from explorer.ui.paper.atoms import Atom
from explorer.ui.paper.ink import MILLIMETRE

TEXT = 9.5  # points
SIDE = 11.5 * MILLIMETRE  # of the box with the version's letter
FIELDS = (("name", 0.62), ("date", 0.38))  # and their shares of the width


def heading(sheet: Sheet, answers: bool, wide: float) -> Atom:
    """`wide` units, with a line below."""
    height = (15 if answers else 25) * MILLIMETRE
    name = say("answers" if answers else "sheet", sheet.language)
    title = ink.elided(sheet.title, 10, wide - 1.5 * SIDE)

    def draw(painter: QPainter, x: float, y: float) -> None:
        ink.draw_text(painter, name, x, y + 6.5 * MILLIMETRE, 19, bold=True)
        ink.draw_text(painter, title, x, y + 11.8 * MILLIMETRE, 10, ink.GREY)
        if sheet.version:
            _draw_version(painter, sheet.version, QRectF(x + wide - SIDE, y, SIDE, SIDE))
        if not answers:
            _draw_fields(painter, sheet.language, x, y + 21.5 * MILLIMETRE, wide)
        painter.setPen(ink.pen(ink.BLACK, 0.9))
        ink.draw_lines(painter, [(x, y + height, x + wide, y + height)])

    return Atom(height, draw)


def _draw_version(painter: QPainter, version: str, box: QRectF) -> None:
    painter.setPen(ink.pen(ink.BLACK, 1.1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 1.5 * MILLIMETRE, 1.5 * MILLIMETRE)
    painter.setFont(ink.font(20 if len(version) == 1 else 14, bold=True))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, version)


def _draw_fields(painter: QPainter, language: str, x: float, baseline: float, wide: float) -> None:
    right = x + wide
    for key, share in FIELDS:
        label = say(key, language)
        ink.draw_text(painter, label, x, baseline, TEXT, ink.GREY)
        start, end = x + ink.width(label, TEXT) + 2 * MILLIMETRE, x + share * wide
        end = right if right - end < MILLIMETRE else end - 4 * MILLIMETRE
        painter.setPen(ink.pen(ink.LINE, 0.5))
        ink.draw_lines(painter, [(start, baseline + 0.6 * MILLIMETRE, end, baseline + 0.6 * MILLIMETRE)])
        x += share * wide
