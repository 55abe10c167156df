"""A matrix of a tool as a heat map: a panel with numbers of its own, as wide as the page."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from explorer.attention.trace import Stage, Trace
from explorer.scene import Array, Flags, Scene
from explorer.ui import theme
from explorer.ui.panels import lettering
from explorer.ui.panels.frame import Geometry
from explorer.ui.panels.heatmap import Levels, ends_of, levels
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.view import TraceView
from explorer.ui.preferences import preferences

TALLEST = 320  # px of all cells together, at the usual size
LEAST = 0.02  # px of a cell: several share a pixel where there are more of them than the page is wide


@dataclass(frozen=True, eq=False)
class Matrix:
    """What a heat map shows. `title` is HTML, `spoken` plain; `place` is what its cells are called by."""

    values: Array
    title: str
    spoken: str
    rows: Sequence[str]
    columns: Sequence[str]
    place: str = "lab"
    head: int | None = None
    colours: str = "signed"
    span: Levels | None = None  # None: its own
    hidden: Flags | None = None
    column_heads: Sequence[int] | None = None


class _Kind(StagePanel):
    """The Matrix as panels know what they show."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix_ = matrix
        self.name = matrix.place
        self.group = "lab"
        self.stage = Stage("", "", "scene", "row", "column", matrix.colours, "", "", "")

    def shape(self, scene: Scene) -> tuple[int, int]:
        rows, columns = self.matrix_.values.shape
        return rows, columns

    def row_labels(self, scene: Scene) -> tuple[str, ...]:
        return tuple(self.matrix_.rows)

    def column_labels(self, scene: Scene) -> tuple[str, ...]:
        return tuple(self.matrix_.columns)

    def column_head(self, scene: Scene, col: int) -> int | None:
        return None if self.matrix_.column_heads is None else self.matrix_.column_heads[col]

    def formula(self, scene: Scene, head: int | None) -> str:
        return self.matrix_.title


class HeatMap(Panel):
    """Shows a Matrix; clicks and keys are a Panel's."""

    def __init__(
        self, matrix: Matrix, scene: Scene, view: TraceView | None, parent: QWidget | None = None
    ) -> None:
        self._matrix = matrix
        super().__init__(_Kind(matrix), matrix.head, scene, parent)
        self.setObjectName(f"heat_{matrix.place}" + ("" if matrix.head is None else f"_{matrix.head + 1}"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(80)
        theme.watcher().changed.connect(self._fit)
        self.show_matrix(matrix, scene, view)

    def show_matrix(self, matrix: Matrix, scene: Scene, view: TraceView | None) -> None:
        """Show another one of the same place and head; without a view, empty cells."""
        self._matrix, self.kind = matrix, _Kind(matrix)
        self._view = view
        self._scene = scene
        self._fit()
        self._name()
        self.update()

    def matrix(self) -> Array:
        return self._matrix.values

    def hidden(self) -> Flags | None:
        return self._matrix.hidden

    def levels(self) -> Levels:
        return self._matrix.span or levels(self._matrix.values, self._matrix.colours)

    def ends(self) -> tuple[float, float]:
        return ends_of(self._matrix.values)

    @property
    def colour_map(self) -> str:
        return self._matrix.colours

    @property
    def missing(self) -> str:
        return ""

    @property
    def foot(self) -> int:
        """Logical pixels below the cells: the colour bar's."""
        return lettering.foot_height()

    def dressed(self) -> AbstractContextManager[None]:
        """On the ground of the page, not on that of the pipeline."""
        colours = theme.current()
        return theme.using(replace(colours, background=colours.surface), preferences().scale)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _name(self) -> None:
        self.setAccessibleName(self._matrix.spoken)

    def _fit(self) -> None:
        """Cells as wide as the page has room for, up to the pipeline's own size."""
        matrix, font = self._matrix, QFontMetrics(theme.ui_font())
        rows, columns = matrix.values.shape
        left = lettering.labels_width(matrix.rows)
        decimals = preferences().decimals
        usual = font.horizontalAdvance("−0" + "." * bool(decimals) + "0" * decimals) + 10
        tallest = TALLEST * theme.ui_font().pixelSize() / theme.USUAL_SIZE
        cell = (
            _whole(max(LEAST, min(float(usual), (max(self.width(), 80) - left - 4) / columns))),
            _whole(max(LEAST, min(float(font.height() + 8), tallest / rows))),
        )
        longest, lying, standing = lettering.column_room(matrix.columns)
        top = lettering.title_height() + (lying if longest <= cell[0] else standing)
        title = lettering.title_width(self.kind, self._scene, None)
        self.set_scene(self._scene, Geometry(cell, left, top, self.foot, title))
        self.face = (matrix.title, tuple(matrix.rows), tuple(matrix.columns), matrix.column_heads)
        self.setFixedHeight(self.sizeHint().height())


def _whole(size: float) -> float:
    """Whole pixels where a cell has a few: it is drawn so, and its neighbours must add up to the body."""
    return float(int(size)) if size >= 3 else size


class HeatMaps(QWidget):
    """Heat maps below one another; those of a place that was there before stay where they are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.maps: dict[tuple[str, int | None], HeatMap] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)

    def show_all(self, matrices: Sequence[Matrix], trace: Trace) -> list[HeatMap]:
        """Show these and no others; the ones that are new."""
        keys = [(matrix.place, matrix.head) for matrix in matrices]
        if keys != list(self.maps):
            for old in self.maps.values():
                old.hide()
                old.setObjectName("")
                old.deleteLater()
            self.maps = {}
        new = []
        for key, matrix in zip(keys, matrices, strict=True):
            if key in self.maps:
                self.maps[key].show_matrix(matrix, trace.scene, TraceView(trace))
            else:
                self.maps[key] = HeatMap(matrix, trace.scene, TraceView(trace), self)
                self._layout.addWidget(self.maps[key])
                new.append(self.maps[key])
        return new
