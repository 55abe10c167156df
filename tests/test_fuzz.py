"""Damaged files of every kind, a few hundred of them; `dev.py fuzz` tries twenty thousand."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
KINDS = (
    "session", "beside", "table", "npy", "npz", "safetensors", "torch", "config", "index", "model", "lesson",
)  # fmt: skip


def test_some_hundred_damaged_files_do_no_harm() -> None:
    command = [sys.executable, ROOT / "packaging" / "fuzz.py", "--count", "550", "--seed", "1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line[:1].isalpha()}
    for kind in KINDS:
        read, refused, faults = map(int, counts[kind])
        assert read + refused == 50 and refused >= 20 and faults == 0
    peak = re.search(r"most memory of a process: ([0-9,]+) MB", done.stdout)
    assert peak is None or int(peak[1].replace(",", "")) < 1024


@pytest.fixture
def fuzzing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    import fuzzing.run

    return fuzzing.run


def test_what_does_harm_is_counted(
    fuzzing: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends, one that hangs, and a case that is told as a fault."""
    package = tmp_path / "packaging" / "fuzzing"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "worker.py").write_text(
        "import os, sys, threading\n"
        "for n in range(int(sys.argv[2]), int(sys.argv[3])):\n"
        "    print('begin', n, flush=True)\n"
        "    if n == 1: os._exit(9)\n"
        "    if n == 2: threading.Event().wait()\n"
        "    print(n, 'npy', 'fault here' if n == 3 else 'read', flush=True)\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(fuzzing, "ROOT", tmp_path)
    monkeypatch.setattr(fuzzing, "PATIENCE", 10)  # s: a busy machine may take some to start a process
    outcomes = fuzzing.run(seed=0, count=5, jobs=1)
    assert outcomes.faults == [
        "case 1 (unknown): the process ended with 9", "case 2 (unknown): it hung", "case 3 (npy): here",
    ]  # fmt: skip
    assert outcomes.counts["npy", "read"] == 2


def test_what_is_whole_is_read(fuzzing: ModuleType, tmp_path: Path) -> None:
    """Or damaging it would tell little."""
    from fuzzing.judge import judge
    from fuzzing.samples import samples

    files = samples()
    assert set(files) == set(KINDS)
    for kind in ("config", "index", "model"):
        for suffix, content in files[kind]:
            path = tmp_path / f"whole{suffix}"
            path.write_bytes(content)
            assert judge(kind, path) == "read", path.name
