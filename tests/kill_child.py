"""The program as test_kill.py drives it: opens the window, takes up what was left, then edits and saves without end.

Prints a line when something is done: `open VALUE TIME`, then `edit …` and `save …`, where VALUE is x[1,1].
"""

import random
import sys
import time
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import explorer.files.session as session_files
from explorer.app import application, open_window
from explorer.ui.files import Overwrite
from explorer.ui.leftovers import Leftovers
from explorer.ui.main_window import MainWindow


def tell(word: str, window: MainWindow) -> None:
    """A line, with the clock that all processes share."""
    print(word, int(window.document.scene.x[0, 0]), time.monotonic_ns(), flush=True)


def take_up(window: MainWindow) -> MainWindow:
    """The window with the unsaved work; the one that was opened where there is none."""
    left = window.document.findChild(Leftovers)
    assert left is not None
    while left.searching:
        QApplication.processEvents()
    for claim in list(left.claims):
        assert claim.leftover.problem is None, claim.leftover.problem
        left.open(claim)
    others = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w is not window]
    assert len(others) <= 1
    return others[0] if others else window


def main(session: Path, seed: int, most: int) -> None:
    """Until somebody ends it. Of a scene of more than `most` numbers, large tables go beside the session."""
    session_files.MAX_NUMBERS = most
    app = application(["attention-explorer"])
    window = take_up(open_window(session))
    window.files.ask_overwrite = lambda _: Overwrite.REPLACE
    tell("open", window)
    rng = random.Random(seed)

    def step() -> None:
        value = int(window.document.scene.x[0, 0]) + 1
        window.document.edit(window.document.scene.with_cell("x", 0, 0, float(value)), f"to {value}")
        tell("edit", window)
        if rng.random() < 0.3:
            assert window.files.save()
            tell("save", window)
        timer.start(rng.choice((0, 5, 30, 80)))

    timer = QTimer(singleShot=True)
    timer.timeout.connect(step)
    timer.start(0)
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
