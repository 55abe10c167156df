"""The ⋯ of the mask: kinds that combine, and what hidden scores become.

A kind with something to set has its Options here and a line in MASK_OPTIONS.
"""

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from explorer.attention.mask_edits import mask_of, with_mask_of
from explorer.attention.masks import MASKS, Causal, Custom, Padding, Window
from explorer.attention.sight import rows_seeing
from explorer.document import Document
from explorer.numbers import compact_number
from explorer.scene import Scene, SceneError
from explorer.ui.boxes import DotButton, StepBox, TickBox
from explorer.ui.choices import Memory, kind_hint, kind_name
from explorer.ui.grids.bubble import Bubble
from explorer.ui.options import Note, Options, Popover, edit_scene, gesture, line_of
from explorer.ui.options_fields import ChoiceOrNumber
from explorer.ui.options_flag_views import ChipList, FlagTable
from explorer.ui.options_flags import FlagModel
from explorer.ui.problems import problem_text

MOST_ROWS = 64  # of a custom mask that is still clicked by hand
MOST_NAMES = 4  # of rows that a sentence names


class CausalOptions(Options):
    """Which corner the triangle starts from: matters where there are more keys than queries, or fewer."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.buttons = {
            "top_left": DotButton(self.tr("starts top left (j ≤ i)")),
            "bottom_right": DotButton(self.tr("ends bottom right (j ≤ i + m − n)")),
        }
        for align, button in self.buttons.items():
            button.setObjectName(f"align_{align}")
            button.toggled.connect(partial(self._align, align))
            self.row(button)
        self.note = Note(self.tr("With as many keys as queries both are the same."))
        self.row(self.note)

    def _align(self, align: str, on: bool) -> None:
        if on:
            self.change(self.tr("Align causal mask"), align=align)

    def show_setting(self, setting: Causal, scene: Scene) -> None:
        button = self.buttons[setting.align]
        with QSignalBlocker(button):
            button.setChecked(True)
        for each in self.buttons.values():
            each.setEnabled(scene.n != scene.m)
        self.note.parentWidget().setVisible(scene.n == scene.m)


class PaddingOptions(Options):
    """One chip per key."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.model = FlagModel(self)
        self.model.asked.connect(self._set)
        self.chips = ChipList(self.model)
        self.chips.setObjectName("padding_keys")
        self.chips.setAccessibleName(self.tr("Keys that may be seen"))
        self.rows.addWidget(self.chips)

    def _set(self, row: int, _col: int, on: bool, merge: str) -> None:
        keys = list(self.setting.keys)
        keys[row] = on
        self.change(self.tr("Change padding"), merge, keys=tuple(keys))

    def show_setting(self, setting: Padding, scene: Scene) -> None:
        self.model.show_flags(np.array(setting.keys, dtype=bool)[:, None], scene.key_tokens)


class WindowOptions(Options):
    """How far a query sees to either side."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.boxes = {"left": StepBox(), "right": StepBox()}
        self._merge = gesture()
        for name, box in self.boxes.items():
            box.setObjectName(f"window_{name}")
            box.setRange(0, 999_999)
            box.valueChanged.connect(partial(self._set, name))
            box.editingFinished.connect(self._end)
        self.boxes["left"].setAccessibleName(self.tr("Keys to the left"))
        self.boxes["right"].setAccessibleName(self.tr("Keys to the right"))
        self.row(QLabel(self.tr("left")), self.boxes["left"], QLabel(self.tr("right")), self.boxes["right"])

    def _set(self, name: str, value: int) -> None:
        self.change(self.tr("Change window"), f"{self._merge} {name}", **{name: value})

    def _end(self) -> None:
        self._merge = gesture()

    def show_setting(self, setting: Window, scene: Scene) -> None:
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setValue(getattr(setting, name))


class CustomOptions(Options):
    """The table itself, as long as it is small enough to click."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.model = FlagModel(self)
        self.model.asked.connect(self._set)
        self.table = FlagTable(self.model)
        self.table.setObjectName("custom_table")
        self.table.setAccessibleName(self.tr("Which query (row) sees which key (column)"))
        self.rows.addWidget(self.table, 0, Qt.AlignmentFlag.AlignLeft)
        self.note = Note().wrap()
        self.rows.addWidget(self.note)

    def _set(self, row: int, col: int, on: bool, merge: str) -> None:
        table = self.setting.table.copy()
        table[row, col] = on
        self.change(self.tr("Change custom mask"), merge, table=table)

    def show_setting(self, setting: Custom, scene: Scene) -> None:
        small = scene.n <= MOST_ROWS
        self.table.setVisible(small)
        if small:
            self.model.show_flags(setting.table, scene.tokens, scene.key_tokens)
            self.note.setText(self.tr("Click or drag: hatched keys are hidden."))
        else:
            text = self.tr("%1 × %2 flags are too many to click; the session file holds them.")
            self.note.setText(text.replace("%1", str(scene.n)).replace("%2", str(scene.m)))


MASK_OPTIONS: dict[str, type[Options]] = {
    "causal": CausalOptions,
    "padding": PaddingOptions,
    "window": WindowOptions,
    "custom": CustomOptions,
}


class MaskPopover(Popover):
    """A check box for each kind, its options below it while it is ticked, and the fill."""

    def __init__(self, document: Document, memory: Memory, button: QWidget) -> None:
        super().__init__(document, button)
        self.setObjectName("mask_popover")
        self._memory = memory
        self.boxes: dict[str, TickBox] = {}
        self.options: dict[str, Options] = {}
        self.rows.addWidget(Note(self.tr("A key is seen where every ticked mask lets it be seen.")))
        for kind in MASKS:
            self.rows.addWidget(self._section(kind))
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        line.setFrameShadow(QFrame.Shadow.Plain)
        line.setForegroundRole(self.palette().ColorRole.Mid)
        self.rows.addWidget(line)
        self.rows.addWidget(QLabel(self.tr("A hidden score becomes")))
        self.fill = FillChoice(document)
        self.rows.addWidget(self.fill)
        self.blind = QLabel()
        self.blind.setObjectName("blind_rows")
        self.blind.setTextFormat(Qt.TextFormat.PlainText)
        self.blind.setWordWrap(True)
        self.rows.addWidget(self.blind)

    def show_scene(self, scene: Scene) -> None:
        for kind, box in self.boxes.items():
            mask = mask_of(scene, kind)
            with QSignalBlocker(box):
                box.setChecked(mask is not None)
            if kind in self.options:
                self.options[kind].setVisible(mask is not None)
                if mask is not None:
                    self.options[kind].show_setting(mask, scene)
        self.fill.show_value(scene.mask_fill)
        sentence = blind_sentence(scene)
        self.blind.setText(f"⚠ {sentence}")
        self.blind.setVisible(bool(sentence))

    def _section(self, kind: str) -> QWidget:
        section = QWidget()
        layout = QVBoxLayout(section)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        box = TickBox(kind_name(kind))
        box.setObjectName(f"mask_{kind}")
        box.setAccessibleDescription(kind_hint(kind, MASKS))
        box.toggled.connect(partial(self._tick, kind))
        self.boxes[kind] = box
        layout.addWidget(line_of(box, Note(kind_hint(kind, MASKS))))
        if kind in MASK_OPTIONS:
            options = MASK_OPTIONS[kind](
                self.document, lambda scene: mask_of(scene, kind), partial(_with, kind), section
            )
            options.setContentsMargins(self.fontMetrics().height() * 3 // 2, 0, 0, 4)
            self.options[kind] = options
            layout.addWidget(options)
        return section

    def _tick(self, kind: str, on: bool) -> None:
        scene = self.document.scene
        text = (self.tr("Add %1 mask") if on else self.tr("Remove %1 mask")).replace("%1", kind_name(kind))
        try:
            mask = self._memory.mask(kind, scene) if on else None
            self.document.edit(with_mask_of(scene, kind, mask), text)
        except SceneError as error:
            box = self.boxes[kind]
            Bubble(box).say(problem_text(str(error)), box.rect())
            self.show_scene(scene)


class FillChoice(ChoiceOrNumber):
    """What a hidden score becomes."""

    def __init__(self, document: Document) -> None:
        other = QCoreApplication.translate("MaskPopover", "another number")
        super().__init__([(-np.inf, "−∞"), (-1e9, "−10⁹")], other, self._set)
        self._document = document
        self.setObjectName("mask_fill")

    def _set(self, value: float) -> None:
        text = QCoreApplication.translate("MaskPopover", "Set mask fill to %1")
        edit_scene(self._document, text.replace("%1", compact_number(value)), mask_fill=value)


def blind_sentence(scene: Scene) -> str:
    """Names the rows that see no key, and what becomes of them; empty where there is none."""
    translate = QCoreApplication.translate
    rows = np.arange(scene.n if scene.mask else 0)
    rows = rows[~rows_seeing(scene.visible_at, rows, np.arange(scene.m))]
    if not len(rows):
        return ""
    names = ", ".join(f"“{scene.tokens[row]}”" for row in rows[:MOST_NAMES])
    if len(rows) == 1:
        text = translate(
            "MaskPopover", "Row %1 sees no key: with −∞ its weights are 0, with a finite fill 1/m."
        )
    elif len(rows) <= MOST_NAMES:
        text = translate(
            "MaskPopover", "Rows %1 see no key: with −∞ their weights are 0, with a finite fill 1/m."
        )
    else:
        text = translate(
            "MaskPopover",
            "Rows %1 and %2 more see no key: with −∞ their weights are 0, with a finite fill 1/m.",
        )
    return text.replace("%2", str(len(rows) - MOST_NAMES)).replace("%1", names)


def _with(kind: str, scene: Scene, mask: Any) -> Scene:
    return with_mask_of(scene, kind, mask)
