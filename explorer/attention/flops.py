"""Operations counted by torch on the real run, beside the closed form of cost.py; and why the two disagree."""

from dataclasses import dataclass

import torch
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from explorer.attention.cost import Sizes, multiply_adds
from explorer.attention.forward import matrices, stages
from explorer.attention.remarks import Remark
from explorer.attention.torch_limits import sdpa_reason
from explorer.scene import Scene


@dataclass(frozen=True)
class Flops:
    """One scene, counted in two ways."""

    multiply_adds: dict[str, int]  # by stage, in closed form
    torch: int  # what FlopCounterMode says of the run that makes the trace
    fused: int | None  # what it says of scores to head outputs as one call; None: that call cannot express it

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """Why the numbers are not the same."""
        remarks = [Remark("counts_double"), Remark("counts_products")]
        if self.fused is not None and self.fused < 2 * self.mixing:
            name = "F.scaled_dot_product_attention"
            remarks.append(Remark("counts_fused", {"name": name, "flops": f"{self.fused:,}"}))
        return tuple(remarks)

    @property
    def mixing(self) -> int:
        """Multiply-adds of the scores and the head outputs alone."""
        return self.multiply_adds["scores"] + self.multiply_adds["head_outputs"]


def flops(scene: Scene) -> Flops:
    """Run the scene under torch's FlopCounterMode: as long as the scene takes, and at the first call some seconds
    more, in which the mode imports torch's compiler (not in the executable, which has none).
    """
    given = matrices(scene)
    # Not inference_mode: the counter sees no operations there.
    with torch.no_grad():
        with FlopCounterMode(display=False) as counter:
            found = stages(scene, given)
        fused = None
        if not sdpa_reason(scene):
            with FlopCounterMode(display=False) as fused_counter:
                F.scaled_dot_product_attention(
                    found["q"][None],
                    found["k"][None],
                    found["v"][None],
                    enable_gqa=scene.groups != scene.heads,
                )
            fused = fused_counter.get_total_flops()
    return Flops(multiply_adds(Sizes.of(scene)), counter.get_total_flops(), fused)
