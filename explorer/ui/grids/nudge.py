"""Numbers stepped up and down by wheel, drag or keys."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import count

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.document import Document
from explorer.scene import Scene
from explorer.ui.grids.matrices import cells_text

STEP = Decimal("0.1")
PAUSE = 800  # ms without a step after which the next wheel turn or key is a gesture of its own

_gestures = count()


def step_size(modifiers: Qt.KeyboardModifier) -> Decimal:
    """0.1; with Shift ten times that, with Ctrl or Alt a tenth."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return STEP * 10
    if modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
        return STEP / 10
    return STEP


class Nudger(QObject):
    """Adds steps to numbers of one matrix; the steps of one gesture are one undo step.

    The sum is taken in decimals from the numbers before the gesture: three steps up from 0 read 0.3, and the
    same steps down lead back to the very same number, and to no undo step at all.
    """

    ended = Signal()

    def __init__(self, document: Document, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._name = document, name
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.end)
        self._begin(())

    @property
    def active(self) -> bool:
        """Whether a gesture has begun and not ended."""
        return bool(self._cells)

    def nudge(self, cells: Sequence[tuple[int, int]], amount: Decimal, pause: bool = True) -> None:
        """Add `amount` to these cells. With `pause` the gesture ends by itself, else with `end`."""
        if self._cells != tuple(cells) or self._document.scene is not self._last:
            self._begin(tuple(cells))
        self._total += amount
        values = self._before.table(self._name)
        assert values is not None
        moved = [(i, j, _plus(values.item(i, j), self._total)) for i, j in self._cells]
        self._show(self._before.with_cells(self._name, moved))
        if pause:
            self._pause.start()

    def cancel(self) -> None:
        """Take back the gesture that has not ended."""
        if self.active and self._document.scene is self._last:
            self._show(self._before)
        self.end()

    def end(self) -> None:
        """The next step starts a gesture of its own."""
        if self.active:
            self._begin(())
            self.ended.emit()

    def _begin(self, cells: tuple[tuple[int, int], ...]) -> None:
        self._pause.stop()
        self._cells = cells
        self._before = self._last = self._document.scene
        self._total = Decimal(0)
        self._merge = f"nudge {next(_gestures)}"

    def _show(self, scene: Scene) -> None:
        self._last = scene
        step = self.tr("Nudge {cells}").format(cells=cells_text(self._name, self._cells))
        self._document.edit(scene, step, merge=self._merge)


def _plus(value: float, amount: Decimal) -> float:
    return float(Decimal(repr(value)) + amount) if np.isfinite(value) else value
