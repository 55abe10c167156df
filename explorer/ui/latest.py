"""What a window shows and takes long to make, beside its thread."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from explorer.patience import CancelledError, GoingOn
from explorer.post import post
from explorer.ui.waiting import pool


class Latest(QObject):
    """One task at a time in a thread of its own, the latest wins: one that is not wanted any more ends soon."""

    made = Signal(object)  # what the latest task has returned

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._wanted: Callable[[GoingOn], Any] | None = None
        self._running: Callable[[GoingOn], Any] | None = None
        self._post = post()

    @property
    def is_busy(self) -> bool:
        """Whether what is wanted is still to come."""
        return self._wanted is not None

    def ask(self, task: Callable[[GoingOn], Any]) -> None:
        """Make this, and not what was asked for before; the task calls what it is given now and then."""
        self._wanted = task
        self._begin()

    def forget(self) -> None:
        """Nothing is wanted any more."""
        self._wanted = None

    def _begin(self) -> None:
        if self._running is None and self._wanted is not None:
            self._running = self._wanted
            pool().submit(self._run, self._running)

    def _run(self, task: Callable[[GoingOn], Any]) -> None:
        result, error = None, None
        try:
            result = task(lambda: self._check(task))
        except BaseException as raised:  # for the window's thread, which knows what to do with it
            error = raised
        self._post.bring(self, partial(self._receive, task, result, error))

    def _check(self, task: Callable[[GoingOn], Any]) -> None:
        if not isValid(self) or task is not self._wanted:
            raise CancelledError

    def _receive(self, task: Callable[[GoingOn], Any], result: Any, error: BaseException | None) -> None:
        self._running = None
        if task is not self._wanted:
            self._begin()
            return
        self._wanted = None
        if error is not None:
            raise error
        self.made.emit(result)
