"""The Help menu: the keys, the guides, About."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from explorer import __version__, resources
from explorer.ui import about
from explorer.ui.guides import GUIDES, guide_path
from explorer.ui.keys import KeysDialog
from explorer.ui.main_window import MainWindow
from tests.ui.conftest import Opener
from tests.ui.dialogs import when_asked
from tests.ui.language_helpers import english, said


def dialog_of(window: MainWindow, name: str) -> QDialog:
    return window.findChild(QDialog, name)


def open_keys(window: MainWindow) -> KeysDialog:
    window.findChild(QAction, "keys").trigger()
    return window.findChild(KeysDialog)


# ---- keys ----


def test_f1_lists_every_key_of_the_menus(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_F1)
    rows = window.findChild(KeysDialog).rows()
    assert {("Ctrl+S", "Save"), ("F5", "Present step by step")} <= set(rows)
    listed = {key for keys, _what in rows for key in keys.split(", ")}
    with_keys = [key.toString() for action in window.findChildren(QAction) for key in action.shortcuts()]
    rare = {"F14", "F16", "Undo", "Redo"}  # which few keyboards have
    inside = {"Alt+Shift+Up", "Alt+Shift+Down", "Alt+Left"}  # listed with arrows
    assert len(with_keys) > 20 and set(with_keys) - inside - rare <= listed


def test_keys_are_found_by_name_and_by_what_they_do(qtbot: QtBot, window: MainWindow) -> None:
    dialog = open_keys(window)
    everything = dialog.rows()
    qtbot.keyClicks(dialog.findChild(QLineEdit), "colours")
    assert dialog.rows() == [("C", "other colours")]
    dialog.find.setText("f6")
    assert [keys for keys, _what in dialog.rows()] == ["F6", "Shift+F6"]
    dialog.find.clear()
    assert dialog.rows() == everything


def test_undo_is_called_undo_whatever_it_would_take_back(window: MainWindow) -> None:
    window.document.edit(window.document.scene.with_heads(2), "Split into 2 heads")
    assert "Split" in window.findChild(QAction, "undo").text()
    keys = {what: keys for keys, what in open_keys(window).rows()}
    assert keys["Undo"].startswith("Ctrl+Z") and not [what for what in keys if "Split" in what]


def test_the_list_stays_beside_the_window_once(qtbot: QtBot, window: MainWindow) -> None:
    dialog = open_keys(window)
    assert not dialog.isModal() and open_keys(window) is dialog
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(KeysDialog) is None)


def test_keys_in_chinese(chinese: None, window: MainWindow) -> None:
    dialog = open_keys(window)
    assert ("Ctrl+S", "保存") in dialog.rows()
    keys = {"Home", "End", "Page"}
    assert [text for text in said(dialog) if english(text[1], keys)] == []
    assert [what for _keys, what in dialog.rows() if english(what, keys)] == []


# ---- guides ----


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", GUIDES)
def test_each_guide_is_one_page(name: str, language: str) -> None:
    text = guide_path(name, language).read_text(encoding="utf-8")
    assert text.startswith("# ") and len(text.splitlines()) < 60
    assert guide_path(name, "fr") == guide_path(name, "en")


def test_guides_open_in_the_language_of_the_window(chinese: None, open_it: Opener) -> None:
    window = open_it()
    window.findChild(QAction, "guide_student").trigger()
    window.findChild(QAction, "guide_lecturer").trigger()
    student, lecturer = dialog_of(window, "guide_student"), dialog_of(window, "guide_lecturer")
    assert (student.windowTitle(), lecturer.windowTitle()) == ("写给学生", "写给教师")


@pytest.mark.parametrize("guide", sorted(resources.path("guides").glob("*.md")), ids=lambda path: path.name)
def test_guides_name_entries_as_the_window_does(
    guide: Path, request: pytest.FixtureRequest, open_it: Opener
) -> None:
    """*File → Export picture…*, “文件 → 导出图片”: what is not there anybody would look for in vain."""
    if guide.name.endswith(".zh.md"):
        request.getfixturevalue("chinese")
    window = open_it()
    texts = {
        re.sub(r"\(&\w\)|&|…", "", action.text())
        for action in [*window.menuBar().actions(), *window.findChildren(QAction)]
    }
    named = re.findall(
        r"[*“](\w[\w ]*) → ([\w ]+)…?[*”]", guide.read_text(encoding="utf-8").replace("\n", " ")
    )
    outside = {"More info", "更多信息"}  # Windows' own
    wrong = [path for path in named if path[0] not in outside and not set(path) <= texts]
    assert len(named) > 2 and wrong == []


# ---- About ----


def test_about_names_versions_and_licences(qtbot: QtBot, window: MainWindow) -> None:
    dialog = about.AboutDialog(window)
    dialog.show()
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    assert any(__version__ in text for text in shown)
    for text in (qVersion(), version("torch"), version("numpy"), "LGPL-3.0", "PSF-2.0", "Apache-2.0"):
        assert text in shown
    assert all(part.version != "?" for part in about.parts())
    terms = dialog.findChild(QLabel, "about_terms").text()
    assert "MIT" in terms and "replace" in terms and "LGPL" in terms
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_versions_are_copied_for_a_report_by_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    dialog = about.AboutDialog(window)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    copy = next(button for button in dialog.findChildren(QPushButton) if button.text() == "Copy versions")
    for _press in range(4):
        if QApplication.focusWidget() is not copy:
            qtbot.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Tab)
    qtbot.keyClick(copy, Qt.Key.Key_Space)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0] == f"Attention Explorer {__version__}" and f"NumPy {version('numpy')}" in lines
    dialog.close()


def test_about_opens_from_the_menu_and_leaves_nothing(qtbot: QtBot, window: MainWindow) -> None:
    seen: list[str] = []

    def look(dialog: QWidget) -> None:
        seen.append(dialog.objectName())
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    when_asked(look)
    window.findChild(QAction, "about").trigger()
    assert seen == ["about_dialog"]
    qtbot.waitUntil(lambda: window.findChild(about.AboutDialog) is None)


def test_about_in_chinese(chinese: None, window: MainWindow) -> None:
    dialog = about.AboutDialog(window)
    names = {part.name for part in about.parts()} | {
        "PySide6",
        "MIT",
        "LGPL",
        "BSD",
        "PSF",
        "Clause",
        "Apache",
    }
    besides = names | {"Python", "NumPy", "pyqtgraph", "safetensors", "ziamath", "latex2mathml", "cpu"}
    assert dialog.windowTitle() == "关于 Attention Explorer"
    assert [text for text in said(dialog) if english(text[1], besides)] == []
    dialog.close()
