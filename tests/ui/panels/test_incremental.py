"""A picture brought up to date after an edit is, to the pixel, the one that would be made from nothing."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.attention.attend import attend
from explorer.attention.masks import Causal, Padding
from explorer.scene import Scene
from explorer.ui.panels import glyphs
from explorer.ui.panels.glyphs import shared_glyphs
from explorer.ui.panels.heatmap import Levels
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.picture import Content, Look, Picture, bands, redraw
from explorer.ui.pipeline import Pipeline
from explorer.ui.preferences import preferences


@pytest.fixture(autouse=True)
def light(qapp: object) -> None:
    preferences().theme = "light"


# ---- the picture of one matrix ----


SPAN = Levels(-2.0, 2.0)


def look(cell: tuple[int, int] = (44, 28), decimals: int = 2, on_light: bool = True) -> Look:
    atlas = shared_glyphs(13, *cell) if cell[1] >= 13 else None
    return Look(atlas, decimals, room=cell[0] - 3, on_light=on_light)


def content(
    values: object, hidden: np.ndarray | None = None, span: Levels = SPAN, colours: str = "signed"
) -> Content:
    return Content(np.array(values, dtype=float), hidden, colours, span)


def pixels(image: QImage | None) -> np.ndarray | None:
    if image is None or image.isNull():
        return None
    rows = np.frombuffer(image.constBits(), dtype=np.uint32).reshape(image.height(), image.width())
    return rows.copy()


def images(picture: Picture) -> tuple[np.ndarray | None, np.ndarray | None, bool]:
    return pixels(picture.colours), pixels(picture.numbers), picture.see_through


def same(one: Picture, other: Picture) -> bool:
    return all(map(np.array_equal, images(one), images(other)))


NUMBERS = st.sampled_from([0.0, -0.0, 0.001, -0.004, 1.0, -1.5, 2.0, 123456.0, np.nan, np.inf, -np.inf])


@st.composite
def contents(draw: st.DrawFn) -> Content:
    rows, cols = draw(st.sampled_from([(2, 3), (2, 3), (3, 2), (1, 1)]))
    values = draw(st.lists(st.lists(NUMBERS, min_size=cols, max_size=cols), min_size=rows, max_size=rows))
    hidden = draw(st.sampled_from([None, np.eye(rows, cols) > 0, np.eye(rows, cols) < 1]))
    span = draw(st.sampled_from([Levels(-1.0, 1.0), SPAN, Levels(0.0, 1.0)]))
    return content(values, hidden, span, draw(st.sampled_from(["signed", "unit"])))


LOOKS = st.builds(
    look,
    cell=st.sampled_from([(44, 28), (30, 20), (44, 8)]), decimals=st.integers(0, 3), on_light=st.booleans(),
)  # fmt: skip


@given(st.lists(st.tuples(st.tuples(contents(), contents()), LOOKS), min_size=1, max_size=5))
def test_any_change_of_numbers_masks_and_looks(
    qapp: QApplication, steps: list[tuple[tuple[Content, Content], Look]]
) -> None:
    """Kept: two pictures through all changes, made together. Anew: each by itself, from nothing."""
    kept = [Picture(), Picture()]
    for shown, wanted in steps:
        before = [images(picture) for picture in kept]
        changes = redraw(kept, shown, wanted)
        for picture, one, old, changed in zip(kept, shown, before, changes, strict=True):
            anew = Picture()
            redraw([anew], [one], wanted)
            assert same(picture, anew)
            if changed is None:
                assert all(map(np.array_equal, images(picture), old))
        assert redraw(kept, shown, wanted) == [None, None]


def test_it_tells_which_cells_look_different(qapp: QApplication) -> None:
    picture = Picture()
    values = np.array([[1.0, 0.5], [0.25, 2.0]])

    def changed(values: np.ndarray) -> list[list[bool]] | None:
        (cells,) = redraw([picture], [content(values)], look())
        return None if cells is None else cells.tolist()

    assert changed(values) == [[True, True], [True, True]]
    assert changed(values.copy()) is None
    values[0, 1] = 0.75
    assert changed(values.copy()) == [[False, True], [False, False]]
    assert changed(values + 1e-9) is None  # neither a digit nor a colour


def test_another_scale_recolours_and_rewrites_nothing(qapp: QApplication) -> None:
    picture = Picture()
    redraw([picture], [content([[1.0, 0.0]], span=Levels(-1.0, 1.0))], look())
    numbers = picture.numbers
    (cells,) = redraw([picture], [content([[1.0, 0.0]], span=Levels(-4.0, 4.0))], look())
    assert cells is not None and cells.tolist() == [[True, False]]
    assert picture.numbers is numbers


def test_a_row_and_a_column_are_three_bands() -> None:
    cells = np.zeros((5, 6), dtype=bool)
    assert bands(cells) == []
    cells[2] = cells[:, 4] = True
    assert bands(cells) == [
        (range(0, 2), range(4, 5)), (range(2, 3), range(0, 6)), (range(3, 5), range(4, 5)),
    ]  # fmt: skip
    assert bands(cells, most=2) == [(range(0, 5), range(0, 6))]


# ---- panels in a window ----


def on_screen(pipeline: Pipeline) -> QImage:
    """What has been painted, bit by bit, since the window was shown; the frame of the focus aside."""
    if (focused := QApplication.focusWidget()) is not None:
        focused.clearFocus()
    QApplication.processEvents()
    return (
        pipeline.screen().grabWindow(pipeline.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)
    )


def alike(one: QImage, other: QImage) -> bool:
    """To the bit; but a gradient of which only a part is painted anew, Qt rounds another way."""
    if one.size() != other.size():
        return False
    a, b = (np.frombuffer(image.constBits(), dtype=np.uint8).astype(int) for image in (one, other))
    return bool(np.abs(a - b).max() <= 1)


def shown(qtbot: QtBot, scene: Scene) -> Pipeline:
    pipeline = Pipeline()
    qtbot.addWidget(pipeline)
    pipeline.resize(1000, 900)
    pipeline.set_scene(scene)
    with qtbot.waitExposed(pipeline):
        pipeline.show()
    pipeline.show_trace(attend(scene))
    return pipeline


def random_scene(n: int, heads: int) -> Scene:
    rng = np.random.default_rng(n)
    width = 4 * heads
    return Scene(
        x=rng.normal(size=(n, width)), heads=heads,
        **{name: rng.normal(size=(width, width)) / 3 for name in ("w_q", "w_k", "w_v", "w_o")},
    )  # fmt: skip


EDITS: dict[str, Callable[[Scene], Scene]] = {
    "x": lambda s: s.with_cell("x", 1, 1, 0.5),
    "w_q": lambda s: s.with_cell("w_q", 0, 1, -3.0),
    "w_v": lambda s: s.with_cell("w_v", 0, 0, 0.25),
    "w_o": lambda s: s.with_cell("w_o", 3, 2, 9.0),
    "a number so large that all colours change": lambda s: s.with_cell("w_k", 0, 0, 40.0),
    "a number so large that decimals go": lambda s: s.with_cell("x", 0, 0, 12345.0),
    "no number": lambda s: s.with_cell("x", 1, 0, np.nan),
    "infinite": lambda s: s.with_cell("w_v", 1, 0, np.inf),
    "causal": lambda s: s.replace(mask=(Causal(),)),
    "padding": lambda s: s.replace(mask=(Padding(keys=(True,) * (s.n - 1) + (False,)),)),
    "no mask": lambda s: s.replace(mask=()),
    "scale": lambda s: s.replace(scale="none"),
    "heads": lambda s: s.with_heads(1),
    "tokens": lambda s: s.replace(tokens=tuple(f"t{i}" for i in range(s.n))),
}


@pytest.mark.parametrize(("n", "heads"), [(2, 1), (5, 2), (40, 2)])
def test_every_kind_of_edit(qtbot: QtBot, n: int, heads: int) -> None:
    """Cells with numbers, with few, and too small for any."""
    scene = random_scene(n, heads)
    window = shown(qtbot, scene)
    on_screen(window)
    for name, edit in EDITS.items():
        scene = edit(scene)
        window.set_scene(scene)
        window.show_trace(attend(scene))
        fresh = shown(qtbot, scene)
        assert alike(on_screen(window), on_screen(fresh)), name
        fresh.close()


def test_numbers_of_which_none_is_like_another_take_no_more_and_more_memory(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all decimals each edit writes numbers that were never written: their stamps begin anew at times."""
    monkeypatch.setattr(glyphs, "LIMIT", 150)
    glyphs._shared.clear()
    preferences().decimals = 6
    scene = random_scene(5, 2)
    window = shown(qtbot, scene)
    on_screen(window)
    most = 0
    for step in range(12):
        scene = scene.with_cell("x", 1, 1, 0.1 + step / 7)
        window.set_scene(scene)
        window.show_trace(attend(scene))
        QApplication.processEvents()
        most = max(most, *(len(atlas._ids) for atlas in glyphs._shared.values()))
    assert 150 < most < 500  # and those of one edit
    fresh = shown(qtbot, scene)
    assert alike(on_screen(window), on_screen(fresh))


def test_what_is_scrolled_into_view_is_of_the_newest_trace(qtbot: QtBot) -> None:
    scene = random_scene(8, 4)
    window = shown(qtbot, scene)
    on_screen(window)
    scene = scene.with_cell("x", 0, 0, 3.0)
    window.show_trace(attend(scene))
    on_screen(window)
    fresh = shown(qtbot, scene)
    for pipeline in (window, fresh):
        pipeline.verticalScrollBar().setValue(700)
    assert alike(on_screen(window), on_screen(fresh))


def test_a_zoomed_panel(qtbot: QtBot) -> None:
    scene = random_scene(8, 1)
    window = shown(qtbot, scene)
    edited = scene.with_cell("x", 3, 3, 2.0)
    fresh = shown(qtbot, edited)
    for pipeline in (window, fresh):
        panel = pipeline.panels["panel_weights_1"]
        panel.zoom_at(panel.body().center(), 2.0)
    on_screen(window)
    window.show_trace(attend(edited))
    assert alike(on_screen(window), on_screen(fresh))


def painted(qtbot: QtBot, window: Pipeline, scene: Scene) -> set[str]:
    """The panels that are painted when the scene comes."""
    on_screen(window)
    names: set[str] = set()
    watch = Painted(names)
    QApplication.instance().installEventFilter(watch)
    window.show_trace(attend(scene))
    on_screen(window)
    QApplication.instance().removeEventFilter(watch)
    return names


class Painted(QObject):
    """Notes the panels that are painted."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self.names = names

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, Panel):
            self.names.add(watched.objectName())
        return False


def test_only_what_changed_is_painted(qtbot: QtBot) -> None:
    scene = random_scene(3, 2)
    window = shown(qtbot, scene)
    scene = scene.with_cell("w_v", 0, 0, 0.3)  # a column of head 1
    assert painted(qtbot, window, scene) == {
        "panel_v_1", "panel_head_outputs_1", "panel_concat", "panel_output",
    }  # fmt: skip
    assert painted(qtbot, window, scene.replace(title="another")) == set()
