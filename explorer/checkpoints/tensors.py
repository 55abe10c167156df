"""The named tensors of a model, each read when it is asked for."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

import numpy as np

from explorer.checkpoints.errors import CheckpointError
from explorer.scene import Array

# How files (safetensors) and torch write the types that are plain numbers.
FLOATS = {"F64", "F32", "F16", "BF16", "float64", "float32", "float16", "bfloat16"}


class Tensors(Protocol):
    """A checkpoint's, or those of a model in memory."""

    @property
    def names(self) -> Collection[str]:
        """All of them, in the order of the file."""

    def shape(self, name: str) -> tuple[int, ...]:
        """Without reading the numbers."""

    def kind(self, name: str) -> str:
        """Of the numbers, as file or torch writes it: "F32", "float32"."""

    def read(self, name: str) -> Array:
        """In float32 where that holds every number, else in float64; read-only, laid out as it is stored."""


class Hollow:
    """The same tensors, for whoever wants to know sizes: every number is 0 and takes no memory."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors

    @property
    def names(self) -> Collection[str]:
        return self._tensors.names

    def shape(self, name: str) -> tuple[int, ...]:
        return self._tensors.shape(name)

    def kind(self, name: str) -> str:
        return self._tensors.kind(name)

    def read(self, name: str) -> Array:
        return np.broadcast_to(np.zeros((), np.float32), self.shape(name))


class Module:
    """The state dict of a torch module in memory. Knows torch only by what its tensors can do."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._state = state

    @property
    def names(self) -> Collection[str]:
        return self._state.keys()

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self._state[name].shape)

    def kind(self, name: str) -> str:
        return str(self._state[name].dtype).removeprefix("torch.")

    def read(self, name: str) -> Array:
        tensor = self._state[name].detach()
        double = self.kind(name) == "float64"
        array: Array = np.array((tensor.double() if double else tensor.float()).cpu().numpy())
        array.setflags(write=False)
        return array


class Reading:
    """The tensors under one prefix while a family takes them: in the end none may be left that it does not know."""

    def __init__(self, tensors: Tensors, prefix: str) -> None:
        self._tensors, self._prefix = tensors, prefix
        self._taken: set[str] = set()
        self.names = {name.removeprefix(prefix) for name in tensors.names if name.startswith(prefix)}

    def has(self, name: str) -> bool:
        """Whether there is such a tensor under the prefix."""
        return name in self.names

    def shape(self, name: str) -> tuple[int, ...]:
        """Raises CheckpointError where it is missing."""
        self._check(name)
        return self._tensors.shape(self._prefix + name)

    def take(self, name: str, *shape: int | None) -> Array:
        """The numbers, once its type is plain and its shape is `shape` (None: any). Raises CheckpointError."""
        self._check(name)
        self._taken.add(name)
        full = self._prefix + name
        kind, found = self._tensors.kind(full), self._tensors.shape(full)
        if kind not in FLOATS:
            raise CheckpointError(f"{full} is stored as {kind}: quantised weights are not read")
        fits = len(found) == len(shape) and all(w in (None, f) for w, f in zip(shape, found, strict=True))
        if not fits or 0 in found:
            wanted = " × ".join("any" if count is None else str(count) for count in shape)
            raise CheckpointError(f"{full} has the shape {_text(found)} but must have {wanted}")
        return self._tensors.read(full)

    def linear(
        self, name: str, out: int | None = None, into: int | None = None
    ) -> tuple[Array, Array | None]:
        """W (in, out) and b (out,) or None of a torch Linear, which stores [out, in]."""
        weight = self.take(f"{name}.weight", out, into).T
        bias = self.take(f"{name}.bias", weight.shape[1]) if self.has(f"{name}.bias") else None
        return weight, bias

    def finish(self, *ignored: str) -> None:
        """Raises CheckpointError where something is left beside what is `ignored` (names that may be there)."""
        left = sorted(self.names - self._taken - set(ignored))
        if left:
            raise CheckpointError(
                f"its attention has a tensor that is not known here: {self._prefix}{left[0]}"
            )

    def _check(self, name: str) -> None:
        if name in self.names:
            return
        stem = self._prefix + name.removesuffix("weight")
        quantised = [n for n in self._tensors.names if n.startswith(stem) and n.endswith(_QUANTISED)]
        if quantised:
            raise CheckpointError(f"it has {quantised[0]}: quantised weights are not read")
        raise CheckpointError(f"it has no tensor {self._prefix}{name}")


_QUANTISED = (
    "qweight",
    "qzeros",
    "scales",
    "g_idx",
    "absmax",
    "quant_map",
    "SCB",
    "weight_packed",
    "weight_scale",
)


def _text(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "of a single number"
