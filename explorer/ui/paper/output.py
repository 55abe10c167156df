"""Pages to PDF, to a printer and to the screen."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPagedPaintDevice, QPageLayout, QPageSize, QPainter, QPdfWriter

from explorer.patience import GoingOn, go_on
from explorer.ui import theme
from explorer.ui.painting import painting, saved
from explorer.ui.paper.ink import DPI
from explorer.ui.paper.sheets import Page


def page_layout(page: Page) -> QPageLayout:
    """The paper that a page is made for, all of it."""
    points = QSizeF(page.size.width(), page.size.height()) * (72 / DPI)
    size = QPageSize(points, QPageSize.Unit.Point)  # near enough to A4 or Letter to be called that
    return QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0))


def write_pdf(pages: Sequence[Page], path: Path, title: str, going_on: GoingOn = go_on) -> None:
    """All of them. Raises OSError."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    pdf = QPdfWriter(buffer)
    pdf.setResolution(DPI)
    pdf.setPageLayout(page_layout(pages[0]))
    pdf.setTitle(title)
    pdf.setCreator("Attention Explorer")
    print_pages(pages, pdf, going_on)
    path.write_bytes(bytes(buffer.data().data()))  # by Python, which says so when a disk is full


def print_pages(pages: Sequence[Page], device: QPagedPaintDevice, going_on: GoingOn = go_on) -> None:
    """All of them, each on a sheet, as large as they are meant to be; smaller on smaller paper. Raises OSError, and
    what `going_on` raises, which is called now and then.
    """
    with painting(device) as painter, theme.using(theme.LIGHT):
        for number, page in enumerate(pages):
            if number:
                device.newPage()
            with saved(painter):
                units = device.logicalDpiX() / DPI
                fit = min(
                    units,
                    painter.viewport().width() / page.size.width(),
                    painter.viewport().height() / page.size.height(),
                )
                painter.scale(fit, fit)
                page.draw(painter, going_on)


def page_image(page: Page, room: QSize, going_on: GoingOn = go_on) -> QImage:
    """White paper, as large as fits into so many pixels. `going_on` as in `print_pages`."""
    size = page.size.scaled(QSizeF(room), Qt.AspectRatioMode.KeepAspectRatio)
    image = QImage(size.toSize(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter, theme.using(theme.LIGHT):
        painter.scale(size.width() / page.size.width(), size.width() / page.size.width())
        page.draw(painter, going_on)
    return image
