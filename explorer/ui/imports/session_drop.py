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
            if _session(event) is None:
                return False
            accept(event)
            return True
        if (
            kind == QEvent.Type.Drop
            and isinstance(event, QDropEvent)
            and (path := _session(event)) is not None
        ):
            accept(event)
            self._files.open(path)
            return True
        return False


def _session(event: QDropEvent) -> Path | None:
    return next((path for path in files_of(event.mimeData()) if path.name.endswith(SUFFIX)), None)
