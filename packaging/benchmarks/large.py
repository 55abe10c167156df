"""Large heads: what streaming and pooling add to torch's own time for the same blocks, memory, dragging a number."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer

from benchmarks.cases import scene_of
from benchmarks.goals import Goal
from benchmarks.pulse import Pulse, until, wait
from benchmarks.real import RealWindow
from explorer.attention.streamed import BLOCK
from explorer.attention.windows import Tiles
from explorer.scene import Scene
from explorer.ui.panels.map import MapPanel
from explorer.ui.reading.layer_folder import PIXELS

SIDE = 360  # tiles, as the pictures of a window have
MEMORY = Path("/proc/self/status"), Path("/proc/self/clear_refs")
MB = 1024 * 1024


@dataclass(frozen=True)
class Large:
    """Seconds and megabytes of one head of `tokens`, and of an overview of `heads` heads; None: not known here."""

    tokens: int
    coarse: float
    full: float
    bare: float
    mb: float | None
    heads: int
    overview: float
    overview_bare: float

    def sentences(self) -> list[str]:
        """What the report says."""
        memory = "" if self.mb is None else f", with {self.mb:.0f} MB beyond the inputs"
        return [
            f"- One head of {self.tokens:,} tokens: a coarse picture after {self.coarse * 1000:.0f} ms, every tile"
            f" exact after {self.full:.1f} s{memory}; torch alone takes {self.bare:.1f} s for the same blocks.",
            f"- {self.heads} heads of 1,024 tokens, 768 wide, as small pictures with their facts, as the folder of"
            f" layers shows them: {self.overview:.2f} s; queries, keys and weights in torch alone"
            f" {self.overview_bare:.2f} s.",
        ]

    def goals(self) -> list[Goal]:
        """What they are held against."""
        found = [
            Goal("coarse picture of a large head", self.coarse * 1000, 250, " ms"),
            Goal("full detail of a large head, times torch alone", self.full / self.bare, 1.2),
            Goal("overview of all heads, times torch alone", self.overview / self.overview_bare, 1.5),
        ]
        if self.mb is not None:
            found.append(Goal("memory of a large head beyond its inputs", self.mb, 512, " MB"))
        return found


def measure(quick: bool) -> Large:
    """The times are the best of some runs in turn: of so long ones what disturbs the machine is the larger part."""
    large, tiles = import_module("explorer.attention.large").Large, import_module("explorer.attention.tiles")
    tokens, layers = (8_192, 2) if quick else (32_768, 12)
    scene = scene_of(tokens, 1, width=64)
    start = perf_counter()
    head = large(scene)
    list(tiles.sketch(head, [Tiles(tiles.whole(head, "weights", 0, SIDE, SIDE))]))
    coarse = perf_counter() - start

    def full() -> None:
        list(tiles.fill(head, [Tiles(tiles.whole(head, "weights", 0, SIDE, SIDE))]))

    before = _peak(reset=True)
    full()
    after = _peak(reset=False)
    exact, bare = _best([full, lambda: _bare_blocks(head)], runs=2)
    many = scene_of(1024, 12, width=64)
    from_afar = import_module("explorer.attention.afar").from_afar

    def overview() -> None:
        for _layer in range(layers):
            from_afar(many, PIXELS)

    def overview_bare() -> None:
        for _layer in range(layers):
            _bare_weights(many)

    small, small_bare = _best([overview, overview_bare], runs=3)
    mb = None if before is None or after is None else (after - before) / MB
    return Large(tokens, coarse, exact, bare, mb, 12 * layers, small, small_bare)


def _best(rivals: list[Callable[[], None]], runs: int) -> list[float]:
    times: list[list[float]] = [[] for _ in rivals]
    for _run in range(runs):
        for rival, own in zip(rivals, times, strict=True):
            start = perf_counter()
            rival()
            own.append(perf_counter() - start)
    return [min(own) for own in times]


def _bare_blocks(head: Any) -> None:
    """Scores, softmax and the largest of each tile, as one would write it."""
    torch = import_module("torch")
    q, k = head.held["q"][0], head.held["k"][0]
    step = -(-len(k) // SIDE)
    full = len(k) // step * step
    rows = max(step, BLOCK // len(k) // step * step) if step <= BLOCK // len(k) else BLOCK // len(k)
    found = torch.empty(-(-len(q) // rows), full // step, dtype=q.dtype)
    with torch.inference_mode():
        for number, first in enumerate(range(0, len(q), rows)):
            weights = torch.softmax(q[first : first + rows] @ k.T * head.scene.factor, dim=-1)
            found[number] = weights.amax(0)[:full].view(-1, step).amax(1)


def _bare_weights(scene: Scene) -> None:
    torch = import_module("torch")
    with torch.inference_mode():
        x, w_q, w_k = (torch.tensor(matrix) for matrix in (scene.x, scene.w_q, scene.w_k))
        q, k = ((x @ w).view(scene.n, scene.heads, -1).transpose(0, 1) for w in (w_q, w_k))
        for head in range(scene.heads):
            torch.softmax(q[head] @ k[head].T * scene.factor, dim=-1)


def _peak(reset: bool) -> int | None:
    """The most bytes that were in memory since the last reset; None where the system does not tell."""
    status, clear = MEMORY
    if not clear.exists():
        return None
    if reset:
        clear.write_text("5", encoding="ascii")
    line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


@dataclass(frozen=True)
class Drag:
    """Milliseconds while a number is dragged in a scene of 1,024 tokens, 768 wide, with 12 heads."""

    pictures: int
    seconds: float
    age_ms: float  # of what is seen when it comes into view, p95
    longest_ms: float  # between two beats of the event loop
    exact_ms: float  # from the last edit

    def sentence(self) -> str:
        """What the report says."""
        return (
            f"- Dragging a number with 1,024 tokens, 768 wide, 12 heads: {self.pictures / self.seconds:.0f} coarse"
            f" pictures a second, {self.age_ms:.0f} ms after their edit (p95); the exact one {self.exact_ms:.0f} ms"
            f" after the last edit; the event loop is held up for {self.longest_ms:.0f} ms at most."
        )

    def goals(self) -> list[Goal]:
        """What they are held against."""
        return [Goal("longest stall while dragging in a large scene", self.longest_ms, 50, " ms")]


def drag(real: RealWindow, seconds: float) -> Drag:
    """An edit every 16 ms, as a mouse makes them."""
    real.open_scene(scene_of(1024, 12, width=64), (1920, 1080))
    window = real.window
    window.pipeline.bring_into_view("panel_weights_1")
    panel = window.pipeline.panels["panel_weights_1"]
    assert isinstance(panel, MapPanel)
    until(lambda: bool(panel.pictures()) and not window.maps.is_coarse)
    made: dict[Scene, float] = {}
    ages: list[float] = []
    seen = panel.overview

    def look() -> None:
        nonlocal seen
        view = window.pipeline.view
        if panel.overview is not seen and view is not None:
            seen, now = panel.overview, perf_counter()
            ages.append(now - made.get(view.trace.scene, now))

    timer = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=1)
    timer.timeout.connect(look)
    timer.start()
    with Pulse() as pulse:
        start = perf_counter()
        while (now := perf_counter()) - start < seconds:
            scene = window.document.scene.with_cell("x", 3, 5, float(np.sin(9 * now)))
            made[scene] = now
            window.document.edit(scene, "Edit", "drag")
            wait(16)
        end = perf_counter()
        until(lambda: not window.engine.busy and not window.maps.is_coarse)
        exact = perf_counter() - end
    timer.stop()
    p95 = float(np.percentile(ages or [0.0], 95))
    return Drag(len(ages), seconds, p95 * 1000, pulse.longest_ms, exact * 1000)
