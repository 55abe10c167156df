"""nn.MultiheadAttention: the session computes what the module computed, and the module computes as ever."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from explorer.attention import attend
from explorer.capture import CaptureError, capture
from explorer.files.session import load
from explorer.scene import Scene

MASKS: Mapping[str, torch.Tensor] = {
    "hides": torch.triu(torch.ones(5, 5, dtype=torch.bool), diagonal=1),
    "added": torch.triu(torch.full((5, 5), -torch.inf), diagonal=1),
}
PADDING = torch.tensor([[False] * 5, [False, False, False, True, True]])
PADDINGS = {"hides": PADDING, "added": torch.zeros(2, 5).masked_fill(PADDING, -torch.inf)}


def random_module(**settings: Any) -> nn.MultiheadAttention:
    torch.manual_seed(1)
    module = nn.MultiheadAttention(12, 3, **settings)
    with torch.no_grad():
        for parameter in module.parameters():  # biases start at 0 and would hide a mistake
            parameter.normal_()
    return module


def captured(folder: Path, module: nn.Module, *args: Any, **kwargs: Any) -> tuple[Any, list[Scene]]:
    """What the module returned, and the session of each item of the batch."""
    with capture(module, folder, items=None):
        result = module(*args, **kwargs)
    return result, [load(path) for path in sorted(folder.glob("*.attn.json"))]


def agrees(scenes: list[Scene], output: torch.Tensor, weights: torch.Tensor | None) -> None:
    """`output` (B, n, D); `weights` (B, H, n, m)."""
    assert len(scenes) == len(output)
    for item, scene in enumerate(scenes):
        trace = attend(scene)
        assert np.abs(trace.output - output[item].detach().numpy()).max() < 1e-5
        assert scene.extra["capture"]["difference"] < 1e-5
        if weights is not None:
            assert np.abs(trace.weights - weights[item].detach().numpy()).max() < 1e-6


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("mask", MASKS)
def test_self_attention_with_masks(tmp_path: Path, batch_first: bool, bias: bool, mask: str) -> None:
    module = random_module(batch_first=batch_first, bias=bias)
    x = torch.randn(2, 5, 12) if batch_first else torch.randn(5, 2, 12)
    (output, weights), scenes = captured(
        tmp_path, module, x, x, x,
        attn_mask=MASKS[mask], key_padding_mask=PADDINGS[mask], average_attn_weights=False,
    )  # fmt: skip
    agrees(scenes, output if batch_first else output.transpose(0, 1), weights)
    assert [[m.kind for m in scene.mask] for scene in scenes] == [["causal"], ["causal", "padding"]]
    assert (scenes[0].b_q is not None) == bias and scenes[0].title == "attention"


@pytest.mark.parametrize("extra_keys", [False, True])
def test_cross_attention_with_widths_of_its_own(tmp_path: Path, extra_keys: bool) -> None:
    module = random_module(kdim=7, vdim=5, batch_first=True, add_bias_kv=extra_keys, add_zero_attn=extra_keys)
    q, k, v = torch.randn(2, 4, 12), torch.randn(2, 6, 7), torch.randn(2, 6, 5)
    (output, weights), scenes = captured(tmp_path, module, q, k, v, average_attn_weights=False)
    agrees(scenes, output, weights)
    assert scenes[0].m == 6 + 2 * extra_keys
    if extra_keys:
        assert scenes[0].context_tokens[-2:] == ("bias", "zero")


def test_cross_attention_of_one_context(tmp_path: Path) -> None:
    module = random_module(batch_first=True)
    q, k = torch.randn(2, 4, 12), torch.randn(2, 6, 12)
    (output, _), scenes = captured(tmp_path, module, q, k, k)
    agrees(scenes, output, None)
    assert scenes[0].d_context == 12


def test_values_of_other_rows_than_keys(tmp_path: Path) -> None:
    module = random_module(batch_first=True)
    x, v = torch.randn(2, 4, 12), torch.randn(2, 4, 12)
    (output, _), scenes = captured(tmp_path, module, x, x, v)
    agrees(scenes, output, None)
    assert scenes[0].d_context == 24


def test_rows_alone_and_a_row_that_sees_nothing(tmp_path: Path) -> None:
    module = random_module()
    mask = torch.zeros(4, 4, dtype=torch.bool)
    mask[2] = True
    x = torch.randn(4, 12)
    (output, _), (scene,) = captured(tmp_path, module, x, x, x, attn_mask=mask)
    assert output[2].isnan().all()  # as torch has it
    ours = attend(scene)
    assert not ours.weights[:, 2].any()
    assert np.abs(ours.output - output.detach().numpy())[[0, 1, 3]].max() < 1e-5


@pytest.mark.parametrize("per_head", [False, True])
def test_numbers_that_are_added_to_the_scores(tmp_path: Path, per_head: bool) -> None:
    """A mask of numbers, in torch, is added: what is far below hides, the rest is a bias."""
    module = random_module(batch_first=True)
    x = torch.randn(2, 5, 12)
    mask = torch.randn(6, 5, 5) if per_head else torch.randn(5, 5)
    mask = mask + MASKS["added"]
    (output, weights), scenes = captured(
        tmp_path,
        module,
        x,
        x,
        x,
        attn_mask=mask,
        key_padding_mask=PADDINGS["added"],
        average_attn_weights=False,
    )
    agrees(scenes, output, weights)
    seen = ~MASKS["hides"].numpy()
    if per_head:
        assert np.allclose(scenes[1].bias[:, 3, :3], mask[3:, 3, :3])
    else:
        assert np.array_equal(scenes[0].bias[seen], mask.numpy()[seen])
    assert [m.kind for m in scenes[0].mask] == ["causal"]


def test_a_mask_per_head_is_refused_by_name(tmp_path: Path) -> None:
    module = random_module(batch_first=True)
    x = torch.randn(1, 5, 12)
    mask = torch.rand(3, 5, 5) > 0.7
    with pytest.raises(CaptureError, match="attention: each head has a mask of its own"):
        captured(tmp_path, module, x, x, x, attn_mask=mask)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("norm_first", [False, True])
def test_within_an_encoder_layer_torch_keeps_its_fused_path(tmp_path: Path, norm_first: bool) -> None:
    torch.manual_seed(3)
    layer = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, norm_first=norm_first)
    model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    x = torch.randn(2, 5, 16)
    with torch.no_grad():
        plain = model(x, src_key_padding_mask=PADDING)
        with capture(model, tmp_path, items=None):
            assert torch.equal(model(x, src_key_padding_mask=PADDING), plain)  # to the last bit
        # The oracle: what the attention computes of the rows that reach it, outside of the fused path
        first = model.layers[0]
        rows = first.norm1(x) if norm_first else x
        output, weights = first.self_attn(
            rows, rows, rows, key_padding_mask=PADDING, average_attn_weights=False
        )
    for item in range(2):
        scene = load(tmp_path / f"layers.0.self_attn.call1.item{item + 1}.attn.json")
        trace = attend(scene)
        assert np.abs(trace.weights - weights[item].numpy()).max() < 1e-6
        assert np.abs(trace.output - output[item].numpy()).max() < 1e-5
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_tensors_of_the_encoder(tmp_path: Path) -> None:
    torch.manual_seed(3)
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2).eval()
    x = torch.randn(2, 5, 16)
    with torch.no_grad():
        plain = model(x, src_key_padding_mask=PADDING)
        with capture(model, tmp_path, items=None):
            assert torch.equal(model(x, src_key_padding_mask=PADDING), plain)
        weights = model.layers[0].self_attn(x, x, x, key_padding_mask=PADDING)[1]
    scene = load(tmp_path / "layers.0.self_attn.call1.item2.attn.json")
    assert scene.n == 3  # without its padding
    assert np.abs(attend(scene).weights.mean(axis=0) - weights[1, :3, :3].numpy()).max() < 1e-6


def test_training_and_a_decoder_with_cross_attention(tmp_path: Path) -> None:
    torch.manual_seed(4)
    model = nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 4, 32, dropout=0.0), 1)
    target, memory = torch.randn(4, 2, 16), torch.randn(6, 2, 16)
    with capture(model, tmp_path, layers=["layers.0.multihead_attn"]):
        model(target, memory).sum().backward()
    (path,) = tmp_path.iterdir()
    scene = load(path)
    assert scene.is_cross and (scene.n, scene.m) == (4, 6)
    assert scene.extra["capture"] == {
        "module": "layers.0.multihead_attn", "layer": 1, "call": 1, "item": 1,
        "difference": scene.extra["capture"]["difference"],
    }  # fmt: skip
