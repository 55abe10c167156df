"""Everything about lessons that a window has: the pane in its dock, the menu, the effects, the curtain."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu, QToolButton

from explorer.lessons.builtin import LESSONS
from explorer.lessons.notation import plain
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.language import lesson_code
from explorer.ui.lesson_curtain import Curtain
from explorer.ui.lesson_dock import LessonDock
from explorer.ui.lesson_menu import LessonMenu
from explorer.ui.lesson_play import LessonPlay, Session
from explorer.ui.problems import problem_text

if TYPE_CHECKING:
    from explorer.ui.lesson_effects import LessonEffects
    from explorer.ui.lesson_pane import LessonPane
    from explorer.ui.main_window import MainWindow

COLUMN = 340  # px, at the usual size: narrower, and a lesson's lines become too short to read
SHARE = 0.2, 0.34  # of the window's width: at least in a large window, at most in a small one
SHARES = (1, 2)  # of inspector and lesson in the column that they share


class Lessons(QObject):
    """Made before the window is built: the window gives the curtain, the dock, the button and the menu their places.

    What shows a lesson is made after the first paint, or with the first lesson.
    """

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.play = LessonPlay(window.document, window.engine, self)
        self.curtain = Curtain(window.inspector, self.play, window.selection)
        self.dock = LessonDock()
        self.button = QToolButton(text=self.tr("Lessons ▾"))
        self.button.setObjectName("lessons_button")
        self.button.setToolTip(self.tr("Lessons to play through, each with questions"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.menu: LessonMenu | None = None
        self._offer = ""  # what the banner says while it offers the lesson's scene
        self._column = 0.0  # the width of the column before the lesson, in sizes of type
        window.later.add(self._make_ready)
        self._connect()

    def _connect(self) -> None:
        window = self._window
        self.play.stepped.connect(self._show_dock)
        self.play.closed.connect(self._on_closed)
        self.dock.close_asked.connect(self.play.close)
        self.curtain.invitation.accepted.connect(lambda: self.open(LESSONS[0]))
        window.files.leaving.connect(self.play.close)
        window.document.changed.connect(lambda *_scenes: self._withdraw_offer())

    @cached_property
    def pane(self) -> "LessonPane":
        """What stands in the dock."""
        from explorer.ui.lesson_pane import LessonPane

        pane = LessonPane(self.play)
        pane.close_asked.connect(self.play.close)
        pane.lesson_asked.connect(self.open)
        self._window.selection.changed.connect(pane.set_chosen)
        self.dock.setWidget(pane)
        return pane

    @cached_property
    def effects(self) -> "LessonEffects":
        """What a step does to the rest of the window."""
        from explorer.ui.lesson_effects import LessonEffects

        window = self._window
        effects = LessonEffects(
            self.play,
            window.document,
            window.engine,
            window.pipeline,
            window.inputs,
            window.covers,
            window.selection,
        )
        effects.asked_here.connect(self.pane.focus_question)
        effects.inputs_needed.connect(lambda: window.inputs_dock.show())
        return effects

    def set_menu(self, menu: QMenu) -> None:
        """Fill the window's menu, and hang it at the button as well."""
        self.menu = LessonMenu(menu, self.play, self._window)
        self.menu.opened.connect(self.open)
        self.menu.question_asked.connect(lambda: self.pane.focus_question())
        self.button.setMenu(menu)

    @property
    def session(self) -> Session | None:
        """The open lesson; a new window can `resume` it."""
        return self.play.session

    @property
    def title(self) -> str:
        """For the window's title: the lesson's; empty where none is open."""
        progress = self.play.progress
        return "" if progress is None else plain(progress.lesson.title.to(lesson_code()))

    def open(self, name: str) -> None:
        """Open a built-in lesson or a file; one that cannot be used is named in the banner, and nothing changes."""
        from explorer.lessons.lesson import LessonError

        self._make_ready()
        try:
            self.play.open_named(name)
        except LessonError as error:
            self._window.banner.say(problem_text(str(error)))

    def resume(self, session: Session) -> None:
        """Go on with the lesson of a window before this one."""
        self._make_ready()
        self.play.resume(session)

    def _make_ready(self) -> None:
        """Whoever follows a lesson listens from its first step on."""
        _ = self.effects, self.pane

    def _show_dock(self) -> None:
        session = self.play.session
        assert session is not None
        text = self.tr("Lesson {number} · {title}") if session.key in LESSONS else self.tr("Lesson · {title}")
        number = LESSONS.index(session.key) + 1 if session.key in LESSONS else 0
        self.dock.setWindowTitle(text.format(number=number, title=self.title))
        if self.dock.isHidden():
            self._column = self._window.inspector_dock.width() / theme.ui_size()
            self.dock.show()
            self._share_column()
        self.dock.raise_()

    def _share_column(self) -> None:
        """Room for both: the inspector above, the lesson, which has more to say, below."""
        window = self._window
        docks = [window.inspector_dock, self.dock]
        height = sum(dock.height() for dock in docks)
        window.resizeDocks(
            docks, [height * share // sum(SHARES) for share in SHARES], Qt.Orientation.Vertical
        )
        wanted = max(COLUMN * self.pane.fontMetrics().height() / 16, SHARE[0] * window.width())
        least = round(min(wanted, SHARE[1] * window.width()))
        if self.dock.width() < least:
            window.resizeDocks([self.dock], [least], Qt.Orientation.Horizontal)

    def _on_closed(self, made: Scene | None) -> None:
        self.dock.hide()
        width = round(self._column * theme.ui_size())
        self._window.resizeDocks([self._window.inspector_dock], [width], Qt.Orientation.Horizontal)
        if made is None:
            return
        document = self._window.document
        self._offer = self.tr("The lesson is closed; your own scene is back.")
        take = self.tr("Take the lesson's scene instead")
        self._window.banner.ask(
            self._offer, (take, lambda: document.edit(made, self.tr("Take the lesson's scene")))
        )

    def _withdraw_offer(self) -> None:
        """Another document was opened: there, the lesson's scene has no business."""
        if self._offer and not self._window.document.undo_stack.count():
            self._window.banner.withdraw(self._offer)
            self._offer = ""
