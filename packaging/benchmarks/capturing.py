"""What a capture adds to a forward pass, beside copying what it keeps: in one run, on this machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from benchmarks.measure import in_turn
from explorer.capture import capture

LAYERS, BATCH, TOKENS, WIDTH, HEADS = 2, 4, 128, 512, 8


@dataclass(frozen=True)
class Added:
    """The fastest of many on one thread, in milliseconds on the processor: whatever else runs only adds."""

    name: str
    plain: float
    captured: float
    copies: float

    @property
    def share(self) -> float:
        """Of the plain forward pass, what is added beside the copies."""
        return (self.captured - self.plain - self.copies) / self.plain


def measure(quick: bool) -> list[Added]:
    """torch's own layers on their fused path, and attention that somebody wrote, its projections named."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, batch_first=True)
    encoder = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False).eval()
    own = nn.Sequential(*(_Block() for _ in range(LAYERS))).eval()
    rows = TOKENS * WIDTH  # of the one item that is kept
    return [
        _added("nn.TransformerEncoder", encoder, {}, [rows] * LAYERS, quick),
        _added(
            "projections by name", own, {"projections": {"*.attention": ("q", "k", "v", "o")}},
            [rows] * 2 * LAYERS, quick,  # x, output
        ),
    ]  # fmt: skip


def milliseconds(do: Callable[[], object]) -> float:
    """How long one call keeps this thread's processor."""
    start = thread_time()
    do()
    return (thread_time() - start) * 1000


class _Stop(Exception):  # noqa: N818 (nothing is wrong: the sessions shall not be written)
    pass


def _added(name: str, model: nn.Module, how: Mapping[str, Any], sizes: Sequence[int], quick: bool) -> Added:
    x = torch.randn(BATCH, TOKENS, WIDTH)
    kept = [torch.randn(size) for size in sizes]

    def forward() -> object:
        with torch.no_grad():
            return model(x)

    def captured() -> float:
        found = 0.0
        try:
            with capture(model, Path("nowhere"), **how):
                forward()  # copies the weights, once
                found = milliseconds(forward)
                raise _Stop
        except _Stop:
            return found

    def copied() -> float:
        return milliseconds(lambda: [tensor.clone() for tensor in kept])

    rivals: list[Callable[[], float]] = [lambda: milliseconds(forward), captured, copied]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        found = in_turn(rivals, rounds=4 if quick else 15, each=4, warm_up=1)
    finally:
        torch.set_num_threads(threads)
    return Added(name, *(min(times.values) for times in found))


class _Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = _Attention()
        self.rest = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(F.layer_norm(x, (WIDTH,)))
        added: torch.Tensor = x + self.rest(F.layer_norm(x, (WIDTH,)))
        return added


class _Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in (self.q, self.k, self.v))
        found: torch.Tensor = self.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return found
