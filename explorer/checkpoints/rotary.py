"""Rotary settings out of a config.json, in the spellings of several years."""

import math

import numpy as np

from explorer.attention.positions import Rotary
from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.scene import Array


def rotary(
    config: Config, d: int, kind: str = "", base: str = "rope_theta", default_base: float = 10000.0,
    share: str = "partial_rotary_factor", default_share: float = 1.0, scaled: bool = True,
) -> Rotary:  # fmt: skip
    """How heads of width d are turned; `kind` names the sort of layer where the sorts differ.

    Newer files keep it under `rope_parameters`, perhaps per sort; older ones at the top, with `rope_scaling`.
    `base` and `share` are the older keys; without `scaled`, what an older file scales is another sort.
    Raises CheckpointError for a scaling that is not known here.
    """
    settings = config.part("rope_parameters") or (config.part("rope_scaling") if scaled else None)
    if settings is not None and kind and (own := settings.part(kind)) is not None:
        settings = own
    theta = config.number(base, default=default_base)
    factor = config.number(share, default=default_share)
    scaling = ""
    if settings is not None:
        theta = settings.number("rope_theta", default=theta)
        factor = settings.number("partial_rotary_factor", default=factor)
        scaling = settings.text("rope_type", settings.text("type", "default"))
    dims = int(d * factor)
    if dims % 2 or not 0 < dims <= d:
        raise CheckpointError(f"{config.name}: rotary positions would turn {dims} of {d} columns")
    own_dims = None if dims == d else dims
    if settings is None or scaling in ("", "default"):
        return Rotary(base=theta, layout="half", dims=own_dims)
    frequencies: Array = theta ** (-2.0 * np.arange(dims // 2) / dims)
    if scaling == "linear":
        frequencies = frequencies / settings.number("factor")
    elif scaling == "llama3":
        frequencies = _llama3(frequencies, settings)
    else:
        raise CheckpointError(f"{config.name}: rotary positions scaled by {scaling[:40]} are not known here")
    return Rotary(base=theta, layout="half", dims=own_dims, frequencies=frequencies[None, :])


def _llama3(frequencies: Array, settings: Config) -> Array:
    """Long waves slower by `factor`, short ones as they are, a slope between (Llama 3.1's model card)."""
    factor, context = settings.number("factor"), settings.number("original_max_position_embeddings")
    low, high = settings.number("low_freq_factor"), settings.number("high_freq_factor")
    if high <= low:
        raise CheckpointError(f"{settings.name}: high_freq_factor must be above low_freq_factor")
    waves = context * frequencies / (2 * math.pi)  # full turns within the original context
    smooth = np.clip((waves - low) / (high - low), 0.0, 1.0)
    scaled: Array = (1 - smooth) * frequencies / factor + smooth * frequencies
    return scaled
