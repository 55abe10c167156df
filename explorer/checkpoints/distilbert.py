"""DistilBERT."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, apart, heads_of
from explorer.checkpoints.tensors import Reading, Tensors


class DistilBERT(Family):
    """BERT's attention under names of its own."""

    name = "DistilBERT"
    model_types = ("distilbert",)
    mark = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
    places = {"": r"transformer\.layer\.(?P<layer>\d+)\.attention\.(?P<rest>q_lin\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        projections = apart(reading, "q_lin", "k_lin", "v_lin", "out_lin")
        reading.finish()
        return Layer(
            matrices=projections,
            heads=heads_of(config, heads, projections.width, "n_heads", "num_attention_heads"),
        )
