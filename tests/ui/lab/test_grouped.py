"""Grouped K/V heads: stepped by keys; sharing and bytes as known beforehand."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.scene import Scene
from explorer.ui.lab.grouped import token_bytes
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def bars(tool: Tool) -> dict[str, str]:
    return {bar.label: bar.text for bar in tool.bars.bars}


@pytest.fixture
def eight(window: MainWindow) -> MainWindow:
    """Eight heads of width 2 in float32."""
    w = np.arange(16.0 * 16).reshape(16, 16) % 7
    scene = Scene(x=np.eye(3, 16), w_q=w, w_k=w, w_v=w, heads=8, dtype="float32")
    window.document.open(scene)
    return window


@pytest.mark.parametrize("groups", [1, 2, 4, 8])
@pytest.mark.parametrize(("dtype", "size"), [("float64", 8), ("float32", 4), ("bfloat16", 2), ("float16", 2)])
def test_bytes_of_a_token(groups: int, dtype: str, size: int) -> None:
    eye = np.eye(24)
    scene = Scene(x=np.ones((5, 24)), w_q=eye, w_k=eye, w_v=eye, heads=8, dtype=dtype)
    assert token_bytes(scene, groups) == 2 * groups * 3 * size


def test_from_multi_head_to_multi_query_by_keys(qtbot: QtBot, eight: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(eight, "grouped")
    document = eight.document
    start = document.scene
    assert bars(tool) == {"G = 8 · MHA": "128", "G = 4 · GQA": "64", "G = 2 · GQA": "32", "G = 1 · MQA": "16"}
    assert tool.kind.text().startswith("Multi-head attention (MHA)")
    tool.kv_heads.setFocus()
    found = []
    for _ in range(3):
        qtbot.keyClick(tool.kv_heads, Qt.Key.Key_Down)
        found.append(document.scene.groups)
    assert found == [4, 2, 1]
    assert tool.kind.text() == "Multi-query attention (MQA): all 8 query heads read the same keys and values."
    assert tool.cache.text() == (
        "G·(d_k + d_v)·bytes = 1·(2 + 2)·4 = 16 in float32. Multi-head attention keeps 128, 8 times as much."
    )
    assert [bar.label for bar in tool.bars.bars if bar.marked] == ["G = 1 · MQA"]
    assert eight.controls.kv_heads.value() == 1
    for _ in range(3):
        qtbot.keyClick(tool.kv_heads, Qt.Key.Key_Up)
    assert document.scene.w_k is start.w_k and document.scene.w_v is start.w_v
    assert document.undo_stack.count() == 6
    for _ in range(6):
        document.undo()
    assert document.scene is start and tool.kv_heads.value() == 8


def test_the_controls_and_the_tool_share_what_they_remember(
    qtbot: QtBot, eight: MainWindow, open_tool: OpenTool
) -> None:
    start = eight.document.scene
    eight.controls.kv_heads.setFocus()
    qtbot.keyClick(eight.controls.kv_heads, Qt.Key.Key_Down)
    tool = open_tool(eight, "grouped")
    tool.kv_heads.setFocus()
    qtbot.keyClick(tool.kv_heads, Qt.Key.Key_Up)
    assert eight.document.scene.w_k is start.w_k


def test_what_does_not_divide_says_why(qtbot: QtBot, eight: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(eight, "grouped")
    tool.kv_heads.setFocus()
    tool.kv_heads.selectAll()
    qtbot.keyClicks(tool.kv_heads, "3\r")
    assert "3 K/V heads do not divide 8 heads" in eight.banner.text
    assert tool.kv_heads.value() == 8 and not eight.document.undo_stack.count()


def test_who_reads_what_is_drawn_and_said(open_it: Callable[..., MainWindow], open_tool: OpenTool) -> None:
    window = open_it(resources.path("scenes", "shared-keys.attn.json"))
    tool = open_tool(window, "grouped")
    assert tool.sharing.accessibleDescription() == "K/V head 1: heads 1–2; K/V head 2: heads 3–4"
    panels = window.pipeline.panels
    keys = {name: panel.kind.readers(panel.scene, panel.head) for name, panel in panels.items()}
    assert keys["panel_k_1"] == range(0, 2) and keys["panel_v_2"] == range(2, 4)
    assert not keys["panel_q_1"] and not keys["panel_output"]
    tool.sharing.grab()
    colours = _colours(window, "panel_k_2")
    assert {"#007a5c", "#a8457f"} <= colours  # heads 3 and 4
    assert "#0068a8" not in colours  # head 1
    window.document.edit(
        window.document.scene.replace(kv_heads=None, w_k=np.ones((4, 8)), w_v=np.ones((4, 8))), ""
    )
    assert not window.pipeline.panels["panel_k_2"].kind.readers(window.document.scene, 1)


def _colours(window: MainWindow, name: str) -> set[str]:
    """All colours above the cells of a panel."""
    panel = window.pipeline.panels[name]
    image = panel.grab(panel.rect().adjusted(0, 0, 0, panel.body().y() - panel.height())).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_one_head_has_nothing_to_share(window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "grouped")
    assert "nothing to share" in tool.kind.text()
    assert bars(tool) == {"G = 1 · MHA": "32"}  # two numbers of d_k and d_v each in float64
    tool.grab()
