"""A window as the program opens it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import open_window
from explorer.ui import language
from explorer.ui.files import Answer
from explorer.ui.leftovers import Leftovers
from explorer.ui.main_window import MainWindow
from explorer.ui.preferences import preferences
from tests.ui.language_helpers import CATALOGUES, tool

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
        qtbot.waitUntil(lambda: window.engine.trace is not None and not window.engine.busy)
        left = window.document.findChild(Leftovers)
        qtbot.waitUntil(lambda: not left.searching)
        return window

    yield opener
    for window in QApplication.topLevelWidgets():
        if isinstance(window, MainWindow):
            window.files.ask_discard = lambda: Answer.DISCARD
            window.close()
    QApplication.processEvents()


@pytest.fixture(scope="session")
def built_translations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the .qm files as dev.py would build them."""
    folder = tmp_path_factory.mktemp("translations")
    for catalogue in CATALOGUES:
        tool("pyside6-lrelease", "-silent", catalogue, "-qm", folder / f"{catalogue.stem}.qm")
    return folder


@pytest.fixture
def chinese(qapp: QApplication, built_translations: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The program speaks Chinese."""
    monkeypatch.setattr(language, "TRANSLATIONS", built_translations)
    language.choose("zh_CN")
    language.apply()
    yield
    language.choose("en")
    language.apply()


@pytest.fixture
def window(open_it: Opener) -> MainWindow:
    """A window on the two-token example."""
    return open_it()
