"""What every kind of layer has in common when it is watched: calls, and how a forward pass is stood in for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from torch import nn

from explorer.scene import Array, Scene

Forward = Callable[..., Any]


@dataclass(frozen=True)
class Item:
    """One item of a batch in one call of a layer."""

    number: int  # in the batch, from 0
    scene: Scene
    output: (
        Array | None
    )  # (n, d_out): what the model itself computed; None where it cannot be seen or compared


class Call(Protocol):
    """What was copied during one call of a layer."""

    def items(self) -> Iterator[Item]:
        """Each chosen item as a scene, once everything has arrived. Raises CaptureError, SceneError."""


class Watch(Protocol):
    """A layer that is watched."""

    name: str  # dotted, in the model
    number: int  # from 0, among the layers that the model has
    calls: list[Call]

    def stand_ins(self) -> Iterator[tuple[nn.Module, Callable[[Forward], Forward]]]:
        """The modules whose forward pass is stood in for, and by what."""


@contextmanager
def stood_in(module: nn.Module, stand_in: Callable[[Forward], Forward]) -> Iterator[None]:
    """`module.forward` as `stand_in` makes it of the old one, within the block.

    No hooks: torch leaves its fused paths as soon as it finds one, and then computes something else by a rounding.
    """
    old = module.__dict__.get("forward")
    module.__dict__["forward"] = stand_in(module.forward)
    try:
        yield
    finally:
        if old is None:
            del module.__dict__["forward"]
        else:
            module.__dict__["forward"] = old
