"""Tensors saved by torch: the one module of `files` that knows torch, imported when such a file is opened.

`torch.load(weights_only=True)` and nothing else; what the file would have it do has been looked at before.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from explorer.files.npy import MAX_NUMBERS
from explorer.files.tensors import MAX_WEIGHT, Entry, TensorError, check_size, place
from explorer.scene import brief

MAX_DEPTH = 6  # of dicts in dicts
MAX_TENSORS = 10_000


class TorchFile:
    """The tensors of a file, by dotted name. Raises TensorError where it cannot be read."""

    def __init__(self, path: Path, mapped: bool) -> None:
        try:
            # Mapped, a storage that claims more than the file has is cut, and then refused by torch itself.
            content = torch.load(path, map_location="cpu", weights_only=True, mmap=mapped)
        except Exception as error:  # torch raises whatever its reader stumbles over
            raise TensorError(f"torch cannot read it: {_first_line(error)}") from None
        self._tensors: dict[str, torch.Tensor] = {}
        for name, tensor in _tensors("", content, MAX_DEPTH):
            if name in self._tensors:  # a name with a point, and the same by a dict in a dict
                raise TensorError(f'it has two tensors "{name[:40]}"')
            self._tensors[name] = tensor
            if len(self._tensors) > MAX_TENSORS:
                raise TensorError(f"it has more than {MAX_TENSORS:,} tensors")

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What it holds."""
        return tuple(
            Entry(name, tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."))
            for name, tensor in self._tensors.items()
        )

    def read(self, entry: Entry) -> NDArray[np.float64]:
        """One tensor's numbers. Raises TensorError for what is no plain table of numbers."""
        tensor = self._plain(entry, MAX_NUMBERS)
        numbers: NDArray[np.float64] = _numbers(tensor, torch.float64)
        return numbers.copy() if tensor.dtype == torch.float64 else numbers  # not a view of the file

    def weight(self, entry: Entry) -> NDArray[Any]:
        """The same in float32, where it is not float64; of a model's weight, which may be larger."""
        tensor = self._plain(entry, MAX_WEIGHT)
        dtype = torch.float64 if tensor.dtype == torch.float64 else torch.float32
        numbers = _numbers(tensor, dtype)
        return numbers.copy() if tensor.dtype == dtype else numbers

    def _plain(self, entry: Entry, most: int) -> torch.Tensor:
        tensor = self._tensors[entry.name]
        check_size(entry, most)
        plain = tensor.layout == torch.strided and not (tensor.is_complex() or tensor.is_quantized)
        if not plain or tensor.is_meta or tensor.is_nested:
            raise TensorError(f"{place(entry.name)} has the type {brief(entry.kind)}, which is not read")
        return tensor


def _numbers(tensor: torch.Tensor, dtype: torch.dtype) -> NDArray[Any]:
    try:
        return tensor.detach().to(dtype).numpy()
    except (RuntimeError, TypeError) as error:
        raise TensorError(f"torch cannot read it: {_first_line(error)}") from None


def _tensors(name: str, value: Any, depth: int) -> Iterator[tuple[str, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield name, value
    elif depth and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _tensors(_joined(name, str(key)), inner, depth - 1)
    elif depth and isinstance(value, list | tuple):
        for number, inner in enumerate(value):
            yield from _tensors(_joined(name, str(number)), inner, depth - 1)


def _joined(name: str, key: str) -> str:
    return f"{name}.{key}" if name else key[:200]


def _first_line(error: Exception) -> str:
    first = next(iter(str(error).splitlines()), "") or type(error).__name__
    return first[:120].rstrip(". ")
