"""Pages one below the other, as wide as the room; each is drawn when it comes into view, beside the window's thread."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.ui import theme
from explorer.ui.latest import Latest
from explorer.ui.paper.output import page_image
from explorer.ui.paper.sheets import Page
from explorer.ui.turns import turns

EDGE = 14  # pixels of air around a page
LARGEST = 640  # pixels of its width


class PagesView(QWidget):
    """For a scroll area that makes it as wide as itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pages")
        self._pages: Sequence[Page] = ()
        self._images: dict[int, QImage] = {}
        self._ratio = 0.0
        self._maker = Latest(self)
        self._maker.made.connect(self._receive)

    @property
    def count(self) -> int:
        """How many pages there are."""
        return len(self._pages)

    def show_pages(self, pages: Sequence[Page]) -> None:
        """Show others."""
        self._pages = pages
        self._forget_images()
        self._fit()
        self.update()

    def page_rect(self, number: int) -> QRect:
        """Where a page is, from 0."""
        size = self._size(number)
        top = EDGE + sum(self._size(before).height() + EDGE for before in range(number))
        return QRect((self.width() - size.width()) // 2, top, size.width(), size.height())

    def _size(self, number: int) -> QSize:
        paper = self._pages[number].size
        width = min(LARGEST, max(50, self.width() - 2 * EDGE))
        return QSize(width, round(width * paper.height() / paper.width()))

    def _fit(self) -> None:
        last = self.page_rect(len(self._pages) - 1).bottom() if self._pages else 0
        self.setMinimumHeight(last + EDGE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._forget_images()
            self._fit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._maker.forget()

    def _forget_images(self) -> None:
        self._images.clear()
        self._maker.forget()

    def _make_next(self) -> None:
        """The first page that is in view; the others when it is there."""
        in_view = self._numbers(self.visibleRegion().boundingRect())
        number = next((each for each in in_view if each not in self._images), None)
        if number is not None and not self._maker.is_busy:
            page, room = self._pages[number], self._size(number) * self._ratio
            self._maker.ask(lambda going_on: (number, page_image(page, room, going_on)))

    def _numbers(self, area: QRect) -> Iterator[int]:
        """Of the pages that are in an area."""
        return (number for number in range(self.count) if self.page_rect(number).intersects(area))

    def _receive(self, made: tuple[int, QImage]) -> None:
        number, image = made
        image.setDevicePixelRatio(self._ratio)
        self._images[number] = image
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.current().background)
            ratio = self.devicePixelRatioF()
            if ratio != self._ratio:
                self._ratio = ratio
                self._forget_images()
            for number in self._numbers(event.rect()):
                rect = self.page_rect(number)
                if number in self._images:
                    painter.drawImage(rect.topLeft(), self._images[number])
                else:
                    painter.fillRect(rect, Qt.GlobalColor.white)
                    turns().add(self, self._make_next)  # not before all of the window is painted
                painter.setPen(theme.current().line)
                painter.drawRect(rect.adjusted(-1, -1, 0, 0))
