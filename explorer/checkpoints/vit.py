"""Vision transformers of the transformers library."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, apart, heads_of
from explorer.checkpoints.tensors import Reading, Tensors


class ViT(Family):
    """Tokens are patches of an image after the class token; normed before the attention."""

    name = "ViT"
    model_types = ("vit", "deit")
    mark = ("embeddings.cls_token", "embeddings.position_embeddings")
    places = {"": r"encoder\.layer\.(?P<layer>\d+)\.attention\.(?P<rest>attention\.query\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        names = ("attention.query", "attention.key", "attention.value", "output.dense")
        projections = apart(reading, *names)
        reading.finish()
        return Layer(
            matrices=projections, heads=heads_of(config, heads, projections.width, "num_attention_heads")
        )
