"""Sessions dropped anywhere on the window are opened."""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from explorer.files.session import SUFFIX
from explorer.ui.files import Files
from explorer.ui.imports.drop import accept, files_of


class SessionDrop(QObject):
    """Lets a session be dropped on `window`, where no part of it takes what is dragged itself."""

    def __init__(self, files: Files, window: QWidget) -> None:
        super().__init__(window)
        self._files = files
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.DragEnter, QEvent.Type.DragMove) and isinstance(event, QDragMoveEvent):
            if not _sessions(event):
                return False
            accept(event)
            return True
        if kind == QEvent.Type.Drop and isinstance(event, QDropEvent) and (paths := _sessions(event)):
            accept(event)
            if self._files.open(paths[0]) and len(paths) > 1:
                text = self.tr("{name} was opened, the first of {count}: a window shows one session.")
                self._files.said.emit(text.format(name=paths[0].name, count=len(paths)))
            return True
        return False


def _sessions(event: QDropEvent) -> list[Path]:
    return [path for path in files_of(event.mimeData()) if path.name.endswith(SUFFIX)]
