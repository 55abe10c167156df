"""What the status bar says of torch's own attention."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from explorer.attention import attend
from explorer.attention.agreement import agreement, torch_module
from explorer.attention.masks import Padding
from explorer.attention.positions import Alibi, Rotary
from explorer.attention.torch_limits import mha_reason
from explorer.norm import Norm
from explorer.scene import Scene
from tests.attention.random_scenes import scenes

EYE = np.eye(4)
SQUARE = Scene(x=np.arange(12.0).reshape(3, 4) / 10, w_q=EYE, w_k=EYE, w_v=EYE, heads=2)


@given(scenes())
def test_agrees_wherever_torch_can_express_the_scene(scene: Scene) -> None:
    found = agreement(scene, attend(scene))
    for check in (found.sdpa, found.mha):
        assert check.agrees or check.reason, check


def test_both_apply_to_a_plain_scene() -> None:
    found = agreement(SQUARE, attend(SQUARE))
    assert found.sdpa.agrees and found.mha.agrees
    assert found.sdpa.difference <= 1e-15 and found.mha.difference <= 1e-15


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_a_wrong_trace_does_not_agree(dtype: str) -> None:
    scene = SQUARE.replace(dtype=dtype)
    trace = attend(scene)
    wrong = replace(trace, head_outputs=trace.head_outputs * 2, output=trace.output * 2)
    found = agreement(scene, wrong)
    assert not found.sdpa.agrees and not found.mha.agrees
    assert not found.sdpa.reason and not found.mha.reason
    assert agreement(scene, trace).sdpa.agrees and agreement(scene, trace).mha.agrees


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
@pytest.mark.parametrize("spread", [0.0, 0.01])
def test_a_mean_of_many_keys_agrees(dtype: str, spread: float) -> None:
    """Sums of 4,097 nearly equal terms, each rounded in another order."""
    random = np.random.default_rng(0)
    x = 1 + spread * random.normal(size=(4097, 32))
    w_q, w_k, w_v, w_o = random.normal(size=(4, 32, 32)) / np.sqrt(32)
    scene = Scene(x=x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=2, dtype=dtype)
    trace = attend(scene)
    found = agreement(scene, trace)
    assert found.sdpa.agrees and found.mha.agrees
    wrong = agreement(scene, replace(trace, head_outputs=trace.head_outputs * 2, output=trace.output * 2))
    assert not wrong.sdpa.agrees and not wrong.mha.agrees


def test_nan_and_infinity_agree_with_themselves() -> None:
    scene = SQUARE.with_cell("x", 0, 0, np.nan).with_cell("x", 1, 1, np.inf)
    found = agreement(scene, attend(scene))
    assert found.sdpa.agrees and found.mha.agrees


def test_blind_rows_agree() -> None:
    scene = SQUARE.replace(mask=(Padding(keys=(False,) * 3),), b_o=np.ones(4))
    trace = attend(scene)
    assert trace.blind.all() and trace.output.tolist() == np.ones((3, 4)).tolist()
    found = agreement(scene, trace)
    assert found.sdpa.agrees and found.mha.agrees


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kv_heads": 1, "w_k": EYE[:, :2], "w_v": EYE[:, :2]}, "it has no grouped K/V heads"),
        ({"w_q": EYE[:, :2], "w_k": EYE[:, :2]}, "it needs H·d_k = d_model, here 2·1 and 4"),
        ({"w_v": EYE[:, :2]}, "it needs d_v = d_k, here 1 and 2"),
        ({"w_o": EYE[:, :3]}, "it needs d_out = d_model, here 3 and 4"),
        ({"scale": "none"}, "it always divides by √d_k"),
        ({"softcap": 5.0}, "it has no softcap"),
        ({"q_norm": Norm(weight=[1, 1])}, "it has no norm of queries and keys"),
        ({"position": Rotary()}, "it has no rotary position"),
        ({"position": Alibi()}, "it has no alibi position"),
        (
            {"mask": (Padding(keys=(True, True, False)),), "mask_fill": -1.0},
            "a finite fill gives hidden keys weight, and it can only hide them",
        ),
    ],
)
def test_why_multihead_attention_cannot(changes: dict[str, object], reason: str) -> None:
    scene = SQUARE.replace(**changes)
    found = agreement(scene, attend(scene))
    assert found.mha.reason == reason and not found.mha.agrees
    assert found.sdpa.agrees or found.sdpa.reason


def test_the_module_holds_the_scenes_numbers() -> None:
    scene = SQUARE.replace(context=np.ones((2, 3)), w_k=np.ones((3, 4)), w_v=np.ones((3, 4)))
    assert not mha_reason(scene)
    module = torch_module(scene)
    assert module.k_proj_weight.shape == (4, 3)
    assert not module.training
