"""Large heads: what queries and keys make of one another is not held, but computed a block of rows at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from explorer.attention.forward import (
    join_heads,
    linear,
    matrices,
    pair_stages,
    projections,
    to_numpy,
)
from explorer.attention.places import shape_of
from explorer.attention.streamed import BLOCK, Streamed
from explorer.attention.trace import Trace
from explorer.attention.windows import HIDING, PAIRS, STREAMED
from explorer.scene import Array, Flags, Index, Scene


class Large:
    """A scene's q, k and v in its precision, and any rows of any stage, with the rules of `attend`.

    Of the stages with a number for each query and key only blocks are ever made, (rows, m) each.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        with torch.inference_mode():
            given = matrices(scene)
            self.held = {name: each.contiguous() for name, each in projections(scene, given).items()}
        self._joining: dict[str, Tensor] = {name: given[name] for name in ("w_o", "b_o") if name in given}
        self._all_seen = torch.ones(1, scene.m, dtype=torch.bool)

    @torch.inference_mode()
    def part(self, stage: str, head: int | None, rows: Index, cols: Index | None = None) -> Tensor:
        """(rows, cols) of a stage; without `cols` all of its columns. For k and v `head` is the K/V head."""
        if stage in self.held:
            whole = self.held[stage] if head is None else self.held[stage][head]
            return _cut(whole[_tensor(rows)], cols)
        if stage in PAIRS[:-1] and cols is not None:
            assert head is not None
            keys = self.held["k"][self.scene.kv_head(head)][_tensor(cols)]
            return self._pairs(head, rows, keys, cols, stage)[stage]
        return _cut(self.block(head, rows, stage)[stage], cols)

    @torch.inference_mode()
    def block(self, head: int | None, rows: Index, *wanted: str) -> dict[str, Tensor]:
        """Whole rows of the stages `wanted` and of those before them: of PAIRS and head_outputs for one head;
        of concat and output for all (`head` None). `visible` is among them where a mask hides something.
        """
        if head is None:
            concat = join_heads(
                torch.stack([self.block(h, rows, "head_outputs")["head_outputs"] for h in self._heads])
            )
            return {"concat": concat, "output": linear(self._joining, concat, "o")}
        group = self.scene.kv_head(head)
        last = max((stage for stage in wanted if stage in PAIRS), key=PAIRS.index, default=PAIRS[0])
        if "head_outputs" in wanted:
            last = PAIRS[-1]
        found = self._pairs(head, rows, self.held["k"][group], None, last)
        if "head_outputs" in wanted:
            found["head_outputs"] = found["weights"] @ self.held["v"][group]
        return found

    @property
    def _heads(self) -> range:
        return range(self.scene.heads)

    def _pairs(self, head: int, rows: Index, k: Tensor, cols: Index | None, last: str) -> dict[str, Tensor]:
        scene = self.scene
        visible = self._all_seen
        if scene.mask and PAIRS.index(last) >= PAIRS.index(HIDING[0]):
            keys = np.arange(scene.m) if cols is None else cols
            visible = torch.from_numpy(scene.visible_at(rows, keys))
        q = self.held["q"][head][_tensor(rows)]
        found = pair_stages(scene, q[None], k[None], np.array([head]), rows, visible, cols, last)
        pairs = {stage: found[stage][0] for stage in PAIRS if stage in found}
        return pairs if visible is self._all_seen else pairs | {"visible": visible}

    def blind(self) -> Flags:
        """(n,): the rows that attend to nothing: every key hidden by −∞."""
        scene = self.scene
        fill = torch.tensor(scene.mask_fill, dtype=self.held["q"].dtype)
        undecided = np.arange(scene.n)
        if not scene.mask or not bool(torch.isneginf(fill)):
            undecided = undecided[:0]
        first = 0
        while first < scene.m and len(undecided):  # a few keys decide about most rows
            cols = np.arange(first, min(scene.m, first + max(1, BLOCK // len(undecided))))
            undecided = undecided[~scene.visible_at(undecided, cols).any(axis=1)]
            first += len(cols)
        flags = np.zeros(scene.n, dtype=bool)
        flags[undecided] = True
        flags.setflags(write=False)
        return flags


@dataclass(frozen=True, eq=False)
class LargeTrace(Trace):
    """A Trace too large to be held: its STREAMED stages, and `visible`, are computed where one looks at them.

    Each is a Streamed, which is indexed like an array: cell by cell, row by row, block by block.
    """

    large: Large  # type: ignore[misc]  # None, and no field, in a Trace that holds everything


def large_trace(scene: Scene) -> Trace:
    """The LargeTrace of a scene, whatever its size."""
    start = perf_counter()
    large = Large(scene)
    held: Mapping[str, Any] = {name: to_numpy(tensor) for name, tensor in large.held.items()}
    dtype = held["q"].dtype
    streamed: dict[str, Any] = {}
    for stage in STREAMED:
        heads = () if stage in ("concat", "output") else (scene.heads,)
        shape = (*heads, *shape_of(scene, stage))
        streamed[stage] = Streamed(stage, shape, dtype, _part_of(large, stage))
    visible = Streamed("visible", (scene.n, scene.m), np.bool_, _visible_of(scene))
    return LargeTrace(
        scene=scene, **held, **streamed, visible=cast(Flags, visible), blind=large.blind(), large=large,
        seconds=perf_counter() - start,
    )  # fmt: skip


def _part_of(large: Large, stage: str) -> Any:
    def part(head: int | None, rows: Index, cols: Index | None) -> Array:
        return to_numpy(large.part(stage, head, rows, cols))

    return part


def _visible_of(scene: Scene) -> Any:
    def part(_head: int | None, rows: Index, cols: Index | None) -> Flags:
        return scene.visible_at(rows, np.arange(scene.m) if cols is None else cols)

    return part


def _tensor(index: Index) -> Any:
    """As torch takes an index: one unbroken run as a slice, which copies nothing."""
    if len(index) and index[-1] - index[0] == len(index) - 1 and bool((np.diff(index) == 1).all()):
        return slice(int(index[0]), int(index[-1]) + 1)
    return torch.from_numpy(index)


def _cut(rows: Tensor, cols: Index | None) -> Tensor:
    return rows if cols is None else rows[:, _tensor(cols)]
