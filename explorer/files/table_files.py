"""Text and HTML that may hold a table: from a file, or from what another program offers on the clipboard."""

from contextlib import suppress
from pathlib import Path

from explorer.files.atomic import opened, reason
from explorer.files.tables import Table, TableError, parse_table
from explorer.patience import GoingOn, go_on

MAX_BYTES = 64 * 1024 * 1024
SUFFIXES = (".csv", ".tsv", ".txt", ".html", ".htm")

_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # a spreadsheet's "Unicode text"


def load(path: Path, going_on: GoingOn = go_on) -> Table:
    """The table in a file of text. Raises TableError, which begins with the file's name, and what `going_on` raises."""
    name = path.name or str(path)
    try:
        with opened(path) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TableError(f"{name}: it cannot be read: {reason(error)}") from None
    except ValueError:  # a NUL in the name
        raise TableError(f"{ascii(name)}: it cannot be read: there is no such file or folder") from None
    if len(content) > MAX_BYTES:
        raise TableError(f"{name}: it is larger than {MAX_BYTES >> 20} MB, which is more than a grid takes")
    try:
        text = _decoded(content)
        return _of_html(text, going_on) if text.lstrip()[:1] == "<" else parse_table(text, going_on)
    except TableError as error:
        raise TableError(f"{name}: {error}") from None


def from_offer(text: str, html: str, going_on: GoingOn = go_on) -> Table:
    """The table of what a program offers in both forms: the plain one, where it is a table. Raises TableError."""
    try:
        return parse_table(text, going_on)
    except TableError:
        if html:
            with suppress(TableError):
                return _of_html(html, going_on)
        raise


def _of_html(text: str, going_on: GoingOn) -> Table:
    from explorer.files.html_tables import parse_html  # every window pastes, few paste HTML

    return parse_html(text, going_on)


def _decoded(content: bytes) -> str:
    encoding = _MARKS.get(content[:2], "utf-8-sig")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("latin-1")  # an older spreadsheet's; the digits are the same in all of them
    if "\0" in text:
        raise TableError("It is no text")
    return text
