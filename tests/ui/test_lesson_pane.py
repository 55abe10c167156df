"""The lesson pane: moves, keys, free play, what it does to the window, and that nothing of one's own is lost."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer import app
from explorer.attention.trace import Cell
from explorer.files.session import load, save
from explorer.lessons.builtin import catalogue, find
from explorer.ui import theme
from explorer.ui.files import Answer
from explorer.ui.lesson_dots import ProgressDots
from explorer.ui.lesson_memory import LessonMemory
from explorer.ui.lesson_text import Prose
from explorer.ui.main_window import MainWindow
from explorer.ui.preferences import preferences
from explorer.ui.turns import turns
from tests.ui.language_helpers import in_another_language
from tests.ui.lesson_helpers import LEFT, Learner, plain

Opener = Callable[..., MainWindow]

OWN_LESSON = """\
format = "attention-explorer-lesson/1"
name = "mine"
order = 1
title.en = "My lesson"
summary.en = "One step."

[scene]
x = [[1, 0], [0, 1]]
w_q = [[1, 0], [0, 1]]
w_k = [[1, 0], [0, 1]]
w_v = [[1, 0], [0, 1]]

[[step]]
text.en = "Look at [this](https://example.org) and ![that](/etc/motd)."
focus = "w_k"

[step.question]
kind = "cell"
text.en = "Click the second number of the second row of W_k."
cell = "w_k[2,2]"
hints.en = ["Row 2, column 2."]
"""


@pytest.fixture
def learner(qtbot: QtBot, window: MainWindow) -> Learner:
    return Learner(qtbot, window)


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert action is not None and action.isEnabled(), name
    action.trigger()


def at(learner: Learner, lesson: str, step: int) -> None:
    """Open a lesson at a step, counted from 1."""
    learner.window.lessons.open(lesson)
    learner.play.go(step - 1)
    learner.see_numbers()


# ---- the first start ----


def test_a_newcomer_is_pointed_to_lesson_1(learner: Learner) -> None:
    window = learner.window
    button = window.findChild(QPushButton, "start_lesson_1")
    assert button.isVisible() and not window.lessons.dock.isVisible()
    learner.qtbot.mouseClick(button, LEFT)
    assert learner.play.session.key == "by-hand" and learner.number == 1
    assert window.lessons.dock.isVisible() and not button.isVisible()
    trigger(window, "lesson_close")
    assert not button.isVisible()


def test_the_invitation_can_be_declined_for_good(qtbot: QtBot, open_it: Opener) -> None:
    window = open_it()
    invitation = window.lessons.curtain.invitation
    qtbot.mouseClick(invitation.findChild(QToolButton), LEFT)
    assert not invitation.isVisible()
    window.close()
    assert not open_it().lessons.curtain.invitation.isVisible()


def test_the_invitation_makes_room_for_the_inspector(learner: Learner) -> None:
    learner.click_cell(Cell("weights", 0, 0, 1))
    assert not learner.window.lessons.curtain.invitation.isVisible()


# ---- nothing of one's own is lost ----


@pytest.fixture
def own_file(learner: Learner, tmp_path: Path) -> Path:
    """A file of one's own, open in the window, with an edit that is not saved and one that is undone."""
    path = tmp_path / "own.attn.json"
    document = learner.window.document
    save(document.scene.replace(title="My own"), path)
    assert learner.window.files.open(path)
    document.edit(document.scene.with_cell("x", 0, 0, 5.0), "five")
    document.edit(document.scene.with_cell("x", 0, 0, 6.0), "six")
    document.undo()
    return path


def test_the_own_scene_waits_and_comes_back(learner: Learner, own_file: Path) -> None:
    window, document = learner.window, learner.window.document
    own, stored = document.scene, own_file.read_bytes()
    window.selection.select(Cell("weights", 0, 1, 0))
    window.covers.cover([Cell("output", None, 0, 0)])
    asked: list[Path] = []
    window.files.ask_save = lambda start: asked.append(start)
    at(learner, "by-hand", 10)
    assert window.windowTitle().startswith("Self-attention by hand") and document.path is None
    assert window.selection.cell is None and not window.covers.cells
    learner.type_cell("w_q", 1, 1, "4")
    trigger(window, "save")
    assert len(asked) == 1 and own_file.read_bytes() == stored  # Save asks where to
    learner.qtbot.mouseClick(
        window.lessons.dock.findChild(QAbstractButton, "qt_dockwidget_closebutton"), LEFT
    )
    assert window.lessons.session is None and not window.lessons.dock.isVisible()
    assert document.scene is own and document.path == own_file and document.modified
    assert window.windowTitle().startswith("own.attn.json")
    assert window.selection.cell == Cell("weights", 0, 1, 0)
    assert window.covers.cells == {Cell("output", None, 0, 0)}
    trigger(window, "undo")
    assert document.scene.x[0, 0] == 1 and not document.modified
    trigger(window, "redo")
    trigger(window, "redo")
    assert document.scene.x[0, 0] == 6  # what had been undone


def test_undo_in_a_lesson_stays_in_the_lesson(learner: Learner, own_file: Path) -> None:
    at(learner, "masks", 1)
    undo = learner.window.findChild(QAction, "undo")
    assert not undo.isEnabled()
    learner.play.next()
    assert undo.isEnabled() and undo.text() == "&Undo Lesson: step 2"
    undo.trigger()
    assert learner.window.document.scene is learner.play.progress.lesson.steps[0].scene
    assert not undo.isEnabled()


def test_what_was_made_in_a_lesson_can_be_taken_along(learner: Learner, own_file: Path) -> None:
    document = learner.window.document
    own = document.scene
    at(learner, "by-hand", 10)
    learner.type_cell("w_q", 1, 1, "4")
    made = document.scene
    trigger(learner.window, "lesson_close")
    assert document.scene is own
    learner.qtbot.mouseClick(learner.window.banner._action, LEFT)
    assert document.scene is made and document.undo_stack.undoText() == "Take the lesson's scene"
    document.undo()
    assert document.scene is own


def test_a_lesson_that_was_not_played_with_closes_without_a_word(learner: Learner) -> None:
    at(learner, "masks", 3)
    trigger(learner.window, "lesson_close")
    assert learner.window.banner.text == ""


@pytest.mark.parametrize("answer", list(Answer))
def test_quitting_asks_about_the_own_work(learner: Learner, own_file: Path, answer: Answer) -> None:
    window = learner.window
    at(learner, "by-hand", 10)
    learner.type_cell("w_q", 1, 1, "4")
    seen: list[object] = []

    def ask() -> Answer:
        seen.append(window.document.scene.x[0, 0])
        return answer

    window.files.ask_discard = ask
    assert window.close() is (answer is not Answer.CANCEL)
    assert seen == [5]  # the own scene is in sight while it is asked about
    assert load(own_file).x[0, 0] == (5 if answer is Answer.SAVE else 1)


def test_a_file_that_is_opened_ends_the_lesson(learner: Learner, own_file: Path, tmp_path: Path) -> None:
    window = learner.window
    other = tmp_path / "other.attn.json"
    save(window.document.scene.replace(title="other"), other)
    at(learner, "masks", 2)
    learner.type_cell("x", 0, 0, "9")
    window.files.ask_open = lambda: None
    trigger(window, "open")
    assert window.lessons.session is not None  # nothing was chosen
    window.files.ask_open = lambda: other
    trigger(window, "open")
    assert window.lessons.session is None and not window.lessons.dock.isVisible()
    assert window.document.path == other and not window.covers.cells
    assert window.banner.text == ""  # the lesson's scene is not offered in place of another file's
    at(learner, "masks", 2)
    window.document.open(load(other), other)  # from anywhere else
    assert window.lessons.session is None and not window.lessons.dock.isVisible()


# ---- moving on ----


def test_keys_turn_the_steps(learner: Learner) -> None:
    at(learner, "by-hand", 1)
    keys, none, alt = Qt.Key, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
    for key, modifier, number in (
        (keys.Key_PageDown, none, 2),
        (keys.Key_Right, alt, 3),
        (keys.Key_PageDown, alt, 4),
        (keys.Key_PageUp, none, 3),
        (keys.Key_Left, alt, 2),
        (keys.Key_PageUp, alt, 1),
        (keys.Key_PageUp, none, 1),
    ):
        learner.qtbot.keyClick(QApplication.focusWidget(), key, modifier)
        assert learner.number == number, key
    assert learner.pane.isAncestorOf(QApplication.focusWidget())


def test_alt_left_in_the_pane_is_not_the_inspectors(learner: Learner) -> None:
    at(learner, "by-hand", 3)
    learner.click_cell(Cell("output", None, 0, 0))
    learner.click_cell(Cell("concat", None, 0, 0))
    assert len(learner.window.selection.trail) == 1
    trigger(learner.window, "lesson_to_question")
    learner.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert learner.number == 2


def test_steps_turn_from_anywhere_in_the_window(learner: Learner) -> None:
    at(learner, "by-hand", 2)
    learner.click_cell(Cell("weights", 0, 0, 0))
    trigger(learner.window, "lesson_next_step")
    assert learner.number == 3
    trigger(learner.window, "lesson_previous_step")
    assert learner.number == 2
    trigger(learner.window, "lesson_close")
    assert not learner.window.findChild(QAction, "lesson_next_step").isEnabled()


def test_whoever_types_in_a_grid_keeps_the_keyboard(learner: Learner) -> None:
    at(learner, "by-hand", 1)
    grid = learner.grid("w_q")
    grid.setFocus()
    trigger(learner.window, "lesson_next_step")
    assert learner.number == 2 and grid.hasFocus()
    trigger(learner.window, "lesson_to_question")
    assert QApplication.focusWidget().objectName() == "lesson_answer"


def test_a_dot_leads_to_its_step(learner: Learner) -> None:
    at(learner, "by-hand", 1)
    dots = learner.pane.findChild(ProgressDots)
    learner.qtbot.mouseClick(dots, LEFT, pos=dots.centre(6).toPoint())
    assert learner.number == 7
    assert dots.accessibleName() == "Step 7 of 11; 0 of 10 questions answered"


def test_the_dots_of_a_long_lesson_stay_in_the_pane(learner: Learner) -> None:
    at(learner, "by-hand", 1)
    dots = learner.pane.findChild(ProgressDots)
    dots.setFixedWidth(55)
    assert dots.centre(10).x() < 55 and dots.step_at(QPoint(54, 4)) == 10
    assert dots.step_at(QPoint(300, 4)) is None


def test_skipping_is_allowed_and_said_gently(learner: Learner) -> None:
    at(learner, "by-hand", 10)
    assert learner.pane.next.text() == "Skip" and not learner.pane.next.property("primary")
    learner.press("lesson_next")
    assert learner.number == 11
    assert learner.pane.end.words.text() == (
        "Questions are still open, in steps 1, 2, 3, 4, 5, 6, 7, 8, 9, 10."
    )
    assert not learner.play.memory.is_finished("by-hand")
    learner.press("lesson_first_open")
    assert learner.number == 1
    learner.type("0")
    assert learner.pane.next.text() == "Next" and learner.pane.next.property("primary")


def test_next_lesson_and_close_at_the_ends(learner: Learner) -> None:
    at(learner, "by-hand", 11)
    assert learner.pane.next.text() == "Next lesson"
    assert learner.pane.next.toolTip() == "Lesson 2: Why divide by √dₖ"
    learner.press("lesson_next")
    assert learner.play.session.key == "square-root" and learner.number == 1
    at(learner, "slips", 10)
    assert learner.pane.next.text() == "Close"
    learner.press("lesson_next")
    assert learner.window.lessons.session is None


# ---- answering ----


def test_hints_come_one_by_one_and_the_answer_after_a_try(learner: Learner) -> None:
    at(learner, "by-hand", 2)
    show = learner.pane.findChild(QPushButton, "lesson_show")
    assert not show.isVisible()
    learner.press("lesson_hint")
    assert (
        "Take the second column" in learner.card._hints.text and "1·1 + 0·1" not in learner.card._hints.text
    )
    learner.press("lesson_hint")
    assert "1·1 + 0·1" in learner.card._hints.text
    assert not learner.pane.findChild(QPushButton, "lesson_hint").isVisible()
    assert learner.window.covers.cells
    learner.press("lesson_show")
    assert learner.card.solution.text == "The answer is 1.\n\n1·1 + 0·1 = 1, and so q₂ = (1, 1)."
    assert not learner.window.covers.cells
    assert not learner.pane.findChild(QLineEdit, "lesson_answer").isEnabled()
    assert learner.pane.next.hasFocus()


def test_verdicts_have_a_mark_beside_their_colour(learner: Learner) -> None:
    at(learner, "by-hand", 6)
    colours = theme.current()
    for typed, mark, colour in (
        ("abc", "?", colours.error),
        ("2", "✗", colours.error),
        ("1.4", "~", colours.text),
        ("2/sqrt(2)", "✓", colours.good),
    ):
        learner.type(typed)
        assert learner.verdict.startswith(mark), learner.verdict
        words = learner.card.verdict._words
        assert words.document().begin().begin().fragment().charFormat().foreground().color() == colour
        assert learner.card.verdict.accessibleName().startswith(mark)
    assert "d_k" in learner.card.verdict.text or learner.card.verdict.kind == "right"


def test_a_known_slip_is_named(learner: Learner) -> None:
    at(learner, "by-hand", 6)
    learner.type("2")
    assert "not divided by √d_k" in learner.verdict


def test_a_step_that_was_answered_shows_it_again(learner: Learner) -> None:
    at(learner, "by-hand", 2)
    learner.type("1")
    learner.press("lesson_next")
    learner.press("lesson_back")
    line = learner.pane.findChild(QLineEdit, "lesson_answer")
    assert line.text() == "1" and not line.isEnabled() and learner.verdict.startswith("✓")
    assert not learner.window.covers.cells


def test_arrows_choose_an_option_and_enter_checks_it(learner: Learner) -> None:
    at(learner, "by-hand", 3)
    assert not learner.card.box.check.isEnabled()
    first = QApplication.focusWidget()
    assert first.objectName() == "lesson_option_1" and not first.isChecked()
    learner.qtbot.keyClick(first, Qt.Key.Key_Down)
    assert QApplication.focusWidget().objectName() == "lesson_option_2" and learner.verdict == ""
    learner.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert learner.verdict.startswith("✗")
    learner.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    learner.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert learner.verdict.startswith("✓") and learner.pane.next.hasFocus()


def test_a_cell_is_answered_with_the_arrows_and_enter(learner: Learner) -> None:
    at(learner, "by-hand", 5)
    panel = learner.window.pipeline.panels["panel_scores_1"]
    panel.setFocus()
    learner.qtbot.keyClick(panel, Qt.Key.Key_Down)
    assert learner.verdict == ""  # walking by is no answer
    learner.qtbot.keyClick(panel, Qt.Key.Key_Return)
    assert learner.verdict.startswith("~ Row and column have changed places")
    learner.qtbot.keyClick(panel, Qt.Key.Key_Up)
    learner.qtbot.keyClick(panel, Qt.Key.Key_Right)
    learner.press("lesson_check")  # "Take the chosen number"
    assert learner.verdict.startswith("✓")


def test_the_answer_to_a_cell_is_framed_when_shown(learner: Learner) -> None:
    at(learner, "by-hand", 5)
    panel = learner.window.pipeline.panels["panel_scores_1"]
    assert panel._pointed == ()
    learner.press("lesson_hint")
    learner.press("lesson_show")
    assert panel._pointed == ((range(0, 1), range(1, 2)),)
    frame = panel.grab().toImage().pixelColor(panel.cell_rect(0, 1).topLeft())
    assert frame == theme.current().accent


def test_the_covered_number_asked_for_is_answered_in_the_pane(learner: Learner) -> None:
    at(learner, "by-hand", 2)
    learner.click_cell(Cell("q", 0, 1, 1))
    assert not learner.window.guess.isVisible()
    assert QApplication.focusWidget().objectName() == "lesson_answer"
    learner.click_cell(Cell("q", 0, 1, 0))  # covered as well, but not asked for
    assert learner.window.guess.isVisible()
    line = learner.window.guess.findChild(QLineEdit, "guess_line")
    learner.qtbot.keyClicks(line, "1")
    learner.qtbot.keyClick(line, Qt.Key.Key_Return)
    assert learner.window.covers.cells == {Cell("q", 0, 1, 1)}
    assert learner.play.progress.is_open


def test_a_covered_cell_can_be_the_answer(learner: Learner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    covered = OWN_LESSON.replace('"w_k[2,2]"', '"weights[1,1,2]"').replace(
        'focus = "w_k"', 'focus = "weights[1]"\ncover = ["weights[1]"]'
    )
    path.write_text(covered, encoding="utf-8")
    learner.window.lessons.open(str(path))
    learner.see_numbers()
    asked = Cell("weights", 0, 0, 1)
    assert asked in learner.window.covers.cells
    learner.click_cell(asked)
    assert learner.verdict.startswith("✓") and not learner.window.guess.isVisible()
    assert not learner.window.covers.cells


def test_an_edit_is_judged_as_it_is_made(learner: Learner) -> None:
    at(learner, "by-hand", 10)
    assert learner.verdict == ""
    learner.type_cell("w_q", 1, 1, "2")
    assert learner.card.verdict.kind == "open" and learner.verdict.startswith("…")
    assert learner.play.progress.is_open
    learner.type_cell("w_q", 1, 1, "4")
    assert learner.card.verdict.kind == "right"
    assert learner.grid("w_q").hasFocus()  # whoever is typing goes on typing
    learner.type_cell("w_q", 1, 1, "0")
    assert learner.card.verdict.kind == "right"  # what was reached stays reached


def test_an_answer_before_the_first_numbers_waits_for_them(qtbot: QtBot) -> None:
    window = app.open_window()
    window.files.ask_discard = lambda: Answer.DISCARD
    learner = Learner(qtbot, window)
    window.lessons.open("by-hand")
    window.activateWindow()
    learner.play.answer("0")
    if learner.play.session.own is None:
        assert learner.verdict.startswith("…")
    qtbot.waitUntil(lambda: learner.card.verdict.kind == "right")
    window.close()


# ---- free play ----


def test_play_freely_and_return(learner: Learner) -> None:
    at(learner, "by-hand", 4)
    document, restore = learner.window.document, learner.pane.restore
    assert not restore.isVisible()
    learner.type_cell("w_k", 0, 0, "3")
    played = document.scene
    assert restore.isVisible()
    trigger(learner.window, "lesson_to_question")
    learner.type("2")  # judged by the step's own numbers, not by those played with
    assert learner.verdict.startswith("✓")
    learner.press("lesson_restore")
    assert document.scene is learner.step.scene and not restore.isVisible()
    document.undo()
    assert document.scene is played and restore.isVisible()


def test_covers_come_back_with_the_scene(learner: Learner) -> None:
    at(learner, "masks", 2)
    covered = learner.window.covers.cells
    assert covered
    small = learner.window.document.scene
    from explorer.reshape import delete_tokens

    learner.window.document.edit(delete_tokens(small, [2, 3]), "Delete tokens")
    assert learner.window.covers.cells != covered
    learner.settle()
    learner.press("lesson_restore")
    assert learner.window.covers.cells == covered


def test_a_step_brings_its_own_scene(learner: Learner) -> None:
    at(learner, "by-hand", 10)
    learner.type_cell("w_q", 1, 1, "4")
    learner.play.next()
    assert learner.window.document.scene is learner.step.scene
    learner.window.document.undo()
    assert learner.window.document.scene.w_q[1, 1] == 4  # nothing was lost


# ---- mistakes on purpose ----


def test_a_mistake_is_shown_in_the_picture_alone(learner: Learner) -> None:
    at(learner, "slips", 2)
    window = learner.window
    weights = window.pipeline.panels["panel_weights_1"]
    right = learner.play.session.own.weights[0]
    np.testing.assert_allclose(weights.matrix().sum(axis=0), 1)  # the columns, not the rows
    assert learner.pane.slip.isVisible() and not window.inspector.isVisible()
    assert "deliberate mistake" in window.lessons.curtain._note.text()
    learner.type_cell("x", 0, 0, "2")
    np.testing.assert_allclose(weights.matrix().sum(axis=0), 1)  # the mistake goes on in free play
    assert (window.engine.trace.weights[0].sum(axis=1) == pytest.approx(1)) and not np.allclose(right, 0)
    learner.play.go(0)
    np.testing.assert_array_equal(weights.matrix(), right)
    assert window.inspector.isVisible() and not learner.pane.slip.isVisible()
    learner.play.go(1)
    trigger(window, "lesson_close")
    assert window.inspector.isVisible()
    np.testing.assert_allclose(window.pipeline.panels["panel_weights_1"].matrix().sum(axis=1), 1)


def test_an_inverted_mask_is_hatched_as_that_program_hides(learner: Learner) -> None:
    lesson = find("slips")
    number = next(i for i, step in enumerate(lesson.steps, 1) if step.slip == "mask_inverted")
    at(learner, "slips", number)
    hidden = learner.window.pipeline.panels["panel_weights_1"].hidden()
    np.testing.assert_array_equal(hidden, np.tril(np.ones((4, 4), dtype=bool)))


# ---- the window around ----


def test_another_language_keeps_lesson_and_step(learner: Learner, own_file: Path) -> None:
    own = learner.window.document.scene
    at(learner, "by-hand", 2)
    learner.type("2")
    new = in_another_language(learner.window, "zh_CN")
    other = Learner(learner.qtbot, new)
    assert other.number == 2 and new.lessons.dock.isVisible()
    assert plain(other.pane.text.text) == plain(other.step.text.to("zh"))
    assert "还不对" in other.verdict
    assert other.window.covers.cells == {Cell("q", 0, 1, 0), Cell("q", 0, 1, 1)}
    other.settle()
    other.type("1")
    assert other.verdict.startswith("✓ 正确")
    new.lessons.play.close()
    assert new.document.scene is own and new.document.path == own_file
    new.files.ask_discard = lambda: Answer.DISCARD
    new.close()


def test_a_hidden_stage_comes_back_where_a_step_needs_it(learner: Learner) -> None:
    preferences().hidden_panels = frozenset({"weights", "concat"})
    at(learner, "by-hand", 7)
    assert "panel_weights_1" in learner.window.pipeline.panels
    assert preferences().hidden_panels == frozenset()  # the step covers numbers of concat
    learner.window.inputs_dock.hide()
    learner.play.go(9)
    learner.settle()
    assert learner.window.inputs_dock.isVisible()
    assert learner.window.inputs.tabs.currentIndex() == 0  # W_q


def test_inspector_and_lesson_share_the_column(learner: Learner) -> None:
    window = learner.window
    window.resize(1280, 800)
    learner.settle()
    before = window.inspector_dock.width()
    at(learner, "by-hand", 1)
    learner.settle()
    inspector, lesson = window.inspector_dock.geometry(), window.lessons.dock.geometry()
    assert inspector.x() == lesson.x() and inspector.bottom() < lesson.y()
    assert inspector.height() > 150 and lesson.height() > inspector.height() and lesson.width() >= 320
    assert lesson.bottom() <= window.height()
    trigger(window, "lesson_close")
    learner.settle()
    assert window.inspector_dock.width() == before  # nor does the picture stay narrower


def test_larger_type_in_a_lesson_leaves_the_inspector_no_wider(learner: Learner) -> None:
    window = learner.window
    window.resize(1280, 800)
    learner.settle()
    before = window.inspector_dock.width()
    at(learner, "by-hand", 1)
    theme.set_scale(1.25)
    learner.qtbot.waitUntil(lambda: not turns().busy)
    trigger(window, "lesson_close")
    learner.settle()
    theme.set_scale(1.0)
    learner.qtbot.waitUntil(lambda: not turns().busy)
    learner.settle()
    assert abs(window.inspector_dock.width() - before) <= 1  # by rounding


def test_a_lesson_left_open_is_not_open_at_the_next_start(qtbot: QtBot, open_it: Opener) -> None:
    first = open_it()
    learner = Learner(qtbot, first)
    at(learner, "heads", 3)
    first.close()
    second = open_it()
    assert not second.lessons.dock.isVisible() and second.lessons.session is None
    second.lessons.menu.fill()
    go_on = second.findChild(QAction, "lesson_continue")
    assert go_on.isVisible() and go_on.text() == "Continue: Heads: cut the columns, step 3"
    go_on.trigger()
    assert second.lessons.play.progress.index == 2


def test_after_a_finished_lesson_one_goes_on_with_the_next(learner: Learner) -> None:
    at(learner, "cost", 1)
    for _step in learner.play.progress.lesson.steps:
        learner.play.show_answer()
        learner.play.next()
    assert learner.play.progress.done
    trigger(learner.window, "lesson_close")
    learner.window.lessons.menu.fill()
    go_on = learner.window.findChild(QAction, "lesson_continue")
    assert go_on.text() == "Continue: Order does not matter, step 1"
    go_on.trigger()
    assert learner.play.session.key == "order"


def test_answers_are_remembered_with_the_step(qtbot: QtBot, learner: Learner) -> None:
    at(learner, "by-hand", 1)
    learner.type("0")
    learner.press("lesson_next")
    trigger(learner.window, "lesson_close")
    learner.window.lessons.open("by-hand")
    assert learner.number == 2 and learner.play.progress.solved == {0}
    learner.press("lesson_back")
    assert learner.verdict.startswith("✓") and not learner.play.progress.is_open


def test_spoilt_memory_is_passed_over(learner: Learner) -> None:
    from PySide6.QtCore import QSettings

    at(learner, "by-hand", 3)
    trigger(learner.window, "lesson_close")
    for name, value in (("step", "many"), ("solved", "−1 ½ 99999999999"), ("shown", "7000")):
        QSettings().setValue(f"lessons/of/by-hand/{name}", value)
    learner.window.lessons.open("by-hand")
    assert learner.number == 1 and not learner.play.progress.solved and not learner.play.progress.shown
    assert LessonMemory().is_finished("by-hand") is False


# ---- a teacher's own ----


def test_an_own_lesson_opens_from_anywhere(learner: Learner, tmp_path: Path) -> None:
    path = tmp_path / "my lesson.toml"
    path.write_text(OWN_LESSON, encoding="utf-8")
    learner.window.lessons.menu.ask_file = lambda: path
    trigger(learner.window, "lesson_open")
    assert learner.window.lessons.dock.windowTitle() == "Lesson · My lesson"
    assert learner.pane.next.text() == "Close"
    learner.see_numbers()
    learner.settle()
    assert learner.window.inputs.tabs.currentIndex() == 1  # W_k is in front
    grid = learner.grid("w_k")
    learner.qtbot.mouseClick(grid.viewport(), LEFT, pos=grid.visualRect(grid.model().index(0, 0)).center())
    assert learner.verdict.startswith("✗")
    learner.qtbot.mouseClick(grid.viewport(), LEFT, pos=grid.visualRect(grid.model().index(1, 1)).center())
    assert learner.verdict.startswith("✓")
    trigger(learner.window, "lesson_close")
    learner.window.lessons.menu.fill()
    assert learner.window.findChild(QAction, "lesson_continue").text() == "Continue: my lesson.toml, step 1"


def test_a_broken_lesson_is_named_with_its_line(learner: Learner, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(OWN_LESSON.replace('cell = "w_k[2,2]"', 'cell = "w_k[2,9]"'), encoding="utf-8")
    scene = learner.window.document.scene
    learner.window.lessons.menu.ask_file = lambda: path
    trigger(learner.window, "lesson_open")
    banner = learner.window.banner
    line = OWN_LESSON[: OWN_LESSON.index('cell = "w_k')].count("\n") + 1
    assert banner.isVisible() and banner.text.startswith(f"broken.toml, line {line}: ")
    assert learner.window.lessons.session is None and learner.window.document.scene is scene
    learner.window.lessons.open(str(tmp_path / "missing.toml"))
    assert banner.text == "missing.toml: it cannot be read: No such file or directory."


def test_words_hold_no_links_and_load_nothing(learner: Learner, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(OWN_LESSON, encoding="utf-8")
    learner.window.lessons.open(str(path))
    text = learner.pane.text
    assert not text.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse
    assert text.loadResource(2, "/etc/motd") is None
    assert "this" in text.toPlainText()


# ---- type, access, start ----


def test_words_are_typeset(qtbot: QtBot, qapp: QApplication) -> None:
    prose = Prose("words")
    qtbot.addWidget(prose)
    prose.resize(200, 20)
    prose.say("W_q and `attn_mask`: (1, 0), *也*。")
    assert prose.toPlainText() == "Wq and attn_mask: (1, 0), 也。"
    prose.show()
    narrow = prose.height()
    prose.resize(90, narrow)
    assert prose.height() > narrow
    lines = prose.height()
    theme.set_scale(2.0)
    assert prose.height() > lines
    theme.set_scale(1.0)
    assert prose.height() == lines


def test_everything_in_the_pane_has_a_name_and_is_reached_by_tab(learner: Learner) -> None:
    at(learner, "by-hand", 3)
    learner.choose(1)
    start = widget = QApplication.focusWidget()
    reached = {start}
    for _press in range(300):  # a grid takes one for each of its cells
        learner.qtbot.keyClick(widget, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        reached.add(widget)
        if widget is start:
            break
    assert widget is start
    for each in learner.pane.findChildren(QWidget):
        if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            name = each.accessibleName() or getattr(each, "text", str)()
            assert name, each
            same_group = each.objectName().startswith("lesson_option")  # of these Tab reaches the chosen one
            assert each in reached or same_group, each


def test_lessons_have_a_button_and_a_menu(learner: Learner) -> None:
    window = learner.window
    window.lessons.button.menu().aboutToShow.emit()
    titles = [window.findChild(QAction, f"lesson_{lesson.name}").text() for lesson in catalogue()]
    assert titles[0] == "1  Self-attention by hand" and titles[1] == "2  Why divide by √dₖ"
    assert not window.findChild(QAction, "lesson_continue").isVisible()
    trigger(window, "lesson_positions")
    assert learner.play.session.key == "positions"
    assert window.lessons.dock.windowTitle() == "Lesson 7 · Positions"


def test_the_command_line_opens_a_lesson(qtbot: QtBot, qapp: QApplication) -> None:
    seen: list[str] = []

    def look() -> None:
        (window,) = (w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
        if window.lessons.session is None or window.engine.busy:
            QTimer.singleShot(10, look)
            return
        seen.append(window.lessons.session.key)
        window.close()

    QTimer.singleShot(0, look)
    assert app.main(lesson="masks") == 0
    assert seen == ["masks"]
