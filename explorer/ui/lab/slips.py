"""Misconceptions: a well-known mistake made on purpose, beside the right result."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QStandardItemModel

from explorer.attention.trace import Trace
from explorer.attention.variants import SLIP, SLIPS
from explorer.lessons.messages import SLIP_SENTENCES
from explorer.numbers import compact_number
from explorer.scene import Scene
from explorer.ui.boxes import ChoiceBox
from explorer.ui.lab.kept import remembered
from explorer.ui.lab.lens import Look, difference, largest_changes
from explorer.ui.lab.pieces import Bar, Bars, Choice, Heading, Words, muted, share
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.language import lesson_code
from explorer.ui.lesson_slip import slipped
from explorer.ui.texts import stage_title

NONE, WRONG, CHANGE = "none", "wrong", "difference"

# A short name for each slip of explorer.attention.variants. One that is not listed is called by its own name.
TITLES = {
    "scale_forgotten": QT_TRANSLATE_NOOP("Slip", "scale forgotten"),
    "softmax_over_queries": QT_TRANSLATE_NOOP("Slip", "softmax over the queries"),
    "mask_inverted": QT_TRANSLATE_NOOP("Slip", "mask inverted"),
    "mask_forgotten": QT_TRANSLATE_NOOP("Slip", "mask forgotten"),
    "split_without_transpose": QT_TRANSLATE_NOOP("Slip", "heads split without transpose"),
    "scores_transposed": QT_TRANSLATE_NOOP("Slip", "scores transposed"),
    "scale_sqrt_d_model": QT_TRANSLATE_NOOP("Slip", "√d_model for √d_k"),
    "scale_without_root": QT_TRANSLATE_NOOP("Slip", "d_k for √d_k"),
    "w_o_forgotten": QT_TRANSLATE_NOOP("Slip", "W^O forgotten"),
    "no_quotient": QT_TRANSLATE_NOOP("Slip", "softmax without the quotient"),
    "no_exponential": QT_TRANSLATE_NOOP("Slip", "softmax without the exponential"),
    "mask_after_softmax": QT_TRANSLATE_NOOP("Slip", "mask after the softmax"),
    "mask_multiplied": QT_TRANSLATE_NOOP("Slip", "mask multiplied with 0"),
    "mask_added": QT_TRANSLATE_NOOP("Slip", "mask of ones added"),
    "weights_averaged": QT_TRANSLATE_NOOP("Slip", "weights averaged over heads"),
    "softmax_over_heads": QT_TRANSLATE_NOOP("Slip", "softmax over the heads"),
}

NEEDS = {
    "mask": QT_TRANSLATE_NOOP("Slip", "This scene leaves no room for it: no key is hidden."),
    "heads": QT_TRANSLATE_NOOP("Slip", "This scene leaves no room for it: there is one head."),
    "scale": QT_TRANSLATE_NOOP("Slip", "This scene leaves no room for it: it does not divide by √d_k."),
    "square": QT_TRANSLATE_NOOP(
        "Slip", "This scene leaves no room for it: queries and keys differ in number."
    ),
    "w_o": QT_TRANSLATE_NOOP("Slip", "This scene leaves no room for it: there is no square W^O."),
    "": QT_TRANSLATE_NOOP("Slip", "This scene leaves no room for it."),
}
_NEED = {
    "scale_forgotten": "scale", "scale_sqrt_d_model": "scale", "scale_without_root": "scale",
    "mask_inverted": "mask", "mask_forgotten": "mask", "mask_after_softmax": "mask", "mask_multiplied": "mask",
    "mask_added": "mask", "split_without_transpose": "heads", "weights_averaged": "heads",
    "softmax_over_heads": "heads", "scores_transposed": "square", "w_o_forgotten": "w_o",
}  # fmt: skip


def slip_title(name: str) -> str:
    """A slip in a few words, translated."""
    return QCoreApplication.translate("Slip", TITLES[name]) if name in TITLES else name


def kept_slip(entry: Any) -> str:
    """The slip that a session keeps; empty where it keeps none that is known."""
    name = entry.get("slip") if isinstance(entry, Mapping) else None
    return name if isinstance(name, str) and name in SLIP else ""


class Slips(Tool):
    """Keeps {"slip": its name}."""

    name = "slips"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Slips", "Misconceptions")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Slips", "What comes out when one step is done wrong, and where does the damage start?"
        )

    @classmethod
    def look(cls, scene: Scene, show: str) -> Look | None:
        name = kept_slip(remembered(scene, cls.name))
        if not name or show not in (WRONG, CHANGE) or not SLIP[name].possible(scene):
            return None
        translate = QCoreApplication.translate
        if show == WRONG:
            note = translate("Slips", "The panels show a wrong result: {slip}.").format(slip=slip_title(name))
            return Look(lambda trace: slipped(trace, name), note)
        note = translate("Slips", "The panels show wrong − right: {slip}.").format(slip=slip_title(name))
        return Look(lambda trace: difference(trace, slipped(trace, name)), note, difference=True)

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.slip = ChoiceBox()
        self.slip.setObjectName("slip")
        self.slip.setAccessibleName(self.tr("Slip"))
        self.slip.fill([(NONE, self.tr("none")), *((slip.name, slip_title(slip.name)) for slip in SLIPS)])
        self.slip.setMaxVisibleItems(len(SLIPS) + 1)
        self.slip.activated.connect(lambda _index: self._choose(self.slip.currentData()))
        self.page.addWidget(self.slip)
        self.sentence = Words()
        self.sentence.setObjectName("slip_sentence")
        self.page.addWidget(self.sentence)
        self.choice = Choice(
            (("", self.tr("right")), (WRONG, self.tr("wrong")), (CHANGE, self.tr("wrong − right"))),
            self._show,
            self.tr("The panels show"),
        )
        self.start = Words()
        self.start.setObjectName("slip_start")
        self.bars = Bars()
        self.bars.setAccessibleName(self.tr("Largest deviation in each stage"))
        self._parts = (
            Heading(self.tr("The panels show")), self.choice, Heading(self.tr("The damage: max|Δ| in each stage")),
            self.bars, self.start,
            muted(self.tr("A bar compares the deviation with the largest number of its stage.")),
        )  # fmt: skip
        for widget in self._parts:
            self.page.addWidget(widget)
        self.page.addStretch(1)

    def show_scene(self, scene: Scene) -> None:
        name = kept_slip(self.kept)
        self.slip.show_kind(name or NONE)
        model = self.slip.model()
        assert isinstance(model, QStandardItemModel)
        for row, slip in enumerate(SLIPS, 1):
            model.item(row).setEnabled(slip.possible(scene))
        possible = bool(name) and SLIP[name].possible(scene)
        for widget in self._parts:
            widget.setVisible(possible)
        if not name:
            self.sentence.setText(self.tr("Choose a slip: the right result stays beside it."))
        else:
            text = SLIP_SENTENCES[name].to(lesson_code())
            if not possible:
                need = QCoreApplication.translate("Slip", NEEDS[_NEED.get(name, "")])
                text = f"{text}\n{need}"
            self.sentence.setText(text)
        self.choice.show_key(self.shown_key)

    def show_trace(self, trace: Trace) -> None:
        name = kept_slip(self.kept)
        if not name or not SLIP[name].possible(trace.scene):
            self.bars.show_bars(())
            return
        first = SLIP[name].first
        changes = largest_changes(trace, slipped(trace, name))
        order = list(changes)
        touched = {stage: changes[stage] for stage in order[order.index(first) :]}
        start = next((stage for stage, (change, _size) in touched.items() if change), "")
        self.bars.show_bars(
            Bar(stage_title(stage), share(change, size), compact_number(change), stage == start)
            for stage, (change, size) in touched.items()
        )
        if not start:
            self.start.setText(self.tr("With these numbers it makes no difference."))
        else:
            text = self.tr("It starts at: {stage}. What comes before is right.")
            self.start.setText(text.format(stage=stage_title(start)))

    def _choose(self, name: str) -> None:
        if name == NONE:
            self.keep_look("", self.tr("No slip"), None)
        elif name != kept_slip(self.kept):
            text = self.tr("Slip: {name}").format(name=slip_title(name))
            self.keep_look(self.shown or WRONG, text, {"slip": name})

    def _show(self, key: str) -> None:
        texts = {"": self.tr("right"), WRONG: self.tr("wrong"), CHANGE: self.tr("wrong − right")}
        self.keep_look(key, self.tr("Show {what}").format(what=texts[key]))
