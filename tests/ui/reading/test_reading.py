"""Reading a layer by gestures: sort, enlarge, isolate, filter, choose a line, go from layer to layer."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QApplication, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from safetensors.numpy import save_file

from explorer import resources
from explorer.attention import attend
from explorer.attention.masks import Causal
from explorer.attention.trace import Cell
from explorer.capture import capture
from explorer.capture.importing import layer_of
from explorer.checkpoints import Model as Checkpoint
from explorer.files.session import load, save
from explorer.scene import Scene
from explorer.ui.files import Answer
from explorer.ui.main_window import MainWindow
from explorer.ui.reading.layer_folder import LayerFolder
from explorer.ui.reading.lines import Word
from explorer.ui.reading.model import Heads, is_too_large
from explorer.ui.reading.page import ReadingPage
from explorer.ui.reading.settings import OVERVIEW
from explorer.ui.reading.tiles import Key
from tests.attention.large_scenes import scene_of
from tests.capture.models import Attention, Model, randomised
from tests.capture.torchrun import torchrun

Opener = Callable[..., MainWindow]
LEFT = Qt.MouseButton.LeftButton
TOKENS = ("[CLS]", "un", "##seen", "مرحبا", "猫")


def layer(first: int = 0) -> Scene:
    """Five tokens, three heads: one looks at the first token, the next at the previous one, the last everywhere."""
    x, nothing = np.eye(5), np.zeros((5, 5))
    queries = [np.ones((5, 5)), np.eye(5)[[0, 0, 1, 2, 3]], nothing]
    keys = [
        20 * np.eye(5)[:, [0]] * np.ones((1, 5)),
        20 * np.eye(5),
        nothing,
    ]  # of the first token alone; of each its own
    order = [(h - first) % 3 for h in range(3)]
    w_q = np.hstack([queries[k] for k in order])
    w_k = np.hstack([keys[k] for k in order])
    w_v = np.hstack([np.eye(5)] * 3)
    return Scene(x=x, w_q=w_q, w_k=w_k, w_v=w_v, heads=3, tokens=TOKENS, title="three heads")


@pytest.fixture
def three(open_it: Opener, tmp_path: Path) -> MainWindow:
    path = tmp_path / "three.attn.json"
    save(layer(), path)
    return open_it(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "layers"
    inside.mkdir()
    for number in range(3):
        save(layer(number), inside / f"layer.{number}.attention.call1.item1.attn.json")
    return inside


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert action is not None
    action.trigger()


def all_layers(qtbot: QtBot, window: MainWindow, folder: Path) -> ReadingPage:
    """Open a folder with File > Open a folder of layers; its page, once that is there."""
    window.reading.ask_folder = lambda: folder
    trigger(window, "open_folder")
    qtbot.waitUntil(lambda: window.reading.view == OVERVIEW)
    assert window.reading.page is not None
    return window.reading.page


def child(window: MainWindow, kind: type, name: str) -> object:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def move(widget: QWidget, point: QPointF) -> None:
    event = QMouseEvent(
        QEvent.Type.MouseMove, point, widget.mapToGlobal(point), Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


def sort_by(window: MainWindow, kind: str) -> None:
    box = window.reading.page.bar.sort
    box.setCurrentIndex(box.findData(kind))
    box.activated.emit(box.currentIndex())


def heads(window: MainWindow) -> list[int]:
    return [tile.key.head for tile in window.reading.page.overview.tiles]


# ---- the overview ----


def test_all_heads_take_the_place_of_the_panels_and_give_it_back(qtbot: QtBot, three: MainWindow) -> None:
    assert three.reading.view == ""
    trigger(three, "read_heads")
    page = three.reading.page
    assert page.isVisible() and not three.pipeline.isVisible()
    for tile in page.overview.tiles:
        assert (tile.values == three.engine.trace.weights[tile.key.head]).all()
    qtbot.keyClick(page.overview, Qt.Key.Key_Escape)
    assert three.pipeline.isVisible() and not page.isVisible()


def test_heads_are_sorted_by_what_they_do(three: MainWindow) -> None:
    trigger(three, "read_heads")
    assert heads(three) == [0, 1, 2]
    sort_by(three, "first")
    assert heads(three)[0] == 0
    sort_by(three, "previous")
    assert heads(three) == [1, 0, 2]  # a quarter, then a fifth
    sort_by(three, "entropy")
    assert heads(three)[2] == 2  # the one that looks everywhere


def test_a_sink_is_pointed_out(three: MainWindow) -> None:
    trigger(three, "read_heads")
    overview = three.reading.page.overview
    notes = [overview.note(overview.tile(Key(None, head))) for head in range(3)]
    assert notes[0].startswith("sink: ") and "[CLS]" in notes[0]
    assert notes[1:] == ["", ""]


def test_a_click_enlarges_and_escape_goes_back(qtbot: QtBot, three: MainWindow) -> None:
    trigger(three, "read_heads")
    page = three.reading.page
    qtbot.mouseClick(page.overview, LEFT, pos=page.overview.picture_rect(Key(None, 1)).center())
    assert page.view == "words"
    assert page.words.head == 1
    assert page.words.lines.pairs.heads == (1,)
    qtbot.keyClick(page.words.lines, Qt.Key.Key_Escape)
    assert page.view == "overview"
    assert not three.document.modified


def test_by_keyboard(qtbot: QtBot, three: MainWindow) -> None:
    trigger(three, "read_heads")
    overview = three.reading.page.overview
    qtbot.keyClick(overview, Qt.Key.Key_Right)
    assert "head 2" in overview.accessibleDescription()
    qtbot.keyClick(overview, Qt.Key.Key_Return)
    assert three.reading.page.words.head == 1


def test_the_enlarged_head_leads_to_all_its_stages(qtbot: QtBot, three: MainWindow) -> None:
    trigger(three, "read_heads")
    three.reading.page.show_head(2)
    qtbot.mouseClick(three.reading.page.words.panels, LEFT)
    assert three.pipeline.only == 2
    assert three.pipeline.isVisible()


def test_only_heads_that_changed_are_drawn_anew(three: MainWindow) -> None:
    trigger(three, "read_heads")
    before = three.reading.page.overview.tiles
    three.document.edit(three.document.scene.with_cell("w_q", 1, 7, 2.0), "head 2 alone")
    after = three.reading.page.overview.tiles
    assert [a is b for a, b in zip(before, after, strict=True)] == [True, False, True]


def test_filters_leave_out_and_are_undone(qtbot: QtBot, three: MainWindow) -> None:
    trigger(three, "read_heads")
    overview = three.reading.page.overview
    top = child(three, QSpinBox, "heads_top")
    top.setValue(1)
    assert (~overview.tile(Key(None, 2)).left_out).sum() == 5  # one key of each query
    child(three, QSpinBox, "heads_threshold").setValue(50)
    assert overview.tile(Key(None, 2)).left_out.all()
    three.document.undo()
    three.document.undo()
    assert overview.tile(Key(None, 2)).left_out is None
    assert (top.value(), three.document.modified) == (0, False)


def test_what_is_sent_stands_in_place_of_the_weights(qtbot: QtBot, three: MainWindow) -> None:
    three.document.edit(three.document.scene.with_cell("w_v", 0, 0, 3.0), "a long value")
    trigger(three, "read_heads")
    page = three.reading.page
    qtbot.mouseClick(page.bar.what.buttons["sent"], LEFT)
    tile = page.overview.tile(Key(None, 0))
    assert tile.values == pytest.approx(three.engine.trace.weights[0] * [3, 1, 1, 1, 1])
    page.open("words")
    assert page.words.lines.pairs.links.strengths.max() == pytest.approx(1)


# ---- words and lines ----


def words_of(window: MainWindow, *chosen: int) -> object:
    trigger(window, "read_words")
    window.reading.page.choose_heads(chosen)
    return window.reading.page.words.lines


def test_each_weight_is_a_line(three: MainWindow) -> None:
    lines = words_of(three, 1)
    expected = {(i, max(0, i - 1)) for i in range(5)}
    assert {(cell.row, cell.col) for cell in lines.cells_shown()} == expected


def test_hovering_over_a_word_leaves_its_lines_alone(three: MainWindow) -> None:
    lines = words_of(three, 1, 2)
    move(lines, QPointF(lines.word_rect(Word(True, 3)).center()))
    assert {cell.row for cell in lines.cells_shown()} == {3}
    move(lines, QPointF(lines.word_rect(Word(False, 2)).center()))
    assert {cell.col for cell in lines.cells_shown()} == {2}
    move(lines, QPointF(lines.width() / 2, lines.height() - 2))
    assert len({cell.row for cell in lines.cells_shown()}) == 5


def test_a_click_on_a_word_keeps_its_lines_alone(qtbot: QtBot, three: MainWindow) -> None:
    lines = words_of(three, 2)
    at = lines.word_rect(Word(True, 1)).center()
    qtbot.mouseClick(lines, LEFT, pos=at)
    QApplication.sendEvent(lines, QEvent(QEvent.Type.Leave))
    assert {cell.row for cell in lines.cells_shown()} == {1}
    qtbot.mouseClick(lines, LEFT, pos=at)
    assert len(lines.cells_shown()) == 25


def test_a_click_on_a_line_chooses_its_weight(qtbot: QtBot, three: MainWindow) -> None:
    lines = words_of(three, 1)
    cell = Cell("weights", 1, 4, 3)
    qtbot.mouseClick(lines, LEFT, pos=lines.line_middle(cell).toPoint())
    assert three.selection.cell == cell
    qtbot.waitUntil(lambda: three.inspector.explanation is not None)
    assert three.inspector.explanation.cell == cell
    assert "猫 → مرحبا" in lines.describe_at(lines.line_middle(cell).toPoint())


def test_the_heat_map_beside_goes_along(qtbot: QtBot, three: MainWindow) -> None:
    lines = words_of(three, 0, 1)
    words = three.reading.page.words
    assert words.head == 0
    three.selection.select(Cell("weights", 1, 2, 1))
    assert words.head == 1
    (heat,) = words.maps.maps.values()
    assert (heat.matrix() == three.engine.trace.weights[1]).all()
    qtbot.mouseClick(heat, LEFT, pos=heat.cell_rect(3, 2).center())
    assert three.selection.cell == Cell("weights", 1, 3, 2)
    assert lines.pairs.heads == (0, 1)


def test_heads_are_chosen_by_their_buttons(qtbot: QtBot, three: MainWindow) -> None:
    lines = words_of(three, 0)
    two = child(three, QToolButton, "reading_head_2")
    qtbot.mouseClick(two, LEFT)
    assert lines.pairs.heads == (0, 1)
    qtbot.mouseClick(child(three, QToolButton, "reading_all_heads"), LEFT)
    assert lines.pairs.heads == (0, 1, 2)
    qtbot.mouseDClick(two, LEFT)
    assert lines.pairs.heads == (1,)
    qtbot.mouseClick(two, LEFT)  # the last one stays
    assert lines.pairs.heads == (1,)
    assert two.isChecked()


def test_threshold_and_top_filter_the_lines(three: MainWindow) -> None:
    lines = words_of(three, 2)
    assert len(lines.cells_shown()) == 25
    child(three, QSpinBox, "heads_top").setValue(2)
    assert len(lines.cells_shown()) == 10
    child(three, QSpinBox, "heads_threshold").setValue(21)
    assert not lines.cells_shown()


def test_words_by_keyboard(qtbot: QtBot, three: MainWindow) -> None:
    lines = words_of(three, 1)
    lines.setFocus()
    for _step in range(2):
        qtbot.keyClick(lines, Qt.Key.Key_Down)
    assert {cell.row for cell in lines.cells_shown()} == {2}
    assert "“##seen”" in lines.accessibleDescription()
    qtbot.keyClick(lines, Qt.Key.Key_Return)
    assert three.selection.cell == Cell("weights", 1, 2, 1)
    qtbot.keyClick(lines, Qt.Key.Key_Right)
    assert {cell.col for cell in lines.cells_shown()} == {2}
    qtbot.keyClick(lines, Qt.Key.Key_Escape)
    assert len({cell.row for cell in lines.cells_shown()}) == 5


def test_words_are_read_as_they_are_written(three: MainWindow) -> None:
    lines = words_of(three, 0)
    assert lines.words(True) == ("[CLS]", "un", "‑seen", "مرحبا", "猫")
    assert lines.describe(Word(True, 2)) == "query 3 “##seen”"


def test_a_row_that_sees_nothing_and_covered_numbers_have_no_lines(three: MainWindow) -> None:
    lines = words_of(three, 2)
    three.covers.cover([Cell("weights", 2, 0, 0)])
    assert Cell("weights", 2, 0, 0) not in lines.cells_shown()
    assert len(lines.cells_shown()) == 24
    three.covers.reveal()
    three.document.edit(
        three.document.scene.replace(
            mask=(Causal(align="bottom_right"),), context=np.eye(5)[:2], context_tokens=()
        ),
        "n ≠ m, blind rows",
    )
    trace = three.engine.trace
    assert trace.blind.tolist() == [True, True, True, False, False]
    assert {(cell.row, cell.col) for cell in lines.cells_shown()} == {(3, 0), (4, 0), (4, 1)}
    assert "attends to nothing" in lines.describe(Word(True, 0))
    three.grab()
    three.reading.page.open("overview")
    three.grab()


def test_one_token_one_head(open_it: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "one.attn.json"
    one = np.ones((1, 1))
    save(Scene(x=one, w_q=one, w_k=one, w_v=one), path)
    window = open_it(path)
    trigger(window, "read_heads")
    sort_by(window, "entropy")
    window.grab()
    qtbot.mouseClick(window.reading.page.overview, LEFT, pos=QPoint(40, 60))
    assert window.reading.view == "words"
    assert window.reading.page.words.lines.cells_shown() == {Cell("weights", 0, 0, 0)}
    window.grab()


def test_long_texts_have_few_lines_of_each_query(open_it: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "long.attn.json"
    rng = np.random.default_rng(2)
    x = rng.normal(size=(300, 8))
    save(Scene(x=x, w_q=np.eye(8) * 4, w_k=np.eye(8), w_v=np.eye(8), heads=4), path)
    window = open_it(path)
    lines = words_of(window, 0)
    assert len(lines.pairs.links) <= 900
    assert "3 strongest" in window.reading.page.left_out.text()
    child(window, QSpinBox, "heads_top").setValue(0)
    assert "20,000" in window.reading.page.left_out.text()
    window.grab()


def test_what_is_too_much_is_said(three: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.ui.reading.model.MOST_NUMBERS", 10)
    trigger(three, "read_heads")
    assert "too much to draw" in three.reading.page.note.text()
    assert three.reading.page.note.isVisible()


def test_twelve_heads_of_1024_tokens_are_read() -> None:
    assert not is_too_large(scene_of(1024, heads=12, width=1))
    assert is_too_large(scene_of(1024, heads=17, width=1))


def test_a_lesson_speaks_of_the_panels(three: MainWindow) -> None:
    trigger(three, "read_heads")
    three.lessons.open("by-hand")
    assert three.pipeline.isVisible()


def test_walking_to_another_stage_shows_its_panel(three: MainWindow) -> None:
    words_of(three, 1)
    three.selection.select(Cell("weights", 1, 2, 1))
    three.inspector.walked.emit(Cell("masked", 1, 2, 1))
    assert three.pipeline.isVisible()


# ---- layers ----


def test_a_folder_of_layers_opens_with_all_heads(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    page = all_layers(qtbot, window, folder)
    qtbot.waitUntil(lambda: page.folder.complete and len(page.overview.tiles) == 9)
    assert window.document.path.name.startswith("layer.0.")
    assert [tile.key for tile in page.overview.tiles] == [Key(n, h) for n in range(3) for h in range(3)]
    sort_by(window, "first")
    best = [tile.key for tile in page.overview.tiles[:3]]
    assert sorted((key.layer, key.head) for key in best) == [(0, 0), (1, 1), (2, 2)]
    window.grab()
    qtbot.mouseClick(page.overview, LEFT, pos=page.overview.picture_rect(Key(1, 1)).center())
    qtbot.waitUntil(lambda: page.view == "words" and not window.engine.busy)
    assert window.document.path.name.startswith("layer.1.")
    assert page.words.head == 1
    assert not window.document.modified


def test_stepping_through_layers_keeps_filters_and_asks_only_about_work(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    asked: list[int] = []
    bar = all_layers(qtbot, window, folder).layer_bar
    window.files.ask_discard = lambda: asked.append(1)
    top = child(window, QSpinBox, "heads_top")
    qtbot.mouseClick(bar.scope.buttons["here"], LEFT)
    top.setValue(2)
    qtbot.mouseClick(bar.after, LEFT)
    assert window.document.path.name.startswith("layer.1.")
    assert (top.value(), asked, window.document.modified) == (2, [], False)
    assert bar.layer.currentIndex() == 1
    window.document.edit(window.document.scene.with_cell("w_q", 0, 0, 7.0), "work")
    qtbot.mouseClick(bar.after, LEFT)
    assert asked == [1]
    assert window.document.path.name.startswith("layer.1.")  # nothing was said, so it stays
    window.document.undo()
    qtbot.mouseClick(bar.after, LEFT)
    assert window.document.path.name.startswith("layer.2.")
    assert not bar.after.isEnabled()


def test_a_layer_that_cannot_be_read_is_named_and_left_out(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    (folder / "layer.1.attention.call1.item1.attn.json").write_text("{}", encoding="utf-8")
    page = all_layers(qtbot, window, folder)
    qtbot.waitUntil(lambda: page.folder.complete)
    assert {tile.key.layer for tile in page.overview.tiles} == {0, 1}
    assert "layer.1.attention" in window.banner.text


def test_a_first_layer_that_cannot_be_read_keeps_no_other_from_opening(
    qtbot: QtBot, window: MainWindow, folder: Path
) -> None:
    (folder / "layer.0.attention.call1.item1.attn.json").write_text("{", encoding="utf-8")
    page = all_layers(qtbot, window, folder)
    assert window.document.path.name.startswith("layer.1.")
    qtbot.waitUntil(lambda: page.folder.complete)
    assert [each.name for each in page.folder.run.layers] == ["layer.1.attention", "layer.2.attention"]
    assert len(page.overview.tiles) == 6
    assert "layer.0.attention" in window.banner.text


def test_showing_layers_takes_no_more_time_than_reading_them(qtbot: QtBot, folder: Path) -> None:
    """Each reading takes one unit of a clock, showing what is there ten: it waits for forty after the first."""
    for number in range(3, 50):
        save(layer(number), folder / f"layer.{number}.attention.call1.item1.attn.json")
    now = [0.0]
    layers, shown = LayerFolder(clock=lambda: now[0]), []
    layers.open(layers.runs_of(folder))

    def show() -> None:
        shown.append(len(layers.heads))
        now[0] += 10

    read = layers._take

    def take(number: int, found: Heads | Exception) -> None:
        now[0] += 1
        read(number, found)

    layers._take = take
    layers.changed.connect(show)
    layers.read_all()
    qtbot.waitUntil(lambda: layers.complete)
    assert shown == [1, 41, 50]


def test_parts_of_layers_are_joined_when_their_folder_opens(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    """Two processes divide the heads, as torchrun starts them; one process has the layer whole."""
    torchrun(tmp_path / "two", "by torch", 2)
    model = randomised(Model([Attention(groups=2) for _ in range(2)]))
    rows = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(7))
    names = {"blocks.*.attn": ("wq", "wk", "wv", "wo")}
    with torch.no_grad(), capture(model, tmp_path / "one", projections=names):
        model(rows)
    page = all_layers(qtbot, window, tmp_path / "two")
    qtbot.waitUntil(lambda: page.folder.complete and len(page.overview.tiles) == 8)
    assert (window.banner.text, window.document.path.name) == ("", "blocks.0.attn.call1.item1.attn.json")
    for number, layer in enumerate(page.folder.run.layers):
        whole = load(tmp_path / "one" / layer.path.name)
        assert np.abs(attend(whole).weights - page.folder.heads[number].weights).max() < 1e-6


def test_what_has_been_joined_stays_and_a_part_that_is_missing_is_said(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    for rank in (1, 2):
        save(layer(rank), tmp_path / f"a.call1.item1.rank{rank}of2.attn.json")
    save(layer(), tmp_path / "b.call1.item1.rank1of2.attn.json")
    window.reading.open_folder(tmp_path)
    assert "b.call1.item1: the part of rank 2 of 2 is missing" in window.banner.text
    assert [each.name for each in window.reading.folder.run.layers] == ["a"]
    assert window.document.scene.heads == 6
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 7.0), "work")
    assert window.files.save()
    window.reading.open_folder(tmp_path)
    assert window.document.scene.x[0, 0] == 7.0


def test_a_folder_without_sessions_is_said(window: MainWindow, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    window.reading.open_folder(empty)
    assert "empty" in window.banner.text
    assert window.reading.view == ""


# ---- layers of a model on disk ----


@pytest.fixture
def from_model(open_it: Opener, tmp_path: Path) -> MainWindow:
    """The middle layer of three of a nanoGPT, over made-up rows."""
    rng = np.random.default_rng(3)
    shapes = {"c_attn.weight": (12, 4), "c_proj.weight": (4, 4)}
    tensors = {
        f"h.{i}.attn.{name}": rng.normal(size=shape) for i in range(3) for name, shape in shapes.items()
    }
    (tmp_path / "tiny").mkdir()
    save_file(tensors, tmp_path / "tiny" / "model.safetensors")
    model = Checkpoint(tmp_path / "tiny", heads=2)
    save(layer_of(model, model.spot(1)), tmp_path / "layer.attn.json")
    return open_it(tmp_path / "layer.attn.json")


def test_other_layers_of_the_model_are_one_key_away(
    qtbot: QtBot, from_model: MainWindow, tmp_path: Path
) -> None:
    window, document = from_model, from_model.document
    trigger(window, "read_heads")
    bar, before = window.reading.page.model_bar, document.scene
    assert bar.layer.text() == "tiny · layer 1 (0 to 2)" and bar.layer.isVisible()
    child(window, QSpinBox, "heads_top").setValue(2)
    with qtbot.waitSignal(document.changed):
        qtbot.keyClick(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
    model = Checkpoint(tmp_path / "tiny", heads=2)
    assert np.array_equal(document.scene.w_q, model.layer(model.spot(2)).matrices.w_q)
    assert document.scene.x is before.x and document.scene.title.endswith("layer 2")
    assert child(window, QSpinBox, "heads_top").value() == 2  # the filters stay
    assert bar.layer.text() == "tiny · layer 2 (0 to 2)" and not bar.after.isEnabled()
    document.undo()
    assert document.scene.w_q is before.w_q and bar.layer.text() == "tiny · layer 1 (0 to 2)"
    with qtbot.waitSignal(document.changed):
        qtbot.mouseClick(bar.before, LEFT)
    assert bar.layer.text() == "tiny · layer 0 (0 to 2)" and not bar.before.isEnabled()
    window.grab()


def test_a_model_that_is_gone_is_said(qtbot: QtBot, from_model: MainWindow, tmp_path: Path) -> None:
    trigger(from_model, "read_heads")
    (tmp_path / "tiny").rename(tmp_path / "elsewhere")
    scene = from_model.document.scene
    qtbot.mouseClick(from_model.reading.page.model_bar.after, LEFT)
    assert from_model.banner.text.endswith(
        "tiny is not there any more, and the other layers of the model with it."
    )
    (tmp_path / "tiny").mkdir()
    qtbot.mouseClick(from_model.reading.page.model_bar.after, LEFT)
    qtbot.waitUntil(lambda: "tiny: it holds no model." in from_model.banner.text)
    assert from_model.document.scene is scene


def test_a_scene_from_no_model_has_no_such_bar(three: MainWindow) -> None:
    trigger(three, "read_heads")
    assert not three.reading.page.model_bar.isVisible()


def test_a_made_up_x_says_so_as_long_as_it_is_that(from_model: MainWindow, window: MainWindow) -> None:
    note, document = from_model.inputs.made_up, from_model.document
    assert note.isVisible() and note.text().startswith("This X is made up")
    document.edit(document.scene.with_cell("w_q", 0, 0, 1.0), "weight")
    assert note.isVisible()
    document.edit(document.scene.with_cell("x", 0, 0, 1.0), "input")
    assert not note.isVisible()
    document.undo()
    assert note.isVisible()
    assert not window.inputs.made_up.isVisible()


# ---- beside it ----


def test_another_language_comes_back_to_the_same_view(open_it: Opener, chinese: None) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    trigger(window, "read_words")
    assert window.reading.view == "words"
    window.grab()


def test_a_folder_that_is_not_gone_to_leaves_everything_as_it_is(
    from_model: MainWindow, folder: Path
) -> None:
    """Unsaved work is asked about, and the answer is Cancel."""
    window, document = from_model, from_model.document
    trigger(window, "read_heads")
    bar = window.reading.page.model_bar
    document.edit(document.scene.with_cell("x", 0, 0, 7.0), "work")
    window.files.ask_discard = lambda: Answer.CANCEL
    window.reading.open_folder(folder)
    assert (window.reading.folder.run, document.scene.x[0, 0]) == (None, 7.0)
    assert bar.layer.isVisible() and not window.reading.page.layer_bar.isVisible()


def test_a_layer_of_a_model_can_be_stepped_on_though_a_folder_is_open(
    qtbot: QtBot, from_model: MainWindow, folder: Path
) -> None:
    window, document = from_model, from_model.document
    scene = document.scene
    page = all_layers(qtbot, window, folder)
    assert [page.layer_bar.layer.itemText(index)[:3] for index in range(3)] == ["0 ·", "1 ·", "2 ·"]
    assert not page.model_bar.isVisible()
    document.open(scene)
    assert page.model_bar.layer.text() == "tiny · layer 1 (0 to 2)" and page.model_bar.isVisible()
    assert page.layer_bar.layer.currentText() == "" and page.layer_bar.layer.placeholderText()
    with qtbot.waitSignal(document.changed):
        qtbot.keyClick(window, Qt.Key.Key_PageUp, Qt.KeyboardModifier.AltModifier)
    assert page.model_bar.layer.text() == "tiny · layer 0 (0 to 2)"
