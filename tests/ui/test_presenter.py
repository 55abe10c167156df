"""Presenting: the walk, the sizes, live edits, predictions."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.attention.masks import Causal
from explorer.attention.trace import Cell
from explorer.document import Document
from explorer.engine import Engine
from explorer.reshape import with_w_o
from explorer.scene import Scene
from explorer.ui.main_window import MainWindow
from explorer.ui.present.presenter import Presenter
from explorer.ui.present.screen import pictures
from explorer.ui.present.steps import steps_of


def scene(n: int, heads: int, d: int, **settings: object) -> Scene:
    rng = np.random.default_rng(n * heads)
    width = heads * d
    matrices = {name: rng.normal(size=(width, width)) for name in ("w_q", "w_k", "w_v", "w_o")}
    return Scene(x=rng.normal(size=(n, width)), heads=heads, **matrices, **settings)


def presented(qtbot: QtBot, shown: Scene, size: tuple[int, int] = (1920, 1080)) -> tuple[Presenter, Engine]:
    document = Document(shown)
    engine = Engine(document, synchronous=True)
    engine.start()
    presenter = Presenter(document, engine)
    document.setParent(presenter)
    engine.setParent(presenter)
    qtbot.addWidget(presenter, before_close_func=lambda _w: engine.close())
    presenter.resize(*size)
    with qtbot.waitExposed(presenter):
        presenter.show()
    return presenter, engine


def test_the_walk_of_the_worked_example() -> None:
    assert [step.key for step in steps_of(scene(2, 1, 2).replace(w_o=None), 0)] == [
        "x", "q", "k", "v", "scores", "scaled", "weights", "head_outputs", "output",
    ]  # fmt: skip
    masked = scene(4, 2, 2, mask=(Causal(),))
    assert [step.key for step in steps_of(masked, 1)] == [
        "x", "q", "k", "v", "scores", "scaled", "masked", "weights", "head_outputs", "concat", "output",
    ]  # fmt: skip


def test_grouped_heads_read_their_k() -> None:
    rng = np.random.default_rng(0)
    shared = Scene(
        x=rng.normal(size=(3, 4)), w_q=rng.normal(size=(4, 8)), w_k=rng.normal(size=(4, 4)),
        w_v=rng.normal(size=(4, 4)), heads=4, kv_heads=2,
    )  # fmt: skip
    (step,) = (s for s in steps_of(shared, 3) if s.key == "scores")
    assert [(item.place, item.head) for item in step.items] == [("q", 3), ("k", 1), ("scores", 3)]


@pytest.mark.parametrize(("n", "heads", "d"), [(2, 1, 2), (4, 2, 2), (8, 1, 8), (8, 4, 2), (3, 2, 4)])
def test_numbers_are_at_least_2_2_percent_of_the_height(qtbot: QtBot, n: int, heads: int, d: int) -> None:
    presenter, _engine = presented(qtbot, scene(n, heads, d, mask=(Causal(),)))
    for index in range(len(presenter.steps)):
        presenter.go(index)
        assert presenter.number_pixels() >= 0.022 * 1080
        cell = presenter.panels[-1].cell_rect(0, 0)
        assert cell.height() > presenter.number_pixels()


def test_a_weight_beside_very_many_tokens_stays_a_picture() -> None:
    """On a screen of 1,000 pixels, of which THIN are 80."""
    x, w, few = pictures([(32_000, 64), (64, 64), (2, 64)], [0, 0, 0], 900, 500, 1000)
    assert x == (80 / 64, 500 / 32_000)
    assert w == (80 / 64, 80 / 64)
    assert few == (80 / 64, 80 / 64)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (3840, 2160)])
@pytest.mark.parametrize(("n", "heads", "d"), [(2, 1, 2), (8, 4, 2), (16, 8, 4)])
def test_nothing_leaves_the_screen_or_overlaps(
    qtbot: QtBot, size: tuple[int, int], n: int, heads: int, d: int
) -> None:
    presenter, _engine = presented(qtbot, scene(n, heads, d), size)
    for index in range(len(presenter.steps)):
        presenter.go(index)
        rects = [panel.geometry() for panel in presenter.panels]
        assert all(presenter.rect().contains(rect) for rect in rects), presenter.step.key
        assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])


def test_space_and_page_keys_walk_and_escape_leaves(qtbot: QtBot) -> None:
    presenter, _engine = presented(qtbot, scene(2, 2, 2))
    for key, index in (
        (Qt.Key.Key_Space, 1), (Qt.Key.Key_PageDown, 2), (Qt.Key.Key_Right, 3), (Qt.Key.Key_PageUp, 2),
        (Qt.Key.Key_Left, 1), (Qt.Key.Key_End, len(presenter.steps) - 1), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0),
    ):  # fmt: skip
        qtbot.keyClick(presenter, key)
        assert presenter.index == index
    with qtbot.waitSignal(presenter.closed):
        qtbot.keyClick(presenter, Qt.Key.Key_Escape)


def test_up_and_down_change_the_head_at_the_same_step(qtbot: QtBot) -> None:
    presenter, _engine = presented(qtbot, scene(2, 2, 2))
    presenter.go(6)
    key = presenter.step.key
    qtbot.keyClick(presenter, Qt.Key.Key_Down)
    assert presenter.step.key == key and presenter.panels[-1].head == 1


def test_the_arithmetic_of_the_chosen_number(qtbot: QtBot) -> None:
    two = Scene(x=[[1, 1], [1, 0]], w_q=[[1, 1], [0, 1]], w_k=[[0, 1], [1, -1]], w_v=[[0, 1], [1, -1]])
    presenter, _engine = presented(qtbot, two)
    presenter.go([step.key for step in presenter.steps].index("scores"))
    panel = presenter.panels[-1]
    qtbot.mouseClick(panel, Qt.MouseButton.LeftButton, pos=panel.cell_rect(0, 1).center())
    qtbot.waitUntil(lambda: "1·0 + 2·1 = 2" in presenter.arithmetic)


def test_typing_into_a_matrix_stays_live(qtbot: QtBot) -> None:
    two = Scene(x=[[1, 1], [1, 0]], w_q=[[1, 1], [0, 1]], w_k=[[0, 1], [1, -1]], w_v=[[0, 1], [1, -1]])
    presenter, engine = presented(qtbot, two)
    presenter.go(1)
    w_q = presenter.panels[1]
    qtbot.mouseClick(w_q, Qt.MouseButton.LeftButton, pos=w_q.cell_rect(1, 0).center())
    qtbot.keyClick(presenter, Qt.Key.Key_2)
    assert presenter.panels[2].matrix().tolist() == [[3, 2], [1, 1]]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert presenter.step.key == "q"
    qtbot.keyClick(presenter, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert presenter.panels[2].matrix().tolist() == [[1, 2], [1, 1]]


def test_a_weight_is_named_as_in_the_whole_matrix(qtbot: QtBot) -> None:
    presenter, _engine = presented(qtbot, scene(2, 2, 2))
    presenter.show_head(1)
    presenter.go(1)
    w_q = presenter.panels[1]
    qtbot.mouseClick(w_q, Qt.MouseButton.LeftButton, pos=w_q.cell_rect(0, 1).center())
    qtbot.waitUntil(lambda: "1,4" in presenter.arithmetic)


def test_at_first_the_arrows_walk_through_the_steps(qtbot: QtBot) -> None:
    presenter, _engine = presented(qtbot, scene(2, 1, 2))
    assert presenter.focusWidget() is presenter
    qtbot.keyClick(presenter.focusWidget(), Qt.Key.Key_Right)
    assert presenter.index == 1


def test_colours_and_size_by_key(qtbot: QtBot) -> None:
    presenter, _engine = presented(qtbot, scene(4, 1, 4))
    before, size = presenter.palette_name, presenter.number_pixels()
    qtbot.keyClick(presenter, Qt.Key.Key_C)
    assert presenter.palette_name != before
    qtbot.keyClick(presenter, Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert presenter.number_pixels() <= size


def test_predict_covers_what_is_new_and_keeps_it_secret(qtbot: QtBot) -> None:
    presenter, _engine = presented(qtbot, scene(2, 1, 2))
    presenter.go([step.key for step in presenter.steps].index("weights"))
    qtbot.keyClick(presenter, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: presenter.arithmetic == "")
    qtbot.keyClick(presenter, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: presenter.arithmetic != "")


def test_an_undone_w_o_leaves_the_last_step(qtbot: QtBot) -> None:
    """The engine answers at once, before the presenter has heard that the matrix it shows is gone."""
    presenter, engine = presented(qtbot, scene(2, 1, 2).replace(w_o=None))
    document = presenter._document
    document.edit(with_w_o(document.scene, True), "Add W^O")
    presenter.go(len(presenter.steps) - 1)
    assert any(panel.kind.name == "w_o" for panel in presenter.panels)
    document.undo()
    assert not any(panel.kind.name == "w_o" for panel in presenter.panels)
    assert presenter.step.key == "output"


def test_what_is_covered_in_the_window_is_covered_here(qtbot: QtBot, window: MainWindow) -> None:
    cell = Cell("weights", 0, 0, 1)
    window.covers.cover([cell])
    window.present()
    presenter = window.presenter
    assert presenter is not None
    presenter.go([step.key for step in presenter.steps].index("weights"))
    assert presenter.panels[-1].covered == {(0, 1)}
    qtbot.keyClick(presenter, Qt.Key.Key_P)  # revealed, there and here
    assert presenter.panels[-1].covered == set() and window.covers.cells == set()
    presenter.close()
