"""One panel: a matrix with its formula, shape, labels, numbers and colour bar.

The panel is a plain widget that paints images. It asks the Trace for its matrix when it is painted, so a panel out of
sight costs nothing; what was drawn is kept until the numbers, the size or the theme change.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from explorer.attention.trace import Cell
from explorer.attention.windows import STREAMED
from explorer.numbers import exact
from explorer.scene import Array, Flags, Scene
from explorer.ui import theme
from explorer.ui.aloud import say
from explorer.ui.painting import saved
from explorer.ui.panels import chrome, overlay, vector
from explorer.ui.panels.frame import Frame, Geometry
from explorer.ui.panels.glyphs import shared_glyphs
from explorer.ui.panels.heatmap import AIR, Levels, pooled
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.picture import Content, Look, Picture, bands, redraw
from explorer.ui.panels.together import refresh
from explorer.ui.panels.view import TraceView, face_of
from explorer.ui.preferences import preferences
from explorer.ui.texts import head_of, place_title
from explorer.ui.tips import plain

ZOOM_STEP = 1.25
FEW = 16  # cells are painted anew together: to find those that changed would take longer


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
        self._frame = Frame(kind.shape(scene))
        self._marks = Marks()
        self._pointed: tuple[tuple[range, range], ...] = ()
        self.picture = Picture()
        self._content_key: tuple[object, ...] = ()
        self._look_key: tuple[object, ...] = ()
        self._chrome = chrome.Chrome()
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
    def frame(self) -> Frame:
        """Where its cells are."""
        if self._frame.ratio != self.devicePixelRatioF():
            self._frame = replace(self._frame, ratio=self.devicePixelRatioF())
        return self._frame

    @property
    def geometry_(self) -> Geometry:
        """The sizes it is drawn with."""
        return self._frame.geometry

    @property
    def zoom(self) -> float:
        """How much larger its cells are than the pipeline's."""
        return self._frame.zoom

    @property
    def first_row(self) -> int:
        """The first row in view."""
        return self.frame.in_view[0].start

    @property
    def first_column(self) -> int:
        """The first column in view."""
        return self.frame.in_view[1].start

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._frame.shape

    def show_view(self, view: TraceView) -> None:
        """Show another trace; only what looks different is painted, and nothing is done out of sight."""
        if self.take_view(view):
            with self.dressed():
                refresh([self])
        else:
            self.update()

    def take_view(self, view: TraceView) -> bool:
        """Have another trace; False where what was painted before is of no use, or out of sight."""
        before, was_stale, face = self._view, self.stale, self.face
        self._view, self.stale = view, False
        self._scene, self.face = view.trace.scene, view.face
        self._tell_again()
        if face != view.face:
            self._frame = replace(self._frame, shape=self.kind.shape(self._scene))
        return (
            face == view.face
            and not was_stale
            and view.continues(before)
            and not self.missing
            and not self.visibleRegion().isEmpty()
        )

    def content(self) -> Content:
        """What its picture shall show, once it has a trace."""
        frame, view = self.frame, self._view
        assert view is not None
        if (view, frame) != self._content_key:
            values, hidden, span = self.matrix(), self.hidden(), self.levels()
            assert values is not None and span is not None
            if frame.zoom != 1.0:
                rows, cols = frame.in_view
                block = np.s_[rows.start : rows.stop, cols.start : cols.stop]
                values, hidden = values[block], None if hidden is None else hidden[block]
            if frame.is_pooled:
                size = frame.body.size() * frame.ratio
                most = max(1, size.height()), max(1, size.width())
                few = pooled(values, *most)
                if not np.isfinite(few).all():  # as soon as one of all is not
                    few = pooled(np.nan_to_num(values, neginf=0.0, posinf=np.inf), *most)
                values = few
                hidden = None if hidden is None else pooled(hidden.astype(np.int8), *most) > 0
            self._content_key = (view, frame)
            self._content = Content(values, hidden, self.colour_map, span, self.ends())
        return self._content

    def look(self, colours: theme.Theme) -> Look:
        """How its picture shall show it."""
        frame, decimals = self.frame, preferences().decimals
        key = (frame, theme.ui_size(), decimals, colours.name)
        if key != self._look_key or self._kept_look.is_worn:
            size = round(theme.ui_size(frame.geometry.font_size) * frame.ratio)
            (width, height), room = frame.cell, frame.cell[0] - AIR * frame.ratio
            holds = height >= size and width >= size / 2  # of a digit
            glyphs = shared_glyphs(size, int(width), int(height)) if holds else None
            self._look_key, self._kept_look = key, Look(glyphs, decimals, room, not colours.is_dark)
        return self._kept_look

    def update_cells(self, cells: Flags | None, bar: bool) -> None:
        """Paint anew these cells of its picture, and the colour bar."""
        frame = self.frame
        region = QRegion(self._chrome.foot(self)) if bar else QRegion()
        if cells is not None and (cells.size <= FEW or frame.is_pooled or cells.all()):
            region += frame.body
        elif cells is not None:
            rows, cols = frame.in_view
            for tall, wide in bands(cells):
                region += frame.block(rows[tall.start : tall.stop], cols[wide.start : wide.stop])
        if not region.isEmpty():
            self.update(region)

    @property
    def shows_numbers(self) -> bool:
        """True where the cells in view are large enough to bear their numbers, since it was last painted."""
        return self.picture.numbers is not None

    def set_scene(self, scene: Scene, geometry: Geometry) -> None:
        """The labels and the size of the cells, known before the trace is."""
        if scene is not self._scene:
            self._scene, self.face = scene, face_of(scene)
            self._name()
        rows, cols = self.kind.shape(scene)
        if geometry != self._frame.geometry:
            self._frame = Frame((rows, cols), geometry, self._frame.ratio)
        elif (rows, cols) != self._frame.shape:
            self._frame = replace(self._frame, shape=(rows, cols))
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

    @property
    def covered(self) -> frozenset[tuple[int, int]]:
        """The cells (row, column) whose numbers are hidden."""
        return self._covered

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
        return None if self._view is None else self._view.hidden(self.kind)

    def is_hidden(self, row: int, col: int) -> bool:
        """Whether a mask hides this cell."""
        hidden = self.hidden()
        return hidden is not None and bool(hidden[row, col])

    def levels(self) -> Levels | None:
        """The ends of the colour map, shared by all panels of the kind."""
        return None if self._view is None or self.missing else self._view.levels(self.kind)

    def ends(self) -> tuple[float, float] | None:
        """The least and the largest of the numbers that have as many decimals as these."""
        return None if self._view is None else self._view.ends(self.kind)

    @property
    def colour_map(self) -> str:
        """The map that its colours are from: "signed" or "unit"."""
        return self.kind.stage.colours if self._view is None else self._view.colours(self.kind)

    @property
    def missing(self) -> str:
        """Why it has no numbers to show; empty where it has."""
        view = self._view
        if view is None:
            return ""
        if view.trace.large is not None and self.kind.name in STREAMED:
            return QCoreApplication.translate("Panel", "too many numbers to be shown here")
        return view.missing.get(self.kind.name, "")

    @property
    def current(self) -> tuple[int, int]:
        """Row and column of the cell that the keyboard is at."""
        return self._current

    def walk_to(self, row: int, col: int) -> None:
        """Choose a cell, or the nearest one there is, and have it in view."""
        rows, cols = self.shape
        self._choose(min(max(row, 0), rows - 1), min(max(col, 0), cols - 1))
        self._frame = self.frame.revealing(*self._current)
        self.update()

    # ---- where its cells are ----

    def viewport(self) -> QWidget:
        """The widget whose pixels `cell_rect` counts."""
        return self

    def body(self) -> QRect:
        """Logical pixels of all cells."""
        return QRect(self._frame.body)

    def cell_rect(self, row: int, col: int) -> QRect:
        """Logical pixels of one cell; empty where the panel is zoomed past it."""
        return self.frame.block(range(row, row + 1), range(col, col + 1))

    def cell_at(self, point: QPoint) -> tuple[int, int] | None:
        """Row and column under a point; None beside the cells."""
        return self.frame.cell_at(point)

    # ---- painting ----

    def sizeHint(self) -> QSize:
        body, g = self.body(), self.geometry_
        return QSize(g.left + max(body.width(), g.title), body.bottom() + 1 + g.foot)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter, self.dressed():
            self._paint(painter, event.region())

    def _paint(self, painter: QPainter, region: QRegion) -> None:
        frame, colours, area = self.frame, theme.current(), region.boundingRect()
        body = frame.body
        self._chrome.paint(painter, self, colours, region)
        if area.intersects(body):
            with saved(painter):
                if frame.overhangs:
                    painter.setClipRect(body)
                if self._view is None:
                    overlay.paint_skeleton(painter, self, colours)
                elif self.missing:
                    overlay.paint_missing(painter, body, self.missing, colours)
                else:
                    self._paint_cells(painter, colours, area)
                    overlay.paint_covers(painter, self, self._covered, colours)
                    overlay.paint_pointed(painter, self, self._pointed, colours)
                    overlay.paint_marks(painter, self, self._marks, colours)
                if self.stale:
                    veil = QColor(colours.background)
                    veil.setAlpha(120)
                    painter.fillRect(body, veil)
        if self.hasFocus():
            overlay.paint_focus(painter, self, colours)

    def dressed(self) -> AbstractContextManager[None]:
        """In force while it is painted; a panel in other colours or of another size than the rest overrides it."""
        return nullcontext()

    def render_to(self, painter: QPainter, marks: bool = True, most: int = vector.MOST_CELLS) -> None:
        """What is in view, by any painter, as rectangles and texts: for files and printers.

        `marks`: with its frames. More than `most` cells are drawn as an image.
        """
        matrix, span, hidden = self.matrix(), self.levels(), self.hidden()
        colours = theme.current()
        rows, cols = self.frame.in_view
        self._chrome.draw(painter, self, colours)
        if self.missing:
            overlay.paint_missing(painter, self.body(), self.missing, colours)
        if self.missing or matrix is None or span is None:
            return
        columns = [self.cell_rect(rows.start, col) for col in cols]
        places = vector.Places(columns, [self.cell_rect(row, cols.start) for row in rows])
        size, decimals = self.geometry_.font_size, preferences().decimals
        kind, block = self.colour_map, np.s_[rows.start : rows.stop, cols.start : cols.stop]
        hidden = None if hidden is None else hidden[block]
        vector.paint_cells(
            painter, places, matrix[block], hidden, kind, span, decimals, size, colours, most, self.ends()
        )
        overlay.paint_covers(painter, self, self._covered, colours)
        if marks:
            overlay.paint_pointed(painter, self, self._pointed, colours)
            overlay.paint_marks(painter, self, self._marks, colours)

    def prepare(self) -> None:
        """Draw what takes long before it is to be painted; nothing of it is seen yet."""
        with self.dressed():
            colours = theme.current()
            self._chrome.prepare(self, colours)
            if self._view is not None and not self.missing:
                self._prepare_cells(colours)

    def _prepare_cells(self, colours: theme.Theme) -> None:
        content, look = self.content(), self.look(colours)
        if self.picture.content is not content or self.picture.look != look:
            redraw([self.picture], [content], look)

    def _paint_cells(self, painter: QPainter, colours: theme.Theme, area: QRect) -> None:
        self._prepare_cells(colours)
        frame, picture = self.frame, self.picture
        if picture.see_through:
            overlay.paint_hatch(painter, frame.body, colours)
        corner = frame.body.topLeft()
        if frame.ratio == 1.0:
            picture.paint(painter, frame.image.translated(corner), area)
            return
        seen = QTransform.fromScale(frame.ratio, frame.ratio).mapRect(area.translated(-corner))
        with saved(painter):
            painter.translate(corner)
            painter.scale(1 / frame.ratio, 1 / frame.ratio)
            picture.paint(painter, frame.image, seen)

    # ---- mouse and keyboard ----

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._drag is not None:
            self._frame, self._drag = self.frame.panned(self._drag - point), point
            self.update()
            return
        cell = self.cell_at(point)
        self.cell_hovered.emit(None if cell is None else self._cell(*cell))
        if cell is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(
                event.globalPosition().toPoint(), plain(self.describe(*cell)), self, self.cell_rect(*cell)
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
            self.walk_to(row + step[0], col + step[1])
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
        """Larger or smaller cells within the panel, the cell under `point` staying where it is."""
        self._frame = self.frame.zoomed(point, factor)
        self.update()

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
        if self.is_hidden(row, col):
            text += "\n" + translate("Panel", "hidden by the mask")
        if self._view is not None and self.kind.name == "weights" and self._view.trace.blind[row]:
            text += "\n" + translate("Panel", "this row attends to nothing")
        return text

    @staticmethod
    def _named(labels: tuple[str, ...], number: int) -> str:
        label = labels[number]
        return label if label == str(number + 1) else f"{number + 1} “{label}”"
