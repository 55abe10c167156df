"""The program itself: its main window, opened as a person opens it."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QPoint, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from benchmarks.cases import Case, edited, scene_of
from benchmarks.pulse import wait
from explorer.app import application, open_window
from explorer.attention.trace import Trace
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.asked_for import SETTLED_MS
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.panel import Panel
from explorer.ui.preferences import preferences
from explorer.ui.turns import turns

DEADLINE_S = 60.0


class RealWindow:
    """The main window, and edits of its Document. One per process; `close` it."""

    def __init__(self) -> None:
        self.app = application()
        self.window = open_window()
        self._random = np.random.default_rng(1)
        self._checked = False
        self.window.engine.checked.connect(self._on_checked)
        self._until_checked()
        wait(2 * SETTLED_MS)  # what a window loads when there is nothing else to do is not measured
        self._until(lambda: not turns().busy)

    def open(self, case: Case) -> None:
        """Show a scene of the case's size, everything painted and nothing going on."""
        self.open_scene(scene_of(case.n, case.heads), case.size, case.scale, case.zoom, case.hidden)

    def open_scene(
        self,
        scene: Scene,
        size: tuple[int, int],
        scale: float = 1.0,
        zoom: float = 1.0,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        """The same for any scene; `scale` is the size of everything, 1.0 the usual one."""
        preferences().hidden_panels = hidden
        if preferences().scale != scale:
            theme.set_scale(scale)
            self._until(lambda: not turns().busy)  # as for a person, who sees it before anything else is done
        self.window.resize(*size)
        self.app.processEvents()
        self._checked = False
        self.window.document.open(scene)
        self.window.pipeline.set_zoom(zoom)
        self._random = np.random.default_rng(1)
        self._until_checked()

    def open_file(self, path: Path) -> None:
        """Open a session as File > Open does, whatever is shown."""
        self.window.files.open(path, ask=False)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # the panels before
        self._until(lambda: not self.window.engine.busy)

    def find_window(self) -> None:
        """Another one has taken its place, in another language."""
        windows = QApplication.topLevelWidgets()
        self.window = next(each for each in windows if isinstance(each, MainWindow) and each.isVisible())

    def close(self) -> None:
        """Close without being asked whether to save."""
        self.window.document.undo_stack.setClean()
        self.window.close()
        self.app.processEvents()

    @property
    def scene(self) -> Scene:
        """What the Document holds."""
        return self.window.document.scene

    @property
    def trace(self) -> Trace:
        """What is shown of it."""
        assert self.window.engine.trace is not None
        return self.window.engine.trace

    # ---- what is measured ----

    def once(self, name: str) -> float:
        """Milliseconds from an edit of this matrix until its pixels are in the window."""
        scene = edited(self.scene, name, self._random)
        start = perf_counter()
        self.edit(scene)
        return (perf_counter() - start) * 1000

    def edit(self, scene: Scene, merge: str | None = None) -> None:
        """One edit, until all that it changed is painted."""
        self.window.document.edit(scene, "Edit", merge)
        self._until(lambda: not self.window.engine.busy)
        QGuiApplication.sync()  # on X: until the server has it

    def _until_checked(self) -> None:
        """Until the trace has been compared with torch, which happens once the edits pause."""
        self._until(lambda: self._checked)

    def _on_checked(self) -> None:
        self._checked = True

    def _until(self, reached: Callable[[], bool]) -> None:
        """Run the event loop; what is to be painted then, is painted when this returns."""
        start = perf_counter()
        self.app.processEvents()
        while not reached():
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            if perf_counter() - start > DEADLINE_S:
                raise TimeoutError("the program does not get done")
        self.app.processEvents()

    # ---- what is in view ----

    def panels_in_view(self) -> list[Panel]:
        """The panels of which something is seen."""
        return [
            panel for panel in self.window.pipeline.panels.values() if not panel.visibleRegion().isEmpty()
        ]

    def all_in_view(self) -> bool:
        """Whether nothing has to be scrolled to."""
        panels = self.window.pipeline.panels.values()
        return all(panel.visibleRegion().boundingRect() == panel.rect() for panel in panels)

    def place(self, panel: Panel) -> QRect:
        """Where a panel's cells are in the pipeline."""
        return panel.body().translated(panel.mapTo(self.window.pipeline.viewport(), QPoint(0, 0)))

    def numbers_in_view(self) -> int:
        """How many numbers are seen, at least in part."""
        return sum(_cells_seen(panel) for panel in self.panels_in_view() if panel.shows_numbers)

    def painted_by(self, name: str) -> set[str]:
        """The panels that are painted when this matrix is edited: to see that what is measured happens."""
        watch = _Painted()
        self.app.installEventFilter(watch)
        self.once(name)
        self.app.removeEventFilter(watch)
        return watch.names


def _cells_seen(panel: Panel) -> int:
    seen = panel.visibleRegion().boundingRect() & panel.body()
    if seen.isEmpty():
        return 0
    first, last = panel.cell_at(seen.topLeft()), panel.cell_at(seen.bottomRight())
    assert first is not None and last is not None
    return (last[0] - first[0] + 1) * (last[1] - first[1] + 1)


class _Painted(QObject):
    """Notes which panels are painted."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint and isinstance(watched, Panel):
            self.names.add(watched.objectName())
        return False
