"""Files of arrays (`.npy`, `.npz`, `.safetensors`, `.pt`): what they hold, and one array of them at a time.

Told apart by how they begin. Nothing of a file is run, and nothing is allocated before what the file claims has
been held against what it has.
"""

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.files import npy, pickles, tensors, zips
from explorer.files.atomic import opened, reason
from explorer.files.tables import TableError
from explorer.files.tensors import Entry, TensorError

SUFFIXES = (".npy", ".npz", ".safetensors", ".pt", ".pth")
MAX_LEGACY = 512 * 1024 * 1024  # bytes of a file from before torch 1.6, which cannot be mapped

_ARCHIVE = (b"PK\x03\x04", b"PK\x05\x06")  # with members, without any
_LEGACY = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"  # torch's magic number, pickled


@dataclass(frozen=True, eq=False)
class ArrayFile:
    """What a file holds, and how to get at it."""

    name: str
    entries: tuple[Entry, ...]
    _read: Callable[[Entry], NDArray[Any]]
    _weight: Callable[[Entry], NDArray[Any]]

    def read(self, entry: Entry) -> NDArray[np.float64]:
        """The numbers of one array, read-only, true as 1. Raises TableError, which begins with the file's name."""
        values = _named(self.name, lambda: self._read(entry))
        with np.errstate(over="ignore"):  # a long double past float64 is infinite
            numbers = np.asarray(values, dtype=np.float64)
        numbers.setflags(write=False)
        return numbers

    def weight(self, entry: Entry) -> NDArray[np.floating[Any]]:
        """The same in float32 where that holds every number of it, as one reads a weight of a model."""
        values = _named(self.name, lambda: self._weight(entry))
        kind = np.float64 if values.dtype == np.float64 else np.float32
        numbers: NDArray[np.floating[Any]] = np.asarray(values, kind)
        numbers.setflags(write=False)
        return numbers

    def entry(self, name: str) -> Entry | None:
        """The array of this name."""
        return next((entry for entry in self.entries if entry.name == name), None)


def is_arrays(path: Path) -> bool:
    """Whether a file is one of those, by its beginning or by its name; False where it cannot be read."""
    try:
        with opened(path) as file:
            start = file.read(16)
    except (OSError, ValueError):
        return path.suffix.lower() in SUFFIXES
    known = start.startswith((b"\x93NUMPY", *_ARCHIVE, _LEGACY)) or _is_safetensors(start, path)
    return known or path.suffix.lower() in SUFFIXES


def load(path: Path) -> ArrayFile:
    """What a file of arrays holds. Raises TableError, which begins with the file's name."""
    name = path.name or str(path)
    entries, *reads = _named(name, lambda: _opened(path))
    if not entries:
        raise TableError(f"{name}: it holds no tensors")
    return ArrayFile(name, entries, reads[0], reads[-1])


def _named(name: str, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except TensorError as error:
        raise TableError(f"{name}: {error}") from None
    except OSError as error:
        raise TableError(f"{name}: it cannot be read: {reason(error)}") from None
    except ValueError:
        if "\0" not in name:
            raise TableError(f"{name}: it is damaged") from None
        raise TableError(f"{ascii(name)}: it cannot be read: there is no such file or folder") from None
    except MemoryError:
        raise TableError(f"{name}: there is not enough memory for it") from None


Read = Callable[[Entry], NDArray[Any]]
# what there is, how one reads it, and how as a weight, where that is another way
Opened = tuple[tuple[Entry, ...], Read] | tuple[tuple[Entry, ...], Read, Read]


def _opened(path: Path) -> Opened:
    with opened(path) as file:
        start = file.read(len(_LEGACY))
    suffix = path.suffix.lower()
    if start.startswith(b"\x93NUMPY"):
        return (npy.array_entry(path),), lambda _: npy.read_array(path)
    if start.startswith(_ARCHIVE):
        return _archive(path)
    if start == _LEGACY:
        return _legacy(path)
    if suffix == ".safetensors" or _is_safetensors(start, path):
        found, state = tensors.listing(path)
        return (
            tuple(found.values()),
            lambda entry: tensors.read(path, entry.name),
            lambda entry: tensors.read_entry(path, entry, state),
        )
    if start.startswith(b"\x80") or suffix in (".pt", ".pth"):
        raise TensorError("it is a pickle that torch.save has not written, and such files are never loaded")
    raise TensorError("it is no npy file" if suffix == ".npy" else "it is no whole archive")


def _is_safetensors(start: bytes, path: Path) -> bool:
    """A length within the file, and an object; the length's first byte can be any, that of a pickle included."""
    return start[8:9] == b"{" and int.from_bytes(start[:8], "little") <= path.stat().st_size - 8


def _archive(path: Path) -> Opened:
    """An `.npz` file, or what torch saves."""
    with zips.opened(path) as archive:
        names = archive.namelist()
        pickle = next((name for name in names if name.split("/", 1)[-1] == "data.pkl"), None)
        if pickle is not None:
            _check_torch(archive, pickle)
    if pickle is not None:
        return _torch(path, mapped=True)
    if any(name.endswith(npy.SUFFIX) for name in names):
        return npy.archive_entries(path), lambda entry: npy.read_member(path, entry.name)
    if names and (names[0] == "mimetype" or "[Content_Types].xml" in names):
        raise TensorError("it is a spreadsheet's own file; copy the cells there, or save them as CSV")
    raise TensorError("it holds no tensors")


def _check_torch(archive: zipfile.ZipFile, pickle: str) -> None:
    folder = pickle.split("/", 1)[0]
    if any(name.startswith((f"{folder}/code/", f"{folder}/constants.pkl")) for name in archive.namelist()):
        raise TensorError("it is a TorchScript program, and only tensors are read from such a file")
    # Stored, a member's bytes are the file's own; torch writes no others, and maps them where they lie.
    if any(member.compress_type != zipfile.ZIP_STORED for member in archive.infolist()):
        raise TensorError("it is packed, which torch does not do")
    size = archive.getinfo(pickle).file_size
    if size > pickles.MAX_BYTES:
        raise TensorError(f"its list of tensors has {size:,} bytes; at most {pickles.MAX_BYTES:,} are read")
    try:
        content = archive.read(pickle)
    except (zipfile.BadZipFile, EOFError, RuntimeError, ValueError):  # the last of a name that is no text
        raise TensorError("it is no whole torch file") from None
    pickles.check(content, count=1, largest=2**63)


def _legacy(path: Path) -> Opened:
    size = path.stat().st_size
    if size > MAX_LEGACY:
        raise TensorError(f"it is larger than {MAX_LEGACY >> 20} MB, and from a torch before 1.6")
    with opened(path) as file:
        start = file.read(pickles.MAX_BYTES)
    pickles.check(start, count=5, largest=max(size, 1 << 24))
    return _torch(path, mapped=False)


def _torch(path: Path, mapped: bool) -> Opened:
    # Not imported at the top: torch takes a second to load, and few files need it.
    file = import_module("explorer.files.torch_file").TorchFile(path, mapped)
    return file.entries, file.read, file.weight


# ---- an array of any number of axes as a table ----


@dataclass(frozen=True)
class View:
    """Which table of an array: the axes that become rows and columns, and the index along each other one.

    Of a single number or row nothing needs to be chosen. Axes and indices count from 0.
    """

    rows: int = -2
    columns: int = -1
    at: tuple[int, ...] = ()  # one index per other axis, in order
    transposed: bool = False

    def of(self, array: NDArray[np.float64]) -> NDArray[np.float64]:
        """(r, c): the table, a view of `array`; no number at all is a row of none."""
        if array.ndim < 2:
            table = array.reshape(1, -1)  # one row
        else:
            axes = (self.rows % array.ndim, self.columns % array.ndim)
            others = iter(self.at or (0,) * (array.ndim - 2))
            index = tuple(slice(None) if axis in axes else next(others) for axis in range(array.ndim))
            table = array[index] if axes[0] < axes[1] else array[index].T
        return table.T if self.transposed else table


def axis_pairs(dimensions: int) -> list[tuple[int, int]]:
    """The pairs of axes that a table can be made of, the usual one first: the last two."""
    pairs = [(row, column) for row in range(dimensions) for column in range(row + 1, dimensions)]
    return pairs[::-1]
