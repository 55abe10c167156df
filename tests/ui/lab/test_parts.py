"""W^O taken apart: the parts sum to the output, and what is left is what the others make."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from explorer.attention.trace import Cell
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def untick(qtbot: QtBot, tick: object) -> None:
    qtbot.mouseClick(tick, Qt.MouseButton.LeftButton, pos=QPoint(8, tick.height() // 2))


def test_the_parts_sum_to_the_output(cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "parts")
    scene, trace = cats.document.scene, cats.engine.trace
    parts = [tool.maps.maps["part", head].matrix() for head in range(2)]
    for head, part in enumerate(parts):
        rows = scene.w_o[2 * head : 2 * head + 2]
        assert part == pytest.approx(trace.head_outputs[head] @ rows, abs=1e-12)
    assert sum(parts) == pytest.approx(trace.output, abs=1e-12)
    assert tool.maps.maps["output", None].matrix() == pytest.approx(trace.output, abs=1e-12)
    spans = {heat.levels() for heat in tool.maps.maps.values()}
    assert len(spans) == 1  # one scale for all


def test_a_head_that_is_switched_off_adds_nothing_anywhere(
    qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(cats, "parts")
    trace = cats.engine.trace
    untick(qtbot, tool.ticks[1])
    left = trace.head_outputs[0] @ cats.document.scene.w_o[:2]
    assert cats.pipeline.panels["panel_output"].matrix() == pytest.approx(left, abs=1e-12)
    assert not cats.pipeline.panels["panel_head_outputs_2"].matrix().any()
    assert (cats.pipeline.panels["panel_weights_2"].matrix() == trace.weights[1]).all()
    assert not tool.maps.maps["part", 1].matrix().any()
    assert "head 2" in cats.lab.note.text
    largest = np.abs(trace.output - left).max()
    assert f"{largest:.4f}" in tool.left.text()
    cats.document.undo()
    assert tool.ticks[1].isChecked()
    assert cats.pipeline.panels["panel_output"].matrix() == pytest.approx(trace.output, abs=1e-12)
    cats.document.redo()
    qtbot.mouseClick(cats.lab.note.closed, Qt.MouseButton.LeftButton)
    assert tool.ticks[1].isChecked()


def test_what_each_key_sends_stands_beside_its_weight(
    qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(cats, "parts")
    qtbot.mouseClick(tool.choice.buttons["sent"], Qt.MouseButton.LeftButton)
    scene, trace = cats.document.scene, cats.engine.trace
    sent = tool.maps.maps["sent", 0]
    length = np.linalg.norm(trace.v[0] @ scene.w_o[:2], axis=1)
    assert sent.matrix() == pytest.approx(trace.weights[0] * length, abs=1e-12)
    assert sent.hidden().tolist() == (~np.tri(4, dtype=bool)).tolist()
    qtbot.mouseClick(sent, Qt.MouseButton.LeftButton, pos=sent.cell_rect(2, 1).center())
    assert cats.selection.cell == Cell("weights", 0, 2, 1)


def test_other_heads_are_other_parts(cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "parts")
    cats.document.edit(cats.document.scene.with_heads(4), "Set heads to 4")
    assert [key for key in tool.maps.maps] == [("part", h) for h in range(4)] + [("output", None)]
    assert len(tool.ticks) == 4
    cats.grab()


@pytest.mark.parametrize("off", [[3], ["1"], "12", 5, [True], None])
def test_heads_that_there_are_not_switch_nothing_off(cats: MainWindow, off: object) -> None:
    extra = {"lab": {"parts": {"off": off}, "look": {"by": "parts", "show": "off"}}}
    before = cats.engine.trace.output
    cats.document.edit(cats.document.scene.replace(extra=extra), "nonsense")
    assert (cats.pipeline.panels["panel_output"].matrix() == before).all()
    assert cats.lab.note.isHidden()


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_a_head_of_infinities_is_missed_without_end(
    value: float, qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    cats.document.edit(cats.document.scene.with_cell("w_v", 0, 0, value), "∞ times 0 is no number either")
    tool = open_tool(cats, "parts")
    untick(qtbot, tool.ticks[0])
    assert tool.left.text().startswith("Without them the output changes by up to ∞;")
