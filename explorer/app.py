"""The composition root: the one place that knows everybody."""

import sys
from pathlib import Path

if sys.platform == "win32":
    import torch  # noqa: F401  there, torch fails to load once Qt has been (pytorch issue 166628)

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from explorer.files.session import SessionError, load
from explorer.ui import theme
from explorer.ui.actions import first_scene
from explorer.ui.main_window import MainWindow

NAME = "attention-explorer"


def open_window(path: Path | str | None = None) -> MainWindow:
    """A window on the session at `path`, or on the two-token example; shown, and computing once it is painted.

    Needs a QApplication. A session that cannot be opened is named in the window, which then shows the example.
    """
    theme.apply()
    window = MainWindow(load(first_scene()))
    if path is not None:
        window.files.open(Path(path), ask=False)
    window.show()
    return window


def application(arguments: list[str] | None = None) -> QApplication:
    """The one QApplication, named so that its settings have a place."""
    QCoreApplication.setOrganizationName(NAME)
    QCoreApplication.setApplicationName(NAME)
    app = QApplication.instance() or QApplication(arguments or sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationDisplayName("Attention Explorer")
    app.setDesktopFileName(NAME)
    return app


def main(
    session: Path | None = None, lesson: str | None = None, present: bool = False, lang: str | None = None
) -> int:
    """Open the window and run until it is closed; the exit status. Raises SessionError for an unusable `session`."""
    if session is not None:
        load(session)  # from a command line, bad input is answered there, before a window opens
    app = application()
    window = open_window(session)
    del window  # deletes itself when closed
    return app.exec()


__all__ = ["SessionError", "application", "main", "open_window"]
