"""Which query heads read which K/V head, as a drawing."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.texts import head_text, heads_text

WIDEST = 64  # px of a query head, at the usual size


class Sharing(QWidget):
    """Above the query heads in their colours, below the K/V heads, each as wide as the heads that read it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("kv_sharing")
        self.setAccessibleName(self.tr("Which heads read which keys and values"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.heads, self.groups = 1, 1
        theme.watcher().changed.connect(self.updateGeometry)

    def show_scene(self, scene: Scene) -> None:
        """Draw the heads of this scene."""
        self.heads, self.groups = scene.heads, scene.groups
        text = self.tr("{shared}: {readers}")
        self.setAccessibleDescription(
            "; ".join(
                text.format(shared=head_text(group + 1, shared=True), readers=heads_text(self.readers(group)))
                for group in range(self.groups)
            )
        )
        self.update()

    def readers(self, group: int) -> range:
        """The query heads that read a K/V head, all from 0."""
        share = self.heads // self.groups
        return range(group * share, (group + 1) * share)

    def sizeHint(self) -> QSize:
        return QSize(240, round(5.4 * self.fontMetrics().height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, line = theme.current(), self.fontMetrics().height()
        high = 1.6 * line
        side = self.fontMetrics().horizontalAdvance("K, V") + 10
        most = WIDEST * theme.ui_font().pixelSize() / theme.USUAL_SIZE
        slot = min(most, (self.width() - side - 2) / self.heads)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.ui_font(0.9))
            below = self.height() - high - 2
            painter.setPen(colours.muted)
            for text, top in (("Q", 1.0), ("K, V", below)):
                painter.drawText(QRectF(0, top, side - 8, high), Qt.AlignmentFlag.AlignVCenter, text)
            for group in range(self.groups):
                readers = self.readers(group)
                box = QRectF(side + readers[0] * slot + 1, below, len(readers) * slot - 3, high)
                for head in readers:
                    query = QRectF(side + head * slot + 1, 1, slot - 3, high)
                    self._line(painter, query, box, colours.head_colour(head))
                    self._box(painter, query, str(head + 1), [colours.head_colour(head)], colours)
                self._box(painter, box, str(group + 1), [colours.head_colour(h) for h in readers], colours)

    def _line(self, painter: QPainter, query: QRectF, box: QRectF, colour: QColor) -> None:
        """From a query head to a point of the K/V head that all its readers share."""
        start, end = QPointF(query.center().x(), query.bottom()), QPointF(box.center().x(), box.top())
        middle = (start.y() + end.y()) / 2
        path = QPainterPath(start)
        path.cubicTo(QPointF(start.x(), middle), QPointF(end.x(), middle), end)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.6))
        painter.drawPath(path)

    def _box(
        self, painter: QPainter, box: QRectF, text: str, edge: list[QColor], colours: theme.Theme
    ) -> None:
        """A number over a bar in the colours of the heads."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.background if colours.background != colours.surface else colours.line)
        painter.drawRect(box)
        part = box.width() / len(edge)
        for number, colour in enumerate(edge):
            painter.fillRect(QRectF(box.left() + number * part, box.bottom() - 3, part, 3), colour)
        if painter.fontMetrics().horizontalAdvance(text) < box.width():
            painter.setPen(colours.text)
            painter.drawText(box.adjusted(0, 0, 0, -3), Qt.AlignmentFlag.AlignCenter, text)
