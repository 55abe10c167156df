"""The switch between self- and cross-attention, as a person uses it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.masks import Custom, Padding
from explorer.files.session import dump, load, save
from explorer.reshape import insert_tokens
from explorer.scene import Scene
from explorer.ui.lab.kept import remembered
from explorer.ui.main_window import MainWindow

CATS = resources.path("scenes", "cat-sat-down.attn.json")
TRANSLATION = resources.path("scenes", "translation.attn.json")


def switch(qtbot: QtBot, window: MainWindow, key: str) -> None:
    button = window.inputs.findChild(QToolButton, f"attention_{key}")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def chosen(window: MainWindow) -> str:
    return next(
        key
        for key in ("self", "cross")
        if window.inputs.findChild(QToolButton, f"attention_{key}").isChecked()
    )


def test_cross_attention_begins_with_a_copy_of_x(qtbot: QtBot, open_it: Callable[..., MainWindow]) -> None:
    window = open_it(CATS)
    before = window.engine.trace.output
    assert chosen(window) == "self" and "context" not in window.inputs.sections
    switch(qtbot, window, "cross")
    assert chosen(window) == "cross" and window.inputs.grid("context").isVisible()
    assert window.document.scene.context_tokens == ("The", "cat", "sat", "down")
    np.testing.assert_array_equal(window.engine.trace.output, before)
    assert window.document.undo_stack.undoText() == "Switch to cross-attention"
    window.document.undo()
    assert chosen(window) == "self" and window.document.undo_stack.count() == 1


def test_rows_and_labels_of_the_context_are_its_own(qtbot: QtBot, open_it: Callable[..., MainWindow]) -> None:
    window = open_it(CATS)
    switch(qtbot, window, "cross")
    grid = window.inputs.grid("context")
    grid.commands.insert_token(4)
    grid.rename_token(4)
    editor = grid.findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "again")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    scene = window.document.scene
    assert scene.context_tokens == ("The", "cat", "sat", "down", "again")
    assert scene.tokens == ("The", "cat", "sat", "down")
    shapes = {name: window.pipeline.panels[f"panel_{name}"].matrix().shape for name in (
        "q_1", "k_1", "v_1", "scores_1", "scaled_1", "masked_1", "weights_1", "head_outputs_1", "concat", "output",
    )}  # fmt: skip
    assert shapes == {
        "q_1": (4, 2), "k_1": (5, 2), "v_1": (5, 2), "scores_1": (4, 5), "scaled_1": (4, 5), "masked_1": (4, 5),
        "weights_1": (4, 5), "head_outputs_1": (4, 2), "concat": (4, 4), "output": (4, 4),
    }  # fmt: skip
    weights = window.pipeline.panels["panel_weights_1"]
    assert weights.kind.column_labels(scene)[-1] == "again" and weights.kind.row_labels(scene)[-1] == "down"
    grid.commands.delete_tokens([0, 1])
    assert window.document.scene.m == 3 and window.document.scene.n == 4
    assert window.engine.trace.weights.shape == (2, 4, 3)


def test_to_and_fro_loses_nothing(qtbot: QtBot, open_it: Callable[..., MainWindow]) -> None:
    window = open_it(TRANSLATION)
    table = np.array([[1, 1, 1, 1, 0], [1, 0, 1, 1, 1], [1, 1, 1, 0, 0]], dtype=bool)
    masks = (Padding(keys=(True, True, True, True, False)), Custom(table=table))
    window.document.edit(window.document.scene.replace(mask=masks), "Mask")
    before = window.document.scene
    note = window.inputs.findChild(type(window.inputs.widget()), "set_aside")
    assert note.isHidden()
    switch(qtbot, window, "self")
    assert window.document.scene.m == 3
    assert note.text() == (
        "Set aside until you switch back: the context (5 tokens), rows of W_k and W_v (1), flags of the mask."
    )
    switch(qtbot, window, "cross")
    assert dump(window.document.scene) == dump(before)
    assert note.isHidden()
    assert window.document.undo_stack.count() == 3
    window.document.undo()
    assert not window.document.scene.is_cross and note.isVisible()
    window.document.undo()
    assert window.document.scene is before


def test_what_is_set_aside_is_in_the_session_file(
    qtbot: QtBot, open_it: Callable[..., MainWindow], tmp_path: Path
) -> None:
    window = open_it(TRANSLATION)
    before = window.document.scene
    switch(qtbot, window, "self")
    save(window.document.scene, tmp_path / "own.attn.json")
    again = open_it(tmp_path / "own.attn.json")
    assert not again.document.scene.is_cross
    switch(qtbot, again, "cross")
    assert dump(again.document.scene) == dump(before)


def test_the_menu_of_the_grid_sets_aside_too(qtbot: QtBot, open_it: Callable[..., MainWindow]) -> None:
    window = open_it(TRANSLATION)
    window.inputs.grid("context").commands.switch(False)
    assert chosen(window) == "self"
    switch(qtbot, window, "cross")
    assert window.document.scene.context_tokens[3] == "gesehen"


def test_what_is_too_large_to_keep_says_so(
    qtbot: QtBot, open_it: Callable[..., MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("explorer.ui.crossing.MOST", 10)
    window = open_it(TRANSLATION)
    switch(qtbot, window, "self")
    assert remembered(window.document.scene, "crossing") is None
    said = [b.text() for b in window.findChildren(type(window.inputs.grid("x").bubble)) if b.isVisible()]
    assert said == ["The context is too large to be set aside; undo brings it back."]
    window.document.undo()
    assert window.document.scene.is_cross


def test_by_keyboard(qtbot: QtBot, open_it: Callable[..., MainWindow]) -> None:
    window = open_it(CATS)
    button = window.inputs.findChild(QToolButton, "attention_self")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Right)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert window.document.scene.is_cross


def test_every_stage_of_a_longer_context_is_explained_and_presented(
    qtbot: QtBot, open_it: Callable[..., MainWindow]
) -> None:
    from explorer.attention.explain import explain
    from explorer.attention.trace import STAGE, Cell

    window = open_it(CATS)
    switch(qtbot, window, "cross")
    window.document.edit(insert_tokens(window.document.scene, 4, 3, "context"), "More")
    scene, trace = window.document.scene, window.engine.trace
    assert (scene.n, scene.m) == (4, 7)
    for name, stage in STAGE.items():
        matrix = trace.matrix(name, 0)
        cell = Cell(name, None if stage.per == "scene" else 0, matrix.shape[0] - 1, matrix.shape[1] - 1)
        assert explain(scene, trace, cell).value == matrix[-1, -1]
    window.present()
    qtbot.waitExposed(window.presenter)
    for _ in range(20):
        qtbot.keyClick(window.presenter, Qt.Key.Key_Right)
    assert window.presenter.isVisible()
    window.presenter.close()
    assert load(CATS).n == 4


def test_five_queries_over_1500_keys_are_seen_at_once(
    open_it: Callable[..., MainWindow], tmp_path: Path
) -> None:
    """As a decoder of speech has them: K and V are pictures, the scores a band of five rows that can be told apart."""
    random = np.random.default_rng(0)
    x, context, square = random.normal(size=(5, 16)), random.normal(size=(1500, 16)), np.eye(16)
    save(Scene(x=x, context=context, w_q=square, w_k=square, w_v=square), tmp_path / "speech.attn.json")
    window = open_it(tmp_path / "speech.attn.json")
    window.resize(1280, 800)
    window.grab()
    panels = window.pipeline.panels
    assert panels["panel_k_1"].height() < 500 and panels["panel_scores_1"].y() < 1000
    assert panels["panel_scores_1"].body().height() >= 90
