"""Masks: painted with the mouse and the keyboard, combined, named, spelled."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.mask_edits import mask_of
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.files.session import load, save
from explorer.scene import Scene
from explorer.ui.lab.masks import kept_spelling
from explorer.ui.lab.tool import Tool
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.panel import Panel

OpenTool = Callable[[MainWindow, str], Tool]
Key, LEFT, SHIFT = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
TRANSLATION = resources.path("scenes", "translation.attn.json")


@pytest.fixture
def masks(cats: MainWindow, open_tool: OpenTool) -> Tool:
    """The tool, over four tokens without a mask."""
    tool = open_tool(cats, "masks")
    cats.document.edit(cats.document.scene.replace(mask=()), "Mask off")
    cats.document.undo_stack.clear()
    return tool


def seen(tool: Tool) -> str:
    """'1000/1100/1110/1111'"""
    return "/".join("".join(str(int(flag)) for flag in row) for row in tool.scene.visible())


def middle(panel: Panel, row: int, col: int) -> QPoint:
    return panel.cell_rect(row, col).center()


def drag(
    qtbot: QtBot, panel: Panel, points: list[QPoint], modifier: Any = Qt.KeyboardModifier.NoModifier
) -> None:
    qtbot.mousePress(panel, LEFT, modifier, points[0])
    for point in points[1:]:
        qtbot.mouseMove(panel, point)
    qtbot.mouseRelease(panel, LEFT, modifier, points[-1])


def cells(panel: Panel, *places: tuple[int, int]) -> list[QPoint]:
    return [middle(panel, *place) for place in places]


def steps(tool: Tool) -> int:
    return tool.bench.document.undo_stack.count()


# ---- painting ----


def test_of_a_large_scene_no_table_is_made(cats: MainWindow, qtbot: QtBot) -> None:
    eye = np.eye(2)
    cats.document.open(Scene(x=np.ones((1200, 2)), w_q=eye, w_k=eye, w_v=eye, mask=(Causal(),)))
    action = cats.findChild(QAction, "menu_lab_masks")
    assert action is not None
    action.trigger()
    qtbot.waitUntil(lambda: cats.lab.lab is not None and cats.lab.lab.tool is not None)
    assert cats.lab.lab is not None and (tool := cats.lab.lab.tool) is not None
    assert not tool.isEnabled() and tool.map.shape == (1, 1)
    cats.document.open(load(TRANSLATION))
    assert tool.isEnabled() and tool.map.shape == (tool.scene.n, tool.scene.m)


def test_a_click_hides_a_cell_and_shows_it_again(qtbot: QtBot, masks: Tool) -> None:
    drag(qtbot, masks.map, cells(masks.map, (0, 2)))
    assert seen(masks) == "1101/1111/1111/1111"
    assert masks.bench.document.undo_stack.undoText() == "Hide cells of the mask"
    assert masks.bench.engine.trace.weights[0, 0, 2] == 0
    drag(qtbot, masks.map, cells(masks.map, (0, 2)))
    assert seen(masks) == "1111/1111/1111/1111" and steps(masks) == 2


def test_a_drag_paints_what_it_passes_in_one_step(qtbot: QtBot, masks: Tool) -> None:
    drag(qtbot, masks.map, cells(masks.map, (0, 0), (3, 3)))  # one jump
    assert seen(masks) == "0111/1011/1101/1110" and steps(masks) == 1
    drag(qtbot, masks.map, cells(masks.map, (1, 1), (1, 2), (2, 2)))  # from a hidden one: it shows
    assert seen(masks) == "0111/1111/1111/1110" and steps(masks) == 2
    masks.bench.document.undo()
    masks.bench.document.undo()
    assert masks.scene.mask == ()


def test_a_drag_that_leaves_the_map_goes_on_at_its_edge(qtbot: QtBot, masks: Tool) -> None:
    start = middle(masks.map, 1, 1)
    drag(qtbot, masks.map, [start, start + QPoint(2000, 0)])
    assert seen(masks) == "1111/1000/1111/1111"


def test_shift_makes_a_rectangle(qtbot: QtBot, masks: Tool) -> None:
    drag(qtbot, masks.map, cells(masks.map, (3, 3), (0, 0), (1, 2)), SHIFT)
    assert seen(masks) == "1111/1100/1100/1100" and steps(masks) == 1
    drag(qtbot, masks.map, cells(masks.map, (1, 3), (2, 3)), SHIFT)
    assert seen(masks) == "1111/1101/1101/1100"


def test_two_quick_clicks_are_two(qtbot: QtBot, masks: Tool) -> None:
    point = middle(masks.map, 2, 0)
    qtbot.mouseClick(masks.map, LEFT, pos=point)
    place = QPointF(point), QPointF(masks.map.mapToGlobal(point))
    event = QMouseEvent(QEvent.Type.MouseButtonDblClick, *place, LEFT, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(masks.map, event)  # the second press, as a window system has it
    qtbot.mouseRelease(masks.map, LEFT, pos=point)
    assert masks.scene.visible().all() and steps(masks) == 2


def test_by_keyboard(qtbot: QtBot, masks: Tool) -> None:
    masks.map.setFocus()
    for key in (Key.Key_Down, Key.Key_Right, Key.Key_Space):
        qtbot.keyClick(masks.map, key)
    assert seen(masks) == "1111/1011/1111/1111"
    for key in (Key.Key_Right, Key.Key_Down, Key.Key_Right):
        qtbot.keyClick(masks.map, key, SHIFT)
    qtbot.keyClick(masks.map, Key.Key_Space)
    assert seen(masks) == "1111/1111/1111/1111"  # the corner was hidden: the block is shown
    assert steps(masks) == 2
    qtbot.keyClick(masks.map, Key.Key_P)
    assert seen(masks) == "1110/1110/1110/1110"
    qtbot.keyClick(masks.map, Key.Key_P)
    assert seen(masks) == "1111/1111/1111/1111"
    qtbot.keyClick(masks.map, Key.Key_Left, SHIFT)
    qtbot.keyClick(masks.map, Key.Key_Escape)
    qtbot.keyClick(masks.map, Key.Key_Space)
    assert seen(masks) == "1111/1111/1101/1111"


def test_screen_readers_hear_what_is_seen(qtbot: QtBot, masks: Tool) -> None:
    drag(qtbot, masks.map, cells(masks.map, (1, 3)))
    assert masks.map.accessibleDescription() == "cat → down · hidden by custom"
    qtbot.keyClick(masks.map, Key.Key_Left)
    assert masks.map.accessibleDescription() == "cat → sat · seen"


def test_what_another_kind_hides_is_said_with_the_way_out(qtbot: QtBot, masks: Tool) -> None:
    qtbot.mouseClick(masks.parts.tiles["causal"], LEFT)
    button = masks.findChild(QPushButton, "flatten_mask")
    assert not button.isVisible()
    drag(qtbot, masks.map, cells(masks.map, (0, 3), (0, 1)))
    assert masks.refusal.text() == "This cell is hidden by causal: painting alone cannot show it."
    assert steps(masks) == 1
    qtbot.mouseClick(button, LEFT)
    assert [mask.kind for mask in masks.scene.mask] == ["custom"] and not button.isVisible()
    assert masks.refusal.isHidden()
    drag(qtbot, masks.map, cells(masks.map, (0, 3), (0, 1)))
    assert seen(masks) == "1111/1100/1110/1111"


# ---- kinds ----


def test_padding_by_clicking_a_label(qtbot: QtBot, masks: Tool) -> None:
    above = QPoint(middle(masks.map, 0, 2).x(), masks.map.body().top() - 5)
    qtbot.mouseClick(masks.map, LEFT, pos=above)
    assert mask_of(masks.scene, "padding").to_json()["keys"] == (True, True, False, True)
    assert masks.bench.document.undo_stack.undoText() == "Hide key “sat”"
    qtbot.mouseClick(masks.map, LEFT, pos=above)
    assert masks.scene.visible().all()
    drag(qtbot, masks.map, [above, QPoint(middle(masks.map, 0, 0).x(), above.y())])
    assert mask_of(masks.scene, "padding").to_json()["keys"] == (False, True, False, True)
    assert steps(masks) == 3


def test_the_window_by_its_handles(qtbot: QtBot, masks: Tool) -> None:
    qtbot.mouseClick(masks.parts.tiles["window"], LEFT)
    assert seen(masks) == "1100/1110/0111/0011"
    grips = {name: point.toPoint() for name, point in masks.map._grips().items()}
    step = masks.map.cell_rect(0, 0).width()
    drag(qtbot, masks.map, [grips["right"], grips["right"] + QPoint(step, 0)])
    assert seen(masks) == "1110/1111/0111/0011" and steps(masks) == 2
    drag(
        qtbot,
        masks.map,
        [grips["left"], grips["left"] + QPoint(step // 2, 0), grips["left"] + QPoint(step, 0)],
    )
    assert seen(masks) == "1110/0111/0011/0001" and steps(masks) == 3
    window = mask_of(masks.scene, "window")
    assert (window.left, window.right) == (0, 2)
    far = masks.map._grips()["right"].toPoint()
    drag(qtbot, masks.map, [far, QPoint(far.x() - 1000, far.y())])
    assert seen(masks) == "1000/0100/0010/0001"
    corner = masks.map._grips()["left"].toPoint()
    drag(qtbot, masks.map, [corner, QPoint(masks.map.body().left(), masks.map.body().bottom())])
    assert seen(masks) == "1000/1100/1110/1111"
    assert "left" in masks.map._grips()  # in the corner, to be pulled back
    masks.bench.document.undo()
    assert seen(masks) == "1000/0100/0010/0001"


def test_small_multiples(qtbot: QtBot, masks: Tool) -> None:
    for kind in ("causal", "padding"):
        qtbot.mouseClick(masks.parts.tiles[kind], LEFT)
    causal, padding = masks.parts.tiles["causal"], masks.parts.tiles["padding"]
    assert causal.codes.tolist() == [[0, 2, 2, 1], [0, 0, 2, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert padding.codes.tolist() == [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 2]]
    assert causal.note == "hides 6"
    assert causal.accessibleDescription() == "hides 6 of 16 cells, 3 of them alone"
    assert masks.parts.tiles["window"].codes is None and not masks.parts.tiles["window"].isChecked()
    assert masks.parts.result.note == "9 / 16"
    causal.setFocus()
    qtbot.keyClick(causal, Key.Key_Space)
    assert [mask.kind for mask in masks.scene.mask] == ["padding"]
    assert masks.parts.result.accessibleDescription() == "12 of 16 cells are seen"


def test_a_kind_comes_back_as_it_was(qtbot: QtBot, masks: Tool) -> None:
    drag(qtbot, masks.map, cells(masks.map, (0, 2)))
    qtbot.mouseClick(masks.parts.tiles["custom"], LEFT)
    assert masks.scene.mask == ()
    qtbot.mouseClick(masks.parts.tiles["custom"], LEFT)
    assert seen(masks) == "1101/1111/1111/1111"


def test_a_row_that_sees_nothing_is_named_with_the_choice(qtbot: QtBot, masks: Tool) -> None:
    assert masks.blind.isHidden()
    drag(qtbot, masks.map, cells(masks.map, (1, 0), (1, 3)))
    assert masks.blind.text() == (
        "⚠ Row “cat” sees no key: with −∞ its weights are 0, with a finite fill 1/m."
    )
    trace = masks.bench.engine.trace
    assert trace.weights[:, 1].tolist() == [[0] * 4] * 2
    qtbot.mouseClick(masks.fill.buttons[1], LEFT)
    assert masks.scene.mask_fill == -1e9
    assert masks.bench.engine.trace.weights[:, 1].tolist() == [[0.25] * 4] * 2
    masks.bench.document.undo()
    assert masks.fill.buttons[0].isChecked()


# ---- cross-attention ----


def test_more_keys_than_queries(
    qtbot: QtBot, open_it: Callable[..., MainWindow], open_tool: OpenTool
) -> None:
    window = open_it(TRANSLATION)
    tool = open_tool(window, "masks")
    window.document.edit(window.document.scene.replace(mask=(Causal(),)), "Mask")
    assert seen(tool) == "10000/11000/11100" and tool.map.shape == (3, 5)
    qtbot.mouseClick(tool.options["causal"].buttons["bottom_right"], LEFT)
    assert seen(tool) == "11100/11110/11111"
    drag(qtbot, tool.map, cells(tool.map, (2, 4), (2, 3)))
    assert seen(tool) == "11100/11110/11100"
    window.document.edit(window.document.scene.replace(mask=()), "Off")
    qtbot.mouseClick(tool.map, LEFT, pos=QPoint(middle(tool.map, 0, 4).x(), tool.map.body().top() - 3))
    assert seen(tool) == "11110/11110/11110"


# ---- on the panels ----


def test_painting_on_the_panels(qtbot: QtBot, masks: Tool) -> None:
    window = masks.window()
    panel = window.pipeline.panels["panel_weights_2"]
    clicked = []
    panel.cell_pressed.connect(clicked.append)
    drag(qtbot, panel, cells(panel, (0, 1)))
    assert len(clicked) == 1 and masks.scene.mask == ()
    masks.paint.click()
    assert panel.cursor().shape() == Qt.CursorShape.CrossCursor
    drag(qtbot, panel, cells(panel, (0, 1), (0, 3)))
    assert seen(masks) == "1000/1111/1111/1111" and len(clicked) == 1 and steps(masks) == 1
    masked = window.pipeline.panels["panel_masked_1"]
    drag(qtbot, masked, cells(masked, (1, 0), (3, 1)), SHIFT)
    assert seen(masks) == "1000/0011/0011/0011"
    qtbot.keyClick(masked, Key.Key_Up, SHIFT)
    qtbot.keyClick(masked, Key.Key_Escape)  # the block
    assert masks.paint.isChecked()
    scores = window.pipeline.panels["panel_scores_1"]
    drag(qtbot, scores, cells(scores, (2, 2)))
    assert window.selection.cell.place == "scores" and steps(masks) == 2
    qtbot.keyClick(panel, Key.Key_Escape)
    assert not masks.paint.isChecked() and panel.cursor().shape() == Qt.CursorShape.ArrowCursor
    drag(qtbot, panel, cells(panel, (3, 3)))
    assert len(clicked) == 2 and steps(masks) == 2


def test_whoever_leaves_the_tool_paints_no_more(masks: Tool) -> None:
    masks.paint.click()
    masks.window().lab.lab.show_list()
    assert not masks.panels.on and not masks.paint.isChecked()


# ---- torch ----


def run(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {"torch": torch}
    exec(text, space)
    return space


def test_the_copied_mask_is_what_torch_wants(qtbot: QtBot, masks: Tool) -> None:
    masks.bench.document.edit(
        masks.scene.replace(mask=(Causal(), Padding(keys=(True, True, False, True)))), "Mask"
    )
    visible = masks.scene.visible()
    copied = {}
    for key in ("sdpa", "mha", "padding", "additive"):
        qtbot.mouseClick(masks.torch.choice.buttons[key], LEFT)
        qtbot.mouseClick(masks.torch.copy, LEFT)
        copied[key] = run(QApplication.clipboard().text())
    assert copied["sdpa"]["attn_mask"].tolist() == visible.tolist()
    assert copied["mha"]["attn_mask"].tolist() == (~visible).tolist()
    assert copied["padding"]["key_padding_mask"].tolist() == [[False, False, True, False]]
    assert copied["padding"]["attn_mask"].tolist() == (~np.tri(4, dtype=bool)).tolist()
    assert copied["additive"]["attn_mask"].tolist() == np.where(visible, 0.0, -np.inf).tolist()
    assert masks.scene.extra["lab"]["masks"] == {"torch": "additive"}
    assert "added to the scaled scores" in masks.torch.note.text()
    masks.bench.document.undo()
    assert masks.torch.choice.key == "sdpa"  # one step for looking at them all


def test_without_padding_there_is_none_apart(masks: Tool) -> None:
    masks.bench.document.edit(
        masks.scene.replace(mask=(Causal(),), extra={"lab": {"masks": {"torch": "padding"}}}), ""
    )
    assert not masks.torch.choice.buttons["padding"].isEnabled()
    assert masks.torch.choice.key == "mha" and "True = blocked" in masks.torch.code


@pytest.mark.parametrize("entry", [None, 3, {}, {"torch": 3}, {"torch": "numpy"}, []])
def test_what_a_session_cannot_mean_is_the_first(entry: Any) -> None:
    assert kept_spelling(entry) == "sdpa"


# ---- sizes and sessions ----


def square(n: int, m: int, **fields: Any) -> Scene:
    rng = np.random.default_rng(0)
    eye = np.eye(2)
    return Scene(
        x=rng.normal(size=(n, 2)), context=rng.normal(size=(m, 2)), w_q=eye, w_k=eye, w_v=eye, **fields
    )


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 2), (2, 512), (512, 2), (512, 512)])
def test_every_size_is_painted_on(
    n: int, m: int, qtbot: QtBot, open_it: Callable[..., MainWindow], open_tool: OpenTool, tmp_path: Path
) -> None:
    save(square(n, m, mask=(Window(left=n, right=m),)), tmp_path / "size.attn.json")
    window = open_it(tmp_path / "size.attn.json")
    tool = open_tool(window, "masks")
    body = tool.map.body()
    assert body.right() <= tool.map.width() and body.height() <= 340
    drag(qtbot, tool.map, [body.center() + QPoint(0, 1), body.bottomRight() - QPoint(1, 1)])
    hidden = ~tool.scene.visible()
    row, col = tool.map.cell_at(body.center() + QPoint(0, 1))
    assert hidden[row, col] and hidden.sum() >= (min(n, m) > 2) * 200
    assert not tool.map.grab().isNull()
    save(window.document.scene, tmp_path / "painted.attn.json")
    assert load(tmp_path / "painted.attn.json").visible().tolist() == (~hidden).tolist()
    assert isinstance(mask_of(tool.scene, "custom"), Custom)
    qtbot.waitUntil(lambda: not window.engine.busy)


def test_zoomed_in_single_cells_are_hit(
    qtbot: QtBot, open_it: Callable[..., MainWindow], open_tool: OpenTool, tmp_path: Path
) -> None:
    save(square(300, 300), tmp_path / "large.attn.json")
    window = open_it(tmp_path / "large.attn.json")
    tool = open_tool(window, "masks")
    tool.map.setFocus()
    for _ in range(12):
        qtbot.keyClick(tool.map, Key.Key_Plus)
    cell = tool.map.cell_rect(3, 5)
    assert cell.width() >= 10
    drag(qtbot, tool.map, [cell.center()])
    assert np.argwhere(~tool.scene.visible()).tolist() == [[3, 5]]
    assert tool.map.zoom > 1  # the stroke left the view where it was
    qtbot.waitUntil(lambda: not window.engine.busy)
