"""What a row of weights looks like: how widely it is spread."""

from typing import NamedTuple

import numpy as np

from explorer.attention.trace import Trace
from explorer.scene import Array


class RowFacts(NamedTuple):
    """A row of weights in three numbers."""

    entropy: float  # bits
    effective: float  # as many keys, weighted equally, have this entropy
    visible: int  # keys that the masks let through


def row_facts(trace: Trace, head: int, row: int) -> RowFacts:
    """The facts of one row (from 0) of `trace.weights`."""
    weights = trace.weights[head, row]
    return RowFacts(row_entropy(weights), effective_keys(weights), int(trace.visible[row].sum()))


def row_entropy(weights: Array) -> float:
    """−Σ α·log₂ α in bits; 0 for a row without weight, NaN for one with a NaN."""
    exact = np.asarray(weights, dtype=np.float64)
    used = exact[exact != 0]
    return float(-(used * np.log2(used)).sum()) + 0.0  # −0 reads badly


def effective_keys(weights: Array) -> float:
    """2 to the entropy: 1 for a row that looks at one key, m for one that looks at m alike; 0 without weight."""
    return float(2.0 ** row_entropy(weights)) if np.any(weights) else 0.0
