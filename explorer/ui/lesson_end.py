"""The end of a lesson: all done, or which questions are still open."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout

from explorer.lessons.player import Progress
from explorer.ui import theme


class LessonEnd(QFrame):
    """Seen on the last step alone. It says so gently: a lesson may be left with open questions."""

    step_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_end")
        self._open: tuple[int, ...] = ()
        self.words = QLabel(wordWrap=True)
        self.words.setObjectName("lesson_end_text")
        self._first = QPushButton()
        self._first.setObjectName("lesson_first_open")
        self._first.setAutoDefault(True)
        self._first.setProperty("quiet", True)
        self._first.clicked.connect(lambda: self.step_asked.emit(self._open[0]))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 9, 12, 10)
        layout.addWidget(self.words)
        layout.addWidget(self._first)
        theme.watcher().changed.connect(self._restyle)

    def show_progress(self, progress: Progress) -> None:
        """Follow the learner."""
        self.setVisible(progress.is_last and not progress.is_open)
        self._open = tuple(i for i in progress.questions if i not in progress.solved | progress.shown)
        numbers = ", ".join(str(index + 1) for index in self._open)
        if not self._open:
            self.words.setText(self.tr("✓ Lesson finished."))
        elif len(self._open) == 1:
            self.words.setText(
                self.tr("One question is still open, in step {number}.").format(number=numbers)
            )
        else:
            self.words.setText(
                self.tr("Questions are still open, in steps {numbers}.").format(numbers=numbers)
            )
        self._first.setVisible(bool(self._open))
        if self._open:
            self._first.setText(self.tr("Go to step {number}").format(number=self._open[0] + 1))
        self._restyle()

    def _restyle(self) -> None:
        colours = theme.current()
        colour = colours.text if self._open else colours.good
        self.words.setStyleSheet(f"color: {colour.name()}")
