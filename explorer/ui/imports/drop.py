"""Tables dropped on a grid, or where it would be."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QColor, QDragMoveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.files.session import SUFFIX
from explorer.ui import theme
from explorer.ui.grids.commands import Block

if TYPE_CHECKING:
    from explorer.ui.grids.view import MatrixGrid


class TableDrop(QObject):
    """Lets files and text be dropped on `place`, which holds `grid`: a file takes the whole matrix, text the cells
    from the one under the mouse on.
    """

    def __init__(self, place: QWidget, grid: "MatrixGrid") -> None:
        super().__init__(place)
        self._place, self._grid = place, grid
        self._frame = DropFrame(place)
        place.setAcceptDrops(True)
        place.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.DragEnter, QEvent.Type.DragMove) and isinstance(event, QDragMoveEvent):
            return self._offer(event)
        if kind == QEvent.Type.DragLeave:
            self._frame.hide()
        elif kind == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self._frame.hide()
            return self._take(event)
        return False

    def _offer(self, event: QDragMoveEvent) -> bool:
        if not self._wants(event):
            return False
        self._frame.cover(self._grid if self._grid.isVisible() else self._place)
        accept(event)
        return True

    def _take(self, event: QDropEvent) -> bool:
        if not self._wants(event):
            return False
        accept(event)
        view = self._grid.viewport()
        index = self._grid.indexAt(view.mapFrom(self._place, event.position().toPoint()))
        block = Block(index.row(), index.column(), index.row(), index.column())
        if not index.isValid() or not self._grid.isVisible():
            block = Block(0, 0, 0, 0)
        if (target := self._grid.importer.take(event.mimeData(), block)) is not None:
            self._grid.select_block(target)
        return True

    def _wants(self, event: QDropEvent) -> bool:
        """Files, but no session, which is the window's to open; text only where there are cells for it."""
        offer = event.mimeData()
        files = files_of(offer)
        if not files:
            return self._grid.isVisible() and (offer.hasText() or offer.hasHtml())
        return not any(path.name.endswith(SUFFIX) for path in files)


def accept(event: QDropEvent) -> None:
    """Take it as a copy, whatever is proposed: where it comes from keeps it."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


class DropFrame(QWidget):
    """A frame around where something would go."""

    def __init__(self, place: QWidget) -> None:
        super().__init__(place)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self, widget: QWidget) -> None:
        """Show it around a widget of the same place."""
        self.setGeometry(widget.geometry() if widget is not self.parent() else widget.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        accent = QColor(theme.current().accent)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(accent, 2, Qt.PenStyle.DashLine))
            accent.setAlphaF(0.08)
            painter.setBrush(accent)
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 5, 5)


def files_of(offer: QMimeData) -> list[Path]:
    """The files of this machine that are offered."""
    return [Path(url.toLocalFile()) for url in offer.urls() if url.isLocalFile()]
