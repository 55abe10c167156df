"""Llama and Mistral, whose layout many later families share."""

from typing import ClassVar

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Family, Layer, Projections, Spot, apart, heads_of
from explorer.checkpoints.rotary import beyond, rotary
from explorer.checkpoints.tensors import Reading, Tensors
from explorer.norm import Norm
from explorer.scene import Position, brief

GLOBAL, LOCAL = "full_attention", "sliding_attention"  # layer_types


class Llama(Family):
    """Causal, rotary, K/V heads shared; normed before the attention."""

    name = "Llama"
    model_types: ClassVar[tuple[str, ...]] = ("llama", "mistral")
    needs_config = True  # the base of the rotary positions, and which family it is
    tells_bias: ClassVar[bool] = True  # whether its config.json knows `attention_bias`
    places = {"": r"layers\.(?P<layer>\d+)\.self_attn\.(?P<rest>q_proj\.weight)"}

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        assert config is not None  # needs_config
        config = self.own(config)
        reading = Reading(tensors, spot.prefix)
        projections = apart(reading, "q_proj", "k_proj", "v_proj", "o_proj")
        q_norm, k_norm = (self.norm(reading, name, config) for name in ("q_norm", "k_norm"))
        reading.finish("rotary_emb.inv_freq")
        check_causal(config)
        if self.tells_bias:
            check_bias(config, projections)
        width, kv_width = projections.width, projections.w_k.shape[1]
        heads = heads_of(config, heads, width, "num_attention_heads")
        d = width // heads
        check_width(config, d)
        return Layer(
            matrices=projections, heads=heads, kv_heads=groups(config, kv_width, d), causal=True,
            window=self.window(config, spot.number), position=self.turned(config, d, spot.number),
            beyond=self.beyond(config, d), q_norm=q_norm, k_norm=k_norm,
            scale=self.scale(config), softcap=self.softcap(config),
        )  # fmt: skip

    def own(self, config: Config) -> Config:
        """The part of config.json that is about these layers."""
        return config

    def norm(self, reading: Reading, name: str, config: Config) -> Norm | None:
        """The norm of queries or keys; `name` is "q_norm" or "k_norm"."""
        return None

    def turned(self, config: Config, d: int, layer: int) -> Position:
        """How heads of width d are turned."""
        return rotary(config, d)

    def beyond(self, config: Config, d: int) -> tuple[int, Position] | None:
        """Likewise, among more tokens than that."""
        return beyond(config, d)

    def window(self, config: Config, layer: int) -> int | None:
        """How many keys a query sees; None: all before it. Mistral's layers have a window, Llama's never."""
        windowed = config.model_type == "mistral" and config.has("sliding_window")
        return config.count("sliding_window") if windowed else None

    def scale(self, config: Config) -> str | float:
        """What the scores are multiplied by."""
        return "sqrt_dk"

    def softcap(self, config: Config) -> float | None:
        """How the scores are capped."""
        return None


def check_causal(config: Config) -> None:
    """Raises CheckpointError where config.json has a causal family see both ways."""
    if not config.flag("is_causal", True):
        raise CheckpointError(f"{config.name}: is_causal is false, and such a model is not known here")


def check_bias(config: Config, projections: Projections) -> None:
    """Raises CheckpointError where config.json says that there are biases or none, and the tensors otherwise."""
    there = projections.b_q is not None
    if config.flag("attention_bias", there) != there:
        apart = "false, but its tensors have biases" if there else "true, but its tensors have no biases"
        raise CheckpointError(f"{config.name}: attention_bias is {apart}")


def check_width(config: Config, d: int) -> None:
    """Raises CheckpointError where config.json says another width of a head than the shapes."""
    if config.has("head_dim") and config.count("head_dim") != d:
        raise CheckpointError(
            f"{config.name}: head_dim is {config.count('head_dim')}, but its tensors have heads of width {d}"
        )


def groups(config: Config, kv_width: int, d: int) -> int:
    """K/V heads. Raises CheckpointError where config.json and the shapes differ."""
    count = kv_width // d
    said = config.count("num_key_value_heads", default=count)
    if count * d != kv_width or said != count:
        raise CheckpointError(
            f"{config.name}: num_key_value_heads is {said}, but its keys are {kv_width} wide, and a head is {d}"
        )
    return count


def slides(config: Config, layer: int, default: bool) -> bool:
    """Whether a layer sees a window only, in families where some do."""
    kinds = config.texts("layer_types")
    if kinds is None:
        return default
    if unknown := set(kinds) - {GLOBAL, LOCAL}:
        raise CheckpointError(f"{config.name}: layers of the type {brief(min(unknown))} are not known here")
    if layer >= len(kinds):
        raise CheckpointError(
            f"{config.name}: layer_types has {len(kinds)} entries, and there is a layer {layer}"
        )
    return kinds[layer] == LOCAL
