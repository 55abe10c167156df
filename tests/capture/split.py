"""One of several processes that divide a layer's heads: started by torchrun with a folder and who divides them."""

import sys
import warnings

import torch
from models import Attention, Model, randomised
from torch import nn

from explorer.capture import capture

warnings.simplefilter("error")
HEADS, D = 4, 6
NAMES = {"blocks.*.attn": ("wq", "wk", "wv", "wo")}


class Summed(nn.Linear):
    """Row-parallel: the parts are added, then the bias once."""

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        part = nn.functional.linear(rows, self.weight)
        torch.distributed.all_reduce(part)
        return part + self.bias


def by_hand(model: nn.Module, groups: int, rank: int, ranks: int) -> nn.Module:
    """Each process has its own heads, and of the K/V heads those they read, as Megatron does it."""
    part = Model([Attention(heads=HEADS // ranks, groups=max(1, groups // ranks)) for _ in model.blocks])
    for whole, own in zip(model.blocks, part.blocks, strict=True):
        old, new = whole["attn"], own["attn"]
        queries = slice(rank * HEADS // ranks * D, (rank + 1) * HEADS // ranks * D)
        first = rank * groups // ranks
        keys = slice(first * D, (first + new.groups) * D)
        new.wo = Summed(*reversed(new.wo.weight.shape))
        with torch.no_grad():
            for name, rows in (("wq", queries), ("wk", keys), ("wv", keys)):
                getattr(new, name).weight.copy_(getattr(old, name).weight[rows])
                if getattr(old, name).bias is not None:
                    getattr(new, name).bias.copy_(getattr(old, name).bias[rows])
            new.wo.weight.copy_(old.wo.weight[:, queries])
            new.wo.bias.copy_(old.wo.bias)
    return part


def by_torch(model: nn.Module, ranks: int) -> nn.Module:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    plan = {f"blocks.*.attn.{name}": ColwiseParallel() for name in ("wq", "wk", "wv")}
    plan["blocks.*.attn.wo"] = RowwiseParallel()
    return parallelize_module(model, init_device_mesh("cpu", (ranks,)), plan)


def main(folder: str, who: str, groups: int) -> None:
    torch.distributed.init_process_group("gloo")
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    model = randomised(Model([Attention(groups=groups) for _ in range(2)]))
    x = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(7))
    part = by_torch(model, ranks) if who == "by torch" else by_hand(model, groups, rank, ranks)
    with torch.no_grad(), capture(part, folder, projections=NAMES, tensor_parallel=who == "by hand"):
        part(x)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
