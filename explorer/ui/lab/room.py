"""Everything about the lab that a window has: its dock, menu and button, and the lens with its note."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QMenu, QToolButton

from explorer.attention.cost import is_large
from explorer.attention.trace import Trace
from explorer.scene import Scene
from explorer.ui.lab.lens import Lens, Look
from explorer.ui.lab.tool import Bench, Tool, chosen_look, with_look
from explorer.ui.language import sentences
from explorer.ui.lesson_slip import slip_text
from explorer.ui.note import Note
from explorer.ui.panels.view import TraceView
from explorer.ui.present.seen import Seen
from explorer.ui.turns import turns

if TYPE_CHECKING:
    from explorer.ui.lab.lab import Lab
    from explorer.ui.main_window import MainWindow

WIDTH = 340  # px that the dock takes when it is first opened, at the usual size


class LabRoom(QObject):
    """Made before the window is built: the window gives the dock, the button, the menu and the note their places.

    What the panels show is a function of the scene, which remembers the choice: undo and a reopened session
    bring it back, whether the dock is open or not. A slip that a lesson shows comes before it.
    """

    shown_otherwise = Signal(bool)  # whether the panels show something else than what was computed

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.lens = Lens(self)
        self._following = False
        self._remembered = ""  # whose look the scene remembers
        self.lab: Lab | None = None
        self.dock = QDockWidget(self.tr("Lab"))
        self.dock.setObjectName("lab_dock")
        self.dock.visibilityChanged.connect(self._on_visible)
        self.button = QToolButton(text=self.tr("Lab ▾"))
        self.button.setObjectName("lab_button")
        self.button.setToolTip(self.tr("Tools that compare, break, bend and cost the scene"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.note = Note("lens", self.tr("Show what was computed"), "source")
        self.note.closed.clicked.connect(self.look_plainly)
        self.lens.changed.connect(self._show_again)
        window.document.changed.connect(lambda _old, new: self._follow(new))
        for signal in (window.lessons.play.stepped, window.lessons.play.closed):
            signal.connect(lambda *_scene: self._show_again())
        self._follow(window.document.scene)

    def set_menu(self, menu: QMenu) -> None:
        """The window's menu, one entry per tool, which hangs at the button as well. It is filled when there is time."""
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self._window.later.add(lambda: self._fill(menu))
        menu.setToolTipsVisible(True)
        self.button.setMenu(menu)

    def _fill(self, menu: QMenu) -> None:
        if not menu.isEmpty():
            return
        for tool in _tools():
            action = QAction(tool.title().replace("&", "&&"), self._window)
            action.setObjectName(f"menu_lab_{tool.name}")
            action.setToolTip(tool.question())
            action.setStatusTip(tool.question())
            action.triggered.connect(lambda _checked=False, name=tool.name: self.open_in_turns(name))
            menu.addAction(action)
        menu.addSeparator()
        pin = QAction(self.tr("Pin A"), self._window)
        pin.setObjectName("menu_pin_a")
        pin.setShortcut("Ctrl+Shift+A")
        pin.setToolTip(self.tr("Keep the present scene as A"))
        pin.triggered.connect(self._pin)
        menu.addAction(pin)

    def open(self, name: str) -> None:
        """Open the dock with a tool; raises KeyError for one that is not in TOOLS."""
        for step in self._opening(name):
            step()

    def open_in_turns(self, name: str) -> None:
        """Likewise; beside a large scene a step per turn of the event loop, painted when all is there."""
        if not is_large(self._window.document.scene):
            self.open(name)
            return
        turns().hold(self.dock)
        for step in self._opening(name):
            turns().add(self, step)

    def _opening(self, name: str) -> Sequence[Callable[[], object]]:
        return self._make, lambda: self._make().make_tool(name), self._show_dock, lambda: self._open(name)

    def _show_dock(self) -> None:
        if self.dock.isHidden():
            self.dock.show()
            beside = self._window.inspector_dock.width()
            least = round(WIDTH * self.dock.fontMetrics().height() / 16)
            self._window.resizeDocks([self.dock], [max(least, beside)], Qt.Orientation.Horizontal)
        self.dock.raise_()

    def _open(self, name: str) -> None:
        lab = self._make()
        lab.open_tool(name)
        lab.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def tool(self) -> str:
        """The name of the tool that is open; empty where none is."""
        tool = None if self.lab is None or self.dock.isHidden() else self.lab.tool
        return "" if tool is None else tool.name

    def _pin(self) -> None:
        from explorer.ui.lab.compare import Compare

        self.open(Compare.name)
        assert self.lab is not None and isinstance(self.lab.tool, Compare)
        self.lab.tool.pin.click()

    def show(self, trace: Trace) -> None:
        """Have the panels show a trace, as the lesson or the lens has it."""
        self._follow(trace.scene)
        slipped, look = self._shown(trace)
        explained = QCoreApplication.translate("Lens", "The inspector explains what was computed.")
        self.note.say("" if look is None or slipped is not trace else sentences(look.note, explained))
        self.shown_otherwise.emit(slipped is not trace or look is not None)
        self._window.pipeline.show_view(self._seen(trace, slipped, look).view)

    def seen(self, trace: Trace) -> Seen:
        """What there is to see of a trace, here and in the presenter."""
        return self._seen(trace, *self._shown(trace))

    def _seen(self, trace: Trace, slipped: Trace, look: Look | None) -> Seen:
        if slipped is not trace:
            return Seen(TraceView(slipped), slip_text())
        return Seen.plainly(trace) if look is None else Seen(self.lens.view(trace), look.note)

    def _shown(self, trace: Trace) -> tuple[Trace, Look | None]:
        """As the lesson and the lens have it; neither can change a trace that is too large to be held."""
        if trace.large is not None:
            return trace, None
        return self._window.lessons.play.shown(trace), self.lens.look

    def look_plainly(self) -> None:
        """The panels show what was computed; one undo step where the scene remembers another choice."""
        document = self._window.document
        if chosen_look(document.scene)[1]:
            document.end_merge()
            document.edit(with_look(document.scene, "", ""), self.tr("Show what was computed"))
        self.lens.clear(self.lens.owner)

    def _follow(self, scene: Scene) -> None:
        """Look at traces as this scene remembers it."""
        by, show = chosen_look(scene)
        tool = {tool.name: tool for tool in _tools()}.get(by) if by else None
        look = None if tool is None or not show else tool.look(scene, show)
        self._following = True
        try:
            if look is not None:
                self.lens.set(by, look)
            else:
                self.lens.clear(self._remembered)
            self._remembered = "" if look is None else by
        finally:
            self._following = False

    def _show_again(self) -> None:
        engine = self._window.engine
        if not self._following and engine.trace is not None and not engine.busy:
            self.show(engine.trace)

    def _on_visible(self, visible: bool) -> None:
        if visible:
            self._make()

    def _make(self) -> "Lab":
        if self.lab is None:
            from explorer.ui.lab.lab import Lab

            window = self._window
            bench = Bench(
                window.document, window.engine, window.selection, window.pipeline, window.inputs,
                window.covers, window.files, window.banner, self.lens, window.controls.memory,
            )  # fmt: skip
            self.lab = Lab(bench, window.wardrobe.welcome)
            window.wardrobe.welcome(self.lab)
            self.dock.setWidget(self.lab)
        return self.lab


def _tools() -> "tuple[type[Tool], ...]":
    """All there are. The lab is loaded when it is first needed, or when there is time: the window is painted first."""
    from explorer.ui.lab.lab import TOOLS

    return TOOLS
