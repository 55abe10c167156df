"""T5: no scale, no biases, but a learned bias for each distance, which the first layer has for all."""

import math
import re

import numpy as np
from numpy.typing import NDArray

from explorer.attention.positions import Relative
from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Projections, Spot, heads_of
from explorer.checkpoints.tensors import Reading, Tensors
from explorer.scene import Position

Indices = NDArray[np.intp]
TABLE = "relative_attention_bias.weight"


class T5(Family):
    """H·d_kv need not be D. Normed before the attention."""

    name = "T5"
    model_types = ("t5", "mt5", "umt5")
    needs_config = True
    places = {
        "encoder": r"encoder\.block\.(?P<layer>\d+)\.layer\.0\.SelfAttention\.(?P<rest>q\.weight)",
        "decoder": r"decoder\.block\.(?P<layer>\d+)\.layer\.0\.SelfAttention\.(?P<rest>q\.weight)",
        "cross": r"decoder\.block\.(?P<layer>\d+)\.layer\.1\.EncDecAttention\.(?P<rest>q\.weight)",
    }

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        assert config is not None  # needs_config
        reading = Reading(tensors, spot.prefix)
        width = config.count("num_heads") * config.count("d_kv")
        w_q = reading.take("q.weight", width, None).T
        w_k, w_v = (reading.take(f"{name}.weight", width, None).T for name in "kv")
        w_o = reading.take("o.weight", w_q.shape[0], width).T
        reading.finish(TABLE)
        return Layer(
            matrices=Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o), scale="none", causal=spot.part == "decoder",
            heads=heads_of(config, heads, width, "num_heads"), is_cross=spot.is_cross,
            position=Position() if spot.is_cross else _relative(tensors, spot, config),
        )  # fmt: skip


def _relative(tensors: Tensors, spot: Spot, config: Config) -> Position:
    own, first = (
        Reading(tensors, spot.prefix),
        Reading(tensors, re.sub(r"(block)\.\d+\.", r"\1.0.", spot.prefix)),
    )
    reading = own if own.has(TABLE) else first
    buckets = config.count("relative_attention_num_buckets", default=32)
    farthest = config.count("relative_attention_max_distance", default=128)
    if farthest > 100_000:
        raise CheckpointError(
            f"{config.name}: relative_attention_max_distance is {farthest:,}, which is too far"
        )
    exact = _exact(spot.part == "encoder", buckets)
    if not 0 < exact < farthest:
        raise CheckpointError(
            f"{config.name}: {buckets} buckets up to a distance of {farthest} leave no logarithm between them"
        )
    table = reading.take(TABLE, buckets, config.count("num_heads"))  # (buckets, H)
    offsets = np.arange(
        -farthest, farthest + 1, dtype=np.intp
    )  # key − query; beyond, all share the last bucket
    return Relative(table=table[_buckets(offsets, spot.part == "encoder", buckets, farthest)].T)


def _exact(both_ways: bool, count: int) -> int:
    """How many near distances have a bucket of their own."""
    return count // 4 if both_ways else count // 2


def _buckets(offsets: Indices, both_ways: bool, count: int, farthest: int) -> Indices:
    """The bucket of each distance key − query (Raffel et al. 2020): near ones one each, farther ones by logarithm."""
    exact = _exact(both_ways, count)
    start = np.zeros(len(offsets), dtype=np.intp)
    if both_ways:
        count //= 2
        start = np.where(offsets > 0, count, 0)
        distance = np.abs(offsets)
    else:
        distance = np.maximum(-offsets, 0)
    # In float32, as the library has it: a bucket's edge is where that rounds.
    ratio = np.log(np.maximum(distance, 1).astype(np.float32) / np.float32(exact)) / np.float32(
        math.log(farthest / exact)
    )
    far = np.minimum(exact + (ratio * np.float32(count - exact)).astype(np.intp), count - 1)
    found: Indices = start + np.where(distance < exact, distance, far)
    return found
