"""A window as the program opens it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import open_window
from explorer.ui.files import Answer
from explorer.ui.main_window import MainWindow
from explorer.ui.preferences import preferences

Opener = Callable[..., MainWindow]


@pytest.fixture
def open_it(qtbot: QtBot) -> Iterator[Opener]:
    """Opens windows that have computed their scene; closes them without a question."""
    preferences().theme = "light"
    windows: list[MainWindow] = []

    def opener(path: Path | None = None) -> MainWindow:
        window = open_window(path)
        windows.append(window)
        window.files.ask_discard = lambda: Answer.DISCARD
        qtbot.waitUntil(lambda: window.engine.trace is not None and not window.engine.busy, timeout=20_000)
        return window

    yield opener
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow):
            window.files.ask_discard = lambda: Answer.DISCARD
            window.close()
    QApplication.processEvents()


@pytest.fixture
def window(open_it: Opener) -> MainWindow:
    """A window on the two-token example."""
    return open_it()
