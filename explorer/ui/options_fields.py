"""A line for one number, and a choice between a few values and a number."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLineEdit, QWidget

from explorer.numbers import NumberError, exact, parse_number
from explorer.scene import SceneError
from explorer.ui.boxes import DotButton, is_history_key
from explorer.ui.flow import FlowRow
from explorer.ui.grids.bubble import Bubble
from explorer.ui.problems import problem_text

LETTERS = 9  # that a number field has room for


class NumberField(QLineEdit):
    """A number typed in the grammar of explorer.numbers; counts on Enter and when the focus is lost.

    `apply(value)` may raise SceneError. What is refused says why beside the field, and goes with the focus.
    """

    left = Signal()  # it has lost the focus, and what was typed is applied or gone

    def __init__(self, apply: Callable[[float], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._apply = apply
        self._shown = ""
        self._bubble = Bubble(self)
        self._resize()

    def show_number(self, value: float | None) -> None:
        """Show a number (None: none) without applying it, and without rounding it."""
        self._shown = "" if value is None else exact(value)
        if self.text() != self._shown:
            self.setText(self._shown)

    def commit(self) -> bool:
        """Apply what was typed; False if it was refused."""
        text = self.text().strip()
        if text in (self._shown, ""):
            self.setText(self._shown)
            return True
        try:
            self._apply(parse_number(text))
        except NumberError as error:
            self._refuse(problem_text(f"{error}."))
            return False
        except SceneError as error:
            self._refuse(problem_text(str(error)))
            return False
        self._bubble.hide()
        return True

    def event(self, event: QEvent) -> bool:
        if is_history_key(event) and self.text() == self._shown:
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.commit():
                self.selectAll()
        elif event.key() == Qt.Key.Key_Escape and self.text() != self._shown:
            self._bubble.hide()
            self.setText(self._shown)
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.commit():
            self.setText(self._shown)
        self.left.emit()

    def _refuse(self, sentence: str) -> None:
        if self.isVisible():
            self._bubble.say(sentence, self.rect())

    def _resize(self) -> None:
        self.setFixedWidth(self.fontMetrics().averageCharWidth() * LETTERS + 22)


class ChoiceOrNumber(FlowRow):
    """Radio buttons for a few values, and a last one for any number.

    `apply(value)` is called with one of the values or a float, and may raise SceneError for a float.
    """

    def __init__(
        self,
        choices: Sequence[tuple[Any, str]],
        other: str,
        apply: Callable[[Any], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._apply = apply
        self._shown: Any = None
        self._group = QButtonGroup(self)
        self.values = [value for value, _text in choices]
        self.buttons = [DotButton(text) for _value, text in choices]
        self.other = DotButton(other)
        self.field = NumberField(self._apply)
        self.field.setAccessibleName(other)
        for button in (*self.buttons, self.other):
            self._group.addButton(button)
            button.toggled.connect(self._choose)
        for button in self.buttons:
            self.add(button)
        number = QWidget()  # where there is no room for all, the field goes along with its button
        layout = QHBoxLayout(number)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self.gap)
        layout.addWidget(self.other)
        layout.addWidget(self.field)
        self.add(number)
        self.field.textEdited.connect(self._show_other)
        self.field.left.connect(self._settle)

    @property
    def gap(self) -> int:
        return 10

    def show_value(self, value: Any) -> None:
        """Show one of the values or a number, without applying it."""
        self._shown = value
        known = value in self.values
        button = self.buttons[self.values.index(value)] if known else self.other
        with QSignalBlocker(button):
            button.setChecked(True)
        for each in (*self.buttons, self.other):  # Tab comes to the chosen one, arrows go on from there
            each.setFocusPolicy(Qt.FocusPolicy.StrongFocus if each is button else Qt.FocusPolicy.ClickFocus)
        self.field.show_number(None if known else value)

    def _choose(self, on: bool) -> None:
        if not on:
            return
        button = self._group.checkedButton()
        if button is self.other:
            self.field.setFocus()
        elif button is not None:
            self._apply(self.values[self.buttons.index(button)])

    def _show_other(self) -> None:
        """Whoever types a number has chosen it."""
        self.other.setChecked(True)

    def _settle(self) -> None:
        """Whoever chose a number and typed none has chosen nothing."""
        self.show_value(self._shown)
