"""Cost: the numbers that are known beforehand."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.scene import Scene
from explorer.ui.lab.sizes import bytes_text, divisors
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def bars(tool: Tool) -> dict[str, str]:
    return {bar.label: bar.text for bar in tool.bars.bars}


def choose(qtbot: QtBot, tool: Tool, key: str) -> None:
    tool.preset.setFocus()
    while tool.preset.currentData() != key:
        before = tool.preset.currentIndex()
        qtbot.keyClick(tool.preset, Qt.Key.Key_Down)
        assert tool.preset.currentIndex() > before, key


def test_this_scene_by_stage(window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "cost")
    # n = d = 2, one head, no W^O: three projections of 2·2·2, scores and A·V of 2·2·2
    assert bars(tool) == {
        "queries": "8", "keys": "8", "values": "8", "raw scores": "8", "head output": "8", "together": "40",
    }  # fmt: skip
    assert "3nd² + 2n²d," in tool.form.text()
    assert tool.cache.text() == "32 bytes a token in float64; 64 B for the whole batch."
    assert not tool.n.isEnabled() and tool.batch.isEnabled()


def test_the_published_numbers(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "cost")
    choose(qtbot, tool, "one_head")
    assert bars(tool)["together"] == "60,129,542,144"
    shares = [bar.share for bar in tool.bars.bars]
    assert shares == pytest.approx([1 / 7, 1 / 7, 1 / 7, 2 / 7, 2 / 7, 1])
    assert tool.facts.text() == "One layer, 32 × 1,024 × 512 (batch × n × d_model), one head of width 512."
    choose(qtbot, tool, "eight_heads")
    assert tool.facts.text().endswith("8 heads of width 64.")
    assert bars(tool)["together"] == "68,719,476,736"
    assert "+ nd²" in tool.form.text()
    choose(qtbot, tool, "seven_b")
    assert tool.cache.text().startswith("16,384 bytes a token in float16")
    assert tool.cache.text().endswith("In all 32 layers 524,288 bytes a token.")
    qtbot.mouseClick(tool.measure.buttons["numbers"], Qt.MouseButton.LeftButton)
    assert bars(tool)["together"] == "67,108,864"  # 4·4096²
    assert window.document.undo_stack.undoText() == "Cost of a 7B model (Llama 2)"


def test_heads_drop_out(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "cost")
    choose(qtbot, tool, "one_head")
    tool.heads.setFocus()
    qtbot.keyClick(tool.heads, Qt.Key.Key_Up)
    assert tool.heads.value() == 2
    assert bars(tool)["together"] == "60,129,542,144"
    qtbot.mouseClick(tool.over.buttons["heads"], Qt.MouseButton.LeftButton)
    flat, growing = tool.plot.curves
    assert set(flat.y) == {60_129_542_144}
    assert list(flat.x) == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    assert list(growing.y) == [32 * 1024 * 1024 * h for h in flat.x]
    tool.heads.lineEdit().selectAll()
    qtbot.keyClicks(tool.heads, "3\r")
    assert "3 heads do not divide d_model = 512" in window.banner.text
    assert tool.heads.value() == 2
    window.document.undo()
    assert tool.heads.value() == 1


def test_the_batch_of_the_scene_multiplies_and_is_kept(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "cost")
    tool.batch.setFocus()
    tool.batch.lineEdit().selectAll()
    qtbot.keyClicks(tool.batch, "32\r")
    assert bars(tool)["together"] == "1,280"
    assert window.document.scene.extra == {"lab": {"cost": {"batch": 32}}}
    window.document.undo()
    assert bars(tool)["together"] == "40"


def test_torch_counts_the_scene_twice_over(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    tool = open_tool(window, "cost")
    qtbot.mouseClick(tool.counter.button, Qt.MouseButton.LeftButton)
    assert not tool.counter.button.isEnabled()
    qtbot.waitUntil(lambda: tool.counter.words.text().startswith("This scene"), timeout=60_000)
    first, *why = tool.counter.words.text().splitlines()
    assert first == "This scene: 80 operations, which is 2 × 40 multiply-adds."
    assert len(why) >= 2
    assert tool.counter.button.isEnabled()


@pytest.mark.parametrize(
    ("count", "text"),
    [(96, "96 B"), (1536, "1.5 KiB"), (2**31, "2 GiB"), (1000, "1,000 B"), (2**60, "1,024 PiB")],
)
def test_bytes_are_said_briefly(count: int, text: str) -> None:
    assert bytes_text(count) == text


def test_divisors() -> None:
    assert divisors(12) == [1, 2, 3, 4, 6, 12]


def test_heads_that_do_not_divide_d_model(qtbot: QtBot, window: MainWindow, open_tool: OpenTool) -> None:
    scene = Scene(x=np.ones((2, 3)), w_q=np.ones((3, 4)), w_k=np.ones((3, 4)), w_v=np.ones((3, 4)), heads=2)
    window.document.edit(scene, "Two heads of width 2, d_model = 3")
    tool = open_tool(window, "cost")
    qtbot.mouseClick(tool.over.buttons["heads"], Qt.MouseButton.LeftButton)
    adds, held = tool.plot.curves
    assert list(adds.x) == [1, 3]
    assert list(adds.y) == [3 * 2 * 3 * 3 + 2 * 2 * 2 * 3] * 2  # 3nd² + 2n²d
    assert list(held.y) == [4, 12]


def test_the_curve_goes_through_the_number_of_the_scene(
    open_it: Callable[..., MainWindow], open_tool: OpenTool
) -> None:
    window = open_it(resources.path("scenes", "translation.attn.json"))
    scene = window.document.scene
    assert scene.m != scene.n
    tool = open_tool(window, "cost")
    whole = tool.plot.curves[0]
    here = dict(zip(whole.x, whole.y, strict=True))
    assert f"{here[scene.n]:,}" == bars(tool)["together"]
