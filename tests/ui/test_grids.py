"""The grids as a spreadsheet: keys typed into cells, ways through them, one undo step for each."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractItemView, QPushButton, QTableView, QWidget
from pytestqt.qtbot import QtBot

from explorer.reshape import resize
from explorer.ui import theme
from explorer.ui.grids.matrices import MATRICES
from tests.ui.grid_helpers import CTRL, SHIFT, Key, Shown, scene, show


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return show(qtbot)


# ---- what it shows ----


def test_names_and_numbers(shown: Shown) -> None:
    grid, model = shown.grid, shown.grid.model()
    assert isinstance(grid, QTableView)
    assert grid.objectName() == "grid_w_q"
    assert grid.accessibleName() == "Matrix W_q"
    assert (model.rowCount(), model.columnCount()) == (2, 4)
    assert [model.index(1, col).data() for col in range(4)] == ["5", "6", "7", "8"]
    index = model.index(1, 2)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "W_q[2,3] = 7"


def test_rounded_to_see_and_exact_to_edit(qtbot: QtBot) -> None:
    shown = show(qtbot, "x", scene(x=np.array([[1 / 3, -1e9], [math.inf, math.nan], [0.5, 1e-9]])))
    model = shown.grid.model()
    texts = [[model.index(row, col).data() for col in range(2)] for row in range(3)]
    assert texts == [["0.3333", "−1e9"], ["∞", "NaN"], ["0.5", "1e-9"]]
    assert model.index(0, 0).data(Qt.ItemDataRole.EditRole) == "0.3333333333333333"
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == "X[1,1] = 0.3333333333333333"


def test_columns_are_counted_per_head_and_bear_its_colour(qtbot: QtBot) -> None:
    model = show(qtbot).grid.model()
    horizontal = Qt.Orientation.Horizontal
    assert [model.headerData(col, horizontal) for col in range(4)] == ["1", "2", "1", "2"]
    assert [model.column_heads(col) for col in range(4)] == [(0,), (0,), (1,), (1,)]
    assert model.row_heads(0) == ()


def test_shared_key_heads_bear_the_colours_of_all_that_read_them(qtbot: QtBot) -> None:
    start = scene(kv_heads=1, w_k=np.eye(2), w_v=np.eye(2))
    assert show(qtbot, "w_k", start).grid.model().column_heads(0) == (0, 1)
    assert show(qtbot, "x", start).grid.model().column_heads(0) == ()


def test_rows_of_w_o_belong_to_heads(qtbot: QtBot) -> None:
    model = show(qtbot, "w_o", scene(w_o=np.eye(4, 3))).grid.model()
    vertical = Qt.Orientation.Vertical
    assert [model.headerData(row, vertical) for row in range(4)] == ["1", "2", "1", "2"]
    assert [model.row_heads(row) for row in range(4)] == [(0,), (0,), (1,), (1,)]
    assert model.column_heads(0) == ()


def test_rows_of_x_are_tokens(qtbot: QtBot) -> None:
    model = show(qtbot, "x").grid.model()
    assert [model.headerData(row, Qt.Orientation.Vertical) for row in range(3)] == ["The", "cat", "sat"]


@pytest.mark.parametrize(
    ("name", "changes", "text"),
    [
        ("x", {}, "n × d_model = 3 × 2"),
        ("w_q", {}, "2 × 4 · 2 heads × d_k 2"),
        ("w_q", {"heads": 1}, "d_model × d_k = 2 × 4"),
        ("w_v", {"heads": 1}, "d_model × d_v = 2 × 4"),
        ("w_o", {"w_o": np.eye(4, 3)}, "4 × 3 · 2 heads × d_v 2"),
        ("b_q", {"b_q": np.ones(4)}, "4 · 2 heads × d_k 2"),
        ("b_o", {"w_o": np.eye(4, 3), "b_o": np.ones(3)}, "d_out = 3"),
        ("context", {"context": np.ones((5, 2))}, "m × d_context = 5 × 2"),
        ("w_k", {"context": np.ones((5, 2)), "heads": 1}, "d_context × d_k = 2 × 4"),
        ("w_o", {}, ""),
    ],
)
def test_shape_text(name: str, changes: dict[str, object], text: str) -> None:
    assert MATRICES[name].shape_text(scene(**changes)) == text


# ---- typing ----


def test_typing_replaces_and_counts_before_enter(shown: Shown) -> None:
    shown.click(0, 1)
    shown.type("7")
    assert shown.scene.w_q[0, 1] == 7  # before any other key
    shown.type(".5")
    assert shown.scene.w_q[0, 1] == 7.5
    shown.press(Key.Key_Return)
    assert shown.grid.editor() is None
    assert shown.current == (1, 1)
    assert shown.steps == ["Edit W_q[1,2]"]
    shown.document.undo()
    assert shown.scene.w_q[0, 1] == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("1/3", 1 / 3),
        ("sqrt(2)", math.sqrt(2)),
        ("-4", -4.0),
        ("2^3", 8.0),
        ("-inf", -math.inf),
    ],
)
def test_understands_what_the_grammar_does(shown: Shown, text: str, value: float) -> None:
    shown.click(0, 0)
    shown.type(text)
    shown.press(Key.Key_Return)
    assert shown.scene.w_q[0, 0] == value
    assert len(shown.steps) == 1


def test_escape_restores_and_leaves_no_step(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    shown.type("42")
    assert shown.scene.w_q[0, 0] == 42
    shown.press(Key.Key_Escape)
    assert shown.scene is start
    assert shown.steps == []
    assert shown.grid.editor() is None
    assert shown.current == (0, 0)


@pytest.mark.parametrize("open_key", [Key.Key_F2, None])
@pytest.mark.parametrize("close_key", [Key.Key_Return, Key.Key_Tab, Key.Key_Escape])
def test_opening_and_closing_an_editor_changes_nothing(
    qtbot: QtBot, open_key: Key | None, close_key: Key
) -> None:
    start = scene(w_q=np.full((2, 4), 1 / 3))
    shown = show(qtbot, start=start)
    shown.click(0, 0)
    if open_key is None:
        qtbot.mouseDClick(shown.grid.viewport(), Qt.MouseButton.LeftButton, pos=shown.at(0, 0))
    else:
        shown.press(open_key)
    editor = shown.grid.editor()
    assert editor is not None and editor.text() == "0.3333333333333333"
    shown.press(close_key)
    assert shown.grid.editor() is None
    assert shown.scene is start
    assert shown.steps == []


def test_typing_the_same_number_changes_nothing(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    shown.type("1")
    shown.press(Key.Key_Return)
    assert shown.scene is start and shown.steps == []
    shown.click(0, 0)
    shown.type("12")
    shown.press(Key.Key_Backspace)
    shown.press(Key.Key_Return)
    assert shown.scene is start and shown.steps == []


def test_f2_edits_the_text(shown: Shown) -> None:
    shown.click(1, 3)
    shown.press(Key.Key_F2)
    shown.press(Key.Key_End)
    shown.type("5")
    shown.press(Key.Key_Left)  # moves in the text
    assert shown.grid.editor() is not None
    shown.press(Key.Key_Return)
    assert shown.scene.w_q[1, 3] == 85


def test_two_editings_are_two_steps(shown: Shown) -> None:
    shown.click(0, 0)
    shown.type("9")
    shown.press(Key.Key_Return)
    shown.type("8")
    shown.press(Key.Key_Return)
    shown.click(0, 0)
    shown.type("7")
    shown.press(Key.Key_Return)
    assert shown.steps == ["Edit W_q[1,1]", "Edit W_q[2,1]", "Edit W_q[1,1]"]


def test_a_text_that_is_not_finished_waits(shown: Shown) -> None:
    shown.click(0, 0)
    shown.type("-")
    assert shown.scene.w_q[0, 0] == 1
    assert shown.grid.bubble.text() == "Expected a number after '-' at the end."
    assert shown.grid.bubble.isVisible()
    editor = shown.grid.editor()
    assert editor is not None and editor.property("wrong") is False
    shown.type("3")
    assert shown.scene.w_q[0, 0] == -3
    assert not shown.grid.bubble.isVisible()


def test_rubbish_is_refused_beside_the_cell_with_the_reason(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    shown.type("abc")
    shown.press(Key.Key_Return)
    editor, bubble = shown.grid.editor(), shown.grid.bubble
    assert editor is not None and editor.property("wrong") is True
    assert bubble.isVisible()
    assert bubble.text() == "'abc' at character 1 is not a number."
    cell_bottom = shown.grid.viewport().mapTo(shown.grid.window(), shown.at(0, 0)).y()
    assert 0 < bubble.y() - cell_bottom < 40
    assert shown.scene is start
    shown.press(Key.Key_Escape)
    assert shown.grid.editor() is None and not bubble.isVisible()
    assert shown.scene is start and shown.steps == []


def test_the_last_number_stays_while_the_text_is_none(shown: Shown) -> None:
    shown.click(0, 0)
    shown.type("1")
    shown.type("2/")
    assert shown.scene.w_q[0, 0] == 12
    shown.type("0")
    assert shown.scene.w_q[0, 0] == 12
    assert shown.grid.bubble.text() == "Division by zero at character 3."
    shown.press(Key.Key_Backspace)
    shown.type("4")
    assert shown.scene.w_q[0, 0] == 3
    shown.press(Key.Key_Return)
    assert shown.steps == ["Edit W_q[1,1]"]


def test_leaving_with_rubbish_gives_the_old_number_back_and_says_so(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    shown.type("12/")
    with shown.qtbot.waitSignal(shown.grid.problem) as said:
        shown.other.setFocus()
    assert said.args == ["“12/” was not taken. Expected a number after '/' at the end."]
    assert shown.grid.bubble.isVisible() and shown.grid.bubble.text() == said.args[0]
    assert shown.scene is start and shown.steps == []
    assert shown.grid.editor() is None


def test_leaving_with_a_number_keeps_it(shown: Shown) -> None:
    shown.click(0, 0)
    shown.type("12")
    shown.other.setFocus()
    assert shown.scene.w_q[0, 0] == 12
    assert shown.grid.editor() is None
    assert shown.steps == ["Edit W_q[1,1]"]


def test_undo_while_typing_closes_the_editor(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    shown.type("12")
    shown.document.undo()
    assert shown.grid.editor() is None
    assert shown.scene is start
    shown.document.redo()
    assert shown.scene.w_q[0, 0] == 12


def test_only_what_changed_is_told(shown: Shown) -> None:
    model = shown.grid.model()
    with shown.qtbot.waitSignal(model.dataChanged) as told:
        shown.document.edit(shown.scene.with_cell("w_q", 1, 2, 0.5), "")
    first, last = told.args[:2]
    assert (first.row(), first.column(), last.row(), last.column()) == (1, 2, 1, 2)
    with shown.qtbot.assertNotEmitted(model.dataChanged), shown.qtbot.assertNotEmitted(model.modelReset):
        shown.document.edit(shown.scene.with_cell("x", 0, 0, 9), "")


# ---- ways through the cells ----


@pytest.mark.parametrize(
    ("start", "key", "modifier", "end"),
    [
        ((0, 0), Key.Key_Return, None, (1, 0)),
        ((1, 0), Key.Key_Return, None, (1, 0)),
        ((1, 0), Key.Key_Return, SHIFT, (0, 0)),
        ((0, 0), Key.Key_Tab, None, (0, 1)),
        ((0, 3), Key.Key_Tab, None, (1, 0)),
        ((1, 0), Key.Key_Backtab, SHIFT, (0, 3)),
        ((0, 1), Key.Key_Backtab, SHIFT, (0, 0)),
        ((0, 1), Key.Key_Right, None, (0, 2)),
        ((1, 1), Key.Key_Up, None, (0, 1)),
        ((1, 2), Key.Key_Home, None, (1, 0)),
        ((0, 1), Key.Key_End, None, (0, 3)),
        ((1, 2), Key.Key_Home, CTRL, (0, 0)),
        ((0, 1), Key.Key_End, CTRL, (1, 3)),
        ((0, 1), Key.Key_Right, CTRL, (0, 3)),
        ((1, 2), Key.Key_Left, CTRL, (1, 0)),
        ((0, 1), Key.Key_Down, CTRL, (1, 1)),
        ((1, 1), Key.Key_Up, CTRL, (0, 1)),
    ],
)
def test_moves(
    shown: Shown, start: tuple[int, int], key: Key, modifier: Qt.KeyboardModifier | None, end: tuple[int, int]
) -> None:
    shown.click(*start)
    with shown.qtbot.waitSignal(shown.grid.cell_activated, raising=start != end, timeout=1) as activated:
        shown.press(key, modifier or Qt.KeyboardModifier.NoModifier)
    assert shown.current == end
    assert activated.args == (list(end) if start != end else None)
    assert shown.grid.state() != QAbstractItemView.State.EditingState


@pytest.mark.parametrize(
    ("key", "modifier", "end"),
    [
        (Key.Key_Return, None, (1, 1)),
        (Key.Key_Tab, None, (0, 2)),
        (Key.Key_Backtab, SHIFT, (0, 0)),
        (Key.Key_Right, None, (0, 2)),
        (Key.Key_Left, None, (0, 0)),
        (Key.Key_Down, None, (1, 1)),
    ],
)
def test_moves_out_of_an_editor_opened_by_typing(
    shown: Shown, key: Key, modifier: Qt.KeyboardModifier | None, end: tuple[int, int]
) -> None:
    shown.click(0, 1)
    shown.type("-1")
    shown.press(key, modifier or Qt.KeyboardModifier.NoModifier)
    assert shown.scene.w_q[0, 1] == -1
    assert shown.current == end
    assert shown.grid.editor() is None
    assert shown.grid.hasFocus()


def test_tab_past_the_last_cell_leaves_the_grid(shown: Shown) -> None:
    shown.click(1, 3)
    shown.press(Key.Key_Tab)
    assert not shown.grid.hasFocus()


def test_tab_into_the_grid_selects_a_cell(shown: Shown) -> None:
    shown.other.setFocus()
    shown.press(Key.Key_Backtab, SHIFT)
    while not shown.grid.hasFocus():
        shown.press(Key.Key_Backtab, SHIFT)
    assert shown.current == (0, 0)


def test_shift_extends_and_delete_clears_in_one_step(shown: Shown) -> None:
    shown.click(0, 1)
    shown.press(Key.Key_Right, SHIFT)
    shown.press(Key.Key_Down, SHIFT)
    shown.press(Key.Key_Delete)
    assert shown.scene.w_q.tolist() == [[1, 0, 0, 4], [5, 0, 0, 8]]
    assert shown.steps == ["Clear W_q[1,2 … 2,3]"]


def test_press_and_drag_on_other_cells_selects_a_rectangle(shown: Shown) -> None:
    view, left = shown.grid.viewport(), Qt.MouseButton.LeftButton
    shown.qtbot.mousePress(view, left, pos=shown.at(0, 1))
    shown.qtbot.mouseMove(view, shown.at(1, 2))
    shown.qtbot.mouseRelease(view, left, pos=shown.at(1, 2))
    block = shown.grid.block()
    assert block is not None and (block.top, block.left, block.bottom, block.right) == (0, 1, 1, 2)
    assert shown.steps == []


def test_select_all(shown: Shown) -> None:
    shown.click(0, 0)
    shown.press(Key.Key_A, CTRL)
    block = shown.grid.block()
    assert block is not None and block.shape == (2, 4)


def test_selection_outlives_a_change_of_shape(shown: Shown) -> None:
    shown.click(1, 3)
    shown.document.edit(resize(shown.scene, d_k=3), "")
    assert shown.current == (1, 3)
    shown.document.edit(resize(shown.scene, d_k=1), "")
    assert shown.current == (1, 1)


def test_a_matrix_that_is_not_set_can_be_added_and_removed(qtbot: QtBot) -> None:
    shown = show(qtbot, "w_o")
    button = shown.section.findChild(QPushButton, "add_w_o")
    assert button is not None and button.isVisible() and not shown.grid.isVisible()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert shown.scene.w_o is not None and shown.scene.w_o.tolist() == np.eye(4).tolist()
    assert shown.grid.isVisible() and not button.isVisible()
    shown.grid.commands.switch(False)
    assert shown.scene.w_o is None and button.isVisible()
    assert shown.steps == ["Add W_o", "Remove W_o"]


def test_grid_is_as_large_as_its_numbers_and_scrolls_from_there(qtbot: QtBot) -> None:
    small = show(qtbot).grid
    assert not small.verticalScrollBar().isVisible() and not small.horizontalScrollBar().isVisible()
    large = show(qtbot, "x", scene(x=np.ones((200, 2)), tokens=())).grid
    assert large.verticalScrollBar().isVisible()
    assert large.height() < 500
    wide = show(
        qtbot,
        "x",
        scene(
            x=np.ones((2, 40)), tokens=(), w_q=np.ones((40, 4)), w_k=np.ones((40, 4)), w_v=np.ones((40, 4))
        ),
    ).grid
    assert wide.horizontalScrollBar().isVisible() and not wide.verticalScrollBar().isVisible()


# ---- pixels ----


def pixel(widget: QWidget, at: QPoint) -> str:
    return widget.grab().toImage().pixelColor(at).name()


def test_marks_and_selection_are_framed(shown: Shown) -> None:
    colours, view = theme.current(), shown.grid.viewport()
    shown.grid.set_marks(selected={(0, 0)}, sources={(0, 2)}, dependents={(1, 3), (99, 99)})
    corner = {
        cell: shown.grid.visualRect(shown.grid.model().index(*cell)).topLeft() + QPoint(1, 1)
        for cell in [(0, 0), (0, 2), (1, 3), (1, 1)]
    }
    shown.other.setFocus()
    assert pixel(view, corner[0, 0]) == colours.selection.name()
    assert pixel(view, corner[0, 2]) == colours.source.name()
    assert pixel(view, corner[1, 3]) == colours.dependent.name()
    assert pixel(view, corner[1, 1]) == colours.surface.name()
    shown.click(1, 1)
    assert pixel(view, corner[1, 1]) == colours.accent.name()
    shown.grid.set_marks()
    assert pixel(view, corner[0, 2]) == colours.surface.name()


def test_bars_over_the_columns_of_a_head(shown: Shown) -> None:
    header = shown.grid.horizontalHeader().viewport()
    for col, head in ((0, 0), (1, 0), (2, 1), (3, 1)):
        at = QPoint(shown.at(0, col).x(), header.height() - 2)
        assert pixel(header, at) == theme.current().head_colour(head).name()


def test_the_menu_of_a_label_is_for_its_token(qtbot: QtBot) -> None:
    shown = show(qtbot, "x")
    labels = shown.grid.labels
    at = QPoint(4, labels.sectionViewportPosition(2) + 4)
    labels.customContextMenuRequested.emit(at)
    assert shown.current[0] == 2
    assert shown.grid.menu.isVisible()
    shown.grid.menu.close()


def test_a_complaint_goes_with_its_grid(shown: Shown) -> None:
    shown.grid._complain("Not this.")
    assert shown.grid.bubble.isVisible()
    shown.grid.hide()
    assert not shown.grid.bubble.isVisible()
