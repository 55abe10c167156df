"""Tensors of a running model, copied to the host, and from there into a Scene's arrays."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from explorer.attention.forward import to_numpy
from explorer.capture.naming import CaptureError, Place
from explorer.scene import DTYPES, Array

Items = Sequence[int] | None  # of a batch, from 0; None: all
PLAIN = (Tensor, nn.Parameter)  # which cannot be divided; quicker to ask than what a tensor has


class Copies:
    """What has been copied since the block began; on a GPU the copying runs beside the model."""

    def __init__(self, items: Items) -> None:
        if items is not None and any(item < 0 for item in items):
            raise CaptureError("items of a batch are counted from 0.")
        self.items = None if items is None else sorted(set(items))
        self._chosen: dict[int, list[int]] = {}
        self._parameters: dict[int, tuple[Tensor, tuple[int, int] | None, Tensor]] = {}
        self._devices: set[torch.device] = set()
        self.split: Place | None = None  # how the heads are divided, once a divided parameter has been seen

    def chosen(self, batch: int) -> list[int]:
        """The items taken of a batch of this size, from 0."""
        if batch not in self._chosen:
            everything = self.items is None
            self._chosen[batch] = [i for i in (range(batch) if everything else self.items or ()) if i < batch]
        return self._chosen[batch]

    def of_batch(self, tensor: Tensor) -> Tensor:
        """(B, …) → (chosen, …) on the host."""
        plain = whole(tensor.detach())
        chosen = self.chosen(plain.shape[0])
        if len(chosen) == plain.shape[0]:
            return self._host(plain, own=False)
        if len(chosen) == 1:  # a view; a list of numbers would have to be sent to the device first
            return self._host(plain[chosen[0] : chosen[0] + 1], own=False)
        return self._host(plain[chosen], own=True)

    def of(self, tensor: Tensor) -> Tensor:
        """All of a tensor on the host."""
        return self._host(whole(tensor.detach()), own=False)

    def parameter(self, tensor: Tensor, gathered: bool = False) -> Tensor:
        """What this process holds of a parameter, on the host; copied again only if it has changed since.

        `gathered`: all of it, also where it is divided among processes.
        """
        part = tensor
        if is_divided(tensor):
            if not gathered:
                self.split = _split(tensor) or self.split
            part = (whole if gathered else local)(tensor.detach())
        state = None if part.is_inference() else (part.data_ptr(), part._version)
        known = self._parameters.get(id(tensor))
        if known is not None and state is not None and known[1] == state:
            return known[2]
        copy = self._host(part.detach(), own=False)
        self._parameters[id(tensor)] = (tensor, state, copy)  # held, so that the id stays its own
        return copy

    def _host(self, tensor: Tensor, own: bool) -> Tensor:
        if tensor.device.type == "cpu":
            return tensor if own else tensor.clone()
        self._devices.add(tensor.device)
        return tensor.to("cpu", non_blocking=True)

    def arrived(self) -> None:
        """Wait until everything is there."""
        for device in self._devices:
            torch.get_device_module(device).synchronize(device)
        self._devices.clear()


def local(tensor: Any) -> Tensor:
    """What this process holds of a tensor that may be divided among several."""
    held: Tensor = tensor.to_local() if is_divided(tensor) else tensor
    return held


def whole(tensor: Any) -> Tensor:
    """All of a tensor that may be divided among processes; where it is, each of them has to ask."""
    if not is_divided(tensor):
        plain: Tensor = tensor
        return plain
    if all(placement.is_replicate() for placement in tensor.placements):
        return local(tensor)
    full: Tensor = tensor.full_tensor()
    return full


def _split(tensor: Any) -> Place | None:
    """How a divided parameter is divided among processes; None if each has all of it."""
    cut = [dim for dim, placement in enumerate(tensor.placements) if not placement.is_replicate()]
    if not cut:
        return None
    if len(cut) > 1 or not tensor.placements[cut[0]].is_shard():
        raise CaptureError("its parameters are divided in a way other than by heads")
    # Whoever has divided a tensor has loaded this already; nobody else shall.
    from torch.distributed import get_process_group_ranks

    mesh, dim = tensor.device_mesh, cut[0]
    first = min(get_process_group_ranks(mesh.get_group(dim)))
    return Place(mesh.get_local_rank(dim), mesh.size(dim), split=True, group=first)


def is_divided(tensor: Tensor) -> bool:
    """Whether it is a DTensor. Told by what it has, so that torch.distributed stays out where nobody uses it."""
    return type(tensor) not in PLAIN and hasattr(tensor, "placements") and hasattr(tensor, "to_local")


def array(tensor: Tensor) -> Array:
    """A read-only array for a Scene: float64 and float32 as they are, halves as float32."""
    return to_numpy(tensor if tensor.dtype == torch.float64 else tensor.float())


def dtype_of(tensor: Tensor) -> str:
    """The precision the arithmetic ran in, as a Scene names it; what autocast makes of it included."""
    kind = tensor.device.type
    dtype = tensor.dtype
    if torch.is_autocast_enabled(kind):
        dtype = torch.get_autocast_dtype(kind)
    name = str(dtype).removeprefix("torch.")
    return name if name in DTYPES else "float32"


def same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are one and the same memory, seen in the same way."""
    if a is b:
        return True
    if a.is_nested or b.is_nested or is_divided(a) or is_divided(b):
        return False
    return (a.data_ptr(), a.shape, a.stride()) == (b.data_ptr(), b.shape, b.stride()) and a.dtype == b.dtype
