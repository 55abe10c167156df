"""Texts on the clipboard, however long: they are turned from one form into another a piece at a time, in a thread."""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QGuiApplication

from explorer.patience import GoingOn, go_on

PIECE = 2**20  # bytes
PLAIN = "text/plain"


def gathered(pieces: Iterable[str], going_on: GoingOn = go_on) -> QByteArray:
    """A text as `offer` takes it; for any thread."""
    parts = []
    for piece in pieces:
        going_on()
        parts.append(piece.encode(errors="replace"))
    text = QByteArray()
    text.reserve(sum(map(len, parts)))  # as it grew it would be moved as a whole, again and again
    for part in parts:
        going_on()
        text.append(part)
    return text


def offer(text: QByteArray) -> None:
    """Put it on the clipboard; it is not copied."""
    data = QMimeData()
    data.setData(PLAIN, text)
    QGuiApplication.clipboard().setMimeData(data)


def plain_of(data: QMimeData) -> QByteArray:
    """The plain text of what a program offers, as it comes: for `pieces_of`."""
    return data.data(PLAIN) if data.hasFormat(PLAIN) else QByteArray(data.text().encode(errors="replace"))


def pieces_of(text: QByteArray) -> Iterator[bytes]:
    """It in pieces, of UTF-8; for any thread."""
    for first in range(0, text.size(), PIECE):
        yield text.mid(first, PIECE).data()
