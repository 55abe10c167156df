"""What a window does not need to be painted for the first time."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer


class Later(QObject):
    """Tasks for after the first paint, one per turn of the event loop, while the first numbers are computed."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks: list[Callable[[], None]] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._next)

    def add(self, task: Callable[[], None]) -> None:
        """Run it when its turn comes."""
        self._tasks.append(task)

    def begin(self) -> None:
        """The window has been painted."""
        self._timer.start()

    def finish(self, *_: object) -> None:
        """Do all that is left, now: a person may ask for it."""
        for _ in self.rest():
            pass

    def rest(self) -> Iterator[None]:
        """Likewise, with the chance to do something else after each."""
        while self._tasks:
            self._tasks.pop(0)()
            yield

    def _next(self) -> None:
        if self._tasks:
            self._tasks.pop(0)()
        else:
            self._timer.stop()
