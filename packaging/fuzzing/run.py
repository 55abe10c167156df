"""The run: cases dealt out to processes, which may hang or die; what came of all of them."""

import argparse
import os
import queue
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from fuzzing.samples import ROOT, samples
from fuzzing.worker import MOST_SECONDS, case, verdict

PATIENCE = (
    6 * MOST_SECONDS
)  # s of silence: other work on the machine counts here, unlike in the worker's own clock
SHOWN = 20


@dataclass
class Outcomes:
    """What came of the cases so far."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    peak: int = 0  # MB
    slowest: int = 0  # ms

    def take(self, line: str) -> None:
        """One line of a worker."""
        first, *rest = line.split(None, 2)
        if first == "peak":
            self.peak = max(self.peak, int(rest[0]))
        elif first == "slowest":
            self.slowest = max(self.slowest, int(rest[0]))
        elif first != "begin":
            kind, outcome = rest
            self.counts[kind, outcome.split()[0]] += 1
            if outcome.startswith("fault"):
                self.faults.append(f"case {first} ({kind}): {outcome.removeprefix('fault ')}")

    def table(self) -> Iterator[str]:
        """Lines: how many of each kind were read and refused."""
        kinds = list(dict.fromkeys(kind for kind, _ in sorted(self.counts)))
        yield f"{'':12}{'read':>8}{'refused':>9}{'faults':>8}"
        for kind in kinds:
            read, refused, fault = (self.counts[kind, what] for what in ("read", "refused", "fault"))
            yield f"{kind:12}{read:8,}{refused:9,}{fault:8,}"
        yield f"{'all':12}" + "".join(
            f"{sum(n for (_, o), n in self.counts.items() if o == what):{width},}"
            for what, width in (("read", 8), ("refused", 9), ("fault", 8))
        )


def main(arguments: list[str]) -> int:
    """The exit status: 1 if any file did harm."""
    parser = argparse.ArgumentParser(prog="dev.py fuzz", description="Damaged files of every kind.")
    parser.add_argument("--count", type=int, default=20_000, help="how many files (20,000)")
    parser.add_argument("--seed", type=int, default=0, help="other files for another seed")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="processes at once")
    parser.add_argument("--case", type=int, metavar="NUMBER", help="this one alone, kept to be looked at")
    options = parser.parse_args(arguments)
    if options.case is not None:
        return _one(options.seed, options.case)
    outcomes = run(options.seed, options.count, options.jobs)
    print(*outcomes.table(), sep="\n")
    print(f"longest time of a file: {outcomes.slowest / 1000:.2f} s")
    if outcomes.peak:
        print(f"most memory of a process: {outcomes.peak:,} MB, torch included")
    for fault in outcomes.faults[:SHOWN]:
        print(fault)
    if outcomes.faults:
        print(f"{len(outcomes.faults)} faults; one again: dev.py fuzz --seed {options.seed} --case NUMBER")
    return 1 if outcomes.faults else 0


def run(seed: int, count: int, jobs: int) -> Outcomes:
    """All cases, dealt out to `jobs` processes."""
    outcomes = Outcomes()
    share = -(-count // jobs)
    workers = [Worker(seed, range(start, min(start + share, count))) for start in range(0, count, share)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() or not worker.lines.empty() for worker in workers):
        for worker in workers:
            worker.watch()
            with suppress(queue.Empty):
                outcomes.take(worker.lines.get(timeout=0.05))
                while True:
                    outcomes.take(worker.lines.get_nowait())
    return outcomes


class Worker(threading.Thread):
    """One process after another until all cases are done; a case that ends its process is a fault."""

    def __init__(self, seed: int, cases: range) -> None:
        super().__init__(daemon=True)
        self.lines: queue.Queue[str] = queue.Queue()
        self._seed, self._cases = seed, cases
        self._process: subprocess.Popen[str] | None = None
        self._heard = time.monotonic()
        self._hung = False

    def watch(self) -> None:
        """End a process that has said nothing for too long."""
        process = self._process
        if process is not None and time.monotonic() - self._heard > PATIENCE:
            self._hung = True
            process.kill()

    def run(self) -> None:
        path = os.pathsep.join([str(ROOT / "packaging"), str(ROOT)])
        environment = os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        while self._cases:
            command = [sys.executable, "-m", "fuzzing.worker", str(self._seed)]
            command += [str(self._cases.start), str(self._cases.stop)]
            at = self._cases.start
            self._hung, self._heard = False, time.monotonic()
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
                self._process = process
                assert process.stdout is not None
                for line in process.stdout:
                    self._heard = time.monotonic()
                    at = int(line.split()[1]) if line.startswith("begin") else at
                    self.lines.put(line.rstrip())
                self._process = None
            if process.returncode == 0:
                return
            why = "it hung" if self._hung else f"the process ended with {process.returncode}"
            self.lines.put(f"{at} unknown fault {why}")
            self._cases = range(at + 1, self._cases.stop)


def _one(seed: int, number: int) -> int:
    kind, suffix, content = case(samples(), seed, number)
    path = Path.cwd() / f"fuzz-{seed}-{number}{suffix}"
    path.write_bytes(content)
    outcome = verdict(kind, path)
    print(f"{path.name} ({kind}): {outcome}")
    return 1 if outcome.startswith("fault") else 0
