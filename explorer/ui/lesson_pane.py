"""The pane of an open lesson: where one is, the step's words, its question, the way on."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.attention.trace import Cell
from explorer.lessons.builtin import LESSONS, find
from explorer.lessons.notation import plain
from explorer.ui import theme
from explorer.ui.language import lesson_code
from explorer.ui.lesson_dots import ProgressDots
from explorer.ui.lesson_end import LessonEnd
from explorer.ui.lesson_play import LessonPlay, Session
from explorer.ui.lesson_question import QuestionCard
from explorer.ui.lesson_slip import slip_text
from explorer.ui.lesson_style import sheet
from explorer.ui.lesson_text import Prose
from explorer.ui.turns import turns

NEXT = (Qt.Key.Key_Right, Qt.Key.Key_PageDown)  # with Alt; the Page keys also alone
BACK = (Qt.Key.Key_Left, Qt.Key.Key_PageUp)


class LessonPane(QWidget):
    """Shows the LessonPlay's session; every button is one of its moves."""

    close_asked = Signal()
    lesson_asked = Signal(str)  # name of a built-in lesson
    dresses_itself = True

    def __init__(self, play: LessonPlay, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_pane")
        self._play = play
        self._revealed: QWidget | None = None
        self._reveal_later = QTimer(self, singleShot=True, interval=0)
        self._reveal_later.timeout.connect(self._show_revealed)
        self._build()
        play.stepped.connect(self._show_step)
        play.changed.connect(self._update)
        theme.watcher().changed.connect(lambda: turns().add(self, self._restyle))
        self._restyle()

    # ---- building ----

    def _build(self) -> None:
        self.step = QLabel()
        self.step.setObjectName("lesson_step")
        self.dots = ProgressDots()
        self.dots.chosen.connect(self._play.go)
        self.text = Prose("lesson_text")
        self.slip = QLabel(wordWrap=True)
        self.slip.setObjectName("lesson_slip")
        self.slip.setText(slip_text())
        self.card = QuestionCard()
        self.card.answered.connect(self._on_answer)
        self.card.hint_asked.connect(self._play.hint)
        self.card.answer_asked.connect(self._on_answer_asked)
        self.end = LessonEnd()
        self.end.step_asked.connect(self._play.go)
        content = QWidget()
        content.setObjectName("lesson_content")
        layout = QVBoxLayout(content)
        layout.setContentsMargins(14, 2, 14, 10)
        layout.setSpacing(10)
        for widget in (self.text, self.slip, self.card, self.end):
            layout.addWidget(widget)
        layout.addStretch(1)
        self.scroll = _Scroll()
        self.scroll.setAccessibleName(self.tr("Words of the lesson"))
        self.scroll.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._build_head())
        outer.addWidget(self.scroll, 1)
        outer.addWidget(self._build_foot())

    def _build_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(14, 2, 14, 8)
        row.addWidget(self.dots, 1)
        row.addWidget(self.step)
        return head

    def _build_foot(self) -> QWidget:
        foot = QFrame()
        foot.setObjectName("lesson_foot")
        self.back = self._foot_button("lesson_back", self.tr("Back"), self._play.back)
        self.back.setToolTip(self.tr("The step before (Alt+←)"))
        self.restore = self._foot_button(
            "lesson_restore", self.tr("Back to this step's scene"), self._play.restore_scene
        )
        self.restore.setProperty("quiet", True)
        self.restore.setToolTip(
            self.tr("You changed the scene. The step is about its own numbers; this brings them back.")
        )
        self.next = self._foot_button("lesson_next", "", self._go_on)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.back)
        row.addStretch(1)
        row.addWidget(self.next)
        layout = QVBoxLayout(foot)
        layout.setContentsMargins(14, 7, 14, 7)
        layout.setSpacing(6)
        layout.addWidget(self.restore)
        layout.addLayout(row)
        return foot

    def _foot_button(self, name: str, text: str, do: object) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(True)
        button.clicked.connect(lambda: do())  # type: ignore[operator]
        return button

    # ---- showing ----

    def set_chosen(self, cell: Cell | None) -> None:
        """The number that is chosen in the window."""
        self.card.set_chosen(cell)

    def focus_question(self) -> None:
        """Give the keyboard to the question, or to Next where there is none to answer."""
        first = self._take_keyboard()
        if first is not None:
            self._reveal(first)

    def _show_step(self) -> None:
        session = self._play.session
        assert session is not None
        progress = session.progress
        count = len(progress.lesson.steps)
        self.step.setText(self.tr("step {number} of {count}").format(number=progress.index + 1, count=count))
        self.text.say(progress.step.text.to(lesson_code()))
        self.slip.setVisible(progress.step.slip is not None)
        self.card.set_step(session)
        self.scroll.verticalScrollBar().setValue(0)
        self._update()
        if not _is_typing_elsewhere(self):
            self._take_keyboard()

    def _take_keyboard(self) -> QWidget | None:
        """The widget to answer with gets it; None where there is none, and Next gets it."""
        box, progress = self.card.box, self._play.progress
        first = box.first() if box is not None and progress is not None and progress.is_open else None
        (first or self.next).setFocus(Qt.FocusReason.OtherFocusReason)
        return first

    def _update(self) -> None:
        session = self._play.session
        if session is None:
            return
        progress = session.progress
        had_keyboard = self.card.isAncestorOf(QApplication.focusWidget() or self)
        self.dots.show_progress(progress)
        self.card.update_answer(session)
        self.restore.setVisible(self._play.is_played)
        self.back.setEnabled(not progress.is_first)
        self.end.show_progress(progress)
        self._show_next(session)
        if had_keyboard and not progress.is_open:
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)  # so that Enter goes on

    def _show_next(self, session: Session) -> None:
        progress = session.progress
        following = self._play.next_name
        if not progress.is_last:
            text = self.tr("Skip") if progress.is_open else self.tr("Next")
            tip = (
                self.tr("The question stays open; you can come back to it (Alt+→).")
                if progress.is_open
                else self.tr("The next step (Alt+→)")
            )
        elif following is not None:
            title = _title(following)
            text, tip = (
                self.tr("Next lesson"),
                self.tr("Lesson {number}: {title}").format(number=LESSONS.index(following) + 1, title=title),
            )
        else:
            text, tip = self.tr("Close"), self.tr("Back to your own scene")
        self.next.setText(text)
        self.next.setToolTip(tip)
        if self.next.property("primary") != (not progress.is_open):
            self.next.setProperty("primary", not progress.is_open)
            self.next.style().unpolish(self.next)
            self.next.style().polish(self.next)

    def _go_on(self) -> None:
        progress, following = self._play.progress, self._play.next_name
        if progress is None:
            return
        if not progress.is_last:
            self._play.next()
        elif following is not None:
            self.lesson_asked.emit(following)
        else:
            self.close_asked.emit()

    def _on_answer(self, answer: object) -> None:
        self._play.answer(answer)
        self._reveal(self.card.verdict)

    def _on_answer_asked(self) -> None:
        self._play.show_answer()
        self._reveal(self.card.solution)

    def _reveal(self, widget: QWidget) -> None:
        """Scroll to what has just appeared, once it has its place."""
        self._revealed = widget
        self._reveal_later.start()

    def _show_revealed(self) -> None:
        for _pass in range(3):  # words are as high as their width asks for, which moves what is below them
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        if self._revealed is not None:
            self.scroll.ensureWidgetVisible(self._revealed, 0, 12)

    def _restyle(self) -> None:
        self.setStyleSheet(theme.sheet() + sheet(theme.current()))

    # ---- keys ----

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _way(event):
            event.accept()  # the inspector has Alt+Left, too
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = _way(event)
        if way > 0 and self._play.progress is not None and not self._play.progress.is_last:
            self._play.next()
        elif way < 0:
            self._play.back()
        elif not way:
            super().keyPressEvent(event)


class _Scroll(QScrollArea):
    """Scrolls with the arrows; the Page keys turn steps."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_scroll")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _way(event):
            event.ignore()
        else:
            super().keyPressEvent(event)


def _way(event: QKeyEvent) -> int:
    """+1 for a key that goes on, −1 for one that goes back, else 0."""
    alone = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    with_alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
    key = event.key()
    for way, (arrow, page) in ((1, NEXT), (-1, BACK)):
        if (with_alt and key in (arrow, page)) or (alone and key == page):
            return way
    return 0


def _is_typing_elsewhere(pane: QWidget) -> bool:
    """Whether the keyboard belongs to a grid or a line outside the pane."""
    widget = QApplication.focusWidget()
    return isinstance(widget, QLineEdit | QAbstractItemView) and not pane.isAncestorOf(widget)


def _title(name: str) -> str:
    lesson = find(name)
    return "" if lesson is None else plain(lesson.title.to(lesson_code()))
