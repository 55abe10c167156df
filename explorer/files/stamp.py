"""The fingerprint of a session on disk, and which files lie beside it: to tell whether another program changed it."""

import json
import os
import re
from hashlib import sha256
from pathlib import Path

from explorer.files.atomic import opened

_REFERENCE = re.compile(rb'"file"\s*:\s*("(?:[^"\\]|\\.)*\.safetensors")')


def fingerprint(path: str | os.PathLike[str], limit: int) -> str | None:
    """Tells one content of a session from another; None where there is no file to be read.

    At most `limit` bytes of the session count.
    """
    try:
        with opened(path) as file:
            return fingerprint_of(file.read(limit), _folder(path))
    except (OSError, ValueError):
        return None


def fingerprint_of(content: bytes, folder: Path) -> str:
    """Likewise for a content that stands in `folder`. Of tables beside it, which can be large, size and time count."""
    digest = sha256(content)
    for name in _names(content):
        try:
            status = os.stat(folder / name)
        except (OSError, ValueError):
            continue
        digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0".encode(errors="replace"))
    return digest.hexdigest()


def files_beside(path: Path, limit: int) -> list[Path]:
    """The files of tables that a session refers to; none where it cannot be read."""
    try:
        with opened(path) as file:
            return [_folder(path) / name for name in _names(file.read(limit))]
    except (OSError, ValueError):
        return []


def _folder(path: str | os.PathLike[str]) -> Path:
    """What lies beside a session lies beside the file itself, not beside a link to it."""
    return Path(os.path.realpath(path)).parent


def _names(content: bytes) -> list[str]:
    """Every name once, in order; text that only looks like a reference does no harm here."""
    names = []
    for found in dict.fromkeys(_REFERENCE.findall(content)):
        try:
            names.append(str(json.loads(found)))
        except ValueError:  # not UTF-8, or no such escape
            continue
    return names
