"""pyqtgraph, loaded piece by piece when the first plot is wanted: at once it would hold the window up.

In the window's thread all the same: PySide must not make its types in two threads at once.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from time import perf_counter

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from explorer import late

SLICE_S = 0.01  # of a turn of the event loop
QT = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGL", "QtOpenGLWidgets", "QtTest")
PLAIN = ("pydoc", "multiprocessing.connection", "xml.etree.ElementTree", "importlib.resources", "decimal")


class PlotLibrary(QObject):
    """`loaded` is emitted once, some turns after `ask` was called for the first time."""

    loaded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pieces = _pieces()
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
        for _piece in self._pieces:
            if perf_counter() - start >= SLICE_S:
                return
        self._timer.stop()
        self._is_there = True
        self.loaded.emit()


@cache
def library() -> PlotLibrary:
    """The one PlotLibrary."""
    return PlotLibrary(QCoreApplication.instance())


def _pieces() -> Iterator[str]:
    """Loads a piece before each of these names.

    pyqtgraph asks for every type of Qt, which PySide makes when it is first asked for: that is most of its import.
    """
    for name in QT:
        try:
            module = import_module(f"PySide6.{name}")
        except ImportError:  # the standalone program leaves out what it does not need
            continue
        for kind in dir(module):
            getattr(module, kind)
            yield kind
    for name in PLAIN:
        late.load(name)
        yield name
    for _step in late.load_in_steps("pyqtgraph"):
        yield "pyqtgraph"
