"""The heartbeat of the event loop: how long nothing else could be done."""

import ctypes
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer

LIMIT_MS = 50.0  # what a person takes for at once
SCHEDULE = Path("/proc/thread-self/schedstat")  # on Linux: nanoseconds that a thread ran, and waited to run


class Pulse(QObject):
    """Beats every millisecond while it is used in a `with` block.

    Between two beats does not count how long the thread was ready and a processor was not, where the system tells
    that: other programs, of which a machine may be full, say nothing about this one.
    """

    def __init__(self) -> None:
        super().__init__()
        self._longest = self._last = self._waited = 0.0
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=1)
        self._timer.timeout.connect(self.note)

    def __enter__(self) -> "Pulse":
        self._longest, self._last, self._waited = 0.0, perf_counter(), waited()
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.stop()
        self.note()

    @property
    def longest_ms(self) -> float:
        """Milliseconds between two beats at most."""
        return self._longest * 1000

    def note(self) -> None:
        """A beat."""
        now, ready = perf_counter(), waited()
        self._longest = max(self._longest, now - self._last - (ready - self._waited))
        self._last, self._waited = now, ready


def waited() -> float:
    """Seconds that this thread has waited for a processor; 0 where the system does not tell."""
    return int(_schedule()().split()[1]) / 1e9


@cache
def _schedule() -> Callable[[], bytes]:
    """Reads what the system tells, of the thread that has asked first: there is one that beats.

    It keeps Python's lock, unlike a file of Python's, which lets go of it several times: each time a thread that
    computes would take it, and a beat would last as long as it takes to get it back so often.
    """
    try:
        file = os.open(SCHEDULE, os.O_RDONLY)
    except OSError:
        return lambda: b"0 0"
    library, text = ctypes.PyDLL(None), ctypes.create_string_buffer(64)
    library.pread.argtypes = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64

    def read() -> bytes:
        library.pread(file, text, len(text), 0)
        return text.value

    return read


def wait(ms: int) -> None:
    """Run the event loop for a while; workers run meanwhile."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def until(reached: Callable[[], bool], seconds: float = 120) -> None:
    """Run the event loop until it is so. Raises TimeoutError where that takes too long."""
    start = perf_counter()
    while not reached():
        if perf_counter() - start > seconds:
            raise TimeoutError("the program does not get done")
        wait(5)
    QCoreApplication.processEvents()
