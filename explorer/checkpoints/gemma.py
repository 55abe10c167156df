"""Gemma and Gemma 2."""

from typing import ClassVar

from explorer.checkpoints.config import Config
from explorer.checkpoints.llama import Llama, slides


class Gemma(Llama):
    """Llama's layout; H·d may differ from D. Gemma 2 caps the scores and lets every other layer see a window."""

    name = "Gemma"
    model_types: ClassVar[tuple[str, ...]] = ("gemma", "gemma2")

    def window(self, config: Config, layer: int) -> int | None:
        if config.model_type == "gemma" or not config.has("sliding_window"):
            return None
        return config.count("sliding_window") if slides(config, layer, layer % 2 == 0) else None

    def scale(self, config: Config) -> str | float:
        if config.model_type == "gemma":
            return "sqrt_dk"
        return float(config.number("query_pre_attn_scalar", default=256.0) ** -0.5)

    def softcap(self, config: Config) -> float | None:
        capped = config.model_type == "gemma2" and config.has("attn_logit_softcapping")
        return config.number("attn_logit_softcapping") if capped else None
