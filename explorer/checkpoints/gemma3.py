"""Gemma 3, text or the text part of a model that sees pictures too."""

from typing import ClassVar

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.gemma import Gemma
from explorer.checkpoints.llama import GLOBAL, LOCAL, slides
from explorer.checkpoints.rotary import rotary
from explorer.checkpoints.tensors import Reading
from explorer.norm import Norm
from explorer.scene import Position


class Gemma3(Gemma):
    """Norms of queries and keys whose weights are stored less 1; five of six layers see a window, turned otherwise."""

    name = "Gemma 3"
    model_types: ClassVar[tuple[str, ...]] = ("gemma3_text", "gemma3")

    def own(self, config: Config) -> Config:
        config = config.part("text_config") or config
        if config.flag("use_bidirectional_attention", False):
            raise CheckpointError(f"{config.name}: a Gemma 3 that sees both ways is not known here")
        return config

    def norm(self, reading: Reading, name: str, config: Config) -> Norm | None:
        weight = 1 + reading.take(f"{name}.weight", None).astype("float64")
        return Norm(weight=weight, eps=config.number("rms_norm_eps", default=1e-6))

    def is_local(self, config: Config, layer: int) -> bool:
        """Whether a layer sees a window only."""
        return slides(config, layer, (layer + 1) % config.count("sliding_window_pattern", default=6) != 0)

    def window(self, config: Config, layer: int) -> int | None:
        return config.count("sliding_window", default=4096) if self.is_local(config, layer) else None

    def turned(self, config: Config, d: int, layer: int) -> Position:
        if self.is_local(config, layer):
            return rotary(config, d, LOCAL, base="rope_local_base_freq", default_base=1e4, scaled=False)
        return rotary(config, d, GLOBAL, default_base=1e6)

    def beyond(self, config: Config, d: int) -> tuple[int, Position] | None:
        return None

    def softcap(self, config: Config) -> float | None:
        if config.has("attn_logit_softcapping"):
            raise CheckpointError(f"{config.name}: a Gemma 3 with attn_logit_softcapping is not known here")
        return None
