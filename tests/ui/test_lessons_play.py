"""Every lesson, from first to last, in both languages, in the window: typed, clicked and edited as a learner would."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.attention.trace import Cell
from explorer.attention.variants import SLIP
from explorer.lessons.builtin import LESSONS
from explorer.lessons.lesson import EditQuestion
from explorer.scene import MATRICES
from explorer.ui.covers import panel_name
from explorer.ui.main_window import MainWindow
from explorer.ui.preferences import preferences
from tests.ui.lesson_helpers import Learner, plain


def scale_on(learner: Learner) -> None:
    learner.qtbot.mouseClick(learner.window.controls.scale, Qt.MouseButton.LeftButton)


def two_heads(learner: Learner) -> None:
    heads = learner.window.controls.heads
    heads.setFocus()
    learner.qtbot.keyClick(heads, Qt.Key.Key_Up)


def mask_on(learner: Learner) -> None:
    learner.qtbot.mouseClick(learner.window.controls.mask, Qt.MouseButton.LeftButton)


def sinusoidal(learner: Learner) -> None:
    box = learner.window.controls.position
    box.setFocus()
    while box.currentData() != "sinusoidal" and box.currentIndex() < box.count() - 1:
        learner.qtbot.keyClick(box, Qt.Key.Key_Down)


def typed(name: str, *cells: tuple[int, int, str]) -> Callable[[Learner], None]:
    def edit(learner: Learner) -> None:
        for row, col, text in cells:
            learner.type_cell(name, row, col, text)

    return edit


# What a learner does where a lesson asks for an edit: lesson -> one edit after another.
EDITS: dict[str, list[Callable[[Learner], None]]] = {
    "by-hand": [typed("w_q", (1, 1, "4"))],
    "square-root": [scale_on],
    "heads": [two_heads, typed("w_q", (0, 0, "0"), (1, 1, "0"), (2, 0, "1"), (3, 1, "1"))],
    "concat": [
        typed("w_o", (2, 0, "1")),
        typed("w_o", *((i, j, "0") for i in (2, 3) for j in range(4))),
    ],
    "order": [typed("x", (1, 0, "3"), (1, 1, "4"), (2, 0, "2"), (2, 1, "3"))],
    "positions": [sinusoidal],
    "masks": [mask_on],
    "cross-attention": [typed("context", (1, 1, "5"))],
}


@pytest.mark.parametrize("code", ["en", "zh_CN"])
def test_all_lessons_from_first_to_last(qtbot: QtBot, open_it: Callable[..., MainWindow], code: str) -> None:
    preferences().language = code
    window = open_it()
    learner = Learner(qtbot, window)
    own, document = window.document.scene, window.document
    edited = document.scene.with_cell("x", 0, 0, 7.0)
    document.edit(edited, "an edit of one's own")
    window.lessons.open(LESSONS[0])
    for name in LESSONS:
        assert learner.play.session.key == name
        play_through(learner, list(EDITS.get(name, [])))
        assert learner.play.progress.done
        assert learner.play.memory.is_finished(name)
        learner.press("lesson_next")  # the next lesson; after the last one, the own scene
    assert window.lessons.session is None and not window.lessons.dock.isVisible()
    assert document.scene is edited and document.path is None and document.modified
    assert not window.covers.cells
    document.undo()
    assert document.scene is own and not document.modified
    assert all(panel._pointed == () for panel in window.pipeline.panels.values())


def play_through(learner: Learner, edits: list[Callable[[Learner], None]]) -> None:
    progress = learner.play.progress
    last = len(progress.lesson.steps)
    for number in range(1, last + 1):
        assert learner.number == number
        where = f"{progress.lesson.name}, step {number}"
        learner.see_numbers()
        check_what_is_shown(learner, where)
        question = learner.step.question
        if question is not None:
            assert plain(learner.card._question.text) == plain(question.text.to(learner.language)), where
            if isinstance(question, EditQuestion):
                before = learner.window.document.scene
                learner.answer_rightly(edits.pop(0))
                assert learner.window.document.scene is not before
            else:
                remark = learner.answer_wrongly()
                assert learner.card.verdict.kind == "wrong", (where, learner.verdict)
                assert learner.verdict.startswith("✗ ") and learner.verdict.endswith(remark), where
                assert learner.play.progress.is_open
                learner.answer_rightly()
            assert learner.card.verdict.kind == "right", (where, learner.verdict)
            assert learner.verdict.startswith("✓ ")
            assert not learner.play.progress.is_open
            assert not learner.window.covers.cells, where
        if number < last:
            if isinstance(QApplication.focusWidget(), type(learner.pane.next)):
                qtbot_press_enter(learner)  # after a right answer Enter goes on
            else:
                learner.press("lesson_next")


def qtbot_press_enter(learner: Learner) -> None:
    assert QApplication.focusWidget() is learner.pane.next
    learner.qtbot.keyClick(learner.pane.next, Qt.Key.Key_Return)


def check_what_is_shown(learner: Learner, where: str) -> None:
    window, step = learner.window, learner.step
    assert window.lessons.dock.isVisible() and window.inspector_dock.isVisible()
    assert plain(learner.pane.text.text) == plain(step.text.to(learner.language)), where
    assert learner.pane.text.accessibleName()
    assert window.document.scene is step.scene, where
    assert window.document.path is None
    covered = {cell for cells in step.cover for cell in cells.cells(step.scene)}
    assert window.covers.cells == covered, where
    for cell in covered:
        assert (cell.row, cell.col) in window.pipeline.panels[panel_name(cell)]._covered
    for cells in step.highlight:
        assert framed(window, next(cells.cells(step.scene))), (where, cells.text)
    assert learner.pane.slip.isVisible() is (step.slip is not None)
    assert window.inspector.isVisible() is (step.slip is None)
    if step.slip is not None:
        stages = SLIP[step.slip].stages(step.scene, learner.play.session.own)
        for place in ("weights", "output"):
            shown = window.pipeline.panels[panel_name(Cell(place, 0 if place == "weights" else None, 0, 0))]
            wrong = stages[place][0] if place == "weights" else stages[place]
            np.testing.assert_array_equal(shown.matrix(), wrong, where)
    assert learner.pane.restore.isVisible() is False


def framed(window: MainWindow, cell: Cell) -> bool:
    panel = window.pipeline.panels.get(panel_name(cell))
    regions = panel._pointed if panel is not None else ()
    if panel is None and cell.place in MATRICES:
        regions = window.inputs.grid(cell.place)._pointed
    return any(cell.row in rows and cell.col in cols for rows, cols in regions)


def test_the_menu_ticks_what_was_finished(qtbot: QtBot, window: MainWindow) -> None:
    learner = Learner(qtbot, window)
    window.lessons.open("cost")
    play_through(learner, [])
    window.lessons.play.close()
    window.lessons.menu.fill()
    actions = {name: window.findChild(QAction, f"lesson_{name}") for name in LESSONS}
    assert [name for name, action in actions.items() if action.isChecked()] == ["cost"]
    assert [action.text().split("  ")[0] for action in actions.values()] == [str(i) for i in range(1, 11)]
    window.lessons.open("cost")
    assert learner.number == 1 and not learner.play.progress.solved  # to be played anew
