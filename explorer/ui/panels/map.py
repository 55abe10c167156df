"""A panel of a large head: a map. Tiles stand for many cells until one has come so near that there is room for each.

It computes nothing: `wanted` says which pictures it needs, `give` brings them, and what it has is shown meanwhile.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import local
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.attention.windows import HIDING, Tiles, Window
from explorer.scene import Flags, Scene
from explorer.ui import theme
from explorer.ui.painting import draw_image
from explorer.ui.panels import overlay, vector
from explorer.ui.panels.heatmap import Levels
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.tiles import Scale, TilePainter
from explorer.ui.panels.view import TraceView

MOST_TILES = 720  # on each side of a picture; a larger one would take too long to colour
ZOOM_STEP = 1.5


class _StandIns(local):
    tiles: Mapping["MapPanel", Sequence[Tiles]] = MappingProxyType({})
    spans: Mapping[str, Levels] = MappingProxyType({})


_stand_ins = _StandIns()


@contextmanager
def standing_in(tiles: Mapping["MapPanel", Sequence[Tiles]], spans: Mapping[str, Levels]) -> Iterator[None]:
    """For the length of a block maps show these pictures, from behind, whatever a window has given them.

    In this thread alone: what goes into a file is drawn beside the window's.
    """
    before = _stand_ins.tiles, _stand_ins.spans
    _stand_ins.tiles, _stand_ins.spans = tiles, spans
    try:
        yield
    finally:
        _stand_ins.tiles, _stand_ins.spans = before


class MapPanel(Panel):
    """`asked` is called whenever it wants other pictures; `span_of` says the ends of the colour map of a kind."""

    def __init__(
        self,
        kind: StagePanel,
        head: int | None,
        scene: Scene,
        asked: Callable[[], None],
        span_of: Callable[[str], Levels],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(kind, head, scene, parent)
        self._asked, self._span_of = asked, span_of
        self.pool = "max"
        self.overview: Tiles | None = None
        self.detail: Tiles | None = None
        self._tiles = TilePainter()
        self._pressed: QPoint | None = None

    # ---- what it shows ----

    @property
    def missing(self) -> str:
        return ""

    def take_view(self, view: TraceView) -> bool:
        super().take_view(view)
        return False  # its pictures come later, and by themselves

    def wanted(self) -> list[Window]:
        """What it shows at best, the details first; nothing out of sight."""
        seen = self.visibleRegion().boundingRect() & self.body()
        return [] if seen.isEmpty() or self._view is None else self._windows(seen)

    def needed(self) -> list[Window]:
        """Likewise of all that it would show if it were in view."""
        return [self.everything()] if self.frame.zoom == 1.0 else self._windows(self.body())

    def _windows(self, seen: QRect) -> list[Window]:
        everything = self.everything()
        size = self.body().size() * self.frame.ratio
        if self.frame.zoom == 1.0 and max(size.width(), size.height()) <= MOST_TILES:
            return [everything]
        return [self._part(seen), everything]

    def everything(self) -> Window:
        """The window on the whole stage."""
        rows, cols = self.shape
        size = self.body().size() * self.frame.ratio
        height, width = (min(MOST_TILES, max(1, most)) for most in (size.height(), size.width()))
        return Window(self.kind.name, self.head, range(rows), range(cols), height, width, self.pool)

    def _part(self, seen: QRect) -> Window:
        """The window on what is seen, its edges where those of tiles are wherever one has moved to."""
        ratio, spans, sizes = self.frame.ratio, [], []
        first, last = self.frame.cell_at(seen.topLeft()), self.frame.cell_at(seen.bottomRight())
        for axis, length in enumerate((seen.height(), seen.width())):
            count = self.shape[axis]
            start = first[axis] if first is not None else 0
            stop = min(count, (last[axis] if last is not None else count - 1) + 1)
            most = min(MOST_TILES, max(1, round(length * ratio)))
            step = -(-(stop - start) // most)
            start, stop = start // step * step, min(count, -(-stop // step) * step)
            spans.append(range(start, stop))
            sizes.append(-(-len(spans[-1]) // step))
        return Window(self.kind.name, self.head, *spans, *sizes, self.pool)

    def give(self, tiles: Tiles) -> None:
        """A picture that was wanted, as far as it is there."""
        if len(tiles.window.rows) == self.shape[0] and len(tiles.window.cols) == self.shape[1]:
            self.overview = tiles
        else:
            self.detail = tiles
        self.update()

    def forget_detail(self) -> None:
        """The overview is enough."""
        self.detail = None

    def pictures(self) -> list[Tiles]:
        """What it has of the matrix as it is now, from behind."""
        size = self.shape
        return [
            tiles
            for tiles in _stand_ins.tiles.get(self, (self.overview, self.detail))
            if tiles is not None
            and not tiles.is_blank
            and tiles.window.rows.stop <= size[0]
            and tiles.window.cols.stop <= size[1]
        ]

    def hidden(self) -> Flags | None:
        return None

    def is_hidden(self, row: int, col: int) -> bool:
        return self._view is not None and self.kind.name in HIDING and not self._view.trace.visible[row, col]

    def levels(self) -> Levels | None:
        if self in _stand_ins.tiles:
            return _stand_ins.spans[self.kind.name]
        return None if self._view is None else self._span_of(self.kind.name)

    @property
    def shows_numbers(self) -> bool:
        return self._tiles.shows_numbers

    def describe(self, row: int, col: int) -> str:
        text = super().describe(row, col)
        tile = next((tiles for tiles in reversed(self.pictures()) if self._holds(tiles, row, col)), None)
        if not text or tile is None or tile.window.is_exact or (row, col) in self._covered:
            return text
        w = tile.window
        value = tile.values[(row - w.rows.start) // w.row_step, (col - w.cols.start) // w.col_step]
        if np.isnan(value):
            return text
        translate = QCoreApplication.translate
        said = (
            translate("Map", "largest of {rows} × {cols} cells here: {value}")
            if w.pool == "max"
            else translate("Map", "mean of {rows} × {cols} cells here: {value}")
        )
        return (
            text
            + "\n"
            + said.format(rows=w.row_step, cols=w.col_step, value=f"{value:.4g}".replace("-", "−"))
        )

    @staticmethod
    def _holds(tiles: Tiles, row: int, col: int) -> bool:
        return row in tiles.window.rows and col in tiles.window.cols

    # ---- painting ----

    def _prepare_cells(self, colours: theme.Theme) -> None:
        """Nothing: its pictures are small."""

    def _paint_cells(self, painter: QPainter, colours: theme.Theme, area: QRect) -> None:
        self._paint_tiles(self._tiles, painter, colours, area)

    def _paint_tiles(self, tiles: TilePainter, painter: QPainter, colours: theme.Theme, area: QRect) -> None:
        span = self.levels()
        assert span is not None
        tiles.paint(painter, self.frame, self.pictures()[-2:], Scale(self.colour_map, span), colours, area)

    def render_to(self, painter: QPainter, marks: bool = True, most: int = vector.MOST_CELLS) -> None:
        colours = theme.current()
        self._chrome.draw(painter, self, colours)
        image = self._drawn(colours)
        draw_image(painter, QRectF(self.body()), image)
        if marks:
            overlay.paint_pointed(painter, self, self._pointed, colours)
            overlay.paint_marks(painter, self, self._marks, colours)

    def _drawn(self, colours: theme.Theme) -> QImage:
        """The cells as they are on the screen."""
        body = self.body()
        image = QImage(body.size() * self.frame.ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(self.frame.ratio)
        with QPainter(image) as inner:
            inner.translate(-body.topLeft())
            self._paint_tiles(TilePainter(), inner, colours, body)  # perhaps beside the window's thread
        return image

    # ---- mouse and keyboard ----

    def go_to(self, row: int, col: int) -> None:
        """Come so near that single cells are seen, this one in the middle, and choose it."""
        frame = self.frame
        near = frame.zoomed(frame.body.center(), 1e9)
        width, height = near.cell
        body = frame.body.size() * frame.ratio
        by = QPoint(
            round(((col + 0.5) * width - near.origin[0] - body.width() / 2) / frame.ratio),
            round(((row + 0.5) * height - near.origin[1] - body.height() / 2) / frame.ratio),
        )
        self._frame = near.panned(by)
        self._press(row, col)
        self._moved()

    def zoom_at(self, point: QPoint, factor: float) -> None:
        super().zoom_at(point, factor)
        self._moved()

    def _moved(self) -> None:
        self.update()
        self._asked()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            turn = event.angleDelta().y() or event.angleDelta().x()
            if turn:
                self.zoom_at(event.position().toPoint(), ZOOM_STEP if turn > 0 else 1 / ZOOM_STEP)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self._frame
        super().keyPressEvent(event)
        if self._frame != before:
            self._asked()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click chooses a cell, as it is let go; with the button held one moves the map."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, held = event.position().toPoint(), self._pressed
        far = QApplication.startDragDistance()
        if held is not None and self.zoom > 1.0 and (point - held).manhattanLength() >= far:
            self._drag, self._pressed = held, None
        dragged = self._drag is not None
        super().mouseMoveEvent(event)
        if dragged:
            self._asked()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        if pressed is not None and (cell := self.cell_at(pressed)) is not None:
            self._press(*cell)
