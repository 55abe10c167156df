"""Large heads in the window: maps that one pans, zooms and searches, exact wherever one looks."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollBar
from pytestqt.qtbot import QtBot

from explorer import engine
from explorer.attention.attend import attend
from explorer.attention.cost import HELD_BYTES, is_large
from explorer.attention.masks import Causal
from explorer.attention.trace import Cell, Trace
from explorer.files.session import save
from explorer.scene import Scene
from explorer.ui import picture
from explorer.ui.export.worksheet_dialog import WorksheetDialog
from explorer.ui.main_window import MainWindow
from explorer.ui.maps import StillMaps
from explorer.ui.panels.map import MapPanel
from explorer.ui.panels.panel import Panel
from explorer.ui.picture import Look
from explorer.ui.render import laid_out
from tests.attention.large_scenes import scene_of
from tests.ui.conftest import Opener
from tests.ui.language_helpers import in_another_language

SCENE = scene_of(1100, heads=1, width=4, mask=(Causal(),)).replace(
    tokens=tuple(f"t{k % 1000}" for k in range(1100))
)


@pytest.fixture(scope="module")
def held() -> Trace:
    """The same numbers, as plain arrays."""
    trace = attend(SCENE, HELD_BYTES)
    assert is_large(SCENE) and trace.large is None
    return trace


@pytest.fixture
def window(open_it: Opener, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    save(SCENE, tmp_path / "large.attn.json")
    window = open_it(tmp_path / "large.attn.json")
    window.resize(1280, 800)
    window.pipeline.bring_into_view("panel_weights_1")
    exact(window, qtbot)
    return window


def exact(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until all that is in view is there, and no sketch."""
    panel = weights(window)
    qtbot.waitUntil(lambda: bool(panel.pictures()) and not window.maps.is_coarse)


def weights(window: MainWindow) -> MapPanel:
    panel = window.pipeline.panels["panel_weights_1"]
    assert isinstance(panel, MapPanel)
    return panel


def wheel(panel: Panel, at: QPoint, turns: int, modifier: Qt.KeyboardModifier) -> None:
    for _ in range(abs(turns)):
        QApplication.sendEvent(
            panel,
            QWheelEvent(
                QPointF(at), QPointF(panel.mapToGlobal(at)), QPoint(), QPoint(0, 120 if turns > 0 else -120),
                Qt.MouseButton.NoButton, modifier, Qt.ScrollPhase.NoScrollPhase, False,
            ),
        )  # fmt: skip


def test_a_large_head_is_a_picture_of_pooled_tiles(window: MainWindow, held: Trace) -> None:
    panel = weights(window)
    (tiles,) = panel.pictures()
    step = tiles.window.row_step
    assert (step, tiles.window.col_step) == (4, 4)  # 1100 cells on 360 pixels
    blocks = held.weights[0].reshape(275, 4, 275, 4).max(axis=(1, 3))
    seen = ~tiles.hidden
    np.testing.assert_allclose(tiles.values[seen], blocks[seen])
    assert tiles.hidden[0, 1] and not tiles.hidden[1, 1]
    assert window.map_bar.isVisible() and window.engine.trace.large is not None
    assert not panel.shows_numbers
    corner = panel.cell_rect(1099, 1099)  # a third of a pixel, the last one
    assert corner.size() == QSize(1, 1) and panel.body().contains(corner)


def test_torch_is_asked_about_a_sample_of_rows_and_it_is_said_so(window: MainWindow, qtbot: QtBot) -> None:
    check = window.findChild(QLabel, "agreement")
    qtbot.waitUntil(lambda: "agrees with torch" in check.text())
    assert check.text().endswith(" in 64 sampled rows")


def test_only_what_is_in_view_is_computed(window: MainWindow) -> None:
    maps = {panel.kind.name: panel for panel in window.maps.panels}
    assert maps["weights"].pictures()
    assert not maps["output"].pictures() or not maps["output"].visibleRegion().isEmpty()
    asked = {view.stage for view in window.maps._tiles}
    assert asked == {name for name, panel in maps.items() if not panel.visibleRegion().isEmpty()}


def test_coming_nearer_no_numbers_are_written_that_are_out_of_sight(window: MainWindow, qtbot: QtBot) -> None:
    panel = weights(window)
    middle = panel.body().center()
    while not panel.pictures()[-1].window.is_exact:
        wheel(panel, middle, 1, Qt.KeyboardModifier.ShiftModifier)
        exact(window, qtbot)
    panel.grab()
    many = panel.pictures()[-1]
    assert many.values.size > 10_000 and not panel.shows_numbers
    wheel(panel, middle, 20, Qt.KeyboardModifier.ShiftModifier)
    panel.grab()  # the tiles of what is in view now are still to come
    rows, cols = panel.frame.in_view
    assert panel.pictures()[-1] is many and panel.shows_numbers
    shown = panel._tiles._numbers.values
    np.testing.assert_array_equal(
        shown,
        many.values[
            rows.start - many.window.rows.start : rows.stop - many.window.rows.start,
            cols.start - many.window.cols.start : cols.stop - many.window.cols.start,
        ],
    )
    panel.go_to(0, 0)  # where none of them are
    panel.grab()


def test_the_wheel_zooms_to_single_cells_with_their_numbers(
    window: MainWindow, held: Trace, qtbot: QtBot
) -> None:
    panel = weights(window)
    middle = panel.body().center()
    row, col = panel.cell_at(middle) or (0, 0)
    wheel(panel, middle, 20, Qt.KeyboardModifier.ShiftModifier)
    exact(window, qtbot)
    assert np.abs(np.subtract(panel.cell_at(middle), (row, col))).max() < 3  # as many as share a pixel
    tiles = panel.pictures()[-1]
    view = tiles.window
    assert view.is_exact and len(view.rows) < 12
    part = held.weights[0][view.rows.start : view.rows.stop, view.cols.start : view.cols.stop]
    np.testing.assert_allclose(tiles.values, part)
    panel.grab()
    assert panel.shows_numbers
    QTest.keyClick(panel, Qt.Key.Key_Minus)
    assert panel.zoom > 1.0
    wheel(panel, middle, -20, Qt.KeyboardModifier.ShiftModifier)
    assert panel.zoom == 1.0


def test_the_map_is_moved_with_the_mouse(window: MainWindow, qtbot: QtBot) -> None:
    panel = weights(window)
    middle = panel.body().center()
    wheel(panel, middle, 8, Qt.KeyboardModifier.ShiftModifier)
    before = panel.cell_at(middle)
    assert before is not None
    QTest.mousePress(panel, Qt.MouseButton.LeftButton, pos=middle)
    for k in range(1, 5):
        QTest.mouseMove(panel, middle - QPoint(0, 20 * k))
    QTest.mouseRelease(panel, Qt.MouseButton.LeftButton, pos=middle - QPoint(0, 80))
    after = panel.cell_at(middle)
    assert after is not None and after[0] > before[0] and after[1] == before[1]
    assert window.selection.cell is None  # moved, not chosen
    exact(window, qtbot)


def test_a_click_chooses_the_cell_and_the_inspector_explains_it(
    window: MainWindow, held: Trace, qtbot: QtBot
) -> None:
    panel = weights(window)
    at = panel.body().topLeft() + QPoint(100, 300)
    cell = panel.cell_at(at)
    assert cell is not None
    QTest.mouseClick(panel, Qt.MouseButton.LeftButton, pos=at)
    assert window.selection.cell == Cell("weights", 0, *cell)
    qtbot.waitUntil(lambda: window.inspector.explanation is not None)
    assert window.inspector.explanation.value == pytest.approx(held.weights[0][cell])


def test_hover_tells_the_exact_number_and_what_the_tile_shows(window: MainWindow, held: Trace) -> None:
    panel = weights(window)
    text = panel.describe(1000, 998)
    assert repr(float(held.weights[0, 1000, 998]))[:8] in text
    largest = held.weights[0, 1000:1004, 996:1000].max()
    assert f"largest of 4 × 4 cells here: {largest:.4g}" in text
    assert "hidden by the mask" in panel.describe(3, 9)


def test_find_goes_from_token_to_token(window: MainWindow, qtbot: QtBot) -> None:
    find = window.map_bar.find
    QTest.keyClicks(find, "t42")
    QTest.keyClick(find, Qt.Key.Key_Return)
    assert window.selection.cell == Cell("weights", 0, 42, 42) and window.map_bar.said == "1 of 2"
    QTest.keyClick(find, Qt.Key.Key_Return)
    assert window.selection.cell == Cell("weights", 0, 1042, 42)
    QTest.keyClick(find, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert window.selection.cell == Cell("weights", 0, 1042, 1042)
    assert not weights(window).cell_rect(1042, 1042).isEmpty()
    find.selectAll()
    QTest.keyClicks(find, "nobody")
    QTest.keyClick(find, Qt.Key.Key_Return)
    assert window.map_bar.said == "no token “nobody”"
    exact(window, qtbot)


def test_a_search_in_the_middle_of_a_sketch_is_followed_by_the_exact_picture(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.maps.set_pool("mean")
    window.maps._sketch()
    QTest.mouseClick(window.map_bar.strongest, Qt.MouseButton.LeftButton)
    exact(window, qtbot)


def test_the_strongest_weight_is_gone_to(window: MainWindow, held: Trace, qtbot: QtBot) -> None:
    QTest.mouseClick(window.map_bar.strongest, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.selection.cell is not None)
    row, col = np.unravel_index(held.weights[0].argmax(), held.weights[0].shape)
    assert window.selection.cell == Cell("weights", 0, row, col)
    assert window.map_bar.said == f"{held.weights[0].max():.4g} · row {row + 1}, column {col + 1}"
    exact(window, qtbot)


def test_who_chooses_something_else_is_not_taken_to_what_was_searched(
    window: MainWindow, qtbot: QtBot
) -> None:
    QTest.mouseClick(window.map_bar.strongest, Qt.MouseButton.LeftButton)
    chosen = Cell("q", 0, 3, 1)
    window.selection.select(chosen)
    exact(window, qtbot)
    assert window.selection.cell == chosen and window.map_bar.said == ""


def test_what_was_found_ends_in_dots_where_the_bar_has_no_room_for_it(window: MainWindow) -> None:
    label = window.map_bar.findChild(QLabel, "map_said")
    assert isinstance(label, QLabel)
    label.resize(70, label.height())
    window.map_bar._on_found(SimpleNamespace(head=0, row=0, col=0, value=1.0))
    clipped = label.grab().toImage()
    whole = label.text()
    assert (whole, label.toolTip()) == ("1 · row 1, column 1",) * 2
    label.setText(label.fontMetrics().elidedText(whole, Qt.TextElideMode.ElideRight, 70))
    assert label.text().endswith("…") and label.grab().toImage() == clipped


def test_the_mean_instead_of_the_largest(window: MainWindow, held: Trace, qtbot: QtBot) -> None:
    pool = window.map_bar.pool
    pool.setFocus()
    QTest.keyClick(pool, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: weights(window).pictures()[0].window.pool == "mean")
    exact(window, qtbot)
    (tiles,) = weights(window).pictures()
    below = np.tril(np.ones((275, 275), bool), -1)  # tiles without hidden cells
    means = held.weights[0].reshape(275, 4, 275, 4).mean(axis=(1, 3))
    np.testing.assert_allclose(tiles.values[below], means[below])


def test_an_edit_brings_new_pictures_and_the_latest_wins(window: MainWindow, qtbot: QtBot) -> None:
    document = window.document
    for value in range(20):
        document.edit(document.scene.with_cell("x", 700, 1, float(value)), "drag", "drag")
        QApplication.processEvents()
    qtbot.waitUntil(lambda: not window.engine.busy)
    qtbot.waitUntil(lambda: window.maps._trace is window.engine.trace)
    exact(window, qtbot)
    assert window.engine.trace.scene is document.scene
    expected = attend(document.scene, HELD_BYTES).weights[0].reshape(275, 4, 275, 4).max(axis=(1, 3))
    (tiles,) = weights(window).pictures()
    np.testing.assert_allclose(tiles.values[~tiles.hidden], expected[~tiles.hidden])


def test_work_can_be_stopped_and_gone_on_with(window: MainWindow, qtbot: QtBot) -> None:
    window.maps._rest.setInterval(10**6)  # the exact pictures wait until they are asked for
    window.maps.set_pool("mean")
    qtbot.waitUntil(lambda: weights(window).pictures()[0].window.pool == "mean")
    window.maps.stop()
    assert window.maps.is_coarse
    assert window.map_bar.stop.text() == "Exactly" and not window.map_bar.bar.isVisible()
    QTest.mouseClick(window.map_bar.stop, Qt.MouseButton.LeftButton)
    exact(window, qtbot)
    qtbot.waitUntil(lambda: not window.map_bar.stop.isVisible())


def test_a_small_scene_has_panels_as_ever(window: MainWindow, qtbot: QtBot) -> None:
    small = scene_of(4)
    window.document.edit(small, "smaller")
    qtbot.waitUntil(lambda: not window.engine.busy)
    panel = window.pipeline.panels["panel_weights_1"]
    assert type(panel) is Panel and panel.matrix().shape == (4, 4)
    assert not window.map_bar.isVisible()
    window.document.undo_stack.undo()
    qtbot.waitUntil(lambda: not window.engine.busy)
    assert isinstance(window.pipeline.panels["panel_weights_1"], MapPanel)
    exact(window, qtbot)


def test_tools_that_need_all_numbers_say_so(window: MainWindow, qtbot: QtBot) -> None:
    window.lab.open("slips")
    assert window.lab.lab is not None and not window.lab.lab.tool.isEnabled()
    assert "too many" in window.lab.lab._question.text()
    window.lab.open("cost")
    assert window.lab.lab.tool.isEnabled()
    window.present()
    qtbot.waitUntil(lambda: window.presenter is not None)
    window.presenter.grab()
    window.presenter.close()


def test_the_presenter_shows_large_heads_as_maps_and_veils_them_whole(
    window: MainWindow, held: Trace, qtbot: QtBot
) -> None:
    window.present()
    presenter = window.presenter
    assert presenter is not None
    presenter.go([step.key for step in presenter.steps].index("weights"))
    panel = presenter.panels[-1]
    assert isinstance(panel, MapPanel)
    qtbot.waitUntil(lambda: bool(panel.pictures()) and not window.maps.is_coarse)
    assert all(presenter.rect().contains(each.geometry()) for each in presenter.panels)
    (tiles,) = panel.pictures()
    step, seen = tiles.window.row_step, ~tiles.hidden
    rows = held.weights[0][: 1100 // step * step, : 1100 // step * step]
    blocks = rows.reshape(1100 // step, step, 1100 // step, step).max(axis=(1, 3))
    whole = seen[: len(blocks), : len(blocks)]
    np.testing.assert_allclose(tiles.values[: len(blocks), : len(blocks)][whole], blocks[whole])
    qtbot.waitUntil(lambda: presenter.arithmetic != "")
    QTest.keyClick(presenter, Qt.Key.Key_P)
    qtbot.waitUntil(lambda: presenter.arithmetic == "")
    assert panel.veiled and panel.describe(3, 2) == ""
    QTest.keyClick(presenter, Qt.Key.Key_P)
    assert not panel.veiled and panel.describe(3, 2) != ""
    presenter.close()
    exact(window, qtbot)


def test_a_scene_under_way_can_be_cancelled(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, attend = window.engine.trace, engine._attend

    def slow(_scene: Scene, _device: str, _large: Trace | None, going_on: Callable[[], None]) -> Trace:
        while True:
            going_on()

    monkeypatch.setattr(engine, "_attend", slow)
    window.document.edit(window.document.scene.with_cell("x", 700, 1, 5.0), "edit")
    bar = window.map_bar
    qtbot.waitUntil(lambda: bar.bar.isVisible() and bar.bar.maximum() == 0)
    assert bar.stop.text() == "Cancel"
    QTest.mouseClick(bar.stop, Qt.MouseButton.LeftButton)
    assert bar.said.startswith("Not computed") and not bar.bar.isVisible()
    assert window.engine.trace is before and weights(window).stale
    monkeypatch.setattr(engine, "_attend", attend)
    assert bar.stop.text() == "Compute"
    QTest.mouseClick(bar.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.engine.busy)
    assert not weights(window).stale and bar.said == ""
    exact(window, qtbot)


def test_panels_of_many_large_heads_come_some_at_a_time(window: MainWindow, qtbot: QtBot) -> None:
    window.document.edit(scene_of(600, heads=8, width=4), "heads")
    pipeline = window.pipeline
    assert 0 < len(pipeline.made) < 66 and "panel_weights_1" in pipeline.made
    qtbot.waitUntil(lambda: len(pipeline.made) == 66)  # 8 heads × 8 stages, concat and output
    window.document.edit(scene_of(700, heads=8, width=4), "longer")
    assert len(pipeline.panels) == 66  # whoever asks for one has all
    qtbot.waitUntil(lambda: not window.engine.busy)


def test_no_worksheet_is_tried_where_there_is_no_room(qtbot: QtBot) -> None:
    dialog = WorksheetDialog(attend(SCENE, 0))
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.is_done)
    assert "cells would be blank" in dialog.problem.text()


def test_a_picture_that_no_window_shows_has_its_maps(qtbot: QtBot, held: Trace) -> None:
    pipeline = laid_out(SCENE, attend(SCENE, 0), 1600)
    qtbot.addWidget(pipeline)
    panel = pipeline.panels["panel_weights_1"]
    assert isinstance(panel, MapPanel)
    (tiles,) = panel.pictures()
    blocks = held.weights[0].reshape(275, 4, 275, 4).max(axis=(1, 3))
    np.testing.assert_allclose(tiles.values[~tiles.hidden], blocks[~tiles.hidden])
    assert all(each.pictures() for each in pipeline.panels.values())


def test_in_another_language_the_maps_are_there_at_once(qtbot: QtBot, window: MainWindow) -> None:
    before = weights(window).overview
    new = in_another_language(window, "zh_CN")
    assert weights(new).overview is before and new.inputs.grid("w_v").isVisibleTo(new.inputs.tabs.widget(2))
    exact(new, qtbot)
    assert in_another_language(new, "en").engine is window.engine


def test_a_picture_has_the_maps_that_are_not_in_view(window: MainWindow, qtbot: QtBot) -> None:
    """Those of this scene: what a panel showed of another one, when it was seen last, is in no file."""
    panel = window.pipeline.panels["panel_weights_1"]
    plain = image(window, panel)
    window.pipeline.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: panel.visibleRegion().isEmpty() and not window.maps.is_coarse)
    assert image(window, panel) == plain
    with qtbot.waitSignal(window.engine.finished):
        window.document.edit(SCENE.replace(x=np.flip(SCENE.x, axis=0)), "Turn round")
    qtbot.waitUntil(lambda: not window.maps.is_coarse)
    assert (turned := image(window, panel)) != plain
    assert isinstance(panel, MapPanel) and len(panel.pictures()) == 1  # what the window has is left alone
    window.pipeline.bring_into_view("panel_weights_1")
    exact(window, qtbot)
    assert image(window, panel) == turned


def image(window: MainWindow, panel: Panel) -> QImage:
    """The panel in a picture of everything."""
    everything = picture.image(picture.of_pipeline(window.pipeline, StillMaps()), Look(marks=False))
    return everything.copy(panel.body().translated(panel.pos() + QPoint(picture.EDGE, 0)))


def test_a_tool_that_needs_all_numbers_says_so_and_has_nothing_to_scroll(window: MainWindow) -> None:
    window.show()
    window.lab.open("masks")
    lab = window.lab.lab
    assert lab is not None and "this scene has too many" in lab._question.text()
    assert not any(bar.isVisible() for bar in lab.findChildren(QScrollBar))
    window.lab.open("cost")  # needs none
    assert "too many" not in lab._question.text()
