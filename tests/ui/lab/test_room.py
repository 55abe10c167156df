"""The lab in the window: closed at first, one entry per tool, and a note above the panels."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from explorer.ui import theme
from explorer.ui.lab.lab import TOOLS
from explorer.ui.lab.tool import Tool, with_look
from explorer.ui.main_window import MainWindow

OpenTool = Callable[[MainWindow, str], Tool]


def test_the_lab_is_closed_at_first_and_nothing_of_it_is_made(window: MainWindow) -> None:
    assert window.lab.dock.isHidden()
    assert window.lab.dock.objectName() == "lab_dock"
    assert window.lab.lab is None
    assert window.lab.note.isHidden()


def test_every_tool_has_an_entry_and_says_what_it_answers(window: MainWindow) -> None:
    assert len({tool.name for tool in TOOLS}) == len(TOOLS)
    for tool in TOOLS:
        assert window.findChild(QAction, f"menu_lab_{tool.name}") is not None
        assert tool.title() and tool.question().endswith("?")
        assert "{" not in tool.question()
    assert window.lab.button.menu() is not None


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_fits_the_dock_and_can_be_walked_through(
    tool: type[Tool], cats: MainWindow, open_tool: OpenTool, qtbot: QtBot
) -> None:
    page = open_tool(cats, tool.name)
    cats.resizeDocks([cats.lab.dock], [300], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: page.isVisible())
    assert page.minimumSizeHint().width() <= 300 - 24 - 14, page.name
    for button in (*page.findChildren(QPushButton), *page.findChildren(QToolButton)):
        if button.isVisibleTo(page) and button.isEnabled():
            assert button.text() or button.accessibleName()


def test_from_the_list_to_a_tool_and_back_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    window.lab.open(TOOLS[0].name)
    lab = window.lab.lab
    back = window.findChild(QToolButton, "lab_back")
    qtbot.mouseClick(back, Qt.MouseButton.LeftButton)
    assert lab.tool is None
    button = window.findChild(QPushButton, f"open_{TOOLS[0].name}")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert isinstance(lab.tool, TOOLS[0])


def test_a_is_pinned_by_its_key(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(
        window, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    qtbot.waitUntil(lambda: window.lab.tool == "compare")
    assert window.document.undo_stack.undoText() == "Pin A"
    assert window.lab.lab.tool.a.scene.x.tolist() == [[1, 1], [1, 0]]


def test_choosing_what_is_chosen_already_is_no_step(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    for name in ("compare", "slips"):
        tool = open_tool(window, name)
        qtbot.mouseClick(tool.choice.buttons[""], Qt.MouseButton.LeftButton)
    assert window.document.undo_stack.count() == 0


def test_a_tool_does_not_say_that_the_panels_show_what_they_do_not(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    compare = open_tool(window, "compare")
    qtbot.mouseClick(compare.pin, Qt.MouseButton.LeftButton)
    assert compare.choice.buttons[""].isChecked()
    slips = open_tool(window, "slips")
    slips.slip.setCurrentIndex(slips.slip.findData("softmax_over_queries"))
    slips.slip.activated.emit(slips.slip.currentIndex())
    assert slips.choice.buttons["wrong"].isChecked()
    open_tool(window, "compare")
    assert not any(button.isChecked() for button in compare.choice.buttons.values())
    reached = [key for key, b in compare.choice.buttons.items() if b.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert reached == [""]  # by Tab, as ever
    qtbot.mouseClick(compare.choice.buttons["difference"], Qt.MouseButton.LeftButton)
    open_tool(window, "slips")
    assert not any(button.isChecked() for button in slips.choice.buttons.values())
    qtbot.mouseClick(slips.choice.buttons[""], Qt.MouseButton.LeftButton)
    assert window.lab.note.isHidden() and slips.choice.buttons[""].isChecked()
    weights = window.pipeline.panels["panel_weights_1"].matrix()
    assert weights.sum(axis=1) == pytest.approx([1, 1])  # not the slip's, nor B − A
    assert open_tool(window, "compare").choice.buttons[""].isChecked()


@pytest.mark.parametrize("show", ["wrong", "no such view"])
def test_a_session_that_keeps_an_unknown_view_shows_what_was_computed(
    show: str, window: MainWindow, open_tool: OpenTool
) -> None:
    tool = open_tool(window, "compare")
    tool.pin.click()
    window.document.edit(with_look(window.document.scene, "compare", show), "Somebody's own")
    assert window.lab.note.isHidden() and tool.choice.buttons[""].isChecked()


def test_other_colours_reach_tools_that_are_out_of_sight(
    qtbot: QtBot, window: MainWindow, open_tool: OpenTool
) -> None:
    first, second = (open_tool(window, tool.name) for tool in TOOLS[:2])
    window.lab.dock.hide()
    theme.set_mode("dark")
    dark = theme.DARK.surface.name()
    lab = window.lab.lab
    assert lab is not None
    qtbot.waitUntil(lambda: all(dark in wearer.styleSheet() for wearer in lab.wearers))
    for tool in (first, second):
        assert any(wearer.isAncestorOf(tool) for wearer in lab.wearers)
