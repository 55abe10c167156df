"""Large heads: what queries and keys make of one another is not held, but computed a block of rows at a time."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, TypeVar, cast

import numpy as np
import torch
from torch import Tensor

from explorer.attention.cost import CPU
from explorer.attention.devices import devices, failure_sentence, reason_against
from explorer.attention.forward import join_heads, lent, linear, pair_stages, projections, to_numpy
from explorer.attention.places import shape_of
from explorer.attention.reuse import Products
from explorer.attention.sight import rows_seeing
from explorer.attention.streamed import Streamed
from explorer.attention.trace import Trace
from explorer.attention.windows import HIDING, PAIRS, STREAMED
from explorer.patience import GoingOn, go_on
from explorer.scene import MATRICES, Array, Flags, Index, Scene

Found = TypeVar("Found")


class Large:
    """A scene's q, k and v in its precision, and any rows of any stage, with the rules of `attend`.

    Of the stages with a number for each query and key only blocks are ever made, (rows, m) each. They are made on the
    `device`, which is the `chosen` one unless `note` says why not; q, k and v themselves on the processor, from those
    of the scene `before` where little has changed (see Products).
    """

    def __init__(
        self, scene: Scene, chosen: str = CPU, before: "Large | None" = None, going_on: GoingOn = go_on
    ) -> None:
        self.scene = scene
        self.note = "" if chosen == CPU else reason_against(scene, chosen, devices())
        self.device = CPU if self.note else chosen
        self.failed = False  # the device, and the processor goes on
        dtype: torch.dtype = getattr(torch, scene.dtype)
        self._products: Products = Products(scene, None if before is None else before._products, going_on)
        with torch.inference_mode():
            given = {
                name: lent(array, dtype) for name in MATRICES if (array := getattr(scene, name)) is not None
            }
            self.held = _unbroken(projections(scene, given, self._products))
        self._read = {name: self.held[name] for name in ("q", "k", "v")}
        self._read |= {name: given[name] for name in ("w_o", "b_o") if name in given}
        self._read["all_seen"] = torch.ones(1, scene.m, dtype=torch.bool)
        self._here = self._read  # on the device
        self.safely(self._move)

    @property
    def w_o(self) -> Tensor | None:
        """(H·d_v, d_out) in the scene's precision, on the processor; None: the identity."""
        return self._read.get("w_o")

    def _move(self) -> None:
        self._here = {name: tensor.to(self.device) for name, tensor in self._read.items()}

    def safely(self, do: Callable[[], Found]) -> Found:
        """What `do` gives. Should the device fail at it, once more, and all that follows, on the processor."""
        device = self.device
        try:
            return do()
        except RuntimeError as error:  # it is out of memory, or cannot do something
            if device == CPU:
                raise
            self.note, self.failed = failure_sentence(device, error), True
        self.device, self._here = CPU, self._read
        return do()

    @torch.inference_mode()
    def part(self, stage: str, head: int | None, rows: Index, cols: Index | None = None) -> Tensor:
        """(rows, cols) of a stage, on the processor; without `cols` all columns. For k and v `head` is the K/V head."""
        if stage in self.held:
            whole = self.held[stage] if head is None else self.held[stage][head]
            return _cut(whole[_tensor(rows)], cols)
        return self.safely(lambda: self._part(stage, head, rows, cols).cpu())

    @torch.inference_mode()
    def _part(self, stage: str, head: int | None, rows: Index, cols: Index | None) -> Tensor:
        if head is None or cols is None or stage not in PAIRS[:-1]:
            return _cut(self.block(head, rows, stage)[stage], cols)
        keys = self._here["k"][self.scene.kv_head(head)][_tensor(cols)]
        return self._pairs(head, rows, keys, cols, stage, (stage,))[stage]

    def block(self, head: int | None, rows: Index, *wanted: str) -> dict[str, Tensor]:
        """Whole rows of the stages `wanted`, on the device: of PAIRS and head_outputs for one head; of concat and
        output for all (`head` None). `visible` is among them where a mask hides something.
        """
        return self.safely(lambda: self._block(head, rows, wanted))

    @torch.inference_mode()
    def _block(self, head: int | None, rows: Index, wanted: Collection[str]) -> dict[str, Tensor]:
        if head is None:
            mixed = [self._block(h, rows, ("head_outputs",))["head_outputs"] for h in range(self.scene.heads)]
            concat = join_heads(torch.stack(mixed))
            return {"concat": concat, "output": linear(self._here, concat, "o")}
        group = self.scene.kv_head(head)
        mixes = "head_outputs" in wanted
        last = PAIRS[-1] if mixes else max((stage for stage in wanted), key=PAIRS.index)
        kept = {*wanted, "weights"} if mixes else wanted
        found = self._pairs(head, rows, self._here["k"][group], None, last, kept)
        if mixes:
            found["head_outputs"] = found["weights"] @ self._here["v"][group]
        return found

    def _pairs(
        self, head: int, rows: Index, k: Tensor, cols: Index | None, last: str, keep: Collection[str]
    ) -> dict[str, Tensor]:
        scene, here = self.scene, self._here
        visible, hides = here["all_seen"], bool(scene.mask) and PAIRS.index(last) >= PAIRS.index(HIDING[0])
        if hides:
            keys = np.arange(scene.m) if cols is None else cols
            visible = torch.from_numpy(scene.visible_at(rows, keys)).to(k.device)
        q = here["q"][head][_tensor(rows)]
        found = pair_stages(scene, q[None], k[None], np.array([head]), rows, visible, cols, last, keep)
        pairs = {stage: found[stage][0] for stage in PAIRS if stage in found}
        return pairs | {"visible": visible} if hides else pairs

    def blind(self) -> Flags:
        """(n,): the rows that attend to nothing: every key hidden by −∞."""
        scene = self.scene
        fill = torch.tensor(scene.mask_fill, dtype=self.held["q"].dtype)
        flags = np.zeros(scene.n, dtype=bool)
        if scene.mask and bool(torch.isneginf(fill)):
            flags = ~rows_seeing(scene.visible_at, np.arange(scene.n), np.arange(scene.m))
        flags.setflags(write=False)
        return flags


@dataclass(frozen=True, eq=False)
class LargeTrace(Trace):
    """A Trace too large to be held: its STREAMED stages, and `visible`, are computed where one looks at them.

    Each is a Streamed, which is indexed like an array: cell by cell, row by row, block by block.
    """

    large: Large  # type: ignore[misc]  # None, and no field, in a Trace that holds everything


def large_trace(
    scene: Scene, device: str = CPU, before: Large | None = None, going_on: GoingOn = go_on
) -> Trace:
    """The LargeTrace of a scene, whatever its size; for `device`, `before` and `going_on` see Large."""
    start = perf_counter()
    large = Large(scene, device, before, going_on)
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


def _unbroken(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Each contiguous; what was one tensor under several names stays one."""
    made: dict[int, Tensor] = {}
    for tensor in tensors.values():
        if id(tensor) not in made:
            made[id(tensor)] = tensor.contiguous()
    return {name: made[id(tensor)] for name, tensor in tensors.items()}
