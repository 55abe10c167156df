"""The bias of the scores: added after scale, softcap and position; it follows tokens and heads."""

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from explorer.attention import attend
from explorer.attention.compare import differences
from explorer.attention.crossing import crossed
from explorer.attention.explain import explain
from explorer.attention.masks import Causal
from explorer.attention.positions import Alibi, Relative
from explorer.attention.trace import Cell
from explorer.files.session import dump, load, parse, save
from explorer.reshape import reorder_tokens, with_context
from explorer.scene import Scene, SceneError

EYE = np.eye(2)
SHARED = [[0.5, -1.0, 0.25], [2.0, 0.0, -0.5], [1.0, 1.0, -2.0]]


def scene(**changes: object) -> Scene:
    given = {"x": [[1.0, 2.0], [3.0, -1.0], [0.5, 1.0]], "w_q": EYE, "w_k": EYE, "w_v": EYE, "bias": SHARED}
    return Scene(**(given | changes))


def test_it_is_added_to_the_scaled_scores() -> None:
    """By hand: 5/√2 + 0.5, then with a cap and a position, which come before."""
    assert attend(scene()).scaled[0, 0, 0] == pytest.approx(5 / 2**0.5 + 0.5)
    capped = scene(softcap=2.0, position=Alibi(), heads=1)
    assert attend(capped).scaled[0, 0, 1] == pytest.approx(2 * np.tanh(1 / 2**0.5 / 2) - 2**-8 - 1.0)


@pytest.mark.parametrize("bias", [SHARED, [SHARED, np.zeros((3, 3))]])
def test_torch_adds_a_mask_of_numbers(bias: object) -> None:
    given = scene(heads=2, bias=bias, mask=(Causal(),))
    trace = attend(given)
    added = torch.tensor(np.broadcast_to(np.array(bias), (2, 3, 3))).masked_fill(
        ~torch.ones(3, 3, dtype=torch.bool).tril(), -torch.inf
    )
    q, k, v = (torch.tensor(array) for array in (trace.q, trace.k, trace.v))
    theirs = F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=added)[0].numpy()
    assert trace.head_outputs == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("bias", "said"),
    [
        (np.zeros((2, 3)), "bias is 2 × 3 but must be n × m = 3 × 3, or one for each head, 1 × 3 × 3."),
        (
            np.zeros((2, 3, 3)),
            "bias is 2 × 3 × 3 but must be n × m = 3 × 3, or one for each head, 1 × 3 × 3.",
        ),
        (np.full((3, 3), -np.inf), "bias must have finite numbers; what hides keys belongs to mask."),
        ([1.0], "bias has shape (1,) but must be a table: rows of equally many numbers, at least one."),
    ],
)
def test_what_cannot_be(bias: object, said: str) -> None:
    with pytest.raises(SceneError) as refused:
        scene(bias=bias)
    assert (str(refused.value), refused.value.key) == (said, "bias")


def test_its_step_is_explained() -> None:
    trace = attend(scene(position=Relative()))
    steps = explain(trace.scene, trace, Cell("scaled", 0, 1, 0)).steps
    assert [step.kind for step in steps][-2:] == ["alibi", "bias"]
    assert steps[-1].title.key == "score_bias" and steps[-1].result == pytest.approx(trace.scaled[0, 1, 0])
    assert "b₂,₁" in explain(trace.scene, trace, Cell("scaled", 0, 1, 0)).text()


def test_it_moves_with_its_tokens() -> None:
    moved = reorder_tokens(scene(), [2, 0, -1])
    assert moved.bias.tolist() == [[-2.0, 1.0, 0.0], [0.25, 0.5, 0.0], [0.0, 0.0, 0.0]]
    more = with_context(scene(), np.ones((4, 2)))
    assert more.bias.tolist() == [[*row, 0.0] for row in SHARED]


def test_heads_keep_theirs() -> None:
    own = scene(heads=2, bias=[SHARED, np.zeros((3, 3))])
    assert own.with_heads(1).bias.tolist() == [SHARED]
    assert scene(heads=1, bias=[SHARED]).with_heads(2).bias.tolist() == [SHARED, SHARED]


def test_what_the_other_side_has_no_room_for_is_set_aside() -> None:
    bias = np.arange(12.0).reshape(3, 4)
    cross = scene(context=np.ones((4, 2)), bias=bias)
    alone, aside = crossed(cross, on=False)
    assert alone.bias.tolist() == bias[:, :3].tolist()
    again, _ = crossed(alone, on=True, aside=type(aside).read(aside.to_json()))
    assert again.bias.tolist() == bias.tolist()


@pytest.mark.parametrize("bias", [SHARED, [SHARED]])
def test_a_session_keeps_it(bias: object) -> None:
    again = parse(dump(scene(bias=bias)))
    assert np.array_equal(again.bias, np.array(bias))


def test_large_ones_lie_beside_the_session(tmp_path: object) -> None:
    n = 800
    big = Scene(x=np.ones((n, 2)), w_q=EYE, w_k=EYE, w_v=EYE, heads=2, bias=np.ones((2, n, n)))
    save(big, tmp_path / "big.attn.json")
    assert (tmp_path / "big.attn.json").stat().st_size < 50_000
    assert load(tmp_path / "big.attn.json").bias.shape == (2, n, n)


def test_what_is_otherwise_is_told() -> None:
    other = np.array(SHARED)
    other[1, 2] = 7.0
    (remark,) = differences(scene(), scene(bias=other, x=scene().x))[-1:]
    assert (remark.key, remark.values["name"], remark.values["where"]) == ("cell", "bias", "2,3")
