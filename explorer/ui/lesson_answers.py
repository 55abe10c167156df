"""What a learner answers with: a line, options, a click in the picture, an edit. One widget per kind of question."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from explorer.attention.trace import Cell
from explorer.lessons.judge import Answer
from explorer.lessons.lesson import CellQuestion, ChoiceQuestion, EditQuestion, NumberQuestion, Question
from explorer.lessons.messages import cell_name
from explorer.ui.language import lesson_code
from explorer.ui.lesson_text import OptionText, Prose


class AnswerBox(QWidget):
    """The part that all kinds have. `answered` asks to have an answer judged."""

    answered = Signal(object)  # lessons.judge.Answer

    def show_answer(self, answer: Answer, is_open: bool) -> None:
        """What was answered last, and whether it may still be changed."""

    def set_chosen(self, cell: Cell | None) -> None:
        """The number that is chosen in the window."""

    def first(self) -> QWidget | None:
        """What gets the keyboard when the step opens."""
        return None

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName("lesson_check")
        button.setAutoDefault(True)  # Enter presses it
        return button


class NumberAnswer(AnswerBox):
    """A line that takes arithmetic, and Check; Enter does the same."""

    def __init__(self) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.line.setObjectName("lesson_answer")
        self.line.setAccessibleName(self.tr("Your answer"))
        self.line.setPlaceholderText(self.tr("0.5, 1/3, sqrt(2)/2 …"))
        self.check = self._button(self.tr("Check"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.check)
        self.line.returnPressed.connect(self._answer)
        self.check.clicked.connect(self._answer)

    def _answer(self) -> None:
        if self.line.text().strip():
            self.answered.emit(self.line.text())
            if self.line.isEnabled():
                self.line.selectAll()
                self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_answer(self, answer: Answer, is_open: bool) -> None:
        if isinstance(answer, str) and not self.line.text():
            self.line.setText(answer)
        self.line.setEnabled(is_open)
        self.check.setVisible(is_open)

    def first(self) -> QWidget:
        return self.line


class ChoiceAnswer(AnswerBox):
    """Radio buttons with Markdown beside them, and Check; Enter on an option does the same."""

    def __init__(self, question: ChoiceQuestion) -> None:
        super().__init__()
        self.options: list[QRadioButton] = []
        self._group = QButtonGroup(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for number, option in enumerate(question.options, 1):
            radio = Option()
            radio.setObjectName(f"lesson_option_{number}")
            radio.entered.connect(self._answer)
            words = OptionText(f"lesson_option_text_{number}", radio)
            words.say(option.to(lesson_code()))
            radio.setAccessibleName(words.accessibleName())
            self._group.addButton(radio, number - 1)
            self.options.append(radio)
            row = QHBoxLayout()
            row.setSpacing(7)
            row.addWidget(radio, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(words, 1)
            layout.addLayout(row)
        self.check = self._button(self.tr("Check"))
        self.check.setEnabled(False)
        self.check.clicked.connect(self._answer)
        self._group.idClicked.connect(lambda _option: self.check.setEnabled(True))
        layout.addWidget(self.check, 0, Qt.AlignmentFlag.AlignLeft)

    def _answer(self) -> None:
        if self._group.checkedId() >= 0:
            self.answered.emit(self._group.checkedId())

    def show_answer(self, answer: Answer, is_open: bool) -> None:
        if isinstance(answer, int) and self._group.checkedId() < 0:
            with QSignalBlocker(self._group):
                self.options[answer].setChecked(True)
        for radio in self.options:
            radio.setEnabled(is_open)
        self.check.setVisible(is_open)
        self.check.setEnabled(self._group.checkedId() >= 0)

    def first(self) -> QWidget:
        return next((radio for radio in self.options if radio.isChecked()), self.options[0])


class Option(QRadioButton):
    """A radio button without words of its own."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class CellAnswer(AnswerBox):
    """Says to click; for the keyboard, a button that takes the number that is chosen in the window."""

    def __init__(self) -> None:
        super().__init__()
        self._cell: Cell | None = None
        self._is_open = True
        self._words = Prose("lesson_cell_text")
        self._words.say(
            self.tr("Click the number in the picture, or go there with the arrows and press Enter."), "muted"
        )
        self.check = self._button("")
        self.check.clicked.connect(lambda: self.answered.emit(self._cell))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._words)
        layout.addWidget(self.check, 0, Qt.AlignmentFlag.AlignLeft)
        self.set_chosen(None)

    def set_chosen(self, cell: Cell | None) -> None:
        self._cell = cell
        if cell is not None:
            text = self.tr("Take the chosen number")
            self.check.setText(text)
            self.check.setToolTip(cell_name(cell, lesson_code()))
            self.check.setAccessibleName(f"{text}: {cell_name(cell, lesson_code())}")
        self.check.setVisible(self._is_open and cell is not None)

    def show_answer(self, answer: Answer, is_open: bool) -> None:
        self._is_open = is_open
        self.setVisible(is_open)
        self.set_chosen(self._cell)


class EditAnswer(AnswerBox):
    """Says that it is to be done in the window, and that nothing is to be pressed here."""

    def __init__(self) -> None:
        super().__init__()
        self._words = Prose("lesson_edit_text")
        self._words.say(self.tr("Do it in the window; what you do is checked as you go."), "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._words)

    def show_answer(self, answer: Answer, is_open: bool) -> None:
        self.setVisible(is_open)


def box_of(question: Question) -> AnswerBox:
    """The widget for a question."""
    match question:
        case NumberQuestion():
            return NumberAnswer()
        case ChoiceQuestion():
            return ChoiceAnswer(question)
        case CellQuestion():
            return CellAnswer()
        case EditQuestion():
            return EditAnswer()
    raise TypeError(f"no widget for {type(question).__name__}")
