"""What is docked at the sides of the window."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget


def dock_of(name: str, title: str, content: QWidget) -> QDockWidget:
    """A dock around `content`."""
    dock = QDockWidget(title)
    dock.setObjectName(name)
    dock.setWidget(content)
    return dock


class KeptWidths(QObject):
    """A window that has been narrow for a while gives its docks back the widths that they had.

    Qt takes the room from the docks and gives it to what is between them when there is room again.
    """

    def __init__(self, window: QMainWindow, docks: Sequence[QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._widths: dict[
            QDockWidget, int
        ] = {}  # that a person wants: had while the window stayed as it was
        self._settled = -1  # the width of the window when its docks had theirs
        self._timer = QTimer(self, singleShot=True, interval=0)  # once Qt has laid everything out
        self._timer.timeout.connect(self._give_back)
        self._noting = QTimer(
            self, singleShot=True, interval=0
        )  # likewise: docks are resized before the centre
        self._noting.timeout.connect(self._note)
        for each in (window, *docks):
            each.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            if watched is self._window:
                self._timer.start()
            else:
                self._noting.start()
        return False

    def _note(self) -> None:
        """Docks have another width, and the window has not: somebody wants it so."""
        if self._window.width() == self._settled:
            for dock in self._docks:
                if dock.isVisible() and (dock.width() >= self._widths.get(dock, 0) or self._has_room):
                    self._widths[dock] = dock.width()

    @property
    def _has_room(self) -> bool:
        """Whether a dock is as narrow as it is because somebody wants it so."""
        centre = self._window.centralWidget()
        return centre.width() > centre.minimumSizeHint().width()

    def _give_back(self) -> None:
        known = [dock for dock in self._docks if dock.isVisible() and dock in self._widths]
        narrowed = [dock for dock in known if dock.width() < self._widths[dock] and not dock.isFloating()]
        if narrowed:
            widths = [self._widths[dock] for dock in narrowed]
            self._window.resizeDocks(narrowed, widths, Qt.Orientation.Horizontal)
            self._window.layout().activate()  # now: what a narrow window has room for is nobody's wish
        self._noting.stop()
        self._settled = self._window.width()
        for dock in self._docks:
            if dock not in self._widths and dock.isVisible():
                self._widths[dock] = dock.width()
