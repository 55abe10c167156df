"""The mask itself, to be painted on: seen cells tinted, hidden ones hatched, the edges of the window with handles."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPolygonF,
    QRegion,
)
from PySide6.QtWidgets import QWidget

from explorer.attention.cost import is_large
from explorer.attention.mask_edits import hidden_by, mask_of
from explorer.attention.masks import Window
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.choices import kind_name
from explorer.ui.lab.heat import HeatMap, Matrix
from explorer.ui.lab.mask_pen import MaskPen, has_shift, nearest_cell
from explorer.ui.options import gesture
from explorer.ui.painting import saved
from explorer.ui.panels import lettering, overlay

TINT = 0.45  # of the accent, on cells that are seen
LINES_FROM = 7  # px of a cell that is worth lines around it
GRIP = 5.5  # px, the radius of a handle
REACH = 10  # px around its middle that take hold of it
MOST_BLIND = 64  # rows that are framed


def indexed(codes: NDArray[np.uint8], colours: Sequence[QColor]) -> QImage:
    """A picture with one pixel per number of `codes` (rows, columns), in the colour of that number."""
    codes = np.ascontiguousarray(codes)
    rows, columns = codes.shape
    image = QImage(codes.data, columns, rows, columns, QImage.Format.Format_Indexed8)
    image.setColorTable([colour.rgba() for colour in colours])
    return image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def draw_scaled(painter: QPainter, area: QRectF, image: QImage) -> None:
    """Pixels as blocks where there is room for them, blended where several share a point."""
    small = image.width() > area.width() or image.height() > area.height()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, small)
    if small:  # Qt blends four neighbours, not all that fall together
        ratio = painter.device().devicePixelRatioF()
        size = (area.size() * ratio).toSize()
        image = image.scaled(
            size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    painter.drawImage(area, image)


def tint(colours: theme.Theme) -> QColor:
    """Of what is seen."""
    parts = zip(colours.accent.getRgb()[:3], colours.surface.getRgb()[:3], strict=True)
    return QColor(*(round(TINT * accent + (1 - TINT) * ground) for accent, ground in parts))


class MaskMap(HeatMap):
    """Click or drag paints, Shift makes a rectangle, a click on a label hides the key, handles move the window."""

    def __init__(self, pen: MaskPen, scene: Scene, parent: QWidget | None = None) -> None:
        self._pen = pen
        self._grip = ""  # the handle that is held
        self._key: bool | None = None  # what becomes of keys whose labels are passed
        self._merge = ""
        super().__init__(_matrix(self.tr("mask"), scene), scene, None, parent)

    def show_mask(self, scene: Scene) -> None:
        """Show the mask of another scene."""
        self.show_matrix(_matrix(self.tr("mask"), scene), scene, None)
        self._tell_again()

    @property
    def foot(self) -> int:
        return 4

    def levels(self) -> None:  # type: ignore[override]
        """No colour bar: a cell is seen or it is not."""
        return None

    def describe(self, row: int, col: int) -> str:
        """Who looks at whom, and what hides it."""
        scene = self.scene
        kinds = hidden_by(scene, row, col)
        where = f"{scene.tokens[row]} → {scene.key_tokens[col]}"
        names = ", ".join(kind_name(kind) for kind in kinds)
        what = self.tr("hidden by %1").replace("%1", names) if kinds else self.tr("seen")
        return f"{where}\n{what}"

    # ---- painting ----

    def _paint(self, painter: QPainter, region: QRegion) -> None:
        colours, body = theme.current(), self.body()
        self._chrome.paint(painter, self, colours, region)
        with saved(painter):
            painter.setClipRect(body)
            self._paint_cells(painter, colours, region.boundingRect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_keys(painter, colours)
        for point in self._grips().values():
            painter.setPen(QPen(colours.surface, 1.5))
            painter.setBrush(colours.selection)
            painter.drawEllipse(point, GRIP, GRIP)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.hasFocus():
            overlay.paint_focus(painter, self, colours)

    def _paint_cells(self, painter: QPainter, colours: theme.Theme, area: QRect) -> None:
        frame, (rows, cols) = self.frame, self.frame.in_view
        seen = self.matrix()[rows.start : rows.stop, cols.start : cols.stop].astype(np.uint8)
        block = QRectF(self._at(rows.start, cols.start), self._at(rows.stop, cols.stop))
        painter.fillRect(frame.body, colours.surface)
        overlay.paint_hatch(painter, block.toAlignedRect(), colours)
        draw_scaled(painter, block, indexed(seen, [QColor(0, 0, 0, 0), tint(colours)]))
        if min(frame.cell) / frame.ratio >= LINES_FROM:
            painter.setPen(QPen(colours.line, 1))
            for row in range(rows.start, rows.stop + 1):
                painter.drawLine(self._at(row, cols.start), self._at(row, cols.stop))
            for col in range(cols.start, cols.stop + 1):
                painter.drawLine(self._at(rows.start, col), self._at(rows.stop, col))
        blind = np.flatnonzero(~self.matrix().any(axis=1))[:MOST_BLIND].tolist()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colours.error, 2))
        for row in blind:
            corners = QRectF(self._at(row, cols.start), self._at(row + 1, cols.stop))
            painter.drawRect(corners.adjusted(1, 1, -1, -1))
        self._paint_window(painter, colours)
        if self.hasFocus():
            cell = QRectF(self.cell_rect(*self.current)).adjusted(1, 1, -1, -1)
            painter.setPen(QPen(colours.selection, 2))
            painter.drawRect(cell)

    def _paint_window(self, painter: QPainter, colours: theme.Theme) -> None:
        if (window := self._window()) is None:
            return
        rows = self.frame.in_view[0]
        painter.setPen(QPen(colours.selection, 1.5))
        for offset in (-window.left, window.right + 1):
            steps = [self._at(row + down, row + offset) for row in rows for down in (0, 1)]
            painter.drawPolyline(QPolygonF(steps))

    def _paint_keys(self, painter: QPainter, colours: theme.Theme) -> None:
        """A bar under the labels of keys that padding hides."""
        hidden = [mask.allowed(1, self.shape[1])[0] for mask in self.scene.mask if mask.kind == "padding"]
        if hidden:
            top = self.body().top() - 4
            for col in np.flatnonzero(~np.logical_and.reduce(hidden)).tolist():
                cell = self.cell_rect(self.first_row, col)
                if not cell.isEmpty():
                    painter.fillRect(QRect(cell.x(), top, cell.width(), 3), colours.error)

    def _window(self) -> Window | None:
        window = mask_of(self.scene, Window.kind)
        return window if isinstance(window, Window) else None

    def _at(self, row: float, col: float) -> QPointF:
        """Logical pixels of the corner before a row and a column."""
        frame, body = self.frame, self.body()
        (width, height), (x, y) = frame.cell, frame.origin
        return QPointF(
            body.x() + (col * width - x) / frame.ratio, body.y() + (row * height - y) / frame.ratio
        )

    def _spot(self, point: QPoint) -> tuple[float, float]:
        """Row and column under a point, with their fractions."""
        origin, corner = self._at(0, 0), self._at(1, 1) - self._at(0, 0)
        shift = QPointF(point) - origin
        return shift.y() / corner.y(), shift.x() / corner.x()

    def _grips(self) -> dict[str, QPointF]:
        """The middles of the handles, on the edges of the window or in the corner beyond which these lie."""
        if (window := self._window()) is None:
            return {}
        n, m = self.shape
        rows = self.frame.in_view[0]
        places = {}
        for name, offset, share in (("left", -window.left, 0.7), ("right", window.right + 1, 0.3)):
            first, last = max(rows.start, -offset), min(rows.stop, m - offset)  # rows in which the edge lies
            if first >= last:
                places[name] = self._at(n, 0) if name == "left" else self._at(0, m)
            else:
                row = int(first + share * (last - first))
                places[name] = self._at(row + 0.5, row + offset)
        return places

    # ---- mouse and keyboard ----

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._merge = gesture()
        if grip := self._grip_at(point):
            self._grip = grip
        elif (key := self._label_at(point)) is not None:
            self._key = not self._pen.key_seen(key)
            self._pen.set_key(key, self._key, self._merge)
        elif (cell := self.cell_at(point)) is not None:
            self._current = cell
            self._pen.press(self, cell, has_shift(event))
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)  # two quick clicks are two

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if not event.buttons() & Qt.MouseButton.LeftButton:  # it may have come up elsewhere
            self._grip, self._key = "", None
        if self._grip:
            self._pull(point)
        elif self._key is not None:
            column = nearest_cell(self, point)
            if column is not None and self._pen.key_seen(column[1]) != self._key:
                self._pen.set_key(column[1], self._key, self._merge)
        elif self._pen.active:
            self._pen.move(event)
        else:
            self.setCursor(self._cursor_at(point))
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip, self._key = "", None
        if self._pen.active:
            self._pen.release()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._pen.key(self, event):
            super().keyPressEvent(event)

    def _pull(self, point: QPoint) -> None:
        """The edge follows the pointer."""
        window = self._window()
        if window is None:
            return
        (row, col), (n, m) = self._spot(point), self.shape
        left, right = window.left, window.right
        if self._grip == "left":
            left = min(max(round(row - 0.5 - col), 0), n - 1)
        else:
            right = min(max(round(col - row - 0.5), 0), m - 1)
        self._pen.set_window(left, right, self._merge)

    def _grip_at(self, point: QPoint) -> str:
        for name, middle in self._grips().items():
            if (QPointF(point) - middle).manhattanLength() <= REACH:
                return name
        return ""

    def _label_at(self, point: QPoint) -> int | None:
        """The key whose label is under a point."""
        body = self.body()
        if not lettering.title_height() <= point.y() < body.top():
            return None
        cell = self.cell_at(QPoint(point.x(), body.top()))
        return None if cell is None else cell[1]

    def _cursor_at(self, point: QPoint) -> Qt.CursorShape:
        if self._grip_at(point):
            return Qt.CursorShape.SizeHorCursor
        if self._label_at(point) is not None:
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.CrossCursor if self.cell_at(point) is not None else Qt.CursorShape.ArrowCursor


def _matrix(spoken: str, scene: Scene) -> Matrix:
    # Of a large scene, for which the tool is none, it is not worth gigabytes: a corner stands for it.
    rows, cols = (1, 1) if is_large(scene) else (scene.n, scene.m)
    visible = scene.visible_at(np.arange(rows), np.arange(cols)).astype(np.float64)
    return Matrix(
        visible, "M", spoken, scene.tokens[:rows], scene.key_tokens[:cols], place="mask", colours="unit"
    )
