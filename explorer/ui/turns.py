"""Work that would hold the window up if it were done in one go: a step in each turn of the event loop."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache, partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid


class Turns(QObject):
    """Steps of all windows, in the order in which they came; those of what is gone by then are left out.

    Timers without an interval would not do: those that are due go off one after the other, with nothing in between.
    """

    def __init__(self) -> None:
        super().__init__()
        self._steps: deque[tuple[QObject, Callable[[], object]]] = deque()
        self._held: list[QWidget] = []  # as often as they wait
        self._longer: set[QWidget] = set()  # those of them that have been made to wait longer
        self._timer = QTimer(self, interval=1)  # of 0 it would go off twice before another timer that is due
        self._timer.timeout.connect(self._next)

    @property
    def busy(self) -> bool:
        """Whether there is a step to be done."""
        return bool(self._steps)

    def add(self, owner: QObject, step: Callable[[], object]) -> None:
        """Do it when its turn comes."""
        self._steps.append((owner, step))
        self._timer.start()

    def go_through(self, owner: QObject, steps: Iterator[object]) -> None:
        """Do one after the other, each when its turn comes."""

        def step() -> None:
            if next(steps, steps) is not steps:
                self.add(owner, step)

        self.add(owner, step)

    def hold(self, *widgets: QWidget) -> None:
        """Paint them, one per turn, once the steps are done that are added in this one.

        To be called before anything is moved: what has asked to be painted by then is.
        """
        self._held = [*filter(isValid, self._held), *widgets]
        self._longer = set(filter(isValid, self._longer))
        for widget in widgets:
            widget.setUpdatesEnabled(False)
        self.add(self, partial(self._let_go, widgets))

    def hold_longer(self, part: QWidget) -> bool:
        """Have all that waits to be painted around a part of it wait for the steps as well that are added in this turn.

        False where nothing waits, or all has waited longer already: else nothing would be seen as long as a hand
        turns the wheel.
        """
        around = [each for each in self._held if isValid(each) and (each is part or each.isAncestorOf(part))]
        waiting = set(around) - self._longer
        self._longer |= waiting
        if waiting:
            self.hold(*waiting)
        return bool(waiting)

    def _let_go(self, widgets: tuple[QWidget, ...]) -> None:
        for widget in widgets:
            self.add(widget, partial(self._paint, widget))

    def _paint(self, widget: QWidget) -> None:
        self._held.remove(widget)
        if widget not in self._held:  # nor is anything else under way that it waits for
            self._longer.discard(widget)
            if not widget.isWindow():
                widget.setUpdatesEnabled(True)
                return
            _let_paint(widget)
            # First shown meanwhile, Qt believes its painting to be on the way, and asks for none.
            QCoreApplication.postEvent(widget, QEvent(QEvent.Type.UpdateRequest))

    def _next(self) -> None:
        if self._steps:
            owner, step = self._steps.popleft()
            if isValid(owner):
                step()
        if not self._steps:
            self._timer.stop()


def _let_paint(window: QWidget) -> None:
    """Enable updates, first of what stands in a window, then of itself: in the other order Qt paints all of it twice,
    once because of the window and once because of what stands in it.
    """
    for attribute in (Qt.WidgetAttribute.WA_ForceUpdatesDisabled, Qt.WidgetAttribute.WA_UpdatesDisabled):
        window.setAttribute(attribute, False)
    for child in window.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if not child.isWindow() and not child.testAttribute(Qt.WidgetAttribute.WA_ForceUpdatesDisabled):
            child.setUpdatesEnabled(True)
    window.update()


@cache
def turns() -> Turns:
    """The one Turns."""
    return Turns()
