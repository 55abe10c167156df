"""The main window: docks, menus and the wires between the parts, nothing else."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QRect, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QMainWindow,
    QTabWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.attention.cost import is_large
from explorer.attention.trace import Cell, Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.scene import MATRICES, Scene
from explorer.ui import theme
from explorer.ui.actions import Actions
from explorer.ui.asked_for import AskedFor
from explorer.ui.banner import Banner
from explorer.ui.controls import Controls
from explorer.ui.covers import Covers, panel_name
from explorer.ui.docks import KeptWidths, dock_of
from explorer.ui.dressing import Wardrobe
from explorer.ui.file_watch import FileNews
from explorer.ui.files import Files
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.imports.session_drop import SessionDrop
from explorer.ui.inputs import Inputs
from explorer.ui.inspector import Inspector
from explorer.ui.lab.room import LabRoom
from explorer.ui.language import lesson_code
from explorer.ui.later import Later
from explorer.ui.lesson_room import Lessons
from explorer.ui.map_bar import MapBar
from explorer.ui.maps import Maps
from explorer.ui.panels.view import TraceView, face_of
from explorer.ui.pipeline import Pipeline
from explorer.ui.preferences import preferences
from explorer.ui.problems import problem_text
from explorer.ui.provenance import Provenance
from explorer.ui.reading.room import ReadingRoom
from explorer.ui.selection import Selection
from explorer.ui.status import StatusFacts
from explorer.ui.texts import scene_title
from explorer.ui.turns import turns

if TYPE_CHECKING:
    from explorer.ui.export.exports import Exports
    from explorer.ui.guess import GuessBox
    from explorer.ui.present.presenter import Presenter

_QUEUED, _ONCE = (
    Qt.ConnectionType.QueuedConnection.value,
    Qt.ConnectionType.SingleShotConnection.value,
)
LAYOUT_VERSION = 2  # raise it when docks change, so that an older remembered layout is not forced on them
USUAL_WIDTHS = f"inputs_dock=270@{theme.USUAL_SIZE} inspector_dock=290@{theme.USUAL_SIZE}"


class MainWindow(QMainWindow):
    """One Document on screen. `start()` lets the Engine begin; before that only the inputs are shown."""

    remake_asked = (
        Signal()
    )  # for another language; whoever made the window makes it anew around the same Document

    closed = Signal()  # for good: the Document goes with it, saved or given up

    def __init__(self, document: Document, engine: Engine, at_once: bool = True) -> None:
        """Of one that is not made `at_once`, `making` is the rest: steps between which other things can be done."""
        super().__init__()
        self.setObjectName("main_window")
        self.document, self.engine = document, engine
        self.making = self._make()
        if at_once:
            for _ in self.making:
                pass

    def _make(self) -> Iterator[None]:
        document, engine = self.document, self.engine
        self.wardrobe = Wardrobe(self)
        document.changed.connect(self._hold)  # before anything else follows
        for owned in (document, engine):
            owned.setParent(self)
        self.selection = Selection(self)
        self.files = Files(self.document, self)
        self.pipeline = Pipeline()
        self.maps = Maps(engine, self.pipeline, self)
        self.inputs = Inputs(self.document, at_once=False)
        for _ in self.inputs.making:
            yield
        self.inputs.for_each_grid(self._lend_patience)
        self.inspector = Inspector(self.document, self.engine, self.selection)
        yield
        self.controls = Controls(self.document)
        self.controls.beside = self.files.beside
        yield
        self.banner = Banner()
        self.file_news = FileNews(self.document, self.files, self.banner, self)
        SessionDrop(self.files, self)
        self.provenance = Provenance(self.document, self.selection, self.pipeline, self.inputs)
        self.map_bar = MapBar(self.document, engine, self.maps, self.pipeline, self.selection)
        self.covers = Covers(self.document, self.pipeline, self)
        self.later = Later(self)
        self.later.add(lambda: self.inspector.cards)
        self._asked_for = AskedFor(self)
        yield
        self.lessons = Lessons(self)
        yield
        self.lab = LabRoom(self)
        self.reading = ReadingRoom(self)
        self.presenter: Presenter | None = None
        self._started = engine.trace is not None
        self._failure = ""  # what the engine could not compute, as the banner says it
        self._released = False
        for _ in self._build():
            yield
        self.actions_ = Actions(self)
        yield
        self._connect()
        if engine.trace is not None:
            self.lab.show(engine.trace)
            yield
            for _ in self.later.rest():
                yield
        self._show_title()
        self._restore()

    def _build(self) -> Iterator[None]:
        """In the order in which Tab goes through the parts."""
        self.toolbar = QToolBar(self.tr("Controls"))
        self.toolbar.setObjectName("controls_bar")
        self.toolbar.setMovable(False)
        self.toolbar.addWidget(self.lessons.button)
        self.toolbar.addWidget(self.controls)
        self.toolbar.addWidget(self.lab.button)
        self.toolbar.addWidget(self._present_button())
        self.addToolBar(self.toolbar)
        yield
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self.inputs_dock = dock_of("inputs_dock", self.tr("Inputs"), self.inputs)
        self.wardrobe.welcome(
            self.inputs_dock
        )  # before it has a place: else it is dressed as the window, too
        yield
        self.addDockWidget(left, self.inputs_dock)
        yield
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addWidget(self.lab.note)
        layout.addWidget(self.covers.note)
        layout.addWidget(self.reading.in_place_of(self.map_bar, self.pipeline), 1)
        self.setCentralWidget(centre)
        yield
        self.inspector_dock = dock_of("inspector_dock", self.tr("Inspector"), self.lessons.curtain)
        self.wardrobe.welcome(self.inspector_dock)
        yield
        self.addDockWidget(right, self.inspector_dock)
        yield
        self.addDockWidget(right, self.lessons.dock)
        self.lessons.dock.hide()
        self.addDockWidget(right, self.lab.dock)
        self.tabifyDockWidget(self.inspector_dock, self.lab.dock)
        self.setTabPosition(right, QTabWidget.TabPosition.North)
        self.lab.dock.hide()
        self.setCorner(Qt.Corner.BottomLeftCorner, left)
        self.setCorner(Qt.Corner.BottomRightCorner, right)
        self._kept_widths = KeptWidths(
            self, (self.inputs_dock, self.inspector_dock, self.lessons.dock, self.lab.dock)
        )
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        facts = StatusFacts(self.document, self.engine)
        self.lab.shown_otherwise.connect(facts.set_shown_otherwise)
        bar.addWidget(facts, 1)

    def _lend_patience(self, grid: MatrixGrid) -> None:
        grid.commands.beside = self.files.beside

    def _present_button(self) -> QToolButton:
        button = QToolButton(text="▶")
        button.setObjectName("present_button")
        button.setAccessibleName(self.tr("Present step by step"))
        button.setToolTip(self.tr("Present step by step (F5)"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(self.present)
        return button

    def _connect(self) -> None:
        self.document.changed.connect(lambda _old, new: self.pipeline.set_scene(new))
        self.document.changed.connect(self._show_title)
        self.document.file_changed.connect(self._show_title)
        self.engine.finished.connect(lambda _generation, trace: self.lab.show(trace))
        self.engine.finished.connect(self._hide_engine_error)
        self.engine.passed.connect(self._show_passing)
        self.engine.finished.connect(self.later.finish)
        self.engine.failed.connect(self.later.finish)
        self.pipeline.menu_asked.connect(lambda panel, at: self.exports.pop_up(panel, at))
        self.engine.failed.connect(self._on_failed)
        self.engine.cancelled.connect(self.pipeline.mark_failed)
        self.engine.device_failed.connect(self._on_device_failed)
        self.engine.use(preferences().device)
        preferences().changed.connect(self._on_preference)
        self.engine.busy_changed.connect(self.pipeline.set_busy)
        self.files.said.connect(self.banner.say)
        self.covers.guess_asked.connect(self._ask_guess)
        self.covers.changed.connect(lambda: self.inspector.set_covered(self.covers.cells))
        self.inspector.walked.connect(self._bring_into_view)

    def _hold(self, old: Scene, new: Scene) -> None:
        """A large scene that looks different is painted once all that it needs is there."""
        if is_large(new) and face_of(old) != face_of(new):
            turns().hold(self)

    def _show_passing(self, trace: Trace) -> None:
        """While the hand moves: numbers of a moment ago, as long as the panels are those of this scene."""
        if face_of(trace.scene) == face_of(self.document.scene):
            self.pipeline.show_view(TraceView(trace))

    @cached_property
    def exports(self) -> "Exports":
        """Pictures and numbers out of the window. Loaded when it is first asked for: the window is on screen before."""
        from explorer.ui.export.exports import Exports

        return Exports(self)

    @cached_property
    def guess(self) -> "GuessBox":
        """The box in which a covered number is guessed, with the first guess."""
        from explorer.ui.guess import GuessBox

        box = GuessBox(self)
        box.revealed.connect(self._reveal)
        return box

    def start(self) -> None:
        """Let the Engine compute what the Document holds."""
        if not self._started:
            self._started = True
            self.engine.start()
            self.later.begin()

    def present(self) -> None:
        """Walk through the scene, full screen; Esc comes back to the window as it was."""
        if self.presenter is None:
            from explorer.ui.present.presenter import Presenter  # when it is first asked for

            self.presenter = Presenter(
                self.document, self.engine, self, self.lab.seen, lambda: self.covers.cells, self.maps
            )
            self.presenter.uncovered.connect(self.covers.reveal)
            self.presenter.closed.connect(self._on_presented)
            self.presenter.setGeometry(self.screen().geometry())
            self.presenter.showFullScreen()
        self.presenter.activateWindow()

    def _on_presented(self) -> None:
        self.presenter = None

    def release(self) -> tuple[Document, Engine]:
        """Keep what it shows for another one, which takes its place; until then it is seen as it is now."""
        self._released = True
        self.setUpdatesEnabled(False)
        if self.presenter is not None:
            self.presenter.close()
        self._keep_layout()
        for owned in (self.document, self.engine):
            owned.setParent(None)
        self.engine.forget_listeners()
        self.engine.aside(None)
        self._asked_for.deleteLater()
        return self.document, self.engine

    def _ask_guess(self, cell: Cell) -> None:
        if self.lessons.effects.takes(cell):
            return
        panel = self.pipeline.panels.get(panel_name(cell))
        if panel is not None and self.engine.trace is not None:
            from explorer.lessons.messages import cell_name

            rect = panel.cell_rect(cell.row, cell.col)
            beside = QRect(panel.mapTo(self, rect.topLeft()), rect.size())
            self.guess.ask(cell, cell_name(cell, lesson_code()), self.engine.trace, beside)

    def _bring_into_view(self, cell: Cell) -> None:
        """Another panel, or the matrix that a person types into, shows the number that was walked to."""
        name = panel_name(cell)
        if name in self.pipeline.panels:
            if cell.place != "weights":
                self.reading.close()
            self.pipeline.bring_into_view(name)
        elif cell.place in MATRICES:
            self.inputs.show_matrix(cell.place)

    def _reveal(self, cell: Cell) -> None:
        self.covers.reveal([cell])
        self.selection.select(cell)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.pipeline.set_scene(self.document.scene)  # now that its room is known: laid out once

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._started:
            QTimer.singleShot(0, self, self.start)  # torch is loaded once something is on the screen

    def childEvent(self, event: QChildEvent) -> None:
        super().childEvent(event)
        if event.type() == QEvent.Type.ChildPolished and isinstance(child := event.child(), QWidget):
            self.wardrobe.welcome(child)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (
            event.key() == Qt.Key.Key_Escape and self.covers.covering
        ):  # whoever has the keyboard had no use for it
            self.covers.set_covering(False)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._released:  # another one is about to take its place
            event.ignore()
            return
        if self.files.busy:  # what is being saved is not lost: the window goes once it is on disk
            self.files.rested.connect(self.close, Qt.ConnectionType(_QUEUED | _ONCE))
            event.ignore()
            return
        if not self.files.may_leave():
            event.ignore()
            return
        self._started = True  # whoever closes it before it has begun wants nothing computed
        if self.presenter is not None:
            self.presenter.close()
        self._keep_layout()
        self.engine.close()
        self.closed.emit()
        event.accept()
        turns().add(self, self.deleteLater)  # to hide it and to delete it takes twice as long

    def _keep_layout(self) -> None:
        self.files.write_recent()
        settings = QSettings()
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/state", self.saveState(LAYOUT_VERSION))
        settings.setValue("window/docks", self._kept_widths.wishes)

    def _restore(self) -> None:
        settings = QSettings()
        self.resize(1280, 800)
        self._kept_widths.wish(USUAL_WIDTHS)
        self._kept_widths.give()
        geometry, state = settings.value("window/geometry"), settings.value("window/state")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(state, QByteArray):
            if self.restoreState(state, LAYOUT_VERSION):
                self._kept_widths.wish(str(settings.value("window/docks", "")))
        self.lessons.dock.hide()  # it was there when the program was left; the lesson is not
        self.setFocus()  # on nothing: a grid with the focus would have a number chosen

    def _show_title(self, *_scenes: object) -> None:
        path = self.document.path
        title = self.lessons.title or scene_title(self.document.scene.title)
        name = path.name if path else title or self.tr("Untitled")
        self.setWindowTitle(f"{name}[*] — Attention Explorer")
        if self.isWindowModified() != self.document.modified:  # else all are told that it might have changed
            self.setWindowModified(self.document.modified)
        self.setWindowFilePath(str(path) if path else "")

    def _on_failed(self, _generation: int, sentence: str) -> None:
        self.pipeline.mark_failed()
        self._hide_engine_error()
        self._failure = problem_text(sentence)
        self.banner.warn(self._failure)

    def _on_device_failed(self, sentence: str) -> None:
        self.banner.say(problem_text(sentence))

    def _on_preference(self, name: str) -> None:
        if name == "device":
            self.engine.use(preferences().device)

    def _hide_engine_error(self) -> None:
        if self._failure:
            self.banner.withdraw(self._failure)
            self._failure = ""
