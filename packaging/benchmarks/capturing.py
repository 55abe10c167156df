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

LAYERS, BATCH, TOKENS, WIDTH, HEADS = 2, 2, 256, 768, 12  # layers as wide as those of a usual small model
ROWS = TOKENS * WIDTH  # of the one item that is kept


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
    """torch's own layers on their fused path; attention that somebody wrote, its projections named; a known family."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, batch_first=True)
    encoder = nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)
    own = nn.Sequential(*(_Block(_Apart()) for _ in range(LAYERS)))
    family = nn.ModuleDict({"h": nn.Sequential(*(_Block(_Packed()) for _ in range(LAYERS)))})
    family.forward = family["h"].forward
    named = {"projections": {"*.attn": ("q", "k", "v", "o")}}
    heads = [TOKENS * WIDTH // HEADS] * 2  # of queries and keys: the first head's
    return [
        _added("nn.TransformerEncoder", encoder, {}, [ROWS], quick),
        _added("projections by name", own, named, [ROWS, ROWS, *heads], quick),
        _added("nanoGPT", family, {}, [ROWS, ROWS, HEADS * TOKENS**2], quick),
    ]


class _Stop(Exception):  # noqa: N818 (nothing is wrong: the sessions shall not be written)
    pass


def _added(name: str, model: nn.Module, how: Mapping[str, Any], sizes: Sequence[int], quick: bool) -> Added:
    """`sizes`: of what is kept of each layer. What is compared runs in turn, so that whatever disturbs one of them
    disturbs all; and in the same surroundings: after a pass, and with copies that take new memory.
    """
    model.eval()
    x = torch.randn(BATCH, TOKENS, WIDTH)
    sources = [torch.randn(size) for _ in range(LAYERS) for size in sizes]

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

    def plain() -> float:
        forward()
        return milliseconds(forward)

    def copied() -> float:
        kept = [[tensor.clone() for tensor in sources]]
        forward()
        return milliseconds(lambda: kept.append([tensor.clone() for tensor in sources]))

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        found = in_turn([plain, captured, copied], rounds=5 if quick else 20, each=1, warm_up=1)
    finally:
        torch.set_num_threads(threads)
    return Added(name, *(min(times.values) for times in found))


def milliseconds(do: Callable[[], object]) -> float:
    """How long one call keeps this thread's processor."""
    start = thread_time()
    do()
    return (thread_time() - start) * 1000


class _Block(nn.Module):
    def __init__(self, attention: nn.Module) -> None:
        super().__init__()
        self.attn = attention
        self.rest = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(F.layer_norm(x, (WIDTH,)))
        added: torch.Tensor = x + self.rest(F.layer_norm(x, (WIDTH,)))
        return added


class _Apart(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in (self.q, self.k, self.v))
        found: torch.Tensor = self.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return found


class _Packed(nn.Module):
    """As in nanoGPT, where it has no flash attention."""

    def __init__(self) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.c_attn(x).split(WIDTH, dim=2)
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in parts)
        hidden = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)
        scores = (q @ k.mT * (WIDTH // HEADS) ** -0.5).masked_fill(hidden, -torch.inf)
        found: torch.Tensor = self.c_proj((F.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(2))
        return found
