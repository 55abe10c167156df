"""Rotary settings out of a config.json, in the spellings of several years."""

import math

import numpy as np

from explorer.attention.positions import Rotary
from explorer.checkpoints.config import MAX_COUNT, Config
from explorer.checkpoints.errors import CheckpointError
from explorer.scene import Array, brief


def rotary(
    config: Config, d: int, kind: str = "", base: str = "rope_theta", default_base: float = 10000.0,
    share: str = "partial_rotary_factor", default_share: float = 1.0, scaled: bool = True,
    long: bool = False, partly: bool = False,
) -> Rotary:  # fmt: skip
    """How heads of width d are turned; `kind` names the sort of layer where the sorts differ.

    Newer files keep it under `rope_parameters`, perhaps per sort; older ones at the top, with `rope_scaling`.
    `partly`: whether the family can turn some of the columns and leave the others.
    `base` and `share` are the older keys; without `scaled`, what an older file scales is another sort.
    `long`: as it is for more tokens than the model was first trained with, where that is otherwise (LongRoPE).
    Raises CheckpointError for a scaling that is not known here.
    """
    settings = _settings(config, scaled)
    if settings is not None and kind and (own := settings.part(kind)) is not None:
        settings = own
    theta = config.number(base, default=default_base)
    factor = config.number(share, default=default_share)
    scaling = ""
    if settings is not None:
        theta = settings.number("rope_theta", default=theta)
        factor = settings.number("partial_rotary_factor", default=factor)
        scaling = settings.text("rope_type", settings.text("type", "default"))
    dims = int(min(d * factor, 2.0**31))  # 1e308 is a number, too
    if dims % 2 or not 0 < dims <= d or dims != d and not partly:
        raise CheckpointError(f"{config.name}: rotary positions would turn {dims} of {d} columns")
    own_dims = None if dims == d else dims
    if settings is None or scaling in ("", "default"):
        return Rotary(base=theta, layout="half", dims=own_dims)
    with np.errstate(over="ignore", invalid="ignore"):
        frequencies, stretch = _scaled(config, settings, scaling, theta, dims, long)
    if not np.isfinite(frequencies * MAX_COUNT).all():
        raise CheckpointError(f"{config.name}: rotary positions turn too fast to be calculated")
    return Rotary(base=theta, layout="half", dims=own_dims, frequencies=frequencies[None, :], factor=stretch)


def _scaled(
    config: Config, settings: Config, scaling: str, theta: float, dims: int, long: bool
) -> tuple[Array, float | None]:
    """By how much each pair of columns turns from token to token, and what cosine and sine are multiplied by."""
    stretch: float | None = None
    frequencies: Array = theta ** (-2.0 * np.arange(dims // 2) / dims)
    if scaling == "linear":
        frequencies = frequencies / settings.number("factor")
    elif scaling == "llama3":
        frequencies = _llama3(frequencies, settings, _trained(config, settings))
    elif scaling in ("longrope", "su"):
        frequencies = frequencies / _each_pair(settings, "long_factor" if long else "short_factor", dims // 2)
        stretch = _longrope_factor(config, settings)
    elif scaling == "yarn":
        frequencies, stretch = _yarn(frequencies, settings, _trained(config, settings), theta, dims)
    else:
        raise CheckpointError(
            f"{config.name}: rotary positions scaled by {brief(scaling)} are not known here"
        )
    return frequencies, stretch


def _settings(config: Config, scaled: bool = True) -> Config | None:
    """What the file says beside the base, in its newer or its older spelling; an empty object says nothing.

    Raises CheckpointError where it has both.
    """
    keys = [key for key in ("rope_parameters", "rope_scaling") if config.filled(key)]
    if len(keys) > 1:
        raise CheckpointError(f"{config.name}: it has rope_parameters and rope_scaling, and cannot mean both")
    return config.part(keys[0]) if keys and (scaled or keys[0] == "rope_parameters") else None


def beyond(config: Config, d: int, partly: bool = False) -> tuple[int, Rotary] | None:
    """From more than so many tokens on, heads are turned like this; None: always as `rotary` says."""
    settings = _settings(config)
    if settings is None or settings.text("rope_type", settings.text("type", "")) not in ("longrope", "su"):
        return None
    return _trained(config, settings), rotary(config, d, long=True, partly=partly)


def _trained(config: Config, settings: Config) -> int:
    """How many tokens the model was first trained with; where it is at the top (Phi-3), that counts."""
    key = "original_max_position_embeddings"
    own = config if config.has(key) else settings
    return own.count(key) if own.has(key) else config.count("max_position_embeddings")


def _each_pair(settings: Config, key: str, count: int) -> Array:
    values = np.array(settings.numbers(key))
    if len(values) != count:
        raise CheckpointError(
            f"{settings.name}: {key} has {len(values)} numbers, but {count} pairs are turned"
        )
    return values


def _longrope_factor(config: Config, settings: Config) -> float:
    """What cosine and sine are multiplied by (Ding et al. 2024)."""
    trained = _trained(config, settings)
    if settings.has("attention_factor"):
        return settings.number("attention_factor")
    longest = config.count("max_position_embeddings", default=trained)
    factor = settings.number("factor", default=longest / trained)
    return math.sqrt(1 + math.log(factor) / math.log(trained)) if factor > 1 and trained > 1 else 1.0


def _yarn(frequencies: Array, settings: Config, trained: int, theta: float, dims: int) -> tuple[Array, float]:
    """Pairs that turn often stay, those that hardly turn are slowed, a slope between (Peng et al. 2023)."""
    factor = settings.number("factor")
    if settings.has("mscale") or settings.has("mscale_all_dim") or theta == 1 or trained < 2:
        raise CheckpointError(f"{settings.name}: this sort of yarn is not known here")

    def pair(turns: float) -> float:
        """Which pair makes so many turns within the trained length."""
        return dims * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(theta))

    first = pair(settings.number("beta_fast", default=32.0))
    last = pair(settings.number("beta_slow", default=1.0))
    if settings.flag("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, dims - 1)
    slowed = np.clip((np.arange(dims // 2) - first) / max(last - first, 0.001), 0.0, 1.0)
    found: Array = frequencies / factor * slowed + frequencies * (1 - slowed)
    stretch = 0.1 * math.log(factor) + 1 if factor > 1 else 1.0
    return found, settings.number("attention_factor", default=stretch)


def _llama3(frequencies: Array, settings: Config, context: int) -> Array:
    """Long waves slower by `factor`, short ones as they are, a slope between (Llama 3.1's model card)."""
    factor = settings.number("factor")
    low, high = settings.number("low_freq_factor"), settings.number("high_freq_factor")
    if high <= low:
        raise CheckpointError(f"{settings.name}: high_freq_factor must be above low_freq_factor")
    waves = context * frequencies / (2 * math.pi)  # full turns within the original context
    smooth = np.clip((waves - low) / (high - low), 0.0, 1.0)
    scaled: Array = (1 - smooth) * frequencies / factor + smooth * frequencies
    return scaled
