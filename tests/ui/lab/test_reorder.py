"""Reordering: rows dragged and moved by keys; what the example of the course is known to give."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.masks import Causal
from explorer.attention.positions import Alibi, Sinusoidal
from explorer.files import session
from explorer.scene import Position, Scene
from explorer.ui.lab.order import order_of, original, reordered
from explorer.ui.lab.token_rows import TokenRows
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]
T1, T2 = [[1, 2], [2, 3], [3, 4]], [[1, 2], [3, 4], [2, 3]]


@pytest.fixture
def order(open_it: Callable[..., MainWindow]) -> MainWindow:
    """Three tokens a, b, c; no position."""
    return open_it(resources.path("scenes", "order.attn.json"))


def drag(rows: TokenRows, *path: int, drop: bool = True) -> None:
    """Press the first row, go over the others, let go at the last."""
    _mouse(rows, QEvent.Type.MouseButtonPress, path[0])
    for row in path[1:]:
        _mouse(rows, QEvent.Type.MouseMove, row)
    if drop:
        _mouse(rows, QEvent.Type.MouseButtonRelease, path[-1])


def _mouse(rows: TokenRows, kind: QEvent.Type, row: int) -> None:
    at = QPointF(rows.visualItemRect(rows.topLevelItem(row)).center().x(), 0)
    at.setY(rows.visualItemRect(rows.topLevelItem(row)).center().y())
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    held = none if kind == QEvent.Type.MouseButtonRelease else left
    place = QPointF(rows.viewport().mapToGlobal(at.toPoint()))
    QApplication.sendEvent(
        rows.viewport(), QMouseEvent(kind, at, place, button, held, Qt.KeyboardModifier.NoModifier)
    )


def texts(tool: Tool, column: int) -> Sequence[str]:
    return [tool.rows.topLevelItem(row).text(column) for row in range(tool.rows.topLevelItemCount())]


def test_of_self_attention_no_context_appears_among_the_inputs(
    order: MainWindow, open_tool: OpenTool
) -> None:
    open_tool(order, "reorder")
    assert not order.inputs.sections["context"].isVisible() and order.inputs.sections["x"].isVisible()


def test_b1_stays_and_b2_and_b3_trade_places(order: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(order, "reorder")
    document, before = order.document, order.engine.trace.output
    start = document.scene
    assert start.x.tolist() == T1
    assert "Nothing is moved yet" in tool.words.text()
    drag(tool.rows, 2, 1)
    assert document.scene.x.tolist() == T2
    assert order.engine.trace.output == pytest.approx(before[[0, 2, 1]], abs=1e-12)
    assert "holds" in tool.verdict.text() and "not" not in tool.verdict.text()
    assert tool.words.text() == "b₂ and b₃ trade places, with the same numbers."
    assert texts(tool, 1) == ["a", "c", "b"]
    assert texts(tool, 2) == ["", "3", "2"]
    assert texts(tool, 3) == ["b₁ the same", "b₃ moved here", "b₂ moved here"]
    assert tool.maps.maps["expected", None].matrix() == pytest.approx(before[[0, 2, 1]], abs=0)
    assert ("moved_delta", None) not in tool.maps.maps
    assert document.undo_stack.undoText() == "Move “c” to row 2"
    document.undo()
    assert document.scene is start and "Nothing is moved" in tool.words.text()


def test_the_scene_follows_while_the_mouse_is_down(order: MainWindow, open_tool: OpenTool) -> None:
    tool, document = open_tool(order, "reorder"), order.document
    start = document.scene
    drag(tool.rows, 0, 1, drop=False)
    assert document.scene.tokens == ("b", "a", "c")
    drag(tool.rows, 1, 2, drop=False)
    assert document.scene.tokens == ("b", "c", "a")
    _mouse(tool.rows, QEvent.Type.MouseButtonRelease, 2)
    document.undo()
    drag(tool.rows, 0, 1, 2)
    assert document.scene.tokens == ("b", "c", "a") and document.undo_stack.count() == 1
    assert tool.rows.row == 2
    document.undo()
    assert document.scene is start
    drag(tool.rows, 0, 2, 0)  # back where it was: nothing to undo
    assert document.scene is start and not document.undo_stack.canUndo()


def test_escape_takes_a_drag_back(qtbot: QtBot, order: MainWindow, open_tool: OpenTool) -> None:
    tool, start = open_tool(order, "reorder"), order.document.scene
    drag(tool.rows, 0, 1, 2, drop=False)
    qtbot.keyClick(tool.rows, Qt.Key.Key_Escape)
    assert order.document.scene is start
    _mouse(tool.rows, QEvent.Type.MouseMove, 0)
    assert order.document.scene is start


def test_by_keys_and_back_by_a_button(qtbot: QtBot, order: MainWindow, open_tool: OpenTool) -> None:
    tool, document = open_tool(order, "reorder"), order.document
    assert not tool.back.isEnabled()
    tool.rows.setFocus()
    tool.rows.choose(0)
    qtbot.keyClick(tool.rows, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert not document.undo_stack.count()  # there is no row above
    for _ in range(2):
        qtbot.keyClick(tool.rows, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert document.scene.tokens == ("b", "c", "a") and tool.rows.row == 2
    assert document.undo_stack.count() == 2
    assert tool.words.text().startswith("3 outputs merely move along")
    assert tool.rows.accessibleDescription() == "a is row 3 now"
    qtbot.mouseClick(tool.back, Qt.MouseButton.LeftButton)
    assert document.scene.x.tolist() == T1 and document.scene.tokens == ("a", "b", "c")
    assert "lab" not in document.scene.extra
    qtbot.mouseClick(tool.turn, Qt.MouseButton.LeftButton)
    assert document.scene.tokens == ("c", "b", "a")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"position": Sinusoidal()}, "The sinusoidal position belongs to the place, not to the token."),
        ({"position": Alibi()}, "The alibi position belongs to the place, not to the token."),
        ({"mask": (Causal(),)}, "The causal mask belongs to the place, not to the token."),
    ],
)
def test_it_says_why_it_fails(
    order: MainWindow, open_tool: OpenTool, change: dict[str, object], why: str
) -> None:
    order.document.open(order.document.scene.replace(**change))
    tool = open_tool(order, "reorder")
    before = order.engine.trace.output
    drag(tool.rows, 2, 1)
    difference = np.abs(order.engine.trace.output - before[[0, 2, 1]]).max()
    assert difference > 1e-3
    assert "does not hold" in tool.verdict.text() and f"{difference:.4f}"[:5] in tool.verdict.text()
    assert why in tool.words.text() and "outputs have other numbers" in tool.words.text()
    assert "changed by" in texts(tool, 3)[1]
    delta = tool.maps.maps["moved_delta", None].matrix()
    assert np.abs(delta).max() == pytest.approx(difference)
    order.document.edit(order.document.scene.replace(position=Position(), mask=()), "")
    assert "does not hold" not in tool.verdict.text()  # the tokens are still moved, and now it holds


def test_tokens_dragged_in_the_grid_are_followed(order: MainWindow, open_tool: OpenTool) -> None:
    grid = order.inputs.grid("x")
    grid.commands.move_tokens([2], 1)
    assert "lab" not in order.document.scene.extra  # nobody looks
    order.document.undo()
    tool = open_tool(order, "reorder")
    grid.labels.dragged.emit(2, 1)
    assert texts(tool, 2) == ["", "3", "2"]
    assert "trade places" in tool.words.text()
    assert order.document.undo_stack.count() == 1


def test_an_order_is_of_the_tokens_that_it_was_kept_of(order: MainWindow, open_tool: OpenTool) -> None:
    """One goes and another comes: as many tokens as before, and yet not those."""
    tool, commands = open_tool(order, "reorder"), order.inputs.grid("x").commands
    drag(tool.rows, 2, 1)
    kept = order.document.scene
    commands.delete_tokens([0])
    commands.insert_token(0)
    assert order.document.scene.n == 3 and "lab" not in order.document.scene.extra
    assert texts(tool, 2) == ["", "", ""]
    order.document.undo()
    order.document.undo()
    assert order.document.scene is kept


def test_the_order_is_saved(order: MainWindow, open_tool: OpenTool, tmp_path: object) -> None:
    tool = open_tool(order, "reorder")
    drag(tool.rows, 2, 1)
    session.save(order.document.scene, tmp_path / "a.attn.json")
    again = session.load(tmp_path / "a.attn.json")
    assert again.extra == {"lab": {"reorder": {"x": [1, 3, 2]}}}
    assert original(again).x.tolist() == T1


def test_keys_in_any_order(open_it: Callable[..., MainWindow], open_tool: OpenTool, qtbot: QtBot) -> None:
    window = open_it(resources.path("scenes", "translation.attn.json"))
    tool = open_tool(window, "reorder")
    before = window.engine.trace.output
    qtbot.mouseClick(tool.side.buttons["context"], Qt.MouseButton.LeftButton)
    drag(tool.rows, 0, 1)
    assert window.engine.trace.output == pytest.approx(before, abs=1e-12)
    assert tool.words.text() == "The keys may come in any order: every output stays."
    tool.grab()


def test_an_order_that_does_not_fit_counts_as_none() -> None:
    scene = Scene(x=T1, w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2))
    moved = reordered(reordered(scene, [2, 0, 1], "x"), [1, 0, 2], "x")
    assert order_of(moved, "x") == (0, 2, 1)
    for entry in (
        5,
        {"x": "abc"},
        {"x": [1, 1, 2]},
        {"x": [1, 2]},
        {"x": [True, 2, 3]},
        {"x": [0, 1, 2]},
        None,
    ):
        odd = scene.replace(extra={"lab": {"reorder": entry}})
        assert order_of(odd, "x") == (0, 1, 2) and original(odd) is odd
