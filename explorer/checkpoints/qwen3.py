"""Qwen3: Qwen2's layout, with norms of queries and keys."""

from typing import ClassVar

from explorer.checkpoints.config import Config
from explorer.checkpoints.qwen import Qwen
from explorer.checkpoints.tensors import Reading
from explorer.norm import Norm


class Qwen3(Qwen):
    """Each head's rows of q and k are normed before they are turned; heads may be wider than D/H."""

    name = "Qwen3"
    model_types: ClassVar[tuple[str, ...]] = ("qwen3",)
    tells_bias = True
    default_eps = 1e-6

    def norm(self, reading: Reading, name: str, config: Config) -> Norm | None:
        return Norm(
            weight=reading.take(f"{name}.weight", None),
            eps=config.number("rms_norm_eps", default=self.default_eps),
        )
