"""What is docked at the sides of the window."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from explorer.ui import theme
from explorer.ui.turns import turns

_SIDES = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
# What larger type leaves the centre of the window's width before docks at that side stay narrower than they should be.
# At the right most lines are broken where they must, at the left what does not fit is out of reach.
FREE = dict(zip(_SIDES, (1 / 3, 1 / 2), strict=True))
_WISH = re.compile(r"(\w+)=(\d{1,5})@([1-9]\d{0,2})")


def dock_of(name: str, title: str, content: QWidget) -> QDockWidget:
    """A dock around `content`."""
    dock = QDockWidget(title)
    dock.setObjectName(name)
    dock.setWidget(content)
    return dock


class KeptWidths(QObject):
    """The widths that a person wants docks to have: they come back after the window has been narrow for a while, and
    go with the size of type.

    Qt takes the room from the docks and gives it to what is between them when there is room again; and a dock that
    larger type has made wider stays so.
    """

    def __init__(self, window: QMainWindow, docks: Sequence[QDockWidget]) -> None:
        """Where room is short, the last of `docks` is the first to be made narrower."""
        super().__init__(window)
        self._window, self._docks = window, docks
        self._wishes: dict[QDockWidget, tuple[int, int]] = {}  # width, and the size of type it was had at
        self._had: dict[QDockWidget, int] = {}  # widths that are known already: no news from a person
        self._settled = -1  # the width of the window when its docks had theirs
        self._size = theme.ui_size()
        self._dressing = 0  # sizes of type that have not been given to all in view
        self._timer = QTimer(self, singleShot=True, interval=0)  # once Qt has laid everything out
        self._timer.timeout.connect(self._give_back)
        self._noting = QTimer(
            self, singleShot=True, interval=0
        )  # likewise: docks are resized before the centre
        self._noting.timeout.connect(self._note)
        for each in (window, *docks):
            each.installEventFilter(self)
        theme.watcher().changed.connect(self._await_dress)

    @property
    def wishes(self) -> str:
        """For `wish`, in another run of the program."""
        return " ".join(f"{dock.objectName()}={w}@{size}" for dock, (w, size) in self._wishes.items())

    def wish(self, wishes: str) -> None:
        """As from a person: "name=width@size of type …"; what does not read like that is left out."""
        found = {name: (int(width), int(size)) for name, width, size in _WISH.findall(wishes)}
        self._wishes = {dock: found[name] for dock in self._docks if (name := dock.objectName()) in found}

    def give(self) -> None:
        """Every dock at a side gets the width that it should have."""
        self._resize(self._widths())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            if watched is self._window:
                self._timer.start()
            else:
                self._noting.start()
        return False

    def _await_dress(self) -> None:
        """Until all in view has type of another size docks are as wide as they must be, which nobody wants."""
        if theme.ui_size() != self._size:
            self._size = theme.ui_size()
            self._dressing += 1
            turns().add(self, self._on_dressed)

    def _on_dressed(self) -> None:
        self._dressing -= 1
        if not self._dressing:
            for _ in range(2):  # what is in a dock may need less only once it has been laid out anew
                self.give()
                self._settle()

    def _note(self) -> None:
        """Docks have another width, and the window has not: somebody wants it so."""
        if self._window.width() != self._settled or self._dressing:
            return
        for dock in self._docks:
            width, wished = dock.width(), self._wished(dock)
            if not dock.isVisible() or width == self._had.get(dock):
                continue
            self._had[dock] = width
            forced = 0 < wished < width <= dock.minimumSizeHint().width()  # by what is in it
            if not forced and (width >= wished or self._has_room):
                self._wishes[dock] = width, theme.ui_size()

    @property
    def _has_room(self) -> bool:
        """Whether a dock is as narrow as it is because somebody wants it so."""
        centre = self._window.centralWidget()
        return centre.width() > centre.minimumSizeHint().width()

    def _wished(self, dock: QDockWidget) -> int:
        """In pixels, at the present size of type; 0 where nothing is known."""
        width, size = self._wishes.get(dock, (0, 1))
        return round(width * theme.ui_size() / size)

    def _widths(self) -> dict[QDockWidget, int]:
        """What docks at the sides should have; at larger type no more than there is room for, and no less than
        they had when somebody chose it.
        """
        columns: dict[tuple[Qt.DockWidgetArea, int], list[QDockWidget]] = {}  # docks one above the other
        for dock in self._docks:
            if self._is_beside(dock) and dock in self._wishes:
                columns.setdefault((self._window.dockWidgetArea(dock), dock.x()), []).append(dock)
        widths = {at: max(map(self._wished, docks)) for at, docks in columns.items()}
        for at in reversed(columns):
            room = round((1 - FREE[at[0]]) * self._window.width())
            least = max(max(self._wishes[dock][0], dock.minimumSizeHint().width()) for dock in columns[at])
            excess = max(sum(widths.values()) - room, 0)
            widths[at] -= min(excess, max(widths[at] - least, 0))
        return {dock: widths[at] for at, docks in columns.items() for dock in docks}

    def _is_beside(self, dock: QDockWidget) -> bool:
        """Whether it is seen left or right of the centre; one behind another one stands out of the window, as all may
        before they are shown.
        """
        at_side = not dock.isFloating() and self._window.dockWidgetArea(dock) in _SIDES
        in_front = dock.geometry().right() >= 0 or not self._window.isVisible()
        return at_side and not dock.isHidden() and in_front

    def _resize(self, widths: dict[QDockWidget, int]) -> None:
        if widths:
            self._window.resizeDocks([*widths], [*widths.values()], Qt.Orientation.Horizontal)

    def _give_back(self) -> None:
        if not self._dressing:
            self._resize({dock: w for dock, w in self._widths().items() if dock.width() < w})
            self._settle()

    def _settle(self) -> None:
        self._window.layout().activate()  # now: what a narrow window has room for is nobody's wish
        self._noting.stop()
        self._settled = self._window.width()
        for dock in self._docks:
            if dock.isVisible():
                self._had[dock] = dock.width()
                self._wishes.setdefault(dock, (dock.width(), theme.ui_size()))
