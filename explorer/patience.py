"""How a task that can take long is given up: it calls a function now and then, and what that raises ends it."""

from collections.abc import Callable

GoingOn = Callable[[], None]


class CancelledError(Exception):
    """A person did not want to wait."""


def go_on() -> None:
    """Nobody has cancelled."""
