"""All measurements in turn, and what is printed of them."""

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from PySide6.QtCore import QSettings, qVersion
from PySide6.QtGui import QGuiApplication

from benchmarks import capturing, editing, gestures, growing, large, models, notebook, steady
from benchmarks.cases import CASES, HD, scene_of
from benchmarks.goals import Goal, table
from benchmarks.measure import milliseconds
from benchmarks.pulse import LIMIT_MS
from benchmarks.real import RealWindow
from benchmarks.start import Start
from explorer.attention import attend

FLAT_MB = 8.0  # of memory that stays as it is: what the allocator holds back comes and goes


@dataclass
class Report:
    """What has been said so far, and the goals."""

    lines: list[str] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)

    def say(self, *lines: str) -> None:
        """Print it now, and keep it."""
        print(*lines, sep="\n", flush=True)
        self.lines += lines


def main(arguments: list[str]) -> int:
    """The exit status: 1 if a goal that has to be met is missed."""
    options = _options(arguments)
    report = Report()
    with tempfile.TemporaryDirectory(prefix="attention-explorer-bench-") as home, _screen(options.xcb):
        _isolate(home)
        _start(report, runs=2 if options.quick else 7)
        real = RealWindow()
        report.say(_machine())
        _memory(report, real, Path(home), options.quick)
        _edits(report, real, options.quick)
        _pulse(report, real, options.quick)
        _large(report, real, options.quick)
        _gestures(report, options.quick)
        real.close()
        _models(report, Path(home) / "model", options.quick)
        _capturing(report, options.quick)
        if options.report is not None:
            _growth(report, options.report, options.quick)
    report.say("", "## Goals", "", *(f"- {goal}" for goal in report.goals))
    if options.report is not None:
        options.report.write_text("\n".join(report.lines) + "\n", encoding="utf-8")
    return 0 if all(goal.met for goal in report.goals) else 1


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="fewer repetitions, no notebooks; about a minute"
    )
    parser.add_argument(
        "--xcb", action="store_true", help="in a real X window: $DISPLAY, else an Xvfb of its own"
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="also write it all to a Markdown file, and beside it plots of growth",
    )
    return parser.parse_args(arguments)


# ---- surroundings ----


@contextmanager
def _screen(xcb: bool) -> Iterator[None]:
    """Offscreen, unless asked for X; no one's settings and no other platform are in the way."""
    os.environ["QT_QPA_PLATFORM"] = "xcb" if xcb else "offscreen"
    if not xcb or os.environ.get("DISPLAY"):
        yield
        return
    server = shutil.which("Xvfb")
    if server is None:
        sys.exit("bench --xcb: there is neither a $DISPLAY nor Xvfb")
    command = [server, "-displayfd", "1", "-screen", "0", "3840x2160x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        os.environ["DISPLAY"] = f":{process.stdout.readline().strip()}"
        yield
        process.terminate()


def _isolate(home: str) -> None:
    """Usual settings, nobody's: also for the processes that are started."""
    for kind in ("CONFIG", "DATA"):  # nor what somebody has not saved
        os.environ[f"XDG_{kind}_HOME"] = home
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, home)


def _machine() -> str:
    return (
        f"{os.cpu_count()} × {platform.machine()}, {platform.system()}, Python {platform.python_version()}, torch"
        f" {version('torch')}, Qt {qVersion()} on {QGuiApplication.platformName()}"
    )


# ---- sections ----


def _edits(report: Report, real: RealWindow, quick: bool) -> None:
    report.say("", "## From an edit to pixels", "")
    rows = [editing.measure(real, case, rounds=2 if quick else 10, notebooks=not quick) for case in CASES]
    head = (
        "",
        "numbers",
        "W_q p50",
        "X p50",
        "p95 ms",
        "limit ms",
        "plain p50",
        "plain p95",
        "share",
        "torch alone",
    )
    lines = [
        (
            row.case.name, f"{row.numbers:,}", f"{row.real['w_q'].p50:.1f}", f"{row.real['x'].p50:.1f}",
            f"{row.p95:.1f}", f"{row.case.limit_ms:.1f}", f"{row.plain.p50:.1f}", f"{row.plain.p95:.1f}",
            f"{row.share:.2f}", f"{row.bare.p50:.2f}",
        )
        for row in rows
    ]  # fmt: skip
    report.say(table(head, lines), "", *(f"- {row.sentence()}" for row in rows))
    if quick:
        report.say("- Notebooks are left out of a quick run.")
    else:
        report.say(*(f"- {name} is not installed here: not compared." for name in notebook.missing()))
        _layer(report, real)
    report.goals += [goal for row in rows for goal in row.goals()]


def _layer(report: Report, real: RealWindow) -> None:
    """A layer of a model, from the scene to its pixels, beside BertViz."""
    scene = scene_of(*notebook.LAYER, width=64)
    ours = milliseconds(lambda: real.open_scene(scene, HD))
    theirs = notebook.bertviz_view(attend(scene))
    if theirs is not None:
        tokens, heads = notebook.LAYER
        report.say(
            f"- A layer of {tokens} tokens and {heads} heads: BertViz takes {theirs.ms:,.0f} ms and writes"
            f" {theirs.size / 1e6:.0f} MB of HTML before the browser starts; here it is opened, computed, compared with"
            f" torch and on the screen after {ours:,.0f} ms, {ours / theirs.ms:.2f} of that."
        )


def _start(report: Report, runs: int) -> None:
    start = Start(runs)
    report.say(
        "## Start", "",
        f"- The window is painted after {start.window:.2f} s; importing torch takes {start.torch:.2f} s.",
        f"- The first numbers are there after {start.numbers:.2f} s; importing torch, PySide6 and pyqtgraph takes"
        f" {start.imports:.2f} s.",
        f"- Meanwhile, while torch is imported, the window is held up for {start.stall_ms:.0f} ms at most.",
    )  # fmt: skip
    report.goals += [
        Goal("window painted, share of importing torch", start.window / start.torch, 0.5),
        Goal("first numbers, share of the imports", start.numbers / start.imports, 1.15),
        Goal("longest stall while torch is imported", start.stall_ms, 200, " ms"),
    ]


def _memory(report: Report, real: RealWindow, folder: Path, quick: bool) -> None:
    count = 1_000 if quick else 10_000
    drag = steady.growth(real, count, merge="drag")
    steps = steady.growth(real, count, merge=None)
    if drag is None or steps is None:
        return
    report.say(
        "", "## Memory", "",
        f"- {count // 2:,} edits that fill the caches add {drag.warm_up_mb:.1f} MB to {drag.start / steady.MB:.0f} MB;"
        f" {count:,} more of the same undo step add {drag.mb:.1f} MB. As {count:,} undo steps they add {steps.mb:.1f}"
        f" MB, {steps.mb * 1024 / count:.1f} kB for each.",
    )  # fmt: skip
    files = 40 if quick else 200
    mb = steady.opened(real, folder, files)
    report.say(f"- {files} files opened one after the other add {mb:.1f} MB.")
    if not quick:  # so few edits do not fill the caches
        report.goals.append(Goal(f"memory over {count:,} edits, caches filled", drag.mb, FLAT_MB, " MB"))
        report.goals.append(Goal(f"memory over {files} opened files", mb, FLAT_MB, " MB"))


def _pulse(report: Report, real: RealWindow, quick: bool) -> None:
    pulse = steady.heartbeat(real, tokens=512, heads=8, count=5 if quick else 20)
    report.say(
        "", "## Heartbeat", "",
        f"- n = 512, H = 8, 64 wide: the event loop is held up for {pulse.longest_ms:.0f} ms at most; an edit is on"
        f" screen after {pulse.edit_ms:.0f} ms.",
    )  # fmt: skip
    report.goals.append(Goal("longest stall of the event loop", pulse.longest_ms, 50, " ms"))


def _gestures(report: Report, quick: bool) -> None:
    report.say("", "## What each gesture holds up")
    for case, runs in ((gestures.USUAL, 1 if quick else 3), (gestures.LARGEST, 1)):
        found = gestures.measure(case, runs)
        report.say(
            "", f"{case}; {LIMIT_MS:.0f} ms at most:", "",
            table(("gesture", "longest ms"), [(one.gesture, f"{one.longest_ms:.0f}") for one in found]),
        )  # fmt: skip
        report.goals += [one.goal() for one in found]


def _large(report: Report, real: RealWindow, quick: bool) -> None:
    dragged = large.drag(real, seconds=2 if quick else 6)
    found = large.measure(quick)
    report.say("", "## Large heads", "", *found.sentences(), dragged.sentence())
    report.goals += [*found.goals(), *dragged.goals()]


def _capturing(report: Report, quick: bool) -> None:
    found = capturing.measure(quick)
    report.say(
        "", "## Capture", "",
        *(
            f"- {one.name}: a forward pass takes {one.plain:.1f} ms, {one.captured:.1f} ms while it is captured;"
            f" copying is {one.copies:.2f} ms of that, and what else a capture does {one.beside:.2f} ms."
            for one in found
        ),
    )  # fmt: skip
    report.goals += [
        Goal(f"what capture adds beside copying, {one.name}", one.share * 100, 5, " %") for one in found
    ]


def _growth(report: Report, file: Path, quick: bool) -> None:
    """Plots against tokens, width and heads, beside torch alone; the numbers of each in words."""
    report.say("", "## Growth", "")
    points = {axis: growing.measure(axis, most=2 if quick else None) for axis in growing.AXES}
    for axis, found in points.items():
        for point in found:
            report.say(
                f"- {axis} = {point.at}: an edit is on screen after {point.edit_ms:.1f} ms, torch alone takes"
                f" {point.torch_ms:.2f} ms; the window holds {point.mb:.0f} MB more than with two tokens, of which"
                f" {point.inputs_mb:.1f} MB are the scene's own numbers."
            )
    report.say("", *(f"![{path.stem}]({path.name})" for path in growing.plots(points, file)))


def _models(report: Report, folder: Path, quick: bool) -> None:
    found = models.measure(folder, gigabytes=1.0 if quick else 3.0, runs=3 if quick else 7)
    memory = "" if found.mb is None else f", with {max(0.0, found.mb):.0f} MB beyond its tensors"
    report.say(
        "", "## A model's layer", "",
        f"- One layer ({found.tensors_mb:.0f} MB) of a sharded checkpoint of {found.total_gb:.1f} GB is a scene after"
        f" {found.layer * 1000:.0f} ms{memory}; a bare read of its tensors takes {found.bare * 1000:.0f} ms.",
    )  # fmt: skip
    report.goals.append(Goal("a model's layer, share of a bare read", found.layer / found.bare, 1.5))
    if found.mb is not None:
        report.goals.append(Goal("memory of a layer beyond its tensors", found.mb, 200, " MB"))
