"""Gestures and searches that something interrupts: undo, another file, panels that go away."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.attention.trace import Cell
from explorer.reshape import insert_tokens
from explorer.scene import Scene
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]
Key, LEFT, SHIFT = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
PRESS, MOVE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove
RELEASE = QEvent.Type.MouseButtonRelease


def mouse(widget: QWidget, kind: QEvent.Type, point: QPoint, held: bool = True) -> None:
    place = QPointF(widget.mapToGlobal(point))
    button = Qt.MouseButton.NoButton if kind == MOVE else LEFT
    buttons = LEFT if held and kind != RELEASE else Qt.MouseButton.NoButton
    event = QMouseEvent(kind, QPointF(point), place, button, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


@pytest.fixture
def seven(cats: MainWindow) -> MainWindow:
    """Seven tokens without a mask, two heads; undo brings back four."""
    document = cats.document
    document.edit(document.scene.replace(mask=()), "Mask off")
    document.edit(insert_tokens(document.scene, 4, 3), "Insert tokens")
    return cats


def test_a_head_that_goes_away_under_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    start = window.document.scene
    window.document.edit(start.with_heads(2), "Set heads to 2")
    panel = window.pipeline.panels["panel_weights_2"]
    qtbot.mouseClick(panel, LEFT, pos=panel.cell_rect(0, 1).center())
    assert panel.hasFocus()
    window.document.undo()
    assert "panel_weights_2" not in window.pipeline.panels
    for name in ("panel_q_1", "panel_weights_1", "panel_output"):
        shown = window.pipeline.panels[name]
        expected = shown.kind.matrix(window.engine.trace, shown.head)
        assert window.engine.trace.scene is start and shown.matrix().tolist() == expected.tolist()


def test_a_block_of_keys_does_not_outlive_its_rows(
    qtbot: QtBot, seven: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(seven, "masks")
    tool.map.walk_to(5, 5)
    qtbot.keyClick(tool.map, Key.Key_Right, SHIFT)
    seven.document.undo()
    assert tool.map.shape == (4, 4) and tool.map.current == (3, 3)
    qtbot.keyClick(tool.map, Key.Key_Space)
    assert np.argwhere(~tool.scene.visible()).tolist() == [[3, 3]]


def test_a_stroke_ends_where_the_mask_gets_another_shape(seven: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(seven, "masks")
    mouse(tool.map, PRESS, tool.map.cell_rect(6, 6).center())
    assert not tool.scene.visible()[6, 6]
    seven.document.undo()
    seven.document.undo()
    mouse(tool.map, MOVE, tool.map.cell_rect(1, 1).center())
    mouse(tool.map, RELEASE, tool.map.cell_rect(1, 1).center())
    assert tool.scene.n == 4 and tool.scene.visible().all()


def test_a_stroke_ends_with_its_panel(seven: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(seven, "masks")
    tool.paint.setChecked(True)
    panels = seven.pipeline.panels
    mouse(panels["panel_weights_2"], PRESS, panels["panel_weights_2"].cell_rect(0, 1).center())
    seven.document.edit(seven.document.scene.with_heads(1), "Set heads to 1")
    mouse(panels["panel_weights_1"], MOVE, panels["panel_weights_1"].cell_rect(3, 3).center())
    assert np.argwhere(~tool.scene.visible()).tolist() == [[0, 1]]


@pytest.mark.parametrize("place", ["cell", "label"])
def test_nothing_is_painted_without_the_button(place: str, seven: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(seven, "masks")
    start = tool.map.cell_rect(0, 1).center()
    if place == "label":
        start.setY(tool.map.body().top() - 6)
    mouse(tool.map, PRESS, start)
    painted = tool.scene.visible()
    assert not painted[0, 1] and painted[0, 3]
    mouse(tool.map, MOVE, tool.map.cell_rect(0, 3).center(), held=False)  # it came up over another window
    assert tool.scene.visible().tolist() == painted.tolist()


def test_rows_that_are_gone_are_not_dragged(seven: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(seven, "reorder")
    rows, tokens = tool.rows, seven.document.scene.tokens

    def middle(row: int) -> QPoint:
        return rows.visualItemRect(rows.topLevelItem(row)).center()

    last = middle(6)
    mouse(rows.viewport(), PRESS, last)
    mouse(rows.viewport(), MOVE, middle(5))
    assert tool.scene.tokens == (*tokens[:5], tokens[6], tokens[5])
    seven.document.undo()
    seven.document.undo()
    mouse(rows.viewport(), MOVE, middle(1))
    mouse(rows.viewport(), RELEASE, middle(1))
    assert tool.scene.tokens == tokens[:4]
    assert seven.document.undo_stack.redoText() == "Insert tokens"


def slow_goal(tool: Tool) -> None:
    """A row of weights that W_q alone does not reach: it takes some hundred steps to say so."""
    rng = np.random.default_rng(0)
    x, square = rng.normal(size=(40, 32)), rng.normal(size=(3, 32, 32))
    scene = Scene(x=x, w_q=square[0], w_k=square[1], w_v=square[2], heads=8)
    wanted = rng.random(40)
    goal = {
        "cell": ["weights", 2, 2, 2], "row": True, "target": (wanted / wanted.sum()).tolist(), "matrices": ["w_q"],
    }  # fmt: skip
    tool.bench.document.open(scene.replace(extra={"lab": {"goal": goal}}))


def test_a_large_scene_that_is_opened_stays_as_it_is(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "goal")
    slow_goal(tool)
    qtbot.mouseClick(tool.start, LEFT)
    qtbot.waitUntil(lambda: window.document.undo_stack.count() == 1)
    assert tool.running
    eye = np.eye(2)
    large = Scene(x=np.ones((1200, 2)), w_q=eye, w_k=eye, w_v=eye)
    window.document.open(large)
    assert not tool.running and not tool.isEnabled()
    qtbot.waitUntil(lambda: not window.engine.busy)
    assert window.document.scene is large and not window.document.modified


def test_what_is_typed_stays_while_it_searches(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "goal")
    slow_goal(tool)
    qtbot.mouseClick(tool.start, LEFT)
    tool.target.setFocus()
    tool.target.selectAll()
    qtbot.keyClicks(tool.target, "0.2")
    qtbot.waitUntil(lambda: window.document.undo_stack.count() == 1)
    assert tool.running and tool.target.text() == "0.2"
    window.selection.select(Cell("weights", 0, 0, 0))
    qtbot.mouseClick(tool.wide.buttons["number"], LEFT)
    assert not tool.running and tool.target.text() == ""


@pytest.mark.parametrize("show", ["gradient", "jacobian"])
def test_the_number_that_is_asked_about_goes_away(
    show: str, qtbot: QtBot, seven: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(seven, "gradients")
    qtbot.mouseClick(tool.choice.buttons[show], LEFT)
    seven.document.edit(insert_tokens(seven.document.scene, 7, 1), "Insert a token")
    seven.selection.select(Cell("weights", 1, 7, 7))
    seven.document.undo()
    assert seven.engine.trace.scene.n == 7 and seven.selection.cell is None
    assert tool.words.text().startswith("Choose a ")
