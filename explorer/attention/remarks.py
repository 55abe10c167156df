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
    "norm_eps": "ε of {name} {old} → {new}",
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
    # goal.py, descent.py: how a search ended, and why
    "already": "It is so already.",
    "reached": "Reached after {steps} steps.",
    "never_quite": "Near enough after {steps} steps. Exactly {target} is out of reach: softmax only comes ever nearer.",
    "stopped": "Stopped after {steps} steps: still {miss} to go.",
    "no_matrix": "No matrix is ticked, so nothing can change.",
    "hidden_key": "The key is hidden from this query: its weight is 0 whatever the matrices hold.",
    "only_key": "It is the only key that this query may see: its weight is 1 whatever the matrices hold.",
    "blind_row": "This query attends to nothing: its weights are 0 whatever the matrices hold.",
    "impossible_weight": "A weight lies between 0 and 1; {target} does not.",
    "impossible_sum": "The weights of a row add up to 1; the ones wished for add up to {sum}.",
    "no_slope": "The ticked matrices have no influence here: the gradient is 0.",
    "not_finite": "A number here is NaN or ∞, so there is no slope to follow.",
    "stuck": "It gets no better from here with the ticked matrices: still {miss} to go.",
    "too_long": "Not reached in {steps} steps, still {miss} to go; it can go on from here.",
    "too_coarse": "Reached in float64, but {dtype} is too coarse to hold it: still {miss} to go.",
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
