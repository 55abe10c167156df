"""The Trace, and the list of its stages."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from explorer.scene import Array, Flags, Scene


class Cell(NamedTuple):
    """One number: in a stage ("weights") or in a matrix of the Scene ("w_q"). All counted from 0."""

    place: str
    head: int | None
    row: int
    col: int


@dataclass(frozen=True)
class Stage:
    """How one stage is named, labelled and drawn.

    `formula` is HTML, `latex` LaTeX; in both, {h} stands for the head counted from 1, {g} for its K/V head.
    """

    name: str
    title: str
    per: str  # "head", "kv_head" or "scene"
    rows: str  # what a row is: "query" or "key"
    cols: str  # what a column is: "key", "d_k", "d_v", "d_model", "concat" or "d_out"
    colours: str  # "signed" (diverging, symmetric about 0) or "unit" (sequential on [0, 1])
    formula: str
    latex: str
    axes: str  # the shape in letters


STAGES: tuple[Stage, ...] = (
    Stage("x", "input", "scene", "query", "d_model", "signed", "X", "X", "n × d_model"),
    Stage(
        "q", "queries", "head", "query", "d_k", "signed",
        "Q<sub>{h}</sub> = X W<sub>q,{h}</sub>", "Q_{{{h}}} = X\\,W_{{q,{h}}}", "n × d_k",
    ),
    Stage(
        "k", "keys", "kv_head", "key", "d_k", "signed",
        "K<sub>{g}</sub> = X W<sub>k,{g}</sub>", "K_{{{g}}} = X\\,W_{{k,{g}}}", "m × d_k",
    ),
    Stage(
        "v", "values", "kv_head", "key", "d_v", "signed",
        "V<sub>{g}</sub> = X W<sub>v,{g}</sub>", "V_{{{g}}} = X\\,W_{{v,{g}}}", "m × d_v",
    ),
    Stage(
        "scores", "raw scores", "head", "query", "key", "signed",
        "Q<sub>{h}</sub>K<sub>{g}</sub><sup>⊤</sup>", "Q_{{{h}}}K_{{{g}}}^{{\\top}}", "n × m",
    ),
    Stage(
        "scaled", "scaled scores", "head", "query", "key", "signed",
        "S<sub>{h}</sub> = Q<sub>{h}</sub>K<sub>{g}</sub><sup>⊤</sup>/√d<sub>k</sub>",
        "S_{{{h}}} = Q_{{{h}}}K_{{{g}}}^{{\\top}}/\\sqrt{{d_k}}", "n × m",
    ),
    Stage(
        "masked", "masked scores", "head", "query", "key", "signed",
        "mask(S<sub>{h}</sub>)", "\\mathrm{{mask}}(S_{{{h}}})", "n × m",
    ),
    Stage(
        "weights", "weights", "head", "query", "key", "unit",
        "A<sub>{h}</sub> = softmax", "A_{{{h}}} = \\mathrm{{softmax}}(\\mathrm{{mask}}(S_{{{h}}}))", "n × m",
    ),
    Stage(
        "head_outputs", "head output", "head", "query", "d_v", "signed",
        "A<sub>{h}</sub>V<sub>{g}</sub>", "A_{{{h}}}V_{{{g}}}", "n × d_v",
    ),
    Stage(
        "concat", "concat", "scene", "query", "concat", "signed",
        "Concat(head<sub>1</sub>…head<sub>H</sub>)",
        "\\mathrm{{Concat}}(\\mathrm{{head}}_1,\\ldots,\\mathrm{{head}}_H)", "n × H·d_v",
    ),
    Stage(
        "output", "output", "scene", "query", "d_out", "signed",
        "Concat·W<sup>O</sup>", "\\mathrm{{Concat}}\\cdot W^O", "n × d_out",
    ),
)  # fmt: skip

STAGE: dict[str, Stage] = {stage.name: stage for stage in STAGES}


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace:
    """Everything attention computed from `scene`: read-only arrays; bfloat16 and float16 come as float32.

    Shapes: n queries, m keys, H heads, G key/value heads.
    """

    scene: Scene
    x: Array  # (n, d_model), after an additive position
    source: Array  # (m, d_context), what keys and values are made from, after an additive position
    q_plain: Array  # (H, n, d_k), before rotary
    k_plain: Array  # (G, m, d_k), before rotary
    q: Array  # (H, n, d_k)
    k: Array  # (G, m, d_k)
    v: Array  # (G, m, d_v)
    scores: Array  # (H, n, m)
    scaled: Array  # (H, n, m), after scale, softcap and alibi
    masked: Array  # (H, n, m)
    weights: Array  # (H, n, m)
    head_outputs: Array  # (H, n, d_v)
    concat: Array  # (n, H·d_v)
    output: Array  # (n, d_out)
    visible: Flags  # (n, m)
    blind: Flags  # (n,): rows that attend to nothing: every key hidden by −∞, weights 0
    seconds: float
    q_raw: Array | None = None  # (H, n, d_k), before the norm; None where there is none
    k_raw: Array | None = None  # (G, m, d_k), likewise

    large: ClassVar[Any] = None  # of a LargeTrace what computes it

    def stage(self, name: str) -> Array:
        """The whole array of one of STAGES."""
        if name not in STAGE:
            raise KeyError(f"there is no stage {name!r}; the stages are {', '.join(STAGE)}")
        array: Array = getattr(self, name)
        return array

    def projected(self, letter: str) -> Array:
        """What X·W + b comes to by heads, for "q", "k" or "v": before norm and rotary."""
        if letter == "v":
            return self.v
        raw: Array | None = getattr(self, f"{letter}_raw")
        plain: Array = getattr(self, f"{letter}_plain")
        return plain if raw is None else raw

    def matrix(self, name: str, head: int | None = None) -> Array:
        """The 2-D matrix that a panel shows; `head` from 0, for k and v the K/V head."""
        array = self.stage(name)
        return array if array.ndim == 2 else array[head or 0]
