"""Plots: what is drawn is what was asked for, and pyqtgraph comes in pieces between which the window lives."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui import theme
from explorer.ui.lab.plot import HEIGHT, Curve, Plot
from explorer.ui.lab.plot_library import PlotLibrary, library

LINE = Curve("line", [1, 2, 3], [2, 4, 6])
PIECES = """
import sys
from PySide6.QtWidgets import QApplication
from explorer.ui.lab.plot_library import PlotLibrary

app = QApplication([])
turns = []
plots = PlotLibrary()
plots._timer.timeout.connect(lambda: turns.append("pyqtgraph" in sys.modules))
assert not plots.ask() and plots.is_loading and "pyqtgraph" not in sys.modules
plots.loaded.connect(app.quit)
app.exec()
assert plots.ask() and not plots.is_loading
assert "pyqtgraph" in sys.modules and turns.count(False) > 3, turns
"""


def drawn(plot: Plot) -> list[Any]:
    return [] if plot._widget is None else plot._widget.getPlotItem().listDataItems()


def test_it_comes_in_pieces() -> None:
    """In a process that has never seen it."""
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", PIECES], env=surroundings, check=True, timeout=120)


def test_curves_come_with_the_library(qtbot: QtBot, qapp: QApplication) -> None:
    plot = Plot("doubles")
    qtbot.addWidget(plot)
    plot.show_curves([LINE], "n")
    plot.show()
    height = plot.sizeHint().height()
    qtbot.waitUntil(lambda: bool(drawn(plot)))
    assert library().ask() and plot.sizeHint().height() == height > HEIGHT  # nothing below it jumps
    (line,) = drawn(plot)
    np.testing.assert_array_equal(line.getData(), [[1, 2, 3], [2, 4, 6]])


def test_what_is_out_of_sight_is_drawn_when_it_is_seen(qtbot: QtBot) -> None:
    plot = Plot("doubles")
    qtbot.addWidget(plot)
    qtbot.waitUntil(library().ask)
    plot.show_curves([LINE], "n")
    assert plot._widget is None
    plot.show()
    qtbot.waitUntil(lambda: bool(drawn(plot)))
    assert len(drawn(plot)) == 1
    plot.hide()
    plot.show_curves([LINE, Curve("more", [1, 2], [3, 3], colour=1)], "n")
    plot.show()
    assert [item.opts["pen"].color() for item in drawn(plot)] == [
        theme.current().head_colour(i) for i in (0, 1)
    ]


def test_asked_twice_it_is_loaded_once(qtbot: QtBot) -> None:
    plots = PlotLibrary()
    with qtbot.waitSignal(plots.loaded):
        assert not plots.ask() and not plots.ask()
    with qtbot.assertNotEmitted(plots.loaded, wait=50):
        assert plots.ask()
