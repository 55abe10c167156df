"""How time and memory grow with n, d and H, beside torch alone; each scene in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import log10
from pathlib import Path
from statistics import median
from time import perf_counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from benchmarks.bare import Bare
from benchmarks.cases import edits, scene_of
from benchmarks.real import RealWindow
from benchmarks.steady import MB, SIZE, resident
from explorer.scene import Scene

EDITS = 7
# One grows, the others stay: tokens, heads, width of a head (d_model = heads × width).
AXES = {
    "n": [(n, 4, 16) for n in (4, 16, 64, 256, 1024)],
    "d": [(64, 4, width) for width in (4, 16, 64, 192)],
    "H": [(64, heads, 16) for heads in (1, 2, 4, 8, 16)],
}
PLOT = (720, 420)  # pixels


@dataclass(frozen=True)
class Point:
    """Milliseconds from an edit to its pixels and of torch alone; megabytes that opening and editing it add."""

    at: int
    edit_ms: float
    torch_ms: float
    mb: float
    inputs_mb: float  # of the scene's own numbers


def measure(axis: str, most: int | None = None) -> list[Point]:
    """The points of one axis, the first `most` of them."""
    return [_point(axis, sizes) for sizes in AXES[axis][:most]]


def _point(axis: str, sizes: tuple[int, int, int]) -> Point:
    command = [sys.executable, "-m", "benchmarks.growing", *map(str, sizes)]
    folder = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        command,
        cwd=folder,
        env=surroundings(folder),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    edit_ms, torch_ms, mb, inputs_mb = map(float, done.stdout.split())
    n, heads, width = sizes
    return Point({"n": n, "d": heads * width, "H": heads}[axis], edit_ms, torch_ms, mb, inputs_mb)


def surroundings(folder: Path) -> dict[str, str]:
    """For a process that measures: it finds us, and the program, compiled as installed packages are."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**own, "PYTHONPATH": os.pathsep.join((str(folder), str(folder.parent)))}


def plots(points: dict[str, list[Point]], report: Path) -> Iterator[Path]:
    """Pictures beside the report: for each axis milliseconds, and megabytes, on logarithmic scales."""
    import pyqtgraph as pg

    pg.setConfigOptions(background="w", foreground="k", antialias=True)
    for axis, found in points.items():
        for what, unit, curves in (
            (
                "time",
                "ms",
                (("edit to pixels", "edit_ms", "#0068a8"), ("torch alone", "torch_ms", "#b84e00")),
            ),
            (
                "memory",
                "MB",
                (("window", "mb", "#0068a8"), ("the scene's own numbers", "inputs_mb", "#b84e00")),
            ),
        ):
            plot = pg.PlotWidget()
            plot.resize(*PLOT)
            plot.getPlotItem().getViewBox().setDefaultPadding(0.06)
            plot.setLogMode(x=True, y=True)
            plot.setLabel("bottom", axis)
            plot.setLabel("left", unit)
            plot.getAxis("bottom").setTicks([[(log10(point.at), str(point.at)) for point in found]])
            plot.addLegend(offset=(20, 10))
            for name, field, colour in curves:
                values = [max(getattr(point, field), 1e-3) for point in found]
                style = Qt.PenStyle.SolidLine if field in ("edit_ms", "mb") else Qt.PenStyle.DashLine
                pen = QPen(QColor(colour), 0)
                pen.setStyle(style)
                plot.plot(
                    [point.at for point in found], values, name=name, pen=pen, symbol="o", symbolBrush=colour
                )
            path = report.with_name(f"{report.stem}-{what}-{axis}.png")
            plot.grab().save(str(path))
            plot.close()
            yield path


def _main(n: int, heads: int, width: int) -> None:
    real = RealWindow()
    real.open_scene(scene_of(2, 1), SIZE)
    before = resident()
    scene = scene_of(n, heads, width)
    real.open_scene(scene, SIZE)
    times = []
    for edited in islice(edits(scene), EDITS):
        start = perf_counter()
        real.edit(edited)
        times.append((perf_counter() - start) * 1000)
    added = (resident() - before) / MB
    alone = Bare(scene)
    torch_ms = median(alone.once() for _ in range(EDITS))
    print(median(times), torch_ms, max(0.0, added), _inputs(scene) / MB)
    real.close()


def _inputs(scene: Scene) -> int:
    return sum(
        array.nbytes
        for name in ("x", "w_q", "w_k", "w_v", "w_o")
        if (array := getattr(scene, name)) is not None
    )


if __name__ == "__main__":
    _main(*map(int, sys.argv[1:]))
