"""Phi-3: Llama with one joined projection."""

import numpy as np

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Projections, Spot, heads_of
from explorer.checkpoints.llama import check_causal, check_width
from explorer.checkpoints.rotary import beyond, rotary
from explorer.checkpoints.tensors import Reading, Tensors


class Phi3(Family):
    """Rows q, k, v: [H·d + 2·G·d, D]."""

    name = "Phi-3"
    model_types = ("phi3",)
    needs_config = True
    places = {"": r"layers\.(?P<layer>\d+)\.self_attn\.(?P<rest>qkv_proj\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        assert config is not None  # needs_config
        reading = Reading(tensors, spot.prefix)
        check_causal(config)
        weight, w_o = (reading.take(f"{name}.weight", None, None).T for name in ("qkv_proj", "o_proj"))
        reading.finish("rotary_emb.inv_freq")
        width = w_o.shape[0]  # H·d
        heads = heads_of(config, heads, width, "num_attention_heads")
        d, groups = width // heads, config.count("num_key_value_heads", default=heads)
        check_width(config, d)
        if weight.shape[1] != (heads + 2 * groups) * d:
            raise CheckpointError(
                f"its joined projection is {weight.shape[1]} wide, but {heads} heads and twice {groups} K/V heads"
                f" of width {d} are {(heads + 2 * groups) * d}"
            )
        w_q, w_k, w_v = np.split(weight, (width, width + groups * d), axis=1)
        return Layer(
            matrices=Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o),
            heads=heads, kv_heads=groups, causal=True, position=rotary(config, d, partly=True),
            beyond=beyond(config, d, partly=True),
            window=config.count("sliding_window") if config.has("sliding_window") else None,
        )  # fmt: skip
