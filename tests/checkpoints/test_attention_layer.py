"""A whole nn.MultiheadAttention out of a file computes what the module computes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import save_file

from explorer.attention import attend
from explorer.attention.masks import Causal
from explorer.checkpoints.attention_layer import fill, layers
from explorer.files.arrays import ArrayFile, load
from explorer.scene import Scene
from tests.attention.random_scenes import scenes


def module(width: int, heads: int, source: int | None = None, **options: Any) -> torch.nn.MultiheadAttention:
    made = torch.nn.MultiheadAttention(
        width, heads, batch_first=True, kdim=source, vdim=source, dtype=torch.float64, **options
    )
    for parameter in made.parameters():  # the biases begin as zeros
        torch.nn.init.normal_(parameter)
    return made.eval()


def saved(made: torch.nn.Module, path: Path) -> ArrayFile:
    torch.save(made.state_dict(), path)
    return load(path)


def start(**changes: Any) -> Scene:
    eye = np.eye(2)
    return Scene(**{"x": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "w_q": eye, "w_k": eye, "w_v": eye} | changes)


@pytest.mark.parametrize(
    ("width", "heads", "source", "bias", "cross"),
    [(4, 2, None, True, False), (2, 1, None, False, False), (6, 3, 5, True, True), (4, 4, 4, True, True),
     (6, 2, 3, False, False), (1, 1, None, True, True)],
)  # fmt: skip
def test_computes_what_the_module_computes(
    tmp_path: Path, width: int, heads: int, source: int | None, bias: bool, cross: bool
) -> None:
    made = module(width, heads, source, bias=bias)
    scene = start(scale=3.0, softcap=2.0, context=np.ones((4, 2)) * [[1], [2], [3], [4]] if cross else None)
    file = saved(made, tmp_path / "a.pt")
    (layer,) = layers(file)
    assert (layer.prefix, layer.width, layer.source) == ("", width, source or width)
    filled = fill(scene, file, layer, heads)
    assert filled.n == 3 and filled.heads == heads and filled.tokens == scene.tokens
    x, context = (torch.tensor(np.array(values))[None] for values in (filled.x, filled.source))
    output, weights = made(x, context, context, average_attn_weights=False)
    trace = attend(filled)
    np.testing.assert_allclose(trace.output, output[0].detach().numpy(), atol=1e-12)
    np.testing.assert_allclose(trace.weights, weights[0].detach().numpy(), atol=1e-12)
    assert (filled.b_q is None) is not bias
    assert filled.is_cross is (cross or source not in (None, width))


def test_bit_for_bit(tmp_path: Path) -> None:
    made = module(4, 2)
    filled = fill(start(), file := saved(made, tmp_path / "a.pt"), layers(file)[0], 2)
    weight = made.in_proj_weight.detach().numpy()
    assert filled.w_q.tobytes() == np.ascontiguousarray(weight[:4].T).tobytes()
    assert filled.w_v.tobytes() == np.ascontiguousarray(weight[8:].T).tobytes()
    assert filled.b_o is not None and filled.b_o.tobytes() == made.out_proj.bias.detach().numpy().tobytes()


def test_x_and_the_mask_stay(tmp_path: Path) -> None:
    scene = start(mask=(Causal(),), tokens=("a", "b", "c"))
    file = saved(module(4, 2), tmp_path / "a.pt")
    filled = fill(scene, file, layers(file)[0], 4)
    assert filled.x.tolist() == [[1, 2, 0, 0], [3, 4, 0, 0], [5, 6, 0, 0]]
    assert filled.mask == scene.mask and filled.tokens == scene.tokens
    narrow = saved(module(1, 1), tmp_path / "b.pt")
    assert fill(scene, narrow, layers(narrow)[0], 1).x.tolist() == [[1], [3], [5]]


@given(scene=scenes(), cross=st.booleans())
def test_fills_any_scene(tmp_path_factory: pytest.TempPathFactory, scene: Scene, cross: bool) -> None:
    path = tmp_path_factory.getbasetemp() / f"layer-{cross}.pt"
    file = load(path) if path.exists() else saved(module(4, 2, 3 if cross else None), path)
    filled = fill(scene, file, layers(file)[0], 2)
    assert filled.n == scene.n and filled.m == scene.m
    assert (filled.d_model, filled.d_context) == (4, 3 if cross else 4)


def test_several_layers_by_their_names(tmp_path: Path) -> None:
    made = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 2)
    save_file({k: v.contiguous() for k, v in made.state_dict().items()}, tmp_path / "a.safetensors")
    file = load(tmp_path / "a.safetensors")
    assert [layer.prefix for layer in layers(file)] == ["layers.0.self_attn.", "layers.1.self_attn."]
    filled = fill(start(), file, layers(file)[1], 2)
    weight = made.layers[1].self_attn.in_proj_weight[:4].T.detach().numpy()
    assert filled.w_q.tolist() == weight.tolist()


def test_what_is_no_whole_layer(tmp_path: Path) -> None:
    eye = torch.eye(4)
    whole = {"in_proj_weight": torch.ones(12, 4), "out_proj.weight": eye}
    for number, changes in enumerate(
        (
            {"in_proj_weight": torch.ones(12, 3)}, {"out_proj.weight": torch.ones(4, 3)},
            {"out_proj.weight": None}, {"in_proj_bias": torch.ones(11)}, {"bias_k": torch.ones(1, 1, 4)},
            {"out_proj.weight": torch.ones(0, 0)}, {"out_proj.weight": torch.ones(4)},
            {"in_proj_weight": None, "q_proj_weight": eye, "k_proj_weight": torch.ones(4, 3), "v_proj_weight": eye},
        )
    ):  # fmt: skip
        content = {k: v for k, v in (whole | changes).items() if v is not None}
        torch.save(content, tmp_path / f"{number}.pt")
        assert layers(load(tmp_path / f"{number}.pt")) == (), changes
    torch.save(whole, tmp_path / "a.pt")
    (layer,) = layers(load(tmp_path / "a.pt"))
    assert layer.possible_heads == (1, 2, 4)
