"""A panel as a person sees and uses it."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from explorer.attention.attend import attend
from explorer.attention.masks import Causal, Custom
from explorer.attention.trace import Cell
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.panel import Panel
from explorer.ui.pipeline import Pipeline
from explorer.ui.preferences import preferences

TWO_TOKENS = Scene(
    x=np.array([[1.0, 1.0], [1.0, 0.0]]),
    w_q=np.array([[1.0, 1.0], [0.0, 1.0]]),
    w_k=np.array([[0.0, 1.0], [1.0, -1.0]]),
    w_v=np.array([[0.0, 1.0], [1.0, -1.0]]),
    tokens=("a1", "a2"),
)


@pytest.fixture(autouse=True)
def light(qapp: object) -> None:
    preferences().theme = "light"


def shown(qtbot: QtBot, scene: Scene, size: tuple[int, int] = (1200, 700)) -> Pipeline:
    pipeline = Pipeline()
    qtbot.addWidget(pipeline)
    pipeline.resize(*size)
    pipeline.set_scene(scene)
    with qtbot.waitExposed(pipeline):
        pipeline.show()
    pipeline.show_trace(attend(scene))
    return pipeline


def colour_at(panel: Panel, row: int, col: int) -> QColor:
    """The colour of a cell, probed in its corner, where no number is."""
    image = panel.grab().toImage()
    corner = panel.cell_rect(row, col).topLeft() + QPoint(4, 4)
    ratio = panel.devicePixelRatioF()
    return image.pixelColor(round(corner.x() * ratio), round(corner.y() * ratio))


def test_every_stage_of_the_worked_example(qtbot: QtBot) -> None:
    panels = shown(qtbot, TWO_TOKENS).panels
    names = ["q", "k", "v", "scores", "scaled", "masked", "weights", "head_outputs"]
    assert list(panels) == [*(f"panel_{name}_1" for name in names), "panel_concat", "panel_output"]
    assert panels["panel_scores_1"].matrix().tolist() == [[1, 2], [1, 1]]
    assert panels["panel_scaled_1"].matrix() == pytest.approx(
        np.array([[0.7071, 1.4142], [0.7071, 0.7071]]), abs=1e-4
    )
    assert panels["panel_output"].matrix() == pytest.approx(
        np.array([[0.3302, 0.6698], [0.5, 0.5]]), abs=1e-4
    )


def test_off_diagonal_cells_have_the_colours_of_their_own_values(qtbot: QtBot) -> None:
    """W_q is not symmetric, so a transposed picture would be found out."""
    panel = shown(qtbot, TWO_TOKENS).panels["panel_scores_1"]
    lut = theme.lut("signed")
    assert colour_at(panel, 0, 1) == QColor(*lut[255].tolist())  # 2 of ±2
    assert colour_at(panel, 1, 0) == QColor(*lut[191].tolist())  # 1 of ±2


def test_the_number_is_in_the_cell(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS).panels["panel_weights_1"]
    image = panel.grab(panel.cell_rect(0, 0)).toImage()
    background = image.pixelColor(4, 4)
    ink = sum(
        image.pixelColor(x, y) != background for x in range(image.width()) for y in range(image.height())
    )
    assert ink > 30


def test_cells_lie_side_by_side_without_gaps(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS).panels["panel_weights_1"]
    first, right, below = panel.cell_rect(0, 0), panel.cell_rect(0, 1), panel.cell_rect(1, 0)
    assert right.left() == first.right() + 1 and below.top() == first.bottom() + 1
    assert panel.cell_at(right.center()) == (0, 1) and panel.cell_at(below.topLeft()) == (1, 0)
    assert panel.cell_at(QPoint(0, 0)) is None


def test_a_click_chooses_the_cell_and_arrows_move_on(qtbot: QtBot) -> None:
    pipeline = shown(qtbot, TWO_TOKENS)
    panel = pipeline.panels["panel_weights_1"]
    chosen: list[Cell] = []
    pipeline.cell_clicked.connect(chosen.append)
    qtbot.mouseClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=panel.cell_rect(0, 1).center())
    qtbot.keyClick(panel, Qt.Key.Key_Down)
    qtbot.keyClick(panel, Qt.Key.Key_Down)  # there is no third row
    qtbot.keyClick(panel, Qt.Key.Key_Home)
    assert chosen == [
        Cell("weights", 0, 0, 1),
        Cell("weights", 0, 1, 1),
        Cell("weights", 0, 1, 1),
        Cell("weights", 0, 1, 0),
    ]


def test_the_tooltip_has_row_column_and_the_exact_value(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS).panels["panel_scaled_1"]
    text = panel.describe(0, 1)
    assert "a1" in text and "a2" in text
    assert text.splitlines()[1].startswith("1.414213562373095")


def test_hidden_cells_are_hatched_not_coloured(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS.replace(mask=(Causal(),))).panels["panel_masked_1"]
    image = panel.grab(panel.cell_rect(0, 1)).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert theme.LIGHT.surface.name() in colours and len(colours) > 2
    assert QColor(*theme.lut("signed")[255].tolist()).name() not in colours
    assert "hidden by the mask" in panel.describe(0, 1)


def test_a_row_that_sees_nothing_says_so(qtbot: QtBot) -> None:
    mask = Custom(table=np.array([[False, False], [True, True]]))
    panel = shown(qtbot, TWO_TOKENS.replace(mask=(mask,))).panels["panel_weights_1"]
    assert panel.matrix()[0].tolist() == [0.0, 0.0]
    assert "attends to nothing" in panel.describe(0, 0)


def test_nan_and_infinity_blank_no_panel(qtbot: QtBot) -> None:
    scene = TWO_TOKENS.with_cell("x", 0, 0, np.nan).with_cell("x", 1, 0, np.inf)
    panels = shown(qtbot, scene).panels
    for panel in panels.values():
        assert not panel.grab().isNull()
    assert np.isnan(panels["panel_q_1"].matrix()[0, 0])


def test_numbers_vanish_in_small_cells_and_return_when_zoomed(qtbot: QtBot) -> None:
    rng = np.random.default_rng(5)
    scene = Scene(**{name: rng.normal(size=(24, 24)) for name in ("x", "w_q", "w_k", "w_v")})
    pipeline = shown(qtbot, scene)
    panel = pipeline.panels["panel_weights_1"]

    def colours_in_a_cell() -> int:
        middle = panel.cell_at(panel.body().center())
        assert middle is not None
        image = panel.grab(panel.cell_rect(*middle)).toImage()
        inner = [(x, y) for x in range(2, image.width() - 2) for y in range(2, image.height() - 2)]
        return len({image.pixelColor(x, y).name() for x, y in inner})

    assert colours_in_a_cell() == 1
    pipeline.set_zoom(4.0)
    assert colours_in_a_cell() > 3
    pipeline.set_zoom(1.0)
    for _ in range(8):
        panel.zoom_at(panel.body().center(), 1.25)
    assert colours_in_a_cell() > 3


def test_a_zoomed_panel_still_knows_where_its_cells_are(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS).panels["panel_weights_1"]
    panel.zoom_at(panel.cell_rect(1, 1).center(), 2.0)
    row, col = panel.first_row, panel.first_column
    assert panel.cell_at(panel.cell_rect(1, 1).center()) == (1, 1)
    assert panel.cell_at(panel.cell_rect(row, col).center()) == (row, col)


def test_marks_are_painted_in_the_source_colour(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS).panels["panel_scores_1"]
    panel.set_marks(Marks(sources=((range(0, 1), range(0, 2)),)))
    image = panel.grab(panel.cell_rect(0, 0)).toImage()
    assert image.pixelColor(image.width() // 2, 1) == theme.LIGHT.source


def test_the_frame_of_the_keyboard_is_closed_at_each_side(qtbot: QtBot) -> None:
    wide = TWO_TOKENS.replace(x=np.eye(2)[[0, 1, 0, 1, 0, 1]], tokens=tuple("abcdef"))
    panel = shown(qtbot, wide).panels["panel_weights_1"]
    assert panel.width() == panel.body().right() + 1  # nothing beside the cells
    before = panel.grab().toImage()
    panel.setFocus()
    qtbot.waitUntil(panel.hasFocus)
    after, body = panel.grab().toImage(), panel.body()
    ratio = panel.devicePixelRatioF()
    middle = body.center()
    for side in (
        [QPoint(x, middle.y() + 3) for x in range(body.left() - 3, body.left())],
        [QPoint(x, middle.y() + 3) for x in range(body.right() - 2, panel.width())],
        [QPoint(middle.x(), y) for y in range(body.top() - 3, body.top())],
        [QPoint(middle.x(), y) for y in range(body.bottom() + 1, body.bottom() + 4)],
    ):
        pixels = [(round(at.x() * ratio), round(at.y() * ratio)) for at in side]
        assert any(before.pixel(*at) != after.pixel(*at) for at in pixels), side


def test_one_head_can_have_the_canvas(qtbot: QtBot) -> None:
    rng = np.random.default_rng(2)
    scene = Scene(**{name: rng.normal(size=(4, 4)) for name in ("x", "w_q", "w_k", "w_v")}, heads=2)
    pipeline = shown(qtbot, scene)
    assert len(pipeline.panels) == 18
    panel = pipeline.panels["panel_weights_2"]
    qtbot.mouseDClick(panel, Qt.MouseButton.LeftButton, pos=panel.cell_rect(0, 0).center())
    assert pipeline.only == 1
    assert "panel_weights_1" not in pipeline.panels and pipeline.findChild(Panel, "panel_weights_1") is None
    qtbot.keyClick(pipeline.panels["panel_weights_2"], Qt.Key.Key_Escape)
    assert pipeline.only is None and len(pipeline.panels) == 18


def test_grouped_heads_have_one_k_panel_each(qtbot: QtBot) -> None:
    rng = np.random.default_rng(3)
    scene = Scene(
        x=rng.normal(size=(3, 4)), w_q=rng.normal(size=(4, 8)), w_k=rng.normal(size=(4, 4)),
        w_v=rng.normal(size=(4, 4)), heads=4, kv_heads=2,
    )  # fmt: skip
    panels = shown(qtbot, scene).panels
    assert [name for name in panels if name.startswith("panel_k")] == ["panel_k_1", "panel_k_2"]


def test_a_stale_picture_stays(qtbot: QtBot) -> None:
    pipeline = shown(qtbot, TWO_TOKENS)
    pipeline.mark_failed()
    panel = pipeline.panels["panel_weights_1"]
    assert panel.stale and panel.matrix() is not None
    pipeline.show_trace(attend(TWO_TOKENS))
    assert not panel.stale


def test_what_takes_long_can_be_drawn_before_a_panel_is_painted(qtbot: QtBot) -> None:
    panel = shown(qtbot, TWO_TOKENS).panels["panel_scores_1"]
    preferences().theme = "dark"
    panel.prepare()
    expected, made = panel.grab().toImage(), panel.picture.content
    panel.prepare()  # nothing is left to be done
    assert made is not None and panel.picture.content is made
    assert panel.grab().toImage() == expected
