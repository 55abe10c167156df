"""A picture small enough to be seen whole, on a chequered ground that shows through where it is transparent."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.ui import theme

CHECK = 8  # pixels of a square
EDGE = 12  # pixels of air


class Preview(QWidget):
    """Shows what `draw` makes for a room of so many device pixels; asked again when the room changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._draw: Callable[[QSize], QImage] | None = None
        self._image = QImage()
        self._key: tuple[object, ...] = ()
        self._dark = False

    def sizeHint(self) -> QSize:
        return QSize(520, 400)

    def show_picture(self, draw: Callable[[QSize], QImage], dark: bool) -> None:
        """Show another one; `dark`: made for a dark ground."""
        self._draw, self._key, self._dark = draw, (), dark
        self.update()

    @property
    def image(self) -> QImage:
        """What it shows."""
        self._renew()
        return self._image

    def _renew(self) -> None:
        ratio = self.devicePixelRatioF()
        room = (self.size() - QSize(2 * EDGE, 2 * EDGE)) * ratio
        if self._draw is None or room.isEmpty() or self._key == (room, ratio):
            return
        self._key = (room, ratio)
        self._image = self._draw(room)
        self._image.setDevicePixelRatio(ratio)

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._renew()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.current().background)
            size = self._image.deviceIndependentSize().toSize()
            area = QRect(
                QPoint((self.width() - size.width()) // 2, (self.height() - size.height()) // 2), size
            )
            if self._image.hasAlphaChannel():
                _chequer(painter, area, self._dark)
            painter.drawImage(area.topLeft(), self._image)
            painter.setPen(theme.current().line)
            painter.drawRect(area.adjusted(-1, -1, 0, 0))


def _chequer(painter: QPainter, area: QRect, is_dark: bool) -> None:
    dark, light = QColor(0xE6, 0xE6, 0xE6), QColor(Qt.GlobalColor.white)
    if is_dark:
        dark, light = QColor(0x22, 0x22, 0x22), QColor(0x33, 0x33, 0x33)
    painter.fillRect(area, light)
    for row, y in enumerate(range(area.top(), area.bottom() + 1, CHECK)):
        for x in range(area.left() + CHECK * (row % 2), area.right() + 1, 2 * CHECK):
            painter.fillRect(QRect(x, y, CHECK, CHECK) & area, dark)
