"""The style sheet on a window, part by part: Qt needs long to dress all of a window, or the application, at once."""

from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialogButtonBox, QMainWindow, QWidget

from explorer.ui import theme
from explorer.ui.turns import turns

FRAME = """
QMainWindow { background: palette(window); }
QMainWindow::separator { background: palette(mid); width: 1px; height: 1px; }
"""


class Wardrobe(QObject):
    """Dresses what stands directly in a main window, and dialogs over it; each with all in it.

    A widget there that has a sheet of its own begins that with theme.sheet(), and says so with `dresses_itself`.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.setStyleSheet(FRAME)
        theme.watcher().changing.connect(self._hold)
        theme.watcher().changed.connect(self._begin)

    def dress(self) -> None:
        """All of it, now: before the window is shown that takes least."""
        for part in self.parts():
            _dress(part)

    def welcome(self, part: QWidget) -> None:
        """What comes later, such as a dialog; it is about to be shown."""
        _dress(part)

    def parts_in_view(self) -> list[QWidget]:
        """What is seen of the window, from the top on; dialogs are left out."""
        seen = [part for part in self.parts() if part.isVisible() and not part.isWindow()]
        return sorted(seen, key=lambda part: (part.y(), part.x()))

    def _hold(self) -> None:
        turns().hold(self._window)

    def _begin(self) -> None:
        """Other colours, or another size of type: a part per turn of the event loop, those in view seen together."""
        self._window.style().polish(self._window)
        for part in self.parts():
            if part.isVisible():
                turns().add(part, partial(_dress, part))
        turns().add(self, self._go_on)

    def _go_on(self) -> None:
        """What is out of view, once the rest is painted."""
        for part in self.parts():
            turns().add(part, partial(_dress, part))

    def parts(self) -> list[QWidget]:
        """All that stands directly in it, and the dialogs over it."""
        return self._window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)


def _dress(part: QWidget) -> None:
    sheet = theme.sheet()
    if not getattr(part, "dresses_itself", False) and part.styleSheet() != sheet:
        part.setStyleSheet(sheet)
    for box in part.findChildren(QDialogButtonBox):
        for button in box.buttons():  # made before the sheet could tell that they have none
            button.setIcon(QIcon())
