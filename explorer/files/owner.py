"""Which process a file belongs to, and whether that one runs still."""

import os
import platform
import sys
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Owner:
    """A process: whether it runs still can be told later on the same host."""

    pid: int
    started: str
    host: str

    @classmethod
    def current(cls) -> "Owner":
        """This process."""
        return cls(os.getpid(), started(os.getpid()) or "", here())

    @property
    def is_dead(self) -> bool | None:
        """None where that cannot be told here: on another host, on a system that does not say."""
        if self.host != here() or not self.started:
            return None
        return _differs(started(self.pid), self.started)

    @property
    def mark(self) -> str:
        """The same in few characters, as a part of a file's name."""
        return f"{_short(self.host)}.{self.pid:x}.{_short(self.started)}"


MARK = r"[0-9a-f]{8}\.[0-9a-f]+\.[0-9a-f]{8}"  # a pattern


def is_gone(mark: str) -> bool | None:
    """Whether the owner of this mark is dead; None where that cannot be told here."""
    host, pid, began = mark.split(".")
    if host != _short(here()) or began == _short(""):
        return None
    now = started(int(pid, 16))
    return _differs(now and _short(now), began)


def started(pid: int) -> str | None:
    """When a process began, so that another one of the same number is not taken for it; None if there is none.

    Known on Linux alone: clock ticks since this boot (proc(5), field 22 of stat). "" elsewhere, and where it is not
    shown.
    """
    if not sys.platform.startswith("linux"):
        return ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        after_name = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2]
        )
        return f"{boot}/{after_name.split()[19]}"
    except (OSError, IndexError):
        return "" if _exists(pid) else None


@cache
def here() -> str:
    """This host; where processes are numbered apart (in a container), also that."""
    try:
        return f"{platform.node()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()


def _exists(pid: int) -> bool:
    """On Linux: also a process whose folder in /proc is hidden from us."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def _differs(now: str | None, before: str) -> bool | None:
    return None if now == "" else now != before


def _short(text: str) -> str:
    return f"{zlib.crc32(text.encode(errors='replace')):08x}"
