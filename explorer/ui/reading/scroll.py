"""Scrolls a long widget up and down, and tells it how much of it is in view."""

from typing import Protocol, cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class Tall(Protocol):
    """What is as high as it needs to be, and fills what is in view."""

    def set_view_height(self, height: int) -> None:
        """So many pixels are in view."""


class UpAndDown(QScrollArea):
    """The content is as wide as the area. The keyboard is the content's own."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(content)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self.widget(), "set_view_height"):
            cast(Tall, self.widget()).set_view_height(self.viewport().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)
