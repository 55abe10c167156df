"""The controls above the pipeline: heads, mask, scale, position, precision."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from explorer.attention.masks import MASKS
from explorer.attention.positions import POSITIONS
from explorer.document import Document
from explorer.numbers import compact_number
from explorer.patience import CancelledError
from explorer.reshape import possible_kv_heads
from explorer.scene import DTYPES, Scene, SceneError
from explorer.ui.boxes import ChoiceBox, CountBox
from explorer.ui.choices import NONE, Memory, kind_name, mask_kind, with_mask_kind, with_position_kind
from explorer.ui.flow import FlowRow
from explorer.ui.grids.bubble import Bubble
from explorer.ui.options import OptionsButton
from explorer.ui.options_mask import MaskPopover
from explorer.ui.options_position import POSITION_OPTIONS, PositionPopover
from explorer.ui.options_scale import ScalePopover
from explorer.ui.problems import problem_text
from explorer.ui.switch import Switch
from explorer.ui.waiting import Beside, changed, here


class Controls(FlowRow):
    """Shows the Document's Scene and edits it, one undo step per choice. What cannot be says why beside it."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("controls")
        self.document = document
        self.memory = Memory(document.scene)  # of what is switched off; the lab shares it
        self.beside: Beside = here  # what may take long: see Files.beside
        self._labels: dict[str, QLabel] = {}
        self._bubbles: dict[QWidget, Bubble] = {}

        self.heads = CountBox(_counts(document, Scene.possible_heads))
        self.kv_heads = CountBox(_counts(document, possible_kv_heads))
        self.mask = Switch()
        self.mask_kind = ChoiceBox()
        self.mask_options = OptionsButton(lambda button: MaskPopover(document, self.memory, button))
        self.scale = Switch()
        self.scale_text = QLabel()
        self.scale_options = OptionsButton(lambda button: ScalePopover(document, button))
        self.position = ChoiceBox()
        self.position_options = OptionsButton(lambda button: PositionPopover(document, button))
        self.dtype = ChoiceBox()

        self._group("heads", self.heads)
        self._group("kv_heads", self.kv_heads)
        self._group("mask", self.mask, self.mask_kind, self.mask_options)
        self._group("scale", self.scale, self.scale_text, self.scale_options)
        self._group("position", self.position, self.position_options)
        self._group("dtype", self.dtype)
        for name in ("mask_kind", "mask_options", "scale_text", "scale_options", "position_options"):
            getattr(self, name).setObjectName(name)
        self._retranslate()
        self._show(document.scene)
        self._connect()

    def _group(self, name: str, *widgets: QWidget) -> None:
        """A label and what it is about; the first widget bears the name."""
        group = QWidget()
        layout = QHBoxLayout(group)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        label = self._labels[name] = QLabel()
        label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        label.setBuddy(widgets[0])
        widgets[0].setObjectName(name)
        for widget in (label, *widgets):
            layout.addWidget(widget)
        self.add(group)

    def _connect(self) -> None:
        self.heads.valueChanged.connect(self._set_heads)
        self.kv_heads.valueChanged.connect(self._set_kv_heads)
        self.mask.toggled.connect(self._switch_mask)
        self.mask_kind.currentIndexChanged.connect(self._set_mask_kind)
        self.scale.toggled.connect(self._switch_scale)
        self.position.currentIndexChanged.connect(self._set_position)
        self.dtype.currentIndexChanged.connect(self._set_dtype)
        self.document.changed.connect(self._follow)
        self.document.file_changed.connect(self._forget)

    # ---- what a person asks for ----

    def _set_heads(self, heads: int) -> None:
        text = self.tr("Set heads to %1").replace("%1", str(heads))
        self._try(self.heads, lambda scene: scene.with_heads(heads), text)

    def _set_kv_heads(self, groups: int) -> None:
        text = self.tr("Set K/V heads to %1").replace("%1", str(groups))
        self._try(self.kv_heads, lambda scene: self.memory.shared.with_groups(scene, groups), text)

    def _switch_mask(self, on: bool) -> None:
        text = self.tr("Switch mask on") if on else self.tr("Switch mask off")
        self._try(self.mask, lambda scene: scene.replace(mask=self.memory.masks(scene) if on else ()), text)

    def _set_mask_kind(self) -> None:
        kind = self.mask_kind.currentData()
        text = self.tr("Set mask to %1").replace("%1", kind_name(kind))
        self._try(self.mask_kind, lambda scene: with_mask_kind(scene, kind, self.memory), text)

    def _switch_scale(self, on: bool) -> None:
        text = self.tr("Switch scale on") if on else self.tr("Switch scale off")
        self._try(self.scale, lambda scene: scene.replace(scale="sqrt_dk" if on else "none"), text)

    def _set_position(self) -> None:
        kind = self.position.currentData()
        text = self.tr("Set position to %1").replace("%1", kind_name(kind))
        self._try(self.position, lambda scene: with_position_kind(scene, kind, self.memory), text)

    def _set_dtype(self) -> None:
        dtype = self.dtype.currentData()
        text = self.tr("Set precision to %1").replace("%1", dtype)
        self._try(self.dtype, lambda scene: scene.replace(dtype=dtype), text)

    def _try(self, widget: QWidget, change: Callable[[Scene], Scene], text: str) -> None:
        """Edit the Document, or say why that cannot be; either way the widgets show the Scene afterwards."""
        for bubble in self._bubbles.values():
            bubble.hide()
        try:
            self.document.end_merge()
            self.document.edit(changed(self.document.scene, change, text, self.beside), text)
        except CancelledError:
            pass
        except SceneError as error:
            if widget not in self._bubbles:
                self._bubbles[widget] = Bubble(widget)
            self._bubbles[widget].say(problem_text(str(error)), widget.rect())
        self._show(self.document.scene)

    # ---- what the Scene is ----

    def _follow(self, old: Scene, new: Scene) -> None:
        if _facts(old) != _facts(new):
            self.memory.learn(new)
            self._show(new)

    def _forget(self) -> None:
        if not self.document.undo_stack.count():  # another file: nothing of the last one may leak into it
            self.memory.forget(self.document.scene)

    def _show(self, scene: Scene) -> None:
        self.heads.show_count(scene.heads)
        self.kv_heads.show_count(scene.groups)
        for switch, on in ((self.mask, bool(scene.mask)), (self.scale, scene.scale == "sqrt_dk")):
            with QSignalBlocker(switch):
                switch.setChecked(on)
        self.mask_kind.show_kind(mask_kind(scene))
        self.mask_options.marked = bool(scene.mask) and scene.mask_fill != -np.inf
        own_factor = not isinstance(scene.scale, str)
        self.scale.between = own_factor
        factor = f"×{compact_number(scene.factor)}" if own_factor else ""
        self.scale.setAccessibleDescription(factor)  # what the knob in the middle cannot say
        self.scale_text.setText(factor or "1/√d<sub>k</sub>")
        self.scale_text.setForegroundRole(
            QPalette.ColorRole.PlaceholderText if scene.scale == "none" else QPalette.ColorRole.WindowText
        )
        self.scale_options.marked = any(
            each is not None for each in (scene.softcap, scene.bias, scene.q_norm, scene.k_norm)
        )
        self.position.show_kind(scene.position.kind)
        self.position_options.setEnabled(scene.position.kind in POSITION_OPTIONS)
        self.dtype.show_kind(scene.dtype)

    # ---- what it is called ----

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
            self._show(self.document.scene)

    def _retranslate(self) -> None:
        self.mask_kind.fill((kind, kind_name(kind)) for kind in (NONE, *MASKS))
        self.mask_kind.setPlaceholderText(self.tr("combined"))
        self.position.fill((kind, kind_name(kind)) for kind in POSITIONS)
        self.dtype.fill((dtype, dtype) for dtype in DTYPES)
        self._name("heads", self.tr("Heads"), self.tr("Into how many heads are the columns of W_q cut?"))
        self._name(
            "kv_heads",
            self.tr("K/V heads"),
            self.tr("How many heads of keys and values do the query heads share (GQA; 1 is multi-query)?"),
        )
        self._name("mask", self.tr("Mask"), self.tr("Are some keys hidden from some queries?"))
        self._name(
            "scale", self.tr("Scale"), self.tr("Are the raw scores divided by √d_k before the softmax?")
        )
        self._name(
            "position", self.tr("Position"), self.tr("How does attention learn the order of the tokens?")
        )
        self._name("dtype", self.tr("Precision"), self.tr("Which kind of number does the arithmetic run in?"))
        for widget, name, tip in (
            (self.mask_kind, self.tr("Kind of mask"), self.tr("Which keys may each query see?")),
            (
                self.mask_options,
                self.tr("Mask options"),
                self.tr("Combine masks, change them, choose the fill."),
            ),
            (
                self.scale_options,
                self.tr("Scale options"),
                self.tr("Multiply by another number, or cap the scores."),
            ),
            (
                self.position_options,
                self.tr("Position options"),
                self.tr("Change how positions are encoded."),
            ),
        ):
            widget.setAccessibleName(name)
            widget.setToolTip(tip)

    def _name(self, name: str, label: str, tip: str) -> None:
        self._labels[name].setText(label)
        self._labels[name].setToolTip(tip)
        widget = getattr(self, name)
        widget.setAccessibleName(label)
        widget.setToolTip(tip)


def _facts(scene: Scene) -> tuple[object, ...]:
    """What the controls show or steps through; masks and positions compare by identity."""
    return (
        scene.heads, scene.kv_heads, scene.mask, scene.mask_fill, scene.scale, scene.softcap, scene.position,
        scene.q_norm, scene.k_norm, scene.bias is None, scene.dtype, scene.w_q.shape, scene.w_k.shape, scene.w_v.shape,
    )  # fmt: skip


def _counts(document: Document, possible: Callable[[Scene], Sequence[int]]) -> Callable[[], Sequence[int]]:
    """The counts that the Document's scene can have: a box asks at every paint, and they are found once per scene."""
    kept: tuple[Scene, Sequence[int]] | None = None

    def counts() -> Sequence[int]:
        nonlocal kept
        if kept is None or kept[0] is not document.scene:
            kept = document.scene, possible(document.scene)
        return kept[1]

    return counts
