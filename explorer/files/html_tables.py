"""The table in a piece of HTML, as spreadsheets and browsers put it on the clipboard.

Not html.parser, which takes minutes for a few hundred kilobytes of unclosed tags (Python issue 135462): here one
pattern goes through the text once.
"""

import html
import re

from explorer.files.tables import Table, TableError, table_of
from explorer.patience import GoingOn, go_on

MAX_CHARACTERS = 16_000_000
MAX_CELLS = 400_000  # read in a second or two
MAX_SPAN = 4096

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)([^<>]*)>|<[^<>]*>")
# the number in full, where a cell shows it rounded: LibreOffice, Excel, Google Sheets
_EXACT = re.compile(r"""\b(?:sdval|x:num)\s*=\s*["']?([-+0-9.eE]{1,40})""")
_SHEETS = re.compile(
    r"""\bdata-sheets-value\s*=\s*["'][^"']*?(?:"|&quot;)3(?:"|&quot;)\s*:\s*([-+0-9.eE]{1,40})"""
)
_SPAN = re.compile(r"""\bcolspan\s*=\s*["']?([0-9]{1,9})""", re.IGNORECASE)


def parse_html(text: str, going_on: GoingOn = go_on) -> Table:
    """The largest table in a piece of HTML. Raises TableError. `going_on` is called now and then."""
    if len(text) > MAX_CHARACTERS:
        raise TableError(f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read")
    reader = _Reader()
    text = _without_comments(text)
    at = 0
    for tag in _TAG.finditer(text):
        going_on()
        reader.text(text, at, tag.start())
        at = tag.end()
        if tag[2] is not None:
            reader.tag(tag[2].lower(), bool(tag[1]), tag[3])
    reader.text(text, at, len(text))
    reader.tag("table", True, "")
    rows = [row for row in max(reader.tables, key=_cells, default=[]) if any(row)]
    if not rows:
        raise TableError("There is no table in this text: it is empty")
    width = max(map(len, rows))
    return table_of([row + [""] * (width - len(row)) for row in rows], going_on)


class _Reader:
    """Follows the tags of tables; what stands outside of cells is passed over."""

    def __init__(self) -> None:
        self.tables: list[list[list[str]]] = []
        self._open: list[list[list[str]]] = []  # a table can stand in a cell of another
        self._parts: list[str] | None = None  # of the open cell's text
        self._exact = ""
        self._span = 1
        self._count = 0

    def text(self, source: str, start: int, end: int) -> None:
        if self._parts is not None and end > start:
            self._parts.append(source[start:end])

    def tag(self, name: str, closes: bool, rest: str) -> None:
        if name in ("td", "th", "tr", "table"):
            self._end_cell()
        if name == "table" and closes:
            del self._open[-1:]
        elif name == "table":
            self._open.append([])
            self.tables.append(self._open[-1])
        elif name == "tr" and not closes and self._open:
            self._open[-1].append([])
        elif name in ("td", "th") and not closes and self._open:
            self._begin_cell(rest)
        elif name == "br" and self._parts is not None:
            self._parts.append(" ")

    def _begin_cell(self, rest: str) -> None:
        if not self._open[-1]:
            self._open[-1].append([])
        exact = _EXACT.search(rest) or _SHEETS.search(rest)
        span = _SPAN.search(rest)
        self._exact = exact[1] if exact else ""
        self._span = min(int(span[1]), MAX_SPAN) if span else 1
        self._parts = []

    def _end_cell(self) -> None:
        if self._parts is None:
            return
        cell = self._exact or _plain("".join(self._parts))
        self._parts = None
        cells = [cell] + [""] * (self._span - 1)
        self._count += len(cells)
        if self._count > MAX_CELLS:
            raise TableError(
                f"The table has more than {MAX_CELLS:,} numbers, which is more than a grid takes"
            )
        self._open[-1][-1].extend(cells)


def _plain(text: str) -> str:
    try:
        text = html.unescape(text)
    except ValueError:  # a number of thousands of digits
        pass
    return " ".join(text.split())


def _without_comments(text: str) -> str:
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start)
        at = len(text) if end < 0 else end + 3
    return "".join([*parts, text[at:]])


def _cells(table: list[list[str]]) -> int:
    return sum(map(len, table))
