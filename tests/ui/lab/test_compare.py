"""Pin and compare: A, B and B − A in every panel."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.files.session import load, save
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def press(qtbot: QtBot, widget: object) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_pinned_a_is_shown_beside_what_came_after(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "compare")
    press(qtbot, tool.pin)
    scores = window.pipeline.panels["panel_scores_1"]
    window.document.edit(window.document.scene.with_cell("w_q", 1, 0, 2.0), "Edit W_q[2,1]")
    # X·W_q = [[3, 2], [1, 1]] where it was [[1, 2], [1, 1]]; K is the identity
    assert tool.words.text() == "W_q[2,1] 0 → 2"
    press(qtbot, tool.choice.buttons["difference"])
    assert scores.matrix().tolist() == [[2, 0], [0, 0]]
    assert (scores.levels().low, scores.levels().high) == (-2, 2)
    weights = window.pipeline.panels["panel_weights_1"]
    assert weights.colour_map == "signed"
    assert weights.levels().low == -weights.levels().high
    assert weights.matrix().sum(axis=1) == pytest.approx([0, 0], abs=1e-15)
    assert "B − A" in window.lab.note.text
    press(qtbot, tool.choice.buttons["a"])
    assert scores.matrix().tolist() == [[1, 2], [1, 1]]
    assert weights.colour_map == "unit"
    press(qtbot, tool.choice.buttons[""])
    assert scores.matrix().tolist() == [[3, 2], [1, 1]]
    assert window.lab.note.isHidden()
    bars = {bar.label: bar.text for bar in tool.bars.bars}
    assert (bars["queries"], bars["raw scores"], bars["keys"]) == ("2", "2", "0")


def test_each_choice_is_undone_and_the_note_takes_it_back(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "compare")
    press(qtbot, tool.pin)
    press(qtbot, tool.choice.buttons["difference"])
    scores = window.pipeline.panels["panel_scores_1"]
    assert not scores.matrix().any()
    press(qtbot, window.lab.note.closed)
    assert scores.matrix().tolist() == [[1, 2], [1, 1]]
    assert tool.choice.key == ""
    window.document.undo()
    assert not scores.matrix().any()
    assert tool.choice.key == "difference"
    window.document.undo()
    window.document.undo()
    assert tool.a is None
    assert window.document.scene.extra == {}
    assert scores.matrix().tolist() == [[1, 2], [1, 1]]


def test_a_is_saved_in_the_session_with_what_the_panels_show(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool, open_it: Callable[..., MainWindow], tmp_path: Path
) -> None:
    tool = open_tool(window, "compare")
    press(qtbot, tool.pin)
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 3.0), "Edit")
    press(qtbot, tool.choice.buttons["difference"])
    path = tmp_path / "two.attn.json"
    save(window.document.scene, path)
    again = open_it(path)
    # q₁ = (3, 4) where it was (1, 2), k₁ = (1, 2) where it was (1, 0): from x₁ = (3, 1) and (1, 1)
    shown = again.pipeline.panels["panel_q_1"].matrix()
    assert shown.tolist() == [[2, 2], [0, 0]]
    assert again.lab.dock.isHidden() and "B − A" in again.lab.note.text
    assert open_tool(again, "compare").a.scene.x.tolist() == [[1, 1], [1, 0]]


def test_panels_of_other_shapes_say_so(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "compare")
    press(qtbot, tool.pin)
    cats.document.edit(cats.document.scene.with_heads(1), "Set heads to 1")
    press(qtbot, tool.choice.buttons["difference"])
    assert "heads 2 → 1" in tool.words.text().splitlines()
    weights = cats.pipeline.panels["panel_weights_1"]
    assert weights.missing == "A has 2 × (4 × 4)"
    assert np.isnan(weights.matrix()).all()
    assert "A has 2 × (4 × 4)" in weights.describe(0, 0)
    assert cats.pipeline.panels["panel_output"].missing == ""
    assert "weights" in tool.apart.text() and "output" not in tool.apart.text().replace("head output", "")
    cats.grab()


def test_a_hidden_score_that_becomes_visible_is_an_infinite_change(
    qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(cats, "compare")
    press(qtbot, tool.pin)
    cats.document.edit(cats.document.scene.replace(mask=()), "Mask off")
    press(qtbot, tool.choice.buttons["difference"])
    assert tool.words.text() == "mask causal → none"
    assert cats.pipeline.panels["panel_masked_1"].matrix()[0, 1] == np.inf
    assert {bar.label: bar.text for bar in tool.bars.bars}["masked scores"] == "∞"
    assert cats.pipeline.panels["panel_weights_1"].hidden() is None


def test_another_file_can_be_a(qtbot: QtBot, window: MainWindow, open_tool: OpenTool, tmp_path: Path) -> None:
    path = tmp_path / "other.attn.json"
    save(window.document.scene.with_cell("x", 1, 1, 5.0), path)
    window.files.ask_open = lambda: path
    tool = open_tool(window, "compare")
    press(qtbot, tool.file)
    assert tool.words.text() == "X[2,2] 5 → 0"
    assert "other" in tool.state.text()
    press(qtbot, tool.back)
    assert window.document.scene.x.tolist() == load(path).x.tolist()
    assert tool.words.text() == "Nothing: A and B compute the same."
    path.write_text("{")
    press(qtbot, tool.file)
    assert window.banner.text.startswith("other.attn.json")


@pytest.mark.parametrize("entry", [None, 3, {"scene": 1}, {"name": "A", "scene": {"format": "?"}}])
def test_a_session_that_keeps_nonsense_opens(window: MainWindow, open_tool: OpenTool, entry: object) -> None:
    extra = {"lab": {"compare": entry, "look": {"by": "compare", "show": "difference"}}}
    window.document.edit(window.document.scene.replace(extra=extra), "nonsense")
    assert window.lab.note.isHidden()
    assert window.pipeline.panels["panel_scores_1"].matrix().tolist() == [[1, 2], [1, 1]]
    open_tool(window, "compare")


def test_a_number_that_is_lost_is_the_largest_change(
    qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    """NaN on one side alone is no 0."""
    tool = open_tool(cats, "compare")
    qtbot.mouseClick(tool.pin, Qt.MouseButton.LeftButton)
    cats.document.edit(cats.document.scene.with_cell("w_v", 0, 0, np.nan), "NaN")
    changes = {bar.label: (bar.text, bar.share) for bar in tool.bars.bars}
    assert changes["values"] == changes["output"] == ("∞", 1.0)
    assert changes["weights"] == ("0", 0.0)
