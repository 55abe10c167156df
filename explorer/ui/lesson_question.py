"""The card with a step's question: what is asked, the answer, the verdict, hints."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from explorer.attention.trace import Cell
from explorer.lessons.judge import Answer, Verdict, solution
from explorer.ui import theme
from explorer.ui.language import lesson_code
from explorer.ui.lesson_answers import AnswerBox, box_of
from explorer.ui.lesson_play import Session
from explorer.ui.lesson_text import Prose

MARKS = {"right": "✓", "almost": "~", "wrong": "✗", "unreadable": "?", "open": "…"}
COLOURS = {"right": "good", "wrong": "error", "unreadable": "error", "open": "muted"}


class VerdictView(QFrame):
    """A mark, and the sentence beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_verdict")
        self.kind = ""
        self._mark = QLabel()
        self._mark.setObjectName("lesson_mark")
        self._words = Prose("lesson_verdict_text")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 2, 0, 2)
        layout.setSpacing(8)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._words, 1)
        theme.watcher().changed.connect(self._restyle)

    @property
    def text(self) -> str:
        """Mark and sentence, as Markdown."""
        return "" if self.isHidden() else f"{self._mark.text()} {self._words.text}"

    def say(self, kind: str, sentence: str) -> None:
        """`kind`: one of MARKS; an empty sentence hides it."""
        if (kind, sentence) == (self.kind, self._words.text):
            return
        self.kind = kind
        self.setVisible(bool(sentence))
        self._words.say(sentence, COLOURS.get(kind, "text"))
        if sentence:
            self._mark.setText(MARKS[kind])
            self._restyle()
            self.setAccessibleName(f"{MARKS[kind]} {self._words.accessibleName()}")
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _restyle(self) -> None:
        colour = getattr(theme.current(), COLOURS.get(self.kind, "text")).name()
        self._mark.setFont(theme.ui_font(1.15))
        self.setStyleSheet(
            f"#lesson_verdict {{ border: none; border-left: 3px solid {colour}; }}"
            f"#lesson_mark {{ color: {colour}; font-weight: bold; }}"
        )


class QuestionCard(QFrame):
    """Built anew for each step; kept while the step is open, so that nothing typed is lost."""

    answered = Signal(object)  # lessons.judge.Answer
    hint_asked = Signal()
    answer_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_card")
        self.box: AnswerBox | None = None
        self._chosen: Cell | None = None
        self._question = Prose("lesson_question")
        self.verdict = VerdictView()
        self.solution = Prose("lesson_solution")
        self._hints = Prose("lesson_hints")
        self.hint = QPushButton()
        self.hint.setObjectName("lesson_hint")
        self.hint.clicked.connect(self.hint_asked)
        self.show_it = QPushButton(self.tr("Show the answer"))
        self.show_it.setObjectName("lesson_show")
        self.show_it.clicked.connect(self.answer_asked)
        for button in (self.hint, self.show_it):
            button.setAutoDefault(True)
            button.setProperty("quiet", True)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 9, 12, 10)
        self._layout.setSpacing(8)
        for widget in (self._question, self.verdict, self._hints, self.solution):
            self._layout.addWidget(widget)
        self._helps = QWidget()
        row = QHBoxLayout(self._helps)
        row.setContentsMargins(0, 0, 0, 0)
        for button in (self.hint, self.show_it):
            row.addWidget(button)
        row.addStretch(1)
        self._layout.addWidget(self._helps)

    def set_step(self, session: Session) -> None:
        """Another step's question, or none."""
        question = session.progress.question
        if self.box is not None:
            self.box.hide()
            for widget in self.box.findChildren(QWidget):
                widget.setObjectName("")  # it lives on until the event loop runs, and must not be found
            self.box.deleteLater()
            self.box = None
        self.setVisible(question is not None)
        if question is not None:
            self._question.say(question.text.to(lesson_code()))
            self.box = box_of(question)
            self.box.answered.connect(self.answered)
            self.box.set_chosen(self._chosen)
            self._layout.insertWidget(1, self.box)
            before: QWidget = self._question
            for widget in self.box.findChildren(QWidget):  # Tab comes to them before the hints
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    QWidget.setTabOrder(before, widget)
                    before = widget
            self.box.show()  # now, not when the layout comes to it: it is about to get the keyboard
            self.update_answer(session)

    def set_chosen(self, cell: Cell | None) -> None:
        """The number that is chosen in the window."""
        self._chosen = cell
        if self.box is not None:
            self.box.set_chosen(cell)

    def update_answer(self, session: Session) -> None:
        """What came of it so far."""
        progress, code = session.progress, lesson_code()
        if progress.question is None or self.box is None:
            return
        given: Answer = session.answers.get(progress.index)
        self.box.show_answer(given, progress.is_open)
        self.verdict.say(*self._verdict(session))
        hints = [
            self.tr("**Hint {number}.** {text}").format(number=number, text=hint.to(code))
            for number, hint in enumerate(progress.taken_hints, 1)
        ]
        self._hints.say("\n\n".join(hints) if progress.is_open else "")
        self.solution.say(self._solved(session))
        tried = progress.verdict is not None or session.missing is not None or bool(progress.taken_hints)
        self.hint.setVisible(progress.is_open and progress.has_hint)
        self.hint.setText(self.tr("Another hint") if progress.taken_hints else self.tr("Hint"))
        self.show_it.setVisible(progress.is_open and tried)
        self._helps.setVisible(not self.hint.isHidden() or not self.show_it.isHidden())

    def _verdict(self, session: Session) -> tuple[str, str]:
        progress, code = session.progress, lesson_code()
        verdict: Verdict | None = progress.verdict
        if session.waiting is not None:
            return "open", self.tr("One moment: the numbers are being computed …")
        if progress.index in progress.solved and (verdict is None or not verdict.right):
            because = "" if progress.because is None else progress.because.to(code)
            return "right", because or self.tr("Answered.")  # in an earlier session
        if progress.index in progress.shown:
            return "open", ""
        if verdict is not None:
            return verdict.kind, verdict.sentence(code)
        if session.missing is not None and not session.missing.right:
            return "open", session.missing.sentence(code)
        return "open", ""

    def _solved(self, session: Session) -> str:
        progress, code = session.progress, lesson_code()
        if progress.index not in progress.shown or progress.index in progress.solved or session.own is None:
            return ""
        because = "" if progress.because is None else "\n\n" + progress.because.to(code)
        return solution(progress.step, session.own, code) + because
