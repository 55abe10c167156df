"""Vision transformers of the timm library."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, heads_of, joined
from explorer.checkpoints.tensors import Reading, Tensors


class TimmViT(Family):
    """One joined Linear, rows q, k, v. Its config.json does not tell the heads."""

    name = "timm ViT"
    mark = ("patch_embed.proj.weight", "pos_embed")
    places = {"": r"blocks\.(?P<layer>\d+)\.attn\.(?P<rest>qkv\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        projections = joined(*reading.linear("qkv"), *reading.linear("proj"))
        reading.finish()
        return Layer(
            matrices=projections,
            heads=heads_of(config, heads, projections.width, "num_heads"),
        )  # fmt: skip
