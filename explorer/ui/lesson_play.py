"""A lesson in play: the learner's Progress, the Document it runs on, and the traces that answers are judged by.

While a lesson is open the learner's own Scene is set aside in the Document, with its undo steps, its file and its
modified mark; closing the lesson takes it back exactly as it was. Every step that changes the scene is one undo
step of the lesson's own, so free play is never lost within a lesson either.
"""

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.attention.trace import Trace
from explorer.document import Document
from explorer.engine import Engine
from explorer.lessons.builtin import LESSONS, find
from explorer.scene import Scene
from explorer.ui.lesson_memory import LessonMemory
from explorer.ui.lesson_slip import slipped

if TYPE_CHECKING:  # else with the first lesson: a window is on screen long before
    from explorer.lessons.judge import Answer, Verdict
    from explorer.lessons.lesson import Lesson
    from explorer.lessons.player import Progress


@dataclass
class Session:
    """An open lesson. It outlives the window: another language makes the window anew around the same Document."""

    key: str  # a built-in lesson's name, or the path of a file
    progress: "Progress"
    answers: "dict[int, Answer]" = field(default_factory=dict)  # given last, by step
    own: Trace | None = None  # of the step's own scene
    missing: "Verdict | None" = None  # what an edit still lacks
    waiting: "Answer" = None  # given before the trace was there


class LessonPlay(QObject):
    """Every move of a learner goes through here; the pane and the effects show what comes of it."""

    opening = Signal()  # a lesson is about to take the place of the person's own scene
    stepped = Signal()  # another step is in front
    changed = Signal()  # something about this step: an answer, a hint, the scene
    closed = Signal(object)  # the Scene that the learner had made of the last step's, or None

    def __init__(self, document: Document, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._engine = document, engine
        self.memory = LessonMemory()
        self.session: Session | None = None
        self._kept: Progress | None = None  # what the memory has
        document.changed.connect(self._on_scene)
        document.file_changed.connect(self._on_file)
        engine.finished.connect(lambda _generation, trace: self._on_trace(trace))

    # ---- what is open ----

    @property
    def progress(self) -> "Progress | None":
        """Where the learner is; None where no lesson is open."""
        return None if self.session is None else self.session.progress

    @property
    def is_played(self) -> bool:
        """True where the scene is not the step's own: the learner changed it."""
        return self.session is not None and self._document.scene is not self.session.progress.scene

    @property
    def next_name(self) -> str | None:
        """The built-in lesson after this one."""
        if self.session is None or self.session.key not in LESSONS[:-1]:
            return None
        return LESSONS[LESSONS.index(self.session.key) + 1]

    def shown(self, trace: Trace) -> Trace:
        """What the panels are to show of a trace: in a step about a slip, the wrong stages."""
        slip = None if self.session is None else self.session.progress.step.slip
        return trace if slip is None else slipped(trace, slip)

    # ---- opening and closing ----

    def open_named(self, name: str) -> None:
        """Open a built-in lesson, or the file of this name, where one left off. Raises LessonError."""
        lesson = find(name)
        if lesson is None:
            from explorer.lessons.reader import load

            name = os.path.realpath(name)
            lesson = load(name)
        self.open(lesson, name)

    def open(self, lesson: "Lesson", key: str) -> None:
        """Open a lesson in place of the one that is open, or of the person's own scene."""
        if self.session is None:
            self.opening.emit()
        self.session = Session(key, self.memory.start(key, lesson))
        self._document.set_aside(self.session.progress.scene)
        self._arrive()

    def resume(self, session: Session) -> None:
        """Go on in a new window, whose Document has the lesson's scene already."""
        self.session = session
        self._arrive()

    def close(self) -> None:
        """Back to the person's own scene."""
        if self.session is not None:
            scene = self._document.scene
            made = None if any(step.scene is scene for step in self.session.progress.lesson.steps) else scene
            self.session = None
            self._document.take_back()
            self.closed.emit(made)

    # ---- moves ----

    def go(self, index: int) -> None:
        """Any step; its scene is shown as it was meant."""
        session = self.session
        if session is not None and session.progress.go(index).index != session.progress.index:
            session.progress = session.progress.go(index)
            session.missing, session.waiting = None, None
            self._bring_scene()
            self._arrive()

    def next(self) -> None:
        """The step after this one."""
        if self.session is not None:
            self.go(self.session.progress.index + 1)

    def back(self) -> None:
        """The step before this one."""
        if self.session is not None:
            self.go(self.session.progress.index - 1)

    def restore_scene(self) -> None:
        """The step's own scene again; one undo step, like any edit."""
        if self.session is not None:
            self._bring_scene()

    def answer(self, answer: "Answer") -> None:
        """Have an answer judged; at once if the step's own numbers are there."""
        session = self.session
        if session is None or not session.progress.is_open:
            return
        session.answers[session.progress.index] = answer
        if session.own is None:
            session.waiting = answer
            self._bring_scene()
        else:
            session.progress = session.progress.answer(answer, session.own)
        self._tell()

    def hint(self) -> None:
        """One more hint."""
        if self.session is not None:
            self.session.progress = self.session.progress.hint()
            self._tell()

    def show_answer(self) -> None:
        """Give the answer away."""
        if self.session is not None:
            self.session.progress = self.session.progress.show()
            self._tell()

    # ---- following ----

    def _arrive(self) -> None:
        session = self.session
        assert session is not None
        if session.own is None or session.own.scene is not session.progress.scene:
            trace = self._engine.trace
            session.own = trace if trace is not None and trace.scene is session.progress.scene else None
        self._remember()
        self.stepped.emit()

    def _bring_scene(self) -> None:
        assert self.session is not None
        progress = self.session.progress
        self._document.end_merge()
        self._document.edit(
            progress.scene, self.tr("Lesson: step {number}").format(number=progress.index + 1)
        )

    def _tell(self) -> None:
        self._remember()
        self.changed.emit()

    def _remember(self) -> None:
        if self.session is not None and self.session.progress is not self._kept:
            self._kept = self.session.progress
            self.memory.keep(self.session.key, self.session.progress)

    def _on_scene(self, _old: Scene, _new: Scene) -> None:
        if self.session is not None:
            self.changed.emit()

    def _on_file(self) -> None:
        if self.session is not None and not self._document.is_aside:  # another document was opened over it
            self.session = None
            self.closed.emit(None)

    def _on_trace(self, trace: Trace) -> None:
        session = self.session
        if session is None:
            return
        from explorer.lessons.judge import judge
        from explorer.lessons.lesson import EditQuestion

        if trace.scene is session.progress.scene:
            session.own = trace
            if session.waiting is not None:
                session.progress = session.progress.answer(session.waiting, trace)
                session.waiting = None
        if isinstance(session.progress.question, EditQuestion) and session.progress.is_open:
            session.missing = judge(session.progress.step, None, trace) if self.is_played else None
            session.progress = session.progress.watch(trace)
        self._tell()
