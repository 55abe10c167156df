"""torch alone: the projections and one call of scaled_dot_product_attention, nothing kept, nothing shown.

torch is imported when it is asked for: the program, which runs in the same process, brings it in a way of its own.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from benchmarks.measure import milliseconds
from explorer.scene import Array, Scene

if TYPE_CHECKING:
    from torch import Tensor


class Bare:
    """A scene of plain self-attention, its matrices as tensors."""

    def __init__(self, scene: Scene) -> None:
        assert scene.w_o is not None and not scene.is_cross and not scene.mask
        self._torch = import_module("torch")
        self._heads = scene.heads
        self.x, self.w_q, self.w_k, self.w_v, self.w_o = (
            self._torch.tensor(array, dtype=getattr(self._torch, scene.dtype))
            for array in (scene.x, scene.w_q, scene.w_k, scene.w_v, scene.w_o)
        )

    def output(self) -> "Tensor":
        """(n, d_out)."""
        q, k, v = (self._split(self.x @ weight) for weight in (self.w_q, self.w_k, self.w_v))
        mixed = self._torch.nn.functional.scaled_dot_product_attention(q, k, v)  # (1, H, n, d_v)
        output: Tensor = (
            mixed[0].transpose(0, 1).reshape(len(self.x), -1) @ self.w_o
        )  # (n, H·d_v) → (n, d_out)
        return output

    def _split(self, rows: "Tensor") -> "Tensor":
        return rows.view(1, len(rows), self._heads, -1).transpose(1, 2)  # (1, H, n, d)

    def agrees(self, output: Array) -> bool:
        """Whether it is the same that the program shows."""
        return bool(self._torch.allclose(self.output(), self._torch.tensor(output)))

    def once(self) -> float:
        """Milliseconds of one forward pass."""
        with self._torch.inference_mode():
            return milliseconds(self.output)
