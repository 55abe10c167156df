"""Fill, copy, paste; tokens and sizes: each one undo step that brings everything back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QMenu, QSpinBox
from pytestqt.qtbot import QtBot

from explorer.patience import CancelledError
from explorer.reshape import insert_tokens
from explorer.ui.grids.commands import Block
from explorer.ui.grids.fill import FILLS
from tests.ui.grid_helpers import ALT, CTRL, SHIFT, Key, Shown, scene, show

LEFT = Qt.MouseButton.LeftButton
FILL = {fill.name: fill for fill in FILLS}


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return show(qtbot)


def clipboard(text: str | None = None) -> str:
    if text is not None:
        QGuiApplication.clipboard().setText(text)
    return QGuiApplication.clipboard().text()


def paste(shown: Shown, text: str, row: int = 0, col: int = 0, grow: bool = False) -> list[str]:
    """Paste a text at a cell by its key; the questions that came are returned and answered with `grow`."""
    asked: list[str] = []
    shown.grid.commands.confirm_growth = lambda question: bool(asked.append(question)) or grow
    clipboard(text)
    shown.click(row, col)
    shown.press(Key.Key_V, CTRL)
    return asked


# ---- fill ----


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("zeros", [[0, 0, 0, 0], [0, 0, 0, 0]]),
        ("ones", [[1, 1, 1, 1], [1, 1, 1, 1]]),
        ("identity", [[1, 0, 0, 0], [0, 1, 0, 0]]),
    ],
)
def test_fills_the_whole_matrix(shown: Shown, name: str, expected: list[list[float]]) -> None:
    shown.grid.fill(FILL[name])
    assert shown.scene.w_q.tolist() == expected
    assert shown.steps == [f"Fill W_q: {FILL[name].text}"]


def test_fills_the_selection(shown: Shown) -> None:
    shown.click(0, 1)
    shown.grid.select_block(Block(0, 1, 1, 2))
    shown.grid.fill(FILL["identity"])
    assert shown.scene.w_q.tolist() == [[1, 1, 0, 4], [5, 0, 1, 8]]
    assert shown.steps == ["Fill W_q[1,2 … 2,3]: Identity"]


@pytest.mark.parametrize("name", ["uniform", "normal", "xavier"])
def test_random_numbers_come_from_the_seed_that_is_named(shown: Shown, name: str) -> None:
    shown.grid.commands.ask_seed = lambda: 7
    shown.grid.fill(FILL[name])
    first = shown.scene.w_q
    assert shown.steps == [f"Fill W_q: {FILL[name].text} (seed 7)"]
    assert np.unique(first).size == 8 and np.array_equal(first, first.round(3))
    shown.grid.fill(FILL["zeros"])
    shown.grid.fill(FILL[name])
    assert shown.scene.w_q.tolist() == first.tolist()
    shown.grid.commands.ask_seed = lambda: None
    shown.grid.fill(FILL["zeros"])
    shown.grid.fill(FILL[name])
    assert not shown.scene.w_q.any()


def test_xavier_scale() -> None:
    numbers = FILL["xavier"].make((300, 100), np.random.default_rng(0))
    assert numbers.std() == pytest.approx(np.sqrt(2 / 400), rel=0.02)
    numbers = FILL["uniform"].make((300, 100), np.random.default_rng(0))
    assert -1 <= numbers.min() < -0.99 and 0.99 < numbers.max() <= 1


def test_the_menu_shows_the_seed_and_counts_it_up(shown: Shown) -> None:
    menu = shown.grid.menu
    menu.build()
    fill = next(m for m in menu.findChildren(QMenu) if m.title() == "Fill")
    box = fill.findChild(QSpinBox, "seed")
    assert box is not None and box.value() == 1
    box.setValue(41)
    next(a for a in fill.actions() if a.text() == FILL["normal"].text).trigger()
    assert shown.steps == ["Fill W_q: Random, normal (seed 41)"]
    assert shown.grid.commands.seed == 42


# ---- copy and paste ----


def test_copy_is_tab_separated_and_exact(qtbot: QtBot) -> None:
    shown = show(qtbot, start=scene(w_q=np.array([[1 / 3, -1, 3, 4], [0.5, 6, 7, 8]])))
    shown.click(0, 0)
    shown.grid.select_block(Block(0, 0, 1, 1))
    shown.press(Key.Key_C, CTRL)
    assert clipboard() == "0.3333333333333333\t-1\n0.5\t6\n"


def test_what_is_copied_comes_back(qtbot: QtBot) -> None:
    """With its labels, in whatever language they are; and nothing is rounded on the way."""
    shown = show(qtbot, "x", scene(x=np.array([[0.1, -0.0], [1e300, 1 / 3], [np.inf, 2.0]])))
    before = shown.scene.x.tobytes()
    shown.grid.selectAll()
    shown.grid.copy()
    shown.grid.clear_cells()
    assert not shown.scene.x.any()
    shown.grid.paste()
    assert shown.scene.x.tobytes() == before
    paste(shown, "\u4e2d\t1\t2\n\u6587\t3\t4")
    assert shown.scene.tokens[:2] == ("\u4e2d", "\u6587")


def test_cut(shown: Shown) -> None:
    shown.click(1, 0)
    shown.press(Key.Key_X, CTRL)
    assert clipboard() == "5\n"
    assert shown.scene.w_q[1, 0] == 0
    assert shown.steps == ["Clear W_q[2,1]"]


@pytest.mark.parametrize(
    "text", ["9\t8\n7\t6\n", "9,8\n7,6", "[[9. 8.]\n [7. 6.]]", "tensor([[9., 8.],\n        [7., 6.]])"]
)
def test_paste_at_the_current_cell(shown: Shown, text: str) -> None:
    assert paste(shown, text, 0, 2) == []
    assert shown.scene.w_q.tolist() == [[1, 2, 9, 8], [5, 6, 7, 6]]
    assert shown.steps == ["Paste into W_q[1,3 … 2,4]"]
    block = shown.grid.block()
    assert block == Block(0, 2, 1, 3)


def test_one_number_fills_the_selection(shown: Shown) -> None:
    clipboard("1/2")
    shown.click(0, 0)
    shown.grid.select_block(Block(0, 0, 1, 1))
    shown.press(Key.Key_V, CTRL)
    assert shown.scene.w_q.tolist() == [[0.5, 0.5, 3, 4], [0.5, 0.5, 7, 8]]


def test_a_larger_paste_grows_after_asking_and_one_undo_brings_everything_back(qtbot: QtBot) -> None:
    shown = show(qtbot, "x")
    start = shown.scene
    asked = paste(shown, "1\t2\t3\n4\t5\t6\n7\t8\t9\n10\t11\t12", grow=True)
    assert asked == [
        "The pasted table is 4 × 3 and reaches beyond X. Grow it? (n 3 → 4, d_model 2 → 3; all else follows.)"
    ]
    assert shown.scene.x.tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]
    assert shown.scene.tokens == ("The", "cat", "sat", "x1")
    assert shown.scene.w_q.shape == (3, 4)
    assert shown.steps == ["Paste into X"]
    shown.document.undo()
    assert shown.scene is start


def test_no_means_no(qtbot: QtBot) -> None:
    shown = show(qtbot, "x")
    start = shown.scene
    assert len(paste(shown, "1\t2\t3")) == 1
    assert shown.scene is start and shown.steps == []


@pytest.mark.parametrize(
    ("name", "text", "shape", "sizes"),
    [
        ("w_q", "1 2 3 4 5", (2, 6), "d_k 2 → 3"),
        ("w_k", "1\n2\n3", (3, 4), "d_model 2 → 3"),
        ("w_v", "1 2 3 4 5", (2, 6), "d_v 2 → 3, d_out 4 → 6"),
        ("w_o", "1 2 3 4\n" * 5, (6, 4), "d_v 2 → 3, d_out 3 → 4"),
        ("b_q", "1 2 3 4 5", (1, 6), "d_k 2 → 3"),
    ],
)
def test_each_matrix_grows_by_its_own_sizes(
    qtbot: QtBot, name: str, text: str, shape: tuple[int, int], sizes: str
) -> None:
    start = scene(b_q=np.ones(4), **({"w_o": np.eye(4, 3)} if name == "w_o" else {}))
    shown = show(qtbot, name, start)
    (question,) = paste(shown, text, grow=True)
    assert f"({sizes}; all else follows.)" in question
    values = shown.scene.matrix(name)
    assert values is not None and values.shape == shape
    assert values[0, 0] == 1
    shown.document.undo()
    assert shown.scene is start


def test_labels_in_a_pasted_table_name_the_tokens(qtbot: QtBot) -> None:
    shown = show(qtbot, "x")
    paste(shown, "A\t1\t2\nB\t3\t4", 1, 0)
    assert shown.scene.tokens == ("The", "A", "B")
    assert shown.scene.x.tolist() == [[1, 2], [1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("w_q", "1\tabc", "Row 1, column 2 holds 'abc': 'abc' at character 1 is not a number."),
        ("w_q", "", "There is no table in this text: it is empty."),
        ("w_q", "[[1 2 ... 3]]", "This printout is shortened with '...'"),
        ("b_q", "1\n2", "b_q is one row; 2 rows do not fit in."),
        ("w_q", "1\t" * 999_999 + "1", "W_q would be 1 × 1,000,000; a grid grows to 4,096 at most."),
        ("w_q", "1\t" * 9_999_999 + "1", "The table has more than 1,000,000 numbers"),
    ],
)
def test_what_cannot_be_pasted_is_said_beside_the_grid(
    qtbot: QtBot, name: str, text: str, sentence: str
) -> None:
    shown = show(qtbot, name, scene(b_q=np.ones(4)))
    start = shown.scene
    with qtbot.waitSignal(shown.grid.problem) as said:
        assert paste(shown, text, grow=True) == []
    assert said.args[0].startswith(sentence)
    assert shown.grid.bubble.isVisible() and shown.grid.bubble.text() == said.args[0]
    assert shown.scene is start and shown.steps == []


def test_a_grid_that_is_larger_than_one_grows_to_takes_what_fits_in(qtbot: QtBot) -> None:
    shown = show(qtbot, "x", scene(x=np.zeros((5000, 2)), tokens=()))
    assert paste(shown, "1\t2\n3\t4", 4997) == []
    assert shown.scene.x[4996:].tolist() == [[0, 0], [1, 2], [3, 4], [0, 0]]
    with qtbot.waitSignal(shown.grid.problem) as said:
        paste(shown, "1\t2\n3\t4", 4999, grow=True)
    assert said.args[0].startswith("X would be 5,001 × 2; a grid grows to 4,096 at most.")


@pytest.mark.parametrize("rows", [1024, 1100])
def test_minus_zero_is_cleared_of_few_cells_and_of_many(qtbot: QtBot, rows: int) -> None:
    shown = show(qtbot, "x", scene(x=np.full((1100, 2), -0.0), tokens=()))
    shown.grid.commands.clear(Block(0, 0, rows - 1, 0))
    assert np.signbit(shown.scene.x).sum(axis=0).tolist() == [1100 - rows, 1100]


# ---- tokens ----


@pytest.fixture
def tokens(qtbot: QtBot) -> Shown:
    return show(qtbot, "x")


def trigger(shown: Shown, text: str) -> None:
    """Choose an entry of the context menu."""
    shown.grid.menu.build()
    next(a for a in shown.grid.menu.actions() if a.text().split("\t")[0] == text).trigger()


def test_insert_above_and_below(tokens: Shown) -> None:
    tokens.click(1, 0)
    trigger(tokens, "Insert token above")
    assert tokens.scene.tokens == ("The", "x1", "cat", "sat")
    trigger(tokens, "Insert token below")
    assert tokens.scene.tokens == ("The", "x1", "x2", "cat", "sat")
    assert tokens.scene.x.tolist() == [[1, 2], [0, 0], [0, 0], [3, 4], [5, 6]]
    assert tokens.steps == ["Insert token 2", "Insert token 3"]


def test_delete(tokens: Shown) -> None:
    tokens.click(0, 0)
    tokens.grid.select_block(Block(0, 0, 1, 0))
    trigger(tokens, "Delete tokens")
    assert tokens.scene.tokens == ("sat",)
    assert tokens.current == (0, 0)
    tokens.grid.menu.build()
    delete = next(a for a in tokens.grid.menu.actions() if a.text() == "Delete token")
    assert not delete.isEnabled()  # the last one


def test_move_by_keys_takes_the_selection_along(tokens: Shown) -> None:
    tokens.click(2, 1)
    tokens.press(Key.Key_Up, ALT | SHIFT)
    assert tokens.scene.tokens == ("The", "sat", "cat")
    assert tokens.current == (1, 1)
    tokens.press(Key.Key_Up, ALT | SHIFT)
    tokens.press(Key.Key_Up, ALT | SHIFT)  # no further
    assert tokens.scene.tokens == ("sat", "The", "cat")
    tokens.press(Key.Key_Down, ALT | SHIFT)
    assert tokens.scene.tokens == ("The", "sat", "cat")
    assert tokens.scene.x.tolist() == [[1, 2], [5, 6], [3, 4]]


def test_a_dragged_label_moves_the_token(tokens: Shown) -> None:
    header = tokens.grid.labels
    view, qtbot = header.viewport(), tokens.qtbot
    from_, to = tokens.at(0, 0), tokens.at(2, 0)
    for point in (from_, to):
        point.setX(5)
    qtbot.mousePress(view, LEFT, pos=from_)
    to.setY(to.y() + 8)
    qtbot.mouseMove(view, to)
    assert header.drop_row == 3
    qtbot.mouseRelease(view, LEFT, pos=to)
    assert tokens.scene.tokens == ("cat", "sat", "The")
    assert tokens.scene.x.tolist() == [[3, 4], [5, 6], [1, 2]]
    assert tokens.steps == ["Move token 1"]
    assert header.drop_row is None
    block = tokens.grid.block()
    assert block == Block(2, 0, 2, 1)


@pytest.mark.parametrize(("row", "gap"), [(0, 5), (4, 0)])
def test_a_drag_ends_where_undo_takes_its_rows(row: int, gap: int, tokens: Shown) -> None:
    start = tokens.scene
    tokens.document.edit(insert_tokens(start, 3, 2), "Insert tokens")
    header = tokens.grid.labels
    points = [tokens.at(row, 0), tokens.at(4 - row, 0)]
    for point, inner in zip(points, (0, 8 if row == 0 else -8), strict=True):
        point.setX(5)
        point.setY(point.y() + inner)
    tokens.qtbot.mousePress(header.viewport(), LEFT, pos=points[0])
    tokens.qtbot.mouseMove(header.viewport(), points[1])
    assert header.drop_row == gap
    tokens.document.undo()
    assert header.drop_row is None
    tokens.qtbot.mouseMove(header.viewport(), tokens.at(1, 0))
    tokens.qtbot.mouseRelease(header.viewport(), LEFT, pos=tokens.at(1, 0))
    assert tokens.scene is start


def rename(shown: Shown, row: int) -> QLineEdit:
    header = shown.grid.labels
    at = shown.at(row, 0)
    at.setX(5)
    shown.qtbot.mouseDClick(header.viewport(), LEFT, pos=at)
    editor = header.findChild(QLineEdit, "label_editor")
    assert editor is not None and editor.hasFocus()
    return editor


def test_rename_by_double_click(tokens: Shown) -> None:
    editor = rename(tokens, 1)
    assert editor.text() == "cat"
    tokens.type("dog")
    tokens.press(Key.Key_Return)
    assert tokens.scene.tokens == ("The", "dog", "sat")
    assert tokens.steps == ["Rename token 2"]
    assert tokens.grid.model().headerData(1, Qt.Orientation.Vertical) == "dog"


def test_rename_can_be_left(tokens: Shown) -> None:
    start = tokens.scene
    rename(tokens, 1)
    tokens.type("dog")
    tokens.press(Key.Key_Escape)
    assert tokens.scene is start


def test_labels_of_weights_are_not_renamed_nor_dragged(shown: Shown) -> None:
    start = shown.scene
    shown.grid.rename_token(0)
    assert shown.grid.labels.findChild(QLineEdit) is None
    view, at, to = shown.grid.labels.viewport(), shown.at(0, 0), shown.at(1, 0)
    at.setX(3)
    to.setX(3)
    shown.qtbot.mousePress(view, LEFT, pos=at)
    shown.qtbot.mouseMove(view, to)
    shown.qtbot.mouseRelease(view, LEFT, pos=to)
    assert shown.scene is start


# ---- sizes ----


@pytest.mark.parametrize(
    ("name", "entry", "shapes"),
    [
        ("x", "Grow d_model to 3", {"x": (3, 3), "w_q": (3, 4), "w_v": (3, 4)}),
        ("x", "Shrink d_model to 1", {"x": (3, 1), "w_k": (1, 4)}),
        ("w_q", "Grow d_k to 3", {"w_q": (2, 6), "w_k": (2, 6), "w_v": (2, 4)}),
        ("w_k", "Shrink d_k to 1", {"w_q": (2, 2), "w_k": (2, 2)}),
        ("w_v", "Grow d_v to 3", {"w_v": (2, 6)}),
        ("w_q", "Grow d_model to 3", {"x": (3, 3), "w_q": (3, 4)}),
    ],
)
def test_sizes_from_the_menu(qtbot: QtBot, name: str, entry: str, shapes: dict[str, tuple[int, int]]) -> None:
    shown = show(qtbot, name)
    start = shown.scene
    shown.click(0, 0)
    trigger(shown, entry)
    assert {key: getattr(shown.scene, key).shape for key in shapes} == shapes
    assert len(shown.steps) == 1
    shown.document.undo()
    assert shown.scene is start


def test_copying_that_nobody_waits_for_leaves_everything_as_it_is(shown: Shown) -> None:
    def cancelled(_text: str, _task: object) -> object:
        raise CancelledError

    QGuiApplication.clipboard().setText("1")
    scene = shown.document.scene
    shown.grid.commands.beside = cancelled
    shown.grid.selectAll()
    shown.grid.cut()
    shown.grid.paste()
    assert QGuiApplication.clipboard().text() == "1" and shown.document.scene is scene
