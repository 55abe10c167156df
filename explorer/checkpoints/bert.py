"""BERT, RoBERTa and their kin."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Spot, apart, heads_of
from explorer.checkpoints.tensors import Reading, Tensors
from explorer.scene import brief


class BERT(Family):
    """Sees both ways; normed after the attention, so that its input is the output of the layer before."""

    name = "BERT"
    model_types = ("bert", "roberta", "xlm-roberta", "camembert")
    mark = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
    places = {"": r"encoder\.layer\.(?P<layer>\d+)\.attention\.(?P<rest>self\.query\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        kind = "absolute" if config is None else config.text("position_embedding_type", "absolute")
        if config is not None and kind != "absolute":
            raise CheckpointError(f"{config.name}: positions of the kind {brief(kind)} are not known here")
        reading = Reading(tensors, spot.prefix)
        projections = apart(reading, "self.query", "self.key", "self.value", "output.dense")
        reading.finish(*(f"output.LayerNorm.{name}" for name in ("weight", "bias", "gamma", "beta")))
        width = projections.width
        return Layer(
            matrices=projections,
            heads=heads_of(config, heads, width, "num_attention_heads"),
            causal=config is not None and config.flag("is_decoder", False),
        )
