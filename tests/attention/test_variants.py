"""Each slip against numbers worked out by hand or by torch, never by our own formulas."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from explorer.attention.attend import attend
from explorer.attention.masks import Causal, Custom
from explorer.attention.positions import Alibi, Rotary
from explorer.attention.trace import STAGES
from explorer.attention.variants import _FORMULAS, SLIP, SLIPS, Slip
from explorer.scene import Scene


def by_hand(**changes: Any) -> Scene:
    """The two-token example: scaled scores [[1, 2], [1, 1]]/√2."""
    w = [[0, 1], [1, -1]]
    return Scene(
        x=np.array([[1, 1], [1, 0]]), w_q=np.array([[1, 1], [0, 1]]), w_k=np.array(w), w_v=np.array(w)
    ).replace(**changes)


def two_heads(**changes: Any) -> Scene:
    """X = arange(8) as two tokens × 4, all projections the identity."""
    eye = np.eye(4)
    return Scene(x=np.arange(8.0).reshape(2, 4), w_q=eye, w_k=eye, w_v=eye, heads=2).replace(**changes)


def equal_scores(n: int, **changes: Any) -> Scene:
    """All scores 0; V is the identity, so the output is the weights."""
    return Scene(x=np.eye(n), w_q=np.zeros((n, 2)), w_k=np.zeros((n, 2)), w_v=np.eye(n)).replace(**changes)


def wrong(name: str, scene: Scene) -> Mapping[str, Any]:
    return SLIP[name].stages(scene, attend(scene))


E1, E2 = np.exp(1 / np.sqrt(2)), np.exp(np.sqrt(2))


@pytest.mark.parametrize(
    ("name", "scene", "stage", "expected"),
    [
        # the columns are (1, 1)/√2 and (2, 1)/√2
        ("softmax_over_queries", by_hand(), "weights", [[[0.5, 0.6697615], [0.5, 0.3302385]]]),
        ("softmax_over_queries", by_hand(), "output", [[0.5, 0.6697615], [0.5, 0.3302385]]),
        ("no_exponential", by_hand(), "weights", [[[1 / 3, 2 / 3], [0.5, 0.5]]]),
        ("no_quotient", by_hand(), "weights", [[[E1, E2], [E1, E1]]]),
        ("split_without_transpose", two_heads(), "q", [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]),
        ("split_without_transpose", two_heads(), "scores", [[[1, 3], [3, 13]], [[41, 59], [59, 85]]]),
        ("scale_forgotten", by_hand(), "scaled", [[[1, 2], [1, 1]]]),
        ("scale_forgotten", by_hand(), "weights", [[[1 / (1 + np.e), np.e / (1 + np.e)], [0.5, 0.5]]]),
        ("scale_sqrt_d_model", two_heads(), "scaled",
         [[[0.5, 2.5], [2.5, 20.5]], [[6.5, 16.5], [16.5, 42.5]]]),
        ("scale_without_root", by_hand(), "scaled", [[[0.5, 1], [0.5, 0.5]]]),
        ("scores_transposed", by_hand(), "scores", [[[1, 1], [2, 1]]]),
        ("mask_inverted", equal_scores(3, mask=(Causal(),)), "weights",
         [[[0, 0.5, 0.5], [0, 0, 1], [0, 0, 0]]]),
        ("mask_forgotten", equal_scores(2, mask=(Causal(),)), "output", [[0.5, 0.5], [0.5, 0.5]]),
        ("mask_after_softmax", equal_scores(2, mask=(Causal(),)), "output", [[0.5, 0], [0.5, 0.5]]),
        ("mask_multiplied", by_hand(mask=(Causal(),)), "masked",
         [[[np.sqrt(0.5), 0], [np.sqrt(0.5), np.sqrt(0.5)]]]),
        ("w_o_forgotten", by_hand(w_o=np.array([[0, 1], [1, 0]])), "output",
         [[0.3302385, 0.6697615], [0.5, 0.5]]),
    ],
)  # fmt: skip
def test_literal_values(name: str, scene: Scene, stage: str, expected: Any) -> None:
    np.testing.assert_allclose(wrong(name, scene)[stage], expected, atol=1e-7)


def test_float_mask_is_added() -> None:
    """FACTS: tril(ones(8, 8)) as a float mask over equal scores; torch says the same."""
    got = wrong("mask_added", equal_scores(8, mask=(Causal(),)))["weights"][0]
    np.testing.assert_allclose(got[0], [0.2797] + [0.1029] * 7, atol=5e-5)
    zero = torch.zeros(1, 8, 2, dtype=torch.float64)
    float_mask = torch.ones(8, 8, dtype=torch.float64).tril()
    eye = torch.eye(8, dtype=torch.float64)[None]
    np.testing.assert_allclose(got, F.scaled_dot_product_attention(zero, zero, eye, attn_mask=float_mask)[0])


def test_softmax_over_heads_and_averaged_weights() -> None:
    """Head 1 of token 1 has equal scores, head 2 looks at token 2 alone."""
    scene = Scene(
        x=np.eye(2), heads=2, scale="none",
        w_q=np.array([[0, 1], [0, 0]]), w_k=np.array([[0, 0], [0, 1000]]), w_v=np.array([[1, 1], [3, 5]]),
    )  # fmt: skip
    averaged = wrong("weights_averaged", scene)
    np.testing.assert_allclose(averaged["weights"], [[[0.25, 0.75], [0.5, 0.5]]] * 2)
    np.testing.assert_allclose(averaged["output"], [[2.5, 4], [2, 3]])
    over_heads = wrong("softmax_over_heads", scene)["weights"]
    np.testing.assert_allclose(over_heads, [[[0.5, 0], [0.5, 0.5]], [[0.5, 1], [0.5, 0.5]]])


def test_split_keeps_values_and_rotary_apart() -> None:
    scene = two_heads(position=Rotary())
    stages = wrong("split_without_transpose", scene)
    turned = [np.cos(1) * 2 - np.sin(1) * 3, np.sin(1) * 2 + np.cos(1) * 3]  # (2, 3) at position 1
    np.testing.assert_allclose(stages["q"][0], [[0, 1], turned])
    np.testing.assert_allclose(stages["v"][0], [[0, 1], [2, 3]])


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_wrong_stages_run_from_the_first_to_the_output(slip: Slip) -> None:
    w_q, w_k, w_v, w_o = np.random.default_rng(1).normal(size=(4, 4, 4))
    scene = two_heads(x=np.eye(4), tokens=(), w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, mask=(Causal(),))
    trace = attend(scene)
    stages = slip.stages(scene, trace)
    names = [stage.name for stage in STAGES]
    assert list(stages) == names[names.index(slip.first) :]
    assert not np.allclose(stages[slip.first], trace.stage(slip.first))
    for name, array in stages.items():
        assert array.shape == trace.stage(name).shape
    assert slip.sentence.endswith(".")


@pytest.mark.parametrize(
    ("name", "scene"),
    [
        ("mask_inverted", by_hand()),
        ("mask_forgotten", by_hand()),
        ("softmax_over_heads", by_hand()),
        ("split_without_transpose", by_hand()),
        ("weights_averaged", by_hand()),
        ("w_o_forgotten", by_hand()),
        ("w_o_forgotten", by_hand(w_o=np.ones((2, 3)))),
        ("scale_forgotten", by_hand(scale="none")),
        ("scores_transposed", by_hand(context=np.ones((3, 2)))),
    ],
)
def test_no_room_for_the_mistake(name: str, scene: Scene) -> None:
    assert wrong(name, scene) == {}


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 4),
    m=st.none() | st.integers(1, 4),
    causal=st.booleans(),
    groups=st.sampled_from([1, 2, 4]),
    alibi=st.booleans(),
    softcap=st.none() | st.just(1.5),
)
def test_formulas_without_a_mistake_are_the_engine(
    seed: int, n: int, m: int | None, causal: bool, groups: int, alibi: bool, softcap: float | None
) -> None:
    """What follows a slip is computed as attention is; a slip that changes next to nothing shows it."""
    generator = np.random.default_rng(seed)
    scene = Scene(
        x=generator.normal(size=(n, 3)), context=None if m is None else generator.normal(size=(m, 3)),
        heads=4, kv_heads=groups, w_q=generator.normal(size=(3, 8)),
        w_k=generator.normal(size=(3, 2 * groups)), w_v=generator.normal(size=(3, 3 * groups)),
        w_o=generator.normal(size=(12, 5)), b_o=generator.normal(size=5),
        mask=(Causal(align="bottom_right"),) if causal else (), softcap=softcap,
        **({"position": Alibi()} if alibi else {}),
    )  # fmt: skip
    trace = attend(scene)
    formula = _FORMULAS["scores"]
    nearly = {"scores": lambda *given: formula(*given) * (1 + 1e-9)}
    for name, array in (
        Slip("nearly", "Nothing is wrong.", nearly, lambda scene: True).stages(scene, trace).items()
    ):
        assert (array != trace.stage(name)).any() or name != "scores"
        np.testing.assert_allclose(array, trace.stage(name), rtol=1e-6, atol=1e-7)


def same_twice(**changes: Any) -> Scene:
    """Two heads that do the same with odd numbers; q and k are alike, so that the scores are symmetric."""
    x, w, v = np.random.default_rng(5).normal(size=(3, 4, 4))
    return Scene(x=x, heads=2, w_q=np.hstack([w, w]), w_k=np.hstack([w, w]), w_v=np.hstack([v, v])).replace(
        **changes
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
@pytest.mark.parametrize(
    ("name", "scene"),
    [
        ("scale_sqrt_d_model", by_hand()),  # one head is as wide as the model
        ("scale_sqrt_d_model", same_twice()),
        ("scale_forgotten", Scene(x=np.eye(3) / 3, w_q=np.ones((3, 1)), w_k=np.ones((3, 1)), w_v=np.eye(3))),
        ("weights_averaged", same_twice()),
        ("scores_transposed", same_twice()),
        ("split_without_transpose", same_twice(x=np.full((1, 4), 1 / 3), tokens=())),  # one token is one row
        ("mask_after_softmax", same_twice(mask=(Causal(),), w_v=np.zeros((4, 8)))),
    ],
)
def test_what_a_mistake_does_not_change_is_the_trace(name: str, scene: Scene, dtype: str) -> None:
    """Neither numpy in torch's place nor more digits than the scene has count as damage."""
    trace = attend(scene.replace(dtype=dtype))
    stages = SLIP[name].stages(trace.scene, trace)
    assert stages
    for stage, array in stages.items():
        if name != "mask_after_softmax" or stage in ("head_outputs", "output"):
            np.testing.assert_array_equal(array, trace.stage(stage))


def test_a_fill_that_the_precision_cannot_hold() -> None:
    """float16 has no −10⁹: it is −∞, so the row that sees nothing has no weights, and neither has it with a slip."""
    blind = Custom(table=np.array([[False, False], [True, True]]))
    scene = by_hand(mask=(blind,), mask_fill=-1e9, dtype="float16")
    weights = wrong("scale_forgotten", scene)["weights"]
    assert weights[0, 0].tolist() == [0, 0]
    assert wrong("mask_inverted", scene)["masked"][0, 1].tolist() == [-np.inf, -np.inf]


def test_wrong_numbers_are_those_of_the_precision() -> None:
    weights = wrong("scale_forgotten", by_hand(dtype="float16"))["weights"]
    expected = np.float16([[1 / (1 + np.e), np.e / (1 + np.e)], [0.5, 0.5]])
    assert weights[0].tolist() == expected.tolist()


def test_infinite_and_nan_scores_pass_through() -> None:
    scene = by_hand(x=np.array([[np.inf, 1], [np.nan, 0]]), mask=(Causal(),), w_o=np.eye(2))
    for slip in SLIPS:
        slip.stages(scene, attend(scene))


def test_names_are_unique() -> None:
    assert len(SLIP) == len(SLIPS)
