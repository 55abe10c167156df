"""Masks: painted, combined, taken apart, and spelled as torch wants them."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLabel, QPushButton

from explorer.attention.mask_edits import as_painted, mask_of, with_mask_of
from explorer.attention.masks import Custom
from explorer.scene import Scene, SceneError
from explorer.ui.boxes import TickBox
from explorer.ui.choices import kind_name
from explorer.ui.lab.mask_map import MaskMap
from explorer.ui.lab.mask_parts import Legend, MaskParts
from explorer.ui.lab.mask_pen import MaskPen, PanelPaint
from explorer.ui.lab.mask_torch import SPELLINGS, TorchMask
from explorer.ui.lab.pieces import Heading, Words, muted
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.options_mask import CausalOptions, FillChoice, WindowOptions, blind_sentence
from explorer.ui.problems import problem_text


class Masks(Tool):
    """Edits the scene's mask; keeps {"torch": one of SPELLINGS}, where it is not the first."""

    name = "masks"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Masks", "Masks")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Masks", "Which query sees which key, what does each mask hide, and how does torch want it?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        document = bench.document
        self.pen = MaskPen(document, self)
        self.pen.refused.connect(self._refuse)
        self.pen.painted.connect(lambda: self._refuse(()))
        self.parts = MaskParts()
        self.parts.toggled.connect(self._toggle)
        self.page.addWidget(self.parts)
        self.page.addWidget(Legend())
        self.options = {
            "causal": CausalOptions(document, _of("causal"), _put("causal")),
            "window": WindowOptions(document, _of("window"), _put("window")),
        }
        for option in self.options.values():
            self.page.addWidget(option)
        self.map = MaskMap(self.pen, self.scene)
        self.page.addWidget(self.map)
        self.refusal = Words()
        self.refusal.setObjectName("mask_refusal")
        self.flatten = QPushButton(self.tr("Make it one painted mask"))
        self.flatten.setObjectName("flatten_mask")
        self.flatten.clicked.connect(self._flatten)
        self.page.addWidget(self.refusal)
        self.page.addWidget(self.flatten, 0, Qt.AlignmentFlag.AlignLeft)
        self.blind = Words()
        self.blind.setObjectName("mask_blind")
        self.page.addWidget(self.blind)
        self.page.addWidget(QLabel(QCoreApplication.translate("MaskPopover", "A hidden score becomes")))
        self.fill = FillChoice(document)
        self.page.addWidget(self.fill)
        self.page.addWidget(
            muted(
                self.tr(
                    "Click or drag to paint, Shift+drag a rectangle; click a key's label to hide the key; drag the"
                    " window's dots; Shift+wheel zooms. Keys: arrows and Space, Shift+arrows for a block, P for the"
                    " key, + and −."
                )
            )
        )
        self.paint = TickBox(self.tr("Paint on the panels too (Esc ends)"))
        self.paint.setObjectName("paint_panels")
        self.panels = PanelPaint(self.pen, bench.pipeline)
        self.paint.toggled.connect(self.panels.set_on)
        self.panels.ended.connect(lambda: self.paint.setChecked(False))
        self.page.addWidget(self.paint)
        self.page.addWidget(Heading(self.tr("The same mask for torch")))
        self.torch = TorchMask(self._spell)
        self.page.addWidget(self.torch)
        self.page.addStretch(1)
        self._refuse(())

    def show_scene(self, scene: Scene) -> None:
        self.parts.show_scene(scene)
        self.map.show_mask(scene)
        for kind, option in self.options.items():
            mask = mask_of(scene, kind)
            option.setVisible(mask is not None and (kind != "causal" or scene.n != scene.m))
            if mask is not None:
                option.show_setting(mask, scene)
        sentence = blind_sentence(scene)
        self.blind.say(f"⚠ {sentence}" if sentence else "")
        self.fill.show_value(scene.mask_fill)
        self.torch.show_mask(scene, kept_spelling(self.kept))
        if not self.refusal.isHidden() and [mask.kind for mask in scene.mask] == [Custom.kind]:
            self._refuse(())

    def leave(self) -> None:
        self.paint.setChecked(False)
        self.torch.leave()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leave()

    # ---- what a person asks for ----

    def _toggle(self, kind: str, on: bool) -> None:
        scene, memory = self.scene, self.bench.memory
        text = self.tr("Add %1 mask") if on else self.tr("Remove %1 mask")
        self._refuse(())
        try:
            new = with_mask_of(scene, kind, memory.mask(kind, scene) if on else None)
            self.bench.document.end_merge()
            self.bench.document.edit(new, text.replace("%1", kind_name(kind)))
        except SceneError as error:
            self.refusal.say(problem_text(str(error)))
        self.parts.show_scene(self.scene)

    def _flatten(self) -> None:
        self.bench.document.end_merge()
        self.bench.document.edit(as_painted(self.scene), self.tr("Make it one painted mask"))
        self._refuse(())

    def _refuse(self, kinds: tuple[str, ...]) -> None:
        """Say what hides the cell that was to be shown, with the way out."""
        names = ", ".join(kind_name(kind) for kind in kinds)
        text = self.tr("This cell is hidden by %1: painting alone cannot show it.")
        self.refusal.say(text.replace("%1", names) if kinds else "")
        self.flatten.setVisible(bool(kinds))

    def _spell(self, key: str) -> None:
        if key != kept_spelling(self.kept):
            text = self.tr("Spell the mask: {how}").format(how=self.torch.choice.buttons[key].text())
            self.keep(None if key == SPELLINGS[0] else {"torch": key}, text, "mask spelling")


def kept_spelling(entry: Any) -> str:
    """What a session keeps of the choice; the first where it keeps none that is known."""
    kind = entry.get("torch") if isinstance(entry, Mapping) else None
    return kind if isinstance(kind, str) and kind in SPELLINGS else SPELLINGS[0]


def _of(kind: str):
    return lambda scene: mask_of(scene, kind)


def _put(kind: str):
    return lambda scene, mask: with_mask_of(scene, kind, mask)
