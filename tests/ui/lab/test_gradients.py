"""Gradients against finite differences, the Jacobian in closed form, and why √d_k."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.attention import attend
from explorer.attention.trace import Cell
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def click(qtbot: QtBot, window: MainWindow, name: str, row: int, col: int) -> None:
    panel = window.pipeline.panels[name]
    qtbot.mouseClick(panel, Qt.MouseButton.LeftButton, pos=panel.cell_rect(row, col).center())


def test_the_gradient_of_a_clicked_weight(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "gradients")
    assert tool.words.text().startswith("Choose a number")
    click(qtbot, cats, "panel_weights_1", 3, 1)
    scene, h = cats.document.scene, 1e-6
    for place, row, col in (("w_q", 1, 0), ("w_k", 2, 1), ("x", 3, 0)):
        moved = [
            attend(scene.with_cell(place, row, col, scene.matrix(place)[row, col] + s)).weights[0, 3, 1]
            for s in (-h, h)
        ]
        shown = tool.maps.maps[place, None].matrix()
        assert shown[row, col] == pytest.approx((moved[1] - moved[0]) / (2 * h), abs=1e-7)
        assert shown.shape == scene.matrix(place).shape
    assert not tool.maps.maps["w_v", None].matrix().any()  # values come after the weights
    assert not tool.maps.maps["w_q", None].matrix()[:, 2:].any()  # head 2 owns these columns
    assert len({heat.levels() for heat in tool.maps.maps.values()}) == 1
    assert list(tool.maps.maps) == [(name, None) for name in ("x", "w_q", "w_k", "w_v", "w_o")]


def test_it_follows_the_scene_and_the_selection(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "gradients")
    click(qtbot, window, "panel_q_1", 0, 0)
    # q₁₁ = x₁·(column 1 of W_q): its derivative by x₁ is that column, (1, 0)
    assert tool.maps.maps["x", None].matrix().tolist() == [[1, 0], [0, 0]]
    window.document.edit(window.document.scene.with_cell("w_q", 1, 0, 5.0), "Edit")
    assert tool.maps.maps["x", None].matrix().tolist() == [[1, 5], [0, 0]]
    window.selection.select(Cell("w_q", None, 0, 0))
    assert tool.maps.maps == {}


def test_the_softmax_of_the_chosen_row(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "gradients")
    qtbot.mouseClick(tool.choice.buttons["jacobian"], Qt.MouseButton.LeftButton)
    click(qtbot, window, "panel_weights_1", 1, 0)
    # two equal weights: α(1 − α) = 1/4, and the norm at its largest
    assert tool.maps.maps["jacobian", None].matrix() == pytest.approx(np.array([[1, -1], [-1, 1]]) / 4)
    assert "0.5, of 0.5 at most" in tool.note.text()
    window.document.undo()
    assert tool.choice.key == "gradient"


def test_the_slider_on_d_k(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "gradients")
    qtbot.mouseClick(tool.choice.buttons["scaling"], Qt.MouseButton.LeftButton)
    part = tool.scaling
    assert part.width_text.text() == "d_k = 64"
    part.slider.setFocus()
    for _ in range(2):
        qtbot.keyClick(part.slider, Qt.Key.Key_Right)
    assert part.width_text.text() == "d_k = 256"
    plain, scaled = (float(part.numbers[0, s].text()) for s in (False, True))
    assert plain == pytest.approx(16, rel=0.05)  # √256
    assert scaled == pytest.approx(1, rel=0.05)
    assert plain == pytest.approx(16 * scaled, rel=1e-3)
    gradients = [float(part.numbers[2, s].text()) for s in (False, True)]
    assert gradients[0] < 0.12 < 0.3 < gradients[1]
    falling, flat = part.plot.curves
    assert falling.y[-1] < falling.y[0] / 3 and flat.y[-1] == pytest.approx(flat.y[0], rel=0.2)
    assert window.document.scene.extra["lab"]["gradients"] == {"show": "scaling", "d_k": 256}
    window.document.undo()
    assert part.width_text.text() == "d_k = 64"
