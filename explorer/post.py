"""From a thread to the window's: calls that are made there, when its event loop comes to them."""

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid


class Post(QObject):
    """Outlives whoever waits for something: a thread must not emit a signal of what may be deleted meanwhile."""

    _brought = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._brought.connect(self._deliver, Qt.ConnectionType.QueuedConnection)  # even from the same thread

    def bring(self, to: QObject, call: Callable[[], object]) -> None:
        """Have `call` made in the window's thread, if `to` is still there then. For any thread."""
        self._brought.emit(to, call)

    def _deliver(self, to: QObject, call: Callable[[], object]) -> None:
        if isValid(to):
            call()


@cache
def post() -> Post:
    """The one Post; whoever asks first is in the window's thread."""
    return Post()
