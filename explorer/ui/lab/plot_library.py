"""pyqtgraph, loaded when the first plot is wanted: at once it would hold the window up.

Most of its import are the types of Qt, which PySide makes when they are first asked for, and must not make in two
threads at once. So these come first, some in each turn of the event loop; the rest is imported beside the window.
"""

from collections.abc import Iterator
from concurrent.futures import Future
from functools import cache
from importlib import import_module
from time import perf_counter
from types import ModuleType

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from explorer import late
from explorer.ui.waiting import pool

SLICE_S = 0.01  # of a turn of the event loop
QT = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGL", "QtOpenGLWidgets", "QtTest")


class PlotLibrary(QObject):
    """`loaded` is emitted once, some turns after `ask` was called for the first time."""

    loaded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._types = _types()
        self._import: Future[ModuleType] | None = None
        self._is_there = False
        self._timer = QTimer(self, interval=1)  # of 0 it would go off twice before another that is due
        self._timer.timeout.connect(self._next)

    @property
    def is_loading(self) -> bool:
        """Asked for, and not there yet."""
        return self._timer.isActive()

    def ask(self) -> bool:
        """Whether it is there; if not, it is loaded from now on."""
        if not self._is_there:
            self._timer.start()
        return self._is_there

    def _next(self) -> None:
        start = perf_counter()
        for _type in self._types:
            if perf_counter() - start >= SLICE_S:
                return
        if self._import is None:
            self._import = pool().submit(late.load, "pyqtgraph")
        if not self._import.done():
            return
        self._timer.stop()
        self._import.result()
        self._is_there = True
        self.loaded.emit()


@cache
def library() -> PlotLibrary:
    """The one PlotLibrary."""
    return PlotLibrary(QCoreApplication.instance())


def _types() -> Iterator[str]:
    """Has a type made before each of these names: pyqtgraph asks for all of them."""
    for name in QT:
        try:
            module = import_module(f"PySide6.{name}")
        except ImportError:  # the standalone program leaves out what it does not need
            continue
        for kind in dir(module):
            getattr(module, kind)
            yield kind
