"""A learner at the window: reads the pane, types, clicks and presses what a person would."""

import re
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QRadioButton, QTextEdit
from pytestqt.qtbot import QtBot

from explorer.attention.trace import Cell
from explorer.lessons.judge import view
from explorer.lessons.lesson import (
    CellQuestion,
    ChoiceQuestion,
    EditQuestion,
    NumberQuestion,
    Step,
)
from explorer.ui.covers import panel_name
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


class Learner:
    """Drives one window's lesson."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        self.play, self.pane, self.card = window.lessons.play, window.lessons.pane, window.lessons.pane.card

    # ---- reading ----

    @property
    def step(self) -> Step:
        return self.play.progress.step

    @property
    def number(self) -> int:
        """Of the step, from 1."""
        return self.play.progress.index + 1

    @property
    def verdict(self) -> str:
        return self.card.verdict.text

    def see_numbers(self) -> None:
        """Wait until the picture is of the step's scene."""
        self.qtbot.waitUntil(lambda: self.play.session.own is not None)

    # ---- doing ----

    def settle(self) -> None:
        """Everything has its place, as it has when a person gets to the mouse."""
        for _pass in range(3):
            QApplication.processEvents()

    def press(self, name: str) -> None:
        self.settle()
        button = self.pane.findChild(QPushButton, name)
        assert button is not None and button.isVisible() and button.isEnabled(), name
        self.qtbot.mouseClick(button, LEFT)

    def type(self, text: str) -> None:
        """Type into the answer's line, and press Enter."""
        line = self.pane.findChild(QLineEdit, "lesson_answer")
        assert line.hasFocus(), (self.number, QApplication.focusWidget())
        line.selectAll()
        self.qtbot.keyClicks(line, text)
        self.qtbot.keyClick(line, Qt.Key.Key_Return)

    def choose(self, option: int) -> None:
        """Click the words of an option (from 0), then Check."""
        self.settle()
        words = self.pane.findChild(QTextEdit, f"lesson_option_text_{option + 1}")
        self.qtbot.mouseClick(words.viewport(), LEFT)
        assert self.pane.findChild(QRadioButton, f"lesson_option_{option + 1}").isChecked()
        self.press("lesson_check")

    def click_cell(self, cell: Cell) -> None:
        panel = self.window.pipeline.panels[panel_name(cell)]
        self.window.pipeline.bring_into_view(panel.objectName())
        self.qtbot.mouseClick(panel, LEFT, pos=panel.cell_rect(cell.row, cell.col).center())

    def grid(self, name: str) -> MatrixGrid:
        return self.window.inputs.grid(name)

    def type_cell(self, name: str, row: int, col: int, text: str) -> None:
        """Click a cell of a grid, type, press Enter."""
        grid = self.grid(name)
        self.window.inputs.show_matrix(name)
        rect = grid.visualRect(grid.model().index(row, col))
        self.qtbot.mouseClick(grid.viewport(), LEFT, pos=rect.center())
        for key in text:
            self.qtbot.keyClicks(QApplication.focusWidget(), key)
        self.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)

    def answer_wrongly(self) -> str:
        """A wrong answer; what the lesson has to say to it, or ''."""
        question, language = self.step.question, self.language
        match question:
            case NumberQuestion():
                seen = view(self.step, self.play.session.own)
                if question.remarks:
                    remark = question.remarks[0]
                    self.type(repr(remark.value.value(seen)))
                    return remark.text.to(language)
                self.type(repr(3 * question.expected.value(seen) + 1000))
            case ChoiceQuestion():
                said = {remark.option: remark.text.to(language) for remark in question.remarks}
                wrong = next(i for i in range(len(question.options)) if i != question.correct)
                self.choose(wrong)
                return said.get(wrong, "")
            case CellQuestion():
                if question.remarks:
                    remark = question.remarks[0]
                    self.click_cell(next(remark.cells.cells(self.step.scene)))
                    return remark.text.to(language)
                self.click_cell(Cell("v", 0, 0, 0))
        return ""

    def answer_rightly(self, edit: Callable[["Learner"], None] | None = None) -> None:
        match self.step.question:
            case NumberQuestion() as question:
                value = question.expected.value(view(self.step, self.play.session.own))
                self.type(f"{value:.{question.decimals}f}")
            case ChoiceQuestion() as question:
                self.choose(question.correct)
            case CellQuestion() as question:
                self.click_cell(next(question.cells.cells(self.step.scene)))
            case EditQuestion():
                edit(self)

    @property
    def language(self) -> str:
        from explorer.ui.language import lesson_code

        return lesson_code()


def plain(markdown: str) -> str:
    """Markdown as it reads, without low and high letters, whose marks the pane takes away."""
    document = QTextDocument()
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownNoHTML)
    return re.sub(r"[\s_^]+", "", document.toPlainText())
