"""Zip archives of unknown origin: what they claim is checked before anything is unpacked."""

import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

from explorer.files.tensors import TensorError

MAX_MEMBERS = 10_000
MAX_READ = 4 * 1024 * 1024  # bytes at once: a directory of as many members has 1 MB
MAX_RATIO = 1032  # more than that deflate cannot do (zlib's own technical notes)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class _Careful(FileIO):
    """A file that does not let itself be read in one piece, as a claimed directory of gigabytes would have it."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = os.fstat(self.fileno()).st_size - self.tell()
        if size > MAX_READ:
            raise TensorError("it claims a directory too large to be true")
        return super().read(size) or b""


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive, none of whose members is encrypted, oddly packed or packed smaller than can be.

    Raises OSError, or TensorError naming the member.
    """
    with _Careful(path) as file:
        try:
            archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, EOFError) as error:
            raise error if isinstance(error, TensorError) else TensorError("it is no whole archive") from None
        with archive:
            members = archive.infolist()
            if len(members) > MAX_MEMBERS:
                raise TensorError(f"it has {len(members):,} members; at most {MAX_MEMBERS:,} are read")
            for member in members:
                _check(member)
            yield archive


def _check(member: zipfile.ZipInfo) -> None:
    name = ascii(member.filename[:40])
    if member.compress_type not in METHODS or member.flag_bits & 0x1:
        raise TensorError(f"its member {name} is packed in a way that is not read")
    held = member.compress_size
    most = held if member.compress_type == zipfile.ZIP_STORED else held * MAX_RATIO + 64
    if member.file_size > most:
        raise TensorError(f"its member {name} claims {member.file_size:,} bytes and holds {held:,}")
