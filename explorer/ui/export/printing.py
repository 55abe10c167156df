"""The pipeline on paper: laid out for the width of the sheet, heads kept whole where a sheet can hold them."""

import errno
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPagedPaintDevice, QPainter

from explorer.ui import theme
from explorer.ui.painting import saved
from explorer.ui.pipeline import Pipeline
from explorer.ui.render import delete, laid_out

DENSITY = 132  # logical pixels to the inch of paper: the usual type becomes one of 7 points


def print_pipeline(shown: Pipeline, device: QPagedPaintDevice) -> int:
    """Everything that `shown` has, in light colours; the number of sheets. A wide pipeline is made to fit.

    Raises OSError where the device takes nothing.
    """
    view = shown.view
    assert view is not None
    painter = QPainter()
    if not painter.begin(device):
        raise OSError(errno.EIO, "nothing could be printed")
    with painter, theme.using(theme.LIGHT):
        sheet = QRectF(painter.viewport())
        width = round(sheet.width() / device.logicalDpiX() * DENSITY)
        copy = laid_out(view.trace.scene, view.trace, width, shown.only)
        try:
            copy.show_view(view)
            content = copy.content_size()
            scale = sheet.width() / max(width, content.width())
            parts = pages(copy.sections(), content.height(), int(sheet.height() / scale))
            for number, part in enumerate(parts):
                if number:
                    device.newPage()
                with saved(painter):
                    fit = min(scale, sheet.height() / part.height())  # a head taller than a sheet is shrunk
                    painter.scale(fit, fit)
                    painter.setClipRect(QRect(0, 0, content.width(), part.height()))
                    painter.translate(0, -part.y())
                    for _panel in copy.render_to(painter, marks=False):
                        pass
        finally:
            delete(copy)
    return len(parts)


def pages(sections: Sequence[QRect], height: int, room: int) -> list[QRect]:
    """The strips that go on a sheet each: as many sections as `room` is high, one at least."""
    starts = [section.y() for section in sections[1:]]
    parts: list[QRect] = []
    top = 0
    for start, end in zip(starts, [*starts[1:], height], strict=True):
        if end - top > room and start > top:
            parts.append(QRect(0, top, 1, start - top))
            top = start
    return [*parts, QRect(0, top, 1, height - top)]
