from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from explorer.attention import attend
from explorer.attention.compare import delta, differences, stage_delta
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import Learned, Rotary, Sinusoidal
from explorer.attention.trace import STAGES
from explorer.norm import Norm
from explorer.reshape import delete_tokens, insert_tokens, resize, with_bias, with_context, with_w_o
from explorer.scene import Scene
from tests.attention.random_scenes import scenes

BASE = Scene(x=np.arange(12.0).reshape(3, 4), w_q=np.eye(4), w_k=np.eye(4), w_v=np.eye(4), heads=2)


def told(a: Scene, b: Scene) -> list[str]:
    return [remark.text for remark in differences(a, b)]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, []),
        ({"title": "other", "notes": "other"}, []),
        ({"heads": 1}, ["heads 2 → 1", "d_k 2 → 4", "d_v 2 → 4"]),
        ({"mask": (Causal(),)}, ["mask none → causal"]),
        (
            {"mask": (Causal(align="bottom_right"), Window(left=2, right=0))},
            ["mask none → causal (bottom_right) + window (2, 0)"],
        ),
        ({"scale": "none"}, ["scale 1/√d_k → none"]),
        ({"scale": 0.25}, ["scale 1/√d_k → 0.25"]),
        ({"softcap": 30.0}, ["softcap none → 30"]),
        ({"q_norm": Norm(weight=[1, 2])}, ["q_norm none → 1 × 2"]),
        ({"mask_fill": -1e9}, ["fill of hidden scores −∞ → −1e9"]),
        ({"dtype": "float16"}, ["precision float64 → float16"]),
        ({"position": Rotary()}, ["position none → rotary"]),
        ({"tokens": ("x1", "cat", "sat")}, ["labels x2 x3 → cat sat"]),
        (
            {"w_k": np.ones((4, 2)), "w_v": np.ones((4, 2)), "kv_heads": 1},
            ["K/V heads 2 → 1", "W_k 4 × 4 → 4 × 2", "W_v 4 × 4 → 4 × 2"],
        ),
    ],
)
def test_in_words(changes: dict[str, Any], words: list[str]) -> None:
    assert told(BASE, BASE.replace(**changes)) == words


def test_numbers() -> None:
    assert told(BASE, BASE.with_cell("w_q", 0, 1, 0.5)) == ["W_q[1,2] 0 → 0.5"]
    assert told(BASE, BASE.with_cell("w_q", 0, 0, 1 + 1e-9)) == ["W_q[1,1] 1 → 1.000000001"]
    three = BASE.with_cells("w_q", [(0, 1, 2), (1, 1, np.nan), (3, 3, -1)])
    assert told(BASE, three) == ["W_q: 3 numbers changed"]
    assert told(three, three.with_matrix("w_q", np.array(three.w_q))) == []  # NaN is NaN
    biased = with_bias(BASE, "b_q", True)
    assert told(BASE, biased) == ["b_q none → 1 × 4"]
    assert told(biased, biased.with_cell("b_q", 0, 2, -1e-9)) == ["b_q[3] 0 → −1e-9"]


def test_sizes() -> None:
    assert told(BASE, insert_tokens(BASE, 3)) == ["n 3 → 4", "X 3 × 4 → 4 × 4"]
    assert told(BASE, delete_tokens(BASE, [0]))[0] == "n 3 → 2"
    assert told(BASE, resize(BASE, d_k=3)) == ["d_k 2 → 3", "W_q 4 × 4 → 4 × 6", "W_k 4 × 4 → 4 × 6"]
    assert told(BASE, with_w_o(BASE, True)) == ["W_o none → 4 × 4"]
    cross = with_context(BASE, np.ones((5, 4)))
    assert told(BASE, cross) == ["self-attention → cross-attention", "m 3 → 5", "context none → 5 × 4"]
    assert told(cross, BASE)[0] == "cross-attention → self-attention"


def test_settings_inside_a_kind() -> None:
    a, b = (BASE.replace(position=Rotary(base=base, dims=2)) for base in (10000.0, 100.0))
    assert told(a, b) == ["base of the rotary position 10000 → 100"]
    assert told(a, a.replace(position=Rotary(dims=2, layout="interleaved"))) == [
        "layout of the rotary position half → interleaved"
    ]
    sine = BASE.replace(position=Sinusoidal())
    assert told(sine, sine.replace(position=Sinusoidal(base=1e4))) == []
    learned = [BASE.replace(position=Learned(table=np.full((3, 4), v))) for v in (0.0, 1.0, 1.0)]
    assert told(learned[0], learned[1]) == ["table of the learned position: numbers changed"]
    assert told(learned[1], learned[2]) == []


def test_masks_of_one_kind() -> None:
    a = BASE.replace(mask=(Padding(keys=(True, True, False)),))
    b = BASE.replace(mask=(Padding(keys=(True, False, False)),))
    assert told(a, b) == ["mask: 3 cells changed"]
    table = np.eye(3, dtype=bool)
    assert (
        told(BASE.replace(mask=(Custom(table=table),)), BASE.replace(mask=(Custom(table=table.copy()),)))
        == []
    )


@settings(max_examples=50)
@given(scenes(), scenes())
def test_any_two_scenes_can_be_compared(a: Scene, b: Scene) -> None:
    assert all("{" not in text for text in told(a, b))
    assert told(a, a) == []
    if not told(a, b):
        assert np.array_equal(attend(a).output, attend(b).output)


def test_b_minus_a() -> None:
    inf, nan = np.inf, np.nan
    a, b = np.array([[1, -inf, nan, 2, -inf]]), np.array([[3, -inf, nan, nan, 0]])
    found = delta(a, b)
    assert found is not None
    np.testing.assert_array_equal(found, [[2, 0, 0, nan, inf]])
    assert delta(a, None) is None and delta(a, b[:, :2]) is None


def test_b_minus_a_of_stages() -> None:
    a, b = attend(BASE), attend(BASE.replace(mask=(Causal(),)))
    changed = [s.name for s in STAGES if (d := stage_delta(a, b, s.name)) is not None and d.any()]
    assert changed == ["masked", "weights", "head_outputs", "concat", "output"]
    one = attend(BASE.with_heads(1))
    assert stage_delta(a, one, "weights") is None
    assert stage_delta(a, one, "output") is not None


def test_norms_one_number_and_epsilon() -> None:
    a = BASE.replace(q_norm=Norm(weight=[1, 2]), k_norm=Norm(weight=[1, 1], eps=1e-6))
    b = a.replace(q_norm=Norm(weight=[1, 3]), k_norm=Norm(weight=[1, 1], eps=0.5))
    assert [remark.text for remark in differences(a, b)] == ["q_norm[2] 2 → 3", "ε of k_norm 1e-6 → 0.5"]
