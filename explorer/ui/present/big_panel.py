"""A panel as the presenter shows it."""

from contextlib import AbstractContextManager

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from explorer.ui import theme
from explorer.ui.panels.panel import Panel

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class BigPanel(Panel):
    """A panel in the presenter's colours and size."""

    def set_look(self, palette: str, size: float) -> None:
        """Colours by name, and the size of titles and labels."""
        self._look = (theme.THEMES[palette], size)
        self.update()

    def dressed(self) -> AbstractContextManager[None]:
        return theme.using(*self._look)

    walking = False  # the arrows go from number to number: Tab has come here

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS and not event.modifiers():
            self.walking = True
            super().keyPressEvent(event)
            self.walking = False
        else:
            event.ignore()  # the presenter's keys
