"""CLIP: a text model and a vision model."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, apart, heads_of
from explorer.checkpoints.tensors import Reading, Tensors


class CLIP(Family):
    """The text model is causal, the vision model is not; both are normed before the attention."""

    name = "CLIP"
    model_types = ("clip", "clip_text_model", "clip_vision_model")
    needs_config = True
    places = {
        part: rf"{part}_model\.encoder\.layers\.(?P<layer>\d+)\.self_attn\.(?P<rest>q_proj\.weight)"
        for part in ("text", "vision")
    }

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        own = None if config is None else config.part(f"{spot.part}_config") or config
        reading = Reading(tensors, spot.prefix)
        projections = apart(reading, "q_proj", "k_proj", "v_proj", "out_proj")
        reading.finish()
        return Layer(
            matrices=projections,
            heads=heads_of(own, heads, projections.width, "num_attention_heads"),
            causal=spot.part == "text",
        )
