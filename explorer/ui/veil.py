"""What was seen, over what is to be seen and is not painted yet."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class Seen:
    """A part of a window, and where it was in it."""

    place: QRect
    picture: QPixmap

    @classmethod
    def of(cls, part: QWidget) -> "Seen":
        """As it is now."""
        return cls(part.geometry(), part.grab())


class Veil(QWidget):
    """Hides a part of a window, which is not painted meanwhile, behind what another one has shown there."""

    def __init__(self, window: QWidget, seen: Seen) -> None:
        super().__init__(window)
        self._picture = seen.picture
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setGeometry(seen.place)
        self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
