"""torch's own nn.MultiheadAttention, wherever it stands in a model."""

from collections.abc import Collection
from typing import ClassVar

import numpy as np

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Projections, Spot, heads_of, joined
from explorer.checkpoints.tensors import Reading, Tensors

JOINED, APART = "in_proj_weight", "q_proj_weight"


class TorchMHA(Family):
    """Counted in the order of the file, as its names need no numbers. A mask is given with each call: there is none."""

    name = "nn.MultiheadAttention"
    places: ClassVar[dict[str, str]] = {}

    def spots(self, names: Collection[str]) -> list[Spot]:
        prefixes = [
            name.removesuffix(key)
            for name in names
            for key in (JOINED, APART)
            if name == key or name.endswith("." + key)
        ]
        return [Spot("", number, prefix) for number, prefix in enumerate(prefixes)]

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        w_o, b_o = reading.linear("out_proj")
        width = w_o.shape[0]
        bias = reading.take("in_proj_bias", 3 * width) if reading.has("in_proj_bias") else None
        if reading.has(JOINED):
            projections = joined(reading.take(JOINED, 3 * width, width).T, bias, w_o, b_o)
        else:
            w_q, w_k, w_v = (reading.take(f"{letter}_proj_weight", width, None).T for letter in "qkv")
            b_q, b_k, b_v = (None,) * 3 if bias is None else np.split(bias, 3)
            if w_k.shape[0] != w_v.shape[0]:
                raise CheckpointError(
                    f"its keys are made of rows of width {w_k.shape[0]} and its values of rows of width"
                    f" {w_v.shape[0]}; a scene has one context for both"
                )
            projections = Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, b_q=b_q, b_k=b_k, b_v=b_v, b_o=b_o)
        if reading.has("bias_k"):
            raise CheckpointError(
                f"{spot.prefix}bias_k adds a learned key to each sequence, which a scene has not"
            )
        reading.finish()
        return Layer(
            matrices=projections,
            heads=heads_of(config, heads, width, "num_heads"), is_cross=projections.w_k.shape[0] != width,
        )  # fmt: skip
