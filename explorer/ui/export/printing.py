"""The pipeline on paper: laid out for the width of the sheet, heads kept whole where a sheet can hold them."""

from collections.abc import Callable, Sequence
from time import sleep

from PySide6.QtCore import QRect
from PySide6.QtGui import QPagedPaintDevice

from explorer.patience import GoingOn, go_on
from explorer.ui import theme
from explorer.ui.painting import painting, saved
from explorer.ui.pipeline import Pipeline
from explorer.ui.render import delete, placed

DENSITY = 132  # logical pixels to the inch of paper: the usual type becomes one of 7 points
POLL_S = 0.005

Beside = Callable[[Callable[[GoingOn], None]], object]


def print_pipeline(shown: Pipeline, device: QPagedPaintDevice, beside: Beside | None = None) -> int:
    """Everything that `shown` has, in light colours; the number of sheets. A wide pipeline is made to fit.

    `beside` runs what takes long in a thread, while the window lives; None: here, at once. Raises OSError where the
    device takes nothing, and what `beside` raises.
    """
    view = shown.view
    assert view is not None
    width = round(device.width() / device.logicalDpiX() * DENSITY)
    with theme.using(theme.LIGHT):
        copy, maps = placed(view.trace.scene, view.trace, width, shown.only)
    try:
        copy.show_view(view)
        scale = device.width() / max(width, copy.content_size().width())
        room = int(device.height() / scale)
        parts = pages(copy.sections(), copy.content_size().height(), room)

        def draw(going_on: GoingOn) -> None:
            while not copy.is_made:  # a few of its panels in each turn of the event loop
                going_on()
                sleep(POLL_S)
            maps.draw(list(copy.made.values()), view.trace, going_on)
            _draw(copy, parts, scale, device, going_on)

        if beside is None:
            copy.finish()
            draw(go_on)
        else:
            beside(draw)
    finally:
        delete(copy)
    return len(parts)


def _draw(
    copy: Pipeline, parts: Sequence[QRect], scale: float, device: QPagedPaintDevice, going_on: GoingOn
) -> None:
    with painting(device) as painter, theme.using(theme.LIGHT):
        for number, part in enumerate(parts):
            if number:
                device.newPage()
            with saved(painter):
                fit = min(scale, device.height() / part.height())  # a head taller than a sheet is shrunk
                painter.scale(fit, fit)
                painter.setClipRect(QRect(0, 0, copy.content_size().width(), part.height()))
                painter.translate(0, -part.y())
                for _panel in copy.render_to(painter, marks=False):
                    going_on()


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
