"""Attention worked by hand, and what holds for any scene."""

from dataclasses import fields
from random import Random

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import nn

from explorer.attention import attend
from explorer.attention.masks import Causal, Custom
from explorer.attention.positions import Rotary, Sinusoidal
from explorer.attention.trace import STAGES, Trace
from explorer.norm import Norm
from explorer.reshape import reorder_tokens, resize
from explorer.scene import Position, Scene
from tests.attention.random_scenes import scenes

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
DOUBLE = ("float64",)


def identity(x: object, **settings: object) -> Scene:
    """Q = K = V = X, as long as no matrix is given."""
    rows = np.array(x, dtype=float)
    eye = np.eye(rows.shape[1])
    return Scene(x=rows, **({"w_q": eye, "w_k": eye, "w_v": eye} | settings))


# ---- by hand ----


def test_two_tokens_by_hand() -> None:
    trace = attend(
        identity([[1, 1], [1, 0]], w_q=[[1, 1], [0, 1]], w_k=[[0, 1], [1, -1]], w_v=[[0, 1], [1, -1]])
    )
    assert trace.q.tolist() == [[[1, 2], [1, 1]]]
    assert trace.k.tolist() == trace.v.tolist() == [np.eye(2).tolist()]
    np.testing.assert_allclose(trace.scaled[0], [[0.71, 1.41], [0.71, 0.71]], atol=0.005)
    np.testing.assert_allclose(trace.output, [[0.33, 0.67], [0.50, 0.50]], atol=0.005)
    powers = np.exp(np.array([1, 2]) / np.sqrt(2))
    np.testing.assert_allclose(trace.output[0], powers / powers.sum(), rtol=1e-15)


def test_a_head_owns_its_columns() -> None:
    trace = attend(identity(np.arange(8.0).reshape(2, 4), heads=2))
    assert trace.q.tolist() == [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]
    slip = np.arange(8.0).reshape(2, 2, 2)  # the reshape without the transpose
    assert slip[0].tolist() == [[0, 1], [2, 3]]


def test_equal_split_is_a_projection_that_selects() -> None:
    """head_i = Attention(Q W_i, K W_i, V W_i), W_i the block of the identity that picks its columns."""
    rng = np.random.default_rng(1)
    x, w_q, w_k, w_v = rng.normal(size=(5, 6)), *rng.normal(size=(3, 6, 6))
    split = attend(Scene(x=x, w_q=w_q, w_k=w_k, w_v=w_v, heads=2))
    for head in range(2):
        select = np.eye(6)[:, 3 * head : 3 * head + 3]
        alone = attend(Scene(x=x, w_q=w_q @ select, w_k=w_k @ select, w_v=w_v @ select))
        np.testing.assert_allclose(split.weights[head], alone.weights[0], **CLOSE)
        np.testing.assert_allclose(split.concat @ select, alone.output, **CLOSE)


def test_float_mask_is_added_and_hides_nothing() -> None:
    """What tril(ones) does as a float mask over equal scores; our causal mask hides instead."""
    added = attend(identity(np.eye(8), w_q=np.tri(8), scale="none"))
    np.testing.assert_allclose(added.weights[0, 0], [0.2797, *[0.1029] * 7], atol=5e-5)
    torchs = nn.functional.scaled_dot_product_attention(
        torch.zeros(1, 8, 1), torch.zeros(1, 8, 1), torch.eye(8)[None], attn_mask=torch.tril(torch.ones(8, 8))
    )
    np.testing.assert_allclose(added.weights[0], torchs[0], atol=1e-6)
    hidden = attend(identity(np.eye(8), w_q=np.zeros((8, 8)), mask=(Causal(),)))
    assert hidden.weights[0, 0].tolist() == [1, *[0] * 7]


def test_causal_of_two_queries_and_five_keys() -> None:
    def rows(align: str) -> list[str]:
        weights = attend(
            identity(np.zeros((2, 1)), context=np.ones((5, 1)), mask=(Causal(align=align),))
        ).weights[0]
        return ["".join("1" if w else "0" for w in row) for row in weights]

    assert rows("top_left") == ["10000", "11000"]
    assert rows("bottom_right") == ["11110", "11111"]


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
class TestFullyHiddenRow:
    """Row 1 sees no key, row 2 the first."""

    def trace(self, dtype: str, fill: float) -> Trace:
        mask = Custom(table=np.array([[False, False], [True, False]]))
        eye = np.eye(2)
        return attend(
            identity([[1, 2], [2, 3]], w_o=eye, b_o=[0.5, -0.5], mask=(mask,), mask_fill=fill, dtype=dtype)
        )

    def test_minus_infinity_leaves_the_bias(self, dtype: str) -> None:
        trace = self.trace(dtype, -np.inf)
        assert trace.blind.tolist() == [True, False]
        assert trace.weights.tolist() == [[[0, 0], [1, 0]]]
        assert trace.output.tolist() == [[0.5, -0.5], [1.5, 1.5]]

    def test_a_finite_fill_is_uniform(self, dtype: str) -> None:
        trace = self.trace(dtype, -1e4)
        assert not trace.blind.any()
        assert trace.weights.tolist() == [[[0.5, 0.5], [1, 0]]]

    def test_minus_a_billion(self, dtype: str) -> None:
        """float16 has no −10⁹: there it is −∞, and the row is blind, not NaN."""
        trace = self.trace(dtype, -1e9)
        assert trace.blind.tolist() == [dtype == "float16", False]
        assert trace.weights[0, 0].tolist() == ([0, 0] if dtype == "float16" else [0.5, 0.5])


def test_order_as_in_multihead_attention() -> None:
    """t2 is t1 with its last two tokens swapped: b₁ stays, b₂ and b₃ trade places (any weights do)."""
    torch.manual_seed(0)
    module = nn.MultiheadAttention(2, 1, bias=False, batch_first=True, dtype=torch.float64)
    w_q, w_k, w_v = module.in_proj_weight.detach().numpy().reshape(3, 2, 2).transpose(0, 2, 1)
    tokens = {"t1": [[1, 2], [2, 3], [3, 4]], "t2": [[1, 2], [3, 4], [2, 3]]}
    output = {}
    for name, x in tokens.items():
        w_o = module.out_proj.weight.detach().numpy().T
        output[name] = attend(Scene(x=x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)).output
        given_ = torch.tensor([x], dtype=torch.float64)
        np.testing.assert_allclose(output[name], module(given_, given_, given_)[0][0].detach(), **CLOSE)
    np.testing.assert_allclose(output["t2"], output["t1"][[0, 2, 1]], **CLOSE)
    assert not np.allclose(output["t1"][1], output["t1"][2])


# ---- for any scene ----


@given(scenes())
def test_trace_is_whole_and_read_only(scene: Scene) -> None:
    H, G, n, m = scene.heads, scene.groups, scene.n, scene.m
    shapes = {
        "x": (n, scene.d_model),
        "q": (H, n, scene.d_k),
        "k": (G, m, scene.d_k),
        "v": (G, m, scene.d_v),
        **dict.fromkeys(("scores", "scaled", "masked", "weights"), (H, n, m)),
        "head_outputs": (H, n, scene.d_v),
        "concat": (n, H * scene.d_v),
        "output": (n, scene.d_out),
    }
    trace = attend(scene)
    assert {stage.name: trace.stage(stage.name).shape for stage in STAGES} == shapes
    assert trace.source.shape == (m, scene.d_context)
    assert trace.q_plain.shape == trace.q.shape and trace.k_plain.shape == trace.k.shape
    arrays = [value for f in fields(trace) if isinstance(value := getattr(trace, f.name), np.ndarray)]
    without = [scene.q_norm, scene.k_norm].count(None)
    assert len(arrays) == len(fields(trace)) - 2 - without  # the scene, and the seconds; the raw rows
    assert not any(array.flags.writeable for array in arrays)
    assert all(np.isfinite(trace.stage(name)).all() for name in ("scaled", "weights", "output"))


@given(scenes(DOUBLE))
def test_rows_sum_to_one_or_are_blind(scene: Scene) -> None:
    trace = attend(scene)
    sums = trace.weights.sum(axis=-1)
    np.testing.assert_allclose(sums, np.broadcast_to(~trace.blind, sums.shape), **CLOSE)
    if scene.mask_fill == -np.inf:
        assert not trace.weights[:, ~scene.visible()].any()
        assert (trace.blind == ~scene.visible().any(axis=1)).all()


@given(scenes(DOUBLE), st.data())
def test_a_causal_change_leaves_the_past_alone(scene: Scene, data: st.DataObject) -> None:
    assume(not scene.is_cross)
    scene = scene.replace(mask=(*scene.mask, Causal()), mask_fill=-np.inf)
    token = data.draw(st.integers(0, scene.n - 1))
    changed = scene.with_cells("x", [(token, column, 7.5) for column in range(scene.d_model)])
    before, after = attend(scene), attend(changed)
    for stage in ("weights", "head_outputs"):
        np.testing.assert_array_equal(before.stage(stage)[:, :token], after.stage(stage)[:, :token])
    np.testing.assert_allclose(before.output[:token], after.output[:token], rtol=1e-12, atol=1e-12)


@given(scenes(DOUBLE), st.randoms(use_true_random=False))
def test_permuted_tokens_give_permuted_outputs(scene: Scene, random: Random) -> None:
    """f(PX) = P·f(X) without positions and masks."""
    scene = scene.replace(position=Position(), mask=())
    order = list(range(scene.n))
    random.shuffle(order)
    moved = attend(reorder_tokens(scene, order))
    np.testing.assert_allclose(moved.output, attend(scene).output[order], **CLOSE)


def test_a_position_ends_the_indifference_to_order() -> None:
    scene = identity([[1, 2], [2, 3], [3, 4]], position=Sinusoidal())
    assert not np.allclose(attend(reorder_tokens(scene, [0, 2, 1])).output, attend(scene).output[[0, 2, 1]])


@given(scenes(DOUBLE))
def test_grouped_heads_are_repeated_heads(scene: Scene) -> None:
    """Query head h reads K/V head ⌊h·G/H⌋."""
    each = scene.heads // scene.groups

    def repeated(array: np.ndarray) -> np.ndarray:
        blocks = np.split(array, scene.groups, axis=-1)
        return np.concatenate([block for block in blocks for _ in range(each)], axis=-1)

    names = [name for name in ("w_k", "w_v", "b_k", "b_v") if getattr(scene, name) is not None]
    full = scene.replace(kv_heads=None, **{name: repeated(getattr(scene, name)) for name in names})
    np.testing.assert_allclose(attend(full).output, attend(scene).output, **CLOSE)


# ---- numbers out of the ordinary ----


def test_nan_stays_in_the_rows_it_reaches() -> None:
    trace = attend(identity([[np.nan, 1], [1, 0], [0, 1]], mask=(Causal(align="top_left"),)))
    assert np.isnan(trace.scores[0]).tolist() == [[True] * 3, [True, False, False], [True, False, False]]
    hidden = identity([[1, 1], [1, 0], [0, np.nan]], mask=(Causal(),))
    assert np.isfinite(attend(hidden).weights[0, :2]).all()


def test_infinity_and_huge_numbers_are_shown_where_they_arise() -> None:
    trace = attend(identity([[1e308, 1e308], [1, -1]]))
    assert np.isfinite(trace.q).all()
    assert trace.scores[0, 0, 0] == np.inf
    assert np.isnan(trace.weights[0, 0]).any() and np.isfinite(trace.weights[0, 1]).all()
    attend(identity([[np.inf, -np.inf], [0, 1]]))


def test_huge_scores_do_not_overflow_the_softmax() -> None:
    trace = attend(identity([[1000, 0], [0, 1000]], scale="none"))
    assert trace.weights.tolist() == [np.eye(2).tolist()]


@given(scenes(DOUBLE))
def test_minus_a_billion_is_minus_infinity_unless_a_row_is_hidden(scene: Scene) -> None:
    never = attend(scene.replace(mask_fill=-np.inf))
    hardly = attend(scene.replace(mask_fill=-1e9))
    seeing = ~never.blind
    np.testing.assert_array_equal(hardly.weights[:, seeing], never.weights[:, seeing])
    np.testing.assert_allclose(hardly.weights[:, never.blind], 1 / scene.m)


@given(scenes())
def test_each_precision_is_near_float64(scene: Scene) -> None:
    """Within what the precision rounds off; scores so large that the softmax magnifies it are left out, and rows so
    small that the norm does.
    """
    exact, rounded = attend(scene.replace(dtype="float64")), attend(scene)
    assume(np.abs(exact.scores).max() < 20)
    for norm, raw in ((scene.q_norm, exact.q_raw), (scene.k_norm, exact.k_raw)):
        assume(norm is None or np.abs(norm.weight).max() < 2 * norm.root(raw).min())
    if scene.dtype == "float16" and scene.mask_fill == -1e9:
        exact = attend(scene.replace(dtype="float64", mask_fill=-np.inf))  # what float16 takes it for
    eps = float(torch.finfo(getattr(torch, scene.dtype)).eps)
    for stage in ("q", "scores", "weights", "output"):
        value = exact.stage(stage)
        roundings = 12 * eps * max(1.0, float(np.abs(value).max()))
        np.testing.assert_allclose(rounded.stage(stage), value, atol=roundings, err_msg=stage)


# ---- the norm of queries and keys ----


def test_each_head_s_row_is_normed_before_it_is_turned() -> None:
    """By hand: [3, 4] has the mean square 12.5; with eps 3.5 the root is 4. Then columns turn as ever."""
    scene = Scene(
        x=[[3, 4, 0, 0]], w_q=np.eye(4), w_k=np.eye(4), w_v=np.eye(4), heads=2,
        q_norm=Norm(weight=[2, 1], eps=3.5), k_norm=Norm(weight=[1, 1], eps=1.0),
    )  # fmt: skip
    trace = attend(scene)
    assert trace.q_raw.tolist() == [[[3, 4]], [[0, 0]]] and trace.q.tolist() == [[[1.5, 1.0]], [[0, 0]]]
    assert trace.k_plain[0, 0] == pytest.approx([3 / 13.5**0.5, 4 / 13.5**0.5], rel=1e-15)
    longer = scene.replace(x=[[1, 0, 0, 0], [3, 4, 0, 0]], tokens=(), position=Rotary(base=100.0))
    turned = attend(longer)
    assert turned.q_plain[0, 1].tolist() == [1.5, 1.0]
    cos, sin = np.cos(1.0), np.sin(1.0)
    assert turned.q[0, 1] == pytest.approx([1.5 * cos - sin, cos + 1.5 * sin], rel=1e-15)


def test_other_widths_keep_the_weights_there_are() -> None:
    scene = Scene(
        x=[[1, 2]], w_q=np.ones((2, 4)), w_k=np.ones((2, 4)), w_v=np.ones((2, 4)), heads=2,
        q_norm=Norm(weight=[2, 3]),
    )  # fmt: skip
    assert scene.with_heads(1).q_norm.weight.tolist() == [2, 3, 1, 1]
    assert scene.with_heads(4).q_norm.weight.tolist() == [2]
    assert resize(scene, d_k=3).q_norm.weight.tolist() == [2, 3, 1]
    assert scene.with_heads(1).possible_heads() == (1, 2, 4)
