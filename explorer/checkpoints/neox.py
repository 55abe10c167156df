"""GPT-NeoX and Pythia: one joined Linear in which each head has its own q, k, v."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, heads_of, joined
from explorer.checkpoints.llama import check_bias, check_causal
from explorer.checkpoints.rotary import rotary
from explorer.checkpoints.tensors import Reading, Tensors


class NeoX(Family):
    """Causal; a part of each head's columns is turned."""

    name = "GPT-NeoX"
    model_types = ("gpt_neox",)
    needs_config = True
    places = {"": r"layers\.(?P<layer>\d+)\.attention\.(?P<rest>query_key_value\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        assert config is not None  # needs_config
        reading = Reading(tensors, spot.prefix)
        weight, bias = reading.linear("query_key_value")
        w_o, b_o = reading.linear("dense")
        reading.finish("bias", "masked_bias", "rotary_emb.inv_freq")  # buffers
        check_causal(config)
        heads = heads_of(config, heads, w_o.shape[0], "num_attention_heads")
        projections = joined(weight, bias, w_o, b_o, heads)
        check_bias(config, projections)
        turned = rotary(
            config, w_o.shape[0] // heads, base="rotary_emb_base", share="rotary_pct", default_share=0.25,
            partly=True,
        )  # fmt: skip
        return Layer(
            matrices=projections,
            heads=heads, causal=True, position=turned,
        )  # fmt: skip
