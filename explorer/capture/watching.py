"""What every kind of layer has in common when it is watched: calls, and how a forward pass is stood in for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from threading import Lock
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
    with _LOCK:
        standing = _STANDING.setdefault(module, _Standing(module.__dict__.get("forward"), module.forward))
        standing.ins.append(stand_in)
        standing.place(module)
    try:
        yield
    finally:
        with _LOCK:
            standing.ins.remove(stand_in)
            standing.place(module)
            if not standing.ins:
                del _STANDING[module]


@dataclass
class _Standing:
    """What stands in for one module's forward pass: several captures may run at once, and end in any order."""

    own: Forward | None  # what the module itself had in the place of its class's
    old: Forward
    ins: list[Callable[[Forward], Forward]] = field(default_factory=list)

    def place(self, module: nn.Module) -> None:
        """Make its forward pass that of all who stand in now; of nobody, the old one."""
        if self.ins:
            module.__dict__["forward"] = reduce(
                lambda forward, stand_in: stand_in(forward), self.ins, self.old
            )
        elif self.own is None:
            del module.__dict__["forward"]
        else:
            module.__dict__["forward"] = self.own


_LOCK = Lock()
_STANDING: dict[nn.Module, _Standing] = {}
