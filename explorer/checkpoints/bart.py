"""BART and mBART: encoder, decoder and what lies between."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, apart, heads_of
from explorer.checkpoints.tensors import Reading, Tensors


class BART(Family):
    """The decoder is causal; in its cross-attention keys and values come from the encoder's output."""

    name = "BART"
    model_types = ("bart", "mbart")
    places = {
        "encoder": r"encoder\.layers\.(?P<layer>\d+)\.self_attn\.(?P<rest>q_proj\.weight)",
        "decoder": r"decoder\.layers\.(?P<layer>\d+)\.self_attn\.(?P<rest>q_proj\.weight)",
        "cross": r"decoder\.layers\.(?P<layer>\d+)\.encoder_attn\.(?P<rest>q_proj\.weight)",
    }
    needs_config = True  # OPT's decoder has the same names

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        projections = apart(reading, "q_proj", "k_proj", "v_proj", "out_proj")
        reading.finish()
        side = "encoder" if spot.part == "encoder" else "decoder"
        return Layer(
            matrices=projections,
            heads=heads_of(config, heads, projections.width, f"{side}_attention_heads"),
            causal=spot.part == "decoder",
            is_cross=spot.is_cross,
        )
