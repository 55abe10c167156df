"""Goal seek: gradient descent on the ticked matrices until the wished-for numbers are there.

torch.optim is not used: its first call imports a compiler, which takes seconds.
"""

from collections.abc import Iterator
from math import isfinite, log
from typing import NamedTuple

import torch
from torch import Tensor

from explorer.attention.attend import attend
from explorer.attention.formula import number
from explorer.attention.forward import matrices, stages
from explorer.attention.goal import Goal, Progress, impossible, only_nears
from explorer.attention.precision import widened
from explorer.attention.remarks import Remark
from explorer.scene import Scene

AIM = 0.25  # of the tolerance: the rest is room for rounding
DECIMALS = (2, 3, 4, 5, 6)  # that the answer is rounded to: the first that will do
PATIENCE = 30  # steps in which the loss has to fall by a hundredth


def seek(scene: Scene, goal: Goal, steps: int = 1000) -> Iterator[Progress]:
    """The way from `scene` to the goal, a Progress per step, for as long as the caller goes on.

    The first has step 0 and is the scene itself; the last says how it ended. The loss never rises. The way is
    the steepest, so that the ticked numbers change about as little as they need to, and no others. The answer
    is rounded to few decimals if the goal holds with them. Deterministic; float64, whatever the scene's precision.
    Raises ValueError for a goal that the scene has no place for.
    """
    goal.check(scene)
    search = _Search(scene, goal)
    here = search.start
    ending = _at_start(scene, goal, here)
    yield search.progress(0, here, ending)
    if ending is not None:
        return
    losses = [here.loss]
    length = 0.1 / float(here.slope.norm())  # the first step moves by 0.1
    while ending is None and goal.miss(here.values) > AIM * goal.tolerance:
        there = _downhill(search, here, length)
        step = len(losses)
        if there is None or (step > PATIENCE and there.loss > 0.99 * losses[-PATIENCE]):
            ending = Remark("stuck")
            continue
        length = _next_length(here, there)
        here = there
        losses.append(here.loss)
        yield search.progress(step, here)
        if step == steps:
            ending = Remark("too_long")
    yield search.last(len(losses) - 1, here, ending)


class _Point(NamedTuple):
    """Some values of the ticked numbers, laid out as one vector, and what comes of them."""

    at: Tensor
    loss: float
    slope: Tensor  # the gradient of the loss
    values: tuple[float, ...]  # of the wishes


def _at_start(scene: Scene, goal: Goal, here: _Point) -> Remark | None:
    """Why the search is over before it has begun."""
    if goal.miss(here.values) <= goal.tolerance:
        return Remark("already")
    if reason := impossible(scene, goal):
        return reason
    if not (isfinite(here.loss) and here.slope.isfinite().all()):
        return Remark("not_finite")
    return None if here.slope.any() else Remark("no_slope")


def _downhill(search: "_Search", here: _Point, length: float) -> _Point | None:
    """One step down the slope: halved until the loss falls as promised (Armijo 1966); None where none will do."""
    promise = 1e-4 * float(here.slope @ here.slope)
    for _ in range(60):
        there = search.point(here.at - length * here.slope)
        if there.loss < here.loss and there.loss <= here.loss - length * promise:
            return there
        length /= 2
    return None


def _next_length(here: _Point, there: _Point) -> float:
    """The length that would have fitted the curve of the step just made (Barzilai and Borwein 1988).

    At most four times as long: where softmax is saturated there is next to no curve, and no end to a step.
    """
    moved, bent = there.at - here.at, there.slope - here.slope
    longest = 4 * float(moved.norm() / here.slope.norm())
    curve = float(moved @ bent)
    return min(float(moved @ moved) / curve, longest) if curve > 0 else longest


class _Search:
    """The loss over the ticked numbers of a scene."""

    def __init__(self, scene: Scene, goal: Goal) -> None:
        self._scene = scene
        self._goal = goal
        self._exact = widened(scene)
        self._given = matrices(self._exact)
        self._names = tuple(dict.fromkeys(goal.matrices))
        ticked = [self._given[name].flatten() for name in self._names]
        self.start = self.point(torch.cat(ticked) if ticked else torch.zeros(0, dtype=torch.float64))

    def point(self, at: Tensor) -> _Point:
        """What comes of these numbers."""
        leaf = at.clone().requires_grad_()
        found = stages(self._exact, self._given | self._split(leaf))
        loss = torch.zeros((), dtype=torch.float64)
        values = []
        for cell, target in self._goal.wishes:
            index = (cell.row, cell.col) if cell.head is None else (cell.head, cell.row, cell.col)
            value = found[cell.place][index]
            values.append(float(value.detach()))
            if cell.place == "weights":
                loss = loss + divergence(found["masked"][index[:-1]], cell.col, target)
            else:
                loss = loss + (value - target) ** 2 / 2
        slope = torch.autograd.grad(loss, leaf)[0] if loss.requires_grad else torch.zeros_like(at)
        return _Point(at, float(loss.detach()), slope, tuple(values))

    def progress(self, step: int, here: _Point, ending: Remark | None = None) -> Progress:
        """What the caller sees of a step."""
        miss = self._goal.miss(here.values)
        if ending is not None:
            ending = Remark(ending.key, {"steps": str(step), "miss": number(miss), **ending.values})
        reached = ending is not None and miss <= self._goal.tolerance
        return Progress(step, here.loss, here.values, miss, self._scene_at(here.at), ending, reached)

    def last(self, step: int, here: _Point, ending: Remark | None) -> Progress:
        """The last step; an answer with as few decimals as will do, and computed as the scene itself will be."""
        if self._goal.miss(here.values) > self._goal.tolerance:
            return self.progress(step, here, ending)
        for decimals in (*DECIMALS, None):
            rounded = here.at if decimals is None else here.at.round(decimals=decimals) + 0.0  # not −0
            at = torch.where(here.at == self.start.at, here.at, rounded)
            values = self._values(self._scene_at(at))
            if self._goal.miss(values) <= self._goal.tolerance:
                nears = only_nears(self._scene, self._goal)
                ending = Remark("reached") if nears is None else Remark("never_quite", {"target": nears})
                break
        else:
            ending = Remark("too_coarse", {"dtype": self._scene.dtype})
        return self.progress(step, self.point(at)._replace(values=values), ending)

    def _values(self, scene: Scene) -> tuple[float, ...]:
        """Of the wishes, in the scene's own precision."""
        trace = attend(scene)
        cells = [wish.cell for wish in self._goal.wishes]
        return tuple(float(trace.matrix(c.place, c.head)[c.row, c.col]) for c in cells)

    def _scene_at(self, at: Tensor) -> Scene:
        """The scene with these numbers; what has not moved is shared."""
        parts = {name: part.numpy() for name, part in self._split(at).items()}
        old = self._split(self.start.at)
        moved = {name: part.copy() for name, part in parts.items() if (part != old[name].numpy()).any()}
        return self._scene.replace(**moved) if moved else self._scene

    def _split(self, vector: Tensor) -> dict[str, Tensor]:
        shapes = [self._given[name].shape for name in self._names]
        parts = torch.split(vector, [shape.numel() for shape in shapes])
        return {name: part.view(shape) for name, part, shape in zip(self._names, parts, shapes, strict=True)}


def divergence(scores: Tensor, key: int, target: float) -> Tensor:
    """KL from the weight that a row of masked scores gives to `key` (and what is left to the others) to the target.

    Its slope by the key's score is α − target, however saturated softmax is; that of (α − target)² vanishes.
    What no number can change, a weight of 0 or 1 that a mask has fixed, counts nothing.
    """
    total = scores.logsumexp(0)
    others = torch.cat([scores[:key], scores[key + 1 :]]).logsumexp(0)
    wished = min(max(target, 0.0), 1.0)
    loss = torch.zeros((), dtype=scores.dtype)
    for part, log_weight in ((wished, scores[key] - total), (1 - wished, others - total)):
        if torch.isneginf(log_weight):
            return torch.zeros((), dtype=scores.dtype)
        if part > 0:
            loss = loss + part * (log(part) - log_weight)
    return loss
