"""What a worksheet says of its scene and of each task."""

from collections.abc import Sequence

import numpy as np

from explorer.attention.formula import number
from explorer.attention.trace import Trace
from explorer.files.worksheet import tables
from explorer.files.worksheet.blanks import PROJECTIONS, has_given_bias, has_step, needed
from explorer.files.worksheet.texts import say

SCORES = {"scores", "scaled", "masked", "weights"}
NAMED_MASKS = ("causal", "padding", "window")


class Words:
    """The sentences of one sheet on which `stages` are to be filled in."""

    def __init__(self, trace: Trace, stages: Sequence[str], language: str, decimals: int) -> None:
        self._trace, self._scene, self._stages = trace, trace.scene, stages
        self._language, self._decimals = language, decimals

    def say(self, key: str, **values: object) -> str:
        """One text, in the sheet's language."""
        return say(key, self._language, **values)

    # ---- of the scene ----

    def facts(self, exact: bool) -> tuple[str, ...]:
        """What has to be known; `exact`: no answer is rounded."""
        scene = self._scene
        widths = f"d_k = {scene.d_k}" + ("" if scene.d_v == scene.d_k else f", d_v = {scene.d_v}")
        tokens = self.say("tokens_cross" if scene.is_cross else "tokens", n=scene.n, m=scene.m)
        heads = self.say("heads" if scene.heads > 1 else "one_head", heads=scene.heads)
        facts = [self.say("sizes", tokens=tokens, heads=heads, widths=widths)]
        if scene.heads > 1 and {*PROJECTIONS} & {*self._stages}:
            facts.append(self.say("columns", width=scene.d_k))
        if scene.groups != scene.heads:
            facts.append(self.say("shared", groups=scene.groups, each=scene.heads // scene.groups))
        facts += self._about_mask() + self._about_position()
        if not exact:
            facts.append(self.say("round", decimals=self._decimals))
        return tuple(facts)

    def _about_mask(self) -> list[str]:
        if not has_step(self._scene, "masked") or not SCORES & {*self._stages}:
            return []
        kinds = dict.fromkeys(mask.kind for mask in self._scene.mask)
        facts = [self.say(kind if kind in NAMED_MASKS else "custom") for kind in kinds]
        if "masked" in self._stages:
            return facts  # the task says the rest
        if np.isneginf(self._scene.mask_fill):
            return [*facts, self.say("hatched")]
        return [*facts, self.say("filled", fill=number(self._scene.mask_fill, self._decimals))]

    def _about_position(self) -> list[str]:
        scene, given = self._scene, needed(self._scene, self._stages)
        facts = []
        if "x" in given and has_step(scene, "x"):
            facts.append(self.say("added", name="X"))
        if "context" in given and scene.position.added(scene.m, scene.d_context, "context") is not None:
            facts.append(self.say("added", name="C"))
        if any(getattr(scene, f"{letter}_norm") is not None and letter in given for letter in "qk"):
            facts.append(self.say("normed"))
        if scene.position.kind == "rotary" and {"q", "k"} & {*given}:
            facts.append(self.say("turned"))
        return facts

    # ---- of a task ----

    def title(self, stages: Sequence[str]) -> str:
        """'Queries, keys, values'."""
        text = self.say("and").join(self.say(f"title_{stage}") for stage in stages)
        return text[:1].upper() + text[1:]

    def hints(self, stages: Sequence[str]) -> tuple[str, ...]:
        """How it is done."""
        first = stages[0]
        if first in PROJECTIONS:
            return tuple(self._about_projections(stages))
        if first == "scaled":
            return tuple(self._about_scale())
        key = "hint_no_output" if first == "output" and self._scene.w_o is None else f"hint_{first}"
        hints = [self.say(key, fill=number(self._scene.mask_fill, self._decimals))]
        if first == "weights" and tables.shifted(self._trace).any():
            hints.append(self.say("hint_shift"))
        if first == "output" and self._scene.b_o is not None:
            hints.append(self.say("hint_bias"))
        return tuple(hints)

    def _about_projections(self, stages: Sequence[str]) -> list[str]:
        hints = [self.say("hint_projections")]
        if any(self._scene.matrix(f"b_{stage}") is not None for stage in stages):
            hints.append(self.say("hint_bias"))
        for letter, norm in (("q", self._scene.q_norm), ("k", self._scene.k_norm)):
            if norm is not None and letter in stages:
                weights = ", ".join(number(weight, self._decimals) for weight in norm.weight.tolist())
                name, eps = letter.upper(), number(norm.eps, 8)
                hints.append(self.say("hint_norm", name=name, eps=eps, weights=weights))
        if self._scene.position.kind == "rotary" and {"q", "k"} & {*stages}:
            hints.append(self.say("hint_turn"))
        return hints

    def _about_scale(self) -> list[str]:
        scene, hints = self._scene, []
        if scene.scale == "sqrt_dk":
            root = np.sqrt(scene.d_k)
            text = number(root, 0) if root.is_integer() else f"√{scene.d_k} ≈ {number(root, 4)}"
            hints.append(self.say("hint_scaled", root=text))
        elif scene.factor != 1.0:
            hints.append(self.say("hint_factor", factor=number(scene.factor)))
        if scene.softcap is not None:
            hints.append(self.say("hint_softcap", cap=number(scene.softcap)))
        if scene.position.kind == "alibi":
            hints.append(self.say("hint_alibi"))
        if has_given_bias(scene):
            hints.append(self.say("hint_bias_of_scores"))
        return hints
