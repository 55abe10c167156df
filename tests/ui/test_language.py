"""Another language while the program runs: everything is said in it, and one is where one was."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer import app, cli, resources
from explorer.attention.trace import Cell
from explorer.reshape import with_w_o
from explorer.ui import language
from explorer.ui.files import Answer
from explorer.ui.grids.commands import Block
from explorer.ui.main_window import MainWindow
from explorer.ui.preferences import preferences
from explorer.ui.veil import Seen, Veil
from tests.ui.conftest import Opener
from tests.ui.language_helpers import drawn, english, in_another_language, said


@pytest.fixture(autouse=True)
def spoken(built_translations: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[None]:
    """The translations as built, and English again afterwards."""
    monkeypatch.setattr(language, "TRANSLATIONS", built_translations)
    yield
    language.choose("en")
    language.apply()


def switch(window: MainWindow, code: str) -> MainWindow:
    """Choose a language in the menu; the window that is there then."""
    new = in_another_language(window, code)
    new.files.ask_discard = lambda: Answer.DISCARD
    QApplication.processEvents()
    return new


def checked(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until torch's check has come, the last word of all that is said of a scene."""
    qtbot.waitUntil(lambda: window.findChild(QLabel, "agreement").text() != "")


def test_everything_changes_back_and_forth(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(760, 700)  # within the offscreen platform's screen
    checked(qtbot, window)
    before = {text for _place, text in said(window)} | set(drawn(window.pipeline))
    window.selection.select(Cell("weights", 0, 0, 1))
    chinese = switch(window, "zh_CN")
    texts = {text for _place, text in said(chinese)} | set(drawn(chinese.pipeline))
    assert {text for text in texts if english(text, {"Two", "tokens"})} == set()
    assert chinese.findChild(QAction, "language_zh_CN").isChecked()
    back = switch(chinese, "en")
    back.selection.select(None)
    checked(qtbot, back)
    assert {text for _place, text in said(back)} | set(drawn(back.pipeline)) >= before - {"loading torch …"}


def test_one_is_where_one_was(qtbot: QtBot, open_it: Opener) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    window.document.edit(with_w_o(window.document.scene, True), "W_o")
    walk = [Cell("output", None, 1, 0), Cell("concat", None, 1, 0), Cell("weights", 1, 1, 0)]
    for cell in walk:
        window.selection.walk(cell)
    covered = {Cell("weights", 1, 2, 0), Cell("scores", 0, 1, 1)}
    window.covers.cover(covered)
    window.covers.set_covering(True)
    window.inputs.tabs.setCurrentIndex(2)
    window.pipeline.set_zoom(1.6)
    window.pipeline.verticalScrollBar().setValue(120)
    window.pipeline.panels["panel_weights_2"].setFocus()
    scene, steps = window.document.scene, window.document.undo_stack.count()
    for code in ("zh_CN", "en"):
        window = switch(window, code)
        assert window.document.scene is scene and window.document.undo_stack.count() == steps
        assert (*window.selection.trail, window.selection.cell) == tuple(walk)
        assert window.covers.cells == covered and window.findChild(QAction, "cover").isChecked()
        assert window.inputs.tabs.currentIndex() == 2 and window.pipeline.zoom == 1.6
        assert window.pipeline.verticalScrollBar().value() == 120
        assert QApplication.focusWidget() is window.pipeline.panels["panel_weights_2"]
    window.pipeline.show_head(1)
    assert switch(window, "zh_CN").pipeline.only == 1


def test_what_veils_a_new_window_is_no_part_of_it(open_it: Opener) -> None:
    """It goes soon: a second change in another language would look at it when it is gone."""
    window = open_it()
    parts = window.wardrobe.parts_in_view()
    Veil(window, Seen.of(parts[0]))
    assert window.wardrobe.parts_in_view() == parts


def test_what_is_selected_in_a_grid_stays_so(open_it: Opener) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    for code in ("zh_CN", "en"):
        grid = window.inputs.sections["x"].grid
        grid.setFocus()
        grid.select_block(Block(1, 1, 2, 3))
        window.selection.select(Cell("x", None, 1, 1))
        window = switch(window, code)
        grid = window.inputs.sections["x"].grid
        assert QApplication.focusWidget() is grid and grid.block() == Block(1, 1, 2, 3)
        assert window.selection.cell == Cell("x", None, 1, 1) and window.selection.trail == ()


def test_the_dock_in_front_stays_there(qtbot: QtBot, window: MainWindow) -> None:
    for front, behind in (("lab", "inspector"), ("inspector", "lab")):
        window.lab.open("cost")
        docks = {"lab": window.lab.dock, "inspector": window.inspector_dock}
        docks[front].raise_()
        QApplication.processEvents()
        window = switch(window, "en" if language.current() == "zh_CN" else "zh_CN")
        docks = {"lab": window.lab.dock, "inspector": window.inspector_dock}
        assert not docks[front].visibleRegion().isEmpty() and docks[behind].visibleRegion().isEmpty()
        assert window.lab.tool == "cost"


def test_sentences_stand_one_after_the_other() -> None:
    assert language.sentences("One.", "", "Two.") == "One. Two."
    language.choose("zh_CN")
    assert language.sentences("甲。", "", "乙。") == "甲。乙。"


def test_the_presenter_goes_on(qtbot: QtBot, open_it: Opener) -> None:
    window = open_it(resources.path("scenes", "cat-sat-down.attn.json"))
    window.present()
    presenter = window.presenter
    presenter.show_head(1)
    presenter.go([step.key for step in presenter.steps].index("weights"))
    presenter.select(Cell("weights", 1, 3, 1))
    qtbot.keyClick(presenter, Qt.Key.Key_C)
    place = presenter.place
    window = switch(window, "zh_CN")
    assert window.presenter is not None and window.presenter is not presenter
    assert window.presenter.place == place and place.step == "weights" and place.head == 1
    assert "沿键的方向做softmax" in "".join(drawn(window.presenter)).replace(" ", "")
    window.presenter.close()


def test_a_lesson_goes_on(qtbot: QtBot, window: MainWindow) -> None:
    window.lessons.open("by-hand")
    window.lessons.play.go(3)
    qtbot.waitUntil(lambda: window.lessons.play.session.own is not None)
    window = switch(window, "zh_CN")
    progress = window.lessons.play.progress
    assert progress.lesson.name == "by-hand" and progress.index == 3
    assert window.lessons.dock.isVisible() and "亲手算一遍自注意力" in window.lessons.dock.windowTitle()


def test_edits_still_reach_the_picture(qtbot: QtBot, window: MainWindow) -> None:
    window = switch(window, "zh_CN")
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 5.0), "x")
    qtbot.waitUntil(lambda: not window.engine.busy)
    panel = window.pipeline.panels["panel_q_1"]
    assert np.array_equal(panel.matrix(), window.document.scene.x @ window.document.scene.w_q)


def test_what_torch_says_is_said_again(qtbot: QtBot, window: MainWindow) -> None:
    window = switch(window, "zh_CN")
    facts = {text for _place, text in said(window.statusBar())}
    assert "正在加载 torch…" not in facts and any(text.endswith(" ms") for text in facts)
    agreement = window.findChild(QLabel, "agreement")
    qtbot.waitUntil(lambda: "一致" in agreement.text())


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("en", "en"), ("EN-gb", "en"), ("zh", "zh_CN"), ("zh-CN", "zh_CN"), ("zh_cn", "zh_CN"),
        ("zh-Hans-CN", "zh_CN"), ("fr", None), ("", None),
    ],
)  # fmt: skip
def test_what_a_code_means(code: str, found: str | None) -> None:
    assert language.find(code) == found


def test_without_a_choice_the_system_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    for system, ours in (("zh_CN", "zh_CN"), ("zh_TW", "zh_CN"), ("en_US", "en"), ("de_DE", "en")):
        monkeypatch.setattr(QLocale, "system", lambda system=system: QLocale(system))
        assert language.current() == ours
    preferences().language = "en"
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("zh_CN"))
    assert language.current() == "en" and language.lesson_code() == "en"
    preferences().language = "no such language"  # somebody has edited the settings by hand
    assert language.current() == "zh_CN" and language.lesson_code() == "zh"


def test_lang_holds_for_one_run(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def run(_app: QApplication) -> int:
        (window,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible())
        heard.extend(text for _place, text in said(window.menuBar()))
        heard.append(preferences().language)
        window = switch(window, "en")
        heard.append(language.current())
        window.close()
        return 0

    preferences().language = "en"
    monkeypatch.setattr(QApplication, "exec", run)
    assert cli.main(["--lang", "zh"]) == 0
    assert "文件(&F)" in heard and heard[-2:] == ["en", "en"]


def test_a_language_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "main", lambda *_arguments: pytest.fail("opened"))
    assert cli.main(["--lang", "tlh"]) == 2
    assert capsys.readouterr().err == (
        "attention-explorer: there is no language 'tlh'; the languages are en, zh_CN.\n"
    )
