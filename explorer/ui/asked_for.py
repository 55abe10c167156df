"""What a start leaves out, so that the window is there sooner, loaded when there is nothing else to do.

All in one, when somebody asks for it, it would hold the window up.
"""

import gc
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from explorer.ui.turns import turns
from explorer.ui.waiting import start_threads

if TYPE_CHECKING:
    from explorer.ui.main_window import MainWindow

SETTLED_MS = 500  # after the first numbers
MODULES = (
    "explorer.ui.imports.importer", "explorer.files.worksheet", "explorer.files.worksheet.markdown",
    "explorer.ui.paper.ink", "explorer.ui.paper.output", "explorer.ui.export.worksheet_dialog",
    "explorer.ui.export.worksheets", "explorer.ui.svg", "explorer.ui.export.picture_dialog",
    "explorer.ui.export.exports",
)  # fmt: skip


class AskedFor(QObject):
    """Loads it for a window, a module in each turn of the event loop; threads to work beside the window's, too."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._timer.timeout.connect(self._load)
        window.engine.finished.connect(self._wait)

    def _wait(self, *_trace: object) -> None:
        """Not `start` itself: it would take the generation for an interval."""
        self._timer.start()

    def _load(self) -> None:
        self._window.engine.finished.disconnect(self._wait)
        for name in MODULES:
            turns().add(self, partial(import_module, name))
        turns().add(self, lambda: self._window.exports)
        turns().add(self, start_threads)
        if not all(name in sys.modules for name in MODULES):  # later windows load nothing, and go one day
            turns().add(self, gc.freeze)  # it all stays, and need not be looked through again and again
