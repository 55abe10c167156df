"""Goal seek: reached live, in one undo step; and honest where it cannot be."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.trace import Cell
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def seek(qtbot: QtBot, tool: Tool, target: str) -> None:
    tool.target.setFocus()
    tool.target.selectAll()
    qtbot.keyClicks(tool.target, target)
    qtbot.mouseClick(tool.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not tool.running)


@pytest.mark.parametrize(
    ("scene", "cell"),
    [
        ("two-tokens", Cell("weights", 0, 1, 0)),  # token 2 shall attend to token 1 with 0.9 in head 1
        ("cat-sat-down", Cell("weights", 1, 3, 0)),
        ("shared-keys", Cell("weights", 2, 2, 1)),
    ],
)
def test_a_weight_of_0_9(
    scene: str, cell: Cell, qtbot: QtBot, open_it: Callable[..., MainWindow], open_tool: OpenTool
) -> None:
    window = open_it(resources.path("scenes", f"{scene}.attn.json"))
    before = window.document.scene
    window.selection.select(cell)
    tool = open_tool(window, "goal")
    seek(qtbot, tool, "0.9")
    shown = window.pipeline.panels[f"panel_weights_{cell.head + 1}"].matrix()
    assert shown[cell.row, cell.col] == pytest.approx(0.9, abs=0.01)
    assert tool.status.text().startswith("Reached after ")
    after = window.document.scene
    assert after.w_q is not before.w_q or after.w_k is not before.w_k
    assert after.w_v is before.w_v and after.x is before.x
    steps = list(tool.plot.curves[0].x)
    assert steps == list(range(len(steps)))  # the answer with fewer decimals takes the last step's place
    left = abs(0.9 - window_weight(window, after, cell))
    assert tool.plot.curves[0].y[-1] == pytest.approx(max(left, 1e-4))  # where the axis begins
    assert tool.plot.curves[0].y[0] == pytest.approx(abs(0.9 - window_weight(window, before, cell)))
    assert window.document.undo_stack.undoText() == "Goal seek"
    window.document.undo()
    assert window.document.scene.w_q is before.w_q and window.document.scene.w_k is before.w_k
    assert window.document.undo_stack.count() == 2  # the goal, and what reached it


def window_weight(window: MainWindow, scene: object, cell: Cell) -> float:
    from explorer.attention import attend

    return float(attend(scene).weights[cell.head, cell.row, cell.col])


def test_a_masked_key_cannot_be_attended_to(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    cats.selection.select(Cell("weights", 0, 0, 2))
    tool = open_tool(cats, "goal")
    w_q = cats.document.scene.w_q
    seek(qtbot, tool, "0.9")
    assert tool.status.text() == (
        "The key is hidden from this query: its weight is 0 whatever the matrices hold."
    )
    assert cats.document.scene.w_q is w_q


def test_a_wanted_row_of_the_output(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    window.selection.select(Cell("output", None, 0, 0))
    tool = open_tool(window, "goal")
    qtbot.mouseClick(tool.wide.buttons["row"], Qt.MouseButton.LeftButton)
    assert tool.ticks["w_v"].isChecked()
    seek(qtbot, tool, "1")
    assert tool.status.text() == "2 numbers are wanted here."
    seek(qtbot, tool, "1/2 -1")
    assert window.pipeline.panels["panel_output"].matrix()[0] == pytest.approx([0.5, -1], abs=0.01)
    kept = window.document.scene.extra["lab"]["goal"]
    assert kept == {"cell": ["output", None, 1, 1], "row": True, "target": [0.5, -1.0]}


def test_only_what_is_ticked_changes(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    before = window.document.scene
    window.selection.select(Cell("weights", 0, 1, 0))
    tool = open_tool(window, "goal")
    for name in ("w_q", "w_k"):
        tick = tool.ticks[name]
        qtbot.mouseClick(tick, Qt.MouseButton.LeftButton, pos=QPoint(8, tick.height() // 2))
    seek(qtbot, tool, "0.9")
    assert tool.status.text() == "No matrix is ticked, so nothing can change."
    tick = tool.ticks["x"]
    qtbot.mouseClick(tick, Qt.MouseButton.LeftButton, pos=QPoint(8, tick.height() // 2))
    qtbot.mouseClick(tool.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not tool.running)
    after = window.document.scene
    assert after.w_q is before.w_q and after.w_k is before.w_k and (after.x != before.x).any()


def test_it_stops_when_told_and_when_the_scene_is_changed(
    qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    cats.selection.select(Cell("weights", 0, 3, 0))
    tool = open_tool(cats, "goal")
    tool.target.setFocus()
    qtbot.keyClicks(tool.target, "1")  # softmax never quite gets there, so that there is time
    qtbot.mouseClick(tool.start, Qt.MouseButton.LeftButton)
    assert tool.running and tool.start.text() == "Stop"
    qtbot.mouseClick(tool.start, Qt.MouseButton.LeftButton)
    assert not tool.running and tool.start.text() == "Start"
    qtbot.mouseClick(tool.start, Qt.MouseButton.LeftButton)
    cats.document.edit(cats.document.scene.with_cell("x", 0, 0, 9.0), "Edit")
    assert not tool.running
    assert tool.status.text() == "Stopped: the scene was changed meanwhile."
    assert cats.document.scene.x[0, 0] == 9
    qtbot.mouseClick(tool.start, Qt.MouseButton.LeftButton)
    cats.lab.dock.close()
    assert not tool.running


def test_another_number_is_taken(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "goal")
    assert tool.what.text().startswith("Choose a number") and not tool.start.isEnabled()
    cats.selection.select(Cell("weights", 0, 3, 0))
    assert tool.what.text().startswith("weights · head 1 · row 4 · column 1 = ")
    seek(qtbot, tool, "nonsense")
    assert "nonsense" in tool.status.text()
    tool.target.clear()
    seek(qtbot, tool, "0.7")
    cats.selection.select(Cell("output", None, 1, 2))
    assert tool.cell == Cell("weights", 0, 3, 0)
    qtbot.mouseClick(tool.take, Qt.MouseButton.LeftButton)
    assert tool.cell == Cell("output", None, 1, 2)
    assert tool.target.text() == ""


@pytest.mark.parametrize("entry", [3, {"cell": ["weights", 9, 1, 1]}, {"cell": ["x", 1], "target": "a"}])
def test_a_session_that_keeps_nonsense_opens(cats: MainWindow, open_tool: OpenTool, entry: object) -> None:
    extra = {"lab": {"goal": entry}}
    cats.document.edit(cats.document.scene.replace(extra=extra), "nonsense")
    tool = open_tool(cats, "goal")
    assert tool.cell is None
    assert np.isfinite(cats.engine.trace.output).all()


@pytest.mark.parametrize("target", ["inf", "nan", "-inf"])
def test_no_goal_without_end(target: str, qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    cats.selection.select(Cell("output", None, 1, 2))
    tool = open_tool(cats, "goal")
    seek(qtbot, tool, target)
    assert tool.status.text() == "Finite numbers are wanted here."
    assert "lab" not in cats.document.scene.extra
