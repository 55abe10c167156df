"""Deliberate mistakes: attention as it comes out when one well-known step is done wrong.

A slip replaces the formula of one or more stages; the stages after it follow by the right formulas, in plain
numpy. To add one: write its formulas here and name it in SLIPS (and in Chinese in lessons/messages.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from explorer.attention.precision import held, widened
from explorer.attention.trace import Trace
from explorer.norm import Norm
from explorer.scene import Array, Flags, Scene

Stages = dict[str, Array]
Formula = Callable[[Scene, Trace, Stages], Array]  # the stages so far, right or wrong -> the next one
ROUNDING = 1e-12  # of a number: by as much two ways to the same one differ


def _as_it_is(visible: Flags) -> Flags:
    return visible


def _everything(visible: Flags) -> Flags:
    return np.ones_like(visible)


@dataclass(frozen=True)
class Slip:
    """One mistake: what it is, in one sentence, and the formulas that it gets wrong."""

    name: str
    sentence: str
    formulas: Mapping[str, Formula]
    possible: Callable[[Scene], bool]
    seen: Callable[[Flags], Flags] = _as_it_is  # (n, m): what it makes of the keys that may be seen

    @property
    def first(self) -> str:
        """The stage where the damage starts."""
        return next(name for name in _FORMULAS if name in self.formulas)

    def stages(self, scene: Scene, trace: Trace) -> Stages:
        """The wrong stages from `first` to "output", shaped as in the trace and in the scene's precision.

        A number that the mistake does not change is that of the trace: numpy, and more digits than the scene's
        precision has, make no difference. Empty where the scene leaves no room for the mistake: without a mask
        none can be inverted.
        """
        if not self.possible(scene):
            return {}
        exact = widened(scene)
        right: Stages = {name: trace.stage(name) for name in _FORMULAS}
        wrong, shown = dict(right), Stages()
        with np.errstate(all="ignore"):  # ∞ and NaN of the scene go through
            for name, formula in _FORMULAS.items():
                if not shown and name not in self.formulas:
                    continue
                right[name] = formula(exact, trace, right)
                found = self.formulas.get(name, formula)(exact, trace, wrong)
                same = np.isclose(found, right[name], rtol=ROUNDING, atol=0, equal_nan=True)
                wrong[name] = np.where(same, right[name], found)
                shown[name] = np.where(same, trace.stage(name), held(found, scene.dtype))
        return shown


# ---- the right formulas (shapes: attend.py) ----


def _scores(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return stages["q"] @ _spread(scene, stages["k"]).swapaxes(-1, -2)  # (H, n, m)


def _scaled(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return _scale(scene, stages, scene.factor)


def _masked(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return np.where(trace.visible, stages["scaled"], scene.mask_fill)


def _weights(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return _softmax(stages["masked"], axis=-1)


def _head_outputs(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return stages["weights"] @ _spread(scene, stages["v"])  # (H, n, d_v)


def _concat(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return _join(stages["head_outputs"])


def _output(scene: Scene, trace: Trace, stages: Stages) -> Array:
    product = stages["concat"] if scene.w_o is None else stages["concat"] @ scene.w_o  # (n, d_out)
    return product if scene.b_o is None else product + scene.b_o


_FORMULAS: dict[str, Formula] = {
    "q": lambda scene, trace, stages: trace.q,
    "k": lambda scene, trace, stages: trace.k,
    "v": lambda scene, trace, stages: trace.v,
    "scores": _scores,
    "scaled": _scaled,
    "masked": _masked,
    "weights": _weights,
    "head_outputs": _head_outputs,
    "concat": _concat,
    "output": _output,
}


def _spread(scene: Scene, groups: Array) -> Array:
    """(G, m, d) → (H, m, d): query head h reads K/V head ⌊h·G/H⌋."""
    return groups.repeat(scene.heads // len(groups), axis=0)


def _join(heads: Array) -> Array:
    """(H, n, d) → (n, H·d)."""
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def _scale(scene: Scene, stages: Stages, factor: float) -> Array:
    scaled = stages["scores"] * factor
    if scene.softcap is not None:
        scaled = scene.softcap * np.tanh(scaled / scene.softcap)
    bias = scene.added()
    return scaled if bias is None else scaled + bias


def _softmax(scores: Array, axis: int) -> Array:
    """Softmax over `axis`; where every score is −∞ the weights are 0."""
    largest = scores.max(axis=axis, keepdims=True)
    exp = np.exp(scores - np.where(np.isneginf(largest), 0, largest))
    total = exp.sum(axis=axis, keepdims=True)
    return exp / np.where(total == 0, 1, total)


# ---- the mistakes ----


def _split_wrong(heads: Array) -> Array:
    """What view(H, n, d) makes of (n, H·d) where view(n, H, d).transpose(0, 1) is right."""
    return _join(heads).reshape(heads.shape)


def _q_split_wrong(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return _turn(scene, _normed(scene.q_norm, _split_wrong(trace.projected("q"))))


def _k_split_wrong(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return _turn(scene, _normed(scene.k_norm, _split_wrong(trace.projected("k"))))


def _v_split_wrong(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return _split_wrong(trace.v)


def _normed(norm: Norm | None, rows: Array) -> Array:
    return rows if norm is None else norm.of(rows)


def _turn(scene: Scene, rows: Array) -> Array:
    rotation = scene.position.rotation(rows.shape[1], rows.shape[2])
    return rows if rotation is None else rows * rotation.cos + rows[..., rotation.partner] * rotation.sin


def _scaled_by(factor: Callable[[Scene], float]) -> Formula:
    return lambda scene, trace, stages: _scale(scene, stages, factor(scene))


def _softmax_over(axis: int) -> Formula:
    return lambda scene, trace, stages: _softmax(stages["masked"], axis)


def _no_exponential(scene: Scene, trace: Trace, stages: Stages) -> Array:
    seen = np.where(trace.visible, stages["scaled"], 0)
    total: Array = seen.sum(axis=-1, keepdims=True)
    return seen / total


def _no_quotient(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return np.exp(stages["masked"])


def _weights_averaged(scene: Scene, trace: Trace, stages: Stages) -> Array:
    weights = _weights(scene, trace, stages)
    return np.broadcast_to(weights.mean(axis=0), weights.shape)


def _mask_inverted(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return np.where(trace.visible, scene.mask_fill, stages["scaled"])


def _mask_forgotten(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return stages["scaled"]


def _mask_after_softmax(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return np.where(trace.visible, _softmax(stages["masked"], axis=-1), 0)


def _mask_multiplied(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return np.where(trace.visible, stages["scaled"], 0)


def _mask_added(scene: Scene, trace: Trace, stages: Stages) -> Array:
    return stages["scaled"] + trace.visible


def _always(scene: Scene) -> bool:
    return True


def _many_heads(scene: Scene) -> bool:
    return scene.heads > 1


def _hides(scene: Scene) -> bool:
    return not bool(scene.visible().all())


def _divides_by_root(scene: Scene) -> bool:
    return scene.scale == "sqrt_dk"


def _square_w_o(scene: Scene) -> bool:
    return scene.w_o is not None and scene.w_o.shape[0] == scene.w_o.shape[1]


# The common ones first: where several explain a number, the first is named.
SLIPS: tuple[Slip, ...] = (
    Slip(
        "scale_forgotten",
        "The scores are not divided by √d_k.",
        {"scaled": _scaled_by(lambda scene: 1.0)},
        _divides_by_root,
    ),
    Slip(
        "softmax_over_queries",
        "The softmax runs over the queries, so the columns sum to 1 and not the rows.",
        {"weights": _softmax_over(-2)},
        _always,
    ),
    Slip(
        "mask_inverted",
        "The mask is inverted: it hides what may be seen and shows what must be hidden.",
        {"masked": _mask_inverted},
        _hides,
        np.logical_not,
    ),
    Slip(
        "mask_forgotten",
        "The mask is forgotten: every key is seen.",
        {"masked": _mask_forgotten},
        _hides,
        _everything,
    ),
    Slip(
        "split_without_transpose",
        "The heads are cut with view(H, n, d) and no transpose, so a head gets whole tokens, not columns.",
        {"q": _q_split_wrong, "k": _k_split_wrong, "v": _v_split_wrong},
        _many_heads,
    ),
    Slip(
        "scores_transposed",
        "The scores are K·Qᵀ instead of Q·Kᵀ: queries and keys have changed places.",
        {"scores": lambda scene, trace, stages: _scores(scene, trace, stages).swapaxes(-1, -2)},
        lambda scene: scene.n == scene.m,
    ),
    Slip(
        "scale_sqrt_d_model",
        "The scores are divided by √d_model instead of √d_k, the width of one head.",
        {"scaled": _scaled_by(lambda scene: float(1 / np.sqrt(scene.d_model)))},
        _divides_by_root,
    ),
    Slip(
        "scale_without_root",
        "The scores are divided by d_k itself, without the square root.",
        {"scaled": _scaled_by(lambda scene: 1 / scene.d_k)},
        _divides_by_root,
    ),
    Slip(
        "w_o_forgotten",
        "The output is the concatenation itself: W^O is forgotten.",
        {"output": lambda scene, trace, stages: stages["concat"]},
        _square_w_o,
    ),
    Slip(
        "no_quotient",
        "The exponential is not divided by the sum of its row.",
        {"weights": _no_quotient},
        _always,
    ),
    Slip(
        "no_exponential",
        "The scores are divided by their sum without taking exponentials first.",
        {"weights": _no_exponential},
        _always,
    ),
    Slip(
        "mask_after_softmax",
        "The mask is applied after the softmax, so the rows no longer sum to 1.",
        {"masked": _mask_forgotten, "weights": _mask_after_softmax},
        _hides,
        _everything,
    ),
    Slip(
        "mask_multiplied",
        "The hidden scores are multiplied by 0 instead of replaced by −∞, and e⁰ = 1 still counts.",
        {"masked": _mask_multiplied},
        _hides,
        _everything,
    ),
    Slip(
        "mask_added",
        "The mask of ones and zeros is added to the scores, so nothing is hidden.",
        {"masked": _mask_added},
        _hides,
        _everything,
    ),
    Slip(
        "weights_averaged",
        "The weights are averaged over the heads before they meet V.",
        {"weights": _weights_averaged},
        _many_heads,
    ),
    Slip(
        "softmax_over_heads",
        "The softmax runs over the heads instead of over the keys.",
        {"weights": _softmax_over(0)},
        _many_heads,
    ),
)

SLIP: dict[str, Slip] = {slip.name: slip for slip in SLIPS}
