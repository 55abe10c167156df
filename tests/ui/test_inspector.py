"""The inspector in the window: what it shows of known numbers, and walking with mouse and keys."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention.masks import Causal, Padding
from explorer.attention.trace import STAGES, Cell
from explorer.scene import MATRICES, Scene
from explorer.ui import theme
from explorer.ui.inspector import Inspector
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.panel import Panel
from explorer.ui.preferences import preferences
from explorer.ui.row_bars import chosen_keys
from explorer.ui.texts import head_text, stage_title
from tests.ui.language_helpers import english

Opener = Callable[..., MainWindow]
S12 = Cell("scaled", 0, 0, 1)  # (1·0 + 2·1)/√2
A12 = Cell("weights", 0, 0, 1)


def choose(qtbot: QtBot, window: MainWindow, cell: Cell | None) -> Inspector:
    window.selection.select(cell)
    settled(qtbot, window)
    return window.inspector


def settled(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the inspector shows the chosen number as the Engine has it."""
    cell, inspector = window.selection.cell, window.inspector

    def shown() -> bool:
        found = inspector.explanation
        return (None if found is None else found.cell) == cell and not inspector._refresh.isActive()

    qtbot.waitUntil(shown)


def label(inspector: QWidget, name: str) -> QLabel:
    found = next((w for w in inspector.findChildren(QLabel, name) if w.isVisible()), None)
    assert found is not None, name
    return found


def button(inspector: QWidget, name: str) -> QToolButton:
    found = inspector.findChild(QToolButton, name)
    assert found is not None, name
    return found


def example(name: str) -> Path:
    return resources.path("scenes", f"{name}.attn.json")


def test_it_invites_before_anything_is_chosen(window: MainWindow) -> None:
    inspector = window.inspector
    assert label(inspector, "empty_title").text() == "Click a number to see where it comes from."
    assert not button(inspector, "copy").isEnabled()


def test_a_scaled_score_with_its_arithmetic(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, S12)
    assert label(inspector, "where").text() == "scaled scores · a1 → a2"
    assert inspector.cards.number.value.accessibleName() == "s₁,₂ = 1.414213562373095"
    assert "1.4142" in inspector.cards.number.value.text()
    formula = inspector.cards.number.arithmetic.formula
    assert formula.html.endswith("(1·0 + 2·1)/√2 = <b>1.41</b>")
    qtbot.waitUntil(lambda: formula.is_typeset)
    captions = [caption for caption, _formula in inspector.cards.steps.steps]
    assert captions == ["sum of products", "divided by √dₖ"]
    assert inspector.cards.steps.steps[1][1].html.endswith("2/√2 = <b>1.41</b>")


def test_a_weight_as_quotient_and_its_row_as_bars(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, A12)
    captions = [caption for caption, _formula in inspector.cards.steps.steps]
    assert captions == ["exponential", "sum over the keys", "divided by the sum"]
    bars = inspector.cards.row.bars
    assert bars.isVisible() and bars.keys == [0, 1]
    assert [bars.value_text(key) for key in bars.keys] == ["0.33", "0.67"]
    p = np.array([1, np.exp(1 / np.sqrt(2))])  # scaled scores 1/√2 and 2/√2
    p /= p.sum()
    bits = -(p * np.log2(p)).sum()
    text = label(inspector, "row_facts").text()
    assert text == f"entropy {bits:.2f} bit · effective keys {2**bits:.1f} of 2 visible"
    assert label(inspector, "row_title").text() == "row “a1” · where it looks"


def test_clicking_a_panel_fills_it(qtbot: QtBot, window: MainWindow) -> None:
    panel = window.findChild(Panel, "panel_weights_1")
    assert panel is not None
    qtbot.mouseClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=panel.cell_rect(0, 1).center())
    settled(qtbot, window)
    assert window.inspector.explanation is not None and window.inspector.explanation.cell == A12


def test_chips_walk_and_the_trail_leads_back(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, Cell("output", None, 0, 1))
    assert [item.cell for item in inspector.cards.number.sources.items] == [Cell("concat", None, 0, 1)]
    qtbot.mouseClick(inspector.cards.number.sources.chip(0), Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    qtbot.mouseClick(inspector.cards.number.sources.chip(0), Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    head = Cell("head_outputs", 0, 0, 1)
    assert window.selection.cell == head
    trail = [Cell("output", None, 0, 1), Cell("concat", None, 0, 1)]
    assert [item.cell for item in inspector.cards.number.crumbs.items] == trail
    assert [item.cell for item in inspector.cards.number.dependents.items] == [trail[1]]
    qtbot.mouseClick(inspector.cards.number.crumbs.chip(0), Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert window.selection.cell == trail[0]
    assert not inspector.cards.number.crumbs.isVisible()


def test_walking_with_keys_alone(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, S12)
    inspector.cards.number.sources.chip(0).setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    settled(qtbot, window)
    assert window.selection.cell == Cell("scores", 0, 0, 1)
    assert QApplication.focusWidget() is inspector.cards.number.sources.chip(0)  # and on with the same key
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    settled(qtbot, window)
    assert window.selection.cell == Cell("q", 0, 0, 0)
    for expected in (Cell("scores", 0, 0, 1), S12):
        qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        settled(qtbot, window)
        assert window.selection.cell == expected


def test_a_bar_leads_to_its_weight(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, S12)
    bars = inspector.cards.row.bars
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.bar_rect(0).center())
    settled(qtbot, window)
    assert window.selection.cell == Cell("weights", 0, 0, 0)
    assert window.selection.trail == (S12,)
    bars.setFocus()
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    settled(qtbot, window)
    assert window.selection.cell == A12


def test_an_edit_is_shown_a_moment_later(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, S12)
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 3.0), "x")  # q₁ = (3, 4)
    qtbot.waitUntil(lambda: "(3·0 + 4·1)/√2 = <b>2.83</b>" in inspector.cards.number.arithmetic.formula.html)
    assert "2.8284" in inspector.cards.number.value.text()


def test_the_decimals_are_everywhere_the_same(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, S12)
    inspector.foot.decimals.setValue(4)
    assert preferences().decimals == 4
    assert inspector.cards.number.arithmetic.formula.html.endswith("= <b>1.4142</b>")
    in_menu = window.findChild(QAction, "decimals_4")
    assert in_menu is not None and in_menu.isChecked()
    other = window.findChild(QAction, "decimals_1")
    assert other is not None
    other.trigger()
    assert inspector.foot.decimals.value() == 1
    assert inspector.cards.number.arithmetic.formula.html.endswith("= <b>1.4</b>")


def test_the_exact_value_can_be_copied(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, S12)
    inspector.cards.number.value.setFocus()
    qtbot.keyClick(inspector.cards.number.value, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "1.414213562373095"
    assert inspector.cards.number.value.toolTip() == "1.414213562373095"
    copy = inspector.findChild(QAction, "copy_text")
    assert copy is not None
    copy.trigger()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("scaled scores · ") and "(1·0 + 2·1)/√2 = 1.41" in text


def test_the_arithmetic_is_copied_in_the_language_of_the_window(
    qtbot: QtBot, chinese: None, open_it: Opener
) -> None:
    window = open_it(example("cat-sat-down"))
    inspector = choose(qtbot, window, Cell("weights", 1, 2, 0))
    copy = inspector.findChild(QAction, "copy_text")
    assert copy is not None
    copy.trigger()
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[0].startswith(f"{stage_title('weights')} · {head_text(2)} · ")
    assert english(text, set(window.document.scene.tokens)) == set()


def test_what_a_typed_number_reaches(qtbot: QtBot, open_it: Opener) -> None:
    window = open_it(example("cat-sat-down"))
    inspector = choose(qtbot, window, Cell("w_q", None, 1, 2))  # W_q[2,3]: head 2, its column 1
    assert label(inspector, "where").text() == "query projection · head 2"
    assert label(inspector, "caption").text() == "set by you"
    assert label(inspector, "reach").text() == (
        "Reaches queries · head 2 · column 1 → raw scores, scaled scores, masked scores, weights, head output"
        " · head 2 → concat · columns 3–4 → output"
    )
    assert not inspector.cards.number.sources.isVisible()
    assert [item.cell for item in inspector.cards.number.dependents.items] == [
        Cell("q", 1, row, 0) for row in range(4)
    ]
    inspector = choose(qtbot, window, Cell("x", None, 2, 0))  # causal: only later rows see the third token
    assert (
        "raw scores, scaled scores, masked scores · all heads · row 3 and column 3"
        in label(inspector, "reach").text()
    )
    assert "weights, head output · all heads · rows 3–4" in label(inspector, "reach").text()


def test_hidden_keys_are_marked_and_named(qtbot: QtBot, open_it: Opener) -> None:
    window = open_it(example("cat-sat-down"))
    inspector = choose(qtbot, window, Cell("weights", 0, 0, 2))
    assert inspector.cards.number.arithmetic.notes == [
        "Hidden by the causal mask: the weight is 0 whatever the score."
    ]
    bars = inspector.cards.row.bars
    assert [bars.value_text(key) for key in bars.keys] == ["1.00", "hidden", "hidden", "hidden"]
    assert label(inspector, "row_facts").text() == "entropy 0.00 bit · effective keys 1.0 of 1 visible"
    assert [item.cell for item in inspector.cards.number.sources.items] == [Cell("masked", 0, 0, 2)]


def test_a_row_that_sees_nothing_says_so(qtbot: QtBot, window: MainWindow) -> None:
    hidden = window.document.scene.replace(mask=(Padding(keys=(False, False)),))
    window.document.edit(hidden, "mask")
    inspector = choose(qtbot, window, A12)
    qtbot.waitUntil(lambda: "attends to nothing" in " ".join(inspector.cards.number.arithmetic.notes))
    assert label(inspector, "row_facts").text() == "attends to nothing"


def test_a_nan_is_traced_to_where_it_arises(qtbot: QtBot, window: MainWindow) -> None:
    window.document.edit(window.document.scene.with_cell("x", 0, 0, np.inf), "x")
    inspector = choose(qtbot, window, Cell("k", 0, 0, 0))  # ∞·0 + 1·1
    qtbot.waitUntil(
        lambda: inspector.cards.number.arithmetic.notes == ["NaN arises here: 0·∞ has no value."],
    )
    assert label(inspector, "trouble").isVisible()
    inspector = choose(qtbot, window, A12)
    assert label(inspector, "row_facts").text() == "no entropy: a weight is NaN"


def long_scene(width: int = 64, tokens: int = 3) -> Scene:
    rng = np.random.default_rng(1)
    x, w_q, w_k, w_v = (np.round(rng.normal(size=s), 2) for s in [(tokens, width)] + [(width, 4)] * 3)
    return Scene(x=x, w_q=w_q, w_k=w_k, w_v=w_v)


def test_a_long_sum_is_folded_in_the_middle(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open(long_scene())
    qtbot.waitUntil(lambda: not window.engine.busy)
    inspector = choose(qtbot, window, Cell("q", 0, 1, 2))
    formula, fold = inspector.cards.number.arithmetic.formula, button(inspector, "unfold")
    assert "… (58 more terms:" in formula.html and fold.text() == "… 58 more terms"
    scene = window.document.scene
    terms = scene.x[1] * scene.w_q[:, 2]
    first = np.abs(terms).argmax()
    qtbot.mouseClick(button(inspector, "largest_first"), Qt.MouseButton.LeftButton)
    numbers = formula.html.split(" = ")[-2 if " ≈ " not in formula.html else -1]
    assert numbers.startswith(f"{scene.x[1, first]:.2f}".replace("-", "−").rstrip("0").rstrip("."))
    qtbot.mouseClick(formula, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert "more terms" not in formula.html and formula.html.count("·") >= 64
    assert fold.text() == "Fold the sum"
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert "58 more terms" in formula.html


def test_a_long_row_shows_its_largest_weights(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open(long_scene(8, 40))
    qtbot.waitUntil(lambda: not window.engine.busy)
    trace = window.engine.trace
    assert trace is not None
    row = trace.weights[0, 5]
    least = int(row.argmin())
    inspector = choose(qtbot, window, Cell("weights", 0, 5, least))
    bars = inspector.cards.row.bars
    assert bars.keys[:12] == np.argsort(-row, kind="stable")[:12].tolist()
    assert bars.keys[12:] == [least]
    count, together = bars.rest
    assert count == 27 and together == pytest.approx(1 - row[bars.keys].sum())
    assert label(inspector, "row_rest").text().startswith("… 27 more, together 0.0")


def test_many_sources_are_offered_a_few_at_a_time(qtbot: QtBot, window: MainWindow) -> None:
    window.document.open(long_scene())
    qtbot.waitUntil(lambda: not window.engine.busy)
    inspector = choose(qtbot, window, Cell("q", 0, 1, 2))
    assert (
        len(inspector.cards.number.sources.items) == 7
        and inspector.cards.number.sources.items[-1].cell is None
    )
    assert {item.cell.place for item in inspector.cards.number.sources.items[:-1] if item.cell} == {
        "x",
        "w_q",
    }
    qtbot.mouseClick(inspector.cards.number.sources.chip(6), Qt.MouseButton.LeftButton)
    assert len(inspector.cards.number.sources.items) == 31


def test_covered_numbers_are_not_given_away(qtbot: QtBot, window: MainWindow) -> None:
    window.covers.cover([A12])
    inspector = window.inspector
    for cell in (A12, Cell("weights", 0, 0, 0), Cell("head_outputs", 0, 0, 0), S12):
        window.selection.select(cell)
        qtbot.waitUntil(lambda: not inspector._refresh.isActive())
        assert inspector.explanation is None
        assert not inspector.cards.row.isVisible() and not inspector.cards.number.value.isVisible()
        assert "Covered" in label(inspector, "note").text()
    window.covers.reveal()
    settled(qtbot, window)
    assert inspector.cards.number.value.isVisible()


def test_every_place_can_be_shown(qtbot: QtBot, open_it: Opener) -> None:
    for name in ("cat-sat-down", "rotary", "translation"):
        window = open_it(example(name))
        scene = window.document.scene
        for place in dict.fromkeys((*MATRICES, *(stage.name for stage in STAGES))):
            per_head = next((s.per != "scene" for s in STAGES if s.name == place), False)
            if place in MATRICES and scene.matrix(place) is None:
                continue
            inspector = choose(qtbot, window, Cell(place, 0 if per_head else None, 0, 0))
            assert inspector.cards.number.arithmetic.formula.html
        window.close()


def test_colours_and_size_follow(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, A12)
    height = inspector.cards.number.value.height()
    theme.set_scale(1.5)
    try:
        qtbot.waitUntil(lambda: inspector.cards.number.value.height() > 1.3 * height)
        theme.set_mode("dark")
        qtbot.waitUntil(lambda: theme.DARK.surface.name() in inspector.styleSheet())
        assert theme.DARK.head_colour(0).name() in inspector.cards.number.value.text()
    finally:
        theme.set_scale(1.0)


@pytest.mark.parametrize("width", [200, 290, 480])
def test_nothing_is_wider_than_the_inspector(qtbot: QtBot, open_it: Opener, width: int) -> None:
    window = open_it(example("cat-sat-down"))
    window.document.edit(window.document.scene.replace(mask=(Causal(),), softcap=5.0), "softcap")
    window.inspector.setFixedWidth(width)
    for cell in (Cell("weights", 1, 3, 2), Cell("scaled", 0, 2, 1), Cell("output", None, 3, 3)):
        inspector = choose(qtbot, window, cell)
        content = inspector.scroll.widget()
        assert content is not None and content.width() <= inspector.scroll.viewport().width()
        for child in content.findChildren(QWidget):
            if child.isVisible():
                right = child.mapTo(content, QPoint(child.width(), 0)).x()
                assert right <= content.width(), child.objectName()


def test_every_control_can_be_reached_and_has_a_name(qtbot: QtBot, window: MainWindow) -> None:
    inspector = choose(qtbot, window, A12)
    reachable = [
        w
        for w in inspector.findChildren(QWidget)
        if w.isVisible() and w.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert {inspector.cards.number.value, inspector.cards.row.bars, inspector.foot.decimals} <= set(reachable)
    assert inspector.cards.number.sources.chip(0) in reachable
    for widget in reachable:
        named = widget.accessibleName() or getattr(widget, "text", lambda: "")()
        assert named, widget.objectName()


def test_of_many_equal_weights_the_first_have_bars() -> None:
    weights = np.full(100, 0.005)
    weights[[7, 90]] = 0.25, 0.26
    assert chosen_keys(weights, 50) == [90, 7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 50]
