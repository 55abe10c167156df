"""The sentences of explorer.attention.remarks in the user's language; the keys and the English are those of REMARKS."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from explorer.attention.remarks import Remark

TEXTS = {
    "to_cross": QT_TRANSLATE_NOOP("Remark", "self-attention → cross-attention"),
    "to_self": QT_TRANSLATE_NOOP("Remark", "cross-attention → self-attention"),
    "size": QT_TRANSLATE_NOOP("Remark", "{name} {old} → {new}"),
    "heads": QT_TRANSLATE_NOOP("Remark", "heads {old} → {new}"),
    "kv_heads": QT_TRANSLATE_NOOP("Remark", "K/V heads {old} → {new}"),
    "matrix": QT_TRANSLATE_NOOP("Remark", "{name} {old} → {new}"),
    "cell": QT_TRANSLATE_NOOP("Remark", "{name}[{where}] {old} → {new}"),
    "cells": QT_TRANSLATE_NOOP("Remark", "{name}: {count} numbers changed"),
    "norm_eps": QT_TRANSLATE_NOOP("Remark", "ε of {name} {old} → {new}"),
    "scale": QT_TRANSLATE_NOOP("Remark", "scale {old} → {new}"),
    "softcap": QT_TRANSLATE_NOOP("Remark", "softcap {old} → {new}"),
    "fill": QT_TRANSLATE_NOOP("Remark", "fill of hidden scores {old} → {new}"),
    "precision": QT_TRANSLATE_NOOP("Remark", "precision {old} → {new}"),
    "mask": QT_TRANSLATE_NOOP("Remark", "mask {old} → {new}"),
    "mask_cells": QT_TRANSLATE_NOOP("Remark", "mask: {count} cells changed"),
    "position": QT_TRANSLATE_NOOP("Remark", "position {old} → {new}"),
    "position_setting": QT_TRANSLATE_NOOP("Remark", "{name} of the {kind} position {old} → {new}"),
    "position_table": QT_TRANSLATE_NOOP("Remark", "{name} of the {kind} position: numbers changed"),
    "tokens": QT_TRANSLATE_NOOP("Remark", "labels {old} → {new}"),
    "position_stays": QT_TRANSLATE_NOOP(
        "Remark",
        "The {kind} position belongs to the place, not to the token.",
    ),
    "mask_stays": QT_TRANSLATE_NOOP("Remark", "The {kind} mask belongs to the place, not to the token."),
    "already": QT_TRANSLATE_NOOP("Remark", "It is so already."),
    "reached": QT_TRANSLATE_NOOP("Remark", "Reached after {steps} steps."),
    "never_quite": QT_TRANSLATE_NOOP(
        "Remark",
        "Near enough after {steps} steps. Exactly {target} is out of reach: softmax only comes ever nearer.",
    ),
    "stopped": QT_TRANSLATE_NOOP("Remark", "Stopped after {steps} steps: still {miss} to go."),
    "no_matrix": QT_TRANSLATE_NOOP("Remark", "No matrix is ticked, so nothing can change."),
    "hidden_key": QT_TRANSLATE_NOOP(
        "Remark",
        "The key is hidden from this query: its weight is 0 whatever the matrices hold.",
    ),
    "only_key": QT_TRANSLATE_NOOP(
        "Remark",
        "It is the only key that this query may see: its weight is 1 whatever the matrices hold.",
    ),
    "blind_row": QT_TRANSLATE_NOOP(
        "Remark",
        "This query attends to nothing: its weights are 0 whatever the matrices hold.",
    ),
    "impossible_weight": QT_TRANSLATE_NOOP("Remark", "A weight lies between 0 and 1; {target} does not."),
    "impossible_sum": QT_TRANSLATE_NOOP(
        "Remark",
        "The weights of a row add up to 1; the ones wished for add up to {sum}.",
    ),
    "no_slope": QT_TRANSLATE_NOOP("Remark", "The ticked matrices have no influence here: the gradient is 0."),
    "not_finite": QT_TRANSLATE_NOOP("Remark", "A number here is NaN or ∞, so there is no slope to follow."),
    "stuck": QT_TRANSLATE_NOOP(
        "Remark",
        "It gets no better from here with the ticked matrices: still {miss} to go.",
    ),
    "too_long": QT_TRANSLATE_NOOP(
        "Remark",
        "Not reached in {steps} steps, still {miss} to go; it can go on from here.",
    ),
    "too_coarse": QT_TRANSLATE_NOOP(
        "Remark",
        "Reached in float64, but {dtype} is too coarse to hold it: still {miss} to go.",
    ),
    "counts_double": QT_TRANSLATE_NOOP(
        "Remark",
        "torch counts a multiplication and an addition as 2; a multiply-add is 1 here, as in fvcore.",
    ),
    "counts_products": QT_TRANSLATE_NOOP(
        "Remark",
        "Counters see matrix products alone: biases, scale, mask and softmax are left out.",
    ),
    "counts_fused": QT_TRANSLATE_NOOP(
        "Remark",
        "The same attention as one call of {name} counts as {flops}: a counter knows only the "
        "operations in its table, and that one is not in it on this device.",
    ),
}

# Values that are words, and are put into the sentences.
VALUES = {
    "none": QT_TRANSLATE_NOOP("Remark", "none"),
    "causal": QT_TRANSLATE_NOOP("Remark", "causal"),
    "padding": QT_TRANSLATE_NOOP("Remark", "padding"),
    "window": QT_TRANSLATE_NOOP("Remark", "window"),
    "custom": QT_TRANSLATE_NOOP("Remark", "custom"),
    "sinusoidal": QT_TRANSLATE_NOOP("Remark", "sinusoidal"),
    "learned": QT_TRANSLATE_NOOP("Remark", "learned"),
    "rotary": QT_TRANSLATE_NOOP("Remark", "rotary"),
    "alibi": QT_TRANSLATE_NOOP("Remark", "alibi"),
    "relative": QT_TRANSLATE_NOOP("Remark", "relative"),
}


def remark_text(remark: Remark) -> str:
    """A remark, translated."""
    values = {key: _value(value) for key, value in remark.values.items()}
    return QCoreApplication.translate("Remark", TEXTS[remark.key]).format(**values)


def _value(value: str) -> str:
    return QCoreApplication.translate("Remark", VALUES[value]) if value in VALUES else value
