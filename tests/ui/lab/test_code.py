"""Code: what is shown is what runs."""

import ast
import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def choose(qtbot: QtBot, tool: Tool, kind: str) -> None:
    tool.kind.setFocus()
    for _ in range(tool.kind.findData(kind) - tool.kind.currentIndex()):
        qtbot.keyClick(tool.kind, Qt.Key.Key_Down)
    assert tool.kind.currentData() == kind


@pytest.mark.parametrize("dialect", ["plain", "sdpa", "mha"])
def test_the_copied_script_prints_what_the_window_shows(
    dialect: str, qtbot: QtBot, cats: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(cats, "code")
    choose(qtbot, tool, dialect)
    qtbot.mouseClick(tool.copy, Qt.MouseButton.LeftButton)
    text = QApplication.clipboard().text()
    out, before = io.StringIO(), torch.get_default_dtype()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "script", "exec"), {})
    torch.set_default_dtype(before)  # the script has set its own
    shown = cats.pipeline.panels["panel_output"].matrix()
    assert np.array(ast.literal_eval(out.getvalue())) == pytest.approx(shown, abs=1e-9)


def test_it_follows_an_edit(window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "code")
    before = tool.code
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 7.25), "Edit")
    assert tool.code != before and "7.25" in tool.code


def test_where_it_cannot_be_said_it_says_why(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    window.document.edit(window.document.scene.replace(scale="none"), "Scale off")
    tool = open_tool(window, "code")
    choose(qtbot, tool, "mha")
    assert tool.reason.text() == (
        "nn.MultiheadAttention cannot express this scene: it always divides by √d_k."
    )
    assert not tool.copy.isEnabled() and tool.code == ""
    window.document.undo()
    assert tool.kind.currentData() == "plain"
    window.document.undo()
    assert "/ sqrt(d_k)" in tool.code and tool.copy.isEnabled()


def test_the_masks_in_all_three_conventions(qtbot: QtBot, cats: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(cats, "code")
    choose(qtbot, tool, "masks")
    assert tool.code.count("attn_mask =") == 3
    assert "True = may be attended" in tool.code and "True = blocked" in tool.code


def test_latex_is_saved(qtbot: QtBot, window: MainWindow, open_tool: OpenTool, tmp_path: Path) -> None:
    tool = open_tool(window, "code")
    choose(qtbot, tool, "latex")
    asked = []
    tool.ask_save = lambda start: asked.append(start) or tmp_path / "two.tex"
    qtbot.mouseClick(tool.save, Qt.MouseButton.LeftButton)
    text = (tmp_path / "two.tex").read_text(encoding="utf-8")
    assert asked[0].suffix == ".tex"
    assert text == tool.code and text.rstrip().endswith(r"\end{document}")
    tool.ask_save = lambda start: tmp_path / "nowhere" / "two.tex"
    qtbot.mouseClick(tool.save, Qt.MouseButton.LeftButton)
    assert window.banner.text.startswith("two.tex cannot be saved")
