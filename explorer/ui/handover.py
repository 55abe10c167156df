"""What a window takes over from the one before it, when it is made anew in another language."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

from explorer.attention.trace import Cell
from explorer.scene import MATRICES
from explorer.ui.grids.commands import Block
from explorer.ui.lesson_play import Session
from explorer.ui.main_window import MainWindow

if TYPE_CHECKING:
    from explorer.ui.present.presenter import Place

SCROLLED = ("pipeline", "inputs", "inspector_scroll", *(f"grid_{name}" for name in MATRICES))


@dataclass(frozen=True)
class Handover:
    """Where a person is in a window, beside the Document itself."""

    walked: tuple[Cell, ...]  # the trail, and the chosen cell
    covered: frozenset[Cell]
    covering: bool
    only: int | None  # the head that fills the canvas
    zoom: float
    tab: int  # of the projections
    scrolled: dict[str, tuple[int, int]]
    blocks: dict[str, Block]  # that are selected in grids, by the matrix
    focus: str
    lesson: Session | None
    presenting: "Place | None"
    tool: str  # of the lab
    lab_behind: bool  # another dock is in front of it
    reading: str  # the view in place of the panels

    @classmethod
    def of(cls, window: MainWindow) -> "Handover":
        """What `window` shows now."""
        cell = window.selection.cell
        focused = QApplication.focusWidget()
        return cls(
            walked=() if cell is None else (*window.selection.trail, cell),
            covered=window.covers.cells,
            covering=window.covers.covering,
            only=window.pipeline.only,
            zoom=window.pipeline.zoom,
            tab=window.inputs.tabs.currentIndex(),
            scrolled={name: _scroll(area) for name in SCROLLED if (area := _area(window, name)) is not None},
            blocks={
                name: block
                for name, section in window.inputs.sections.items()
                if (block := section.grid.block()) is not None
            },
            focus=focused.objectName() if focused is not None and window.isAncestorOf(focused) else "",
            lesson=window.lessons.session,
            presenting=None if window.presenter is None else window.presenter.place,
            tool=window.lab.tool,
            lab_behind=window.lab.dock.visibleRegion().isEmpty(),
            reading=window.reading.view,
        )

    def to(self, window: MainWindow) -> None:
        """Let `window`, of the same Document, go on there."""
        if self.lesson is not None:
            window.lessons.resume(self.lesson)
        if self.tool:
            window.lab.open(self.tool)
            if self.lab_behind:
                window.inspector_dock.raise_()
        if self.reading:
            window.reading.open(self.reading)
        window.pipeline.show_head(self.only)
        window.pipeline.set_zoom(self.zoom)
        window.inputs.tabs.setCurrentIndex(self.tab)
        window.covers.reveal()
        window.covers.cover(self.covered)
        window.covers.set_covering(self.covering)
        for name, block in self.blocks.items():  # else the focus would choose the first cell
            window.inputs.sections[name].grid.select_block(block)
        window.selection.select(None)
        for cell in self.walked:
            window.selection.walk(cell)
        if (widget := window.findChild(QWidget, self.focus) if self.focus else None) is not None:
            widget.setFocus()
        if self.presenting is not None:
            window.present()
            assert window.presenter is not None
            window.presenter.return_to(self.presenting)
        QTimer.singleShot(0, window, lambda: self._scroll(window))  # once everything has its size

    def _scroll(self, window: MainWindow) -> None:
        for name, (x, y) in self.scrolled.items():
            if (area := _area(window, name)) is not None:
                area.horizontalScrollBar().setValue(x)
                area.verticalScrollBar().setValue(y)


def _area(window: MainWindow, name: str) -> QAbstractScrollArea | None:
    return window.findChild(QAbstractScrollArea, name)


def _scroll(area: QAbstractScrollArea) -> tuple[int, int]:
    return area.horizontalScrollBar().value(), area.verticalScrollBar().value()
