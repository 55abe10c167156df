"""BLOOM: one joined Linear in which each head has its own q, k, v, and distances weigh down."""

from explorer.attention.positions import Alibi
from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, heads_of, joined
from explorer.checkpoints.tensors import Reading, Tensors


class Bloom(Family):
    """Causal. The library adds slope·j, here it is −slope·(i − j): the same weights, as a row's constant drops out."""

    name = "BLOOM"
    model_types = ("bloom",)
    mark = ("word_embeddings.weight", "word_embeddings_layernorm.weight")  # Falcon has not
    places = {"": r"h\.(?P<layer>\d+)\.self_attention\.(?P<rest>query_key_value\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        weight, bias = reading.linear("query_key_value")
        w_o, b_o = reading.linear("dense")
        reading.finish()
        heads = heads_of(config, heads, w_o.shape[0], "n_head", "num_attention_heads")
        projections = joined(weight, bias, w_o, b_o, heads)
        return Layer(
            matrices=projections,
            heads=heads, causal=True, position=Alibi(),
        )  # fmt: skip
