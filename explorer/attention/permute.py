"""Reordering: whether f(PX) = P·f(X), and which outputs merely moved.

Attention without positions treats its tokens as a set (Lee et al. 2019, "Set Transformer", property 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer import attention
from explorer.attention.precision import EPS
from explorer.attention.remarks import Remark
from explorer.attention.trace import Trace
from explorer.reshape import reorder_tokens
from explorer.scene import Array, Scene


@dataclass(frozen=True, eq=False)
class Equivariance:
    """The outputs after reordering beside the outputs reordered. Rows are counted from 0, in the new order."""

    order: tuple[int, ...]  # output row i was row order[i] before; 0, 1, 2 … where the context was reordered
    deltas: Array  # (n,): max|Δ| of each row of f(PX) from that of P·f(X)
    tolerance: float  # what rounding explains
    tied: tuple[Remark, ...]  # what belongs to places, so that it stays when tokens move

    @property
    def difference(self) -> float:
        """max|f(PX) − P·f(X)|."""
        return float(self.deltas.max())

    @property
    def holds(self) -> bool:
        """Whether f(PX) = P·f(X), but for rounding."""
        return self.difference <= self.tolerance

    @property
    def moved(self) -> tuple[int, ...]:
        """Rows that have another place and the same numbers."""
        return tuple(i for i, old in enumerate(self.order) if old != i and self.deltas[i] <= self.tolerance)

    @property
    def changed(self) -> tuple[int, ...]:
        """Rows with other numbers."""
        return tuple(int(i) for i in np.flatnonzero(self.deltas > self.tolerance))


def equivariance(scene: Scene, order: Sequence[int], side: str = "x") -> Equivariance:
    """Reorder the tokens of `side` ("x" or "context"), so that row i is what was row order[i], and compare.

    Padding and custom masks move with their tokens; causal and window masks, and positions, stay.
    Raises ValueError where `order` is no permutation, SceneError where there is no such side.
    """
    count = scene.n if side == "x" else scene.m
    if sorted(order) != list(range(count)):
        raise ValueError(f"{list(order)} is not an order of {count} tokens.")
    return compare_orders(
        attention.attend(scene), attention.attend(reorder_tokens(scene, order, side)), order, side
    )


def compare_orders(before: Trace, after: Trace, order: Sequence[int], side: str = "x") -> Equivariance:
    """The same from two traces at hand: `after` is that of `before`'s scene with its tokens in `order`."""
    rows = tuple(order) if side == "x" else tuple(range(before.scene.n))
    expected, found = before.output[list(rows)], after.output
    same = (expected == found) | (np.isnan(expected) & np.isnan(found))
    with np.errstate(invalid="ignore"):
        deltas = np.where(same, 0, np.abs(found.astype(np.float64) - expected)).max(axis=-1)
    # A NaN on one side alone is as wrong as can be.
    return Equivariance(
        rows,
        np.where(np.isnan(deltas), np.inf, deltas),
        _rounding(before),
        tied_to_places(before.scene, side),
    )


def tied_to_places(scene: Scene, side: str = "x") -> tuple[Remark, ...]:
    """What does not follow when tokens move: here order can enter."""
    position = scene.position.kind
    tied = [] if position == "none" else [Remark("position_stays", {"kind": position})]
    turned = list(range(scene.n if side == "x" else scene.m))[::-1]
    queries = turned if side == "x" else range(scene.n)
    keys = turned if side == "context" or not scene.is_cross else range(scene.m)
    stay = (mask.kind for mask in scene.mask if mask.follow(queries, keys) is mask)
    return (*tied, *(Remark("mask_stays", {"kind": kind}) for kind in dict.fromkeys(stay)))


def _rounding(trace: Trace) -> float:
    """Sums in another order round otherwise: see `agreement._compare`."""
    scaled, output = (np.abs(a[np.isfinite(a)]).max(initial=0) for a in (trace.scaled, trace.output))
    values = np.abs(trace.v[np.isfinite(trace.v)]).max(initial=0)
    reach = 1.0 if trace.scene.w_o is None else np.abs(trace.scene.w_o).sum(axis=0).max()
    return float(4 * EPS[trace.scene.dtype] * (1 + scaled) * (output + values * reach))
