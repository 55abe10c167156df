"""By keyboard and by ear: everything can be reached and left again, has a name, and says where one is."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction, QImage
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QMenu, QWidget
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.trace import Cell
from explorer.reshape import with_w_o
from explorer.scene import Scene
from explorer.ui import aloud, language, theme
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.lab.lab import TOOLS
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.panel import Panel
from tests.ui.conftest import Opener
from tests.ui.language_helpers import filled

Key = Qt.Key


@pytest.fixture
def busy_window(qtbot: QtBot, open_it: Opener) -> MainWindow:
    """Two heads, a mask, a chosen number, a lesson: much to walk through."""
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    window.lessons.open("heads")
    qtbot.waitUntil(lambda: window.lessons.play.session.own is not None)
    window.lessons.play.close()
    window.lessons.open("by-hand")
    qtbot.waitUntil(lambda: window.lessons.play.session.own is not None)
    window.document.edit(window.document.scene.with_heads(2), "two heads")
    window.selection.select(Cell("weights", 1, 1, 0))
    window.inspector.refresh()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QApplication.processEvents()
    return window


def reachable(window: QWidget) -> list[QWidget]:
    """What a person can do something with by keyboard."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget.parent(), QAbstractSpinBox)  # its line is a part of it
        and not by_arrows(widget)
    ]


def by_arrows(widget: QWidget) -> bool:
    """One of several of which one is chosen: Tab comes to that one, arrows go on to the others."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive() and not widget.isChecked()


def called(widget: QWidget) -> str:
    """What screen readers call it. Of a box with choices Linux reads the label instead, so its own name counts."""
    if isinstance(widget, QComboBox):
        return widget.accessibleName()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) or widget.accessibleName()


def walk(qtbot: QtBot, start: QWidget, key: Key) -> list[QWidget]:
    """Where Tab leads to, until it is back at the start."""
    start.setFocus(Qt.FocusReason.TabFocusReason)
    seen = [start]
    for _press in range(2000):
        qtbot.keyClick(QApplication.focusWidget(), key)
        now = QApplication.focusWidget()
        if now is start and len(seen) > 1 and seen[-1] is not start:
            return seen
        if now is not seen[-1]:
            seen.append(now)
    raise AssertionError(f"caught in {seen[-1]}")


def test_everything_has_a_name(busy_window: MainWindow) -> None:
    nameless = [widget for widget in reachable(busy_window) if not called(widget)]
    assert nameless == []


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_everything_in_the_lab_has_a_name_and_is_reached(qtbot: QtBot, open_it: Opener, tool: str) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    window.document.edit(with_w_o(window.document.scene, True), "W_o")
    window.selection.select(Cell("weights", 0, 2, 1))
    window.lab.open(tool)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QApplication.processEvents()
    wanted = reachable(window.lab.dock)
    assert [widget for widget in wanted if not called(widget)] == []
    seen = walk(qtbot, window.controls.heads, Key.Key_Backtab)  # the lab is the last part
    assert [widget for widget in wanted if widget not in seen] == []


@pytest.mark.parametrize("key", [Key.Key_Tab, Key.Key_Backtab])
def test_tab_comes_everywhere_and_back(qtbot: QtBot, busy_window: MainWindow, key: Key) -> None:
    seen = walk(qtbot, busy_window.controls.heads, key)
    assert [widget for widget in reachable(busy_window) if widget not in seen] == []


def test_tab_goes_from_part_to_part_as_one_reads(qtbot: QtBot, busy_window: MainWindow) -> None:
    seen = walk(qtbot, busy_window.lessons.button, Key.Key_Tab)
    parts = (
        busy_window.toolbar, busy_window.inputs_dock, busy_window.pipeline, busy_window.inspector_dock,
        busy_window.lessons.dock,
    )  # fmt: skip
    order = [number for widget in seen for number, part in enumerate(parts) if part.isAncestorOf(widget)]
    assert order == sorted(order)
    panels = [widget for widget in seen if isinstance(widget, Panel)]
    assert all((a.y() // 100, a.x()) < (b.y() // 100, b.x()) or a.y() < b.y() for a, b in pairwise(panels))
    pane = [widget.objectName() for widget in seen if busy_window.lessons.dock.isAncestorOf(widget)]
    assert pane.index("lesson_answer") < pane.index("lesson_check") < pane.index("lesson_hint")
    assert pane.index("lesson_hint") < pane.index("lesson_next")


def test_ctrl_tab_leaves_a_grid_of_whatever_size(qtbot: QtBot, window: MainWindow) -> None:
    grid = window.inputs.grid("x")
    grid.setFocus(Qt.FocusReason.TabFocusReason)
    grid.select_cell(0, 0)
    qtbot.keyClick(grid, Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert not grid.hasFocus() and "Ctrl+Tab" in grid.accessibleDescription()
    after = QApplication.focusWidget()
    assert after is not grid
    grid.setFocus()
    qtbot.keyClick(grid, Key.Key_Tab, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert not grid.hasFocus() and QApplication.focusWidget() is not after


def test_a_panel_says_where_one_is(qtbot: QtBot, window: MainWindow, heard: list[str]) -> None:
    panel = window.pipeline.panels["panel_weights_1"]
    assert panel.accessibleName() == "weights"
    panel.setFocus()
    first, second = (repr(value) for value in panel.matrix()[0].tolist())
    assert panel.accessibleDescription() == f"row 1 “a1” · column 1 “a1” · {first}"
    qtbot.keyClick(panel, Key.Key_Right)
    assert heard[-1] == f"row 1 “a1” · column 2 “a2” · {second}" == panel.accessibleDescription()
    count = len(heard)
    window.document.edit(window.document.scene.with_cell("w_q", 0, 0, 1.0), "the same")
    assert len(heard) == count
    window.document.edit(window.document.scene.with_cell("w_q", 0, 0, 3.0), "another")
    assert (
        len(heard) == count + 1 and heard[-1] != heard[-2] and heard[-1].startswith("row 1 “a1” · column 2")
    )
    window.covers.cover([Cell("weights", 0, 0, 1)])
    assert heard[-1] == "row 1 “a1” · column 2 “a2” · covered: click to guess the number"


def test_a_panel_is_called_by_its_stage_and_head(window: MainWindow) -> None:
    window.document.edit(window.document.scene.with_heads(2), "two heads")
    names = {name: panel.accessibleName() for name, panel in window.pipeline.panels.items()}
    assert names["panel_weights_2"] == "weights · head 2" and names["panel_concat"] == "concat"


def test_the_bars_of_a_row_say_which_key(qtbot: QtBot, window: MainWindow, heard: list[str]) -> None:
    window.selection.select(Cell("weights", 0, 0, 1))
    window.inspector.refresh()
    bars = window.inspector.cards.row.bars
    bars.setFocus()
    qtbot.keyClick(bars, Key.Key_Up)
    assert heard[-1] == "a1 0.33"


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a screen reader would read."""
    said: list[str] = []

    class Listening:
        @staticmethod
        def isActive() -> bool:
            return True

        @staticmethod
        def updateAccessibility(event: object) -> None:
            said.append(event.message())  # type: ignore[attr-defined]

    monkeypatch.setattr(aloud, "QAccessible", Listening)
    yield said


def test_in_the_presenter_arrows_walk_where_tab_has_come(qtbot: QtBot, window: MainWindow) -> None:
    window.present()
    presenter = window.presenter
    qtbot.waitUntil(presenter.isActiveWindow)
    presenter.go(4)
    panel = presenter.panels[-1]
    assert panel.accessibleName() == "raw scores"
    panel.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(panel, Key.Key_Down)
    qtbot.keyClick(panel, Key.Key_Left)
    assert presenter.index == 4 and presenter.place.cell == Cell("scores", 0, 1, 0) and panel.hasFocus()
    qtbot.keyClick(panel, Key.Key_Space)
    assert presenter.index == 5
    presenter.close()


def test_one_head_alone_by_keyboard(qtbot: QtBot, busy_window: MainWindow) -> None:
    busy_window.pipeline.panels["panel_scores_2"].setFocus()
    busy_window.findChild(QAction, "one_head").trigger()
    assert busy_window.pipeline.only == 1
    busy_window.findChild(QAction, "all_heads").trigger()
    assert busy_window.pipeline.only is None


# ---- menus ----


@pytest.mark.parametrize("code", list(language.LANGUAGES))
def test_in_a_menu_every_key_is_there_once(
    request: pytest.FixtureRequest, open_it: Opener, code: str
) -> None:
    if code == "zh_CN":
        request.getfixturevalue("chinese")
    window = open_it()
    bar = window.menuBar()
    menus = [filled(menu) for menu in bar.findChildren(QMenu)]
    for actions in ([action for action in bar.actions()], *[menu.actions() for menu in menus]):
        keys = [key for action in actions if (key := mark(action.text()))]
        assert len(keys) == len(set(keys)), keys
    shortcuts = [key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()]
    assert {key for key in shortcuts if shortcuts.count(key) > 1} == set()


def mark(text: str) -> str:
    """The letter that is marked in 'Save &As…'."""
    plain = text.replace("&&", "")
    return plain[plain.index("&") + 1].lower() if "&" in plain else ""


# ---- colour is never alone ----


def grey(panel: QWidget) -> np.ndarray:
    image = panel.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()].copy()


def marked(panel: Panel, mark_it: Callable[[Panel], None]) -> np.ndarray:
    panel.set_marks(Marks())
    panel.set_pointed(())
    mark_it(panel)
    return grey(panel)


def test_frames_differ_without_their_colours(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where all frames are of one grey, what a frame means is seen by its line."""
    one = theme.LIGHT.selection
    monkeypatch.setitem(theme.THEMES, "light", replace(theme.LIGHT, source=one, dependent=one, accent=one))
    panel = window.pipeline.panels["panel_scores_1"]
    block = ((range(0, 1), range(0, 2)),)
    looks = [
        marked(panel, lambda p: p.set_marks(Marks(sources=block))),
        marked(panel, lambda p: p.set_marks(Marks(dependents=block))),
        marked(panel, lambda p: p.set_pointed(block)),
        marked(panel, lambda p: p.set_marks(Marks(selected=(0, 0)))),
        marked(panel, lambda p: p.set_covered(frozenset({(0, 0), (0, 1)}))),
    ]
    assert all((a != b).sum() > 30 for n, a in enumerate(looks) for b in looks[n + 1 :])


def test_hidden_cells_are_hatched_and_not_only_pale(window: MainWindow) -> None:
    window.controls.mask.click()
    panel = window.pipeline.panels["panel_weights_1"]
    picture, rect = grey(panel), panel.cell_rect(0, 1)
    hidden = picture[rect.top() + 2 : rect.bottom() - 2, rect.left() + 2 : rect.right() - 2]
    first = panel.cell_rect(1, 1)
    seen = picture[first.top() + 2 : first.top() + 6, first.left() + 2 : first.right() - 2]
    assert len(np.unique(hidden[:3])) > 1 and len(np.unique(seen)) == 1


def test_verdicts_bear_a_mark(qtbot: QtBot, window: MainWindow) -> None:
    window.covers.cover([Cell("weights", 0, 0, 1)])
    window.covers.guess_asked.emit(Cell("weights", 0, 0, 1))
    line = window.guess.findChild(QWidget, "guess_line")
    verdict = window.guess.findChild(QWidget, "guess_verdict")
    for typed, sign in (("7", "✗"), ("0.67", "✓")):
        line.clear()
        qtbot.keyClicks(line, typed)
        qtbot.keyClick(line, Key.Key_Return)
        assert verdict.text().startswith(sign)
    agreement = window.findChild(QWidget, "agreement")
    qtbot.waitUntil(lambda: agreement.text() != "")
    assert agreement.text()[0] in "✓✗"


def test_every_grid_is_named(window: MainWindow) -> None:
    names = {grid.accessibleName() for grid in window.findChildren(MatrixGrid)}
    assert len(names) == len(window.findChildren(MatrixGrid)) and all(names)
    assert isinstance(window.document.scene, Scene)
