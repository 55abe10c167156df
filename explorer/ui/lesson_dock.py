"""The dock of an open lesson, empty until there is one."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDockWidget


class LessonDock(QDockWidget):
    """Its cross does not merely hide it: the lesson is closed."""

    close_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_dock")
        self.toggleViewAction().setVisible(False)  # it comes and goes with a lesson
        self.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.close_asked.emit()
