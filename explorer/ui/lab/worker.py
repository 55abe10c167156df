"""A task beside the window's own thread: what takes longer than a frame."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from PySide6.QtCore import QObject

from explorer.post import post


class Worker(QObject):
    """One task at a time; what it returns, or raises, comes back to `done` in the window's thread.

    The thread is there only while there is something to do: `stop` lets it end with the task it is at, whose
    result nobody hears of.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pool: ThreadPoolExecutor | None = None
        self._number = 0
        self._done: Callable[[Any], None] = lambda _outcome: None
        self._post = post()

    @property
    def busy(self) -> bool:
        """True until the last task's result is there."""
        return self._pool is not None

    def run(self, task: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Start a task; an older one is forgotten. `done` gets its result, or the exception."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lab")
        self._number += 1
        self._done, number = done, self._number

        def work() -> None:
            try:
                outcome = task()
            except Exception as error:
                outcome = error
            if self._number == number:  # else it has been stopped
                self._post.bring(self, partial(self._receive, number, outcome))

        self._pool.submit(work)

    def stop(self) -> None:
        """Forget the task."""
        self._number += 1
        self._end()

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _receive(self, number: int, outcome: Any) -> None:
        if number == self._number:
            done = self._done
            done(outcome)
            if number == self._number:  # it has not started another one
                self._end()
