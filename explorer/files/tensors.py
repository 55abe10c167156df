"""Arrays in `.safetensors` files, without torch."""

import errno
import json
import os
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

READ = ("F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL")


class TensorError(ValueError):
    """What is wrong with a file of tensors, as the end of a sentence."""


def read(path: Path, key: str) -> NDArray[Any]:
    """One tensor of a file, which is memory-mapped; bfloat16 comes as float32.

    Raises OSError, or TensorError naming what is there instead.
    """
    if not path.is_file():  # safe_open would say so without a number, or wait at a pipe
        number = errno.EINVAL if path.exists() else errno.ENOENT
        raise OSError(number, os.strerror(number))
    try:
        with safe_open(path, framework="numpy") as file:
            keys = list(file.keys())
            if key not in keys:
                raise TensorError(f'it has no tensor "{key[:40]}"; it has {_listed(keys)}')
            kind = file.get_slice(key).get_dtype()
            if kind not in READ:
                raise TensorError(f'its tensor "{key[:40]}" has the type {kind}, which is not read')
            array: NDArray[Any] = _bfloat16(path, key) if kind == "BF16" else file.get_tensor(key)
            return array
    except SafetensorError:
        raise TensorError("it is not a whole safetensors file") from None


def metadata(path: Path) -> dict[str, str]:
    """What was noted in a file; empty where it is none of ours or cannot be read."""
    try:
        with safe_open(path, framework="numpy") as file:
            return dict(file.metadata() or {})
    except (OSError, SafetensorError):
        return {}


def write(path: Path, tensors: Mapping[str, NDArray[Any]], notes: Mapping[str, str]) -> None:
    """All tensors into a file that is there already, with notes. Raises OSError; not atomic by itself."""
    mode = path.stat().st_mode
    try:
        save_file({k: np.ascontiguousarray(v) for k, v in tensors.items()}, path, metadata=dict(notes))
    except SafetensorError as error:  # how it reports a full disk
        raise OSError(None, str(error)) from None
    path.chmod(mode)  # it has made a new one, for its owner alone


def _bfloat16(path: Path, key: str) -> NDArray[np.float32]:
    """The upper halves of float32 numbers, which numpy has no type for. The header has been checked."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(length))[key]
        file.seek(8 + length + entry["data_offsets"][0])
        halves = np.fromfile(file, "<u2", prod(entry["shape"]))
    return (halves.astype(np.uint32) << 16).view(np.float32).reshape(entry["shape"])


def _listed(keys: list[str]) -> str:
    shown = ", ".join(f'"{key[:40]}"' for key in sorted(keys)[:5])
    return (shown + (" …" if len(keys) > 5 else "")) or "none"
