"""Tables from files, drops and other programs' clipboards; each one undo step."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer.attention import attend
from explorer.files.arrays import ArrayFile, View, load
from explorer.scene import Scene
from explorer.ui.boxes import StepBox
from explorer.ui.imports.choice import Choice, LayerChoice, TableChoice
from explorer.ui.imports.chooser import Chooser
from tests.ui.grid_helpers import CTRL, Key, Shown, scene, show

W_Q = [[9.0, 8.0, 7.0, 6.0], [5.0, 4.0, 3.0, 2.0]]


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return show(qtbot)


def never(*_: Any) -> Any:
    raise AssertionError("nothing was to be asked")


def answer(
    shown: Shown, grow: bool | None = None, choose: Callable[[ArrayFile], Choice | None] = never
) -> list[str]:
    """Answers every question; None: there must be none. Returns what was asked."""
    asked: list[str] = []
    shown.grid.commands.confirm_growth = lambda question: (
        never() if grow is None else bool(asked.append(question)) or grow
    )
    shown.grid.importer.choose = choose
    return asked


def menu(shown: Shown, path: Path) -> None:
    """Import by the grid's menu."""
    shown.grid.importer.ask_file = lambda: path
    shown.grid.menu.build()
    next(a for a in shown.grid.menu.actions() if a.text() == "Import table…").trigger()


def offer(*files: Path, text: str = "", html: str = "") -> QMimeData:
    mime = QMimeData()
    if files:
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    if text:
        mime.setText(text)
    if html:
        mime.setHtml(html)
    return mime


def drop(shown: Shown, mime: QMimeData, row: int = 0, col: int = 0) -> bool:
    """As a mouse would, over a cell; whether it was taken."""
    section = shown.section
    at = shown.grid.viewport().mapTo(section, shown.at(row, col)) if shown.grid.isVisible() else QPoint(9, 9)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(at, copy | Qt.DropAction.MoveAction, mime, left, none)
    QApplication.sendEvent(section, enter)
    if not enter.isAccepted():
        return False
    event = QDropEvent(QPointF(at), copy | Qt.DropAction.MoveAction, mime, left, none)
    QApplication.sendEvent(section, event)
    assert event.dropAction() == copy
    return event.isAccepted()


# ---- one table ----


@pytest.mark.parametrize(
    "form", ["csv", "decimal commas", "npy", "npz", "safetensors", "pt", "html", "printout"]
)
@pytest.mark.parametrize("way", ["menu", "drop", "paste"])
def test_every_form_by_every_way(shown: Shown, tmp_path: Path, form: str, way: str) -> None:
    array = np.array(W_Q)
    path = tmp_path / {"csv": "a.csv", "decimal commas": "a.tsv", "printout": "a.txt"}.get(form, f"a.{form}")
    if form == "csv":
        path.write_text("a,b,c,d\n9,8,7,6\n5,4,3,2", encoding="utf-8-sig")
    elif form == "decimal commas":
        path.write_text("9,0\t8,0\t7\t6\n5,0\t4\t3\t2")
    elif form == "html":
        path.write_text("<table><tr><td>9<td>8<td>7<td>6<tr><td>5<td>4<td>3<td>2</table>")
    elif form == "printout":
        path.write_text(repr(torch.tensor(array)))
    elif form == "npy":
        np.save(path, array)
    elif form == "npz":
        np.savez(path, w=array)
    elif form == "safetensors":
        from safetensors.numpy import save_file

        save_file({"w": array}, path)
    else:
        torch.save(torch.tensor(array), path)
    answer(shown)
    start = shown.scene
    shown.click(0, 0)
    if way == "menu":
        menu(shown, path)
    elif way == "drop":
        assert drop(shown, offer(path))
    else:
        QGuiApplication.clipboard().setMimeData(offer(path))
        shown.press(Key.Key_V, CTRL)
    assert shown.scene.w_q.tolist() == W_Q
    assert shown.steps == [f"Import {path.name} into W_q"]
    shown.document.undo()
    assert shown.scene is start


def test_another_size_is_asked_about_and_all_else_follows(qtbot: QtBot, tmp_path: Path) -> None:
    shown = show(qtbot, "x")
    (tmp_path / "a.csv").write_text('"a, b";1,5;2;3\n"say ""hi""";4;5;6\n')
    start = shown.scene
    assert answer(shown, grow=False) == []
    asked = answer(shown, grow=False)
    menu(shown, tmp_path / "a.csv")
    assert asked == ["The table is 2 × 3. Give X that size? (n 3 → 2, d_model 2 → 3; all else follows.)"]
    assert shown.scene is start
    answer(shown, grow=True)
    menu(shown, tmp_path / "a.csv")
    assert shown.scene.x.tolist() == [[1.5, 2, 3], [4, 5, 6]]
    assert shown.scene.tokens == ("a, b", 'say "hi"')
    assert shown.scene.w_q.shape == (3, 4)
    shown.document.undo()
    assert shown.scene is start


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v", "w_o", "b_q", "b_o", "x", "context"])
@pytest.mark.parametrize("by", [1, 2, 3])
def test_any_grid_takes_larger_and_smaller_tables(qtbot: QtBot, tmp_path: Path, name: str, by: int) -> None:
    rng = np.random.default_rng(0)
    start = scene(w_o=np.eye(4), b_q=np.ones(4), b_o=np.ones(4), context=np.ones((3, 2)))
    shown = show(qtbot, name, start)
    rows = 1 if name.startswith("b_") else 2 * by
    array = rng.normal(size=(rows, 2 * by))
    np.save(tmp_path / "a.npy", array)
    answer(shown, grow=True, choose=lambda file: TableChoice(file.entries[0], View()))
    menu(shown, tmp_path / "a.npy")
    assert shown.scene.matrix(name).tolist() == array.tolist()
    assert len(shown.steps) == (0 if start.matrix(name) is shown.scene.matrix(name) else 1)


@pytest.mark.parametrize(
    ("name", "shape", "sentence"),
    [
        ("w_q", (2, 3), "W_q would have 3 columns, which 2 heads cannot share evenly."),
        ("w_o", (3, 2), "W_o would have 3 rows, which 2 heads cannot share evenly."),
        ("b_q", (2, 2), "b_q is one row; 2 rows do not fit in."),
        ("x", (1, 5000), "X would be 1 × 5,000; a grid grows to 4,096 at most."),
        ("w_q", (0, 3), "a.npy: it holds no numbers."),
    ],
)
def test_what_cannot_be_is_said(
    qtbot: QtBot, tmp_path: Path, name: str, shape: tuple[int, int], sentence: str
) -> None:
    shown = show(qtbot, name, scene(w_o=np.eye(4), b_q=np.ones(4)))
    np.save(tmp_path / "a.npy", np.ones(shape))
    answer(shown, grow=True, choose=lambda file: TableChoice(file.entries[0], View()))
    start = shown.scene
    with qtbot.waitSignal(shown.grid.problem) as said:
        menu(shown, tmp_path / "a.npy")
    assert said.args == [sentence] and shown.grid.bubble.text() == sentence
    assert shown.scene is start and shown.steps == []


def test_a_file_that_cannot_be_used_is_named(shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x01\x00")
    (tmp_path / "b.csv").write_text("1,2\n3,x")
    answer(shown)
    for name, sentence in (
        ("a.npy", "a.npy: it has a header that cannot be read."),
        ("b.csv", "b.csv: Row 2, column 2 holds 'x': 'x' at character 1 is not a number."),
        ("none.csv", "none.csv: it cannot be read: there is no such file or folder."),
        ("none.npy", "none.npy: it cannot be read: there is no such file or folder."),
    ):
        with shown.qtbot.waitSignal(shown.grid.problem) as said:
            menu(shown, tmp_path / name)
        assert said.args == [sentence]
    assert shown.steps == []


# ---- text ----


def test_dropped_text_goes_where_it_is_dropped(shown: Shown) -> None:
    answer(shown)
    assert drop(shown, offer(text="-1\t-2"), 1, 2)
    assert shown.scene.w_q.tolist() == [[1, 2, 3, 4], [5, 6, -1, -2]]
    assert shown.current == (1, 2)


def test_html_is_taken_where_the_plain_text_is_no_table(shown: Shown) -> None:
    answer(shown)
    html = "<p>See:<table><tr><td>-1<td>-2</table>"
    shown.click(0, 0)
    QGuiApplication.clipboard().setMimeData(offer(text="See the table, please", html=html))
    shown.press(Key.Key_V, CTRL)
    assert shown.scene.w_q[0].tolist() == [-1, -2, 3, 4]
    QGuiApplication.clipboard().setMimeData(offer(text="-3\t-4", html=html))
    shown.press(Key.Key_V, CTRL)
    assert shown.scene.w_q[0].tolist() == [-3, -4, 3, 4]
    QGuiApplication.clipboard().setMimeData(offer(html=html))
    shown.press(Key.Key_V, CTRL)
    assert shown.scene.w_q[0].tolist() == [-1, -2, 3, 4]


def test_of_several_files_none_is_taken_for_the_one_that_was_meant(shown: Shown, tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("1,2\n3,4\n")
    with shown.qtbot.waitSignal(shown.grid.problem) as said:
        assert drop(shown, offer(tmp_path / "a.csv", tmp_path / "b.csv"))
    assert said.args == ["These are 2 files, and W_q takes one."]
    assert shown.steps == []


def test_a_session_and_a_link_are_not_for_a_grid(shown: Shown, tmp_path: Path) -> None:
    assert not drop(shown, offer(tmp_path / "a.attn.json"))
    assert not drop(shown, QMimeData())
    assert shown.steps == []


def test_a_frame_shows_where_it_would_go(shown: Shown, tmp_path: Path) -> None:
    section, frame = shown.section, shown.section._drop._frame
    none = Qt.KeyboardModifier.NoModifier
    mime = offer(text="1")
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none)
    QApplication.sendEvent(section, enter)
    assert frame.isVisible() and frame.geometry() == shown.grid.geometry()
    assert not frame.grab().isNull()
    QApplication.sendEvent(section, QDragLeaveEvent())
    assert not frame.isVisible()


@pytest.mark.parametrize("name", ["context", "w_o", "b_q"])
def test_a_file_dropped_where_a_matrix_is_not_set_sets_it(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    shown = show(qtbot, name, scene())
    array = np.array([[1.0, 2.0]] * 4 if name != "b_q" else [[1.0, 2.0, 3.0, 4.0]])
    np.save(tmp_path / "a.npy", array)
    answer(shown, grow=True, choose=lambda file: TableChoice(file.entries[0], View()))
    assert not shown.grid.isVisible()
    assert not drop(shown, offer(text="1 2"))  # there are no cells for it
    assert drop(shown, offer(tmp_path / "a.npy"))
    assert shown.scene.matrix(name).tolist() == array.tolist() and len(shown.steps) == 1
    shown.document.undo()
    np.save(tmp_path / "a.npy", np.ones((5, 5, 5)))
    answer(shown, choose=lambda file: TableChoice(file.entries[0], View()))
    if name == "b_q":
        assert drop(shown, offer(tmp_path / "a.npy"))
        bubbles = [b for b in shown.grid.window().findChildren(QLabel, "bubble") if b.isVisible()]
        assert [bubble.text() for bubble in bubbles] == [
            "b_q would have 5 columns, which 2 heads cannot share evenly."
        ]


# ---- several tensors ----


def several(path: Path) -> ArrayFile:
    np.savez(
        path, first=np.arange(6.0).reshape(2, 3), linear=np.arange(8.0).reshape(4, 2),
        deep=np.arange(24.0).reshape(2, 3, 4), row=np.arange(4.0), words=np.array(["a"]), none=np.zeros((0, 2)),
    )  # fmt: skip
    return load(path)


@pytest.fixture
def chooser(qtbot: QtBot, tmp_path: Path) -> Chooser:
    dialog = Chooser(several(tmp_path / "a.npz"), "W_q", (2, 4), 2)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def pick(chooser: Chooser, name: str) -> None:
    (item,) = chooser.list.findItems(name, Qt.MatchFlag.MatchExactly, 0)
    chooser.list.setCurrentItem(item)


def text(chooser: Chooser, row: int, col: int) -> str:
    model = chooser.preview.model()
    return str(model.data(model.index(row, col)))


def test_names_shapes_and_a_preview(chooser: Chooser) -> None:
    rows = [chooser.list.topLevelItem(i) for i in range(chooser.list.topLevelItemCount())]
    assert [(row.text(0), row.text(1)) for row in rows] == [
        ("first", "2 × 3"), ("linear", "4 × 2"), ("deep", "2 × 3 × 4"), ("row", "4"), ("words", "1"), ("none", "0 × 2"),
    ]  # fmt: skip
    assert chooser.preview.values.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert text(chooser, 1, 2) == "5"
    assert chooser.told.text() == "2 × 3; W_q is 2 × 4 and would change."
    assert chooser.choice() == TableChoice(chooser._file.entries[0], View(transposed=False))


def test_transpose(chooser: Chooser) -> None:
    chooser.transposed.click()
    assert chooser.preview.values.tolist() == [[0, 3], [1, 4], [2, 5]]
    choice = chooser.choice()
    assert isinstance(choice, TableChoice) and choice.view.transposed
    pick(chooser, "linear")  # a torch Linear's weight is [out, in]: turned at once, as it fits then
    assert chooser.transposed.isChecked() and chooser.told.text() == "2 × 4, as W_q is."
    pick(chooser, "row")
    assert not chooser.transposed.isChecked() and chooser.preview.values.shape == (1, 4)


def test_slices_of_three_axes(chooser: Chooser) -> None:
    pick(chooser, "deep")
    deep = np.arange(24.0).reshape(2, 3, 4)
    assert [chooser.axes.itemText(i) for i in range(3)] == [
        "axes 2 and 3: 3 × 4", "axes 1 and 3: 2 × 4", "axes 1 and 2: 2 × 3",
    ]  # fmt: skip
    box = chooser.findChild(StepBox, "axis_1")
    box.setValue(2)
    assert chooser.preview.values.tolist() == deep[1].tolist()
    chooser.axes.setCurrentIndex(1)
    chooser.findChild(StepBox, "axis_2").setValue(3)
    assert chooser.preview.values.tolist() == deep[:, 2].tolist()
    choice = chooser.choice()
    assert isinstance(choice, TableChoice) and choice.view.of(deep).tolist() == deep[:, 2].tolist()
    pick(chooser, "first")
    assert not chooser.axes.isVisible()


def test_what_cannot_be_read_is_said_there(chooser: Chooser) -> None:
    pick(chooser, "words")
    assert chooser.told.text() == 'a.npz: its tensor "words" has the type <U1, which is not read.'
    assert chooser.choice() is None and not chooser._import.isEnabled() and not chooser.preview.isVisible()
    pick(chooser, "none")
    assert chooser.told.text() == "a.npz: it holds no numbers." and chooser.choice() is None
    pick(chooser, "first")
    assert chooser._import.isEnabled() and chooser.preview.isVisible()


def test_a_large_table_shows_its_corner(qtbot: QtBot, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", a=np.arange(40_000.0).reshape(200, 200), b=np.eye(2))
    dialog = Chooser(load(tmp_path / "a.npz"), "W_q", None, 1)
    qtbot.addWidget(dialog)
    model = dialog.preview.model()
    assert (model.rowCount(), model.columnCount()) == (12, 6)
    assert text(dialog, 1, 1) == "201" and text(dialog, 11, 0) == text(dialog, 0, 5) == "…"
    assert model.headerData(11, Qt.Orientation.Vertical) == "200"


def test_the_choice_is_imported_in_one_step(shown: Shown, tmp_path: Path) -> None:
    several(tmp_path / "a.npz")
    answer(shown, grow=True, choose=lambda file: TableChoice(file.entries[1], View(transposed=True)))
    menu(shown, tmp_path / "a.npz")
    assert shown.scene.w_q.tolist() == [[0, 2, 4, 6], [1, 3, 5, 7]]
    assert shown.steps == ["Import a.npz into W_q"]
    answer(shown, choose=lambda file: None)
    menu(shown, tmp_path / "a.npz")
    assert len(shown.steps) == 1


def test_a_single_linear_weight_is_asked_about_and_turned(shown: Shown, tmp_path: Path, qtbot: QtBot) -> None:
    torch.save(torch.nn.Linear(2, 4, bias=False).weight.detach(), tmp_path / "a.pt")

    def choose(file: ArrayFile) -> Choice | None:
        dialog = Chooser(file, "W_q", (2, 4), 2)
        qtbot.addWidget(dialog)
        return dialog.choice()

    answer(shown, choose=choose)
    menu(shown, tmp_path / "a.pt")
    assert shown.scene.w_q.shape == (2, 4) and len(shown.steps) == 1


# ---- a whole layer ----


@pytest.fixture
def layer(tmp_path: Path) -> Path:
    torch.save(torch.nn.MultiheadAttention(6, 3).double().state_dict(), tmp_path / "mha.pt")
    return tmp_path / "mha.pt"


def test_the_chooser_asks_for_the_heads(qtbot: QtBot, layer: Path) -> None:
    dialog = Chooser(load(layer), "W_q", (2, 4), 2)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.list.topLevelItem(0).text(0) == "All matrices: MultiheadAttention"
    assert dialog.heads.isVisible() and dialog.heads.value() == 2 and not dialog.transposed.isVisible()
    assert "6 wide, 2 heads of 3. The file does not say how many heads there are." in dialog.told.text()
    dialog.heads.stepUp()
    choice = dialog.choice()
    assert isinstance(choice, LayerChoice) and choice.heads == 3
    dialog.heads.setValue(4)
    assert dialog.told.text() == "4 heads do not divide 6 evenly." and dialog.choice() is None
    pick(dialog, "in_proj_weight")
    assert not dialog.heads.isVisible() and dialog.preview.values.shape == (18, 6)


def test_a_whole_layer_fills_all_matrices_in_one_step(shown: Shown, layer: Path) -> None:
    from explorer.checkpoints.attention_layer import layers

    answer(shown, choose=lambda file: LayerChoice(layers(file)[0], 3))
    start = shown.scene
    assert drop(shown, offer(layer))
    filled: Scene = shown.scene
    assert shown.steps == ["Fill all matrices from mha.pt"]
    assert (filled.heads, filled.d_model, filled.d_k) == (3, 6, 2)
    module = torch.nn.MultiheadAttention(6, 3, batch_first=True).double()
    module.load_state_dict(torch.load(layer, weights_only=True))
    x = torch.tensor(np.array(filled.x))[None]
    np.testing.assert_allclose(attend(filled).output, module(x, x, x)[0][0].detach().numpy(), atol=1e-12)
    shown.document.undo()
    assert shown.scene is start


# ---- sessions ----


def test_a_session_dropped_on_the_window_opens(open_it: Callable[..., Any], tmp_path: Path) -> None:
    from explorer.ui.actions import first_scene

    path = tmp_path / "mine.attn.json"
    path.write_bytes(first_scene().read_bytes().replace(b"[1, 1]", b"[7, 1]"))
    window = open_it()
    for mime, taken in ((offer(path), True), (offer(tmp_path / "a.csv"), False), (offer(text="1 2"), False)):
        enter = QDragEnterEvent(
            QPoint(9, 9),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        enter.ignore()
        QApplication.sendEvent(window, enter)
        assert enter.isAccepted() is taken
    said: list[str] = []
    window.files.said.connect(said.append)

    def drop_here(mime: QMimeData) -> None:
        copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), copy, mime, left, none))
        QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), copy, mime, left, none))

    drop_here(offer(path))
    assert window.document.path == path and window.document.scene.x[0, 0] == 7
    assert said == []
    drop_here(offer(path, tmp_path / "other.attn.json"))
    assert window.document.path == path
    assert said == ["mine.attn.json was opened, the first of 2: a window shows one session."]
