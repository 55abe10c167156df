"""Tiny models as they lie in a folder: config.json, weights whole or in shards. H = 2 heads of width 4, D = 8."""

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from safetensors.numpy import save

D, H = 8, 2
Shapes = Mapping[str, tuple[int, ...]]

_LLAMA = {
    "num_attention_heads": H,
    "num_key_value_heads": 1,
    "rope_theta": 10000.0,
    "max_position_embeddings": 64,
}
_LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
           "original_max_position_embeddings": 16}  # fmt: skip
_YARN = {"rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 64}
_LONG = {"type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [2.0, 3.0]}
_SORTS = {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000.0},
          "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}  # fmt: skip


def linears(names: str, prefix: str, bias: bool = True, **widths: int) -> dict[str, tuple[int, ...]]:
    """Linears of D inputs each, by their names, D outputs wide where `widths` does not say otherwise."""
    found: dict[str, tuple[int, ...]] = {}
    for name in names.split():
        wide = widths.get(name.rpartition(".")[2], D)
        found[f"{prefix}{name}.weight"] = (wide, D)
        if bias:
            found[f"{prefix}{name}.bias"] = (wide,)
    return found


def llama_like(**more: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Two layers with one K/V head for both heads."""
    found: dict[str, tuple[int, ...]] = {}
    for layer in range(2):
        at = f"model.layers.{layer}.self_attn."
        found |= linears("q_proj k_proj v_proj o_proj", at, bias=False, k_proj=4, v_proj=4)
        found |= {at + name.replace("__", "."): shape for name, shape in more.items()}
    return found


_NORMS: dict[str, tuple[int, ...]] = {"q_norm__weight": (4,), "k_norm__weight": (4,)}
_SIDES = {
    **linears("q_proj k_proj v_proj out_proj", "model.encoder.layers.0.self_attn."),
    **linears("q_proj k_proj v_proj out_proj", "model.decoder.layers.0.self_attn."),
    **linears("q_proj k_proj v_proj out_proj", "model.decoder.layers.0.encoder_attn."),
}
_T5 = {
    **linears("q k v o", "encoder.block.0.layer.0.SelfAttention.", bias=False),
    "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight": (8, H),
    **linears("q k v o", "decoder.block.0.layer.0.SelfAttention.", bias=False),
    "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight": (8, H),
    **linears("q k v o", "decoder.block.0.layer.1.EncDecAttention.", bias=False),
}
_GPT2 = {
    "transformer.h.0.attn.c_attn.weight": (D, 3 * D), "transformer.h.0.attn.c_attn.bias": (3 * D,),
    "transformer.h.0.attn.c_proj.weight": (D, D), "transformer.h.0.attn.c_proj.bias": (D,),
}  # fmt: skip
_MHA = {
    "in_proj_weight": (3 * D, D), "in_proj_bias": (3 * D,), "out_proj.weight": (D, D), "out_proj.bias": (D,),
}  # fmt: skip

MODELS: dict[str, tuple[dict[str, Any] | None, Shapes]] = {
    "gpt2": ({"model_type": "gpt2", "n_head": H, "scale_attn_weights": True,
              "scale_attn_by_inverse_layer_idx": True, "add_cross_attention": False}, _GPT2),
    "bert": ({"model_type": "bert", "num_attention_heads": H, "position_embedding_type": "absolute"},
             linears("self.query self.key self.value output.dense", "bert.encoder.layer.0.attention.")),
    "distilbert": ({"model_type": "distilbert", "n_heads": H},
                   linears("q_lin k_lin v_lin out_lin", "distilbert.transformer.layer.0.attention.")),
    "vit": ({"model_type": "vit", "num_attention_heads": H},
            linears("attention.query attention.key attention.value output.dense", "vit.encoder.layer.0.attention.")),
    "timm": (None, linears("qkv proj", "blocks.0.attn.", qkv=3 * D)),
    "torch": (None, _MHA),
    "clip": ({"model_type": "clip", "text_config": {"num_attention_heads": H}, "vision_config": None},
             linears("q_proj k_proj v_proj out_proj", "text_model.encoder.layers.0.self_attn.")),
    "opt": ({"model_type": "opt", "num_attention_heads": H},
            linears("q_proj k_proj v_proj out_proj", "model.decoder.layers.0.self_attn.")),
    "bart": ({"model_type": "bart", "encoder_attention_heads": H, "decoder_attention_heads": H}, _SIDES),
    "t5": ({"model_type": "t5", "num_heads": H, "d_kv": 4, "relative_attention_num_buckets": 8,
            "relative_attention_max_distance": 12}, _T5),
    "llama": (_LLAMA | {"model_type": "llama", "rope_scaling": _LLAMA3, "head_dim": 4}, llama_like()),
    "mistral": (_LLAMA | {"model_type": "mistral", "sliding_window": 3}, llama_like()),
    "qwen2": (_LLAMA | {"model_type": "qwen2", "rope_parameters": _YARN, "use_sliding_window": True,
                        "sliding_window": 3, "max_window_layers": 1}, llama_like()),
    "qwen3": (_LLAMA | {"model_type": "qwen3", "rms_norm_eps": 1e-6}, llama_like(**_NORMS)),
    "gemma": (_LLAMA | {"model_type": "gemma2", "query_pre_attn_scalar": 7, "attn_logit_softcapping": 50.0,
                        "sliding_window": 3}, llama_like()),
    "gemma3": (_LLAMA | {"model_type": "gemma3_text", "query_pre_attn_scalar": 4, "sliding_window": 3,
                         "layer_types": ["sliding_attention", "full_attention"], "rope_parameters": _SORTS},
               llama_like(**_NORMS)),
    "phi3": (_LLAMA | {"model_type": "phi3", "original_max_position_embeddings": 16, "rope_scaling": _LONG},
             linears("qkv_proj o_proj", "model.layers.0.self_attn.", bias=False, qkv_proj=16)),
    "neox": ({"model_type": "gpt_neox", "num_attention_heads": H, "rotary_pct": 0.5, "rotary_emb_base": 10000},
             linears("query_key_value dense", "gpt_neox.layers.0.attention.", query_key_value=3 * D)),
    "bloom": ({"model_type": "bloom", "n_head": H},
              linears("query_key_value dense", "transformer.h.0.self_attention.", query_key_value=3 * D)),
}  # fmt: skip


def weights(shapes: Shapes) -> dict[str, np.ndarray]:
    """Numbers at random for tensors of such shapes."""
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def configs() -> Iterator[tuple[str, bytes]]:
    """Suffix and content of every config.json; the suffix names the model that it is for."""
    for name, (config, _) in MODELS.items():
        if config is not None:
            yield f".{name}.json", json.dumps(config).encode()


def indexes() -> Iterator[tuple[str, bytes]]:
    """Likewise the indexes of models in two shards."""
    for name in ("llama", "bart", "gpt2"):
        content = {
            "metadata": {"total_size": 1},
            "weight_map": {key: shard for key, shard, _ in shards(name)},
        }
        yield f".{name}.json", json.dumps(content).encode()


def shards(name: str) -> Iterator[tuple[str, str, np.ndarray]]:
    """Tensor, the file that holds it, its numbers."""
    for number, (key, array) in enumerate(weights(MODELS[name][1]).items()):
        yield key, f"model-{1 + number % 2:05}-of-00002.safetensors", array


def whole() -> Iterator[tuple[str, bytes]]:
    """Likewise the weights of every model as a safetensors file, and as torch saves a state dict."""
    import torch

    for name, (_, shapes) in MODELS.items():
        arrays = weights(shapes)
        yield f".{name}.safetensors", save(arrays)
        out = io.BytesIO()
        torch.save({key: torch.from_numpy(array) for key, array in arrays.items()}, out)
        yield f".{name}.bin", out.getvalue()
