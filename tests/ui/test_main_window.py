"""The program as a person uses it: real keys into the real window."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QStyle,
    QTableView,
    QToolButton,
    QVBoxLayout,
)
from pytestqt.qtbot import QtBot

from explorer.attention.trace import Cell
from explorer.files.session import load
from explorer.ui import theme
from explorer.ui.asked_for import SETTLED_MS
from explorer.ui.docks import KeptWidths
from explorer.ui.files import Answer
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.panel import Panel
from explorer.ui.preferences import preferences
from explorer.ui.turns import turns
from tests.ui.language_helpers import in_another_language


def panel(window: MainWindow, name: str) -> Panel:
    found = window.findChild(Panel, name)
    assert found is not None, name
    return found


def grid(window: MainWindow, name: str) -> QTableView:
    found = window.findChild(QTableView, f"grid_{name}")
    assert found is not None, name
    return found


def click_cell(qtbot: QtBot, view: QTableView, row: int, col: int) -> None:
    rect = view.visualRect(view.model().index(row, col))
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def trigger(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, name)
    assert action is not None, name
    action.trigger()


def test_a_key_typed_into_w_q_changes_every_panel_before_it_is_up(qtbot: QtBot, window: MainWindow) -> None:
    view = grid(window, "w_q")
    before = panel(window, "panel_weights_1").grab().toImage()
    click_cell(qtbot, view, 1, 0)
    qtbot.keyPress(QApplication.focusWidget(), Qt.Key.Key_2)
    assert window.document.scene.w_q.tolist() == [[1, 1], [2, 1]]
    # Q = X·W_q = [[3, 2], [1, 1]], K is the identity
    assert panel(window, "panel_scores_1").matrix().tolist() == [[3, 2], [1, 1]]
    e = np.exp(np.array([3, 2]) / np.sqrt(2))
    assert panel(window, "panel_weights_1").matrix()[0] == pytest.approx(e / e.sum(), abs=1e-12)
    assert panel(window, "panel_weights_1").grab().toImage() != before
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.document.undo_stack.count() == 1
    trigger(window, "undo")
    assert panel(window, "panel_scores_1").matrix().tolist() == [[1, 2], [1, 1]]


def test_the_title_is_changed_in_one_step_and_kept(window: MainWindow, tmp_path: Path) -> None:
    asked = []
    window.actions_.ask_title = lambda now: asked.append(now) or "Class 7b"
    trigger(window, "title")
    assert asked == ["Two tokens by hand"]
    assert window.document.scene.title == "Class 7b" and window.windowTitle().startswith("Class 7b")
    window.files.ask_save = lambda start: tmp_path / start.name
    trigger(window, "save_as")
    assert load(tmp_path / "Class 7b.attn.json").title == "Class 7b"
    trigger(window, "undo")
    assert window.document.scene.title != "Class 7b"
    window.actions_.ask_title = lambda now: now  # as it is, also where it is shown in another language
    trigger(window, "title")
    assert window.document.undo_stack.index() == 0


def test_opening_and_closing_an_editor_changes_nothing(qtbot: QtBot, window: MainWindow) -> None:
    third = window.document.scene.with_cell("w_q", 0, 0, 1 / 3)
    window.document.edit(third, "one third")
    view = grid(window, "w_q")
    click_cell(qtbot, view, 0, 0)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F2)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.document.scene is third


def test_turning_the_heads_makes_rows(qtbot: QtBot, window: MainWindow) -> None:
    heads = window.controls.findChild(object, "heads")
    heads.setValue(2)
    assert window.document.scene.heads == 2
    assert panel(window, "panel_weights_2").matrix().shape == (2, 2)
    heads.setValue(1)
    assert window.findChild(Panel, "panel_weights_2") is None


def test_the_mask_toggle_hides_the_future(qtbot: QtBot, window: MainWindow) -> None:
    toggle = window.controls.findChild(object, "mask")
    toggle.click()
    assert window.document.scene.mask[0].kind == "causal"
    assert panel(window, "panel_weights_1").matrix()[0].tolist() == [1.0, 0.0]
    toggle.click()
    assert window.document.scene.mask == ()


def test_covering_is_said_and_ended_by_escape(qtbot: QtBot, window: MainWindow) -> None:
    weights = panel(window, "panel_weights_1")
    trigger(window, "cover")
    assert "A click covers a number" in window.covers.note.text
    qtbot.mouseClick(weights, Qt.MouseButton.LeftButton, pos=weights.cell_rect(0, 1).center())
    assert window.covers.cells == {Cell("weights", 0, 0, 1)}
    qtbot.keyClick(weights, Qt.Key.Key_Escape)
    assert window.covers.note.isHidden() and not window.covers.covering
    qtbot.mouseClick(weights, Qt.MouseButton.LeftButton, pos=weights.cell_rect(1, 1).center())
    assert window.covers.cells == {Cell("weights", 0, 0, 1)}  # what is covered stays so


def test_the_status_bar_agrees_with_torch(qtbot: QtBot, window: MainWindow) -> None:
    agreement = window.findChild(object, "agreement")
    qtbot.waitUntil(lambda: agreement.text() != "")
    assert "agrees with torch SDPA + MHA" in agreement.text()
    facts = window.findChild(object, "facts")
    assert facts.text() == "n = 2 · d_model = 2 · heads 1 · d_k = 2 · d_v = 2 · float64"


def test_save_open_and_the_modified_mark(qtbot: QtBot, window: MainWindow, tmp_path: object) -> None:
    path = tmp_path / "mine.attn.json"
    window.files.ask_save = lambda start: path
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 0.1), "edit")
    assert window.isWindowModified()
    trigger(window, "save")
    assert not window.isWindowModified() and window.windowTitle().startswith("mine.attn.json")
    assert load(path).x[0, 0] == 0.1
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 0.2), "edit")
    trigger(window, "save")
    assert load(path).x[0, 0] == 0.2
    assert window.files.recent == [path.resolve()]
    window.files.ask_open = lambda: path
    trigger(window, "open")
    assert window.document.undo_stack.count() == 0


def test_a_torn_file_is_named_and_loses_nothing(qtbot: QtBot, window: MainWindow, tmp_path: object) -> None:
    torn = tmp_path / "torn.attn.json"
    torn.write_text('{"format": "attention-explorer/1", "x": [[1, 2')
    scene = window.document.scene
    assert not window.files.open(torn)
    assert window.document.scene is scene
    assert "torn.attn.json" in window.banner.text and window.banner.isVisible()


@pytest.mark.parametrize(
    ("answer", "closes"), [(Answer.CANCEL, False), (Answer.DISCARD, True), (Answer.SAVE, True)]
)
def test_closing_asks_about_unsaved_work(
    qtbot: QtBot, window: MainWindow, tmp_path: object, answer: Answer, closes: bool
) -> None:
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 5.0), "edit")
    window.files.ask_discard = lambda: answer
    window.files.ask_save = lambda start: tmp_path / "kept.attn.json"
    assert window.close() is closes
    assert (tmp_path / "kept.attn.json").exists() is (answer is Answer.SAVE)


def test_a_name_without_suffix_does_not_replace_a_session_unasked(window: MainWindow, tmp_path: Path) -> None:
    """'v1.2' becomes 'v1.2.attn.json': where there is one, the dialog comes again with that name."""
    seen: list[str] = []

    def type_and_accept(then: object = None) -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        dialog.selectFile("v1.2")
        if then is not None:
            QTimer.singleShot(0, then)
        dialog.accept()

    def look_and_leave() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        seen.extend(dialog.selectedFiles())
        dialog.reject()

    path = tmp_path / "v1.2.attn.json"
    QTimer.singleShot(0, type_and_accept)
    assert window.files._save_dialog(tmp_path / "a.attn.json") == path
    path.touch()
    QTimer.singleShot(0, lambda: type_and_accept(look_and_leave))
    assert window.files._save_dialog(tmp_path / "a.attn.json") is None
    assert seen == [str(path)]


def test_a_failed_save_keeps_the_work(qtbot: QtBot, window: MainWindow, tmp_path: object) -> None:
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 5.0), "edit")
    window.files.ask_save = lambda start: tmp_path / "no such folder" / "x.attn.json"
    assert not window.files.save()
    assert window.document.modified and window.banner.text == (
        "x.attn.json: it cannot be saved: there is no such file or folder."
    )


def test_clicking_a_weight_frames_exactly_its_sources(qtbot: QtBot, window: MainWindow) -> None:
    weights = panel(window, "panel_weights_1")
    qtbot.mouseClick(weights, Qt.MouseButton.LeftButton, pos=weights.cell_rect(0, 1).center())
    assert window.selection.cell == Cell("weights", 0, 0, 1)
    framed = {name: p._marks.sources for name, p in window.pipeline.panels.items() if p._marks.sources}
    assert framed == {"panel_masked_1": ((range(0, 1), range(0, 2)),)}
    reached = {name for name, p in window.pipeline.panels.items() if p._marks.dependents}
    assert reached == {"panel_head_outputs_1", "panel_concat", "panel_output"}


def test_clicking_a_source_walks_back_and_leaves_a_trail(qtbot: QtBot, window: MainWindow) -> None:
    for name, row, col in (("output", 0, 1), ("concat", 0, 1), ("head_outputs_1", 0, 1), ("weights_1", 0, 0)):
        shown = panel(window, f"panel_{name}")
        window.pipeline.bring_into_view(f"panel_{name}")
        qtbot.mouseClick(shown, Qt.MouseButton.LeftButton, pos=shown.cell_rect(row, col).center())
    assert [cell.place for cell in window.selection.trail] == ["output", "concat", "head_outputs"]
    scores = panel(window, "panel_scores_1")  # no source of a weight: a new walk
    qtbot.mouseClick(scores, Qt.MouseButton.LeftButton, pos=scores.cell_rect(1, 1).center())
    assert window.selection.trail == ()


def test_a_grid_cell_shows_everything_it_reaches(qtbot: QtBot, window: MainWindow) -> None:
    click_cell(qtbot, grid(window, "w_v"), 0, 0) if grid(window, "w_v").isVisible() else None
    window.selection.select(Cell("w_v", None, 0, 0))
    reached = {name for name, p in window.pipeline.panels.items() if p._marks.dependents}
    assert reached == {"panel_v_1", "panel_head_outputs_1", "panel_concat", "panel_output"}


def test_the_chosen_cell_goes_with_its_row(qtbot: QtBot, window: MainWindow) -> None:
    from explorer.reshape import delete_tokens

    window.selection.select(Cell("weights", 0, 1, 1))
    window.document.edit(delete_tokens(window.document.scene, [1]), "Delete a2")
    assert window.selection.cell is None


def test_covered_numbers_are_guessed(qtbot: QtBot, window: MainWindow) -> None:
    trigger(window, "cover")
    weights = panel(window, "panel_weights_1")
    middle = weights.cell_rect(0, 1).center()
    qtbot.mouseClick(weights, Qt.MouseButton.LeftButton, pos=middle)
    assert window.covers.cells == {Cell("weights", 0, 0, 1)}
    trigger(window, "cover")
    assert "guess" in weights.describe(0, 1) and "0.66" not in weights.describe(0, 1)
    qtbot.mouseClick(weights, Qt.MouseButton.LeftButton, pos=middle)
    assert window.guess.isVisible()
    line, verdict = (
        window.guess.findChild(object, "guess_line"),
        window.guess.findChild(object, "guess_verdict"),
    )
    qtbot.keyClicks(line, "0.73")  # softmax of (1, 2): √d_k forgotten
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "✗" in verdict.text() and "d_k" in verdict.text().replace("\\", "")
    assert window.covers.cells
    qtbot.keyClicks(line, "0.67")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert "✓" in verdict.text() and not window.covers.cells
    qtbot.keyClick(window.guess, Qt.Key.Key_Escape)
    assert not window.guess.isVisible()


def test_another_language_keeps_document_and_undo(qtbot: QtBot, window: MainWindow) -> None:
    window.document.edit(window.document.scene.with_heads(2), "Heads")
    document = window.document
    new = in_another_language(window, "zh_CN")
    assert new.document is document
    assert document.undo_stack.count() == 1
    assert panel(new, "panel_weights_2").matrix() is not None
    new.files.ask_discard = lambda: Answer.DISCARD
    new.close()


def test_the_window_comes_back_as_it_was(qtbot: QtBot, open_it: object) -> None:
    first = open_it()
    first.inspector_dock.hide()
    first.resize(760, 560)  # within the offscreen platform's screen
    first.close()
    second = open_it()
    assert not second.inspector_dock.isVisible()
    assert (second.width(), second.height()) == (760, 560)


def test_hidden_stages_stay_hidden(qtbot: QtBot, window: MainWindow) -> None:
    preferences().hidden_panels = frozenset({"masked"})
    assert window.findChild(Panel, "panel_masked_1") is None
    preferences().hidden_panels = frozenset()
    assert panel(window, "panel_masked_1").matrix() is not None


def test_decimals_change_the_numbers(qtbot: QtBot, window: MainWindow) -> None:
    weights = panel(window, "panel_weights_1")
    before = weights.grab().toImage()
    preferences().decimals = 4
    assert weights.grab().toImage() != before


def test_the_wheel_scrolls_the_pipeline_and_ctrl_zooms(qtbot: QtBot, window: MainWindow) -> None:
    width = panel(window, "panel_weights_1").cell_rect(0, 0).width()
    window.pipeline.zoom_by(1.5)
    assert panel(window, "panel_weights_1").cell_rect(0, 0).width() > width


def test_hovering_lights_up_and_leaving_forgets(qtbot: QtBot, window: MainWindow) -> None:
    output = panel(window, "panel_output")
    qtbot.mouseMove(output, output.cell_rect(0, 0).center())
    concat = panel(window, "panel_concat")
    qtbot.waitUntil(lambda: bool(concat._marks.sources))
    qtbot.mouseMove(output, QPoint(1, 1))
    qtbot.waitUntil(lambda: not concat._marks.sources)
    assert window.selection.cell is None


def test_the_first_numbers_settle_before_more_is_loaded(window: MainWindow) -> None:
    assert window.engine.generation > 0 and window._asked_for._timer.interval() == SETTLED_MS


@pytest.mark.parametrize("told", ["", "A sentence across the top that needs some room of its own."])
def test_docks_get_their_widths_back_after_a_narrow_window(
    qtbot: QtBot, window: MainWindow, told: str
) -> None:
    if told:
        window.banner.warn(told)

    def sized(width: int, height: int) -> None:
        window.resize(width, height)
        qtbot.waitUntil(lambda: not window.findChild(KeptWidths)._timer.isActive())

    def wait_for(wanted: tuple[int, int]) -> None:
        qtbot.waitUntil(lambda: (window.inputs_dock.width(), window.inspector_dock.width()) == wanted)

    docks = [window.inputs_dock, window.inspector_dock]
    for wanted in ((270, 290), (390, 330), (220, 300)):
        sized(1280, 800)
        window.resizeDocks(docks, wanted, Qt.Orientation.Horizontal)
        wait_for(wanted)
        sized(50, 50)
        assert window.inputs_dock.width() < 200
        sized(700, 300)  # the docks get as much as there is, which is not what somebody chose
        qtbot.waitUntil(lambda: window.inputs_dock.width() > 200)
        sized(1280, 800)
        wait_for(wanted)


def type_sized(qtbot: QtBot, window: MainWindow, *scales: float) -> tuple[int, int]:
    """What the docks are wide once everything is dressed."""
    for scale in scales:
        theme.set_scale(scale)
    qtbot.waitUntil(lambda: not turns().busy and not window.findChild(KeptWidths)._noting.isActive())
    return window.inputs_dock.width(), window.inspector_dock.width()


def wish_for(qtbot: QtBot, window: MainWindow, inputs: int, inspector: int) -> None:
    docks = [window.inputs_dock, window.inspector_dock]
    window.resizeDocks(docks, [inputs, inspector], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: [dock.width() for dock in docks] == [inputs, inspector])
    qtbot.waitUntil(lambda: not window.findChild(KeptWidths)._noting.isActive())


@pytest.fixture
def roomy(qtbot: QtBot, window: MainWindow) -> Iterator[MainWindow]:
    """A window of 1280 × 800 pixels; afterwards type has its usual size."""
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: not window.findChild(KeptWidths)._timer.isActive())
    yield window
    theme.set_scale(1.0)
    qtbot.waitUntil(lambda: not turns().busy)


def test_docks_go_with_the_size_of_type(qtbot: QtBot, roomy: MainWindow) -> None:
    cross = roomy.inputs.findChild(QAbstractButton, "attention_cross")
    menu = roomy.inputs.sections["x"].findChild(QToolButton, "menu_x")
    for scale, inputs in ((1.1, 291), (1.25, 332), (1.5, 415), (1.75, None)):  # 270 · 14/13, 16/13, 20/13
        width, _ = type_sized(qtbot, roomy, scale)
        assert width == inputs or inputs is None
        assert roomy.centralWidget().width() >= 1280 // 3 - 2  # a line of a pixel beside each dock
        for button in (cross, menu):
            right = button.mapTo(roomy.inputs.viewport(), button.rect().bottomRight()).x()
            assert right < roomy.inputs.viewport().width(), (scale, button.text())
        assert type_sized(qtbot, roomy, 1.0) == (270, 290)
    assert type_sized(qtbot, roomy, 1.1, 1.25, 1.5, 1.0) == (270, 290)  # faster than it is dressed


def test_wished_widths_go_with_the_size_of_type(qtbot: QtBot, roomy: MainWindow) -> None:
    wish_for(qtbot, roomy, 390, 325)
    assert type_sized(qtbot, roomy, 1.5)[0] > 390
    assert type_sized(qtbot, roomy, 1.0) == (390, 325)
    _, inspector = type_sized(qtbot, roomy, 1.25)
    wish_for(qtbot, roomy, 320, inspector)
    assert type_sized(qtbot, roomy, 1.25) == (320, inspector)
    assert type_sized(qtbot, roomy, 1.0) == (260, 325)  # 320 · 13/16; nobody has touched the other one


def test_larger_type_at_the_next_start_is_nobodys_wish_for_wide_docks(
    qtbot: QtBot, roomy: MainWindow, open_it: object
) -> None:
    larger = type_sized(qtbot, roomy, 1.75)
    roomy.close()
    again = open_it()
    again.resize(1280, 800)
    assert type_sized(qtbot, again, 1.75) == larger
    assert type_sized(qtbot, again, 1.0) == (270, 290)


def test_buttons_of_dialogs_have_words_alone(window: MainWindow) -> None:
    """Some desktops give them icons when they are made, before the dialog has its style sheet."""
    dialog = QDialog(window)
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    (button,) = box.buttons()
    button.setIcon(dialog.style().standardIcon(QStyle.StandardPixmap.SP_DialogCloseButton))
    assert not button.icon().isNull()
    QVBoxLayout(dialog).addWidget(box)
    dialog.open()
    assert button.icon().isNull() and button.text()
    dialog.reject()


def test_what_stands_beside_a_matrix_takes_each_colour(qtbot: QtBot, window: MainWindow) -> None:
    labels = [label for label in window.inputs_dock.findChildren(QLabel) if label.property("quiet")]
    assert any("2 × 2" in label.text() for label in labels)
    try:
        for mode in ("contrast", "dark", "light"):
            theme.set_mode(mode)
            qtbot.waitUntil(lambda: not turns().busy)
            assert {label.palette().color(label.foregroundRole()).name() for label in labels} == {
                theme.current().muted.name()
            }
    finally:
        theme.set_mode("light")


def test_colours_follow_the_system_unless_others_are_chosen(window: MainWindow) -> None:
    turned = QGuiApplication.styleHints().colorSchemeChanged
    usual = theme.watcher().system
    try:
        turned.emit(Qt.ColorScheme.Dark)
        assert theme.current() is theme.LIGHT  # chosen
        theme.set_mode("system")
        assert theme.current() is theme.DARK
        assert window.palette().color(QPalette.ColorRole.Base) == theme.DARK.surface
        turned.emit(Qt.ColorScheme.Light)
        assert theme.current() is theme.LIGHT
        assert window.palette().color(QPalette.ColorRole.Base) == theme.LIGHT.surface
    finally:
        theme.watcher().system = usual
        theme.set_mode("light")
