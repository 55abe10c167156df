"""Why the scores are divided by √d_k: without it softmax saturates, and its gradient vanishes.

Footnote 4 of Vaswani et al. 2017: components of q and k that are independent with mean 0 and variance 1 give
q·k mean 0 and variance d_k.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from explorer.scene import Array


def softmax_jacobian(weights: Array) -> Array:
    """(m, m): ∂αᵢ/∂sⱼ = αᵢ·(δᵢⱼ − αⱼ) of a row of m weights, s its scores; all 0 for a row of zeros.

    Symmetric, and its rows sum to 0: a score that grows takes from the others what it gains.
    """
    row = np.asarray(weights, dtype=np.float64)
    jacobian: Array = np.diag(row) - np.outer(row, row)
    return jacobian


@dataclass(frozen=True, eq=False)
class Spread:
    """Softmax over the scores of random queries and keys."""

    d_k: int
    scaled: bool  # divided by √d_k
    scores: Array  # (samples, keys), for a histogram
    weights: Array  # (samples, keys)
    deviation: float  # standard deviation of the scores: about √d_k, or about 1 where they are scaled
    largest_weight: float  # the mean of each row's largest: 1 where softmax picks a single key
    gradient_norm: (
        float  # mean Frobenius norm of the softmax Jacobian of a row: 0 where nothing can be learned
    )

    @property
    def expected(self) -> float:
        """The standard deviation in theory."""
        return 1.0 if self.scaled else sqrt(self.d_k)


def spread(d_k: int, seed: int = 0, samples: int = 256, scaled: bool = True, keys: int = 8) -> Spread:
    """`samples` random queries, each with `keys` random keys of its own, all of unit variance.

    With one seed, a larger d_k adds columns to the same vectors, so that a slider moves the picture smoothly.
    Raises ValueError for a count below 1.
    """
    for name, count in (("d_k", d_k), ("samples", samples), ("keys", keys)):
        if count < 1:
            raise ValueError(f"{name} is {count} but must be at least 1.")
    q = np.random.default_rng([seed, 0]).standard_normal((d_k, samples))
    k = np.random.default_rng([seed, 1]).standard_normal((d_k, samples, keys))
    scores = np.einsum("ds,dsk->sk", q, k)
    if scaled:
        scores /= sqrt(d_k)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)
    return Spread(
        d_k=d_k,
        scaled=scaled,
        scores=scores,
        weights=weights,
        deviation=float(scores.std()),
        largest_weight=float(weights.max(axis=-1).mean()),
        gradient_norm=float(jacobian_norm(weights).mean()),
    )


def jacobian_norm(weights: Array) -> Array:
    """Frobenius norm of the softmax Jacobian of each row of (…, m), in closed form.

    Σᵢⱼ αᵢ²(δᵢⱼ − αⱼ)² = Σα² − 2Σα³ + (Σα²)²; at most 1/2, between two equal weights.
    """
    square = (weights**2).sum(axis=-1)
    norm: Array = np.sqrt(np.maximum(square - 2 * (weights**3).sum(axis=-1) + square**2, 0))
    return norm
