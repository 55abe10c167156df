"""A picture of the pipeline or of one panel, and its way into a file: PNG, or SVG and PDF as vectors.

It may be drawn beside the window's thread. `going_on` is called between its parts; what it raises ends it.

Sizes are in logical pixels, 96 to the inch, until a resolution turns them into pixels of an image.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter

from explorer.attention.trace import Trace
from explorer.patience import GoingOn, go_on
from explorer.ui import pdf, svg, theme
from explorer.ui.maps import StillMaps
from explorer.ui.painting import painting, saved
from explorer.ui.panels.panel import Panel
from explorer.ui.pipeline import Pipeline
from explorer.ui.preferences import preferences
from explorer.ui.texts import scene_title

SUFFIXES = (".png", ".svg", ".pdf")
MARGIN = 16  # around one panel
EDGE = (
    14  # left of the pipeline, whose coloured strips begin at its edge: as much as is right of the last panel
)
DPI = 96  # at which an image is as large as on a screen of the usual resolution
LARGEST = 32_767  # pixels of an image's side, which is as far as Qt paints
MOST_PIXELS = 150_000_000  # of an image: 600 MB
PIECE = 1 << 20  # bytes
INCH = 0.0254  # metres
NAME = "Attention Explorer"


@dataclass(frozen=True)
class Look:
    """How a picture looks.

    `marks`: with the frames of the selection and its sources; `dpi`: the resolution of PNG (None: the usual one, or
    what a picture can have that is too large for it); `size`: the page that it
    is shrunk to fit, in logical pixels (None: its own size).
    """

    colours: theme.Theme = theme.LIGHT
    transparent: bool = False
    marks: bool = True
    dpi: float | None = DPI
    size: tuple[int, int] | None = None


@dataclass(frozen=True)
class Picture:
    """What can be drawn: its size, and a function that draws it, with marks or without, from the top left corner, part
    by part.

    `type_scale` is the size of type that it was laid out for; `title` is what programs call it that open it.
    """

    size: QSize
    draw: Callable[[QPainter, bool], Iterable[object]]
    type_scale: float = 1.0
    title: str = NAME

    def page(self, look: Look) -> QSize:
        """The logical pixels of the page that it is drawn on."""
        return self.size if look.size is None else QSize(*look.size)

    def paint(self, painter: QPainter, look: Look, going_on: GoingOn = go_on) -> None:
        """Draw it on its page, whose logical pixels are the painter's units."""
        page = self.page(look)
        # Shrunk where it must be, never cut off or stretched.
        scale = min(1.0, page.width() / self.size.width(), page.height() / self.size.height())
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing
            | QPainter.RenderHint.TextAntialiasing
            | QPainter.RenderHint.LosslessImageRendering
        )
        with theme.using(look.colours, self.type_scale):
            if not look.transparent:
                painter.fillRect(QRect(QPoint(0, 0), page), look.colours.background)
            with saved(painter):
                painter.scale(scale, scale)
                for _part in self.draw(painter, look.marks):
                    going_on()


def of_pipeline(pipeline: Pipeline, maps: StillMaps | None = None) -> Picture:
    """All that the pipeline shows, whether in view or not; `maps` draws those of a large scene."""
    view, panels = pipeline.view, list(pipeline.panels.values())

    def draw(painter: QPainter, marks: bool) -> Iterator[object]:
        painter.translate(EDGE, 0)
        if maps is None or view is None:
            yield from pipeline.render_to(painter, marks)
            return
        yield from maps.make(panels, view.trace)
        with maps.standing_in():
            yield from pipeline.render_to(painter, marks)

    title = "" if view is None else scene_title(view.trace.scene.title)
    return Picture(pipeline.content_size() + QSize(EDGE, 0), draw, preferences().scale, title or NAME)


def of_panel(panel: Panel, trace: Trace | None = None) -> Picture:
    """One panel with some air around it; a map that is not in view is drawn from the trace."""
    maps = StillMaps() if trace is not None and panel.visibleRegion().isEmpty() else None

    def draw(painter: QPainter, marks: bool) -> Iterator[object]:
        painter.translate(MARGIN, MARGIN)
        if maps is None or trace is None:
            panel.render_to(painter, marks)
            return
        yield from maps.make([panel], trace)
        with maps.standing_in():
            panel.render_to(painter, marks)

    size, title = panel.size() + QSize(2 * MARGIN, 2 * MARGIN), scene_title(panel.scene.title)
    return Picture(size, draw, preferences().scale, title or NAME)


def most_dpi(size: QSize) -> float:
    """The highest resolution of an image of so many logical pixels."""
    across, down = size.width() / DPI, size.height() / DPI
    return min(LARGEST / across, LARGEST / down, (MOST_PIXELS / (across * down)) ** 0.5)


def image(picture: Picture, look: Look, going_on: GoingOn = go_on) -> QImage:
    """As pixels. Raises ValueError where `most_dpi` is passed."""
    page = picture.page(look)
    most = most_dpi(page)
    dpi = min(DPI, most) if look.dpi is None else look.dpi
    if dpi > most:
        raise ValueError(f"a picture of this size can have at most {int(most)} dpi, not {dpi:g}.")
    width, height = (max(1, round(side * dpi / DPI)) for side in (page.width(), page.height()))
    result = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    # By numpy, which lets other threads run meanwhile, as Qt does not.
    np.frombuffer(result.bits(), np.uint32)[:] = 0 if look.transparent else look.colours.background.rgba()
    for set_dots in (result.setDotsPerMeterX, result.setDotsPerMeterY):
        set_dots(round(dpi / INCH))
    with QPainter(result) as painter:  # also ends where drawing is broken off; Qt crashes otherwise
        painter.scale(width / page.width(), height / page.height())
        picture.paint(painter, replace(look, transparent=True), going_on)  # its ground is there
    if not look.transparent:
        result.reinterpretAsFormat(QImage.Format.Format_RGB32)
    return result


def vectors(picture: Picture, look: Look, going_on: GoingOn = go_on) -> str:
    """As SVG."""
    return "".join(_vectors(picture, look, going_on))


def _vectors(picture: Picture, look: Look, going_on: GoingOn) -> Iterator[str]:
    generator = svg.Generator()
    page = picture.page(look)
    generator.setResolution(DPI)
    generator.setSize(page)
    generator.setViewBox(QRectF(QPoint(0, 0), page))
    generator.setTitle(picture.title)
    with QPainter(generator) as painter:
        picture.paint(painter, look, going_on)
    return generator.parts()


def write(picture: Picture, look: Look, path: Path, going_on: GoingOn = go_on) -> None:
    """Into a file, in the form that its suffix names. Raises OSError, and ValueError as `image` does."""
    suffix = path.suffix.lower()
    parts: Iterable[bytes]
    if suffix == ".svg":
        parts = (part.encode() for part in _vectors(picture, look, going_on))
    elif suffix == ".pdf":
        parts = _pdf(picture, look, going_on)
    else:
        parts = _pixels(picture, look, going_on)
    with path.open("wb") as file:  # by Python, which says so when a disk is full
        for part in parts:
            going_on()
            file.write(part)


def _pixels(picture: Picture, look: Look, going_on: GoingOn) -> Iterator[bytes]:
    """PNG, piece by piece: Python copies what Qt has made, and nothing else can run meanwhile."""
    buffer = _buffer()
    image(picture, look, going_on).save(buffer, "PNG")
    buffer.seek(0)
    return iter(lambda: buffer.read(PIECE).data(), b"")


def rehearse() -> None:
    """All forms once, of nothing, in the window's thread: PySide makes its types as they are first used, and two
    threads must not do so at once.
    """
    nothing, look = Picture(QSize(1, 1), lambda _painter, _marks: ()), Look()
    for form in (_pixels, _vectors, _pdf):
        list(form(nothing, look, go_on))


def _pdf(picture: Picture, look: Look, going_on: GoingOn) -> Iterator[bytes]:
    page = picture.page(look)
    writer = pdf.Writer()
    writer.setResolution(DPI)
    points = QSizeF(page.width(), page.height()) * (72 / DPI)
    size = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    writer.setTitle(picture.title)
    writer.setCreator(NAME)
    with painting(writer) as painter:
        picture.paint(painter, look, going_on)
    return writer.parts()


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.ReadWrite)
    return buffer
