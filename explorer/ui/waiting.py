"""Tasks that can take long, beside the window's thread, while the window waits for them and stays alive."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget

from explorer.patience import CancelledError, GoingOn

AT_ONCE_S = 0.01  # what is done so soon needs no event loop meanwhile
SHOWN_MS = 300  # what takes longer is spoken of
_Kind = QEvent.Type
INPUT = (
    _Kind.MouseButtonPress, _Kind.MouseButtonRelease, _Kind.MouseButtonDblClick, _Kind.Wheel, _Kind.ContextMenu,
    _Kind.KeyPress, _Kind.KeyRelease, _Kind.Shortcut, _Kind.DragEnter, _Kind.Drop,
)  # fmt: skip

Result = TypeVar("Result")


class _Wait(QObject):
    """Until the task is done nothing else can be done to the window: its scene stays the one the task is about."""

    woken = Signal()

    def __init__(self, window: QWidget, text: str, cancelled: Event) -> None:
        super().__init__(window)
        self._cancelled = cancelled
        self._window = window
        self._loop = QEventLoop(self)
        self.woken.connect(self._loop.quit, Qt.ConnectionType.QueuedConnection)
        self._dialog = QProgressDialog(text, QCoreApplication.translate("Waiting", "Cancel"), 0, 0, window)
        self._dialog.setObjectName("waiting")
        self._dialog.setWindowModality(Qt.WindowModality.WindowModal)
        self._dialog.setMinimumDuration(1_000_000)  # it would come too soon: there is a timer for that
        self._dialog.reset()
        self._dialog.canceled.connect(self._cancelled.set)
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self._dialog.show)

    def run(self) -> None:
        """Until `woken`: the task is done, has failed or has given up."""
        app = QApplication.instance()
        assert app is not None
        app.installEventFilter(self)
        self._timer.start()
        self._loop.exec()
        self._timer.stop()
        app.removeEventFilter(self)
        self._dialog.hide()
        self._dialog.deleteLater()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in INPUT or not isinstance(watched, QWidget):
            return False
        return watched.window() is self._window


def wait_for(window: QWidget, text: str, task: Callable[[GoingOn], Result]) -> Result:
    """What `task` returns or raises, in a thread of its own; `text` says what it does, should it take long.

    The task is given a function to call now and then, which raises CancelledError once a person has cancelled.
    """
    cancelled = Event()

    def going_on() -> None:
        if cancelled.is_set():
            raise CancelledError

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="files") as pool:
        future = pool.submit(task, going_on)
        if not wait([future], AT_ONCE_S).done:
            waiting = _Wait(window, text, cancelled)
            future.add_done_callback(lambda _done: waiting.woken.emit())
            waiting.run()
        return future.result()
