"""torch alone: the projections and one call of scaled_dot_product_attention, nothing kept, nothing shown."""

import torch
from torch import Tensor
from torch.nn import functional as F

from benchmarks.measure import milliseconds
from explorer.scene import Array, Scene


class Bare:
    """A scene of plain self-attention, its matrices as tensors."""

    def __init__(self, scene: Scene) -> None:
        assert scene.w_o is not None and not scene.is_cross and not scene.mask
        self._heads = scene.heads
        self.x, self.w_q, self.w_k, self.w_v, self.w_o = (
            torch.tensor(array, dtype=getattr(torch, scene.dtype))
            for array in (scene.x, scene.w_q, scene.w_k, scene.w_v, scene.w_o)
        )

    def output(self) -> Tensor:
        """(n, d_out)."""
        q, k, v = (self._split(self.x @ weight) for weight in (self.w_q, self.w_k, self.w_v))
        mixed = F.scaled_dot_product_attention(q, k, v)  # (1, H, n, d_v)
        return mixed[0].transpose(0, 1).reshape(len(self.x), -1) @ self.w_o  # (n, H·d_v) → (n, d_out)

    def _split(self, rows: Tensor) -> Tensor:
        return rows.view(1, len(rows), self._heads, -1).transpose(1, 2)  # (1, H, n, d)

    def agrees(self, output: Array) -> bool:
        """Whether it is the same that the program shows."""
        return torch.allclose(self.output(), torch.tensor(output))

    def once(self) -> float:
        """Milliseconds of one forward pass."""
        with torch.inference_mode():
            return milliseconds(self.output)
