"""Dialogs that are answered before anything else is done."""

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

from explorer.ui.waiting import PAINTED_MS

NEXT_TURN_MS = 1  # without an interval it would come in this one


def accepted(dialog: QDialog) -> bool:
    """Whether a person accepted it; it is not valid any more where its window has gone meanwhile.

    It is shown in a turn of the event loop of its own, for this one has made it, and dresses it. What follows begins
    when the window is painted that comes to the front again: a thread at work would make that longer.
    """
    loop = QEventLoop()
    answers = []

    def ask() -> None:
        if isValid(dialog):
            answers.append(dialog.exec())
        QTimer.singleShot(PAINTED_MS, loop, loop.quit)

    QTimer.singleShot(NEXT_TURN_MS, loop, ask)
    loop.exec()
    return isValid(dialog) and answers == [QDialog.DialogCode.Accepted]
