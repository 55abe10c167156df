"""The Lessons menu: the lessons in their order, a teacher's own, and the moves within an open one."""

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from explorer.lessons.builtin import LESSONS, catalogue
from explorer.lessons.notation import plain
from explorer.ui.language import lesson_code
from explorer.ui.lesson_play import LessonPlay


class LessonMenu(QObject):
    """Fills a QMenu. `opened(name)` asks for a built-in lesson or a file; `ask_file` is replaced in tests."""

    opened = Signal(str)
    question_asked = Signal()

    def __init__(self, menu: QMenu, play: LessonPlay, window: QWidget) -> None:
        super().__init__(window)
        self._menu, self._play, self._window = menu, play, window
        self.ask_file: Callable[[], Path | None] = self._file_dialog
        menu.setToolTipsVisible(True)
        self._continue = self._add("lesson_continue", "", self._go_on)
        self._divider = menu.addSeparator()
        self._goes_on: tuple[str, str, int] | None = None
        self._titles: list[QAction] = []
        self._after = menu.addSeparator()
        self._add("lesson_open", self.tr("Open a lesson &file…"), self._open_file)
        menu.addSeparator()
        self._moves = [
            self._add("lesson_next_step", self.tr("&Next step"), play.next, "Alt+PgDown"),
            self._add("lesson_previous_step", self.tr("&Previous step"), play.back, "Alt+PgUp"),
            self._add("lesson_to_question", self.tr("&Go to the question"), self.question_asked.emit, "F7"),
            self._add("lesson_close", self.tr("&Close the lesson"), play.close),
        ]
        menu.aboutToShow.connect(self.fill)
        for signal in (play.stepped, play.closed):
            signal.connect(lambda *_: self._enable())
        self._enable()

    def fill(self) -> None:
        """Bring the list up to date: titles when they are wanted first, ✓ where a lesson was finished."""
        memory, session = self._play.memory, self._play.session
        for number, lesson in enumerate(catalogue(), 1):
            if len(self._titles) < number:
                action = QAction(self._window)
                action.setObjectName(f"lesson_{lesson.name}")
                action.setCheckable(True)
                action.triggered.connect(lambda _on=False, name=lesson.name: self.opened.emit(name))
                self._menu.insertAction(self._after, action)
                self._titles.append(action)
            action = self._titles[number - 1]
            title = plain(lesson.title.to(lesson_code())).replace("&", "&&")
            finished = memory.is_finished(lesson.name)
            action.setText(f"{number}  {title}")
            action.setChecked(finished)
            summary = plain(lesson.summary.to(lesson_code()))
            action.setToolTip(self.tr("Finished. {summary}").format(summary=summary) if finished else summary)
        self._goes_on = self._unfinished() if session is None else None
        self._continue.setVisible(self._goes_on is not None)
        self._divider.setVisible(self._goes_on is not None)
        if self._goes_on is not None:
            _key, title, step = self._goes_on
            text = self.tr("Continue: {title}, step {number}")
            self._continue.setText(text.format(title=title.replace("&", "&&"), number=step + 1))

    def _unfinished(self) -> tuple[str, str, int] | None:
        """Where one left off: key, title and step (from 0); after a finished lesson the next one."""
        memory = self._play.memory
        last = memory.last
        if last is None or last not in LESSONS:
            return (last, Path(last).name, memory.step(last)) if last and os.path.isfile(last) else None
        for lesson in catalogue()[LESSONS.index(last) :]:
            progress = memory.start(lesson.name, lesson)
            if lesson.name == last and memory.is_finished(last) and progress.is_first:
                continue
            return lesson.name, plain(lesson.title.to(lesson_code())), progress.index
        return None

    def _add(self, name: str, text: str, do: Callable[[], object], key: str = "") -> QAction:
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda: do())
        self._menu.addAction(action)
        return action

    def _enable(self) -> None:
        for action in self._moves:
            action.setEnabled(self._play.session is not None)

    def _go_on(self) -> None:
        if self._goes_on is not None:
            self.opened.emit(self._goes_on[0])

    def _open_file(self) -> None:
        path = self.ask_file()
        if path is not None:
            self.opened.emit(str(path))

    def _file_dialog(self) -> Path | None:
        last = self._play.memory.last
        start = str(Path(last).parent) if last is not None and last not in LESSONS else str(Path.home())
        name, _filter = QFileDialog.getOpenFileName(
            self._window, self.tr("Open a lesson"), start, self.tr("Lessons (*.toml)")
        )
        return Path(name) if name else None
