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
    code = f"from time import monotonic\n{SCRIPTS[script]}\n"
    if script != "window":
        code += "print(monotonic())"
    # As installed packages have it: compiled when they were first imported, not at every start.
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code]
    start = monotonic()
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True, timeout=120
    )
    return [float(line) - start for line in done.stdout.split()]


class Start:
    """Medians of several starts, in turn. Seconds."""

    def __init__(self, runs: int) -> None:
        found: dict[str, list[list[float]]] = {name: [] for name in SCRIPTS}
        for number in range(runs + 1):
            for name in SCRIPTS:
                times = reached(name)
                if number:  # the first round only warms the disk's cache
                    found[name].append(times)
        self.torch, self.imports, self.window = (
            statistics.median(times[0] for times in found[name]) for name in ("torch", "imports", "window")
        )
        self.numbers = statistics.median(times[1] for times in found["window"])
