"""Sensitivity: how one number of the trace answers to every number that a person can set, by torch's autograd."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch

from explorer.attention.forward import matrices, stages, to_numpy
from explorer.attention.places import check
from explorer.attention.precision import widened
from explorer.attention.trace import STAGE, Cell
from explorer.scene import Array, Scene


@dataclass(frozen=True, eq=False)
class Gradients:
    """∂(the cell)/∂(each number of each matrix), in float64: what the cell gains when that number grows by 1,
    as far as a straight line can tell.
    """

    cell: Cell
    value: float
    matrices: Mapping[str, Array]  # name of the matrix -> read-only, of its shape; every matrix that is set

    def matrix(self, name: str) -> Array:
        """The gradient of one matrix as a 2-D array (a bias is one row). Raises KeyError if it is not set."""
        array = self.matrices[name]
        return array[None, :] if array.ndim == 1 else array

    def largest(self) -> float:
        """The largest finite magnitude, for one scale of colours over all matrices."""
        return max(float(np.abs(a[np.isfinite(a)]).max(initial=0)) for a in self.matrices.values())


def gradient(scene: Scene, cell: Cell) -> Gradients:
    """The gradient of a cell of any stage, with respect to every matrix of the scene.

    The derivative is that of the function without rounding: float64, on the numbers that the scene's precision
    holds. What a mask hides has gradient 0, and so has a row that attends to nothing.
    Raises ValueError, with a sentence, for a cell that no stage of the scene has.
    """
    if cell.place not in STAGE:
        raise ValueError(
            f"{cell.place} is set by you; a gradient belongs to a number that follows from others."
        )
    check(scene, cell)
    exact = widened(scene)
    given = {name: tensor.requires_grad_() for name, tensor in matrices(exact).items()}
    stage = stages(exact, given)[cell.place]
    value = stage[cell.row, cell.col] if cell.head is None else stage[cell.head, cell.row, cell.col]
    found = torch.autograd.grad(value, list(given.values()), allow_unused=True, materialize_grads=True)
    return Gradients(
        cell, float(value.detach()), {name: to_numpy(g) for name, g in zip(given, found, strict=True)}
    )
