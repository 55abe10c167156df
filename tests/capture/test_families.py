"""Known model families in memory: each session against the library's own weights, padding included."""

from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.attention import attend
from explorer.capture import CaptureWarning, capture
from explorer.files.session import load
from explorer.scene import Scene

transformers = pytest.importorskip("transformers", reason="the extra `models` is not installed")

from ..checkpoints.oracle import randomised  # noqa: E402
from ..checkpoints.test_families import BERT, CASES, T5, made  # noqa: E402

IDS = torch.randint(1, 50, (2, 7), generator=torch.Generator().manual_seed(0))
KEPT = torch.ones_like(IDS)
KEPT[1, :2] = 0  # padded at the left, so that some rows of a causal model see nothing


def sessions(folder: Path) -> list[Scene]:
    return [load(path) for path in sorted(folder.glob("*.attn.json"))]


def check(folder: Path, weights: dict[str, torch.Tensor] | None, layers: int) -> None:
    """`weights`: (B, H, n, m) by the name of the module."""
    found = sessions(folder)
    assert len(found) == layers * 2  # items
    for scene in found:
        about = scene.extra["capture"]
        assert about["difference"] < 1e-5
        if weights is not None:
            theirs = weights[about["module"]][about["item"] - 1]
            assert np.abs(attend(scene).weights - theirs.numpy()).max() < 1e-5


@pytest.mark.parametrize("name", CASES)
def test_families(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    model = randomised(case.model())
    with torch.no_grad(), capture(model, tmp_path, items=None):
        attentions = model(IDS, attention_mask=KEPT, output_attentions=True).attentions
    check(tmp_path, {case.attention.format(i=i): a for i, a in enumerate(attentions)}, case.layers)


@pytest.mark.parametrize("name", ["bert", "gpt2", "llama", "mistral", "gemma", "qwen3", "gemma3", "neox"])
def test_with_torchs_own_product(tmp_path: Path, name: str) -> None:
    model = randomised(CASES[name].model())
    model.set_attn_implementation("sdpa")
    with torch.no_grad():
        plain = model(IDS, attention_mask=KEPT)[0]
        with capture(model, tmp_path, items=None):
            assert torch.equal(model(IDS, attention_mask=KEPT)[0], plain)
    check(tmp_path, None, CASES[name].layers)


@pytest.mark.parametrize("how", ["eager", "sdpa"])
def test_encoder_and_decoder_of_t5(tmp_path: Path, how: str) -> None:
    model = randomised(made("T5Config", "T5ForConditionalGeneration", **T5)())
    model.set_attn_implementation(how)
    with torch.no_grad(), capture(model, tmp_path, items=None):
        out = model(
            input_ids=IDS, attention_mask=KEPT, decoder_input_ids=IDS[:, :4], output_attentions=how == "eager"
        )
    weights = None if how == "sdpa" else {
        **{f"encoder.block.{i}.layer.0.SelfAttention": a for i, a in enumerate(out.encoder_attentions)},
        **{f"decoder.block.{i}.layer.0.SelfAttention": a for i, a in enumerate(out.decoder_attentions)},
        **{f"decoder.block.{i}.layer.1.EncDecAttention": a for i, a in enumerate(out.cross_attentions)},
    }  # fmt: skip
    check(tmp_path, weights, 6)
    assert {scene.is_cross for scene in sessions(tmp_path)} == {False, True}


def test_a_part_of_a_model_of_ones_own(tmp_path: Path) -> None:
    model = torch.nn.ModuleDict({"body": randomised(made("BertConfig", "BertModel", **BERT)())})
    with torch.no_grad(), capture(model, tmp_path, layers=["body.encoder.layer.*.attention"]):
        model["body"](IDS)
    assert sorted(scene.title for scene in sessions(tmp_path)) == [
        "body.encoder.layer.0.attention", "body.encoder.layer.1.attention",
    ]  # fmt: skip


def test_keys_kept_from_an_earlier_call_are_left_out_and_told(tmp_path: Path) -> None:
    model = randomised(CASES["llama"].model())
    with torch.no_grad(), pytest.warns(CaptureWarning, match="a call is left out: 1 queries met 4 keys"):
        with capture(model, tmp_path, layers=[0]):
            model.generate(IDS[:1, :3], max_new_tokens=2, min_new_tokens=2, do_sample=False)
    (scene,) = sessions(tmp_path)
    assert scene.n == 3
