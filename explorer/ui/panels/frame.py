"""Where the cells of a panel are: arithmetic alone. A Frame never changes; zooming and panning make another one."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from PySide6.QtCore import QPoint, QRect

LARGEST_CELL = 160  # logical pixels that one cell may be zoomed to
MAP_CELL = (96.0, 44.0)  # likewise where cells begin as less than a pixel, and need not keep their shape


@dataclass(frozen=True)
class Geometry:
    """Logical pixels: the cell, where the cells begin, what the title needs, the colour bar's room."""

    cell: tuple[float, float] = (44.0, 30.0)
    left: int = 40
    top: int = 60
    foot: int = 18
    title: int = 80
    font_size: float = 1.0  # of the numbers, times the usual font


@dataclass(frozen=True)
class Frame:
    """The cells of a panel, `ratio` device pixels per logical one, enlarged `zoom` times within the panel's body.

    `origin` is the top left corner of what is in view, in device pixels of the enlarged cells.
    """

    shape: tuple[int, int] = (1, 1)
    geometry: Geometry = Geometry()
    ratio: float = 1.0
    zoom: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def body(self) -> QRect:
        """Logical pixels of all cells."""
        g, (rows, cols) = self.geometry, self.shape
        return QRect(g.left, g.top, round(cols * g.cell[0]), round(rows * g.cell[1]))

    @cached_property
    def cell(self) -> tuple[float, float]:
        """Device pixels of one cell; whole ones wherever a cell is big enough to tell."""
        width, height = (size * self.zoom for size in self.geometry.cell)
        if self.is_map:
            width, height = min(width, MAP_CELL[0]), min(height, MAP_CELL[1])
        width, height = width * self.ratio, height * self.ratio
        return (round(width), round(height)) if min(width, height) >= 3 else (width, height)

    @property
    def is_map(self) -> bool:
        """Unzoomed, several cells share a logical pixel."""
        return min(self.geometry.cell) < 1

    @property
    def is_pooled(self) -> bool:
        """Several cells share a device pixel."""
        return min(self.cell) < 1

    @property
    def overhangs(self) -> bool:
        """Whether the image of the cells may be larger than their body: zoomed, or where pixels are rounded."""
        return self.zoom != 1.0 or not self.ratio.is_integer()

    @cached_property
    def in_view(self) -> tuple[range, range]:
        """The rows and columns of which something is in view."""
        (rows, cols), (x, y), (width, height) = self.shape, self.origin, self.cell
        if self.zoom == 1.0:
            return range(rows), range(cols)
        right, bottom = x + self.body.width() * self.ratio, y + self.body.height() * self.ratio
        return _span(y, bottom, height, rows), _span(x, right, width, cols)

    @cached_property
    def image(self) -> QRect:
        """Device pixels of the cells in view, from the corner of the body."""
        (rows, cols), (x, y), (width, height) = self.in_view, self.origin, self.cell
        left, top = round(cols.start * width - x), round(rows.start * height - y)
        return QRect(left, top, round(len(cols) * width), round(len(rows) * height))

    def block(self, rows: range, cols: range) -> QRect:
        """Logical pixels of a block of cells; empty where the panel is zoomed past it."""
        (width, height), (x, y), ratio, body = self.cell, self.origin, self.ratio, self.body
        left, right = _ends((cols.start * width - x) / ratio, (cols.stop * width - x) / ratio, body.width())
        top, bottom = _ends(
            (rows.start * height - y) / ratio, (rows.stop * height - y) / ratio, body.height()
        )
        block = QRect(body.x() + left, body.y() + top, max(1, right - left), max(1, bottom - top))
        return block & body

    def cell_at(self, point: QPoint) -> tuple[int, int] | None:
        """Row and column under a point; None beside the cells."""
        body, (width, height), (rows, cols) = self.body, self.cell, self.shape
        if not body.contains(point):
            return None
        row = int(((point.y() - body.y() + 0.5) * self.ratio + self.origin[1]) / height)
        col = int(((point.x() - body.x() + 0.5) * self.ratio + self.origin[0]) / width)
        return (row, col) if 0 <= row < rows and 0 <= col < cols else None

    # ---- other frames ----

    def zoomed(self, point: QPoint, factor: float) -> "Frame":
        """Larger or smaller cells, the one under `point` staying where it is."""
        largest = max(1.0, LARGEST_CELL / max(self.geometry.cell))
        if self.is_map:
            largest = max(most / size for most, size in zip(MAP_CELL, self.geometry.cell, strict=True))
        new = replace(self, zoom=min(max(self.zoom * factor, 1.0), largest))
        corner = point - self.body.topLeft()
        at = (corner.x() * self.ratio, corner.y() * self.ratio)
        origin = tuple(
            (o + a) * n / b - a for o, a, n, b in zip(self.origin, at, new.cell, self.cell, strict=True)
        )
        return replace(new, origin=origin).panned(QPoint(0, 0))

    def panned(self, by: QPoint) -> "Frame":
        """The view moved by logical pixels, as far as there are cells."""
        if self.zoom == 1.0:
            return replace(self, origin=(0.0, 0.0))
        (rows, cols), (width, height), size = self.shape, self.cell, self.body.size() * self.ratio
        # Whole device pixels: numbers are stamped, not scaled.
        x = _within(self.origin[0] + by.x() * self.ratio, width * cols - size.width())
        y = _within(self.origin[1] + by.y() * self.ratio, height * rows - size.height())
        return replace(self, origin=(x, y))

    def revealing(self, row: int, col: int) -> "Frame":
        """The view moved so that a cell is in it."""
        (width, height), ratio, body = self.cell, self.ratio, self.body
        x, y = (col * width - self.origin[0]) / ratio, (row * height - self.origin[1]) / ratio
        by_x = min(0.0, x) + max(0.0, x + width / ratio - body.width())
        by_y = min(0.0, y) + max(0.0, y + height / ratio - body.height())
        return self.panned(QPoint(round(by_x), round(by_y)))


def _ends(start: float, stop: float, room: int) -> tuple[int, int]:
    """Whole pixels; what begins within the room has its first one there, however small it is."""
    return (min(round(start), room - 1) if start < room else round(start)), round(stop)


def _span(start: float, stop: float, size: float, count: int) -> range:
    first = max(0, int(start / size))
    return range(first, max(first + 1, min(count, ceil(stop / size))))


def _within(place: float, most: float) -> float:
    return float(round(min(max(place, 0.0), max(0.0, most))))
