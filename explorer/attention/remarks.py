"""What the lab says, each sentence by a key and values, so that a translation can stand in for the English."""

from collections.abc import Mapping
from typing import NamedTuple

REMARKS: dict[str, str] = {
    # compare.py: what differs between two scenes
    "to_cross": "self-attention → cross-attention",
    "to_self": "cross-attention → self-attention",
    "size": "{name} {old} → {new}",
    "heads": "heads {old} → {new}",
    "kv_heads": "K/V heads {old} → {new}",
    "matrix": "{name} {old} → {new}",
    "cell": "{name}[{where}] {old} → {new}",
    "cells": "{name}: {count} numbers changed",
    "scale": "scale {old} → {new}",
    "softcap": "softcap {old} → {new}",
    "fill": "fill of hidden scores {old} → {new}",
    "precision": "precision {old} → {new}",
    "mask": "mask {old} → {new}",
    "mask_cells": "mask: {count} cells changed",
    "position": "position {old} → {new}",
    "position_setting": "{name} of the {kind} position {old} → {new}",
    "position_table": "{name} of the {kind} position: numbers changed",
    "tokens": "labels {old} → {new}",
    # permute.py: what order is tied to
    "position_stays": "The {kind} position belongs to the place, not to the token.",
    "mask_stays": "The {kind} mask belongs to the place, not to the token.",
    # goal.py: how a search ended, and why not
    "reached": "Reached after {steps} steps.",
    "already": "It is so already.",
    "stopped": "Stopped before it was reached: {miss} to go.",
    "no_matrix": "No matrix is ticked, so nothing can change.",
    "hidden_key": "The key is hidden from this query: its weight is {value} whatever the matrices are.",
    "only_key": "It is the only key that this query may see: its weight is 1 whatever the matrices are.",
    "blind_row": "This query attends to nothing, so the row stays as it is.",
    "impossible_weight": "A weight lies between 0 and 1; {target} is outside.",
    "impossible_sum": "The weights of a row add up to 1; these would add up to {sum}.",
    "never_quite": "Softmax comes as near to {target} as you like, but never gets there.",
    "no_slope": "What is ticked has no influence here: the gradient is 0.",
    "not_finite": "The scene does not give a number here (NaN or ∞), so there is no way to go.",
    "stuck": "No step makes it better: this is as near as the ticked matrices get from here.",
    "too_long": "Not reached in {steps} steps; it may go on from here.",
    "rounding": "Reached in float64, but not in {dtype}, which is too coarse.",
    # flops.py: why counters disagree
    "counts_double": "torch counts a multiplication and an addition as 2; a multiply-add is 1 here, as in fvcore.",
    "counts_products": "Counters see matrix products alone: biases, scale, mask and softmax are left out.",
    "counts_fused": "The same attention as one call of {name} counts as {flops}: a counter knows only the"
    " operations in its table, and that one is not in it on this device.",
}


class Remark(NamedTuple):
    """A sentence that a translation can say otherwise: REMARKS[key] with values put in."""

    key: str
    values: Mapping[str, str] = {}

    @property
    def text(self) -> str:
        """In English."""
        return REMARKS[self.key].format(**self.values)
