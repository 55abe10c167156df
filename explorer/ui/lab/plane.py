"""One pair of columns as an arrow in the plane, before and after its turn."""

from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, isfinite, pi, sin

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.ui import theme

SIDE = 230  # px, at the usual size


@dataclass(frozen=True)
class Turn:
    """A point, the angle in radians by which it turns, what its axes are called, and its head from 0."""

    before: tuple[float, float]
    after: tuple[float, float]
    angle: float
    axes: tuple[str, str]
    head: int


class Plane(QWidget):
    """Dashed where the arrow was, in the head's colour where it is; the arc between is the angle."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rotary_plane")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.turn: Turn | None = None
        theme.watcher().changed.connect(self.updateGeometry)

    def show_turn(self, turn: Turn | None, spoken: str) -> None:
        """Draw this; None: the axes alone."""
        self.turn = turn
        self.setAccessibleName(spoken)
        self.update()

    def sizeHint(self) -> QSize:
        side = round(SIDE * theme.ui_font().pixelSize() / theme.USUAL_SIZE)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, side = theme.current(), min(self.width(), self.height())
        line = self.fontMetrics().height()
        middle = QPointF(self.width() / 2, self.height() / 2)
        reach = side / 2 - line * 0.4
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.ui_font(0.9))
            painter.setPen(QPen(colours.line, 1))
            painter.drawLine(middle - QPointF(reach, 0), middle + QPointF(reach, 0))
            painter.drawLine(middle - QPointF(0, reach), middle + QPointF(0, reach))
            turn = self.turn
            if turn is None or not all(map(isfinite, (*turn.before, *turn.after, turn.angle))):
                return
            painter.setPen(colours.muted)
            wide = painter.fontMetrics().horizontalAdvance(turn.axes[0])
            painter.drawText(middle + QPointF(reach - wide, line), turn.axes[0])
            painter.drawText(middle + QPointF(6, line * 0.8 - reach), turn.axes[1])
            length = hypot(*turn.before)
            if not length:
                return
            radius = reach - 1.6 * line
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colours.line, 1))
            painter.drawEllipse(middle, radius, radius)
            colour = colours.head_colour(turn.head)
            self._arc(
                painter, middle, radius * 0.45, atan2(turn.before[1], turn.before[0]), turn.angle, colours
            )
            self._arrow(painter, middle, turn.before, radius / length, colours.muted, True)
            self._arrow(painter, middle, turn.after, radius / length, colour, False)

    def _arc(
        self,
        painter: QPainter,
        middle: QPointF,
        radius: float,
        start: float,
        angle: float,
        colours: theme.Theme,
    ) -> None:
        """From one arrow to the other, whole turns left out."""
        rest = angle % (2 * pi)
        box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
        painter.setPen(QPen(colours.source, 2))
        painter.drawArc(box, round(degrees(start) * 16), round(degrees(rest) * 16))
        if rest > 0.05:
            between = start + rest / 2
            at = middle + QPointF(cos(between), -sin(between)) * (radius + 12)
            painter.setPen(colours.text)
            painter.drawText(QRectF(at.x() - 12, at.y() - 12, 24, 24), Qt.AlignmentFlag.AlignCenter, "θ")

    def _arrow(
        self,
        painter: QPainter,
        middle: QPointF,
        to: tuple[float, float],
        scale: float,
        colour: QColor,
        dashed: bool,
    ) -> None:
        tip = middle + QPointF(to[0], -to[1]) * scale
        painter.setPen(QPen(colour, 2, Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine))
        painter.drawLine(middle, tip)
        way = atan2(-(tip.y() - middle.y()), tip.x() - middle.x())
        wings = [tip - QPointF(cos(way + off), -sin(way + off)) * 10 for off in (0.4, -0.4)]
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush if dashed else colour)
        painter.drawPolygon(QPolygonF([tip, *wings]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
