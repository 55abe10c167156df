"""Tiny random models of the original libraries, and what they compute in one of their layers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Seen:
    """What went into an attention module and came out of it: rows (n, d), weights (H, n, m)."""

    rows: Array
    context: Array | None
    output: Array
    weights: Array | None = None


def numbers(tensor: torch.Tensor) -> Array:
    return tensor.detach().double().numpy()


@contextmanager
def watching(
    module: torch.nn.Module,
    entrance: torch.nn.Module,
    exit_: torch.nn.Module,
    context: torch.nn.Module | None,
) -> Iterator[list[Seen]]:
    """Every call: what `entrance` (the query projection) reads, `context` (the key projection), `exit_` writes."""
    found: list[Seen] = []
    rows: dict[str, torch.Tensor] = {}

    def keep(name: str) -> Callable[..., None]:
        def hook(_module: Any, arguments: tuple[torch.Tensor, ...], _output: Any) -> None:
            rows[name] = arguments[0]

        return hook

    def done(_module: Any, _arguments: Any, output: torch.Tensor) -> None:
        keys = rows.get("context")
        found.append(Seen(numbers(rows["x"]), None if keys is None else numbers(keys), numbers(output)))

    hooks = [entrance.register_forward_hook(keep("x")), exit_.register_forward_hook(done)]
    if context is not None:
        hooks.append(context.register_forward_hook(keep("context")))
    try:
        yield found
    finally:
        for hook in hooks:
            hook.remove()


def randomised(model: torch.nn.Module, seed: int = 0) -> torch.nn.Module:
    """Every number of it at random: biases too, which start at 0 and would hide a mistake."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return model.eval()


def saved(model: Any, folder: Path) -> Path:
    from transformers.utils import logging

    logging.disable_progress_bar()  # its thread would stay behind
    model.save_pretrained(folder)
    return folder
