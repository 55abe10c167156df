"""Killed at random moments, the program loses no edit older than a second, and its session file is always whole."""

import os
import random
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from explorer import resources
from explorer.files.recovery import leftovers
from explorer.files.session import load, save

SECOND = 10**9  # ns
LONGEST = SECOND // 5  # no step of the child rests longer; if more passes, the machine had no time for it
CHILD = Path(__file__).with_name("kill_child.py")


@dataclass
class Run:
    """What one process said until it was killed, right after its last word."""

    opened: int = 0
    edits: list[tuple[int, int]] = field(default_factory=list)  # value, and when: in ns that it could work
    saved: int = 0
    saves: int = 0

    @property
    def old(self) -> int:
        """The newest edit that was a second old when the process was killed; 0 where none was."""
        killed = self.edits[-1][1]
        return max((value for value, at in self.edits if at < killed - SECOND), default=0)


def run_and_kill(session: Path, seed: int, most: int, environment: dict[str, str]) -> Run:
    """Let it do some dozens of edits and saves, and kill it in the middle of the next one."""
    run, edits = Run(), random.Random(seed).randint(25, 60)
    command = [sys.executable, CHILD, session, str(seed), str(most)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        clock = now = 0
        for line in child.stdout:
            word, value, at = line.split()
            clock, now = clock + min(int(at) - now, LONGEST), int(at)
            if word == "open":
                run.opened = int(value)
            elif word == "save":
                run.saved, run.saves = int(value), run.saves + 1
            else:
                run.edits.append((int(value), clock))
            if len(run.edits) == edits:
                os.kill(child.pid, signal.SIGKILL)
                break
    assert child.returncode == -signal.SIGKILL, "it ended by itself"
    return run


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed like this here")
@pytest.mark.parametrize(("large", "runs"), [(False, 3), (True, 2)])
def test_no_edit_older_than_a_second_is_lost(tmp_path: Path, large: bool, runs: int) -> None:
    session = tmp_path / "mine.attn.json"
    scene = load(resources.path("scenes", "two-tokens.attn.json"))
    if large:  # its x lies beside the session, and beside what is kept
        scene = scene.replace(x=np.random.default_rng(0).normal(size=(2000, 2)), tokens=())
    save(scene.with_cell("x", 0, 0, 0.0), session)
    home = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA")}
    environment = os.environ | home | {"PYTHONPATH": os.pathsep.join(sys.path)}
    edits = saves = old = newest = 0
    for seed in range(runs):
        run = run_and_kill(session, seed, 1000 if large else 10**6, environment)
        assert run.opened >= old, "an edit was lost"
        whole = load(session)  # raises for a torn one
        assert whole.x.shape == scene.x.shape and run.saved <= whole.x[0, 0] <= run.edits[-1][0] + 1
        (folder,) = tmp_path.glob("DATA/*/*/recovery")
        kept = [left for left in leftovers(folder) if left.problem is not None]
        assert kept == []
        found = [left.load().x[0, 0] for left in leftovers(folder)]
        old = run.old
        newest = max(newest, old)
        assert max([whole.x[0, 0], *found]) >= old
        edits, saves = edits + len(run.edits), saves + run.saves
    assert len(list(tmp_path.glob("mine*.safetensors"))) >= large
    assert edits + saves > 25 * runs and newest > 0
