"""How long a start takes, of the executable and from source, in turn."""

import os
import subprocess
import time
from pathlib import Path

RUNS = 15
MARKS = ("window", "numbers")  # painted; computed and painted


def compare(
    built: list[str], source: list[str], environment: dict[str, str], root: Path
) -> tuple[list[float], str]:
    """The fastest of several starts in turn, since others use the machine too: the ratios built/source, a sentence."""
    seen: dict[str, list[list[float]]] = {"built": [], "source": []}
    for number in range(RUNS + 1):
        for name, command in (("built", built), ("source", source)):
            times = one_start(command, environment, root)
            if number:  # the first round only warms the disk's cache
                seen[name].append(times)
    fastest = {name: [min(column) for column in zip(*rows, strict=True)] for name, rows in seen.items()}
    ratios = [b / s for b, s in zip(fastest["built"], fastest["source"], strict=True)]
    said = (
        f"{mark} {ratio:.2f} × ({b:.2f} s, {s:.2f} s from source)"
        for mark, ratio, b, s in zip(MARKS, ratios, fastest["built"], fastest["source"], strict=True)
    )
    return ratios, f"{', '.join(said)}; the fastest of {RUNS}"


def one_start(command: list[str], environment: dict[str, str], root: Path) -> list[float]:
    """Seconds from the start of a process until each of MARKS."""
    python_path = os.pathsep.join((str(root), str(root / "packaging")))
    start = time.monotonic()
    done = subprocess.run(
        [*command, "--selftest", "start"], env=environment | {"PYTHONPATH": python_path},
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return [float(line) - start for line in done.stdout.split()]
