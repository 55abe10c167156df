"""Shared libraries in the folder of the executable: without their symbol tables, and what they need of the system."""

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

LOAD = 1  # p_type of a segment that the loader maps
Segment = tuple[int, int, int]  # offset in the file, address, alignment


def libraries(folder: Path) -> Iterator[Path]:
    """Every ELF file below `folder`, links aside."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def strip(folder: Path) -> int:
    """Strip every library below `folder`; the bytes saved. Does nothing where there is no `strip`."""
    tool = shutil.which("strip")
    return sum(_strip(tool, path) for path in libraries(folder)) if tool else 0


def _strip(tool: str, path: Path) -> int:
    draft = path.with_name(path.name + ".stripped")
    done = subprocess.run([tool, "--strip-unneeded", "-o", draft, path], capture_output=True)
    # Libraries that were patched after linking (numpy's OpenBLAS) come out such that they can't be loaded.
    if done.returncode != 0 or not loadable(draft):
        draft.unlink(missing_ok=True)
        return 0
    saved = path.stat().st_size - draft.stat().st_size
    shutil.copymode(path, draft)
    os.replace(draft, path)
    return saved


def loadable(path: Path) -> bool:
    """Whether the loader can map all segments: their place in the file and in memory agree modulo a page."""
    return all(align <= 1 or offset % align == address % align for offset, address, align in segments(path))


def segments(path: Path) -> list[Segment]:
    """What the loader maps of a 64-bit little-endian ELF file (System V ABI, program header)."""
    with path.open("rb") as file:
        header = file.read(64)
        if header[:6] != b"\x7fELF\x02\x01":
            return []
        (start,) = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(start)
        table = file.read(size * count)
    found = []
    for number in range(count):
        kind, _flags, offset, address = struct.unpack_from("<IIQQ", table, number * size)
        (align,) = struct.unpack_from("<Q", table, number * size + 48)
        if kind == LOAD:
            found.append((offset, address, align))
    return found


def oldest_glibc(folder: Path) -> tuple[int, int]:
    """The GNU C library that all libraries below `folder` can do with, such as (2, 35)."""
    versions = {(2, 0)}
    for path in libraries(folder):
        for found in re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", path.read_bytes()):
            versions.add((int(found[0]), int(found[1])))
    return max(versions)
