"""GPT-2: one joined Conv1D, stored [in, out]."""

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Spot, heads_of, joined
from explorer.checkpoints.tensors import Reading, Tensors


class GPT2(Family):
    """Causal; what enters the projections has gone through ln_1."""

    name = "GPT-2"
    model_types = ("gpt2",)
    mark = ("wte.weight", "wpe.weight")  # others with these names turn q and k, or know distances alone
    places = {"": r"h\.(?P<layer>\d+)\.attn\.(?P<rest>c_attn\.weight)"}

    def fits(self, tensors: Tensors, spot: Spot) -> bool:
        rows, columns = (*tensors.shape(spot.prefix + "c_attn.weight"), 0, 0)[:2]
        return columns == 3 * rows

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        reading = Reading(tensors, spot.prefix)
        weight = reading.take("c_attn.weight", None, None)  # (D, 3·D)
        width = weight.shape[0]
        bias = reading.take("c_attn.bias", 3 * width)
        w_o, b_o = reading.take("c_proj.weight", width, width), reading.take("c_proj.bias", width)
        reading.finish("bias", "masked_bias")  # buffers: the causal mask and its fill
        projections = joined(weight, bias, w_o, b_o)
        heads = heads_of(config, heads, width, "n_head", "num_attention_heads")
        return Layer(
            matrices=projections,
            heads=heads, causal=True, scale=_scale(config, width // heads, spot.number),
        )  # fmt: skip


def _scale(config: Config | None, d_k: int, layer: int) -> str | float:
    if config is None:
        return "sqrt_dk"
    by_layer = config.flag("scale_attn_by_inverse_layer_idx", False)
    by_width = config.flag("scale_attn_weights", True)
    if config.flag("add_cross_attention", False):
        raise CheckpointError(f"{config.name}: GPT-2 with cross-attention is not known here")
    if not by_layer:
        return "sqrt_dk" if by_width else "none"
    return (d_k**-0.5 if by_width else 1.0) / (layer + 1)
