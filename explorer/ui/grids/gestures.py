"""Mouse gestures on the current number: the wheel and a drag nudge it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from explorer.ui.grids.nudge import Nudger, step_size

if TYPE_CHECKING:
    from explorer.ui.grids.view import MatrixGrid

NOTCH = 120  # an eighth of a degree each: one click of a wheel
PIXELS = 8  # of a drag for one step
MOST = 10_000  # cells that are nudged together


class NudgeGestures(QObject):
    """Watches the viewport of a grid; takes wheel and drag on the current number, lets the rest through.

    Only a number that was selected before is nudged: the press that selects begins a selection, and the wheel
    over anything else scrolls.
    """

    def __init__(self, grid: "MatrixGrid", nudger: Nudger) -> None:
        super().__init__(grid)
        self._grid, self._nudger = grid, nudger
        self._pressed: QPoint | None = None
        self._dragging = False
        self._steps = 0  # of this drag so far
        self._turned = 0  # of the wheel since its last step; touchpads turn by less than a notch
        grid.viewport().setMouseTracking(True)
        grid.viewport().installEventFilter(self)

    def eventFilter(self, viewport: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QWheelEvent):
            return kind == QEvent.Type.Wheel and self._wheel(event)
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                return self._press(event)
            if kind == QEvent.Type.MouseMove:
                return self._move(event)
            if kind == QEvent.Type.MouseButtonRelease:
                return self._release()
        return False

    def keys(self, steps: int, modifiers: Qt.KeyboardModifier) -> None:
        """Nudge all selected numbers (Alt+Up, Alt+Down)."""
        block = self._grid.block()
        if block is not None and block.size <= MOST:
            # Alt came with the arrow and asks for no smaller step
            self._nudger.nudge(block.cells, steps * step_size(modifiers & ~Qt.KeyboardModifier.AltModifier))

    def cancel(self) -> bool:
        """Take back a drag that goes on; whether there was one."""
        was, self._dragging, self._pressed = self._dragging, False, None
        if was:
            self._nudger.cancel()
        return was

    def _wheel(self, event: QWheelEvent) -> bool:
        if not self._is_on_number(event.position().toPoint()):
            return False
        self._turned += event.angleDelta().y() or event.angleDelta().x()  # Alt turns the wheel sideways
        steps = int(self._turned / NOTCH)
        if steps:
            self._turned -= steps * NOTCH
            block = self._grid.block()
            assert block is not None
            if block.size <= MOST:
                self._nudger.nudge(block.cells, steps * step_size(event.modifiers()))
        event.accept()
        return True

    def _press(self, event: QMouseEvent) -> bool:
        at = event.position().toPoint()
        block = self._grid.block()
        alone = block is not None and block.size == 1
        if event.button() != Qt.MouseButton.LeftButton or not alone or not self._is_on_number(at):
            return False
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return False
        self._pressed, self._steps = at, 0
        return True

    def _move(self, event: QMouseEvent) -> bool:
        at = event.position().toPoint()
        if self._pressed is None:
            if not event.buttons():
                on = self._is_on_number(at)
                self._grid.viewport().setCursor(
                    Qt.CursorShape.SizeVerCursor if on else Qt.CursorShape.ArrowCursor
                )
            return False
        way = at - self._pressed
        if not self._dragging and way.manhattanLength() < QApplication.startDragDistance():
            return True
        self._dragging = True
        steps = int((way.x() - way.y()) / PIXELS)
        block = self._grid.block()
        if steps != self._steps and block is not None:
            amount = (steps - self._steps) * step_size(event.modifiers())
            self._steps = steps
            self._nudger.nudge(block.cells, amount, pause=False)
        return True

    def _release(self) -> bool:
        if self._pressed is None:
            return False
        self._pressed, self._dragging = None, False
        self._nudger.end()
        return True

    def _is_on_number(self, at: QPoint) -> bool:
        """Whether the current number is there, selected, and the grid has the focus."""
        index = self._grid.indexAt(at)
        return (
            index.isValid()
            and index == self._grid.currentIndex()
            and self._grid.hasFocus()
            and self._grid.selectionModel().isSelected(index)
        )
