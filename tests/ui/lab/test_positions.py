"""Positions: chosen, set and seen at work by mouse and keys."""

from collections.abc import Callable
from math import cos, sin

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from explorer.attention.trace import Cell
from explorer.files import session
from explorer.scene import Scene
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


@pytest.fixture
def tool(window: MainWindow, open_tool: OpenTool) -> Tool:
    """On three tokens of width 4 in two heads, all matrices the identity, nothing chosen."""
    eye = np.eye(4)
    window.document.open(Scene(x=np.arange(12.0).reshape(3, 4), w_q=eye, w_k=eye, w_v=eye, heads=2))
    return open_tool(window, "positions")


def choose(qtbot: QtBot, tool: Tool, kind: str) -> None:
    qtbot.mouseClick(tool.kind.buttons[kind], Qt.MouseButton.LeftButton)
    assert tool.scene.position.kind == kind


def step(qtbot: QtBot, box: object, key: Qt.Key = Qt.Key.Key_Up) -> None:
    box.setFocus()
    qtbot.keyClick(box, key)


def shown(tool: Tool, place: str) -> np.ndarray:
    return tool.part.maps.maps[place, None].matrix()


def test_none_says_so(tool: Tool) -> None:
    assert "attention sees a set" in tool.sentence.text()
    assert tool.part is None and tool.options is None and tool.formula.isHidden()


def test_sinusoidal_by_the_formula(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "sinusoidal")
    assert window.document.undo_stack.undoText() == "Set position to sinusoidal"
    table = [[sin(p), cos(p), sin(p / 100), cos(p / 100)] for p in range(3)]
    np.testing.assert_allclose(shown(tool, "pe"), table, atol=1e-12)
    np.testing.assert_allclose(shown(tool, "x_before"), np.arange(12.0).reshape(3, 4))
    np.testing.assert_allclose(shown(tool, "x"), np.arange(12.0).reshape(3, 4) + table, atol=1e-12)
    assert len({heat.levels() for heat in tool.part.maps.maps.values()}) == 1  # a sum is seen in one scale
    assert tool.part.further.maps["pe_further", None].matrix().shape == (48, 4)
    assert tool.part.words.text() == "Column 1: sin(p); it begins again after 6.2832 positions."
    for _ in range(3):
        step(qtbot, tool.part.column)
    assert tool.part.words.text() == "Column 4: cos(p/100); it begins again after 628.32 positions."
    assert window.document.scene.extra == {"lab": {"positions": {"column": 4}}}
    wave, tokens = tool.part.plot.curves
    assert wave.name == "cos(p/100)"
    np.testing.assert_allclose(tokens.y, [cos(p / 100) for p in range(3)])
    window.document.undo()  # three steps through columns are one
    assert tool.part.column.value() == 1


def test_the_base_is_set_right_there(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "sinusoidal")
    base = tool.options.findChild(QLineEdit, "position_base")
    base.selectAll()
    qtbot.keyClicks(base, "100\r")
    assert window.document.scene.position.base == 100
    np.testing.assert_allclose(shown(tool, "pe")[1], [sin(1), cos(1), sin(0.1), cos(0.1)])
    assert "100<sup>" in tool.formula._html
    qtbot.keyClicks(base, "0\r")
    assert window.document.scene.position.base == 100


def test_a_pressed_number_chooses_its_column_and_cell(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "sinusoidal")
    heat = tool.part.maps.maps["x", None]
    qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=heat.cell_rect(1, 2).center())
    assert tool.part.column.value() == 3
    assert window.selection.cell == Cell("x", None, 1, 2)


def test_the_learned_table_is_typed_into(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "learned")
    before = window.document.scene.position.table
    assert (shown(tool, "pe") == before).all()
    table = tool.options.tables["table"]
    table.setFocus()
    table.setCurrentIndex(table.model().index(2, 1))
    qtbot.keyClick(table, Qt.Key.Key_7)
    qtbot.keyClick(table.findChild(QLineEdit), Qt.Key.Key_Return)
    QApplication.processEvents()  # Qt commits from its event loop
    assert window.document.scene.position.table[2, 1] == 7
    assert shown(tool, "pe")[2, 1] == 7 and shown(tool, "x")[2, 1] == 16
    assert window.document.undo_stack.undoText() == "Edit position table [3,2]"
    window.document.undo()
    assert window.document.scene.position.table is before
    choose(qtbot, tool, "none")
    choose(qtbot, tool, "learned")
    assert window.document.scene.position.table is before  # as it was when it was switched off
    assert table.width() <= tool.width()


def test_rotary_turns_a_pair_in_the_plane(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "rotary")
    trace = window.engine.trace
    part = tool.part
    assert (part.head.value(), part.pair.value(), part.token.value()) == (1, 1, 2)
    assert part.plane.turn.before == (4, 5) and part.plane.turn.angle == 1
    turned = (4 * cos(1) - 5 * sin(1), 4 * sin(1) + 5 * cos(1))
    assert part.plane.turn.after == pytest.approx(turned)
    assert "by θ = 1·1 = 1, that is 57.296°" in part.words.text()
    assert "6.4031 before, 6.4031 after" in part.words.text()  # √41
    step(qtbot, part.token)
    step(qtbot, part.head)
    assert part.plane.turn.before == (10, 11) and part.plane.turn.angle == 2
    assert part.plane.turn.head == 1
    assert (shown(tool, "before") == trace.q_plain[1]).all() and (shown(tool, "after") == trace.q[1]).all()
    qtbot.mouseClick(part.of.buttons["k"], Qt.MouseButton.LeftButton)
    assert (shown(tool, "after") == trace.k[1]).all()
    assert window.document.scene.extra["lab"]["positions"] == {"token": 3, "head": 2, "of": "k"}
    heat = part.maps.maps["after", None]
    qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=heat.cell_rect(0, 1).center())
    assert part.token.value() == 1 and window.selection.cell == Cell("k", 1, 0, 1)
    part.plane.grab()


def test_layout_and_dims_right_there(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    window.document.edit(window.document.scene.with_heads(1), "one head")
    choose(qtbot, tool, "rotary")
    part = tool.part
    step(qtbot, part.pair)
    assert part.plane.turn.axes == ("q₂", "q₄") and part.plane.turn.angle == pytest.approx(0.01)
    button = tool.options.layouts["interleaved"]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, button.height() // 2))
    assert window.document.scene.position.layout == "interleaved"
    assert part.plane.turn.axes == ("q₃", "q₄")
    tool.options.dims.setFocus()
    qtbot.keyClick(tool.options.dims, Qt.Key.Key_Up)
    assert window.document.scene.position.dims == 2
    assert part.pair.maximum() == 1 and part.plane.turn.axes == ("q₁", "q₂")


def test_rotary_of_an_odd_width_starts_with_the_columns_that_pair_up(
    qtbot: QtBot, window: MainWindow, tool: Tool
) -> None:
    eye = np.eye(3)
    window.document.open(Scene(x=eye, w_q=eye, w_k=eye, w_v=eye))
    choose(qtbot, tool, "rotary")
    assert window.document.scene.position.dims == 2 and tool.options.dims.value() == 2
    window.document.open(Scene(x=eye, w_q=eye, w_k=eye, w_v=eye, heads=3))
    qtbot.mouseClick(tool.kind.buttons["rotary"], Qt.MouseButton.LeftButton)
    assert "d_k must be at least 2, and it is 1" in window.banner.text
    assert tool.kind.key == "none" and not window.document.undo_stack.count()


def test_alibi_with_the_slopes_of_the_paper(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "alibi")
    assert [bar.text for bar in tool.part.bars.bars] == ["0.0625", "0.0039"]  # 2^−4, 2^−8
    distance = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    assert (shown(tool, "bias") == -distance / 16).all()
    step(qtbot, tool.part.head)
    assert (shown(tool, "bias") == -distance / 256).all()
    np.testing.assert_allclose(shown(tool, "before") + shown(tool, "bias"), shown(tool, "after"))
    assert (shown(tool, "after") == window.engine.trace.scaled[1]).all()
    heat = tool.part.maps.maps["after", None]
    qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=heat.cell_rect(2, 0).center())
    assert window.selection.cell == Cell("scaled", 1, 2, 0)


def test_a_number_for_each_distance(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    choose(qtbot, tool, "relative")
    assert not tool.part.bars.bars and tool.part.slopes.isHidden()
    assert shown(tool, "bias").tolist() == [
        [0, -0.5, -1],
        [-0.5, 0, -0.5],
        [-1, -0.5, 0],
    ]  # what it begins with
    table = tool.options.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 3))  # distance −1
    qtbot.keyClick(table, Qt.Key.Key_7)
    qtbot.keyClick(table.findChild(QLineEdit), Qt.Key.Key_Return)
    QApplication.processEvents()
    assert shown(tool, "bias").tolist() == [[0, -0.5, -1], [7, 0, -0.5], [-1, 7, 0]]
    np.testing.assert_allclose(shown(tool, "before") + shown(tool, "bias"), shown(tool, "after"))


def test_the_context_has_a_table_too(qtbot: QtBot, window: MainWindow, tool: Tool) -> None:
    window.document.open(window.document.scene.replace(context=np.ones((5, 4))))
    for kind in ("sinusoidal", "learned"):
        choose(qtbot, tool, kind)
        qtbot.mouseClick(tool.part.side.buttons["context"], Qt.MouseButton.LeftButton)
        assert shown(tool, "pe").shape == (5, 4)
        np.testing.assert_allclose(shown(tool, "x"), 1 + shown(tool, "pe"))
        tool.grab()
    choose(qtbot, tool, "rotary")
    qtbot.mouseClick(tool.part.of.buttons["k"], Qt.MouseButton.LeftButton)
    assert shown(tool, "after").shape == (5, 2) and tool.part.token.maximum() == 5
    choose(qtbot, tool, "alibi")
    assert shown(tool, "bias").shape == (3, 5)


def test_what_is_looked_at_is_saved_and_nonsense_is_not_minded(
    qtbot: QtBot, window: MainWindow, tool: Tool, tmp_path: object
) -> None:
    choose(qtbot, tool, "rotary")
    step(qtbot, tool.part.head)
    session.save(window.document.scene, tmp_path / "a.attn.json")
    window.document.open(session.load(tmp_path / "a.attn.json"))
    assert tool.part.head.value() == 2
    for entry in ({"head": 99, "pair": -1, "token": "x", "of": 3}, [1], "a", {"head": True}):
        window.document.open(window.document.scene.replace(extra={"lab": {"positions": entry}}))
        assert tool.part.pair.value() == 1
    for kind in ("sinusoidal", "alibi"):
        choose(qtbot, tool, kind)
        odd = {"lab": {"positions": {"head": 0, "column": [], "side": "context"}}}
        window.document.open(window.document.scene.replace(extra=odd))
    tool.grab()
