"""OPT."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, apart, heads_of
from explorer.checkpoints.tensors import Reading, Tensors


class OPT(Family):
    """Causal; normed before the attention, but for one size."""

    name = "OPT"
    model_types = ("opt",)
    needs_config = True  # a decoder of BART's has the same names
    places = {"": r"decoder\.layers\.(?P<layer>\d+)\.self_attn\.(?P<rest>q_proj\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        projections = apart(reading, "q_proj", "k_proj", "v_proj", "out_proj")
        reading.finish()
        heads = heads_of(config, heads, projections.width, "num_attention_heads")
        return Layer(matrices=projections, heads=heads, causal=True)
