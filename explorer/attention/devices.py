"""Where large scenes are computed: on the processor, or on a device that torch sees beside it."""

from collections.abc import Collection
from functools import cache

import torch

from explorer.attention.cost import DEVICE_NAMES
from explorer.scene import Scene


@cache
def devices() -> tuple[str, ...]:
    """What torch sees here beside the processor. The first time it may wake up a driver, which takes a while."""
    found = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    return tuple(name for name, is_there in found.items() if is_there)


def reason_against(scene: Scene, device: str, there: Collection[str]) -> str:
    """Why a large scene is not computed on `device` but on the processor, of those that are `there`; "" where it is."""
    name = DEVICE_NAMES.get(device, device)
    if device not in there:
        return f"torch sees no {name} here, so large scenes are computed on the processor."
    if device == "mps" and scene.dtype == "float64":
        return f"{name} has no float64, so this scene is computed on the processor."
    return ""


def failure_sentence(device: str, error: Exception) -> str:
    """What is said when a device gives up in the middle of a scene."""
    name = DEVICE_NAMES.get(device, device)
    if isinstance(error, torch.OutOfMemoryError) or "out of memory" in str(error).lower():
        return f"{name} has too little memory for this scene, which is computed on the processor now."
    what = str(error).strip().partition("\n")[0][:120].rstrip(".")
    return f"{name} cannot compute this scene ({what}), which is computed on the processor now."
