"""The environment that dev.py works in: `.venv` beside pyproject.toml, made once, from pinned versions."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from system import has_nvidia_gpu

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
STAMP = VENV / "set-up.stamp"
# PyPI's torch for Linux brings several GB of CUDA; this index has the same versions without.
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
_EXTENT = {False: "program", True: "program and tools"}


class SetUpError(Exception):
    """The environment could not be made; the message says what to do."""


def ensure(tools: bool = True) -> None:
    """Make `.venv` match pyproject.toml and constraints.txt. Instant, and offline, if it already does.

    Without `tools` there is what the program needs, not what checks and builds it.
    """
    if is_ready(tools):
        return
    with lock():
        if is_ready(tools):  # somebody else made it while we waited
            return
        STAMP.unlink(missing_ok=True)
        if not is_usable():
            make_venv()
        install(tools)
        # last: an interrupted set-up is done again
        STAMP.write_text(f"{fingerprint()} {_EXTENT[tools]}", encoding="utf-8")


def is_ready(tools: bool = True) -> bool:
    if not STAMP.is_file():
        return False
    made_for, _, extent = STAMP.read_text(encoding="utf-8").partition(" ")
    return made_for == fingerprint() and extent in (_EXTENT[tools], _EXTENT[True])


def fingerprint() -> str:
    """Changes with everything that decides what is in the environment, and with its place on the disk."""
    digest = hashlib.sha256(f"{sys.version}\0{VENV}\0".encode())
    for file in (ROOT / "pyproject.toml", CONSTRAINTS):
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


def is_usable() -> bool:
    """Whether `.venv` is there, of this Python version, and whole enough to let pip bring it up to date."""
    probe = "import sys, pip; print(sys.version, sys.prefix, sep='|')"
    try:
        answer = subprocess.run([PYTHON, "-c", probe], capture_output=True, text=True)
    except OSError:
        return False
    return answer.returncode == 0 and answer.stdout.strip() == f"{sys.version}|{VENV}"


def make_venv() -> None:
    print(f"Making {VENV} with Python {sys.version.split()[0]}", flush=True)
    if VENV.exists():
        shutil.rmtree(VENV)
    made = subprocess.run([sys.executable, "-m", "venv", VENV])
    if made.returncode != 0:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetUpError(
            "Python's venv or ensurepip is missing. On Debian or Ubuntu run\n"
            f"    sudo apt-get install python{version}-venv"
        )


def install(tools: bool = True) -> None:
    """Install the program, editable, with what it needs to be run and, with `tools`, to be checked and built."""
    if sys.platform == "linux" and not has_nvidia_gpu() and not pip_knows_an_index():
        # without its dependencies: those come from the usual index, in our versions
        if not pip("torch", "--no-deps", "--retries", "1", "--index-url", TORCH_CPU_INDEX):
            print(
                "Going on with the usual index, whose torch for Linux brings several GB of CUDA", flush=True
            )
    # The build backend first, and no isolation: the isolated one would ignore our constraints.
    program = f"{ROOT}[dev,models]" if tools else str(ROOT)
    if not (pip("hatchling", "editables") and pip("--no-build-isolation", "--editable", program)):
        raise SetUpError("pip failed (see above). Run the same command again to go on from here.")


def pip(*arguments: str) -> bool:
    """Whether `pip install` in our versions succeeded."""
    print("pip install", *arguments, flush=True)
    quiet = ("--quiet", "--disable-pip-version-check")
    command: list[str | Path] = [PYTHON, "-m", "pip", "install", *quiet, "--constraint", CONSTRAINTS]
    return subprocess.run([*command, *arguments]).returncode == 0


def pip_knows_an_index() -> bool:
    """Whether the user's own pip configuration says where packages come from; then we don't say otherwise."""
    listing = subprocess.run([PYTHON, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
    keys = {line.partition("=")[0].rpartition(".")[2] for line in listing.splitlines()}
    return bool(keys & {"index-url", "extra-index-url", "find-links", "no-index"})


@contextmanager
def lock() -> Iterator[None]:
    """One set-up at a time. (On Windows unguarded: there, don't start two at once.)"""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with open(ROOT / ".venv.lock", "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
