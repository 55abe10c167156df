"""A person at the window of a program, on a screen that nobody looks at: xdotool's hands, a file's patience."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 60.0
PAUSE_S = 0.4  # between two moves: Qt takes what comes faster for a double click


class TooLongError(AssertionError):
    """What was waited for did not come."""


@contextmanager
def screen() -> Iterator[str]:
    """The name of a new X display."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1440x900x24", "-noreset", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        number = server.stdout.readline().strip()
        if not number:
            raise TooLongError("Xvfb did not start")
        try:
            yield f":{number}"
        finally:
            server.terminate()


class Person:
    """Looks at and touches what is on a display."""

    def __init__(self, display: str) -> None:
        self._environment = os.environ | {"DISPLAY": display}

    def windows(self, title: str) -> list[str]:
        """The visible windows whose title matches."""
        return self._tool("search", "--onlyvisible", "--name", title, check=False).split()

    def wait_for_window(self, title: str, count: int = 1) -> str:
        """The first of them, once there are so many."""
        wait_for(lambda: len(self.windows(title)) >= count, f"a window {title!r}")
        time.sleep(PAUSE_S)
        return self.windows(title)[0]

    def wait_until_gone(self, title: str) -> None:
        """Until no window has this title."""
        wait_for(lambda: not self.windows(title), f"the end of the window {title!r}")
        time.sleep(PAUSE_S)

    def click(self, place: tuple[int, int]) -> None:
        """Once, with the left button."""
        self._tool("mousemove", *map(str, place))
        self._tool("click", "1")
        time.sleep(PAUSE_S)

    def focus(self, window: str) -> None:
        """Give a window the keyboard, as a window manager does; nothing if it is gone."""
        self._tool("windowfocus", "--sync", window, check=False)
        time.sleep(PAUSE_S)

    def type(self, text: str) -> None:
        """Key by key."""
        self._tool("type", "--delay", "25", text)
        time.sleep(PAUSE_S)

    def press(self, *keys: str) -> None:
        """Keys with names, such as ctrl+s."""
        self._tool("key", *keys)
        time.sleep(PAUSE_S)

    def _tool(self, *arguments: str, check: bool = True) -> str:
        command = ["xdotool", *arguments]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=check)
        return done.stdout


def wait_until_at_rest(process: int) -> None:
    """Until a program computes nothing: before that, keys come to a window that does not have the keyboard yet."""
    used = [-1]

    def rests() -> bool:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        before, used[0] = (
            used[0],
            int(fields[11]) + int(fields[12]),
        )  # in user mode and in the kernel's, 1/100 s
        time.sleep(PAUSE_S)
        return used[0] - before <= 1

    wait_for(rests, "the program to come to rest")


def wait_for(reached: Callable[[], bool], what: str) -> None:
    """Until it holds. Raises TooLongError."""
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        if time.monotonic() > deadline:
            raise TooLongError(f"waited {PATIENCE_S:.0f} s for {what}")
        time.sleep(0.1)


def wait_for_file(path: Path) -> None:
    """Until it is there; files of the program appear whole."""
    wait_for(path.exists, str(path))
