"""Modal dialogs, answered as a person would: once they are there."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget


def when_asked(answer: Callable[[QWidget], object]) -> None:
    """Call `answer` with the next dialog that asks, in the event loop of its own that it runs."""
    timer = QTimer(QApplication.instance(), interval=5)

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if dialog is not None:
            timer.deleteLater()
            answer(dialog)

    timer.timeout.connect(look)
    timer.start()
