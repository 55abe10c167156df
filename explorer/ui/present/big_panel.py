"""Panels as the presenter shows them."""

from contextlib import AbstractContextManager

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from explorer.ui import theme
from explorer.ui.panels import overlay
from explorer.ui.panels.map import MapPanel
from explorer.ui.panels.panel import Panel

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class _Big(Panel):
    """In the presenter's colours and size."""

    walking = False  # the arrows go from number to number: Tab has come here
    veiled = False  # the whole picture is to be guessed

    def set_look(self, palette: str, size: float) -> None:
        """Colours by name, and the size of titles and labels."""
        self._look = (theme.THEMES[palette], size)
        self.update()

    def dressed(self) -> AbstractContextManager[None]:
        return theme.using(*self._look)

    def set_veiled(self, on: bool) -> None:
        """Hide all cells at once: they are too many to be covered one by one."""
        self.veiled = on
        self.update()

    def describe(self, row: int, col: int) -> str:
        return "" if self.veiled else super().describe(row, col)

    def _paint_cells(self, painter: QPainter, colours: theme.Theme, area: QRect) -> None:
        if self.veiled:
            overlay.paint_veil(painter, self.body(), colours)
        else:
            super()._paint_cells(painter, colours, area)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS and not event.modifiers():
            self.walking = True
            super().keyPressEvent(event)
            self.walking = False
        else:
            event.ignore()  # the presenter's keys


class BigPanel(_Big):
    """A panel."""


class BigMap(_Big, MapPanel):
    """A panel of a large head."""
