"""torch's own nn.MultiheadAttention, wherever it stands in a model.

A torch Linear stores [out, in], so W = weight.T; `in_proj_weight` is [3·D, D], rows q, k, v. Where key and value
widths differ from D there are three weights instead. The number of heads cannot be told from any of them.
"""

from collections.abc import Collection
from typing import ClassVar

import numpy as np

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Projections, Spot, heads_of, joined
from explorer.checkpoints.tensors import Reading, Tensors

JOINED, APART = "in_proj_weight", ("q_proj_weight", "k_proj_weight", "v_proj_weight")
IN_BIAS, MORE_KEYS = "in_proj_bias", ("bias_k", "bias_v")  # add_bias_kv: one more key, learned
OUT = ("out_proj.weight", "out_proj.bias")
KEYS = (JOINED, *APART, IN_BIAS, *MORE_KEYS, *OUT)  # of its state dict, as far as a module has them


class TorchMHA(Family):
    """Counted in the order of the file, as its names need no numbers. A mask is given with each call: there is none."""

    name = "nn.MultiheadAttention"
    places: ClassVar[dict[str, str]] = {}

    def spots(self, names: Collection[str]) -> list[Spot]:
        prefixes = [
            name.removesuffix(key)
            for name in names
            for key in (JOINED, APART[0])
            if name == key or name.endswith("." + key)
        ]
        return [Spot("", number, prefix) for number, prefix in enumerate(prefixes)]

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        matrices = projections(reading)
        if matrices.w_k.shape[0] != matrices.w_v.shape[0]:
            raise CheckpointError(
                f"its keys are made of rows of width {matrices.w_k.shape[0]} and its values of rows of width"
                f" {matrices.w_v.shape[0]}; a scene has one context for both"
            )
        if reading.has(MORE_KEYS[0]):
            raise CheckpointError(
                f"{spot.prefix}bias_k adds a learned key to each sequence, which a scene has not"
            )
        reading.finish()
        width = matrices.width
        return Layer(
            matrices=matrices,
            heads=heads_of(config, heads, width, "num_heads"), is_cross=matrices.w_k.shape[0] != width,
        )  # fmt: skip


def projections(reading: Reading) -> Projections:
    """Its matrices; keys and values may be made of rows of another width each. Raises CheckpointError."""
    w_o, b_o = reading.linear("out_proj")
    width = w_o.shape[0]
    bias = reading.take(IN_BIAS, 3 * width) if reading.has(IN_BIAS) else None
    if reading.has(JOINED):
        return joined(reading.take(JOINED, 3 * width, width).T, bias, w_o, b_o)
    w_q, w_k, w_v = (reading.take(key, width, width if key == APART[0] else None).T for key in APART)
    b_q, b_k, b_v = (None,) * 3 if bias is None else np.split(bias, 3)
    return Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, b_q=b_q, b_k=b_k, b_v=b_v, b_o=b_o)
