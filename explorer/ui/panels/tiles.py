"""Tiles of a large head drawn: as an image, or where there is room for it as cells with their numbers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter, QTransform

from explorer.attention.windows import Tiles
from explorer.ui import theme
from explorer.ui.painting import saved
from explorer.ui.panels import overlay
from explorer.ui.panels.frame import Frame
from explorer.ui.panels.glyphs import shared_glyphs
from explorer.ui.panels.heatmap import AIR, Levels, colour_image
from explorer.ui.panels.picture import Content, Look, Picture, redraw
from explorer.ui.preferences import preferences

CRISP = 3  # device pixels of a tile from which its edges are drawn sharp
WEIGHT_DECIMALS = 4
FAR = 4  # times as many cells as are in view
DECIMALS = 8  # at most; small weights take more than a person has asked for


class Scale(NamedTuple):
    """The colour map, and its ends."""

    colours: str
    span: Levels


class TilePainter:
    """Keeps what it has made until other tiles, or others of their numbers, are to be seen."""

    def __init__(self) -> None:
        self._images: dict[str, tuple[object, QImage]] = {}
        self._numbers = Picture()

    @property
    def shows_numbers(self) -> bool:
        """Whether cells had their numbers when it was last painted."""
        return self._numbers.numbers is not None

    def paint(
        self,
        painter: QPainter,
        frame: Frame,
        pictures: Sequence[Tiles],
        scale: Scale,
        colours: theme.Theme,
        area: QRect,
    ) -> None:
        """Draw at most two pictures, the one from behind first, as far as they are in `area`."""
        body = frame.body
        painter.fillRect(area & body, colours.surface)
        for place, tiles in zip(("back", "front"), pictures, strict=False):
            target = _target(frame, tiles)
            logical = QRectF(
                target.x() / frame.ratio, target.y() / frame.ratio,
                target.width() / frame.ratio, target.height() / frame.ratio,
            )  # fmt: skip
            within = logical.translated(body.topLeft()).toAlignedRect() & body
            if tiles.see_through:
                overlay.paint_hatch(painter, within, colours)
            with saved(painter):
                painter.translate(body.topLeft())
                painter.scale(1 / frame.ratio, 1 / frame.ratio)
                if not self._paint_numbers(painter, frame, tiles, scale, colours, area):
                    image = self._image(place, tiles, scale)
                    blurred = (
                        target.width() < CRISP * image.width() or target.height() < CRISP * image.height()
                    )
                    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, blurred)
                    painter.drawImage(target, image, QRectF(image.rect()))

    def _paint_numbers(
        self,
        painter: QPainter,
        frame: Frame,
        tiles: Tiles,
        scale: Scale,
        colours: theme.Theme,
        area: QRect,
    ) -> bool:
        """Cells with their numbers, where each has the room."""
        if not tiles.window.is_exact or not tiles.is_done:
            return False
        look = _number_look(frame, tiles, scale, colours)
        if look is None:
            return False
        window, (rows, cols) = tiles.window, _numbers_of(frame, tiles)
        if not (rows and cols):
            return True  # all of it is out of sight
        key = (tiles, tiles.version, scale, look, rows, cols)
        if self._images.get("numbers", (None,))[0] != key:
            (top, left), (height, width) = (window.rows.start, window.cols.start), (len(rows), len(cols))
            part = np.s_[rows.start - top :, cols.start - left :]
            values, hidden = tiles.values[part][:height, :width], tiles.hidden[part][:height, :width]
            content = Content(values, hidden, scale.colours, scale.span)
            redraw([self._numbers], [content], look)
            self._images["numbers"] = (key, QImage())
        seen = QTransform.fromScale(frame.ratio, frame.ratio).mapRect(area.translated(-frame.body.topLeft()))
        self._numbers.paint(painter, _place(frame, rows, cols).toRect(), seen)
        return True

    def _image(self, place: str, tiles: Tiles, scale: Scale) -> QImage:
        key = (tiles, tiles.version, scale)
        if self._images.get(place, (None,))[0] != key:
            image = colour_image(tiles.values, tiles.hidden, theme.lut(scale.colours), scale.span)
            self._images[place] = (key, image)
        return self._images[place][1]


def _target(frame: Frame, tiles: Tiles) -> QRectF:
    """Device pixels of the tiles, from the corner of the body; the last ones may stand for fewer cells."""
    w = tiles.window
    rows, cols = w.shape
    return _place(
        frame,
        range(w.rows.start, w.rows.start + rows * w.row_step),
        range(w.cols.start, w.cols.start + cols * w.col_step),
    )


def _place(frame: Frame, rows: range, cols: range) -> QRectF:
    """Device pixels of cells, from the corner of the body."""
    (width, height), (x, y) = frame.cell, frame.origin
    return QRectF(cols.start * width - x, rows.start * height - y, len(cols) * width, len(rows) * height)


def _numbers_of(frame: Frame, tiles: Tiles) -> tuple[range, range]:
    """The rows and columns whose numbers are written: all of them, unless by far the most are out of sight, as of
    tiles that are from before one has come nearer.
    """
    every = tiles.window.rows, tiles.window.cols
    seen = tuple(
        range(max(own.start, near.start), min(own.stop, near.stop))
        for own, near in zip(every, frame.in_view, strict=True)
    )
    return every if tiles.values.size <= FAR * len(seen[0]) * len(seen[1]) else (seen[0], seen[1])


def _number_look(frame: Frame, tiles: Tiles, scale: Scale, colours: theme.Theme) -> Look | None:
    """None where the cells are too small for numbers."""
    width, height = frame.cell
    size = round(theme.ui_size(1.0) * frame.ratio)
    if height < size or width < 2 * size:
        return None
    finite = np.abs(tiles.values[np.isfinite(tiles.values) & ~tiles.hidden])
    largest = float(finite.max()) if finite.size else 0.0
    decimals = preferences().decimals
    if scale.colours == "unit":  # small weights of many keys
        decimals = max(decimals, WEIGHT_DECIMALS)
    if 0 < largest < 0.1:  # two digits of the largest one
        decimals = min(DECIMALS, max(decimals, 1 - int(np.floor(np.log10(largest)))))
    glyphs = shared_glyphs(size, int(width), int(height))
    return Look(glyphs, decimals, width - AIR * frame.ratio, not colours.is_dark)
