"""What a panel can show: one small class per kind. PANELS (in this package's __init__) lists them in order."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication

from explorer.attention import places
from explorer.attention.trace import STAGE, Stage, Trace
from explorer.scene import Array, Flags, Scene


class StagePanel:
    """One stage of the Trace. Subclass it for a panel that shows something else."""

    def __init__(self, stage: str, group: str) -> None:
        self.stage: Stage = STAGE[stage]
        self.name = stage
        self.group = group  # "input", "projections", "attention" or "joined"

    def heads(self, scene: Scene) -> Sequence[int | None]:
        """The heads that have such a panel, from 0; [None] for one panel in all."""
        return [None] if self.stage.per == "scene" else range(self.count(scene))

    def count(self, scene: Scene) -> int:
        """How many there are."""
        return {"scene": 1, "head": scene.heads, "kv_head": scene.groups}[self.stage.per]

    def row_of(self, scene: Scene, head: int) -> int:
        """The query head in whose row panel `head` stands: a K/V head stands with the first that reads it."""
        return head * scene.heads // scene.groups if self.stage.per == "kv_head" else head

    def present(self, scene: Scene) -> bool:
        """False where the scene has nothing to show here."""
        return True

    def shape(self, scene: Scene) -> tuple[int, int]:
        """Rows and columns."""
        return places.shape_of(scene, self.stage.name)

    def matrix(self, trace: Trace, head: int | None) -> Array:
        """What the panel shows, (rows, columns)."""
        return trace.matrix(self.name, head)

    def all(self, trace: Trace) -> Array:
        """The numbers of all panels of this kind, which share one colour scale."""
        array = trace.stage(self.name)
        return array[:, trace.visible] if self.name == "masked" else array  # a fill of −10⁹ is not a score

    def written(self, trace: Trace) -> Array:
        """The numbers of all panels of this kind, hidden ones as well: they have equally many decimals."""
        return trace.stage(self.name)

    def hidden(self, trace: Trace) -> Flags | None:
        """(rows, columns) of cells that a mask hides; None where none are."""
        if self.name not in ("masked", "weights") or trace.visible.all():
            return None
        return np.logical_not(trace.visible)

    @property
    def flows(self) -> bool:
        """True where the data comes from the panel at its left; Q, K and V all come from X."""
        return self.group != "projections"

    def row_labels(self, scene: Scene) -> tuple[str, ...]:
        """A label per row."""
        return places.row_labels(scene, self.stage.name)

    def column_labels(self, scene: Scene) -> tuple[str, ...]:
        """A label per column."""
        return places.column_labels(scene, self.stage.name)

    def column_head(self, scene: Scene, col: int) -> int | None:
        """The head that a column belongs to, for the coloured bar above it."""
        return col // scene.d_v if self.stage.cols == "concat" else None

    def readers(self, scene: Scene, head: int | None) -> range:
        """The query heads that share K/V head `head`; none where each has its own."""
        if self.stage.per != "kv_head" or head is None or scene.groups == scene.heads:
            return range(0)
        share = scene.heads // scene.groups
        return range(head * share, (head + 1) * share)

    def formula(self, scene: Scene, head: int | None) -> str:
        """The title, as HTML."""
        return formula_of(self.stage, scene, head)


class InputPanel(StagePanel):
    """X with the position added; without an additive position the grid of X shows the same."""

    def __init__(self) -> None:
        super().__init__("x", "input")

    def present(self, scene: Scene) -> bool:
        return scene.position.added(1, scene.d_model) is not None

    def formula(self, scene: Scene, head: int | None) -> str:
        return "X + PE"


def formula_of(stage: Stage, scene: Scene, head: int | None) -> str:
    """The stage's formula for one head as HTML; numbers of heads are left out where there is one head."""
    if stage.name == "scaled":
        return _scaled_formula(scene, head)
    if stage.name == "output" and scene.w_o is None:
        return "Concat" + _bias(scene, "b_o", "o")
    if stage.name == "output":
        return stage.formula + _bias(scene, "b_o", "o")
    if stage.per == "scene" or head is None:
        return _shorter(stage.formula, scene)
    number = head + 1
    if stage.per == "kv_head":
        text = stage.formula.format(h=number, g=number)
    else:
        text = stage.formula.format(h=number, g=scene.kv_head(head) + 1)
    if stage.name in ("q", "k", "v"):
        text = text.replace("X W", f"{_projected(stage.name, scene)} W")
        text += _bias(scene, f"b_{stage.name}", f"{stage.name},{number}")
        if getattr(scene, f"{stage.name}_norm", None) is not None:
            name, made = text.split(" = ", 1)
            text = f"{name} = norm({made})"
    if stage.name in ("q", "k") and scene.position.kind == "rotary":
        text += QCoreApplication.translate("Formula", ", turned")
    return _shorter(text, scene)


def _projected(stage: str, scene: Scene) -> str:
    """What W_q, W_k or W_v multiplies: X or the context C, with the position that is added to it."""
    side, width = ("context", scene.d_context) if stage != "q" and scene.is_cross else ("x", scene.d_model)
    letter = "X" if side == "x" else "C"
    return letter if scene.position.added(1, width, side) is None else f"({letter} + PE)"


def _bias(scene: Scene, name: str, indices: str) -> str:
    return "" if getattr(scene, name) is None else f" + b<sub>{indices}</sub>"


def _scaled_formula(scene: Scene, head: int | None) -> str:
    """The steps between raw and scaled scores that this scene really has."""
    number = "" if scene.heads == 1 else str((head or 0) + 1)
    text = f"S<sub>{number}</sub>" if number else "S"
    text += {"sqrt_dk": "/√d<sub>k</sub>", "none": " · 1"}.get(str(scene.scale), f" · {scene.factor:.4g}")
    if scene.softcap is not None:
        text = f"{scene.softcap:.4g}·tanh({text}/{scene.softcap:.4g})"
    if scene.position.kind == "alibi":
        text += " + ALiBi"
    elif scene.position.kind == "relative":
        text += " + B" if scene.heads == 1 else f" + B<sub>{number}</sub>"
    if scene.bias is not None:
        text += QCoreApplication.translate("Formula", " + bias")
    return text


def _shorter(text: str, scene: Scene) -> str:
    if scene.heads > 1:
        return text
    for number in ("<sub>1</sub>", ",1</sub>"):
        text = text.replace(number, "" if number.startswith("<") else "</sub>")
    return text.replace("head…head<sub>H</sub>", "head<sub>1</sub>")
