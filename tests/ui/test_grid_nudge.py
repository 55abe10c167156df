"""Numbers stepped by wheel, drag and keys: one gesture is one undo step."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.ui.grid_helpers import ALT, CTRL, SHIFT, Key, Shown, scene, show

NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def shown(qtbot: QtBot) -> Shown:
    return show(qtbot)


def wheel(shown: Shown, row: int, col: int, angle: int, modifiers: Qt.KeyboardModifier = NONE) -> bool:
    """Turn the wheel over a cell; whether the grid took it."""
    view, at = shown.grid.viewport(), QPointF(shown.at(row, col))
    event = QWheelEvent(
        at, QPointF(view.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, angle),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def drag(shown: Shown, row: int, col: int, *way: tuple[int, int]) -> None:
    """Press on a cell, move by each (x, y) from there, release."""
    view, at = shown.grid.viewport(), shown.at(row, col)
    shown.qtbot.mousePress(view, LEFT, pos=at)
    for x, y in way:
        shown.qtbot.mouseMove(view, at + QPoint(x, y))
    shown.qtbot.mouseRelease(view, LEFT, pos=at + QPoint(*way[-1]))


@pytest.mark.parametrize(
    ("angle", "modifiers", "value"),
    [
        (120, NONE, 7.1),
        (-120, NONE, 6.9),
        (360, NONE, 7.3),
        (120, SHIFT, 8.0),
        (120, CTRL, 7.01),
        (-120, ALT, 6.99),
    ],
)
def test_wheel_on_the_current_number(
    shown: Shown, angle: int, modifiers: Qt.KeyboardModifier, value: float
) -> None:
    shown.click(1, 2)
    wheel(shown, 1, 2, angle, modifiers)
    assert shown.scene.w_q[1, 2] == value
    assert shown.steps == ["Nudge W_q[2,3]"]


def test_steps_of_one_gesture_are_one_undo_step_and_add_up_in_decimals(shown: Shown) -> None:
    shown.click(0, 0)
    for _ in range(3):
        wheel(shown, 0, 0, 120)
    assert shown.scene.w_q[0, 0] == 1.3
    for _ in range(30):
        wheel(shown, 0, 0, -40)  # a touchpad: three of these are a notch
    assert shown.scene.w_q[0, 0] == 0.3
    assert shown.steps == ["Nudge W_q[1,1]"]
    shown.document.undo()
    assert shown.scene.w_q[0, 0] == 1


def test_there_and_back_leaves_no_step(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    wheel(shown, 0, 0, 240)
    wheel(shown, 0, 0, -240)
    assert shown.scene is start and shown.steps == []


def test_another_cell_or_a_pause_is_another_gesture(shown: Shown) -> None:
    shown.click(0, 0)
    wheel(shown, 0, 0, 120)
    shown.click(0, 1)
    wheel(shown, 0, 1, 120)
    shown.grid.nudger.end()  # as the pause does
    wheel(shown, 0, 1, 120)
    assert shown.steps == ["Nudge W_q[1,1]", "Nudge W_q[1,2]", "Nudge W_q[1,2]"]


def test_wheel_elsewhere_is_left_to_what_scrolls_around_the_grid(shown: Shown) -> None:
    start = shown.scene
    shown.click(0, 0)
    assert wheel(shown, 0, 0, 0)
    assert not wheel(shown, 1, 1, 120)  # not the current number
    shown.other.setFocus()
    assert not wheel(shown, 0, 0, 120)  # the grid has not the focus
    assert shown.scene is start


def test_drag_on_the_selected_number(shown: Shown) -> None:
    shown.click(1, 2)
    drag(shown, 1, 2, (0, -16), (0, -40))
    assert shown.scene.w_q[1, 2] == 7.5
    assert shown.steps == ["Nudge W_q[2,3]"]
    drag(shown, 1, 2, (-80, 0))
    assert shown.scene.w_q[1, 2] == 6.5
    assert shown.steps == ["Nudge W_q[2,3]"] * 2
    block = shown.grid.block()
    assert block is not None and block.size == 1


def test_escape_takes_a_drag_back(shown: Shown) -> None:
    start = shown.scene
    shown.click(1, 2)
    view, at = shown.grid.viewport(), shown.at(1, 2)
    shown.qtbot.mousePress(view, LEFT, pos=at)
    shown.qtbot.mouseMove(view, at + QPoint(0, -40))
    assert shown.scene.w_q[1, 2] == 7.5
    shown.press(Key.Key_Escape)
    assert shown.scene is start and shown.steps == []
    shown.qtbot.mouseMove(view, at + QPoint(0, -80))
    shown.qtbot.mouseRelease(view, LEFT, pos=at)
    assert shown.scene is start


def test_a_click_on_the_selected_number_is_no_drag(shown: Shown) -> None:
    start = shown.scene
    shown.click(1, 2)
    drag(shown, 1, 2, (1, 1))
    assert shown.scene is start
    assert shown.grid.editor() is None


def test_columns_keep_their_width_during_a_gesture(shown: Shown) -> None:
    shown.click(0, 3)
    before = shown.grid.columnWidth(0)
    for _ in range(10):
        wheel(shown, 0, 3, -12, CTRL)
    wheel(shown, 0, 3, -1200, CTRL)
    assert shown.grid.model().text(0, 3) == "3.89"
    assert shown.grid.columnWidth(0) == before
    shown.grid.nudger.end()
    assert shown.grid.columnWidth(0) > before


@pytest.mark.parametrize(
    ("key", "modifiers", "change"),
    [(Key.Key_Up, ALT, 0.1), (Key.Key_Down, ALT, -0.1), (Key.Key_Up, ALT | CTRL, 0.01)],
)
def test_keys_nudge_all_selected(
    shown: Shown, key: Key, modifiers: Qt.KeyboardModifier, change: float
) -> None:
    shown.click(0, 1)
    shown.press(Key.Key_Right, SHIFT)
    shown.press(key, modifiers)
    assert shown.scene.w_q[0].tolist() == pytest.approx([1, 2 + change, 3 + change, 4])
    assert shown.steps == ["Nudge W_q[1,2 … 1,3]"]


def test_infinity_stays(qtbot: QtBot) -> None:
    start = scene(w_q=np.array([[np.inf, np.nan, 1, 2], [3, 4, 5, 6]]))
    shown = show(qtbot, start=start)
    shown.click(0, 0)
    wheel(shown, 0, 0, 120)
    shown.click(0, 1)
    wheel(shown, 0, 1, 120)
    assert shown.scene is start
