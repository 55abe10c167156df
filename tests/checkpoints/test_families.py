"""Each family against its own library: a layer read from the files computes what the library computes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from explorer.attention.attend import attend
from explorer.attention.masks import Padding
from explorer.checkpoints import Model

from .oracle import numbers, randomised, saved, watching

transformers = pytest.importorskip("transformers", reason="the extra `models` is not installed")


class Case(NamedTuple):
    family: str
    model: Callable[[], Any]
    attention: str  # the module of layer {i}
    q: str
    out: str
    part: str = ""
    layers: int = 2


def llama_like(config: str, model: str, **settings: Any) -> Callable[[], Any]:
    sizes = {
        "vocab_size": 50, "hidden_size": 24, "intermediate_size": 16, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "pad_token_id": 0,
    }  # fmt: skip
    return made(config, model, **(sizes | settings))


def made(config: str, model: str, **settings: Any) -> Callable[[], Any]:
    def make() -> Any:
        settings_ = getattr(transformers, config)(**settings)
        settings_._attn_implementation = "eager"
        return getattr(transformers, model)(settings_)

    return make


BERT = dict(
    vocab_size=50, hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=16,
    max_position_embeddings=40,
)  # fmt: skip
T5 = dict(vocab_size=50, d_model=20, d_kv=6, d_ff=16, num_layers=2, num_heads=3)
LLAMA3 = {
    "rope_type": "llama3", "rope_theta": 100.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}  # fmt: skip
LLAMA = ("model.layers.{i}.self_attn", "q_proj", "o_proj")
CASES = {
    "gpt2": Case(
        "GPT-2", made("GPT2Config", "GPT2LMHeadModel", vocab_size=50, n_embd=24, n_layer=2, n_head=3),
        "transformer.h.{i}.attn", "c_attn", "c_proj",
    ),
    "gpt2 by layer": Case(
        "GPT-2", made("GPT2Config", "GPT2Model", vocab_size=50, n_embd=24, n_layer=2, n_head=3,
                      scale_attn_by_inverse_layer_idx=True),
        "h.{i}.attn", "c_attn", "c_proj",
    ),
    "bert": Case(
        "BERT", made("BertConfig", "BertModel", **BERT), "encoder.layer.{i}.attention", "self.query", "output.dense"
    ),
    "roberta": Case(
        "BERT", made("RobertaConfig", "RobertaForMaskedLM", **BERT),
        "roberta.encoder.layer.{i}.attention", "self.query", "output.dense",
    ),
    "distilbert": Case(
        "DistilBERT", made("DistilBertConfig", "DistilBertModel", vocab_size=50, dim=24, n_layers=2, n_heads=3,
                           hidden_dim=16),
        "transformer.layer.{i}.attention", "q_lin", "out_lin",
    ),
    "opt": Case(
        "OPT", made("OPTConfig", "OPTModel", vocab_size=50, hidden_size=24, num_hidden_layers=2,
                    num_attention_heads=3, ffn_dim=16, word_embed_proj_dim=24, max_position_embeddings=40),
        "decoder.layers.{i}.self_attn", "q_proj", "out_proj",
    ),
    "llama": Case("Llama", llama_like("LlamaConfig", "LlamaForCausalLM"), *LLAMA),
    "llama wide heads": Case(
        "Llama", llama_like("LlamaConfig", "LlamaForCausalLM", head_dim=10, num_key_value_heads=1,
                            attention_bias=True), *LLAMA,
    ),
    "llama 3.1": Case("Llama", llama_like("LlamaConfig", "LlamaForCausalLM", rope_parameters=LLAMA3), *LLAMA),
    "llama linear": Case(
        "Llama", llama_like("LlamaConfig", "LlamaForCausalLM",
                            rope_parameters={"rope_type": "linear", "rope_theta": 500.0, "factor": 4.0}), *LLAMA,
    ),
    "mistral": Case(
        "Llama", llama_like("MistralConfig", "MistralForCausalLM", sliding_window=3, head_dim=8), *LLAMA
    ),
    "qwen2": Case("Qwen", llama_like("Qwen2Config", "Qwen2ForCausalLM"), *LLAMA),
    "qwen2 window": Case(
        "Qwen", llama_like("Qwen2Config", "Qwen2ForCausalLM", use_sliding_window=True, sliding_window=3,
                           max_window_layers=1), *LLAMA,
    ),
    "gemma": Case(
        "Gemma", llama_like("GemmaConfig", "GemmaForCausalLM", head_dim=10, num_key_value_heads=1), *LLAMA
    ),
    "gemma2": Case(
        "Gemma", llama_like("Gemma2Config", "Gemma2ForCausalLM", head_dim=10, query_pre_attn_scalar=7,
                            attn_logit_softcapping=2.0, sliding_window=3), *LLAMA,
    ),
    "qwen3": Case(
        "Qwen3", llama_like("Qwen3Config", "Qwen3ForCausalLM", head_dim=10, num_key_value_heads=1, rms_norm_eps=0.01,
                            attention_bias=True), *LLAMA,
    ),
    "gemma3": Case(
        "Gemma 3", llama_like("Gemma3TextConfig", "Gemma3ForCausalLM", head_dim=10, query_pre_attn_scalar=7,
                              sliding_window=3, rope_parameters={
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0},
        }, layer_types=["sliding_attention", "full_attention"]), *LLAMA,
    ),
    "phi3": Case(
        "Phi-3", llama_like("Phi3Config", "Phi3ForCausalLM", sliding_window=4),
        "model.layers.{i}.self_attn", "qkv_proj", "o_proj",
    ),
    "phi3 short and long": Case(
        "Phi-3", llama_like("Phi3Config", "Phi3ForCausalLM", max_position_embeddings=16, num_attention_heads=3,
                            num_key_value_heads=1, original_max_position_embeddings=4, rope_parameters={
            "rope_type": "longrope", "rope_theta": 100.0, "partial_rotary_factor": 0.75,
            "short_factor": [1.0, 1.5, 2.0], "long_factor": [2.0, 3.0, 5.0],
        }), "model.layers.{i}.self_attn", "qkv_proj", "o_proj",
    ),
    "qwen2 yarn": Case(
        "Qwen", llama_like("Qwen2Config", "Qwen2ForCausalLM", num_attention_heads=2, num_key_value_heads=1,
                           rope_parameters={
            "rope_type": "yarn", "rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 64,
        }), *LLAMA,
    ),
    "neox": Case(
        "GPT-NeoX", made("GPTNeoXConfig", "GPTNeoXForCausalLM", vocab_size=50, hidden_size=24, num_hidden_layers=2,
                         num_attention_heads=3, intermediate_size=16, rotary_pct=0.5),
        "gpt_neox.layers.{i}.attention", "query_key_value", "dense",
    ),
    "bloom": Case(
        "BLOOM", made("BloomConfig", "BloomForCausalLM", vocab_size=50, hidden_size=24, n_layer=2, n_head=3),
        "transformer.h.{i}.self_attention", "query_key_value", "dense",
    ),
}  # fmt: skip


def weights_of(outputs: Any, part: str, layer: int) -> np.ndarray:
    key = {"": "attentions", "encoder": "encoder_attentions", "decoder": "decoder_attentions",
           "cross": "cross_attentions"}[part]  # fmt: skip
    return numbers(outputs[key][layer])


def agree(
    case: Case, model: Any, folder: Path, run: Callable[[], Any], keep: np.ndarray | None = None
) -> None:
    """Every layer of the case; `keep`, (batch, m): which keys are no padding."""
    opened = Model(saved(model, folder))
    assert opened.family.name == case.family
    for layer in range(case.layers):
        module = model.get_submodule(case.attention.format(i=layer))
        q, out = module.get_submodule(case.q), module.get_submodule(case.out)
        key = module.get_submodule(case.q.replace("q", "k")) if case.part == "cross" else None
        with watching(module, q, out, key) as seen, torch.inference_mode():
            outputs = run()
        expected = weights_of(outputs, case.part, layer)
        attention = opened.layer(opened.spot(layer, case.part or None))
        for number in range(len(expected)):
            masks = (
                [] if keep is None or keep[number].all() else [Padding(keys=tuple(map(bool, keep[number])))]
            )
            (one,) = seen
            context = None if one.context is None else one.context[number]
            trace = attend(attention.scene(one.rows[number], context, masks=masks))
            rows = (
                slice(None) if keep is None or case.part == "cross" else keep[number]
            )  # nobody reads the others
            assert trace.weights[:, rows] == pytest.approx(expected[number][:, rows], abs=1e-5)
            assert trace.output[rows] == pytest.approx(one.output[number][rows], abs=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_a_layer_computes_what_the_library_computes(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    model = randomised(case.model())
    ids = torch.tensor([[5, 7, 9, 11, 13, 2, 3], [8, 6, 4, 10, 12, 14, 9]])
    agree(case, model, tmp_path, lambda: model(input_ids=ids, output_attentions=True))


@pytest.mark.parametrize("name", ["bert", "distilbert", "llama", "gpt2"])
def test_padding_hides_keys(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    model = randomised(case.model())
    ids = torch.tensor([[5, 7, 9, 11, 13, 2, 3], [8, 6, 4, 10, 0, 0, 0]])
    keep = ids.numpy() != 0
    mask = torch.tensor(keep).long()
    agree(
        case, model, tmp_path, lambda: model(input_ids=ids, attention_mask=mask, output_attentions=True), keep
    )


SIDES = {
    "t5": ("T5", made("T5Config", "T5Model", **T5, num_decoder_layers=2, relative_attention_num_buckets=8,
                      relative_attention_max_distance=12), {
        "encoder": ("encoder.block.{i}.layer.0.SelfAttention", "q", "o"),
        "decoder": ("decoder.block.{i}.layer.0.SelfAttention", "q", "o"),
        "cross": ("decoder.block.{i}.layer.1.EncDecAttention", "q", "o"),
    }),
    "bart": ("BART", made("BartConfig", "BartModel", vocab_size=50, d_model=24, encoder_layers=2, decoder_layers=2,
                          encoder_attention_heads=3, decoder_attention_heads=4, encoder_ffn_dim=16,
                          decoder_ffn_dim=16, max_position_embeddings=40), {
        "encoder": ("encoder.layers.{i}.self_attn", "q_proj", "out_proj"),
        "decoder": ("decoder.layers.{i}.self_attn", "q_proj", "out_proj"),
        "cross": ("decoder.layers.{i}.encoder_attn", "q_proj", "out_proj"),
    }),
}  # fmt: skip


@pytest.mark.parametrize("part", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize("name", SIDES)
def test_encoder_decoder_and_what_lies_between(name: str, part: str, tmp_path: Path) -> None:
    family, make, parts = SIDES[name]
    model = randomised(make())
    ids = torch.tensor([[5, 7, 9, 11, 13, 2, 3, 4, 6, 8, 10, 12, 14, 15, 16, 17]])
    said = torch.tensor([[3, 4, 20, 21, 22]])

    def run() -> Any:
        return model(input_ids=ids, decoder_input_ids=said, output_attentions=True, use_cache=False)

    agree(Case(family, make, *parts[part], part=part), model, tmp_path, run)


def test_pictures_in_patches(tmp_path: Path) -> None:
    make = made("ViTConfig", "ViTModel", hidden_size=24, num_hidden_layers=2, num_attention_heads=3,
                intermediate_size=16, image_size=8, patch_size=4)  # fmt: skip
    model = randomised(make())
    pixels = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(1))
    case = Case("ViT", make, "layers.{i}.attention", "q_proj", "o_proj")
    agree(case, model, tmp_path, lambda: model(pixel_values=pixels, output_attentions=True))


def test_gemma3_as_older_files_spell_it(tmp_path: Path) -> None:
    """Without layer_types every sixth layer sees everything; rope_scaling is that one's alone."""
    case = CASES["gemma3"]
    saved(randomised(case.model()), tmp_path)
    path = tmp_path / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for key in ("rope_parameters", "layer_types"):
        del config[key]
    config |= {"rope_theta": 1000.0, "rope_local_base_freq": 50.0, "sliding_window_pattern": 2,
               "rope_scaling": {"rope_type": "linear", "factor": 8.0}}  # fmt: skip
    path.write_text(json.dumps(config), encoding="utf-8")
    opened = Model(tmp_path)
    local, whole = (opened.layer(opened.spot(i)) for i in range(2))
    assert (local.window, whole.window) == (3, None)
    assert (local.position.base, local.position.frequencies) == (50.0, None)
    assert whole.position.frequencies[0] == pytest.approx([1000.0 ** (-i / 5) / 8 for i in range(5)])


def test_phi3_turns_few_tokens_otherwise(tmp_path: Path) -> None:
    """The case above has more tokens than the four that are few here."""
    case = CASES["phi3 short and long"]
    model = randomised(case.model())
    agree(case, model, tmp_path, lambda: model(input_ids=torch.tensor([[5, 7, 9]]), output_attentions=True))
