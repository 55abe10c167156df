"""Positions: how attention learns the order of its tokens, chosen, set and seen at work."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from explorer.attention.positions import POSITIONS
from explorer.attention.trace import Trace
from explorer.numbers import compact_number
from explorer.scene import Scene, SceneError
from explorer.ui.choices import kind_name, with_position_kind
from explorer.ui.formulas import FormulaView
from explorer.ui.lab.pieces import Choice, Words
from explorer.ui.lab.position_added import AddedPart
from explorer.ui.lab.position_bias import BiasPart
from explorer.ui.lab.position_part import PositionPart
from explorer.ui.lab.position_turned import TurnedPart
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.options import Options
from explorer.ui.options_position import POSITION_OPTIONS, SinusoidalOptions, position_options
from explorer.ui.options_table import NumberTable
from explorer.ui.problems import problem_text

PARTS: dict[str, type[PositionPart]] = {
    "sinusoidal": AddedPart,
    "learned": AddedPart,
    "rotary": TurnedPart,
    "alibi": BiasPart,
    "relative": BiasPart,
}


class Positions(Tool):
    """Keeps what is looked at: {"side", "column", "of", "head", "pair", "token"}, counted from 1, as far as chosen."""

    name = "positions"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Positions", "Positions")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Positions", "How does attention learn where a token stands, and which numbers change by it?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.kind = Choice(
            [(kind, kind_name(kind)) for kind in POSITIONS], self._choose, self.tr("Kind of position")
        )
        self.sentence = Words()
        self.sentence.setObjectName("position_sentence")
        self.formula = FormulaView(1.1)
        for widget in (self.kind, self.sentence, self.formula):
            self.page.addWidget(widget)
        self.options: Options | None = None
        self.part: PositionPart | None = None
        self._shown = ""
        self.page.addStretch(1)

    def show_scene(self, scene: Scene) -> None:
        kind = scene.position.kind
        self.kind.show_key(kind)
        if kind != self._shown:
            self._shown = kind
            self._set_up(kind)
        self._explain(scene)
        if self.options is not None:
            self.options.show_setting(scene.position, scene)

    def show_trace(self, trace: Trace) -> None:
        if self.part is not None:
            self.part.show_trace(trace, self.kept if isinstance(self.kept, Mapping) else {})

    # ---- the kind ----

    def _choose(self, kind: str) -> None:
        text = QCoreApplication.translate("Controls", "Set position to %1").replace("%1", kind_name(kind))
        self.bench.document.end_merge()
        try:
            self.bench.document.edit(with_position_kind(self.scene, kind, self.bench.memory), text)
        except SceneError as error:
            self.bench.banner.say(problem_text(str(error)))
        self.kind.show_key(self.scene.position.kind)

    def _set_up(self, kind: str) -> None:
        """The widgets that this kind has."""
        for old in (self.options, self.part):
            if old is not None:
                self.page.removeWidget(old)
                old.hide()
                old.deleteLater()
        self.options = position_options(self.bench.document) if kind in POSITION_OPTIONS else None
        if isinstance(self.options, SinusoidalOptions):
            self.options.formula.hide()  # it stands above
        for table in () if self.options is None else self.options.findChildren(NumberTable):
            table.narrow()
        self.part = PARTS[kind](self._keep, self.bench.selection.select) if kind in PARTS else None
        for widget in (self.options, self.part):
            if widget is not None:
                self.page.insertWidget(self.page.count() - 1, widget)

    def _keep(self, key: str, value: Any) -> None:
        """What is looked at; steps in a row through the same numbers are one undo step."""
        old = dict(self.kept) if isinstance(self.kept, Mapping) else {}
        if old.get(key) != value:
            self.keep(old | {key: value}, self.tr("Look at other positions"), f"positions {key}")

    # ---- what it says ----

    def _explain(self, scene: Scene) -> None:
        kind = scene.position.kind
        said = {
            "none": self.tr(
                "Nothing says where a token stands: attention sees a set, and reordered tokens give reordered"
                " outputs."
            ),
            "sinusoidal": self.tr(
                "A fixed table is added to the input, one row per position p from 0: waves that grow longer from"
                " column to column."
            ),
            "learned": self.tr(
                "A table of trainable numbers is added to the input, one row per position. Type into it."
            ),
            "rotary": self.tr(
                "Nothing is added. In each head, pairs of columns of q and k turn by an angle θ that grows with the"
                " position p from 0."
            ),
            "alibi": self.tr(
                "Each head takes off its scaled scores the distance of the two tokens times its slope m."
            ),
            "relative": self.tr(
                "Each head adds to its scaled scores a trainable number for the distance from query to key; far ones"
                " share the last."
            ),
        }
        self.sentence.say(said.get(kind, ""))
        html, latex = _formula(scene)
        self.formula.setVisible(bool(html))
        if html:
            self.formula.show_formula(html, self.sentence.text(), lambda _width: latex, kind, soon=True)


def _formula(scene: Scene) -> tuple[str, list[str]]:
    """The position's formula as rich text and in LaTeX, one line each; empty where there is none."""
    kind, heads = scene.position.kind, scene.heads
    base = compact_number(getattr(scene.position, "base", 0))
    if kind == "sinusoidal":
        waves = (("2i", "sin"), ("2i+1", "cos"))
        html = [f"PE(p, {col}) = {wave}(p / {base}<sup>2i/d</sup>)" for col, wave in waves]
        latex = [rf"PE(p,{col})=\{wave}\left(p/{base}^{{2i/d}}\right)" for col, wave in waves]
    elif kind == "learned":
        html, latex = ["X + PE"], [r"X+PE,\quad PE_{p,c}=\mathrm{table}_{p,c}"]
    elif kind == "rotary":
        html = ["q′<sub>a</sub> = q<sub>a</sub> cos θ − q<sub>b</sub> sin θ"]
        html += ["q′<sub>b</sub> = q<sub>a</sub> sin θ + q<sub>b</sub> cos θ"]
        scaled = getattr(scene.position, "frequencies", None) is not None  # those of a model, not of the base
        html += ["θ = p·f<sub>i</sub>" if scaled else f"θ = p·{base}<sup>−2i/dims</sup>"]
        latex = [r"q'_a=q_a\cos\theta-q_b\sin\theta", r"q'_b=q_a\sin\theta+q_b\cos\theta"]
        latex += [r"\theta=p\cdot f_i" if scaled else rf"\theta=p\cdot {base}^{{-2i/\mathrm{{dims}}}}"]
    elif kind == "alibi":
        slope = heads & (heads - 1) == 0  # for other numbers of heads the paper fills up from 2H
        html = [f"S − m·|i − j|{', m<sub>h</sub> = 2<sup>−8h/H</sup>' if slope else ''}"]
        latex = [rf"S_{{ij}}-m\,|i-j|{',' if slope else ''}"] + ([r"m_h=2^{-8h/H}"] if slope else [])
    elif kind == "relative":
        html, latex = ["S + b(j − i)"], [r"S_{ij}+b(j-i)"]
    else:
        html, latex = [], []
    return "<br>".join(html), latex
