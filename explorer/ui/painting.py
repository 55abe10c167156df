"""What all drawing has in common."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPagedPaintDevice, QPainter
from shiboken6 import delete

from explorer.ui.pdf import Writer
from explorer.ui.svg import PIXEL, Generator

STRIP = 1 << 15  # pixels
PDF_END = b"%%EOF\n"


@contextmanager
def painting(device: QPagedPaintDevice) -> Iterator[QPainter]:
    """A painter on paper, which ends with the block. Raises OSError where the device takes nothing, or not all.

    It is ended by being deleted: PySide's `end`, which a `with` block of its own calls, keeps Python's lock while the
    fonts are put into a PDF, and no window lives meanwhile.
    """
    painter = QPainter()
    if not painter.begin(device):
        raise OSError(errno.EIO, "nothing could be written")
    try:
        yield painter
    finally:
        delete(painter)
    _see_that_it_is_whole(device)


def _see_that_it_is_whole(device: QPagedPaintDevice) -> None:
    """Of a PDF that is printed to Qt does not say that the disk was full in the middle of it. Raises OSError."""
    path = Path(device.outputFileName()) if hasattr(device, "outputFileName") else Path()
    if path.suffix == ".pdf" and path.is_file():
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - len(PDF_END)))
            if file.read().strip() != PDF_END.strip():
                raise OSError(errno.ENOSPC, "the PDF is not whole", str(path))


@contextmanager
def saved(painter: QPainter) -> Iterator[None]:
    """What a block sets is as before after it, also where drawing is broken off: Ctrl-C may come anywhere.

    Painters themselves end with a `with` block, too: one that is still active when its device goes crashes Qt.
    """
    painter.save()
    try:
        yield
    finally:
        painter.restore()


def draw_image(painter: QPainter, area: QRectF, image: QImage) -> None:
    """All of an image, by any painter."""
    device = painter.device()
    if isinstance(device, Generator):
        painter.drawImage(area, device.keep(image), PIXEL)
    elif isinstance(device, Writer) and (stand_in := device.keep(image)) is not None:
        painter.drawImage(area, stand_in, QRectF(stand_in.rect()))
    elif isinstance(device, QPagedPaintDevice):
        _draw_strips(painter, area, image)
    else:
        painter.drawImage(area, image, QRectF(image.rect()))


def _draw_strips(painter: QPainter, area: QRectF, image: QImage) -> None:
    """Few pixels at a time: Qt packs them, and holds up all threads of Python meanwhile, the window's too.

    Each strip ends a pixel below the next one's beginning, so that no viewer shows a seam.
    """
    width, height = image.width(), image.height()
    step, scale = max(1, STRIP // width), area.height() / height
    for top in range(0, height, step):
        rows = min(step + 1, height - top)
        part = QRectF(area.x(), area.y() + top * scale, area.width(), rows * scale)
        painter.drawImage(part, image, QRectF(0, top, width, rows))
