"""X·W + b of a scene that is little different from the one before: only what changed is multiplied.

A changed row of X changes one row of the product, a changed column of W one column. Each is computed anew, as a whole
sum, so that nothing adds up over many edits; but torch may add up the terms of a few rows in another order than those
of many: a number may differ from that of the whole product by the rounding of its sum, as between two machines.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from explorer.attention.forward import linear
from explorer.patience import GoingOn, go_on
from explorer.scene import Array, Scene

SHARE = 8  # of so many rows (or columns) one may have changed; beyond, the whole product is as fast


@dataclass(frozen=True, eq=False)
class _Product:
    rows: Tensor  # (n, width)
    weight: Array  # (width, columns), the Scene's own
    bias: Array | None
    result: Tensor  # (n, columns)


class Products:
    """Makes X·W + b for one Scene (a `Linear` of forward.py), from those of `before` where that is possible."""

    def __init__(self, scene: Scene, before: "Products | None" = None, going_on: GoingOn = go_on) -> None:
        """`going_on` is called before each; what it raises ends it."""
        self._scene, self._going_on = scene, going_on
        self._made: dict[str, _Product] = {}
        self._before = {} if before is None else dict(before._made)

    def __call__(self, given: Mapping[str, Tensor], rows: Tensor, name: str) -> Tensor:
        """(n, columns): rows·W + b for one letter, once."""
        self._going_on()
        weight, bias = getattr(self._scene, f"w_{name}"), getattr(self._scene, f"b_{name}")
        old = self._before.pop(name, None)  # nothing of older scenes is kept
        found = None if old is None else _mended(old, given, rows, weight, bias, name)
        if found is None:
            found = linear(given, rows, name)
        self._made[name] = _Product(rows, weight, bias, found)
        return found


def _mended(
    old: _Product, given: Mapping[str, Tensor], rows: Tensor, weight: Array, bias: Array | None, name: str
) -> Tensor | None:
    """The old result with what changed in it; None where that is too much, or where sizes are others."""
    sizes = rows.shape, rows.dtype, weight.shape, bias is None
    if sizes != (old.rows.shape, old.rows.dtype, old.weight.shape, old.bias is None):
        return None
    down, across = _changed_rows(old, rows), _changed_columns(old, weight, bias)
    if len(down) * SHARE > len(rows) or len(across) * SHARE > weight.shape[1] or (len(down) and len(across)):
        return None
    if not len(down) and not len(across):
        return old.result
    result = old.result.clone()
    if len(down):
        result[down] = linear(given, rows[down], name)
    else:
        result[:, across] = linear(
            {key: given[key][..., across] for key in given if key[-1] == name}, rows, name
        )
    return result


def _changed_rows(old: _Product, rows: Tensor) -> Tensor:
    if rows is old.rows:
        return torch.empty(0, dtype=torch.long)
    return (rows != old.rows).any(dim=1).nonzero()[:, 0]


def _changed_columns(old: _Product, weight: Array, bias: Array | None) -> Tensor:
    changed = np.zeros(weight.shape[1], dtype=bool)
    if weight is not old.weight:
        changed |= (weight != old.weight).any(axis=0)
    if bias is not None and bias is not old.bias:
        changed |= bias != old.bias
    return torch.from_numpy(np.flatnonzero(changed))
