"""Text of the clipboard <-> a table of numbers.

Read are: tabs, semicolons, commas or blanks between the cells, quoted fields, a first row or column of
labels, and what NumPy and PyTorch print. A cell is anything `parse_number` understands (`1/3`, `-inf`). Where
tabs, semicolons or blanks separate, a comma in a cell is a decimal comma; where only commas occur, they
separate.
"""

import csv
import io
import re
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.numbers import NumberError, compact_number, exact, parse_number
from explorer.patience import GoingOn, go_on

MAX_CHARACTERS = 32_000_000
PIECE = 50_000  # characters that are written in one go
MAX_CELLS = 1_000_000  # read in a second or two
MAX_SLOW = 200_000  # of them more than a plain number (`1/3`), which takes ten times as long


class TableError(ValueError):
    """A text that is no table of numbers; the message is one plain sentence naming the row and column."""


@dataclass(frozen=True, eq=False)
class Table:
    """A read-only array of r × c numbers, r and c at least 1, with the labels that came with it."""

    values: NDArray[np.float64]
    row_labels: tuple[str, ...] | None = None
    column_labels: tuple[str, ...] | None = None


def parse_table(text: str, going_on: GoingOn = go_on) -> Table:
    """The one table in a text, read line by line: no step takes long. `going_on` is called now and then.

    Raises TableError for an empty, ragged or shortened (`...`) table, for a cell that is no number, before any
    work for more than 32 million characters, and as soon as they are met for more than a million cells.
    """
    _bound_characters(len(text))
    text = text.removeprefix("\ufeff")
    if not text or text.isspace():
        raise TableError("There is no table in this text: it is empty")
    if (printout := _PRINTOUT.match(text)) is not None and _CORNER.match(text) is None:
        return Table(_numbers(_printed_rows(text, printout.end() - 1, going_on), going_on))
    return table_of(_delimited_rows(text, going_on), going_on)


def joined(pieces: Iterable[bytes], going_on: GoingOn = go_on) -> str:
    """A text that comes in pieces of UTF-8. Raises TableError as `parse_table` does for so many characters."""
    decoder, found, characters = getincrementaldecoder("utf-8")(errors="replace"), list[str](), 0
    for piece in pieces:
        going_on()
        text = decoder.decode(piece)
        characters += len(text)
        if characters <= MAX_CHARACTERS:
            found.append(text)
    _bound_characters(characters)
    return "".join(found)


def table_of(rows: list[list[str]], going_on: GoingOn = go_on) -> Table:
    """The table in rows of cell texts, its labels told from its numbers. Raises TableError."""
    row_labels, column_labels = _labels(rows)
    first_row, first_column = int(column_labels is not None), int(row_labels is not None)
    numbers = [row[first_column:] for row in rows[first_row:]]
    values = _numbers(numbers, going_on, first_row, first_column)
    if column_labels is not None and len(column_labels) != values.shape[1]:
        raise TableError(f"The first row has {len(column_labels)} labels for {values.shape[1]} columns")
    return Table(values, row_labels, column_labels)


def format_table(
    values: NDArray[np.float64],
    row_labels: tuple[str, ...] | None = None,
    column_labels: tuple[str, ...] | None = None,
    exact: bool = True,
) -> str:
    """Tab-separated text, one line per row, as spreadsheets paste it; `parse_table` reads it back.

    With `exact` each number survives the round trip bit for bit, else it is as short as in a cell.
    """
    return "".join(table_pieces(values, row_labels, column_labels, exact))


def table_pieces(
    values: NDArray[np.float64],
    row_labels: tuple[str, ...] | None = None,
    column_labels: tuple[str, ...] | None = None,
    exact: bool = True,
) -> Iterator[str]:
    """Likewise, some rows at a time."""
    write: Callable[[float], str] = _exact if exact else _short
    out = io.StringIO()
    lines = csv.writer(out, "excel-tab", lineterminator="\n")
    if column_labels is not None:
        lines.writerow(column_labels if row_labels is None else ("", *column_labels))
    for i, row in enumerate(np.asarray(values)):
        cells = map(write, row.tolist())
        lines.writerow(cells if row_labels is None else (row_labels[i], *cells))
        if out.tell() >= PIECE:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


_exact = exact


def _short(value: float) -> str:
    return _exact(value) if not np.isfinite(value) else compact_number(value).replace("\N{MINUS SIGN}", "-")


# --- rows of texts -> numbers ----------------------------------------------------------------------

# what float() reads without surprises (no `1_000`, no overflow): the short cut past our own grammar
_PLAIN = re.compile(r"[-+]?(?:[0-9]{1,17}(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,2})?|inf)|nan").fullmatch
_POINTS = str.maketrans(
    {",": ".", "\N{MINUS SIGN}": "-"}
)  # `1.234,5` and `1,234,5` are no plain numbers then either


def _numbers(
    rows: list[list[str]], going_on: GoingOn, first_row: int = 0, first_column: int = 0
) -> NDArray[np.float64]:
    """(r, c): the numbers in rows of cell texts. The offsets count the labels before them, for sentences."""
    width, slow = len(rows[0]), 0
    values = np.empty((len(rows), width))
    for i, row in enumerate(rows):
        going_on()
        if len(row) != width:
            raise TableError(
                f"Row {first_row + i + 1} has {len(row)} numbers where row {first_row + 1} has {width}"
            )
        if all(map(_PLAIN, row)) or all(map(_PLAIN, row := [cell.translate(_POINTS) for cell in row])):
            values[i] = list(map(float, row))
            continue
        slow += width
        if slow > MAX_SLOW:
            raise TableError(f"The table has more than {MAX_SLOW:,} cells that are no plain numbers")
        values[i] = _slow_numbers(rows[i], first_row + i + 1, first_column)
    values.setflags(write=False)
    return values


def _slow_numbers(row: list[str], number: int, first_column: int) -> list[float]:
    """One row's cells, each by the whole grammar. The row's number and the columns before it are for sentences."""
    values = []
    for j, cell in enumerate(row, first_column + 1):
        try:
            values.append(parse_number(_decimal_point(cell)))
        except NumberError as error:
            where = f"Row {number}, column {j}"
            raise TableError(
                f"{where} holds '{_shorten(cell)}': {error}" if cell else f"{where} is empty"
            ) from None
    return values


def _decimal_point(cell: str) -> str:
    """A single decimal comma as a point; `1.234,5` stays as it is, for nobody knows what it means."""
    return cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell


def _bound_characters(characters: int) -> None:
    if characters > MAX_CHARACTERS:
        raise TableError(f"The text has {characters:,} characters; at most {MAX_CHARACTERS:,} are read")


def _bound(cells: int) -> None:
    if cells > MAX_CELLS:
        raise TableError(f"The table has more than {MAX_CELLS:,} numbers, which is more than a grid takes")


def _shorten(text: str, limit: int = 24) -> str:
    text = " ".join(text[: 4 * limit].split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


# --- text with delimiters -> rows of texts ---------------------------------------------------------

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_FIRST_LINE = re.compile(r"[\r\n]*([^\r\n]*)")


def _delimited_rows(text: str, going_on: GoingOn) -> list[list[str]]:
    delimiter = _delimiter(text)
    lines = _lines(text, delimiter, going_on)
    if delimiter is None:
        return [cells for line in lines if (cells := line.split())]
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True)
    try:
        rows = [[cell.strip() for cell in row] for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise TableError(f"Line {reader.line_num} cannot be read: {error}") from None
    if not rows:
        raise TableError("There is no table in this text: every cell is empty")
    if all(len(row) > 1 and not row[-1] for row in rows):  # every line ends in a delimiter
        rows = [row[:-1] for row in rows]
    return rows


def _lines(text: str, delimiter: str | None, going_on: GoingOn) -> Iterator[str]:
    """Each line with its end, as long as there are not more cells than a grid takes."""
    cells = 0
    for match in _LINE.finditer(text):
        going_on()
        line = match.group()
        cells += line.count(delimiter) + 1 if delimiter else len(line.split(None, MAX_CELLS + 1))
        _bound(cells)
        yield line.replace("\r\n", "\n").replace("\r", "\n")


def _delimiter(text: str) -> str | None:
    """What separates the cells; None stands for blanks. Quoted fields don't count."""
    bare = re.sub(r'"[^"]*"', '""', text) if '"' in text else text
    for candidate in ("\t", ";"):
        if candidate in bare:
            return candidate
    if "," not in bare:
        return "," if '"' in text else None
    # `1,5 2,5` has blanks inside what commas would separate, `1, 5` has not
    first = _FIRST_LINE.match(bare)
    assert first is not None
    first_line = first[1]
    blanks_inside = any(len(cell.split()) > 1 for cell in first_line.split(","))
    return None if blanks_inside and re.fullmatch(r"[-+−0-9.,eE\s]*", first_line) else ","


def _labels(rows: list[list[str]]) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Row and column labels, where there are any.

    A first column of words, below the first row, labels the rows; a first row of words labels the columns;
    an empty corner says that both do, whatever they look like.
    """
    tall, wide = len(rows) > 1, len(rows[0]) > 1
    if tall and wide and not rows[0][0]:
        return tuple(row[0] for row in rows[1:]), tuple(rows[0][1:])
    by_row = wide and all(_is_word(row[0]) for row in (rows[1:] if tall else rows))
    by_column = tall and all(map(_is_word, rows[0][1:] if by_row else rows[0]))
    if by_row and not by_column and not _is_word(rows[0][0]):
        by_row = False  # then the words below are rubbish, and are named as such
    row_labels = tuple(row[0] for row in rows[int(by_column) :]) if by_row else None
    return row_labels, tuple(rows[0][int(by_row) :]) if by_column else None


def _is_word(cell: str) -> bool:
    """Whether a cell can only be a label; `e` and `pi` at the edge of a table are."""
    if not cell:
        return False
    try:
        value = parse_number(_decimal_point(cell))
    except NumberError:
        return not cell[0].isdigit()
    return cell.isalpha() and bool(np.isfinite(value))


# --- printouts -> rows of texts --------------------------------------------------------------------

# a bracket, but none of a token such as [CLS]
_PRINTOUT = re.compile(r"\s*(?:Parameter containing:\s*)?(?:[A-Za-z_][\w.]*\s*\(\s*)?\[(?![A-Z]+\])")
_CORNER = re.compile(r"\t[^\n]*\n[^\S\t\n]*[^\s\n][^\t\n]*\t")  # empty, and a label in the row below: a table
# what may follow the last bracket: `, dtype=torch.float64, grad_fn=<AddBackward0>, size=(2, 2))`
_SUFFIX = re.compile(r"\s*(?:,\s*\w+\s*=\s*(?:<[^<>]*>|'[^']*'|\([^()]*\)|[\w.]+)\s*)*,?\s*\)?\s*")


def _printed_rows(text: str, start: int, going_on: GoingOn) -> list[list[str]]:
    """The innermost lists of `[[1. 2.]\n [3. 4.]]` or `tensor([[1., 2.]], …)`, from the first bracket on."""
    end = text.rfind("]") + 1 or len(text)
    if "..." in text or "…" in text:
        raise TableError(
            "This printout is shortened with '...'; print it in full first, with"
            " np.set_printoptions(threshold=sys.maxsize) or torch.set_printoptions(profile='full')"
        )
    if not _SUFFIX.fullmatch(text[end : end + 1000]):
        raise TableError(f"'{_shorten(text[end:].strip())}' after the last bracket is not part of a printout")
    body = text[start:end]
    rows: list[list[str]] = []
    cells, depth, row_depth, last = 0, 0, 0, 0
    opened: Counter[int] = Counter()
    for bracket in re.finditer(r"[\[\]]", body):
        between, innermost = body[last : bracket.start()], body[last - 1 : last] + bracket.group() == "[]"
        last = bracket.end()
        going_on()
        if innermost:
            row_depth = row_depth or depth
            if depth != row_depth:
                raise TableError(f"Row {len(rows) + 1} of the printout is not as deep in brackets as row 1")
            rows.append(_printed_cells(between))
            cells += len(rows[-1])
            _bound(cells)
        elif between.strip(" ,\n\r\t"):
            raise TableError(f"'{_shorten(between.strip())}' stands outside the innermost brackets")
        depth += 1 if bracket.group() == "[" else -1
        opened[depth] += bracket.group() == "["
        if depth < 0:
            break
    if depth != 0 or row_depth == 0:
        raise TableError("The brackets of this printout don't match; was it copied whole?")
    if row_depth > 2 and opened[row_depth - 1] > 1:
        raise TableError(
            f"This printout holds {opened[row_depth - 1]} tables ({row_depth} axes); copy one of them"
        )
    if not rows[0]:
        raise TableError("This printout holds no numbers")
    return rows


def _printed_cells(text: str) -> list[str]:
    most = MAX_CELLS + 1
    cells = [cell.strip() for cell in text.split(",", most)] if "," in text else text.split(None, most)
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells
