"""What a window does not need before its first numbers are seen."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

WAIT_MS = 60  # after the first numbers: they are painted by then


class Later(QObject):
    """Tasks that wait until the window shows its first numbers, then run one per turn of the event loop."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks: list[Callable[[], None]] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._next)
        self._begun = False

    def add(self, task: Callable[[], None]) -> None:
        """Run it when its turn comes. It must bear being called when that is done already."""
        self._tasks.append(task)
        if self._begun:
            self._timer.start(0)

    def begin(self) -> None:
        """The first numbers are there."""
        if not self._begun:
            self._begun = True
            self._timer.start(WAIT_MS)

    def finish(self) -> None:
        """Do all that is left, now."""
        while self._tasks:
            self._tasks.pop(0)()

    def _next(self) -> None:
        if self._tasks:
            self._tasks.pop(0)()
            self._timer.start(0)
