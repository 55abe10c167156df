"""The straightforward window: what one writes first, honestly, to see the same matrices change.

One pyqtgraph view; per panel one ImageItem and one item that writes every number with drawText, both given anew
from the trace at each change. It shows the panels that the program has in view, at the same places, at the same
size, with the same colours; formulas and labels stand there once. It has no grids, no status bar, no frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsSimpleTextItem,
    QGraphicsTextItem,
    QStyleOptionGraphicsItem,
    QWidget,
)

from benchmarks.measure import milliseconds
from explorer import attention
from explorer.attention.trace import Trace
from explorer.scene import Array, Scene
from explorer.ui import theme
from explorer.ui.panels.heatmap import levels
from explorer.ui.panels.kinds import StagePanel

LABELLED = 10  # pixels of a cell that has a label of its own


@dataclass(frozen=True)
class Place:
    """One matrix: which, where its cells are in the window, and whether they are large enough for numbers."""

    kind: StagePanel
    head: int | None
    cells: QRect
    numbers: bool


class PlainWindow:
    """Shows traces of `scene` and its edits in a window of `size` logical pixels. `close` it."""

    def __init__(self, scene: Scene, places: Sequence[Place], size: tuple[int, int]) -> None:
        self._view = pyqtgraph.GraphicsView(background=theme.current().background)
        self._view.resize(*size)
        self._panels = [_Panel(place) for place in places]
        for panel in self._panels:
            for item in panel.items(scene):
                self._view.addItem(item)
        self._view.show()
        self.show(scene)

    def show(self, scene: Scene) -> None:
        """Compute the scene and show all of it, until it is painted."""
        trace = attention.attend(scene)
        for panel in self._panels:
            panel.show(trace)
        QGuiApplication.processEvents()
        QGuiApplication.sync()

    def once(self, scene: Scene) -> float:
        """Milliseconds of one `show`."""
        return milliseconds(lambda: self.show(scene))

    def close(self) -> None:
        """Take it off the screen."""
        self._view.close()
        QGuiApplication.processEvents()


class _Panel:
    """What stands for one panel."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._image = pyqtgraph.ImageItem(axisOrder="row-major")
        self._image.setLookupTable(theme.lut(place.kind.stage.colours))
        self._numbers = _Numbers(place.cells) if place.numbers else None

    def items(self, scene: Scene) -> list[QGraphicsItem]:
        """What to put into the view: cells, numbers; formula and labels, which do not change."""
        kind, cells = self._place.kind, self._place.cells
        title = QGraphicsTextItem()
        title.setHtml(kind.formula(scene, self._place.head))
        title.setPos(cells.x(), cells.y() - 50)
        rows, cols = kind.shape(scene)
        labels: list[QGraphicsItem] = []
        if cells.height() / rows >= LABELLED:
            for row, text in enumerate(kind.row_labels(scene)):
                labels.append(_label(text, cells.x() - 24, cells.y() + row * cells.height() / rows))
        if cells.width() / cols >= LABELLED:
            for col, text in enumerate(kind.column_labels(scene)):
                labels.append(_label(text, cells.x() + col * cells.width() / cols, cells.y() - 16))
        return [title, *labels, self._image, *([] if self._numbers is None else [self._numbers])]

    def show(self, trace: Trace) -> None:
        """The numbers of another trace."""
        kind = self._place.kind
        matrix = kind.matrix(trace, self._place.head)
        span = levels(kind.all(trace), kind.stage.colours)
        self._image.setImage(matrix, levels=(span.low, span.high))
        self._image.setRect(QRectF(self._place.cells))
        if self._numbers is not None:
            self._numbers.show_matrix(matrix, span.high)


def _label(text: str, x: float, y: float) -> QGraphicsItem:
    item = QGraphicsSimpleTextItem(text)
    item.setFont(theme.ui_font(0.88))
    item.setPos(x, y)
    return item


class _Numbers(QGraphicsItem):
    """Writes every number of a matrix, at every change."""

    def __init__(self, cells: QRect) -> None:
        super().__init__()
        self._cells = QRectF(cells)
        self._texts: list[list[tuple[str, bool]]] = []
        self._font = theme.ui_font()

    def show_matrix(self, matrix: Array, high: float) -> None:
        """`high`: the upper end of the colour map; numbers in the darker half are white."""
        self._texts = [[(f"{value:.2f}", abs(value) > high / 2) for value in row] for row in matrix.tolist()]
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._cells

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        if not self._texts:
            return
        painter.setFont(self._font)
        left, top = self._cells.x(), self._cells.y()
        width, height = self._cells.width() / len(self._texts[0]), self._cells.height() / len(self._texts)
        for row, texts in enumerate(self._texts):
            for col, (text, white) in enumerate(texts):
                painter.setPen(Qt.GlobalColor.white if white else Qt.GlobalColor.black)
                cell = QRectF(left + col * width, top + row * height, width, height)
                painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, text)
