"""What the figures of every kind of position have in common."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from explorer.attention.trace import Cell, Trace
from explorer.ui.boxes import StepBox
from explorer.ui.lab.heat import HeatMaps, Matrix

Keep = Callable[[str, Any], None]  # a choice by its key, to be kept in the session
Select = Callable[[Cell], None]


class PositionPart(QWidget):
    """The figures of one kind. What a person chooses in them goes to `keep` and comes back with `show_trace`."""

    def __init__(self, keep: Keep, select: Select) -> None:
        super().__init__()
        self.keep, self.select = keep, select
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(10)
        self.maps = HeatMaps()

    def show_trace(self, trace: Trace, chosen: Mapping[str, Any]) -> None:
        """Show its numbers; `chosen` is what the session keeps, whatever that is."""
        raise NotImplementedError

    def spin(self, key: str, name: str) -> StepBox:
        """A number to step through, from 1, kept under its key."""
        box = StepBox()
        box.setObjectName(f"positions_{key}")
        box.setAccessibleName(name)
        box.setKeyboardTracking(False)
        box.valueChanged.connect(lambda value: self.keep(key, value))
        return box

    def show_maps(self, maps: HeatMaps, matrices: list[Matrix], trace: Trace) -> None:
        """Heat maps whose numbers can be pressed: `press`."""
        for heat in maps.show_all(matrices, trace):
            heat.cell_pressed.connect(self.press)

    def press(self, cell: Cell) -> None:
        """A number of a heat map was pressed."""


def line_of(*widgets: QWidget) -> QWidget:
    """Side by side; a label is the buddy of the box after it."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    for label, box in zip(widgets[::2], widgets[1::2], strict=True):
        if isinstance(label, QLabel):
            label.setBuddy(box)
        layout.addWidget(label)
        layout.addWidget(box)
    layout.addStretch(1)
    return line


def numbers(count: int) -> tuple[str, ...]:
    """Labels of so many columns."""
    return tuple(str(number) for number in range(1, count + 1))


def between(value: Any, most: int) -> int:
    """A kept number as far as it can be, counted from 1."""
    return min(max(value, 1), most) if type(value) is int else 1


def show_count(box: StepBox, value: int, most: int) -> None:
    """Show a number from 1 to `most` without asking for it."""
    with QSignalBlocker(box):
        box.setRange(1, most)
        box.setValue(value)
    box.updateGeometry()
    box.update()  # what can be stepped to
