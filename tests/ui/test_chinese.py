"""The window in Chinese: nothing on it, in its menus and in what it tells screen readers is left in English."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import POSITIONS
from explorer.attention.trace import STAGES, Cell
from explorer.files.session import load
from explorer.reshape import with_context, with_w_o
from explorer.ui.actions import example_scenes
from explorer.ui.choices import start_position
from explorer.ui.grids.bubble import Bubble
from explorer.ui.grids.fill import FILLS
from explorer.ui.lab.lab import TOOLS
from explorer.ui.main_window import MainWindow
from explorer.ui.options import OptionsButton
from explorer.ui.panels.panel import Panel
from explorer.ui.texts import EXAMPLES, scene_title
from tests.ui.conftest import Opener
from tests.ui.dialogs import when_asked
from tests.ui.language_helpers import drawn, english, filled, said


def test_titles_of_examples_are_known(chinese: None) -> None:
    titles = [load(path).title for path in example_scenes()]
    assert sorted(titles) == sorted(EXAMPLES)
    assert all(scene_title(title) != title for title in titles)
    assert scene_title("My own") == "My own" and scene_title("") == ""


def words_of(window: MainWindow) -> set[str]:
    """What a person has written into the scene."""
    scene = window.document.scene
    return {word for label in (*scene.tokens, *scene.context_tokens) for word in label.split()}


def untranslated(texts: Iterator[tuple[str, str]], besides: set[str]) -> list[tuple[str, str]]:
    return sorted({(place, text) for place, text in texts if english(text, besides)})


def everything(window: QWidget, unseen: bool = True) -> Iterator[tuple[str, str]]:
    yield from said(window, unseen)
    yield from (("drawn", text) for text in drawn(window))


@pytest.mark.parametrize(
    "name", ["two-tokens", "cat-sat-down", "translation", "nothing-to-see", "rotary", "shared-keys"]
)
def test_the_window_speaks_chinese(qtbot: QtBot, chinese: None, open_it: Opener, name: str) -> None:
    window = open_it(resources.path("scenes", f"{name}.attn.json"))
    qtbot.waitUntil(lambda: window.findChild(QWidget, "agreement").text() != "")
    found = untranslated(everything(window), words_of(window))
    found += untranslated((("pipeline", text) for text in drawn(window.pipeline)), words_of(window))
    for menu in window.menuBar().findChildren(QMenu):
        found += untranslated(said(filled(menu)), words_of(window) | {"home", "root", "tmp"})
    for stage in STAGES:
        cell = Cell(stage.name, None if stage.per == "scene" else 0, 0, 0)
        window.selection.select(cell)
        window.inspector.refresh()
        found += untranslated(everything(window.inspector), words_of(window))
        panel = window.pipeline.panels.get(f"panel_{stage.name}" + ("" if cell.head is None else "_1"))
        if panel is not None:
            found += untranslated(iter([("tip", panel.describe(0, 0))]), words_of(window))
    assert found == []


MASKS_ALL = (
    Causal(),
    Padding(keys=(False, False, True, True)),
    Window(left=2, right=1),
    Custom(table=np.tri(4, dtype=bool)),
)


def test_the_popovers_speak_chinese(qtbot: QtBot, chinese: None, open_it: Opener) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    controls, scene = window.controls, window.document.scene
    window.document.edit(scene.replace(mask=MASKS_ALL, softcap=20.0, scale=0.3), "many")
    buttons = [controls.mask_options, controls.scale_options]
    found = [each for button in buttons for each in opened(button, words_of(window))]
    for kind in POSITIONS:
        window.document.edit(scene.replace(position=start_position(kind, scene)), "position")
        found += untranslated(everything(controls), words_of(window))
        if controls.position_options.isEnabled():
            found += opened(controls.position_options, words_of(window))
    found += untranslated(iter([("undo", text) for text in undo_texts(window)]), {"many", "position"})
    assert found == []


def opened(button: OptionsButton, besides: set[str]) -> list[tuple[str, str]]:
    popover = button.open()
    found = untranslated(everything(popover), besides)
    popover.close()
    return found


def undo_texts(window: MainWindow) -> list[str]:
    stack = window.document.undo_stack
    return [stack.text(index) for index in range(stack.count())]


def test_undo_steps_are_called_in_chinese(qtbot: QtBot, chinese: None, window: MainWindow) -> None:
    controls, grid = window.controls, window.inputs.grid("x")
    controls.heads.setValue(2)
    controls.mask.click()
    controls.scale.click()
    controls.mask_kind.setCurrentIndex(controls.mask_kind.findData("window"))
    controls.position.setCurrentIndex(controls.position.findData("rotary"))
    controls.position.setCurrentIndex(controls.position.findData("learned"))
    controls.dtype.setCurrentIndex(controls.dtype.findData("float32"))
    grid.select_cell(0, 0)
    for fill in FILLS:
        grid.fill(fill)
    grid.copy()
    grid.select_cell(1, 0)
    grid.paste()
    grid.clear_cells()
    grid.commands.insert_token(0)
    grid.commands.move_tokens([0], 2)
    grid.commands.rename_token(0, "新")
    grid.commands.delete_tokens([0])
    grid.commands.resize("d_model", 3)
    for name in ("w_o", "b_q", "context"):
        window.inputs.grid(name).commands.switch(True)
        window.inputs.grid(name).commands.switch(False)
    texts = undo_texts(window)
    assert len(texts) > 20
    assert untranslated((("undo", text) for text in texts), set()) == []
    undo = window.findChild(QAction, "undo").text()
    assert undo.startswith("撤销(&U) ") and texts[-1] in undo


def test_the_menus_of_grids_speak_chinese(qtbot: QtBot, chinese: None, window: MainWindow) -> None:
    window.document.edit(with_context(with_w_o(window.document.scene, True), np.eye(2)), "more")
    found = []
    for name, section in window.inputs.sections.items():
        for row in (None, 0):
            if row is not None and window.document.scene.matrix(name) is not None:
                section.grid.select_cell(0, 0)
            found += untranslated(said(filled(section.grid.menu)), words_of(window))
    assert found == []


def test_what_cannot_be_is_said_in_chinese(qtbot: QtBot, chinese: None, window: MainWindow) -> None:
    window.controls.heads.setValue(3)
    grid = window.inputs.grid("w_q")
    grid.select_cell(0, 0)
    grid.setFocus()
    for key in "2*)":
        qtbot.keyClick(QApplication.focusWidget(), key)
    QApplication.clipboard().setText("1 2\n3")
    window.inputs.grid("x").paste()
    window.files.open(resources.path("scenes", "none.attn.json"), ask=False)
    bubbles = [bubble.text() for bubble in window.findChildren(Bubble) if bubble.text()]
    assert len(bubbles) == 3 and "没有这个文件" in window.banner.text
    assert untranslated((("said", text) for text in [*bubbles, window.banner.text]), set()) == []


@pytest.mark.parametrize("name", ["cat-sat-down", "translation", "nothing-to-see"])
def test_the_presenter_speaks_chinese(qtbot: QtBot, chinese: None, open_it: Opener, name: str) -> None:
    window = open_it(resources.path("scenes", f"{name}.attn.json"))
    window.present()
    presenter = window.presenter
    found = []
    for index in range(len(presenter.steps)):
        presenter.go(index)
        QApplication.processEvents()
        found += untranslated(everything(presenter), words_of(window))
        found += [each for panel in presenter.panels for each in untranslated(named(panel), words_of(window))]
    qtbot.keyClick(presenter, Qt.Key.Key_P)
    last = presenter.panels[-1]
    qtbot.mouseClick(last, Qt.MouseButton.LeftButton, pos=last.cell_rect(0, 0).center())
    guess = presenter.findChild(QWidget, "guess")
    assert guess.isVisible()
    qtbot.keyClicks(guess.findChild(QWidget, "guess_line"), "77")
    qtbot.keyClick(guess.findChild(QWidget, "guess_line"), Qt.Key.Key_Return)
    found += untranslated(everything(guess), words_of(window))
    presenter.close()
    assert found == []


def named(panel: Panel) -> Iterator[tuple[str, str]]:
    yield from (("presented", text) for text in drawn(panel))
    yield "tip", panel.describe(0, 0)


def test_dialogs_speak_chinese(qtbot: QtBot, chinese: None, window: MainWindow) -> None:
    """Also the buttons that are Qt's own."""
    files, seen = window.files, []

    def look(dialog: QWidget) -> None:
        seen.append(list(said(dialog)))
        dialog.close()

    for ask in (files._discard_dialog, files._open_dialog, lambda: files._save_dialog(Path("a.attn.json"))):
        when_asked(look)
        ask()
    for name in ("about",):
        when_asked(look)
        window.findChild(QAction, name).trigger()
    assert len(seen) == 4 and all(seen)
    texts = {text for dialog in seen for _place, text in dialog}
    assert {"打开会话", "保存会话", "取消", "保存"} <= {re.sub(r"\(&\w\)|&", "", text) for text in texts}
    assert untranslated(iter(seen[0]), set()) == []


def test_a_lesson_speaks_chinese(qtbot: QtBot, chinese: None, window: MainWindow) -> None:
    window.lessons.open("by-hand")
    pane, play = window.lessons.pane, window.lessons.play
    found = []
    for index in range(len(play.progress.lesson.steps)):
        play.go(index)
        qtbot.waitUntil(lambda: play.session.own is not None)
        found += untranslated(everything(pane), words_of(window))
    found += untranslated(said(window.lessons.dock), words_of(window))
    found += untranslated(said(filled(window.lessons.button.menu())), words_of(window))
    assert window.windowTitle().startswith("亲手算一遍自注意力")
    assert found == []


CODE = set(
    "PyTorch NumPy GPT Transformer small base CSV npz safetensors Markdown Letter Frobenius dpi KiB MiB"
    " True False".split()
)


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_the_lab_speaks_chinese(qtbot: QtBot, chinese: None, open_it: Opener, tool: str) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    window.document.edit(with_w_o(window.document.scene, True), "W_o")
    window.selection.select(Cell("weights", 0, 2, 1))
    window.lab.open(tool)
    found = untranslated(said(window.toolbar), words_of(window))
    for button in (None, *window.lab.dock.findChildren(QToolButton)):
        if button is None or (button.isCheckable() and button.isVisible()):
            if button is not None:
                button.click()
            QApplication.processEvents()
            found += untranslated(page(window.lab.dock, tool), words_of(window) | CODE)
    assert found == []


def page(dock: QWidget, tool: str) -> Iterator[tuple[str, str]]:
    """What a tool says; programs are in English."""
    if tool in ("code", "masks"):
        return (each for each in said(dock, unseen=False) if not each[0].endswith(("code_text", "mask_code")))
    return everything(dock, unseen=False)


def test_exports_speak_chinese(qtbot: QtBot, chinese: None, open_it: Opener) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    seen: list[tuple[str, str]] = []

    def look(dialog: QWidget) -> None:
        seen.extend(everything(dialog))
        dialog.close()

    for name in ("export_picture", "export_numbers", "worksheet"):
        when_asked(look)
        window.findChild(QAction, name).trigger()
    seen += [
        each for panel in window.pipeline.panels.values() for each in said(window.exports.panel_menu(panel))
    ]
    assert len(seen) > 60
    assert untranslated(iter(seen), words_of(window) | CODE) == []
