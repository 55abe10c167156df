"""Everything about reading that a window has: the place of the panels, the menu entries, the open folder of layers."""

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QStackedWidget, QVBoxLayout, QWidget

from explorer.attention.cost import is_large
from explorer.attention.trace import Trace
from explorer.files.session import SessionError
from explorer.patience import CancelledError
from explorer.scene import SceneError
from explorer.ui.problems import problem_text
from explorer.ui.reading.settings import (
    OVERVIEW,
    WORDS,
    differ_in_filters_alone,
    filters_of,
    with_filters,
)
from explorer.ui.turns import turns

if TYPE_CHECKING:
    from explorer.ui.main_window import MainWindow
    from explorer.ui.reading.layer_folder import LayerFolder
    from explorer.ui.reading.page import ReadingPage


class ReadingRoom(QObject):
    """`stack` shows the panels, or in their place the page, once it is asked for. `ask_folder` is a plain callable,
    so that tests can answer.
    """

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.stack = QStackedWidget()
        self.page: ReadingPage | None = None
        self.ask_folder: Callable[[], Path | None] = self._folder_dialog
        self._opened = window.document.scene  # as it was when its layer was gone to
        window.lessons.play.stepped.connect(self.close)  # a lesson speaks of the panels

    @cached_property
    def folder(self) -> "LayerFolder":
        """The folder of layers that is open, if one is."""
        from explorer.ui.reading.layer_folder import LayerFolder  # when it is first asked for

        folder = LayerFolder(self)
        folder.said.connect(lambda sentence: self._window.banner.say(problem_text(sentence)))
        return folder

    def in_place_of(self, *widgets: QWidget) -> QStackedWidget:
        """The `stack`, with these widgets below one another as long as no page is asked for."""
        panels = QWidget()
        layout = QVBoxLayout(panels)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in widgets:
            layout.addWidget(widget)
        self.stack.insertWidget(0, panels)
        return self.stack

    @property
    def view(self) -> str:
        """The view that takes the place of the panels; empty where none does."""
        return "" if self.page is None or self.stack.currentWidget() is not self.page else self.page.view

    def open(self, view: str) -> None:
        """Show one of OVERVIEW and WORDS in place of the panels."""
        page = self._make()
        self.stack.setCurrentWidget(page)
        page.open(view)

    def soon(self, do: Callable[[], None]) -> None:
        """Do it with the page, which beside a large scene is made a step per turn of the event loop."""
        self._with_page(do, is_large(self._window.document.scene))

    def _with_page(self, do: Callable[[], object], in_turns: bool) -> None:
        if self.page is not None or not in_turns:
            do()
            return
        for step in (lambda: import_module("explorer.ui.reading.page"), self._built, self._make, do):
            turns().add(self, step)

    def _show_folder(self) -> None:
        self._make().layer_bar.show_all_layers()
        self.open(OVERVIEW)

    def read_chosen(self) -> None:
        """The words of the head whose number is chosen, or that fills the canvas."""
        cell, only = self._window.selection.cell, self._window.pipeline.only
        if not self.view and (
            only is not None or (cell is not None and cell.place in ("scores", "scaled", "masked", "weights"))
        ):
            head = only if only is not None or cell is None else cell.head
            self._make().choose_heads((head or 0,))
        self.open(WORDS)

    def close(self) -> None:
        """Back to the panels."""
        if self.view:
            self.stack.setCurrentIndex(0)

    def open_folder(self, folder: Path | None = None) -> None:
        """Open a folder of layers, or ask for one: its first layer that can be read in the window, all of them in the
        overview.
        """
        folder = folder or self.ask_folder()
        failed = None if folder is None else self._joined(folder)
        if folder is None or failed is None:
            return
        runs = self.folder.runs_of(folder)
        if runs and self._go_to(*(layer.path for layer in runs[-1].layers)):
            self.folder.open(runs)
            self._with_page(self._show_folder, in_turns=True)
        if failed:
            self._window.banner.say(problem_text(failed[0]))

    def _joined(self, folder: Path) -> list[str] | None:
        """Put the parts together that several processes have written of a layer, each layer once: what it has become
        may have been worked on since. Sentences about those that cannot be; None where nobody wanted to wait.
        """
        from explorer.capture.joining import parts_in  # when it is first asked for
        from explorer.capture.naming import CaptureError

        new = [parts for parts in parts_in(folder) if not parts.whole.exists()]
        failed: list[str] = []

        def task(going_on: Callable[[], None]) -> list[str]:
            for parts in new:
                try:
                    parts.join(going_on)
                except (CaptureError, SceneError, SessionError) as error:
                    failed.append(str(error))
            return failed

        text = self.tr("Joining the parts of layers in {name} …").format(name=folder.name)
        return self._window.files.waiting(text, task) if new else failed

    def _make(self) -> "ReadingPage":
        page = self._built()
        if self.stack.indexOf(page) < 0:
            self.stack.addWidget(page)
        return page

    def _built(self) -> "ReadingPage":
        if self.page is None:
            from explorer.ui.reading.page import ReadingPage  # when it is first asked for

            window = self._window
            self.page = ReadingPage(
                window.document, window.engine, window.selection, self.folder, self._seen,
                lambda: window.covers.cells,
            )  # fmt: skip
            self.page.panels_asked.connect(self._show_panels)
            self.page.layer_asked.connect(self._show_layer)
            self.page.model_bar.said.connect(window.banner.say)
            for signal in (window.lab.shown_otherwise, window.covers.changed):
                signal.connect(self.page.refresh)
        return self.page

    def _seen(self, trace: Trace) -> Trace:
        """As the panels show it; differences are no weights to be read."""
        view = self._window.lab.seen(trace).view
        return trace if view.difference or "weights" in view.missing else view.trace

    def _show_panels(self, head: int | None) -> None:
        self.close()
        pipeline = self._window.pipeline
        if head is not None:
            pipeline.show_head(head)
            name = f"panel_weights_{head + 1}"
            pipeline.bring_into_view(name)
            if name in pipeline.panels:
                pipeline.panels[name].setFocus()

    def _show_layer(self, number: int, head: int | None) -> None:
        run = self.folder.run
        if run is None or not self._go_to(run.layers[number].path):
            return
        if head is not None and self.page is not None:
            self.page.show_head(head)

    def _go_to(self, *paths: Path) -> bool:
        """The session of a layer, the first of these that can be read, with the filters that are in force; unsaved
        work is asked about as ever.
        """
        document, files = self._window.document, self._window.files
        only_filters = not document.is_aside and differ_in_filters_alone(self._opened, document.scene)
        if document.path == paths[0] and not document.is_aside:
            return True
        if not only_filters and not files.may_leave():
            return False
        filters = filters_of(document.scene)
        for path in paths:
            try:
                scene, stamp = files.fetch(path)
            except (SessionError, OSError) as error:
                self._window.banner.say(problem_text(str(error)))
                continue
            except CancelledError:
                return False
            document.open(with_filters(scene, filters), path, stamp)
            self._opened = document.scene
            return True
        return False

    def _folder_dialog(self) -> Path | None:
        path = self._window.document.path
        start = str(path.parent if path is not None else Path.home())
        name = QFileDialog.getExistingDirectory(self._window, self.tr("Open a folder of layers"), start)
        return Path(name) if name else None
