"""A picture small enough to be seen whole, on a chequered ground that shows through where it is transparent."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.patience import GoingOn
from explorer.ui import theme
from explorer.ui.latest import Latest

CHECK = 8  # pixels of a square
EDGE = 12  # pixels of air


Draw = Callable[[QSize, GoingOn], QImage]


class Preview(QWidget):
    """Shows what `draw` makes for a room of so many device pixels; asked again when the room changes.

    It is made beside the window's thread, and the one before is seen until it is there.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preview")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._draw: Draw | None = None
        self._image = QImage()
        self._key: tuple[object, ...] = ()  # of the image
        self._dark = self._next_dark = False
        self._drawing: Draw | None = None
        self._maker = Latest(self)
        self._maker.made.connect(self._receive)

    def sizeHint(self) -> QSize:
        return QSize(520, 400)

    def show_picture(self, draw: Draw, dark: bool) -> None:
        """Show another one; `dark`: made for a dark ground."""
        self._draw, self._next_dark = draw, dark
        self.update()

    @property
    def image(self) -> QImage:
        """What it shows."""
        return self._image

    @property
    def is_done(self) -> bool:
        """Whether that is what it shall show."""
        return self._key == self._wanted

    @property
    def _wanted(self) -> tuple[Draw | None, QSize, float, bool]:
        ratio = self.devicePixelRatioF()
        return self._draw, (self.size() - QSize(2 * EDGE, 2 * EDGE)) * ratio, ratio, self._next_dark

    def _renew(self) -> None:
        """For another room again only when it is there: while a window becomes larger something is seen."""
        draw, room, _ratio, _dark = key = self._wanted
        if draw is None or room.isEmpty() or self.is_done:
            return
        if self._maker.is_busy and draw is self._drawing:
            return
        self._drawing = draw
        self._maker.ask(lambda going_on: (key, draw(room, going_on)))

    def _receive(self, made: tuple[tuple[object, QSize, float, bool], QImage]) -> None:
        self._key, self._image = made
        _draw, _room, ratio, self._dark = self._key
        self._image.setDevicePixelRatio(ratio)
        self.update()

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
