"""A small transformer of the kind people write themselves, also as one of several processes that divide its heads."""

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Grouped heads; causal; computed by hand, by torch's own product, or head by head."""

    def __init__(
        self, width: int = 16, heads: int = 4, groups: int = 2, d: int = 6, how: str = "by hand"
    ) -> None:
        super().__init__()
        self.heads, self.groups, self.d, self.how, self.scale = heads, groups, d, how, d**-0.5
        self.wq = nn.Linear(width, heads * d)
        self.wk = nn.Linear(width, groups * d, bias=False)
        self.wv = nn.Linear(width, groups * d)
        self.wo = nn.Linear(heads * d, width)

    def forward(self, x: torch.Tensor, context: torch.Tensor | None = None) -> torch.Tensor:
        source = x if context is None else context
        q, k, v = (
            rows.unflatten(-1, (-1, self.d)).transpose(1, 2)
            for rows in (self.wq(x), self.wk(source), self.wv(source))
        )
        k, v = (rows.repeat_interleave(q.shape[1] // k.shape[1], dim=1) for rows in (k, v))
        visible = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool)
        visible = visible if context is not None else visible.tril()
        scores = (q @ k.mT * self.scale).masked_fill(~visible, -1e9)
        if self.how == "by torch":
            rows = F.scaled_dot_product_attention(q, k, v, is_causal=context is None, scale=self.scale)
        elif self.how == "by head":
            rows = torch.stack([scores[:, h].softmax(-1) @ v[:, h] for h in range(q.shape[1])], dim=1)
        else:
            rows = torch.softmax(scores, dim=-1) @ v
        return self.wo(rows.transpose(1, 2).flatten(2))


class Packed(nn.Module):
    """One joined projection: q, k, v one after another, or each head's own."""

    def __init__(self, per_head: bool) -> None:
        super().__init__()
        self.per_head = per_head
        self.qkv, self.proj = nn.Linear(12, 36), nn.Linear(12, 12)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        sizes = (3, 3, 4)  # heads, (q, k, v), d; or (q, k, v), heads, d
        parts = self.qkv(x).unflatten(-1, sizes).unbind(-2 if self.per_head else -3)
        q, k, v = (rows.transpose(1, 2) for rows in parts)
        return self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


class Model(nn.Module):
    def __init__(self, blocks: list[nn.Module]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(nn.ModuleDict({"attn": block}) for block in blocks)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = x + block["attn"](F.layer_norm(x, x.shape[-1:]))
        return x


def randomised(model: nn.Module, seed: int = 0) -> nn.Module:
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.3)
    return model
