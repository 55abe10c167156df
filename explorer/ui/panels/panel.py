"""One panel: a matrix with its formula, shape, labels, numbers and colour bar.

The panel is a plain widget that paints images. It asks the Trace for its matrix when it is painted, so a panel out of
sight costs nothing; what was drawn is kept until the numbers, the size or the theme change.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.attention.trace import Cell
from explorer.numbers import exact
from explorer.scene import Array, Flags, Scene
from explorer.ui import theme
from explorer.ui.aloud import say
from explorer.ui.panels import chrome, vector
from explorer.ui.panels.glyphs import shared_glyphs
from explorer.ui.panels.heatmap import Levels, pooled
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.panels.picture import Look, Picture, bands
from explorer.ui.panels.view import TraceView, face_of
from explorer.ui.preferences import preferences
from explorer.ui.texts import head_of, place_title

ZOOM_STEP = 1.25
LARGEST_CELL = 160  # logical pixels that one cell may be zoomed to


@dataclass(frozen=True)
class Marks:
    """Which cells bear a frame: (rows, columns) index arrays per group."""

    selected: tuple[int, int] | None = None
    sources: tuple[tuple[range, range], ...] = ()
    dependents: tuple[tuple[range, range], ...] = ()


class Panel(QWidget):
    """A heat map of one matrix of the Trace. `kind` says which; `head` counts from 0, None for the joined stages."""

    cell_clicked = Signal(object)  # Cell
    cell_pressed = Signal(object)  # Cell: clicked, or Enter; walking there with the arrows is not enough
    cell_hovered = Signal(object)  # Cell or None
    cover_clicked = Signal(object)  # Cell: one that is covered, or that shall be (see `set_covering`)
    enlarge_asked = Signal(int)  # head, −1 for the joined stages

    def __init__(
        self, kind: StagePanel, head: int | None, scene: Scene, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.kind, self.head = kind, head
        self.setObjectName(f"panel_{kind.name}" + ("" if head is None else f"_{head + 1}"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # so that nothing is painted behind it
        self._scene, self.face = scene, face_of(scene)
        self._name()
        self._view: TraceView | None = None
        self._geometry = chrome.Geometry()
        self._measure()
        self._marks = Marks()
        self._pointed: tuple[tuple[range, range], ...] = ()
        self._picture = Picture()
        self._shown: tuple[object, ...] = ()  # what the picture is of
        self._chrome = chrome.Chrome()
        self._zoom = 1.0
        self._origin = (0.0, 0.0)  # top left of what is in view, in device pixels of the zoomed body
        self._drag: QPoint | None = None
        self._current = (0, 0)
        self.stale = False
        self._covered: frozenset[tuple[int, int]] = frozenset()
        self._covering = False

    # ---- what it shows ----

    @property
    def scene(self) -> Scene:
        """The scene whose labels it bears."""
        return self._scene

    @property
    def geometry_(self) -> chrome.Geometry:
        """The sizes it is drawn with."""
        return self._geometry

    @property
    def zoom(self) -> float:
        """How much larger its cells are than the pipeline's."""
        return self._zoom

    @property
    def origin(self) -> tuple[float, float]:
        """Device pixels of the zoomed cells that lie left of and above what is in view."""
        return self._origin

    @property
    def first_row(self) -> int:
        """The first row in view."""
        return self._in_view()[0].start

    @property
    def first_column(self) -> int:
        """The first column in view."""
        return self._in_view()[1].start

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._shape

    def show_view(self, view: TraceView) -> None:
        """Show another trace; only what looks different is painted, and nothing is done out of sight."""
        before, span, was_stale = self._view, self.levels(), self.stale
        same_face = view.face == self.face
        self._view, self.stale = view, False
        self._scene, self.face = view.trace.scene, view.face
        self._tell_again()
        if not same_face:
            self._measure()
        if not same_face or was_stale or not view.continues(before) or self.visibleRegion().isEmpty():
            self.update()
            return
        with self.dressed():
            changed = self._renew(theme.current(), *self._in_view())
        if self.levels() != span:
            changed += self._chrome.foot(self)
        if not changed.isEmpty():
            self.update(changed)

    @property
    def shows_numbers(self) -> bool:
        """True where the cells in view are large enough to bear their numbers, since it was last painted."""
        return self._picture.numbers is not None

    def set_scene(self, scene: Scene, geometry: chrome.Geometry) -> None:
        """The labels and the size of the cells, known before the trace is."""
        self._scene, self.face = scene, face_of(scene)
        self._name()
        if geometry != self._geometry:
            self._geometry = geometry
            self._zoom, self._origin = 1.0, (0.0, 0.0)
        self._measure()
        rows, cols = self.shape
        self._current = (min(self._current[0], rows - 1), min(self._current[1], cols - 1))
        self.update()

    def set_marks(self, marks: Marks) -> None:
        """Frame these cells."""
        if marks != self._marks:
            self._marks = marks
            if marks.selected is not None:
                self._current = marks.selected
                self._tell_again()
            self.update()

    def set_pointed(self, regions: tuple[tuple[range, range], ...]) -> None:
        """Put a double frame around these blocks (rows, columns): what a lesson speaks of."""
        if regions != self._pointed:
            self._pointed = regions
            self.update()

    def set_covered(self, cells: frozenset[tuple[int, int]]) -> None:
        """Hide the numbers of these cells (row, column), so that they can be guessed."""
        if cells != self._covered:
            self._covered = cells
            self._tell_again()
            self.update()

    def set_covering(self, on: bool) -> None:
        """Whether a click covers a cell instead of choosing it."""
        self._covering = on
        self.setCursor(Qt.CursorShape.PointingHandCursor if on else Qt.CursorShape.ArrowCursor)

    def set_stale(self, stale: bool) -> None:
        """The picture is not of the newest scene: it stays, paler."""
        if stale != self.stale:
            self.stale = stale
            self.update()

    def matrix(self) -> Array | None:
        """The numbers shown, (rows, columns); None before the first trace."""
        return None if self._view is None else self.kind.matrix(self._view.trace, self.head)

    def hidden(self) -> Flags | None:
        """(rows, columns) of the cells a mask hides."""
        return None if self._view is None else self.kind.hidden(self._view.trace)

    def levels(self) -> Levels | None:
        """The ends of the colour map, shared by all panels of the kind."""
        return None if self._view is None else self._view.levels(self.kind)

    @property
    def colour_map(self) -> str:
        """The map that its colours are from: "signed" or "unit"."""
        return self.kind.stage.colours if self._view is None else self._view.colours(self.kind)

    @property
    def missing(self) -> str:
        """Why it has no numbers to show; empty where it has."""
        return "" if self._view is None else self._view.missing.get(self.kind.name, "")

    # ---- where its cells are ----

    def viewport(self) -> QWidget:
        """The widget whose pixels `cell_rect` counts."""
        return self

    def body(self) -> QRect:
        """Logical pixels of all cells."""
        return QRect(self._body)

    def _measure(self) -> None:
        """The shape and the body, which are asked for much oftener than they change."""
        g = self._geometry
        self._shape = rows, cols = self.kind.shape(self._scene)
        self._body = QRect(g.left, g.top, round(cols * g.cell[0]), round(rows * g.cell[1]))

    def cell_rect(self, row: int, col: int) -> QRect:
        """Logical pixels of one cell; empty where the panel is zoomed past it."""
        return self._block_rect(range(row, row + 1), range(col, col + 1))

    def _block_rect(self, rows: range, cols: range) -> QRect:
        """Likewise of a block of cells."""
        ratio, body = self.devicePixelRatioF(), self._body
        (cw, ch), (x, y) = self._cell_pixels(), self._origin
        left, right = (round((edge * cw - x) / ratio) for edge in (cols.start, cols.stop))
        top, bottom = (round((edge * ch - y) / ratio) for edge in (rows.start, rows.stop))
        block = QRect(body.x() + left, body.y() + top, max(1, right - left), max(1, bottom - top))
        return block & body

    def cell_at(self, point: QPoint) -> tuple[int, int] | None:
        """Row and column under a point; None beside the cells."""
        body = self.body()
        if not body.contains(point):
            return None
        ratio = self.devicePixelRatioF()
        cw, ch = self._cell_pixels()
        rows, cols = self.shape
        row = int(((point.y() - body.y() + 0.5) * ratio + self._origin[1]) / ch)
        col = int(((point.x() - body.x() + 0.5) * ratio + self._origin[0]) / cw)
        return (row, col) if 0 <= row < rows and 0 <= col < cols else None

    def _cell_pixels(self) -> tuple[float, float]:
        """Device pixels of one cell; whole ones wherever a cell is big enough to tell."""
        ratio = self.devicePixelRatioF() * self._zoom
        width, height = (size * ratio for size in self._geometry.cell)
        return (round(width), round(height)) if min(width, height) >= 3 else (width, height)

    def _edge(self, axis: int, number: int) -> float:
        """Device pixels from the body's edge to where row (axis 0) or column (axis 1) `number` begins."""
        size = self._cell_pixels()[1 - axis]
        return number * size - self._origin[1 - axis]

    def _in_view(self) -> tuple[range, range]:
        """The rows and columns of which something is in view."""
        if self._zoom == 1.0:
            rows, cols = self.shape
            return range(rows), range(cols)
        body, ratio = self.body(), self.devicePixelRatioF()
        spans = []
        for axis, length in ((0, body.height()), (1, body.width())):
            size, origin = self._cell_pixels()[1 - axis], self._origin[1 - axis]
            first = max(0, int(origin / size))
            last = min(self.shape[axis], int(np.ceil((origin + length * ratio) / size)))
            spans.append(range(first, max(first + 1, last)))
        return spans[0], spans[1]

    # ---- painting ----

    def sizeHint(self) -> QSize:
        body, g = self.body(), self._geometry
        return QSize(g.left + max(body.width(), g.title), body.bottom() + 1 + g.foot)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        with self.dressed():
            self._paint(painter, event.rect())
        painter.end()

    def _paint(self, painter: QPainter, area: QRect) -> None:
        colours = theme.current()
        rows, cols = self._in_view()
        self._chrome.paint(painter, self, colours, rows, cols, area)
        if area.intersects(self.body()):
            painter.save()
            painter.setClipRect(self.body())
            if self._view is None:
                chrome.paint_skeleton(painter, self, colours)
            elif self.missing:
                chrome.paint_missing(painter, self.body(), self.missing, colours)
            else:
                self._paint_cells(painter, colours, rows, cols, area)
                chrome.paint_covers(painter, self, self._covered, colours)
                chrome.paint_pointed(painter, self, self._pointed, colours)
                chrome.paint_marks(painter, self, self._marks, colours)
            if self.stale:
                veil = QColor(colours.background)
                veil.setAlpha(120)
                painter.fillRect(self.body(), veil)
            painter.restore()
        if self.hasFocus():
            chrome.paint_focus(painter, self, colours)

    def dressed(self) -> AbstractContextManager[None]:
        """In force while it is painted; a panel in other colours or of another size than the rest overrides it."""
        return nullcontext()

    def render_to(self, painter: QPainter, marks: bool = True, most: int = vector.MOST_CELLS) -> None:
        """What is in view, by any painter, as rectangles and texts: for files and printers.

        `marks`: with its frames. More than `most` cells are drawn as an image.
        """
        matrix, span, hidden = self.matrix(), self.levels(), self.hidden()
        colours = theme.current()
        rows, cols = self._in_view()
        self._chrome.draw(painter, self, colours, rows, cols)
        if self.missing:
            chrome.paint_missing(painter, self.body(), self.missing, colours)
        if self.missing or matrix is None or span is None:
            return
        columns = [self.cell_rect(rows.start, col) for col in cols]
        places = vector.Places(columns, [self.cell_rect(row, cols.start) for row in rows])
        size, decimals = self._geometry.font_size, preferences().decimals
        kind, block = self.colour_map, np.s_[rows.start : rows.stop, cols.start : cols.stop]
        hidden = None if hidden is None else hidden[block]
        vector.paint_cells(painter, places, matrix[block], hidden, kind, span, decimals, size, colours, most)
        chrome.paint_covers(painter, self, self._covered, colours)
        if marks:
            chrome.paint_pointed(painter, self, self._pointed, colours)
            chrome.paint_marks(painter, self, self._marks, colours)

    def _paint_cells(
        self, painter: QPainter, colours: theme.Theme, rows: range, cols: range, area: QRect
    ) -> None:
        self._renew(colours, rows, cols)
        body, ratio = self._body, self.devicePixelRatioF()
        if self._picture.see_through:
            chrome.paint_hatch(painter, body, colours)
        (cw, ch), (x, y) = self._cell_pixels(), self._origin
        left, top = round(cols.start * cw - x), round(rows.start * ch - y)
        target = QRect(left, top, round(len(cols) * cw), round(len(rows) * ch))
        in_body = area.translated(-body.topLeft())
        seen = QRectF(in_body.topLeft().toPointF() * ratio, in_body.size().toSizeF() * ratio).toAlignedRect()
        painter.save()
        painter.translate(body.topLeft())
        painter.scale(1 / ratio, 1 / ratio)
        self._picture.paint(painter, target, seen)
        painter.restore()

    def _renew(self, colours: theme.Theme, rows: range, cols: range) -> QRegion:
        """Bring the picture up to date with what is to be shown; the logical pixels that look different now."""
        ratio, body, cell = self.devicePixelRatioF(), self.body(), self._cell_pixels()
        size = round(theme.ui_size(self._geometry.font_size) * ratio)
        decimals = preferences().decimals
        shown = (self._view, rows, cols, cell, size, decimals, ratio, colours.name)
        if shown == self._shown:
            return QRegion()
        self._shown = shown
        matrix, span, hidden = self.matrix(), self.levels(), self.hidden()
        assert matrix is not None and span is not None
        values = matrix[rows.start : rows.stop, cols.start : cols.stop]
        if hidden is not None:
            hidden = hidden[rows.start : rows.stop, cols.start : cols.stop]
        small = min(cell) < 1
        if small:
            most = max(1, round(body.height() * ratio)), max(1, round(body.width() * ratio))
            values = pooled(np.nan_to_num(values, neginf=0.0, posinf=np.inf), *most)
            hidden = None if hidden is None else pooled(hidden.astype(np.int8), *most) > 0
        legible = cell[1] >= size and not small
        glyphs = shared_glyphs(size, int(cell[0]), int(cell[1])) if legible else None
        room = cell[0] - 3 * ratio
        look = Look(self.colour_map, span, glyphs, decimals, room, not colours.is_dark)
        changed = self._picture.update(values, hidden, look)
        if changed is None:
            return QRegion()
        if small:
            return QRegion(body)
        region = QRegion()
        for band_rows, band_cols in bands(changed):  # of those in view
            region += self._block_rect(
                rows[band_rows.start : band_rows.stop], cols[band_cols.start : band_cols.stop]
            )
        return region

    # ---- mouse and keyboard ----

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._drag is not None:
            self._pan(self._drag - point)
            self._drag = point
            return
        cell = self.cell_at(point)
        self.cell_hovered.emit(None if cell is None else self._cell(*cell))
        if cell is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(
                event.globalPosition().toPoint(), self.describe(*cell), self, self.cell_rect(*cell)
            )

    def leaveEvent(self, _event: object) -> None:
        self.cell_hovered.emit(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._drag = point
        elif event.button() == Qt.MouseButton.LeftButton and (cell := self.cell_at(point)) is not None:
            self._press(*cell)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._drag = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.enlarge_asked.emit(-1 if self.head is None else self.head)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.ignore()  # the pipeline scrolls, or zooms with Ctrl
            return
        turn = event.angleDelta().y() or event.angleDelta().x()
        if turn:
            self.zoom_at(event.position().toPoint(), ZOOM_STEP if turn > 0 else 1 / ZOOM_STEP)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows, cols = self.shape
        row, col = self._current
        step = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Home: (0, -cols),
            Qt.Key.Key_End: (0, cols),
            Qt.Key.Key_PageUp: (-rows, 0),
            Qt.Key.Key_PageDown: (rows, 0),
        }.get(Qt.Key(event.key()))
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if step is not None and plain:
            self._choose(min(max(row + step[0], 0), rows - 1), min(max(col + step[1], 0), cols - 1))
            self._reveal(*self._current)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Space) and plain:
            self._press(row, col)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Minus) and plain:
            factor = ZOOM_STEP if event.key() == Qt.Key.Key_Plus else 1 / ZOOM_STEP
            self.zoom_at(self.cell_rect(row, col).center(), factor)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._tell()
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusOutEvent(event)

    def zoom_at(self, point: QPoint, factor: float) -> None:
        """Larger or smaller cells within the panel's frame, the cell under `point` staying where it is."""
        old = self._cell_pixels()
        largest = LARGEST_CELL / max(self._geometry.cell)
        self._zoom = min(max(self._zoom * factor, 1.0), max(1.0, largest))
        new = self._cell_pixels()
        body, ratio = self.body(), self.devicePixelRatioF()
        at = ((point.x() - body.x()) * ratio, (point.y() - body.y()) * ratio)
        self._origin = tuple(
            (o + a) * n / b - a for o, a, n, b in zip(self._origin, at, new, old, strict=True)
        )
        self._pan(QPoint(0, 0))

    def _pan(self, by: QPoint) -> None:
        body, ratio = self.body(), self.devicePixelRatioF()
        moved = []
        for origin, step, cell, count, length in zip(
            self._origin,
            (by.x(), by.y()),
            self._cell_pixels(),
            reversed(self.shape),
            (body.width(), body.height()),
            strict=True,
        ):
            most = max(0.0, cell * count - length * ratio)
            # Whole device pixels: numbers are stamped, not scaled.
            moved.append(float(round(min(max(origin + step * ratio, 0.0), most))))
        self._origin = (moved[0], moved[1]) if self._zoom > 1.0 else (0.0, 0.0)
        self.update()

    def _reveal(self, row: int, col: int) -> None:
        """Bring a cell into the panel's frame, if it is zoomed."""
        body = self.body()
        ratio = self.devicePixelRatioF()
        cw, ch = (size / ratio for size in self._cell_pixels())
        x, y = self._edge(1, col) / ratio, self._edge(0, row) / ratio
        by_x = min(0.0, x) + max(0.0, x + cw - body.width())
        by_y = min(0.0, y) + max(0.0, y + ch - body.height())
        self._pan(QPoint(round(by_x), round(by_y)))

    def _choose(self, row: int, col: int) -> None:
        self._current = (row, col)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._tell()
        if (row, col) in self._covered:  # chosen, but not given away
            self._marks = replace(self._marks, selected=(row, col))
            self.update()
        else:
            self.cell_clicked.emit(self._cell(row, col))

    def _press(self, row: int, col: int) -> None:
        """A click, Enter or Space on a cell."""
        self._choose(row, col)
        asked = self._covering or (row, col) in self._covered
        (self.cover_clicked if asked else self.cell_pressed).emit(self._cell(row, col))

    def _name(self) -> None:
        """What screen readers call the panel: 'weights · head 2'."""
        cell = self._cell(0, 0)
        name = " · ".join(filter(None, (place_title(cell.place), head_of(self._scene, cell))))
        if name != self.accessibleName():
            self.setAccessibleName(name)

    def _tell(self) -> None:
        """Screen readers hear which number is current, and what it is."""
        say(self, self.describe(*self._current).replace("\n", " · "))

    def _tell_again(self) -> None:
        """Likewise where another number, or the number's value, has come to whoever listens."""
        if self.hasFocus():
            self._tell()

    def _cell(self, row: int, col: int) -> Cell:
        return Cell(self.kind.name, self.head, row, col)

    def describe(self, row: int, col: int) -> str:
        """Row, column and the value in full precision, for the tooltip and screen readers."""
        matrix = self.matrix()
        if matrix is None or matrix.shape != self.shape:  # not computed yet
            return ""
        translate = QCoreApplication.translate
        where = translate("Panel", "row {row} · column {col}").format(
            row=self._named(self.kind.row_labels(self._scene), row),
            col=self._named(self.kind.column_labels(self._scene), col),
        )
        if (row, col) in self._covered:
            return f"{where}\n" + translate("Panel", "covered: click to guess the number")
        if self.missing:
            return f"{where}\n{self.missing}"
        text = f"{where}\n{exact(float(matrix[row, col]))}"
        hidden = self.hidden()
        if hidden is not None and hidden[row, col]:
            text += "\n" + translate("Panel", "hidden by the mask")
        if self._view is not None and self.kind.name == "weights" and self._view.trace.blind[row]:
            text += "\n" + translate("Panel", "this row attends to nothing")
        return text

    @staticmethod
    def _named(labels: tuple[str, ...], number: int) -> str:
        label = labels[number]
        return label if label == str(number + 1) else f"{number + 1} “{label}”"
