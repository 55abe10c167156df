"""Qwen2."""

from typing import ClassVar

from explorer.checkpoints.config import Config
from explorer.checkpoints.llama import Llama, slides


class Qwen(Llama):
    """Llama's layout with biases on q, k and v; from a certain layer on it may see a window only."""

    name = "Qwen"
    model_types: ClassVar[tuple[str, ...]] = ("qwen2",)
    tells_bias = False

    def window(self, config: Config, layer: int) -> int | None:
        if not config.flag("use_sliding_window", False) or not config.has("sliding_window"):
            return None
        later = layer >= config.count("max_window_layers", default=1 << 20)
        return config.count("sliding_window") if slides(config, layer, later) else None
