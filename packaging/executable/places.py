"""What the smoke test, which sees the executable only from outside, wants to know of the screen.

places.py SESSION        where controls are: opens the program from source there; prints JSON, name -> [x, y]
places.py PICTURE.png    what is on the screen, written to a file
"""

import json
import sys
import time

from PySide6.QtWidgets import QSpinBox, QTableView, QWidget

from explorer.app import application, open_window


def main() -> int:
    """One or the other."""
    app = application()
    if sys.argv[1].endswith(".png"):
        return 0 if app.primaryScreen().grabWindow(0).save(sys.argv[1]) else 1
    window = open_window(sys.argv[1])
    until = time.monotonic() + 60
    while (window.engine.trace is None or window.engine.busy) and time.monotonic() < until:
        app.processEvents()
    app.processEvents()
    grid = window.findChild(QTableView, "grid_w_q")
    heads = window.findChild(QSpinBox, "heads").findChild(QWidget, "qt_spinbox_lineedit")
    mask = window.findChild(QWidget, "mask")
    status = window.statusBar()
    places = {
        "w_q": grid.viewport().mapToGlobal(grid.visualRect(grid.model().index(0, 0)).center()),
        "heads": heads.mapToGlobal(heads.rect().center()),
        "mask": mask.mapToGlobal(mask.rect().center()),
        "nothing": status.mapToGlobal(status.rect().center()),  # a place where a click does nothing
    }
    print(json.dumps({name: [point.x(), point.y()] for name, point in places.items()}))
    window.close()
    app.processEvents()
    return 0


if __name__ == "__main__":
    sys.exit(main())
