"""nanoGPT: GPT-2's names, but a Linear, stored [out, in]."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.family import Family, Layer, Spot, heads_of, joined
from explorer.checkpoints.gpt2 import GPT2
from explorer.checkpoints.tensors import Reading, Tensors


class NanoGPT(Family):
    """Told from GPT-2 by the shape of the joined matrix."""

    name = "nanoGPT"
    mark = GPT2.mark
    places = GPT2.places

    def fits(self, tensors: Tensors, spot: Spot) -> bool:
        rows, columns = (*tensors.shape(spot.prefix + "c_attn.weight"), 0, 0)[:2]
        return rows == 3 * columns

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        projections = joined(*reading.linear("c_attn"), *reading.linear("c_proj"))
        reading.finish("bias")  # a buffer: the causal mask
        return Layer(
            matrices=projections,
            heads=heads_of(config, heads, projections.width, "n_head"), causal=True,
        )  # fmt: skip
