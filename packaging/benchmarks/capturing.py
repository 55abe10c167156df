"""What a capture adds to a forward pass, beside copying what it keeps: in one run, on this machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional as F

from benchmarks.measure import in_turn
from explorer.capture import capture

LAYERS, BATCH = 2, 2
Build = Callable[["Size"], nn.Module]


class Size(NamedTuple):
    """Of a layer and of what goes through it."""

    width: int
    heads: int
    tokens: int


USUAL = Size(768, 12, 256)  # as in BERT base, GPT-2, ViT base
# Its arithmetic is nothing: what is added to it is what a capture does beside copying.
TINY = Size(24, 12, 4)
CACHES = 2**25  # bytes that push all else out of the processor's caches, as the weights of a usual layer do


@dataclass(frozen=True)
class Added:
    """The fastest of many on one thread, in milliseconds on the processor: whatever else runs only adds."""

    name: str
    plain: float  # a pass of the usual size
    captured: float  # the same within a capture
    copies: float  # of what that keeps
    beside: float  # what a capture adds to a tiny pass of as many layers

    @property
    def share(self) -> float:
        """Of the plain pass, what is added beside the copies.

        Not the difference of two passes of the usual size: that is less than what two equal ones differ by on a
        machine that does other things as well.
        """
        return self.beside / self.plain


def measure(quick: bool) -> list[Added]:
    """torch's own layers on their fused path; attention that somebody wrote, its projections named; a known family."""
    torch.manual_seed(0)
    rows, first_head = USUAL.tokens * USUAL.width, USUAL.tokens * USUAL.width // USUAL.heads
    scores = USUAL.heads * USUAL.tokens**2
    named = {"projections": {"*.attn": ("q", "k", "v", "o")}}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return [
            _added("nn.TransformerEncoder", _encoder, {}, [rows], quick),
            _added("projections by name", _own, named, [rows, rows, first_head, first_head], quick),
            _added("nanoGPT", _family, {}, [rows, rows, scores], quick),
        ]
    finally:
        torch.set_num_threads(threads)


class _Stop(Exception):  # noqa: N818 (nothing is wrong: the sessions shall not be written)
    pass


def _added(name: str, build: Build, how: Mapping[str, Any], sizes: Sequence[int], quick: bool) -> Added:
    """`sizes`: how many numbers are kept of each layer."""
    sources = [torch.randn(size) for _ in range(LAYERS) for size in sizes]
    kept: list[Any] = []

    def copied() -> float:
        kept.clear()
        return milliseconds(lambda: kept.extend([tensor.clone() for tensor in sources]))

    rounds = 4 if quick else 12
    usual = in_turn([*_rivals(build, USUAL, how), copied], rounds=rounds, each=1, warm_up=1)
    tiny = in_turn(_rivals(build, TINY, how), rounds=rounds, each=8, warm_up=3)
    plain, captured, copies = (min(times.values) for times in usual)
    before, after = (min(times.values) for times in tiny)
    return Added(name, plain, captured, copies, after - before)


def _rivals(build: Build, size: Size, how: Mapping[str, Any]) -> list[Callable[[], float]]:
    """A pass, and the same within a capture: both after one that is not counted, with nothing of it in the caches."""
    model, x = build(size).eval(), torch.randn(BATCH, size.tokens, size.width)
    other = torch.zeros(CACHES, dtype=torch.uint8)

    def forward() -> object:
        with torch.no_grad():
            return model(x)

    def plain() -> float:
        forward()
        other.add_(1)
        return milliseconds(forward)

    def captured() -> float:
        found = 0.0
        try:
            with capture(model, Path("nowhere"), **how):
                forward()  # copies the weights, once
                other.add_(1)
                found = milliseconds(forward)
                raise _Stop
        except _Stop:
            return found

    return [plain, captured]


def milliseconds(do: Callable[[], object]) -> float:
    """How long one call keeps this thread's processor."""
    start = thread_time()
    do()
    return (thread_time() - start) * 1000


# ---- models ----


def _encoder(size: Size) -> nn.Module:
    layer = nn.TransformerEncoderLayer(size.width, size.heads, 4 * size.width, batch_first=True)
    return nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False)


def _own(size: Size) -> nn.Module:
    return nn.Sequential(*(_Block(size, _Apart(size)) for _ in range(LAYERS)))


def _family(size: Size) -> nn.Module:
    model = nn.ModuleDict({"h": nn.Sequential(*(_Block(size, _Packed(size)) for _ in range(LAYERS)))})
    model.forward = model["h"].forward
    return model


class _Block(nn.Module):
    def __init__(self, size: Size, attention: nn.Module) -> None:
        super().__init__()
        self.attn, width = attention, size.width
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.rest = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.norms[0](x))
        added: torch.Tensor = x + self.rest(self.norms[1](x))
        return added


class _Apart(nn.Module):
    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads = size.heads
        self.q, self.k, self.v, self.o = (nn.Linear(size.width, size.width) for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (
            part(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        found: torch.Tensor = self.o(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return found


class _Packed(nn.Module):
    """As in nanoGPT, where it has no flash attention."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        self.heads, self.width = size.heads, size.width
        self.c_attn, self.c_proj = nn.Linear(size.width, 3 * size.width), nn.Linear(size.width, size.width)
        self.register_buffer("bias", torch.ones(size.tokens, size.tokens, dtype=torch.bool).triu(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        parts = self.c_attn(x).split(self.width, dim=2)
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        scores = (q @ k.mT * (self.width // self.heads) ** -0.5).masked_fill(self.bias, -torch.inf)
        found: torch.Tensor = self.c_proj((F.softmax(scores, dim=-1) @ v).transpose(1, 2).flatten(2))
        return found
