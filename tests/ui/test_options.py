"""The popovers: every edit reaches the Scene at once, is one undo step, and follows undo without editing."""

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.attention.masks import MASKS, Causal, Custom, Padding, Window
from explorer.attention.positions import POSITIONS, Learned, Rotary, Sinusoidal
from explorer.document import Document
from explorer.norm import Norm
from explorer.scene import Mask, Scene
from explorer.ui.controls import Controls
from explorer.ui.grids.bubble import Bubble
from explorer.ui.options import Popover
from explorer.ui.options_fields import NumberField
from explorer.ui.options_flag_views import ChipList, FlagTable
from explorer.ui.options_mask import MASK_OPTIONS, MaskPopover
from explorer.ui.options_position import POSITION_OPTIONS, PositionPopover
from explorer.ui.options_scale import ScalePopover
from explorer.ui.options_table import NumberTable

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def scene(columns: int = 4, n: int = 3, **fields: Any) -> Scene:
    square = np.eye(columns)
    x = np.arange(n * columns, dtype=float).reshape(n, columns)
    return Scene(**({"x": x, "w_q": square, "w_k": square, "w_v": square} | fields))


def cross(n: int, m: int, **fields: Any) -> Scene:
    return scene(n=n, context=np.ones((m, 4)), **fields)


Show = Callable[[Scene], Controls]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    windows = []

    def shown(scene: Scene) -> Controls:
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        controls = Controls(Document(scene, window))
        layout = QVBoxLayout(window)
        layout.addWidget(controls)
        layout.addStretch(1)
        window.resize(1280, 300)
        window.show()
        return controls

    return shown


def mask_popover(controls: Controls) -> MaskPopover:
    return opened(controls, "mask", MaskPopover)


def scale_popover(controls: Controls) -> ScalePopover:
    return opened(controls, "scale", ScalePopover)


def position_popover(controls: Controls) -> PositionPopover:
    return opened(controls, "position", PositionPopover)


def opened(controls: Controls, name: str, kind: type[Any]) -> Any:
    QTest.mouseClick(getattr(controls, f"{name}_options"), LEFT)
    (popover,) = [p for p in controls.findChildren(Popover) if p.isVisible()]
    assert isinstance(popover, kind)
    return popover


def steps(controls: Controls) -> list[str]:
    stack = controls.document.undo_stack
    return [stack.text(number) for number in range(stack.count())]


def find(popover: Popover, name: str) -> Any:
    found = popover.findChild(QWidget, name)
    assert found is not None, name
    return found


def type_into(field: QLineEdit, text: str, leave: Key = Key.Key_Return) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, leave)


def said(widget: QWidget) -> str:
    return "".join(b.text() for b in widget.window().findChildren(Bubble) if b.isVisible())


# ---- the popover itself ----


@pytest.mark.parametrize("name", ["mask", "scale", "position"])
def test_opens_by_key_and_closes_on_escape(show: Show, qtbot: QtBot, name: str) -> None:
    controls = show(scene(position=Sinusoidal()))
    button = getattr(controls, f"{name}_options")
    button.setFocus()
    qtbot.keyClick(button, Key.Key_Space)
    (popover,) = controls.findChildren(Popover)
    focus = QApplication.focusWidget()
    assert focus is not None and popover.isAncestorOf(focus)
    assert popover.screen().availableGeometry().contains(popover.geometry())
    assert popover.accessibleName()
    qtbot.keyClick(focus, Key.Key_Escape)
    assert not popover.isVisible()
    assert controls.window().focusWidget() is button
    assert steps(controls) == []


def test_undo_and_redo_keys_work_inside(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    popover = mask_popover(controls)
    box = popover.boxes["causal"]
    qtbot.keyClick(box, Key.Key_Space)
    assert controls.document.scene.mask
    qtbot.keyClick(box, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not controls.document.scene.mask
    assert not box.isChecked()
    qtbot.keyClick(box, Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert box.isChecked()


def test_undo_key_in_fields_and_boxes(show: Show) -> None:
    controls = show(scene(mask=(Window(),)))
    popover = mask_popover(controls)
    undo = (Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    left = find(popover, "window_left")
    left.setFocus()
    QTest.keyClick(left, Key.Key_Up)
    QTest.keyClick(left, *undo)
    assert left.value() == 1
    field = popover.fill.field
    type_into(field, "-7")
    QTest.keyClicks(field, "5")  # what is being typed has an undo of its own
    QTest.keyClick(field, *undo)
    assert (field.text(), controls.document.scene.mask_fill) == ("-7", -7)
    QTest.keyClick(field, *undo)
    assert controls.document.scene.mask_fill == -np.inf


def test_closing_takes_what_was_typed(show: Show) -> None:
    controls = show(scene())
    popover = scale_popover(controls)
    popover.scale.other.click()
    QTest.keyClicks(popover.scale.field, "1/4")
    popover.close()
    assert controls.document.scene.scale == 0.25


def test_everything_inside_can_be_reached_and_has_a_name(show: Show) -> None:
    masks = tuple(controls_mask(kind) for kind in MASKS)
    controls = show(scene(mask=masks, position=Learned(table=np.zeros((3, 4)))))
    for open_ in (mask_popover, scale_popover, position_popover):
        popover = open_(controls)
        reached = set()
        first = focus = QApplication.focusWidget()
        for _ in range(40):
            assert focus is not None
            reached.add(focus)
            QTest.keyClick(focus, Key.Key_Tab)
            focus = QApplication.focusWidget()
            if focus is first:
                break
        else:
            pytest.fail("Tab does not come round")
        for kind in (NumberField, ChipList, FlagTable, NumberTable):
            for widget in popover.findChildren(kind):
                if widget.isVisible() and widget.isEnabled():
                    assert widget in reached and widget.accessibleName(), widget.objectName()
        popover.close()


def controls_mask(kind: str) -> Mask:
    if kind == "padding":
        return Padding(keys=(True, True, False))
    return Custom(table=np.ones((3, 3), dtype=bool)) if kind == "custom" else MASKS[kind]()


def test_options_belong_to_kinds_that_exist() -> None:
    assert set(MASK_OPTIONS) <= set(MASKS)
    assert set(POSITION_OPTIONS) <= set(POSITIONS)


# ---- masks ----


def test_kinds_combine(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    popover = mask_popover(controls)
    for kind in MASKS:
        qtbot.mouseClick(popover.boxes[kind], LEFT)
        assert popover.options[kind].isVisible()
    assert [mask.kind for mask in controls.document.scene.mask] == list(MASKS)
    assert steps(controls) == [f"Add {kind} mask" for kind in MASKS]
    qtbot.mouseClick(popover.boxes["window"], LEFT)
    assert [mask.kind for mask in controls.document.scene.mask] == ["causal", "padding", "custom"]
    assert not popover.options["window"].isVisible()
    for _ in range(5):
        controls.document.undo()
    assert not any(box.isChecked() for box in popover.boxes.values())


def test_causal_alignment(show: Show) -> None:
    causal = Causal(extra={"why": "kept"})
    controls = show(cross(2, 4, mask=(causal,)))
    popover = mask_popover(controls)
    find(popover, "align_bottom_right").click()
    (mask,) = controls.document.scene.mask
    assert isinstance(mask, Causal)
    assert (mask.align, mask.extra) == ("bottom_right", {"why": "kept"})
    controls.document.undo()
    assert find(popover, "align_top_left").isChecked()
    assert controls.document.scene.mask == (causal,)
    assert controls.document.undo_stack.count() == 1


def test_causal_alignment_says_when_it_does_not_matter(show: Show) -> None:
    popover = mask_popover(show(scene(mask=(Causal(),))))
    assert not find(popover, "align_bottom_right").isEnabled()


def test_padding_chips(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(mask=(Padding(keys=(True, True, True), extra={"a": 1}),)))
    popover = mask_popover(controls)
    chips = find(popover, "padding_keys")
    click(qtbot, chips, 1, 0)
    (mask,) = controls.document.scene.mask
    assert isinstance(mask, Padding)
    assert (mask.keys, mask.extra) == ((True, False, True), {"a": 1})
    qtbot.keyClick(chips, Key.Key_Right)
    qtbot.keyClick(chips, Key.Key_Space)
    assert controls.document.scene.mask[0].keys == (True, False, False)  # type: ignore[attr-defined]
    assert len(steps(controls)) == 2
    controls.document.undo()
    assert flags(chips) == [[True], [False], [True]]


def test_many_chips_scroll(show: Show) -> None:
    controls = show(scene(n=300, mask=(Padding(keys=(True,) * 300),)))
    popover = mask_popover(controls)
    chips = find(popover, "padding_keys")
    assert chips.verticalScrollBar().maximum() > 0
    assert popover.height() < 700


def test_window_steps_are_one_undo_step_each_visit(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(n=8, mask=(Window(left=1, right=1, extra={"a": 1}),)))
    popover = mask_popover(controls)
    left = find(popover, "window_left")
    left.setFocus()
    for _ in range(3):
        qtbot.keyClick(left, Key.Key_Up)
    (mask,) = controls.document.scene.mask
    assert isinstance(mask, Window)
    assert (mask.left, mask.right, mask.extra) == (4, 1, {"a": 1})
    right = find(popover, "window_right")
    right.setFocus()
    qtbot.keyClick(right, Key.Key_Down)
    assert steps(controls) == ["Change window", "Change window"]
    controls.document.undo()
    controls.document.undo()
    assert (left.value(), right.value()) == (1, 1)
    assert controls.document.undo_stack.count() == 2


def test_custom_table_by_click_drag_and_key(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(mask=(Custom(table=np.ones((3, 3), dtype=bool), extra={"a": 1}),)))
    popover = mask_popover(controls)
    table = find(popover, "custom_table")

    click(qtbot, table, 0, 2)
    assert allowed(controls) == [[1, 1, 0], [1, 1, 1], [1, 1, 1]]

    start, end = middle(table, 1, 0), middle(table, 1, 2)  # one jump over the middle cell
    qtbot.mousePress(table.viewport(), LEFT, pos=start)
    qtbot.mouseMove(table.viewport(), end)
    qtbot.mouseRelease(table.viewport(), LEFT, pos=end)
    assert allowed(controls) == [[1, 1, 0], [0, 0, 0], [1, 1, 1]]
    assert len(steps(controls)) == 2

    qtbot.keyClick(table, Key.Key_Down)
    qtbot.keyClick(table, Key.Key_Space)
    assert allowed(controls) == [[1, 1, 0], [0, 0, 0], [1, 1, 0]]
    assert controls.document.scene.mask[0].extra == {"a": 1}

    controls.document.undo()
    controls.document.undo()
    assert flags(table) == [[True, True, False], [True] * 3, [True] * 3]
    controls.document.undo()
    assert allowed(controls) == np.ones((3, 3)).tolist()


def test_double_clicks_toggle_twice(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(mask=(Custom(table=np.ones((3, 3), dtype=bool)),)))
    table = find(mask_popover(controls), "custom_table")
    at = middle(table, 1, 1)
    qtbot.mouseClick(table.viewport(), LEFT, pos=at)
    qtbot.mouseDClick(table.viewport(), LEFT, pos=at)
    qtbot.mouseRelease(table.viewport(), LEFT, pos=at)
    assert allowed(controls) == np.ones((3, 3)).tolist()


def test_a_large_custom_table_is_a_sentence(show: Show) -> None:
    controls = show(scene(n=65, mask=(Custom(table=np.ones((65, 65), dtype=bool)),)))
    popover = mask_popover(controls)
    assert not find(popover, "custom_table").isVisible()
    assert "65 × 65 flags are too many to click" in popover.options["custom"].note.text()  # type: ignore[attr-defined]


def test_fill(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(mask=(Causal(),)))
    popover = mask_popover(controls)
    fill = popover.fill
    assert fill.buttons[0].isChecked()
    qtbot.mouseClick(fill.buttons[1], LEFT, pos=QPoint(8, 8))
    assert controls.document.scene.mask_fill == -1e9
    assert controls.mask_options.marked
    type_into(fill.field, "-2/4")
    assert controls.document.scene.mask_fill == -0.5
    assert fill.other.isChecked()
    type_into(fill.field, "-inf")
    assert controls.document.scene.mask_fill == -np.inf
    assert fill.buttons[0].isChecked()
    assert len(steps(controls)) == 3
    for _ in range(3):
        controls.document.undo()
    assert fill.buttons[0].isChecked()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("abc", "'abc' at character 1 is not a number."), ("nan", "mask_fill is nan but must be")],
)
def test_a_fill_that_cannot_be_says_why(show: Show, text: str, sentence: str) -> None:
    controls = show(scene(mask=(Causal(),)))
    popover = mask_popover(controls)
    type_into(popover.fill.field, text)
    assert said(popover).startswith(sentence)
    assert popover.fill.field.text() == text  # to be corrected
    popover.boxes["causal"].setFocus()
    assert popover.fill.field.text() == ""
    assert popover.fill.buttons[0].isChecked()
    assert steps(controls) == []


def test_rows_that_see_nothing_are_named(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(n=6, tokens=("a1", "a2", "a3", "a4", "a5", "a6")))
    popover = mask_popover(controls)
    blind = find(popover, "blind_rows")
    assert not blind.isVisible()

    def hide(rows: list[int]) -> str:
        table = np.ones((6, 6), dtype=bool)
        table[rows] = False
        controls.document.edit(controls.document.scene.replace(mask=(Custom(table=table),)), "hide")
        return str(blind.text())

    assert hide([0]) == "⚠ Row “a1” sees no key: with −∞ its weights are 0, with a finite fill 1/m."
    assert hide([0, 2]).startswith("⚠ Rows “a1”, “a3” see no key: with −∞ their weights are 0")
    assert hide([0, 1, 2, 3, 4, 5]).startswith("⚠ Rows “a1”, “a2”, “a3”, “a4” and 2 more see no key")
    hide([])
    assert not blind.isVisible()


def test_a_custom_mask_of_very_many_tokens_is_refused_before_anything_is_made(show: Show) -> None:
    controls = show(scene(columns=1, n=4097))  # 4,096 × 4,096 flags are the most
    popover = mask_popover(controls)
    tracemalloc.start()
    QTest.mouseClick(popover.boxes["custom"], LEFT)
    popover.show_scene(controls.document.scene.replace(mask=(Causal(),)))  # nor to find rows that see nothing
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said(popover) == "The mask has 4097 × 4097 numbers, too many to be held."
    assert not find(popover, "blind_rows").isVisible() and peak < 4097**2
    assert not popover.boxes["custom"].isChecked() and steps(controls) == []


def test_tokens_inserted_while_it_is_open(show: Show) -> None:
    from explorer.reshape import insert_tokens

    controls = show(scene(mask=(Padding(keys=(True, False, True)), Custom(table=np.eye(3, dtype=bool)))))
    popover = mask_popover(controls)
    controls.document.edit(insert_tokens(controls.document.scene, 0), "insert")
    assert len(flags(find(popover, "padding_keys"))) == 4
    assert np.shape(flags(find(popover, "custom_table"))) == (4, 4)


# ---- scale ----


def test_scale_number_and_softcap(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    popover = scale_popover(controls)
    type_into(popover.scale.field, "1/3")
    assert controls.document.scene.scale == 1 / 3
    assert controls.scale_text.text() == "×0.3333"
    qtbot.mouseClick(popover.use_cap, LEFT, pos=QPoint(8, 8))
    assert controls.document.scene.softcap == 50
    type_into(popover.cap, "2.5")
    assert controls.document.scene.softcap == 2.5
    type_into(popover.cap, "-1")
    assert "must be a number above 0" in said(popover)
    assert controls.document.scene.softcap == 2.5
    QTest.keyClick(popover.cap, Key.Key_Escape)  # the first one only takes the text back
    assert popover.isVisible() and popover.cap.text() == "2.5"
    qtbot.mouseClick(popover.use_cap, LEFT, pos=QPoint(8, 8))
    qtbot.mouseClick(popover.use_cap, LEFT, pos=QPoint(8, 8))
    assert controls.document.scene.softcap == 2.5  # remembered
    assert steps(controls) == [
        "Set scale to 0.3333", "Add softcap", "Set softcap to 2.5", "Remove softcap", "Add softcap",
    ]  # fmt: skip
    popover.scale.buttons[1].click()
    assert controls.document.scene.scale == "none"
    while controls.document.undo_stack.canUndo():
        controls.document.undo()
    assert popover.scale.buttons[0].isChecked()
    assert not popover.use_cap.isChecked()


def test_the_norm_of_queries_and_keys(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(heads=2, q_norm=Norm(weight=[2.0, 3.0], eps=0.5)))
    popover = scale_popover(controls)
    assert popover.use_norm.isChecked() and controls.scale_options.marked
    qtbot.mouseClick(popover.use_norm, LEFT, pos=QPoint(8, 8))
    assert controls.document.scene.q_norm is None and not popover.use_norm.isChecked()
    qtbot.mouseClick(popover.use_norm, LEFT, pos=QPoint(8, 8))
    again = controls.document.scene
    assert (
        again.q_norm.weight.tolist() == [2, 3] and again.q_norm.eps == 0.5 and again.k_norm is None
    )  # remembered
    assert steps(controls) == ["Remove the norm of queries and keys", "Norm queries and keys"]
    plain = show(scene())
    popover = scale_popover(plain)
    qtbot.mouseClick(popover.use_norm, LEFT, pos=QPoint(8, 8))
    assert plain.document.scene.k_norm.weight.tolist() == [1] * plain.document.scene.d_k


def test_the_bias_of_the_scores(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(heads=2))
    popover = scale_popover(controls)
    assert not popover.use_bias.isChecked() and not controls.scale_options.marked
    qtbot.mouseClick(popover.use_bias, LEFT, pos=QPoint(8, 8))
    n = controls.document.scene.n
    assert controls.document.scene.bias.tolist() == [[0.0] * n] * n and controls.scale_options.marked
    popover.bias.edited.emit(0, 1, -2.0)
    assert controls.document.scene.bias[0, 1] == -2.0 and popover.head_line.isHidden()
    qtbot.mouseClick(popover.use_bias, LEFT, pos=QPoint(8, 8))
    assert controls.document.scene.bias is None and popover.bias.isHidden()
    qtbot.mouseClick(popover.use_bias, LEFT, pos=QPoint(8, 8))
    assert controls.document.scene.bias[0, 1] == -2.0  # remembered
    assert steps(controls) == [
        "Add a bias to the scores", "Edit bias [1,2]", "Remove the bias of the scores", "Add a bias to the scores",
    ]  # fmt: skip
    each = show(scene(heads=2, bias=np.stack([np.zeros((n, n)), np.ones((n, n))])))
    popover = scale_popover(each)
    popover.head.setValue(2)
    popover.bias.edited.emit(1, 0, 5.0)
    assert each.document.scene.bias[:, 1, 0].tolist() == [0.0, 5.0]


def test_the_same_value_is_no_step(show: Show) -> None:
    controls = show(scene(scale=0.5, softcap=3.0))
    popover = scale_popover(controls)
    type_into(popover.scale.field, "1/2")
    type_into(popover.cap, "3.0")
    assert steps(controls) == []


# ---- position ----


@pytest.mark.parametrize("position", [Sinusoidal(extra={"a": 1}), Rotary(extra={"a": 1})])
def test_base(show: Show, position: Sinusoidal | Rotary) -> None:
    controls = show(scene(position=position))
    popover = position_popover(controls)
    base = find(popover, "position_base")
    type_into(base, "1e2")
    assert controls.document.scene.position.base == 100  # type: ignore[attr-defined]
    assert controls.document.scene.position.extra == {"a": 1}
    type_into(base, "0")
    assert "base is 0.0 but must be a number above 0" in said(popover)
    QTest.keyClick(base, Key.Key_Escape)
    controls.document.undo()
    assert base.text() == "10000"
    assert steps(controls) == ["Set base to 100"]


def test_rotary_layout_and_dims(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(6, position=Rotary()))
    popover = position_popover(controls)
    find(popover, "layout_interleaved").click()
    dims = find(popover, "position_dims")
    dims.setFocus()
    assert dims.text() == "all 6"
    qtbot.keyClick(dims, Key.Key_Up)
    position = controls.document.scene.position
    assert isinstance(position, Rotary)
    assert (position.layout, position.dims) == ("interleaved", 2)
    dims.selectAll()
    qtbot.keyClicks(dims, "3")
    qtbot.keyClick(dims, Key.Key_Return)
    assert "dims is 3 but must be an even number" in said(popover)
    assert dims.value() == 2
    qtbot.keyClick(dims, Key.Key_Down)
    assert controls.document.scene.position.dims is None  # type: ignore[attr-defined]
    assert steps(controls) == ["Set rotary layout to interleaved", "Set rotary dims", "Set rotary dims"]
    for _ in range(3):
        controls.document.undo()
    assert find(popover, "layout_half").isChecked()


def test_learned_table_is_typed_into(show: Show, qtbot: QtBot) -> None:
    table = np.arange(16.0).reshape(4, 4)  # one row more than tokens
    controls = show(scene(position=Learned(table=table, extra={"a": 1})))
    popover = position_popover(controls)
    view = find(popover, "position_table")
    view.setCurrentIndex(view.model().index(1, 2))
    view.setFocus()
    qtbot.keyClick(view, Key.Key_5)
    editor = view.findChild(QLineEdit)
    qtbot.keyClicks(editor, "/2")
    qtbot.keyClick(editor, Key.Key_Return)
    QApplication.processEvents()  # Qt commits from its event loop
    position = controls.document.scene.position
    assert isinstance(position, Learned)
    assert position.table[1, 2] == 2.5
    assert position.extra == {"a": 1}
    assert steps(controls) == ["Edit position table [2,3]"]
    model: QAbstractItemModel = view.model()
    assert model.index(1, 2).data() == "2.5"
    assert model.headerData(0, Qt.Orientation.Vertical) == "x1"
    assert model.headerData(3, Qt.Orientation.Vertical) == "–"  # waits for a token
    controls.document.undo()
    assert model.index(1, 2).data() == "6"


def test_a_cell_of_the_learned_table_that_cannot_be_says_why(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(position=Learned(table=np.zeros((3, 4)))))
    popover = position_popover(controls)
    view = find(popover, "position_table")
    view.setCurrentIndex(view.model().index(0, 0))
    view.edit(view.model().index(0, 0))
    editor = view.findChild(QLineEdit)
    type_into(editor, "two")
    QApplication.processEvents()
    assert "“two” was not taken" in said(popover)
    assert steps(controls) == []


def test_opening_an_editor_changes_nothing(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(position=Learned(table=np.full((3, 4), 1 / 3))))
    popover = position_popover(controls)
    view = find(popover, "position_table")
    view.edit(view.model().index(0, 0))
    qtbot.keyClick(view.findChild(QLineEdit), Key.Key_Return)
    QApplication.processEvents()
    assert steps(controls) == []


def test_learned_table_of_a_context(show: Show) -> None:
    position = Learned(table=np.zeros((2, 4)), context_table=np.zeros((5, 4)))
    controls = show(cross(2, 5, position=position))
    popover = position_popover(controls)
    assert find(popover, "position_context_table").isVisible()
    popover.options.random.click()  # type: ignore[attr-defined]
    now = controls.document.scene.position
    assert isinstance(now, Learned) and now.context_table is not None
    assert np.any(now.table) and np.any(now.context_table)
    popover.options.zeros.click()  # type: ignore[attr-defined]
    assert not np.any(controls.document.scene.position.table)  # type: ignore[attr-defined]
    assert steps(controls) == [
        "Fill position table at random (seed 1)", "Fill position table with zeros",
    ]  # fmt: skip


def test_the_popover_of_a_kind_that_is_gone_closes(show: Show) -> None:
    controls = show(scene())
    controls.position.setCurrentIndex(controls.position.findData("sinusoidal"))
    popover = position_popover(controls)
    controls.document.undo()
    assert not popover.isVisible()


# ---- helpers for flags ----


def middle(view: QAbstractItemView, row: int, col: int) -> QPoint:
    return view.visualRect(view.model().index(row, col)).center()


def click(qtbot: QtBot, view: QAbstractItemView, row: int, col: int) -> None:
    qtbot.mouseClick(view.viewport(), LEFT, pos=middle(view, row, col))


def flags(view: QAbstractItemView) -> list[list[bool]]:
    model = view.model()
    role = Qt.ItemDataRole.CheckStateRole
    return [
        [model.index(row, col).data(role) == Qt.CheckState.Checked for col in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def allowed(controls: Controls) -> list[list[bool]]:
    (mask,) = controls.document.scene.mask
    assert isinstance(mask, Custom)
    return [[bool(flag) for flag in row] for row in mask.table]
