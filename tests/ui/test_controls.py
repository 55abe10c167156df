"""The controls: real keys and clicks reach the Scene, undo brings it back, and what cannot be says why."""

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QMainWindow, QSpinBox, QToolBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.attention.masks import MASKS, Causal, Custom, Padding, Window
from explorer.attention.positions import POSITIONS, Learned, Rotary, Sinusoidal
from explorer.document import Document
from explorer.scene import Mask, Position, Scene
from explorer.ui import theme
from explorer.ui.boxes import ChoiceBox
from explorer.ui.controls import Controls
from explorer.ui.flow import lines
from explorer.ui.grids.bubble import Bubble
from explorer.ui.preferences import preferences
from explorer.ui.switch import Switch

Key = Qt.Key


def scene(columns: int = 4, n: int = 3, **fields: object) -> Scene:
    square = np.eye(columns)
    x = np.arange(n * columns, dtype=float).reshape(n, columns)
    return Scene(**({"x": x, "w_q": square, "w_k": square, "w_v": square} | fields))  # type: ignore[arg-type]


Show = Callable[[Scene], Controls]


@pytest.fixture
def show(qtbot: QtBot) -> Iterator[Show]:
    """The controls of a scene, in a window that has the focus."""
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
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return controls

    yield shown


@pytest.fixture
def sized(qapp: QApplication) -> Iterator[Callable[[float], None]]:
    """Sets the size of everything; the next test finds it as it was."""
    before = qapp.font(), qapp.palette(), qapp.styleSheet()
    yield theme.set_scale
    qapp.setFont(before[0])
    qapp.setPalette(before[1])
    qapp.setStyleSheet(before[2])


def steps(controls: Controls) -> list[str]:
    stack = controls.document.undo_stack
    return [stack.text(number) for number in range(stack.count())]


def said(widget: QWidget) -> str:
    """What a bubble says now."""
    return "".join(b.text() for b in widget.window().findChildren(Bubble) if b.isVisible())


def shown(controls: Controls) -> tuple[object, ...]:
    return (
        controls.heads.value(),
        controls.kv_heads.value(),
        controls.mask.isChecked(),
        controls.mask_kind.currentData(),
        controls.scale.isChecked(),
        controls.scale_text.text(),
        controls.position.currentData(),
        controls.dtype.currentData(),
    )


# ---- the contract ----


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("heads", QSpinBox),
        ("kv_heads", QSpinBox),
        ("mask", Switch),
        ("mask_kind", QComboBox),
        ("scale", Switch),
        ("position", QComboBox),
        ("dtype", QComboBox),
    ],
)
def test_names_of_the_contract(show: Show, name: str, kind: type[QWidget]) -> None:
    widget = show(scene()).findChild(QWidget, name)
    assert isinstance(widget, kind)


def test_everything_has_a_name_a_tip_and_the_keyboard(show: Show) -> None:
    controls = show(scene())
    for name in (
        "heads", "kv_heads", "mask", "mask_kind", "mask_options", "scale", "scale_options", "position",
        "position_options", "dtype",
    ):  # fmt: skip
        widget = getattr(controls, name)
        assert widget.accessibleName() and widget.toolTip().endswith(("?", ".")), name
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, name


def test_tab_walks_from_left_to_right(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(position=Sinusoidal()))
    controls.heads.setFocus()
    walked = []
    for _ in range(10):
        focus = QApplication.focusWidget()
        assert focus is not None
        walked.append(focus.objectName())
        qtbot.keyClick(focus, Key.Key_Tab)
    assert walked == [
        "heads", "kv_heads", "mask", "mask_kind", "mask_options", "scale", "scale_options", "position",
        "position_options", "dtype",
    ]  # fmt: skip


# ---- heads ----


def test_heads_step_through_what_divides(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(4))
    controls.heads.setFocus()
    seen = []
    for _ in range(4):
        seen.append(controls.document.scene.heads)
        qtbot.keyClick(controls.heads, Key.Key_Up)
    assert seen == [1, 2, 4, 4]
    assert steps(controls) == ["Set heads to 2", "Set heads to 4"]
    qtbot.keyClick(controls.heads, Key.Key_Down)
    assert controls.document.scene.heads == 2


def test_clicks_on_the_chevrons_step(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(4))
    box = controls.heads
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 7, box.height() // 4))
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 7, box.height() // 4))
    assert controls.document.scene.heads == 4
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 7, box.height() * 3 // 4))
    assert controls.document.scene.heads == 2


def test_typed_heads_count_on_enter(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(4))
    controls.heads.setFocus()
    controls.heads.selectAll()
    qtbot.keyClicks(controls.heads, "4")
    assert controls.document.scene.heads == 1
    qtbot.keyClick(controls.heads, Key.Key_Return)
    assert controls.document.scene.heads == 4


@pytest.mark.parametrize("leave", [Key.Key_Return, Key.Key_Tab])
def test_impossible_heads_say_why_and_go_back(show: Show, qtbot: QtBot, leave: Key) -> None:
    controls = show(scene(4, heads=2))
    controls.heads.setFocus()
    controls.heads.selectAll()
    qtbot.keyClicks(controls.heads, "3")
    qtbot.keyClick(controls.heads, leave)
    assert said(controls) == "3 heads do not divide the 4 columns of W_q evenly; possible: 1, 2, 4."
    assert controls.heads.text() == "2"
    assert controls.document.scene.heads == 2
    assert steps(controls) == []
    controls.heads.setValue(4)  # a possible one takes the bubble away
    assert said(controls) == ""


@pytest.mark.parametrize("heads", [0, 3, 99_999])
def test_impossible_heads_set_by_a_script(show: Show, heads: int) -> None:
    controls = show(scene(4))
    controls.heads.setValue(heads)
    assert controls.heads.value() == 1
    assert said(controls).startswith(f"{heads} heads")


def test_kv_heads_step_through_the_divisors(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(4, heads=4))
    controls.kv_heads.setFocus()
    seen = []
    for _ in range(3):
        seen.append((controls.document.scene.groups, controls.document.scene.w_k.shape))
        qtbot.keyClick(controls.kv_heads, Key.Key_Down)
    assert seen == [(4, (4, 4)), (2, (4, 2)), (1, (4, 1))]
    controls.kv_heads.setValue(3)
    assert said(controls) == "3 K/V heads do not divide 4 heads; possible: 1, 2, 4."
    assert controls.kv_heads.value() == 1
    controls.kv_heads.setValue(4)
    assert controls.document.scene.kv_heads is None  # as many as heads: the session needs no key


def test_wheel_steps_only_with_the_focus(show: Show) -> None:
    controls = show(scene(4))
    controls.scale.setFocus()
    for widget in (controls.heads, controls.mask_kind):
        turn(widget, -1 if isinstance(widget, ChoiceBox) else 1)
    assert steps(controls) == []
    controls.heads.setFocus()
    turn(controls.heads, 1)
    assert controls.document.scene.heads == 2


def turn(widget: QWidget, up: int) -> None:
    at = QPointF(4, 4)
    event = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), QPoint(0, 120 * up), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


# ---- mask ----


def test_mask_switch_brings_back_what_was_on(show: Show, qtbot: QtBot) -> None:
    masks = (Causal(align="bottom_right"), Window(left=2, right=0))
    controls = show(scene(mask=masks))
    qtbot.mouseClick(controls.mask, Qt.MouseButton.LeftButton)
    assert controls.document.scene.mask == ()
    assert controls.mask_kind.currentData() == "none"
    controls.mask.setFocus()
    qtbot.keyClick(controls.mask, Key.Key_Space)
    assert controls.document.scene.mask == masks
    assert steps(controls) == ["Switch mask off", "Switch mask on"]


def test_mask_switch_begins_with_causal(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    qtbot.mouseClick(controls.mask, Qt.MouseButton.LeftButton)
    (mask,) = controls.document.scene.mask
    assert mask.kind == "causal"
    assert controls.mask_kind.currentText() == "causal"


def test_every_kind_of_mask_can_be_chosen(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    controls.mask_kind.setFocus()
    for kind in MASKS:
        qtbot.keyClick(controls.mask_kind, Key.Key_Down)
        assert [mask.kind for mask in controls.document.scene.mask] == [kind]
        assert controls.mask.isChecked()
    assert not np.all(controls.document.scene.visible())
    controls.mask_kind.setCurrentIndex(0)
    assert controls.document.scene.mask == ()
    assert not controls.mask.isChecked()


def test_custom_begins_with_what_was_visible(show: Show) -> None:
    controls = show(scene(mask=(Causal(),)))
    choose(controls.mask_kind, "custom")
    (mask,) = controls.document.scene.mask
    assert isinstance(mask, Custom)
    assert np.array_equal(mask.table, np.tri(3, dtype=bool))


def test_kinds_keep_their_settings(show: Show) -> None:
    window = Window(left=0, right=5, extra={"colour": "red"})
    controls = show(scene(mask=(window,)))
    choose(controls.mask_kind, "causal")
    choose(controls.mask_kind, "window")
    assert controls.document.scene.mask == (window,)


def test_remembered_masks_that_no_longer_fit_are_started_anew(show: Show) -> None:
    controls = show(scene(mask=(Padding(keys=(False, True, True)),)))
    choose(controls.mask_kind, "none")
    now = controls.document.scene
    controls.document.edit(now.replace(x=np.zeros((2, 4)), tokens=()), "fewer")
    choose(controls.mask_kind, "padding")
    (mask,) = controls.document.scene.mask
    assert isinstance(mask, Padding)
    assert mask.keys == (True, False)


def test_another_file_forgets_what_was_set_in_the_last_one(show: Show) -> None:
    controls = show(scene(mask=(Window(left=9, extra={"secret": 1}),)))
    controls.document.open(scene())
    choose(controls.mask_kind, "window")
    (mask,) = controls.document.scene.mask
    assert mask.extra == {}


def test_combined_masks_are_named_so(show: Show) -> None:
    controls = show(scene(mask=(Causal(), Window())))
    box = controls.mask_kind
    assert box.currentIndex() == -1
    assert box.placeholderText() == "combined"
    assert "combined" not in [box.itemText(i) for i in range(box.count())]
    assert controls.mask.isChecked()
    choose(box, "window")
    assert [mask.kind for mask in controls.document.scene.mask] == ["window"]
    controls.document.undo()
    assert box.currentIndex() == -1


# ---- scale, position, precision ----


def test_scale_switches_between_sqrt_and_none(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    assert controls.scale.isChecked()
    controls.scale.setFocus()
    qtbot.keyClick(controls.scale, Key.Key_Space)
    assert controls.document.scene.scale == "none"
    qtbot.mouseClick(controls.scale, Qt.MouseButton.LeftButton)
    assert controls.document.scene.scale == "sqrt_dk"
    assert steps(controls) == ["Switch scale off", "Switch scale on"]


def test_a_scale_of_ones_own_is_shown_as_such(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(scale=0.3, softcap=5.0))
    assert controls.scale_text.text() == "×0.3"
    assert controls.scale.between
    assert controls.scale.accessibleDescription() == "×0.3"
    assert controls.scale_options.marked  # there is a softcap
    qtbot.mouseClick(controls.scale, Qt.MouseButton.LeftButton)
    assert controls.document.scene.scale == "sqrt_dk"
    assert not controls.scale.between


def test_every_position_can_be_chosen(show: Show, qtbot: QtBot) -> None:
    controls = show(scene())
    controls.position.setFocus()
    for kind in list(POSITIONS)[1:]:
        qtbot.keyClick(controls.position, Key.Key_Down)
        assert controls.document.scene.position.kind == kind
        assert controls.position_options.isEnabled() == (kind != "alibi")
    assert len(steps(controls)) == len(POSITIONS) - 1


def test_learned_position_begins_with_a_table_of_the_right_shape(show: Show) -> None:
    context = np.ones((5, 2))
    controls = show(scene(context=context, w_k=np.ones((2, 4)), w_v=np.ones((2, 4))))
    choose(controls.position, "learned")
    position = controls.document.scene.position
    assert isinstance(position, Learned)
    assert position.context_table is not None
    assert (position.table.shape, position.context_table.shape) == ((3, 4), (5, 2))
    assert np.any(position.table)


def test_learned_table_comes_back_in_the_new_size(show: Show) -> None:
    controls = show(scene(position=Learned(table=np.full((3, 4), 2.0))))
    choose(controls.position, "none")
    controls.document.edit(controls.document.scene.replace(x=np.zeros((5, 4)), tokens=()), "more")
    choose(controls.position, "learned")
    position = controls.document.scene.position
    assert isinstance(position, Learned)
    assert position.table[:, 0].tolist() == [2, 2, 2, 0, 0]


def test_rotary_leaves_the_last_of_an_odd_number_of_columns(show: Show) -> None:
    controls = show(scene(3))
    choose(controls.position, "rotary")
    assert controls.document.scene.position.dims == 2
    assert steps(controls) == ["Set position to rotary"]


def test_rotary_of_a_single_column_is_refused(show: Show) -> None:
    controls = show(scene(1))
    choose(controls.position, "rotary")
    assert "d_k must be at least 2, and it is 1" in said(controls)
    assert controls.position.currentData() == "none"
    assert controls.document.scene.position.kind == "none"
    assert steps(controls) == []


def test_heads_that_would_break_rotary_are_not_stepped_to(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(4, position=Rotary(), heads=2))
    controls.heads.setFocus()
    qtbot.keyClick(controls.heads, Key.Key_Up)  # 4 heads would be 1 wide
    assert controls.document.scene.heads == 2
    controls.heads.setValue(4)
    assert said(controls).startswith("With 4 heads, position (rotary): it turns pairs of columns")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_precision(show: Show, dtype: str) -> None:
    controls = show(scene())
    choose(controls.dtype, dtype)
    assert controls.document.scene.dtype == dtype
    assert steps(controls) == [f"Set precision to {dtype}"]


def choose(box: QComboBox, kind: str) -> None:
    box.setCurrentIndex(box.findData(kind))


# ---- the Document ----


def test_undo_and_redo_are_followed_without_editing(show: Show) -> None:
    controls = show(scene(4))
    start = controls.document.scene
    states = [shown(controls)]
    for edit in (
        lambda: controls.heads.setValue(4),
        lambda: controls.kv_heads.setValue(2),
        lambda: controls.mask.click(),
        lambda: choose(controls.mask_kind, "window"),
        lambda: controls.scale.click(),
        lambda: choose(controls.position, "sinusoidal"),
        lambda: choose(controls.dtype, "float16"),
    ):
        edit()
        states.append(shown(controls))
    assert len(set(states)) == len(states)
    count = controls.document.undo_stack.count()
    assert count == len(states) - 1
    for state in reversed(states[:-1]):
        controls.document.undo()
        assert shown(controls) == state
    assert controls.document.scene is start
    for state in states[1:]:
        controls.document.redo()
        assert shown(controls) == state
    assert controls.document.undo_stack.count() == count


def test_undo_key_in_a_box_is_the_documents(show: Show, qtbot: QtBot) -> None:
    controls = show(scene(4))
    undo = controls.document.undo_stack.createUndoAction(controls)
    undo.setShortcut(QKeySequence.StandardKey.Undo)
    controls.window().addAction(undo)
    controls.heads.setFocus()
    qtbot.keyClick(controls.heads, Key.Key_Up)
    assert controls.document.scene.heads == 2
    qtbot.keyClick(controls.heads, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert controls.document.scene.heads == 1
    assert controls.heads.value() == 1


def test_other_edits_leave_the_controls_alone(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    controls = show(scene())
    told = []
    monkeypatch.setattr(controls, "_show", told.append)
    controls.document.edit(controls.document.scene.with_cell("w_q", 0, 0, 7), "Edit")
    assert told == []
    assert steps(controls) == ["Edit"]


def test_opening_another_scene_shows_it(show: Show) -> None:
    controls = show(scene(4))
    new = scene(
        8, heads=4, kv_heads=2, w_k=np.ones((8, 4)), w_v=np.ones((8, 4)), mask=(Causal(),), scale="none",
        position=Rotary(), dtype="float32",
    )  # fmt: skip
    controls.document.open(new)
    assert shown(controls)[:5] == (4, 2, True, "causal", False)
    assert shown(controls)[6:] == ("rotary", "float32")
    assert controls.document.undo_stack.count() == 0


# ---- registries ----


class Sink(Mask):
    """The first key is always seen."""

    kind = "sink"

    def allowed(self, n: int, m: int) -> np.ndarray:  # type: ignore[type-arg]
        return np.broadcast_to(np.arange(m) == 0, (n, m)).copy()


class Never(Position):
    """Cannot be."""

    kind = "never"

    def problem(self, scene: Scene) -> str | None:
        return "it never fits"


def test_new_kinds_appear_by_themselves(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MASKS, "sink", Sink)
    monkeypatch.setitem(POSITIONS, "never", Never)
    controls = show(scene())
    choose(controls.mask_kind, "sink")
    assert controls.mask_kind.currentText() == "sink"
    assert controls.document.scene.visible()[:, 1:].sum() == 0
    choose(controls.position, "never")
    assert said(controls) == "position (never): it never fits."
    assert controls.position.currentData() == "none"


# ---- looks ----


def test_lines_break_where_they_must() -> None:
    assert lines([10, 20, 30], gap=5, room=70) == [[0, 1, 2]]
    assert lines([10, 20, 30], gap=5, room=69) == [[0, 1], [2]]
    assert lines([100, 20], gap=5, room=50) == [[0], [1]]
    assert lines([], gap=5, room=50) == []


@pytest.mark.parametrize(("width", "scale", "most"), [(1280, 1.0, 1), (800, 1.0, 2), (1280, 2.0, 2)])
def test_nothing_overlaps_or_is_cut(
    qtbot: QtBot, sized: Callable[[float], None], width: int, scale: float, most: int
) -> None:
    sized(scale)
    window = QMainWindow()
    qtbot.addWidget(window)
    controls = Controls(Document(scene(mask=(Causal(), Window()), position=Sinusoidal()), window))
    bar = QToolBar()
    bar.setMovable(False)
    bar.addWidget(controls)
    window.addToolBar(bar)
    window.resize(width, 400)
    window.show()
    QApplication.processEvents()
    groups = [child for child in controls.children() if isinstance(child, QWidget)]
    middles = sorted(group.geometry().center().y() for group in groups)
    assert 1 + sum(b - a > 5 for a, b in pairwise(middles)) <= most
    for number, group in enumerate(groups):
        assert controls.rect().contains(group.geometry())
        assert group.width() >= group.sizeHint().width()
        assert not any(group.geometry().intersects(other.geometry()) for other in groups[:number])


@pytest.mark.parametrize("mode", ["light", "dark", "contrast"])
def test_switch_shows_its_state(qtbot: QtBot, mode: str) -> None:
    preferences().theme = mode
    switch = Switch()
    qtbot.addWidget(switch)
    switch.resize(switch.sizeHint())
    colours = theme.current()

    def at(share: float) -> str:
        picture = switch.grab().toImage()
        return picture.pixelColor(round(picture.width() * share), picture.height() // 2).name()

    assert at(0.3) == colours.muted.name()  # the knob is on the left
    switch.setChecked(True)
    assert at(0.3) == colours.accent.name()
    assert at(0.7) == colours.surface.name()
    switch.between = True
    assert at(0.5) == colours.accent.name()


def test_another_language_renames_everything(show: Show) -> None:
    controls = show(scene(mask=(Causal(),)))
    controls.mask_kind.setItemText(0, "stale")
    QApplication.sendEvent(controls, QEvent(QEvent.Type.LanguageChange))
    assert controls.mask_kind.itemText(0) == "none"
    assert controls.mask_kind.currentData() == "causal"
    assert steps(controls) == []
