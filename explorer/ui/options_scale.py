"""The ⋯ of the scale: a number of one's own, the softcap, a bias of the scores, and the norm of queries and keys."""

import numpy as np
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLabel, QWidget

from explorer.document import Document
from explorer.norm import Norm
from explorer.numbers import compact_number
from explorer.scene import NORMS, Array, Scene
from explorer.ui.boxes import StepBox, TickBox
from explorer.ui.options import Note, Popover, edit_scene, line_of
from explorer.ui.options_fields import ChoiceOrNumber, NumberField
from explorer.ui.options_table import NumberTable

FIRST_CAP = 50.0  # as in Gemma 2, whose attention scores are capped there


class ScalePopover(Popover):
    """What the scores are multiplied by, and what bounds them."""

    def __init__(self, document: Document, button: QWidget) -> None:
        super().__init__(document, button)
        self.setObjectName("scale_popover")
        self._cap = FIRST_CAP if document.scene.softcap is None else document.scene.softcap
        self.rows.addWidget(Note(self.tr("The raw scores are multiplied by")))
        self.scale = ChoiceOrNumber(
            [("sqrt_dk", "1/√d_k"), ("none", self.tr("1 (no scale)"))],
            self.tr("another number"),
            self._set_scale,
        )
        self.scale.setObjectName("scale_number")
        self.rows.addWidget(self.scale)
        self.use_cap = TickBox(self.tr("softcap: c·tanh(s/c), c ="))
        self.use_cap.setObjectName("use_softcap")
        self.use_cap.toggled.connect(self._use_cap)
        self.cap = NumberField(self._set_cap)
        self.cap.setObjectName("softcap")
        self.cap.setAccessibleName(self.tr("Softcap"))
        self.rows.addWidget(line_of(self.use_cap, self.cap))
        self.rows.addWidget(Note(self.tr("No scaled score s leaves −c … c; small ones hardly change.")))
        self._bias: Array | None = None  # likewise
        self.use_bias = TickBox(self.tr("bias: s + b, a number for each query and key"))
        self.use_bias.setObjectName("use_bias")
        self.use_bias.toggled.connect(self._use_bias)
        self.head = StepBox()
        self.head.setObjectName("bias_head")
        self.head.setAccessibleName(self.tr("Head"))
        self.head.setMinimum(1)
        self.head.valueChanged.connect(lambda _number: self.show_scene(self.document.scene))
        self.head_line = line_of(QLabel(self.tr("of head")), self.head)
        self.bias = NumberTable()
        self.bias.setObjectName("bias_table")
        self.bias.setAccessibleName(self.tr("Bias of the scores"))
        self.bias.edited.connect(self._set_bias)
        for widget in (self.use_bias, self.head_line, self.bias):
            self.rows.addWidget(widget)
        self._norms: dict[str, Norm] = {}  # what there was before it was ticked off
        self.use_norm = TickBox(self.tr("norm q and k: q/√(mean of q² + ε)·g, likewise k"))
        self.use_norm.setObjectName("use_norm")
        self.use_norm.toggled.connect(self._use_norm)
        self.rows.addWidget(self.use_norm)
        self.rows.addWidget(
            Note(self.tr("Each head's row is normed after its projection, before positions turn it."))
        )

    def show_scene(self, scene: Scene) -> None:
        self.scale.show_value(scene.scale)
        with QSignalBlocker(self.use_cap):
            self.use_cap.setChecked(scene.softcap is not None)
        self._cap = self._cap if scene.softcap is None else scene.softcap
        self.cap.show_number(self._cap)
        self.cap.setEnabled(scene.softcap is not None)
        self._show_bias(scene)
        set_ = {name: norm for name in NORMS if (norm := getattr(scene, name)) is not None}
        with QSignalBlocker(self.use_norm):
            self.use_norm.setChecked(bool(set_))
        self._norms = set_ or self._norms

    def _show_bias(self, scene: Scene) -> None:
        bias = scene.bias
        self._bias = self._bias if bias is None else bias
        with QSignalBlocker(self.use_bias):
            self.use_bias.setChecked(bias is not None)
        self.bias.setVisible(bias is not None)
        self.head_line.setVisible(bias is not None and bias.ndim == 3)
        if bias is None:
            return
        with QSignalBlocker(self.head):
            self.head.setMaximum(scene.heads)
        shown = bias if bias.ndim == 2 else bias[self.head.value() - 1]
        self.bias.show_table(shown, scene.tokens, scene.key_tokens)

    def _use_bias(self, on: bool) -> None:
        scene = self.document.scene
        known = self._bias
        shapes = ((scene.n, scene.m), (scene.heads, scene.n, scene.m))
        zeros = np.zeros((scene.n, scene.m))
        text = self.tr("Add a bias to the scores") if on else self.tr("Remove the bias of the scores")
        edit_scene(
            self.document,
            text,
            bias=None if not on else known if known is not None and known.shape in shapes else zeros,
        )

    def _set_bias(self, row: int, col: int, value: float) -> None:
        old = self.document.scene.bias
        if old is None:
            return
        new = old.copy()
        cell = (row, col) if old.ndim == 2 else (self.head.value() - 1, row, col)
        new[cell] = value
        if new[cell] != old[cell]:
            text = self.tr("Edit bias [%1,%2]")
            edit_scene(self.document, text.replace("%1", str(row + 1)).replace("%2", str(col + 1)), bias=new)

    def _set_scale(self, value: str | float) -> None:
        names = {"sqrt_dk": "1/√d_k", "none": "1"}
        name = names[value] if isinstance(value, str) else compact_number(value)
        edit_scene(self.document, self.tr("Set scale to %1").replace("%1", name), scale=value)

    def _use_cap(self, on: bool) -> None:
        text = self.tr("Add softcap") if on else self.tr("Remove softcap")
        edit_scene(self.document, text, softcap=self._cap if on else None)

    def _use_norm(self, on: bool) -> None:
        d_k = self.document.scene.d_k
        known = self._norms or {name: Norm(weight=np.ones(d_k)) for name in NORMS}
        norms = {name: norm.resized(d_k) for name, norm in known.items()} if on else dict.fromkeys(NORMS)
        text = self.tr("Norm queries and keys") if on else self.tr("Remove the norm of queries and keys")
        edit_scene(self.document, text, **norms)

    def _set_cap(self, value: float) -> None:
        text = self.tr("Set softcap to %1").replace("%1", compact_number(value))
        edit_scene(self.document, text, softcap=value)
