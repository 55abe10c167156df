"""NumPy's `.npy` and `.npz`, read without pickle and without evaluating anything.

A header is text in the form of a Python dict; here a pattern reads it, and what it claims is held against the
size of the file, or of the archive's member, before memory is asked for.
"""

import math
import re
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from explorer.files.atomic import opened
from explorer.files.tensors import MAX_AXES, Entry, TensorError, check_size, place
from explorer.files.zips import opened as opened_archive
from explorer.scene import brief

MAX_HEADER = 10_000  # as numpy has it
MAX_NUMBERS = 20_000_000  # of one array: 160 MB in float64
SUFFIX = ".npy"
CHUNK = 1 << 20

_MAGIC = b"\x93NUMPY"
_PAIR = re.compile(
    r"""\s*(['"])(descr|fortran_order|shape)\1\s*:\s*(?:(['"])([^'"]{1,20})\3|(True|False)|\(([0-9L,\s]*)\))\s*(?:,|$)"""
)
_KIND = re.compile(r"[<>=|]?(?:b1|[iu][1248]|f(?:2|4|8|12|16))")
_OBJECTS = re.compile(r"[<>=|]?O\d*")


def array_entry(path: Path) -> Entry:
    """What a `.npy` file holds; its only tensor has no name. Raises OSError or TensorError."""
    with opened(path) as file:
        entry, _ = _entry(file, "", path.stat().st_size)
    return entry


def read_array(path: Path) -> NDArray[Any]:
    """The array of a `.npy` file. Raises OSError or TensorError."""
    with opened(path) as file:
        return _numbers(file, *_entry(file, "", path.stat().st_size))


def archive_entries(path: Path) -> tuple[Entry, ...]:
    """What an `.npz` file holds; nothing but headers is unpacked. Raises OSError or TensorError."""
    with opened_archive(path) as archive:
        return tuple(
            _member(archive, info, lambda file, entry, _: entry)
            for info in archive.infolist()
            if info.filename.endswith(SUFFIX)
        )


def read_member(path: Path, name: str) -> NDArray[Any]:
    """One array of an `.npz` file. Raises OSError or TensorError."""
    with opened_archive(path) as archive:
        try:
            info = archive.getinfo(name + SUFFIX)
        except KeyError:
            raise TensorError(f'it has no tensor "{brief(name)}"') from None
        return _member(archive, info, _numbers)  # type: ignore[no-any-return]


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, use: Any) -> Any:
    name = info.filename.removesuffix(SUFFIX)
    try:
        with archive.open(info) as file:
            return use(file, *_entry(file, name, info.file_size))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, TensorError):
            raise
        raise TensorError(f"{place(name)} is damaged") from None


def _entry(file: IO[bytes], name: str, size: int) -> tuple[Entry, bool]:
    """The tensor that a header announces, and whether it lies column by column. `size`: bytes, header included."""
    text, length = _header(file, name)
    found: dict[str, str] = {}
    at = 1
    while (match := _PAIR.match(text, at, len(text) - 1)) is not None and match[2] not in found:
        found[match[2]] = next(value for value in match.groups()[3:] if value is not None)
        at = match.end()
    if not (text[:1] == "{" and text[-1:] == "}" and len(found) == 3 and not text[at:-1].strip()):
        raise TensorError(f"{place(name)} has a header that cannot be read")
    counts = [count.strip().rstrip("L") for count in found["shape"].split(",")]
    if not all(re.fullmatch(r"[0-9]{1,20}", count) for count in counts if count) or len(counts) > MAX_AXES:
        raise TensorError(f"{place(name)} has a header that cannot be read")
    entry = Entry(name, tuple(int(count) for count in counts if count), found["descr"], length)
    width = (
        np.dtype(entry.kind).itemsize if _KIND.fullmatch(entry.kind) else 0
    )  # what is not read is only listed
    claimed = math.prod(entry.shape) * width
    if claimed > size - length:
        raise TensorError(f"{place(name)} claims {claimed:,} bytes of numbers and has {size - length:,}")
    return entry, found["fortran_order"] == "True"


def _header(file: IO[bytes], name: str) -> tuple[str, int]:
    """The text of a header, and how many bytes come before the numbers."""
    start = file.read(8)
    if start[:6] != _MAGIC or len(start) < 8 or start[6] not in (1, 2, 3):
        raise TensorError(f"{place(name)} is no npy file")
    width = 2 if start[6] == 1 else 4
    length = int.from_bytes(file.read(width), "little")
    if length > MAX_HEADER:
        raise TensorError(f"{place(name)} has a header of {length:,} bytes; at most {MAX_HEADER:,} are read")
    header = file.read(length)
    if len(header) < length:
        raise TensorError(f"{place(name)} ends within its header")
    return header.decode("latin-1").strip(), 8 + width + length


def _numbers(file: IO[bytes], entry: Entry, by_column: bool) -> NDArray[Any]:
    if _OBJECTS.fullmatch(entry.kind):
        raise TensorError(f"{place(entry.name)} holds Python objects (a pickle), which are never loaded")
    if not _KIND.fullmatch(entry.kind):
        raise TensorError(f"{place(entry.name)} has the type {brief(entry.kind)}, which is not read")
    check_size(entry, MAX_NUMBERS)
    kind = np.dtype(entry.kind)
    numbers = np.empty(entry.size, kind)
    into, at = numbers.view(np.uint8), 0
    while at < into.size:
        part = file.read(min(CHUNK, into.size - at))
        if not part:
            raise TensorError(f"{place(entry.name)} ends early")
        into[at : at + len(part)] = np.frombuffer(part, np.uint8)
        at += len(part)
    return numbers.reshape(entry.shape, order="F" if by_column else "C")
