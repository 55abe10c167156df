"""Files that appear whole or not at all, and none that keeps its reader waiting."""

import errno
import os
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISREG
from typing import BinaryIO

from explorer.files.owner import MARK, Owner, is_gone

ABANDONED = (
    600  # s without a byte more: where its writer is not to be seen from here, a draft is given up then
)
_DRAFT = re.compile(rf"\.[0-9a-f]{{8}}-(?:({MARK})-)?[0-9a-f]{{8}}(?:\..*)?", re.DOTALL)


@contextmanager
def replacing(path: Path, of: Path | None = None) -> Iterator[Path]:
    """A new, empty file beside `path` to write to; it takes the place of `path` when the block ends well.

    It has the suffix of `path`, and the permissions of the file it replaces; through a symbolic link, what
    the link points to is replaced. If the block raises, or the process is killed, `path` is as it was. `of` is the
    file that `path` belongs to, with whose drafts those of it are tidied away.
    Raises OSError, also where `path` is read-only or no ordinary file.
    """
    target = Path(os.path.realpath(path))
    mode = _replaceable(target)
    whole = target if of is None else of
    tidy(target.parent, whole.name)  # first: perhaps it is what the disk is full of
    own = f"{_mark(whole.name)}-{Owner.current().mark}-{os.urandom(4).hex()}"
    draft = target.with_name(f".{own}{target.suffix}")
    # Not tempfile: its files are for the owner alone, and only the kernel applies the umask unasked.
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        yield draft
        if mode is not None:
            os.chmod(draft, mode)
        _to_disk(draft)
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    with suppress(OSError):  # the new name too; not every system can
        _to_disk(target.parent)


def tidy(folder: Path, name: str | None = None) -> None:
    """Delete the drafts of a file (None: of every file) in a folder that processes left which are gone."""
    with suppress(OSError):
        for path in list(folder.glob(f".{'*' if name is None else _mark(name)}-*")):
            if (match := _DRAFT.fullmatch(path.name)) is not None and _is_left(path, match[1]):
                with suppress(OSError):
                    path.unlink()


def _is_left(draft: Path, mark: str | None) -> bool:
    gone = None if mark is None else is_gone(mark)
    try:
        return time.time() - draft.stat().st_mtime > ABANDONED if gone is None else gone
    except OSError:
        return False


def write(path: Path, content: bytes) -> None:
    """`content` in place of what `path` held, whole or not at all. Raises OSError."""
    with replacing(path) as draft:
        draft.write_bytes(content)


def opened(path: str | os.PathLike[str]) -> BinaryIO:
    """An ordinary file to read from; a pipe or a device would have us wait. Raises OSError, ValueError for a NUL."""
    status = os.stat(path)
    if not S_ISREG(status.st_mode):
        number = errno.EISDIR if S_ISDIR(status.st_mode) else errno.EINVAL
        raise OSError(number, os.strerror(number), str(path))
    return open(path, "rb")


def reason(error: OSError) -> str:
    """Why a file could not be read or written, as the end of a sentence."""
    return _REASONS.get(error.errno or 0) or (error.strerror or str(error)).lower()


_REASONS = {
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "a file is where its folder should be",
    errno.EEXIST: "a file is where its folder should be",
    errno.EISDIR: "it is a folder",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be too large",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EINVAL: "it is no ordinary file",
}


def _replaceable(target: Path) -> int | None:
    """The permissions of the file that is there; None if there is none. Raises OSError if it must stay."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if not S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(target))
    if not os.access(target, os.W_OK):  # its folder would let us, but somebody wanted it kept
        number = errno.EROFS if _is_read_only_disk(target) else errno.EACCES
        raise OSError(number, os.strerror(number), str(target))
    return S_IMODE(status.st_mode)


def _mark(name: str) -> str:
    """Instead of the name itself, which may be as long as can be."""
    return f"{zlib.crc32(name.encode(errors='replace')):08x}"


def _is_read_only_disk(path: Path) -> bool:
    return hasattr(os, "statvfs") and bool(os.statvfs(path).f_flag & os.ST_RDONLY)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
