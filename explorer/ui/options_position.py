"""The ⋯ of the position. A kind with something to set has its Options here and a line in POSITION_OPTIONS."""

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from explorer.attention.positions import Learned, Relative, Rotary, Sinusoidal
from explorer.document import Document
from explorer.numbers import compact_number
from explorer.scene import Array, Scene, SceneError
from explorer.ui.boxes import DotButton, StepBox
from explorer.ui.choices import random_table
from explorer.ui.grids.bubble import Bubble
from explorer.ui.options import Note, Options, Popover
from explorer.ui.options_fields import NumberField
from explorer.ui.options_table import NumberTable
from explorer.ui.problems import problem_text


class SinusoidalOptions(Options):
    """The base of the wavelengths."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.base = NumberField(self._set_base)
        self.base.setObjectName("position_base")
        self.base.setAccessibleName(self.tr("Base of the wavelengths"))
        self.row(QLabel(self.tr("base")), self.base)
        self.formula = Note(self.tr("PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos of the same"))
        self.rows.addWidget(self.formula)

    def _set_base(self, value: float) -> None:
        self.change(self.tr("Set base to %1").replace("%1", compact_number(value)), base=value)

    def show_setting(self, setting: Sinusoidal, scene: Scene) -> None:
        self.base.show_number(setting.base)


class RotaryOptions(Options):
    """Base, which columns pair up, and how many columns turn."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.base = NumberField(self._set_base)
        self.base.setObjectName("position_base")
        self.base.setAccessibleName(self.tr("Base of the angles"))
        self.row(QLabel(self.tr("base")), self.base)
        self.layouts = {
            "half": DotButton(self.tr("half: i and i + dims/2 (Llama)")),
            "interleaved": DotButton(self.tr("interleaved: 2i and 2i + 1 (the paper)")),
        }
        self.rows.addWidget(QLabel(self.tr("columns that turn together")))
        for layout, button in self.layouts.items():
            button.setObjectName(f"layout_{layout}")
            button.toggled.connect(partial(self._set_layout, layout))
            self.row(button)
        self.dims = StepBox()
        self.dims.setObjectName("position_dims")
        self.dims.setAccessibleName(self.tr("Columns of each head that turn"))
        self.dims.setSingleStep(2)
        self.dims.setKeyboardTracking(False)
        self.dims.valueChanged.connect(self._set_dims)
        self.row(QLabel(self.tr("columns that turn (dims)")), self.dims)
        self._bubble = Bubble(self.dims)

    def _set_base(self, value: float) -> None:
        self.change(self.tr("Set base to %1").replace("%1", compact_number(value)), base=value)

    def _set_layout(self, layout: str, on: bool) -> None:
        if on:
            self.change(self.tr("Set rotary layout to %1").replace("%1", layout), layout=layout)

    def _set_dims(self, value: int) -> None:
        self._bubble.hide()
        try:
            self.change(self.tr("Set rotary dims"), dims=value or None)
        except SceneError as error:
            self._bubble.say(problem_text(str(error)), self.dims.rect())
            self._show_dims(self.setting, self.document.scene)

    def show_setting(self, setting: Rotary, scene: Scene) -> None:
        self.base.show_number(setting.base)
        button = self.layouts[setting.layout]
        with QSignalBlocker(button):
            button.setChecked(True)
        self._show_dims(setting, scene)

    def _show_dims(self, setting: Rotary, scene: Scene) -> None:
        with QSignalBlocker(self.dims):
            # all of d_k is a value of its own: it follows when d_k changes
            self.dims.setRange(0 if scene.d_k % 2 == 0 else 2, scene.d_k)
            all_of_them = self.tr("all %1").replace("%1", str(scene.d_k)) if scene.d_k % 2 == 0 else ""
            self.dims.setSpecialValueText(all_of_them)
            self.dims.setValue(setting.dims or 0)


class LearnedOptions(Options):
    """The table, and the context's where there is one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._seed = 1
        self.tables = {"table": NumberTable(), "context_table": NumberTable()}
        self.captions = {
            "table": Note(self.tr("Added to X, one row per position")),
            "context_table": Note(self.tr("Added to the context")),
        }
        for name, table in self.tables.items():
            table.setObjectName(f"position_{name}")
            table.setAccessibleName(self.captions[name].text())
            table.edited.connect(partial(self._set_cell, name))
            self.rows.addWidget(self.captions[name])
            self.rows.addWidget(table)
        self.zeros = QPushButton(self.tr("Zeros"))
        self.zeros.clicked.connect(self._fill_zeros)
        self.random = QPushButton(self.tr("Random"))
        self.random.clicked.connect(self._fill_random)
        self.row(self.zeros, self.random)

    def _set_cell(self, name: str, row: int, col: int, value: float) -> None:
        table = getattr(self.setting, name).copy()
        if table[row, col] != value:
            table[row, col] = value
            text = self.tr("Edit position table [%1,%2]")
            self.change(text.replace("%1", str(row + 1)).replace("%2", str(col + 1)), **{name: table})

    def _fill_zeros(self) -> None:
        tables = {name: np.zeros(table.shape) for name, table in self._own().items()}
        self.change(self.tr("Fill position table with zeros"), **tables)

    def _fill_random(self) -> None:
        tables = {
            name: random_table(table.shape, self._seed + number)
            for number, (name, table) in enumerate(self._own().items())
        }
        text = self.tr("Fill position table at random (seed %1)").replace("%1", str(self._seed))
        self._seed += 2
        self.change(text, **tables)

    def _own(self) -> dict[str, Array]:
        return {n: table for n in self.tables if (table := getattr(self.setting, n)) is not None}

    def show_setting(self, setting: Learned, scene: Scene) -> None:
        labels = {"table": scene.tokens, "context_table": scene.context_tokens}
        for name, view in self.tables.items():
            table = getattr(setting, name)
            shown = table is not None and (name == "table" or scene.is_cross)
            view.setVisible(shown)
            self.captions[name].setVisible(shown and scene.is_cross or name == "table")
            if shown:
                view.show_table(table, labels[name])


class RelativeOptions(Options):
    """A row of numbers per head, one for each distance."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.table = NumberTable()
        self.table.setObjectName("position_table")
        self.table.setAccessibleName(self.tr("Number for each distance"))
        self.table.edited.connect(self._set_cell)
        note = Note(self.tr("Added to the scaled scores, by the distance from the query to the key"))
        self.rows.addWidget(note.wrap())
        self.rows.addWidget(self.table)

    def _set_cell(self, row: int, col: int, value: float) -> None:
        table = self.setting.table.copy()
        if table[row, col] != value:
            table[row, col] = value
            text = self.tr("Edit position table [%1,%2]")
            self.change(text.replace("%1", str(row + 1)).replace("%2", str(col + 1)), table=table)

    def show_setting(self, setting: Relative, scene: Scene) -> None:
        reach, rows = setting.reach, len(setting.table)
        heads = [self.tr("head %1").replace("%1", str(row + 1)) for row in range(rows)] if rows > 1 else [""]
        columns = [
            f"{distance:+d}".replace("-", "−") if distance else "0" for distance in range(-reach, reach + 1)
        ]
        self.table.show_table(setting.table, heads, columns)


POSITION_OPTIONS: dict[str, type[Options]] = {
    "sinusoidal": SinusoidalOptions,
    "rotary": RotaryOptions,
    "learned": LearnedOptions,
    "relative": RelativeOptions,
}


class PositionPopover(Popover):
    """The options of the kind that is chosen; closes when another one is."""

    def __init__(self, document: Document, button: QWidget) -> None:
        super().__init__(document, button)
        self.setObjectName("position_popover")
        self._kind = document.scene.position.kind
        self.options = position_options(document)
        self.rows.addWidget(self.options)

    def show_scene(self, scene: Scene) -> None:
        if scene.position.kind == self._kind:
            self.options.show_setting(scene.position, scene)
        else:
            self.close()


def position_options(document: Document) -> Options:
    """What can be set for the position that the scene has; raises KeyError where that is nothing."""
    kind = document.scene.position.kind
    return POSITION_OPTIONS[kind](
        document, lambda scene: scene.position, lambda scene, position: scene.replace(position=position)
    )
