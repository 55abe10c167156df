"""Layouts whose library is not at hand: against torch's own attention, by hand."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

from explorer.attention.attend import attend
from explorer.checkpoints import CheckpointError, HeadsNeededError, Model

from .oracle import numbers

X = torch.randn(5, 12, generator=torch.Generator().manual_seed(0))


def written(folder: Path, tensors: dict[str, torch.Tensor], name: str = "model.safetensors") -> Path:
    save_file({key: tensor.contiguous() for key, tensor in tensors.items()}, folder / name)
    return folder / name


def random(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape))) * 0.4


def by_hand(joined: torch.Tensor, bias: torch.Tensor, heads: int, causal: bool) -> torch.Tensor:
    """softmax(QKᵀ/√d)V of a joined Linear, rows q, k, v, as torch computes it: (n, D)."""
    q, k, v = (part.view(5, heads, -1).transpose(0, 1) for part in F.linear(X, joined, bias).chunk(3, dim=-1))
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal).transpose(0, 1).reshape(5, -1)


@pytest.mark.parametrize(
    ("family", "names", "causal"),
    [
        ("nanoGPT", ("_orig_mod.transformer.h.0.attn.c_attn", "_orig_mod.transformer.h.0.attn.c_proj"), True),
        ("timm ViT", ("blocks.0.attn.qkv", "blocks.0.attn.proj"), False),
    ],
)
def test_a_joined_linear(tmp_path: Path, family: str, names: tuple[str, str], causal: bool) -> None:
    joined, out = names
    tensors = {
        f"{joined}.weight": random(36, 12), f"{joined}.bias": random(36),
        f"{out}.weight": random(12, 12), f"{out}.bias": random(12),
    }  # fmt: skip
    path = written(tmp_path, tensors)
    with pytest.raises(HeadsNeededError) as asked:
        Model(path).layer(Model(path).spot(0))
    assert asked.value.possible == (1, 2, 3, 4, 6, 12)
    model = Model(path, heads=3)
    assert model.family.name == family
    trace = attend(model.layer(model.spot(0)).scene(numbers(X)))
    heads = by_hand(tensors[f"{joined}.weight"], tensors[f"{joined}.bias"], 3, causal)
    expected = F.linear(heads, tensors[f"{out}.weight"], tensors[f"{out}.bias"])
    assert trace.output == pytest.approx(numbers(expected), abs=1e-5)


def test_gpt2_without_config_is_told_by_its_shape(tmp_path: Path) -> None:
    names = (
        "h.0.attn.c_attn.weight",
        "h.0.attn.c_attn.bias",
        "h.0.attn.c_proj.weight",
        "h.0.attn.c_proj.bias",
    )
    shapes = ((12, 36), (36,), (12, 12), (12,))
    path = written(tmp_path, {n: random(*s) for n, s in zip(names, shapes, strict=True)})
    assert Model(path, heads=2).family.name == "GPT-2"


@pytest.mark.parametrize("widths", [{}, {"kdim": 7, "vdim": 7}])
def test_torch_s_own_module(tmp_path: Path, widths: dict[str, int]) -> None:
    torch.manual_seed(0)
    layer = nn.MultiheadAttention(12, 3, batch_first=True, **widths)
    nn.init.normal_(layer.in_proj_bias)
    path = written(tmp_path, {f"decoder.{name}": t for name, t in layer.state_dict().items()})
    model = Model(path, heads=3)
    found = model.layer(model.spot(0))
    context = torch.randn(4, 7) if widths else X
    output, weights = layer(X[None], context[None], context[None], average_attn_weights=False)
    trace = attend(found.scene(numbers(X), numbers(context) if found.is_cross else None))
    assert trace.weights == pytest.approx(numbers(weights[0]), abs=1e-5)
    assert trace.output == pytest.approx(numbers(output[0]), abs=1e-5)


def test_shards_are_found_through_the_index(tmp_path: Path) -> None:
    first = {f"h.0.attn.c_attn.{k}": random(*s) for k, s in (("weight", (12, 36)), ("bias", (36,)))}
    second = {f"h.0.attn.c_proj.{k}": random(*s) for k, s in (("weight", (12, 12)), ("bias", (12,)))}
    written(tmp_path, first, "model-1.safetensors")
    written(tmp_path, second, "model-2.safetensors")
    places = dict.fromkeys(first, "model-1.safetensors") | dict.fromkeys(second, "model-2.safetensors")
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(str({"weight_map": places}).replace("'", '"'), encoding="utf-8")
    for path in (tmp_path, index):
        model = Model(path, heads=2)
        w_o = model.layer(model.spot(0)).matrices.w_o
        assert np.array_equal(w_o, numbers(second["h.0.attn.c_proj.weight"]))


def test_a_torch_file(tmp_path: Path) -> None:
    layer = nn.MultiheadAttention(4, 2)
    torch.save(layer.state_dict(), tmp_path / "pytorch_model.bin")
    assert Model(tmp_path, heads=2).family.name == "nn.MultiheadAttention"


# ---- refused ----

LLAMA = {
    "model.layers.0.self_attn.q_proj.weight": random(12, 12),
    "model.layers.0.self_attn.k_proj.weight": random(6, 12),
    "model.layers.0.self_attn.v_proj.weight": random(6, 12),
    "model.layers.0.self_attn.o_proj.weight": random(12, 12),
}
CONFIG = '"model_type": "llama", "num_attention_heads": 2, "num_key_value_heads": 1'


def refusal(folder: Path, tensors: dict[str, torch.Tensor], config: str = "") -> str:
    written(folder, tensors)
    if config:
        (folder / "config.json").write_text(f"{{{config}}}", encoding="utf-8")
    with pytest.raises(CheckpointError) as refused:
        model = Model(folder)
        model.layer(model.spot(0))
    return str(refused.value)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("", "only config.json tells which"),
        ('"model_type": "mamba"', "the model type 'mamba' is not known"),
        ('"model_type": "bert"', "config.json says 'bert', but no tensor is named as in BERT"),
        (f'{CONFIG}, "quantization_config": {{"quant_method": "gptq"}}', "quantised (gptq)"),
        (CONFIG.replace("2", "5"), "5 heads do not divide its width of 12"),
        (CONFIG.replace("2", '"many"'), "num_attention_heads is 'many' but must be a count from 1"),
        (CONFIG.replace("2", "true"), "but must be a count from 1"),
        (CONFIG.replace(": 1", ": 2"), "num_key_value_heads is 2, but its keys are 6 wide"),
        (f'{CONFIG}, "head_dim": 4', "head_dim is 4, but its tensors have heads of width 6"),
        (f'{CONFIG}, "rope_scaling": {{"type": "dynamic", "factor": 2}}', "scaled by dynamic are not known"),
        (
            f'{CONFIG}, "rope_scaling": {{"type": "yarn", "factor": 2, "original_max_position_embeddings": 8,'
            ' "mscale": 1.0}',
            "this sort of yarn",
        ),
        (
            f'{CONFIG}, "rope_scaling": {{"type": "longrope", "short_factor": [1, "a"],'
            ' "original_max_position_embeddings": 8}',
            "must be a list of numbers above 0",
        ),
        (
            f'{CONFIG}, "rope_scaling": {{"type": "longrope", "short_factor": [1, 2], "long_factor": [1, 2],'
            ' "original_max_position_embeddings": 8}',
            "short_factor has 2 numbers, but 3 pairs are turned",
        ),
        (f'{CONFIG}, "partial_rotary_factor": 1e308', "would turn 2147483648 of 6 columns"),
        (f'{CONFIG}, "rope_theta": "big"', "rope_theta is 'big' but must be a number above 0"),
        (
            f'{CONFIG}, "rope_scaling": {{"type": "linear", "factor": 5e-324}}',
            "turn too fast to be calculated",
        ),
        (
            f'{CONFIG}, "partial_rotary_factor": 0.34',
            "would turn 2 of 6 columns",
        ),  # Llama's library turns all
        (f'{CONFIG}, "attention_bias": true', "attention_bias is true, but its tensors have no biases"),
        (f'{CONFIG}, "is_causal": false', "is_causal is false, and such a model is not known here"),
        (
            f'{CONFIG}, "rope_parameters": {{"rope_type": "default"}}, "rope_scaling": {{"type": "linear"}}',
            "it has rope_parameters and rope_scaling, and cannot mean both",
        ),
        (
            f'{CONFIG.replace("llama", "gemma2")}, "sliding_window": 2, "layer_types": ["chunked_attention"]',
            "layers of the type chunked_attention are not known here",
        ),
    ],
)
def test_what_would_be_a_guess_is_refused(tmp_path: Path, config: str, said: str) -> None:
    assert said in refusal(tmp_path, LLAMA, config)


def test_an_odd_head_cannot_be_turned(tmp_path: Path) -> None:
    assert "would turn 3 of 3 columns" in refusal(
        tmp_path, LLAMA, CONFIG.replace("2", "4").replace(": 1", ": 2")
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"model.layers.0.self_attn.q_norm.weight": random(3)},
            "not known here: model.layers.0.self_attn.q_norm",
        ),
        (
            {
                f"model.layers.0.self_attn.{name}_proj.bias": random(count)
                for name, count in zip("qkvo", (12, 6, 6, 12), strict=True)
            },
            "attention_bias is false, but its tensors have biases",
        ),
        ({"model.layers.0.self_attn.k_proj.weight": random(6, 12).to(torch.int8)}, "stored as I8: quantised"),
        ({"model.layers.0.self_attn.o_proj.weight": random(12)}, "has the shape 12 but must have any × any"),
    ],
)
def test_a_layer_that_is_not_quite_it(tmp_path: Path, change: dict[str, torch.Tensor], said: str) -> None:
    assert said in refusal(tmp_path, LLAMA | change, f'{CONFIG}, "attention_bias": false')


def test_a_joined_bias_that_the_family_has_not(tmp_path: Path) -> None:
    name = "model.layers.0.self_attn"
    tensors = {
        f"{name}.qkv_proj.weight": random(24, 12),
        f"{name}.qkv_proj.bias": random(24),
        f"{name}.o_proj.weight": random(12, 12),
    }
    assert f"a tensor that is not known here: {name}.qkv_proj.bias" in refusal(
        tmp_path, tensors, CONFIG.replace("llama", "phi3")
    )


def test_only_mistral_has_mistral_s_window(tmp_path: Path) -> None:
    """Llama's own library reads no such key, whatever the file says."""
    written(tmp_path, LLAMA)
    for model_type, window in (("llama", None), ("mistral", 3)):
        config = f'{{{CONFIG.replace("llama", model_type)}, "sliding_window": 3}}'
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
        model = Model(tmp_path)
        assert model.layer(model.spot(0)).window == window


def test_what_is_at_the_top_of_a_config_counts(tmp_path: Path) -> None:
    """As in the library: original_max_position_embeddings at the top goes before the one beside the factor."""
    written(tmp_path, LLAMA)
    scaled = '"type": "yarn", "factor": 4, "original_max_position_embeddings": 64'
    found = []
    for config in (
        f'{CONFIG}, "rope_scaling": {{{scaled}}}, "original_max_position_embeddings": 8',
        f'{CONFIG}, "rope_scaling": {{{scaled.replace("64", "8")}}}',
    ):
        (tmp_path / "config.json").write_text(f"{{{config}}}", encoding="utf-8")
        found.append(Model(tmp_path).layer(Model(tmp_path).spot(0)).position.frequencies)
    assert np.array_equal(*found)


OTHERS = {  # the names of a family that is known, in a whole model of one that is not
    "Qwen's first": ("transformer.h.0.attn.c_attn.weight", (36, 12), "transformer.wte.weight", "transformer.wpe"),
    "Jais": ("transformer.h.0.attn.c_attn.weight", (12, 36), "transformer.wte.weight", "transformer.wpe"),
    "RoFormer": (
        "roformer.encoder.layer.0.attention.self.query.weight", (12, 12),
        "roformer.embeddings.word_embeddings.weight", "roformer.embeddings.position_embeddings",
    ),
    "Falcon": (
        "transformer.h.0.self_attention.query_key_value.weight", (36, 12), "transformer.word_embeddings.weight",
        "transformer.word_embeddings_layernorm",
    ),
    "DINOv3": ("blocks.0.attn.qkv.weight", (36, 12), "patch_embed.proj.weight", "pos_embed"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_another_family_of_the_same_names(tmp_path: Path, name: str) -> None:
    layer, shape, shared, lacking = OTHERS[name]
    said = refusal(tmp_path, {layer: random(*shape), shared: random(50, 12)})
    assert f"but such a model has a tensor {lacking}" in said
    assert said.endswith("has none: it is of another family.")


def test_quantised_names(tmp_path: Path) -> None:
    name = "model.layers.0.self_attn.v_proj"
    tensors = {k: t for k, t in LLAMA.items() if not k.startswith(name)} | {f"{name}.qweight": random(6, 12)}
    assert f"{name}.qweight: quantised weights are not read" in refusal(tmp_path, tensors, CONFIG)


def test_gguf(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF" + bytes(60))
    for path in (tmp_path, tmp_path / "model.gguf"):
        with pytest.raises(CheckpointError, match="quantised; only plain weights are read"):
            Model(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "it holds a list but must hold an object"),
        ('{"weight_map": {"a": "../b.safetensors"}}', "which is no file of its folder"),
        ('{"weight_map": {"a": "b.exe"}}', "which is no file of its folder"),
        ('{"weight_map": {}}', "weight_map is"),
        ('{"weight_map": {"a": "%s.bin"}}' % ("b" * 300), "which is no file of its folder"),
        (
            '{"weight_map": {"a": "b.bin", "%s": "b.bin"}}' % ("c" * 300),
            "tensor 2 is longer than 200 characters",
        ),
        ('{"weight_map": {"a\\nb": "b.bin"}}', "cannot be printed"),
        ('{"weight_map": {"blocks.0.attn.qkv.weight": "gone.safetensors"}}', "gone.safetensors"),
        ("{", "model.safetensors.index.json"),
    ],
)
def test_a_hostile_index(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "model.safetensors.index.json").write_text(content, encoding="utf-8")
    with pytest.raises(CheckpointError, match=said.replace("(", r"\(")):
        model = Model(tmp_path, heads=1)
        model.layer(model.spot(0))


def test_a_file_that_is_written_anew_meanwhile(tmp_path: Path) -> None:
    """What the first look told about where its numbers lie does not hold for the second file."""
    mha = {"a.in_proj_weight": random(36, 12), "a.out_proj.weight": random(12, 12)}
    path = written(tmp_path, mha)
    model = Model(path, heads=3)
    written(tmp_path, {"before": random(7)} | mha)
    with pytest.raises(CheckpointError, match="another program has changed it meanwhile; open it again"):
        model.layer(model.spot(0))
    assert np.array_equal(Model(path, heads=3).layer(model.spot(0)).matrices.w_o, numbers(random(12, 12).T))


def test_a_number_of_a_layer_has_one_spelling(tmp_path: Path) -> None:
    def layer(number: str, rows: int) -> dict[str, torch.Tensor]:
        return {
            f"blocks.{number}.attn.qkv.weight": random(3 * rows, 12),
            f"blocks.{number}.attn.proj.weight": random(rows, 12),
        }

    path = written(tmp_path, layer("7", 12) | layer("07", 6) | layer("٧", 24))
    model = Model(path, heads=3)
    assert [(spot.number, spot.prefix) for spot in model.spots] == [(7, "blocks.7.attn.")]
    assert np.array_equal(model.layer(model.spot(7)).matrices.w_o, numbers(random(12, 12).T))


def test_one_name_for_two_tensors(tmp_path: Path) -> None:
    tensors = {
        "in_proj_weight": random(36, 12),
        "out_proj.weight": random(12, 12),
        "out_proj": {"weight": random(4, 4)},
    }
    torch.save(tensors, tmp_path / "pytorch_model.bin")
    with pytest.raises(CheckpointError, match='it has two tensors "out_proj.weight"'):
        Model(tmp_path, heads=3)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="holds no model. Put the model's config.json"):
        Model(tmp_path)
    with pytest.raises(CheckpointError, match="Nothing is fetched"):
        Model(tmp_path / "gone")
    (tmp_path / "pickle.bin").write_bytes(b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94.")
    with pytest.raises(CheckpointError, match="never loaded|no whole"):
        Model(tmp_path)


@pytest.mark.parametrize("rows", [12, 35, 39])
def test_a_joined_projection_that_is_not_three(tmp_path: Path, rows: int) -> None:
    for prefix, out, config in (
        (
            "h.0.self_attention.query_key_value",
            "h.0.self_attention.dense",
            '{"model_type": "bloom", "n_head": 3}',
        ),
        ("blocks.0.attn.qkv", "blocks.0.attn.proj", "{}"),
    ):
        written(tmp_path, {f"{prefix}.weight": random(rows, 12), f"{out}.weight": random(12, 12)})
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
        with pytest.raises(CheckpointError, match=f"{rows} wide, which is not three times 12|no family"):
            model = Model(tmp_path, heads=3)
            model.layer(model.spot(0))


@pytest.mark.parametrize(("buckets", "farthest"), [(8, 2), (8, 1), (2, 12), (3, 12), (1, 1)])
def test_t5_with_no_room_for_its_logarithm(tmp_path: Path, buckets: int, farthest: int) -> None:
    at = "encoder.block.0.layer.0.SelfAttention."
    tensors = {f"{at}{name}.weight": random(12, 12) for name in "qkvo"}
    written(tmp_path, tensors | {f"{at}relative_attention_bias.weight": random(buckets, 3)})
    config = {"model_type": "t5", "num_heads": 3, "d_kv": 4, "relative_attention_num_buckets": buckets,
              "relative_attention_max_distance": farthest}  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    model = Model(tmp_path)
    with pytest.raises(CheckpointError, match="leave no logarithm between them"):
        model.layer(model.spot(0))
