"""The norm of queries and keys that some models have: one rule for both."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Norm:
    """Each head's row of q or of k becomes x / √(mean(x²) + eps) · weight, before positions turn it.

    RMS norm (Zhang and Sennrich 2019) over the d_k numbers of a row (Henry et al. 2020 norm q and k). `weight`,
    (d_k,), is the same for all heads; keys that are not known here stay in `extra`.
    """

    weight: Array
    eps: float = 1e-6
    extra: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.weight, np.ndarray) and not self.weight.flags.writeable:
            return
        try:
            weight = np.array(self.weight, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            weight = np.zeros(0)
        weight.setflags(write=False)
        object.__setattr__(self, "weight", weight)

    def problem(self, name: str, d_k: int) -> str | None:
        """What is wrong with it for heads of this width, as a sentence that calls it `name`; or None."""
        if self.weight.ndim != 1 or not self.weight.size:
            return f"{name}.weight must be a list of numbers"
        if len(self.weight) != d_k:
            return f"{name}.weight has length {len(self.weight)} but must have length d_k = {d_k}"
        known = isinstance(self.eps, int | float) and not isinstance(self.eps, bool)
        if not (known and math.isfinite(self.eps) and self.eps >= 0):
            return f"{name}.eps must be a number of at least 0"
        return None

    def resized(self, d_k: int) -> "Norm":
        """The same norm for another width: the first weights are kept, new ones are 1."""
        if len(self.weight) == d_k:
            return self
        weight = np.ones(d_k)
        kept = min(d_k, len(self.weight))
        weight[:kept] = self.weight[:kept]
        return replace(self, weight=weight)

    def root(self, rows: Array) -> Array:
        """(…, 1): what rows (…, d_k) are divided by, in float64 as it is everywhere here."""
        with np.errstate(all="ignore"):
            squares = np.square(rows.astype(np.float64))
            root: Array = np.sqrt(squares.mean(axis=-1, keepdims=True) + self.eps)
        return root

    def of(self, rows: Array) -> Array:
        """(…, d_k): rows after the norm."""
        with np.errstate(all="ignore"):
            normed: Array = rows / self.root(rows) * self.weight
        return normed

    def entry(self) -> dict[str, Any]:
        """As a session has it."""
        return {"weight": self.weight, "eps": float(self.eps), **self.extra}
