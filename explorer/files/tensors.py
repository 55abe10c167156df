"""Arrays in `.safetensors` files, without torch.

Read by ourselves: eight bytes of length, a JSON header, the numbers. Everything the header claims is held
against the file before anything is made of it.

Numbers are read, each once, and not mapped into memory: what a person keeps must stay when another program rewrites
the file, a mapped file that is cut kills the process that looks at it, and Windows deletes no file that is mapped.
"""

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from explorer.files import plain_json
from explorer.files.atomic import opened
from explorer.scene import brief

MAX_HEADER = 4 * 1024 * 1024  # some 40,000 tensors
MAX_NUMBERS = 2**27  # of one tensor: 1 GB in float64
MAX_WEIGHT = 2**30  # of one weight of a model: 4 GB in float32
MAX_AXES = 32  # numpy takes no more
PIECE = 16 * 1024 * 1024  # bytes that are written at a time

# the types that become numbers; bfloat16 is the upper half of float32
KINDS = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "BOOL": "?",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1",
}  # fmt: skip


_NAMES = {np.dtype(numbers).str: kind for kind, numbers in KINDS.items() if kind != "BF16"}


class TensorError(ValueError):
    """What is wrong with a file of tensors, as the end of a sentence."""


@dataclass(frozen=True)
class Entry:
    """One tensor as its file announces it."""

    name: str
    shape: tuple[int, ...]
    kind: str  # of its numbers, as the file writes it
    start: int = 0  # in the file

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def kind_name(self) -> str:
        """`kind` as numpy and torch call it; as the file writes it where they have no name for it."""
        if self.kind == "BF16":
            return "bfloat16"
        known = self.kind in KINDS or re.fullmatch(r"[<>=|]?(?:b1|[iu][1248]|f[248]|c(?:8|16))", self.kind)
        return np.dtype(KINDS.get(self.kind, self.kind)).name if known else self.kind


State = tuple[int, int, int]  # of a file: which one it is, its size, when it was written


def entries(path: Path) -> dict[str, Entry]:
    """What a file holds, by name. Raises OSError, or TensorError for a header that cannot be true."""
    return listing(path)[0]


def listing(path: Path) -> tuple[dict[str, Entry], State]:
    """The same, and the state of the file that has been looked at."""
    with opened(path) as file:
        return _entries(_header(file), *_extent(file)), _state(file)


def read(path: Path, key: str) -> NDArray[Any]:
    """One tensor of a file; bfloat16 comes as float32.

    Raises OSError, or TensorError naming what is there instead.
    """
    with opened(path) as file:
        found = _entries(_header(file), *_extent(file))
        if key not in found:
            raise TensorError(f'it has no tensor "{brief(key)}"; it has {_listed(list(found))}')
        entry = found[key]
        if entry.kind not in KINDS:
            raise TensorError(
                f'its tensor "{brief(key)}" has the type {brief(entry.kind)}, which is not read'
            )
        check_size(entry, MAX_NUMBERS)
        return _numbers(file, entry)


def read_entry(path: Path, entry: Entry, state: State) -> NDArray[Any]:
    """The same of an entry that `listing` has given for this very file, whose header is not read again.

    A weight of a model may be larger than a table. Raises OSError, TensorError, also where the file is another now.
    """
    if entry.kind not in KINDS:
        raise TensorError(f"{place(entry.name)} has the type {brief(entry.kind)}, which is not read")
    check_size(entry, MAX_WEIGHT)
    with opened(path) as file:
        if _state(file) != state:
            raise TensorError("another program has changed it meanwhile; open it again")
        return _numbers(file, entry)


def _numbers(file: BinaryIO, entry: Entry) -> NDArray[Any]:
    file.seek(entry.start)
    numbers = np.fromfile(file, KINDS[entry.kind], entry.size)
    if numbers.size != entry.size:  # cut off since the header was read
        raise TensorError("it is not a whole safetensors file")
    if entry.kind == "BF16":
        bits = numbers.astype(np.uint32)
        bits <<= 16
        numbers = bits.view(np.float32)
    return numbers.reshape(entry.shape)


def metadata(path: Path) -> dict[str, str]:
    """What was noted in a file; empty where it is none of ours or cannot be read."""
    try:
        with opened(path) as file:
            notes = _header(file).get("__metadata__")
    except (OSError, TensorError):
        return {}
    return notes if isinstance(notes, dict) else {}


def write(
    path: Path,
    tensors: Mapping[str, NDArray[Any]],
    notes: Mapping[str, str],
    going_on: Callable[[], None] = lambda: None,
) -> None:
    """All tensors into a file that is there already, with notes. Raises OSError; not atomic by itself.

    Other threads go on meanwhile, and the numbers are not copied: half a gigabyte takes a while to be written.
    `going_on` is called before each piece; what it raises ends it.
    """
    widest_first = sorted(tensors.items(), key=lambda item: -item[1].itemsize)  # so all of them are aligned
    arrays = {name: np.asarray(array, _written_as(array.dtype), order="C") for name, array in widest_first}
    header: dict[str, Any] = {"__metadata__": dict(notes)} if notes else {}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.nbytes
        header[name] = {
            "dtype": _NAMES[array.dtype.str], "shape": list(array.shape), "data_offsets": [start, end]
        }  # fmt: skip
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "r+b") as file:
        file.truncate()
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            flat = array.reshape(-1).view(np.uint8)
            for first in range(0, flat.size, PIECE):
                going_on()
                file.write(flat[first : first + PIECE].data)


def _written_as(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """In the order of bytes that the file has."""
    return dtype.newbyteorder("<")


def check_size(entry: Entry, most: int) -> None:
    """Raises TensorError for a tensor of more numbers than are read."""
    if entry.size > most:
        raise TensorError(f"{place(entry.name)} has {entry.size:,} numbers; at most {most:,} are read")


def place(name: str) -> str:
    """How sentences call a tensor; a file with a single one need not name it."""
    return f'its tensor "{brief(name)}"' if name else "it"


def _state(file: BinaryIO) -> State:
    status = os.fstat(file.fileno())
    return status.st_ino, status.st_size, status.st_mtime_ns


def _extent(file: BinaryIO) -> tuple[int, int]:
    """Where the numbers begin and end; the header has just been read."""
    return file.tell(), os.fstat(file.fileno()).st_size


def _header(file: BinaryIO) -> dict[str, Any]:
    length = int.from_bytes(file.read(8), "little")
    size = os.fstat(file.fileno()).st_size
    if size < 8 or length > size - 8:
        raise TensorError("it is not a whole safetensors file")
    if length > MAX_HEADER:
        raise TensorError(f"its header claims {length:,} bytes; at most {MAX_HEADER:,} are read")
    try:
        header = plain_json.loads(file.read(length).decode())
        plain_json.check_depth([header])
    except (UnicodeDecodeError, plain_json.JsonError):
        raise TensorError("it is not a whole safetensors file") from None
    if not isinstance(header, dict):
        raise TensorError("it is not a whole safetensors file")
    return header


def _entries(header: dict[str, Any], start: int, end: int) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    extents: list[tuple[int, int]] = []
    for name, value in header.items():
        if name == "__metadata__":
            continue
        shape, kind, (first, last) = _described(name, value)
        if not 0 <= first <= last <= end - start:
            raise TensorError(f'its tensor "{brief(name)}" reaches past the end of the file')
        entry = Entry(name, shape, kind, start + first)
        if kind in KINDS and entry.size * np.dtype(KINDS[kind]).itemsize != last - first:
            raise TensorError(f'its tensor "{brief(name)}" claims more or fewer numbers than it holds')
        extents.append((first, last))
        found[name] = entry
    extents.sort()
    if any(before[1] > after[0] for before, after in zip(extents, extents[1:], strict=False)):
        raise TensorError("its tensors overlap")
    return found


def _described(name: str, value: Any) -> tuple[tuple[int, ...], str, tuple[int, int]]:
    """Shape, type and place of a tensor, once they are what they must be."""
    if isinstance(value, dict):
        kind, shape, place_ = (
            value.get("dtype"),
            _counts(value.get("shape")),
            _counts(value.get("data_offsets")),
        )
        if isinstance(kind, str) and len(kind) <= 20 and shape is not None and place_ is not None:
            if len(place_) == 2 and len(shape) <= MAX_AXES:
                return shape, kind, (place_[0], place_[1])
    raise TensorError(f'its tensor "{brief(name)}" is not described as it must be')


def _counts(value: Any) -> tuple[int, ...] | None:
    if isinstance(value, list) and all(type(count) is int and count >= 0 for count in value):
        return tuple(value)
    return None


def _listed(keys: list[str]) -> str:
    shown = ", ".join(f'"{brief(key)}"' for key in sorted(keys)[:5])
    return (shown + (" …" if len(keys) > 5 else "")) or "none"
