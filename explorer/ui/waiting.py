"""Tasks that can take long, beside the window's thread, while the window waits for them and stays alive."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from threading import Barrier, Event
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QProgressDialog, QWidget
from shiboken6 import isValid

from explorer.patience import CancelledError, GoingOn, go_on
from explorer.post import post
from explorer.scene import Scene
from explorer.ui.words import prepare

AT_ONCE_S = 0.005  # what is done so soon needs no event loop meanwhile
LARGE = 2**22  # bytes of inputs, from which memory for others takes a while to be had
SHOWN_MS = 300  # what takes longer is spoken of
PAINTED_MS = 40  # and by then it is painted
AT_WORK = 3  # threads
_Kind = QEvent.Type
INPUT = (
    _Kind.MouseButtonPress, _Kind.MouseButtonRelease, _Kind.MouseButtonDblClick, _Kind.Wheel, _Kind.ContextMenu,
    _Kind.KeyPress, _Kind.KeyRelease, _Kind.ShortcutOverride, _Kind.DragEnter, _Kind.Drop,
)  # fmt: skip

Result = TypeVar("Result")


class Deaf(QObject):
    """Between `begin` and `end` nothing can be done to a window with mouse or keyboard."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._watched: list[QObject] = []

    def begin(self) -> None:
        """From now on."""
        # What a person does comes to the native window; only for keys that mean an action a widget is asked before.
        # A filter on the whole application would call Python for each event, while a thread has it busy.
        self._watched = [QApplication.focusWidget() or self._window]
        if (handle := self._window.windowHandle()) is not None:
            self._watched.append(handle)
        for each in self._watched:
            each.installEventFilter(self)

    def end(self) -> None:
        """Until now."""
        for each in filter(isValid, self._watched):
            each.removeEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == _Kind.ShortcutOverride:
            event.accept()  # it is no action then, but a key, which does not arrive
        return kind in INPUT


class _Wait(Deaf):
    """Until the task is done nothing else can be done to the window: its scene stays the one the task is about."""

    def __init__(self, window: QWidget, text: str, cancelled: Event, free: Event) -> None:
        super().__init__(window)
        self._cancelled, self._free = cancelled, free
        self._loop = QEventLoop(self)
        self._text = text
        self._dialog: QProgressDialog | None = None
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self._speak)

    def run(self) -> None:
        """Until it is woken: the task is done, has failed or has given up."""
        self.begin()
        self._timer.start()
        self._loop.exec()
        self._timer.stop()
        self._free.set()
        self.end()
        if self._dialog is not None:
            had_keyboard = self._dialog.isActiveWindow() or self._cancelled.is_set()
            self._dialog.hide()
            self._dialog.deleteLater()
            if had_keyboard:  # not every system gives it back
                self._window.activateWindow()
        self.deleteLater()

    def wake(self) -> None:
        """End `run`."""
        self._loop.quit()

    def _speak(self) -> None:
        """The task rests meanwhile: all of a window is painted when a dialog takes its place."""
        self._free.clear()
        QTimer.singleShot(PAINTED_MS, self, self._free.set)
        cancel = QCoreApplication.translate("Waiting", "Cancel")
        self._dialog = dialog = QProgressDialog(self._text, cancel, 0, 0, self._window)
        dialog.setObjectName("waiting")
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(1_000_000)  # it would come by itself, too
        dialog.reset()
        dialog.canceled.connect(self._cancelled.set)
        dialog.show()


@cache
def pool() -> ThreadPoolExecutor:
    """Threads for whatever is done beside the window's. They stay: each loads the fonts that it draws with anew, and
    the window has to wait while one is started.
    """
    return ThreadPoolExecutor(max_workers=8, thread_name_prefix="beside")


def start_threads() -> None:
    """As many as are at work together as a rule: one that starts while another computes makes the window wait."""
    all_there = Barrier(AT_WORK)
    for _thread in range(AT_WORK):
        pool().submit(all_there.wait)


def wait_for(window: QWidget, text: str, task: Callable[[GoingOn], Result]) -> Result:
    """What `task` returns or raises, in a thread of its own; `text` says what it does, should it take long.

    The task is given a function to call now and then, which raises CancelledError once a person has cancelled.
    """
    cancelled, free = Event(), Event()
    free.set()

    def going_on() -> None:
        free.wait()
        if cancelled.is_set():
            raise CancelledError

    future = pool().submit(task, going_on)
    if not wait([future], AT_ONCE_S).done:
        waiting = _Wait(window, text, cancelled, free)
        bring = post().bring
        future.add_done_callback(lambda _done: bring(waiting, waiting.wake))
        waiting.run()
    return future.result()


Beside = Callable[
    [str, Callable[[GoingOn], Any]], Any
]  # Files.beside: what a task comes to, and what it does in words


def here(_text: str, task: Callable[[GoingOn], Any]) -> Any:
    """Where no window waits."""
    return task(go_on)


def changed(scene: Scene, change: Callable[[Scene], Scene], text: str, beside: Beside) -> Scene:
    """The scene after a change, called `text`, of which a large one is made beside the window's thread.

    Raises what `change` raises, and CancelledError.
    """
    if max(table.nbytes for name in ("x", "context") if (table := scene.table(name)) is not None) < LARGE:
        return change(scene)
    new: Scene = beside(f"{text} …", lambda _going_on: prepare(change(scene)))
    return new
