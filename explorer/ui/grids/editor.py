"""The line in which a number is typed."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.numbers import NumberError
from explorer.ui import theme
from explorer.ui.grids.editing import CellEditing
from explorer.ui.problems import problem_text

Key = Qt.Key

ROOM = 6  # px between the number and the right edge of its cell, in the editor as in the grid

_ENTER = (Key.Key_Return, Key.Key_Enter)
_ARROWS = {Key.Key_Up: (-1, 0), Key.Key_Down: (1, 0), Key.Key_Left: (0, -1), Key.Key_Right: (0, 1)}


class NumberEditor(QLineEdit):
    """Applies what is typed while it is typed; left by Enter, Tab and arrows, if it holds a number."""

    said = Signal(str, bool)  # the reason why the text is no number, and whether that is final; "": it is one
    left = Signal(int, int)  # done, and the current cell moves by so many rows and columns
    given_up = Signal()  # Esc

    def __init__(self, parent: QWidget, editing: CellEditing, replacing: bool) -> None:
        super().__init__(parent)
        self.setObjectName("number_editor")
        self.editing = editing
        self._replacing = replacing  # opened by typing: arrows leave, as in a spreadsheet
        self._cell = QRect()
        self.setFrame(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._mark(wrong=False)
        self.textEdited.connect(self._take)
        self.textChanged.connect(self._fit)

    def settle(self) -> str:
        """The editor loses the focus: the old number instead of a text that is none. Returns what to say."""
        problem = self.editing.problem
        if problem is None:
            return ""
        self.editing.cancel()
        sentence = self.tr("“{text}” was not taken. {reason}.")
        return sentence.format(text=self.text(), reason=problem_text(str(problem)))

    def place(self, cell: QRect) -> None:
        """Cover `cell`, and more to the right where the text is longer."""
        self._cell = cell
        self._fit()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Key.Key_Tab, Key.Key_Backtab):  # else QWidget takes them to move the focus
                self.keyPressEvent(event)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key == Key.Key_Escape:
            self.editing.cancel()
            self.given_up.emit()
        elif key in _ENTER:
            self._leave(-1 if shift else 1, 0)
        elif key == Key.Key_Backtab or (key == Key.Key_Tab and shift):
            self._leave(0, -1)
        elif key == Key.Key_Tab:
            self._leave(0, 1)
        elif key in _ARROWS and not shift and (self._replacing or key in (Key.Key_Up, Key.Key_Down)):
            self._leave(*_ARROWS[key])
        else:
            super().keyPressEvent(event)

    def _leave(self, rows: int, cols: int) -> None:
        if self.editing.problem is not None:
            self._explain(self.editing.problem, final=True)
        else:
            self.left.emit(rows, cols)

    def _take(self, text: str) -> None:
        problem = self.editing.type(text)
        if problem is None:
            self._mark(wrong=False)
            self.said.emit("", False)
        else:
            # a text that only isn't finished, as `-` on the way to `-1`, is no mistake yet
            self._explain(problem, final=problem.at < len(text))

    def _explain(self, problem: NumberError, final: bool) -> None:
        self._mark(wrong=final)
        self.said.emit(problem_text(f"{problem}."), final)

    def _mark(self, wrong: bool) -> None:
        self.setProperty("wrong", wrong)
        colours = theme.current()
        colour = (colours.error if wrong else colours.accent).name()
        self.setStyleSheet(
            f"QLineEdit {{ border: 2px solid {colour}; border-radius: 0; padding: 0 {ROOM - 4}px;"
            f" background: {colours.surface.name()}; selection-background-color: {colours.accent.name()}; }}"
        )

    def _fit(self) -> None:
        parent = self.parentWidget()
        if parent is None or self._cell.isNull():
            return
        wanted = self.fontMetrics().horizontalAdvance(self.text()) + 2 * ROOM + 4
        width = min(max(self._cell.width(), wanted), parent.width())
        # the left edge stays, unless the grid ends there
        self.setGeometry(
            min(self._cell.left(), parent.width() - width), self._cell.top(), width, self._cell.height()
        )
