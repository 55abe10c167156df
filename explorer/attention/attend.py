"""attend(scene) -> Trace: multi-head attention, every stage kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import torch

from explorer.attention.cost import AT_ONCE, CPU, HELD_BYTES, pair_bytes, work
from explorer.attention.forward import matrices, stages, to_numpy
from explorer.attention.large import large_trace
from explorer.attention.trace import Trace
from explorer.patience import GoingOn, go_on
from explorer.scene import Scene


def attend(
    scene: Scene,
    hold: int = HELD_BYTES,
    device: str = CPU,
    before: Trace | None = None,
    going_on: GoingOn = go_on,
) -> Trace:
    """Every stage of multi-head attention for one scene (Vaswani et al. 2017, section 3.2).

    Shapes: n queries, m keys, H heads of width d_k, G key/value heads. Where the stages that are n × m take more
    than `hold` bytes, they are computed when they are looked at (see LargeTrace): on `device`, if torch sees it here,
    and from the trace of the scene `before` as far as little has changed; `going_on` is called now and then, and what
    it raises ends it.
    """
    if pair_bytes(scene) > hold:
        return large_trace(scene, device, None if before is None else before.large, going_on)
    start = perf_counter()
    with torch.inference_mode(), _threads_that_pay(scene):
        tensors = stages(scene, matrices(scene))
        arrays: dict[str, Any] = {name: to_numpy(tensor) for name, tensor in tensors.items()}
    return Trace(scene=scene, **arrays, seconds=perf_counter() - start)


@contextmanager
def _threads_that_pay(scene: Scene) -> Iterator[None]:
    """One for a small scene: waiting for a second one, on a busy machine, takes longer than doing without it."""
    threads = torch.get_num_threads()
    if work(scene) <= AT_ONCE:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
