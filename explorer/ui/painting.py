"""What all drawing has in common."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtGui import QPainter


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
