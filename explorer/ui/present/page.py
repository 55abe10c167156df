"""What stands on the presenter's screen around its panels: title, facts, arithmetic, progress."""

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QPainter, QTextDocument

from explorer.ui import theme
from explorer.ui.painting import saved

MARGIN = 0.035  # of the screen's width, at both sides


class Page(NamedTuple):
    """A screen of so many pixels; texts grow with `zoom`."""

    width: int
    height: int
    zoom: float
    colours: theme.Theme

    @property
    def unit(self) -> float:
        """What sizes of type are fractions of, in pixels."""
        return self.height * self.zoom

    @property
    def left(self) -> int:
        """Where texts begin."""
        return round(self.width * MARGIN)

    @property
    def room(self) -> int:
        """Pixels between the margins."""
        return round(self.width * (1 - 2 * MARGIN))

    def title(self, painter: QPainter, text: str) -> None:
        """At the top, in the largest type."""
        painter.setPen(self.colours.text)
        painter.setFont(font(0.052 * self.unit, bold=True))
        area = QRect(self.left, round(0.03 * self.height), self.room, round(0.09 * self.unit))
        painter.drawText(area, 0, text)

    def facts(self, painter: QPainter, text: str) -> None:
        """The line below the title."""
        painter.setFont(font(0.028 * self.unit))
        painter.setPen(self.colours.muted)
        area = QRect(self.left, round(0.105 * self.unit), self.room, round(0.05 * self.unit))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def sign(self, painter: QPainter, area: QRect, text: str) -> None:
        """What joins two panels: a dot, an arrow."""
        painter.setPen(self.colours.muted)
        painter.setFont(font(0.05 * self.unit))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)

    def arithmetic(self, painter: QPainter, html: str) -> None:
        """A line below the panels, in smaller type where it is long, and broken where that does not help."""
        document = QTextDocument()
        document.setDocumentMargin(0)
        size = 0.04 * self.unit
        while True:
            formula = theme.formula_font()
            formula.setPixelSize(round(size))
            document.setDefaultFont(formula)
            document.setHtml(f'<span style="color:{self.colours.text.name()}">{html}</span>')
            if document.idealWidth() <= self.room or size <= 0.023 * self.height:
                break
            size *= 0.94
        document.setTextWidth(self.room)
        with saved(painter):
            painter.translate(self.left, round(0.80 * self.height))
            document.drawContents(painter)

    def progress(self, painter: QPainter, index: int, count: int, keys: str) -> None:
        """A dot per step at the left, the keys at the right."""
        radius, y = 0.007 * self.height, 0.955 * self.height
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in range(count):
            past, colours = number < index, self.colours
            painter.setBrush(colours.text if number == index else colours.accent if past else colours.line)
            middle = QPoint(round(self.left + radius + number * 3.2 * radius), round(y))
            painter.drawEllipse(middle, radius, radius)
        painter.setPen(self.colours.muted)
        painter.setFont(font(0.023 * self.height))
        area = QRect(self.left, round(y - 0.02 * self.height), self.room, round(0.04 * self.height))
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, keys)


def font(pixels: float, bold: bool = False) -> QFont:
    """The program's font, so many pixels high."""
    found = theme.ui_font()
    found.setPixelSize(max(8, round(pixels)))
    found.setBold(bold)
    return found
