"""timm's vision transformer, written out anew as its blocks compute: read from a file and captured, both agree."""

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from explorer.attention import attend
from explorer.capture import capture
from explorer.checkpoints import CheckpointError, Model
from explorer.files.session import load

from .oracle import numbers, randomised

WIDTH, HEADS = 20, 4


class Attention(nn.Module):
    """Wightman's: rows of the joined Linear are q, k, v, each of all heads; the queries are scaled, not the scores."""

    def __init__(self, qkv_bias: bool, qk_norm: bool) -> None:
        super().__init__()
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH, bias=qkv_bias), nn.Linear(WIDTH, WIDTH)
        if qk_norm:
            self.q_norm, self.k_norm = nn.LayerNorm(WIDTH // HEADS), nn.LayerNorm(WIDTH // HEADS)
        self.seen: dict[str, torch.Tensor] = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, tokens, width = x.shape
        qkv = self.qkv(x).reshape(batch, tokens, 3, HEADS, width // HEADS)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        weights = (q * (width // HEADS) ** -0.5 @ k.transpose(-2, -1)).softmax(dim=-1)
        output = self.proj((weights @ v).transpose(1, 2).reshape(batch, tokens, width))
        self.seen = {"x": x[0], "weights": weights[0], "output": output[0]}
        return output


class Block(nn.Module):
    def __init__(self, qkv_bias: bool, qk_norm: bool) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attn = Attention(qkv_bias, qk_norm)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    """Patches of 4 × 4 of one channel, a class token, learned places."""

    def __init__(self, qkv_bias: bool = True, qk_norm: bool = False) -> None:
        super().__init__()
        self.cls_token = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.pos_embed = nn.Parameter(torch.zeros(1, 7, WIDTH))
        self.patch_embed = nn.Conv2d(1, WIDTH, 4, 4)
        self.blocks = nn.Sequential(*(Block(qkv_bias, qk_norm) for _ in range(3)))
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 5)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        rows = self.patch_embed(pixels).flatten(2).transpose(1, 2)
        rows = torch.cat([self.cls_token.expand(len(rows), -1, -1), rows], dim=1) + self.pos_embed
        return self.head(self.norm(self.blocks(rows))[:, 0])


def model(**settings: bool) -> nn.Module:
    return randomised(ViT(**settings))


PIXELS = torch.randn(2, 1, 8, 12, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("qkv_bias", [True, False])
def test_every_layer_from_a_file(tmp_path: Path, qkv_bias: bool) -> None:
    vit = model(qkv_bias=qkv_bias)
    save_file(vit.state_dict(), tmp_path / "model.safetensors")
    with torch.no_grad():
        vit(PIXELS)
    opened = Model(tmp_path, heads=HEADS)
    assert (opened.family.name, len(opened.spots)) == ("timm ViT", 3)
    for spot, block in zip(opened.spots, vit.blocks, strict=True):
        seen = {name: numbers(tensor) for name, tensor in block.attn.seen.items()}
        trace = attend(opened.layer(spot).scene(seen["x"]))
        assert np.abs(trace.weights - seen["weights"]).max() < 1e-5
        assert np.abs(trace.output - seen["output"]).max() < 1e-5


def test_every_layer_captured(tmp_path: Path) -> None:
    vit = model()
    with torch.no_grad(), capture(vit, tmp_path):
        vit(PIXELS)
    for number, block in enumerate(vit.blocks):
        scene = load(tmp_path / f"blocks.{number}.attn.call1.item1.attn.json")
        assert scene.heads == HEADS
        assert np.abs(attend(scene).weights - numbers(block.attn.seen["weights"])).max() < 1e-5


def test_norms_of_queries_and_keys_are_refused(tmp_path: Path) -> None:
    """They have a mean and a bias, which those of a scene have not."""
    save_file(model(qk_norm=True).state_dict(), tmp_path / "model.safetensors")
    opened = Model(tmp_path, heads=HEADS)
    with pytest.raises(CheckpointError, match="a tensor that is not known here: blocks.0.attn.k_norm.bias"):
        opened.layer(opened.spots[0])
