"""What stands over the inspector: a note while it would contradict the picture, an invitation to a newcomer."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.ui import theme
from explorer.ui.lesson_play import LessonPlay
from explorer.ui.selection import Selection


class Curtain(QWidget):
    """Holds the inspector. It is withdrawn in steps whose picture contains a deliberate mistake: the inspector
    explains what is right, and would be at odds with every number shown.
    """

    def __init__(self, inspector: QWidget, play: LessonPlay, selection: Selection) -> None:
        super().__init__()
        self._play, self._selection = play, selection
        self._note = QLabel(wordWrap=True)
        self._note.setObjectName("inspector_withdrawn")
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._note.setText(
            self.tr(
                "The picture contains a deliberate mistake. The inspector explains what is right;"
                " it is back in the next step without one."
            )
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(inspector)
        self._pages.addWidget(self._note)
        self.invitation = Invitation(play)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self.invitation)
        for signal in (play.stepped, play.closed, selection.changed, self.invitation.declined):
            signal.connect(lambda *_: self._show())
        theme.watcher().changed.connect(self._restyle)
        self._restyle()
        self._show()

    def _show(self) -> None:
        progress = self._play.progress
        is_slipped = progress is not None and progress.step.slip is not None
        self._pages.setCurrentIndex(1 if is_slipped else 0)
        self.invitation.setVisible(self._play.memory.is_new and self._selection.cell is None)

    def _restyle(self) -> None:
        colours = theme.current()
        self._note.setStyleSheet(
            f"background: {colours.surface.name()}; color: {colours.muted.name()}; padding: 24px;"
        )


class Invitation(QFrame):
    """One line for whoever starts the program for the first time; gone once a lesson was opened, or with its cross."""

    accepted = Signal()
    declined = Signal()

    def __init__(self, play: LessonPlay) -> None:
        super().__init__()
        self.setObjectName("invitation")
        self._play = play
        self._words = QLabel(self.tr("New here?"))
        self.start = QPushButton(self.tr("Start with lesson 1"))
        self.start.setObjectName("start_lesson_1")
        self.start.clicked.connect(self.accepted)
        self._close = QToolButton(text="✕", autoRaise=True)
        self._close.setAccessibleName(self.tr("No, thank you"))
        self._close.setToolTip(self.tr("No, thank you"))
        self._close.clicked.connect(self._decline)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 10, 8, 10)
        layout.addWidget(self._words, 1)
        layout.addWidget(self.start)
        layout.addWidget(self._close)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    def _decline(self) -> None:
        self._play.memory.decline()
        self.declined.emit()

    def _restyle(self) -> None:
        colours = theme.current()
        self.setStyleSheet(
            f"#invitation {{ background: {colours.background.name()}; border: none;"
            f" border-top: 1px solid {colours.line.name()}; }}"
            f"#start_lesson_1 {{ background: {colours.accent.name()}; color: {colours.surface.name()};"
            f" border-color: {colours.accent.name()}; }}"
            f"#invitation QToolButton {{ border: none; background: transparent; padding: 2px 6px;"
            f" color: {colours.muted.name()}; }}"
        )
