"""The pipeline, or one panel, as a picture in a file: PNG, or SVG and PDF as vectors."""

import errno
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMarginsF, QPoint, QRect, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from explorer import attention
from explorer.attention.trace import Trace
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.panels import PANELS, chrome
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.view import TraceView
from explorer.ui.pipeline import Pipeline

WIDTH = 1600  # pixels of the pipeline where no size is asked for
MARGIN = 16

Draw = Callable[[QPainter], None]


def render(
    scene: Scene,
    out: Path,
    stage: str | None = None,
    head: int | None = None,
    size: tuple[int, int] | None = None,
    dark: bool = False,
) -> None:
    """Compute `scene` and write its picture to `out`, a name that ends in .png, .svg or .pdf.

    `stage` and `head` (from 0) choose one panel; a head without a stage chooses one row of the pipeline; `size` is in
    pixels. Makes a QApplication where there is none. Raises OSError where the file cannot be written.
    """
    app = QApplication.instance() or QApplication(["attention-explorer"])
    trace = attention.attend(scene)
    with theme.using(theme.DARK if dark else theme.LIGHT):
        if stage is None:
            content, draw = _pipeline(scene, trace, head, size)
        else:
            content, draw = _panel(scene, trace, stage, head, size)
        page = content if size is None else QSize(*size)
        # Shrunk where it must be, never cut off or stretched.
        scale = min(1.0, page.width() / content.width(), page.height() / content.height())
        _draw_file(out, page, scale, draw)
    del app  # kept until here: without it nothing can be drawn


def _pipeline(
    scene: Scene, trace: Trace, head: int | None, size: tuple[int, int] | None
) -> tuple[QSize, Draw]:
    pipeline = Pipeline()
    pipeline.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    pipeline.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    pipeline.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    pipeline.resize(WIDTH if size is None else size[0], 200)
    pipeline.show()
    pipeline.set_scene(scene)
    pipeline.show_trace(trace)
    if head is not None:
        pipeline.show_head(head)
    return pipeline.content_size(), pipeline.render_to


def _panel(
    scene: Scene, trace: Trace, stage: str, head: int | None, size: tuple[int, int] | None
) -> tuple[QSize, Draw]:
    kind = next(kind for kind in PANELS if kind.name == stage)
    head = None if kind.stage.per == "scene" else head or 0
    rows, cols = kind.shape(scene)
    left = chrome.labels_width(kind.row_labels(scene))
    _longest, lying, standing = chrome.column_room(kind.column_labels(scene))
    title = chrome.title_width(kind, scene, head)
    around = (left + 2 * MARGIN, chrome.title_height() + standing + chrome.foot_height() + 2 * MARGIN)
    cell = (64.0, 44.0) if max(rows, cols) <= 32 else (max(2.0, 1200 / max(rows, cols)),) * 2
    if size is not None:
        cell = (max(0.2, (size[0] - around[0]) / cols), max(0.2, (size[1] - around[1]) / rows))
    longest, lying, standing = chrome.column_room(kind.column_labels(scene))
    top = chrome.title_height() + (lying if longest <= cell[0] else standing)
    grown = max(1.0, min(cell[1] / 26, cell[0] / 46, 3.0))
    panel = Panel(kind, head, scene)
    panel.set_scene(scene, chrome.Geometry(cell, left, top, chrome.foot_height(), title, grown))
    panel.show_view(TraceView(trace))
    panel.resize(panel.sizeHint())

    def draw(painter: QPainter) -> None:
        painter.translate(MARGIN, MARGIN)
        panel.render_to(painter)

    return panel.size() + QSize(2 * MARGIN, 2 * MARGIN), draw


def _draw_file(path: Path, page: QSize, scale: float, draw: Draw) -> None:
    if path.suffix == ".png":
        image = QImage(page, QImage.Format.Format_RGB32)
        _paint(QPainter(image), page, scale, draw)
        if not image.save(str(path)):
            raise OSError(errno.EIO, "the picture could not be written")
    elif path.suffix == ".svg":
        svg = QSvgGenerator()
        svg.setFileName(str(path))
        svg.setSize(page)
        svg.setViewBox(QRect(QPoint(0, 0), page))
        svg.setTitle("Attention Explorer")
        _paint(QPainter(svg), page, scale, draw)
    else:
        pdf = QPdfWriter(str(path))
        pdf.setResolution(96)  # one pixel of the layout is one dot
        points = QSizeF(page.width() * 0.75, page.height() * 0.75)
        portrait = QPageLayout.Orientation.Portrait
        pdf.setPageLayout(
            QPageLayout(QPageSize(points, QPageSize.Unit.Point), portrait, QMarginsF(0, 0, 0, 0))
        )
        pdf.setTitle("Attention Explorer")
        _paint(QPainter(pdf), page, scale, draw)


def _paint(painter: QPainter, page: QSize, scale: float, draw: Draw) -> None:
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
    painter.fillRect(QRect(QPoint(0, 0), page), theme.current().background)
    painter.scale(scale, scale)
    draw(painter)
    painter.end()
