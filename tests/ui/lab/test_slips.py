"""Misconceptions: right, wrong, and what lies between."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from explorer.attention.masks import Causal
from explorer.attention.variants import SLIPS
from explorer.scene import Scene
from explorer.ui.lab.slips import _NEED, NEEDS, TITLES
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def choose(qtbot: QtBot, tool: Tool, name: str) -> None:
    """With the keyboard: down the list until it is there."""
    tool.slip.setFocus()
    for _ in range(tool.slip.count()):
        if tool.slip.currentData() == name:
            return
        qtbot.keyClick(tool.slip, Qt.Key.Key_Down)
    raise AssertionError(f"{name} was not reached")


def test_every_slip_has_a_name_and_a_reason() -> None:
    assert list(TITLES) == [slip.name for slip in SLIPS]
    assert set(_NEED.values()) <= set(NEEDS)


def test_softmax_over_the_queries_beside_the_right_result(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "slips")
    tool.slip.setCurrentIndex(tool.slip.findData("softmax_over_queries"))
    tool.slip.activated.emit(tool.slip.currentIndex())
    weights = window.pipeline.panels["panel_weights_1"]
    scaled = np.array([[1, 2], [1, 1]]) / np.sqrt(2)
    right = np.exp(scaled) / np.exp(scaled).sum(axis=1, keepdims=True)
    wrong = np.exp(scaled) / np.exp(scaled).sum(axis=0)
    assert weights.matrix() == pytest.approx(wrong, abs=1e-12)
    assert "softmax over the queries" in window.lab.note.text
    qtbot.mouseClick(tool.choice.buttons["difference"], Qt.MouseButton.LeftButton)
    assert weights.matrix() == pytest.approx(wrong - right, abs=1e-12)
    assert weights.colour_map == "signed"
    first, *rest = tool.bars.bars
    assert (first.label, first.marked) == ("weights", True)
    assert float(first.text) == pytest.approx(np.abs(wrong - right).max(), abs=1e-4)
    assert [bar.label for bar in rest] == ["head output", "concat", "output"]
    assert "weights" in tool.start.text()
    qtbot.mouseClick(tool.choice.buttons[""], Qt.MouseButton.LeftButton)
    assert weights.matrix() == pytest.approx(right, abs=1e-12)
    assert window.lab.note.isHidden()
    assert [bar.label for bar in tool.bars.bars] == ["weights", "head output", "concat", "output"]


def test_one_head_is_as_wide_as_the_model(window: MainWindow, open_tool: OpenTool) -> None:
    """√d_model for √d_k with one head: no damage, and no rounding in its place."""
    tool = open_tool(window, "slips")
    tool.slip.setCurrentIndex(tool.slip.findData("scale_sqrt_d_model"))
    tool.slip.activated.emit(tool.slip.currentIndex())
    assert tool.start.text() == "With these numbers it makes no difference."
    assert {bar.text for bar in tool.bars.bars} == {"0"} and not any(bar.marked for bar in tool.bars.bars)


def test_the_damage_starts_where_a_number_is_wrong(window: MainWindow, open_tool: OpenTool) -> None:
    """The split is wrong in q, k and v; where the tokens are alike but for V, only there does it show."""
    eye, zero = np.eye(4), np.zeros((4, 4))
    scene = Scene(x=np.arange(8.0).reshape(2, 4), w_q=zero, w_k=zero, w_v=eye, heads=2)
    window.document.edit(scene, "No queries and keys")
    tool = open_tool(window, "slips")
    tool.slip.setCurrentIndex(tool.slip.findData("split_without_transpose"))
    tool.slip.activated.emit(tool.slip.currentIndex())
    assert tool.start.text() == "It starts at: values. What comes before is right."
    assert [bar.label for bar in tool.bars.bars if bar.marked] == ["values"]
    shown = window.pipeline.panels["panel_v_1"].matrix()
    assert shown.tolist() == [[0, 1], [2, 3]]


def test_a_score_that_equals_the_fill_is_not_hidden(window: MainWindow, open_tool: OpenTool) -> None:
    """With 0 as the fill: the mask is forgotten, so nothing is hidden, also where a score is 0."""
    eye = np.eye(2)
    scene = Scene(x=eye, w_q=eye, w_k=eye, w_v=eye, mask=(Causal(),), mask_fill=0.0)
    window.document.edit(scene, "Fill 0")
    tool = open_tool(window, "slips")
    tool.slip.setCurrentIndex(tool.slip.findData("mask_forgotten"))
    tool.slip.activated.emit(tool.slip.currentIndex())
    assert window.pipeline.panels["panel_weights_1"].hidden() is None


def test_the_check_against_torch_does_not_vouch_for_a_slip(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    check = window.findChild(QLabel, "agreement")
    qtbot.waitUntil(lambda: check.text().startswith("✓"))
    tool = open_tool(window, "slips")
    choose(qtbot, tool, "softmax_over_queries")
    qtbot.waitUntil(lambda: check.text().startswith("not what is shown"))
    qtbot.mouseClick(window.lab.note.closed, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: check.text().startswith("✓"))


def test_the_audience_sees_the_slip_too(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    choose(qtbot, open_tool(window, "slips"), "softmax_over_queries")
    window.present()
    presenter = window.presenter
    assert presenter is not None
    presenter.go([step.key for step in presenter.steps].index("weights"))
    scaled = np.exp(np.array([[1, 2], [1, 1]]) / np.sqrt(2))
    assert presenter.panels[-1].matrix() == pytest.approx(scaled / scaled.sum(axis=0), abs=1e-12)
    assert presenter.arithmetic == "" and "softmax over the queries" in presenter.note
    presenter.close()


def test_a_slip_is_chosen_by_keys_and_undone(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "slips")
    choose(qtbot, tool, "mask_inverted")
    assert cats.document.undo_stack.count() == 3  # forgotten scale, softmax over the queries, this one
    masked = cats.pipeline.panels["panel_masked_1"]
    assert masked.hidden().tolist() == np.tri(4, dtype=bool).tolist()
    assert np.isneginf(masked.matrix()[0, 0]) and np.isfinite(masked.matrix()[0, 1])
    for _ in range(3):
        cats.document.undo()
    assert masked.hidden().tolist() == (~np.tri(4, dtype=bool)).tolist()
    assert tool.slip.currentData() == "none"
    assert cats.document.scene.extra == {}


def test_what_the_scene_leaves_no_room_for_is_not_offered(
    qtbot: QtBot, window: MainWindow, cats: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "slips")
    model = tool.slip.model()
    assert not model.item(tool.slip.findData("mask_inverted")).isEnabled()
    assert model.item(tool.slip.findData("scale_forgotten")).isEnabled()
    tool = open_tool(cats, "slips")
    choose(qtbot, tool, "mask_forgotten")
    cats.document.edit(cats.document.scene.replace(mask=()), "Mask off")
    assert tool.sentence.text().endswith("no key is hidden.")
    assert cats.lab.note.isHidden()


def test_the_slip_of_a_lesson_comes_first(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "slips")
    choose(qtbot, tool, "mask_forgotten")
    assert not cats.lab.note.isHidden()
    cats.lessons.open("by-hand")
    qtbot.waitUntil(lambda: not cats.engine.busy)
    assert cats.lab.note.isHidden()
    assert cats.pipeline.panels["panel_scores_1"].matrix().shape == (2, 2)
    cats.lessons.play.close()
    qtbot.waitUntil(lambda: not cats.engine.busy)
    assert not cats.lab.note.isHidden()
    assert cats.pipeline.panels["panel_masked_1"].hidden() is None
