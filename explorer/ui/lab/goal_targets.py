"""The line in which the wanted numbers are typed."""

from collections.abc import Callable
from math import isfinite

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLineEdit

from explorer.numbers import NumberError, exact, parse_number
from explorer.ui.boxes import is_history_key
from explorer.ui.problems import problem_text


class Targets(QLineEdit):
    """One number or several, between blanks. `apply(numbers)` returns why they cannot be, or nothing."""

    def __init__(self, apply: Callable[[list[float]], str]) -> None:
        super().__init__()
        self._apply = apply
        self._shown = ""
        self._applying = False

    @property
    def is_typed(self) -> bool:
        """Whether somebody is at a text that is not applied yet, or was refused and is to be mended."""
        return self.hasFocus() and self.text() != self._shown and not self._applying

    def show_numbers(self, numbers: list[float]) -> None:
        """Show these without applying them, unless something `is_typed`: that stays."""
        shown = "  ".join(exact(number) for number in numbers)
        if not self.is_typed:
            self.setText(shown)
        self._shown = shown

    def commit(self) -> str:
        """Apply what was typed; why not, where it cannot be."""
        if self.text().strip() in ("", self._shown):
            return ""
        try:
            numbers = [parse_number(part) for part in self.text().replace(";", " ").split()]
        except NumberError as error:
            return problem_text(f"{error}.")
        if not all(map(isfinite, numbers)):
            return self.tr("Finite numbers are wanted here.")
        self._applying = True
        try:
            return self._apply(numbers)
        finally:
            self._applying = False

    def event(self, event: QEvent) -> bool:
        if is_history_key(event) and self.text() == self._shown:
            event.ignore()
            return False
        return super().event(event)
