"""How long a start takes, in processes of its own: until the window is painted, until the first numbers are."""

import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent.parent

# Each prints time.monotonic(), which all processes of a machine share, when something is reached.
SCRIPTS = {
    "torch": "import torch",
    "imports": "import torch, pyqtgraph; from PySide6 import QtWidgets",
    # Milliseconds for which the window is held up at most, from then until the first numbers are seen.
    "stall": """
import sys
from PySide6.QtCore import QCoreApplication
sys.path.insert(0, "packaging")
from benchmarks.pulse import Pulse
from explorer.app import application, open_window

app = application()
window = open_window()
QCoreApplication.processEvents()
window.engine.finished.connect(lambda *_trace: app.exit())
with Pulse() as pulse:
    app.exec()
print(pulse.longest_ms)
window.close()
""",
    "window": """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from explorer.app import application, open_window

app = application()
window = open_window()
QCoreApplication.processEvents()
print(monotonic())
sys.stdout.flush()

def first_numbers(*_trace):
    QCoreApplication.processEvents()
    print(monotonic())
    app.exit()

window.engine.finished.connect(first_numbers)
app.exec()
window.close()
""",
}


def reached(script: str) -> list[float]:
    """Seconds from the start of a process until it says so, once or several times."""
    start = monotonic()
    return [said - start for said in printed(script)]


def printed(script: str) -> list[float]:
    """The numbers that a process prints."""
    code = f"from time import monotonic\n{SCRIPTS[script]}\n"
    if script in ("torch", "imports"):
        code += "print(monotonic())"
    # As installed packages have it: compiled when they were first imported, not at every start.
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True, timeout=120
    )
    return [float(line) for line in done.stdout.split()]


class Start:
    """Medians of several starts, in turn. Seconds, and milliseconds of the longest stall."""

    def __init__(self, runs: int) -> None:
        found: dict[str, list[list[float]]] = {name: [] for name in SCRIPTS}
        for number in range(runs + 1):
            for name in SCRIPTS:
                times = printed(name) if name == "stall" else reached(name)
                if number:  # the first round only warms the disk's cache
                    found[name].append(times)
        self.torch, self.imports, self.window = (
            statistics.median(times[0] for times in found[name]) for name in ("torch", "imports", "window")
        )
        self.stall_ms = statistics.median(times[0] for times in found["stall"])
        self.numbers = statistics.median(times[1] for times in found["window"])
