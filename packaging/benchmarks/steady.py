"""Over time: memory over thousands of edits, and how long the event loop is held up."""

import ctypes
import gc
import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QCoreApplication

from benchmarks.cases import edits, scene_of
from benchmarks.pulse import Pulse
from benchmarks.real import RealWindow
from explorer.files.session import save

STATM = Path("/proc/self/statm")
MB = 1024 * 1024
SIZE = (1920, 1080)


@dataclass(frozen=True)
class Growth:
    """Bytes in memory: at the start, after as many edits as fill the caches, and after `edits` more."""

    edits: int
    start: int
    before: int
    after: int

    @property
    def mb(self) -> float:
        """How much the edits that were counted added."""
        return (self.after - self.before) / MB

    @property
    def warm_up_mb(self) -> float:
        """How much those before them added."""
        return (self.before - self.start) / MB


def growth(real: RealWindow, count: int, merge: str | None) -> Growth | None:
    """Of `count` edits; with `merge` all are one undo step. None where the system does not tell.

    To be asked for before all else: in a heap that was larger once, growth is not seen.
    """
    if not STATM.exists():
        return None
    scene = scene_of(8, 4)
    real.open_scene(scene, SIZE)
    found = edits(scene)
    start = resident()
    for warm_up in islice(found, count // 2):  # until the pictures of all usual numbers are there
        real.edit(warm_up, merge)
    before = resident()
    for edited in islice(found, count):
        real.edit(edited, merge)
    return Growth(count, start, before, resident())


def opened(real: RealWindow, folder: Path, count: int) -> float:
    """Megabytes that opening `count` files adds, once each of ten has been opened four times."""
    paths = [folder / f"{number}.attn.json" for number in range(10)]
    for number, path in enumerate(paths):
        save(scene_of(2 + 2 * number, 1 + number % 4, seed=number), path)

    def open_them(times: int) -> None:
        for number in range(times):
            real.open_file(paths[number % len(paths)])

    open_them(4 * len(paths))
    before = resident()
    open_them(count)
    return (resident() - before) / MB


def resident() -> int:
    """Bytes that this process needs; 0 where the system does not tell.

    What C's allocator keeps for later, although it is free, is given back first: how much that is changes from one
    thousand edits to the next.
    """
    if not STATM.exists():
        return 0
    gc.collect()
    if (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
    return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Heartbeat:
    """Milliseconds between two beats of the event loop at most, and until an edit was painted (median)."""

    longest_ms: float
    edit_ms: float


def heartbeat(real: RealWindow, tokens: int, heads: int, count: int, pause_s: float = 0.4) -> Heartbeat:
    """A large scene, edited every now and then: pauses in which it is compared with torch belong to it."""
    scene = scene_of(tokens, heads, width=64)
    real.open_scene(scene, SIZE)
    times = []
    with Pulse() as pulse:
        for edited in islice(edits(scene), count):
            start = perf_counter()
            real.edit(edited)
            times.append(perf_counter() - start)
            while perf_counter() - start < pause_s:
                QCoreApplication.processEvents()
    return Heartbeat(pulse.longest_ms, sorted(times)[len(times) // 2] * 1000)
