"""What is said of heads whose weights are known beforehand."""

from math import isnan, log2

import numpy as np
import pytest

from explorer.attention import attend
from explorer.attention.heads import MEASURES, SINK, HeadFacts, drawn, head_facts, order
from explorer.attention.masks import Causal, Padding
from explorer.attention.trace import Trace
from explorer.scene import Scene

EVERY = np.ones((4, 4), dtype=bool)
TRIANGLE = np.tri(4, dtype=bool)


def one(weights: object, visible: np.ndarray = EVERY, is_cross: bool = False) -> HeadFacts:
    return head_facts(np.array([weights], dtype=float), visible, is_cross)[0]


def test_identity_looks_at_itself() -> None:
    facts = one(np.eye(4))
    assert (facts.entropy, facts.own, facts.previous, facts.first) == (0, 1, 0, 0.25)
    assert facts.sink is None


def test_uniform_weights() -> None:
    facts = one(np.full((4, 4), 0.25))
    assert facts.entropy == 2
    assert (facts.first, facts.own, facts.previous) == (0.25, 0.25, 0.25)


def test_causal_uniform_leaves_out_the_row_that_has_no_choice() -> None:
    facts = one(np.tri(4) / np.arange(1, 5)[:, None], TRIANGLE)
    assert facts.entropy == pytest.approx((1 + log2(3) + 2) / 3)
    assert facts.first == facts.own == facts.previous == pytest.approx((1 / 2 + 1 / 3 + 1 / 4) / 3)


def test_previous() -> None:
    facts = one(np.eye(4, k=-1) + np.eye(4)[[0]].T @ np.eye(4)[[0]])
    assert (facts.previous, facts.own, facts.entropy) == (1, 0.25, 0)


def test_a_sink_is_named_with_its_key() -> None:
    on_first = np.zeros((4, 4))
    on_first[:, 0] = 1
    facts = one(on_first)
    assert (facts.sink, facts.first, facts.sunk) == (0, 1, 1)
    assert one(np.roll(on_first, 3, axis=1)).sink == 3  # the separator at the end
    just = np.full((4, 4), (1 - SINK) / 3)
    just[:, 0] = SINK
    assert one(just).sink == 0
    assert one(just - np.eye(4)[0] * 1e-6).sink is None


def test_two_counted_rows_make_no_sink() -> None:
    assert one([[1, 0, 0], [1, 0, 0], [1, 0, 0]], np.tri(3, dtype=bool)).sink is None


def test_padding_is_not_counted() -> None:
    visible = EVERY.copy()
    visible[:, 0] = False  # padded at the left: the first key that anybody sees is the second
    weights = np.tile([0.0, 1.0, 0.0, 0.0], (4, 1))
    weights[0] = [0, 0, 0, 1]  # what the padding looks at says nothing
    facts = one(weights, visible)
    assert (facts.first, facts.sunk, facts.sink) == (1, 1, 1)
    assert facts.own == pytest.approx(1 / 3)
    assert facts.previous == 0.5  # rows 3 and 4; the key before row 2 is hidden


def test_a_context_has_no_own_or_previous_key() -> None:
    facts = one(np.full((2, 3), 1 / 3), np.ones((2, 3), dtype=bool), is_cross=True)
    assert facts.entropy == pytest.approx(log2(3))
    assert facts.first == pytest.approx(1 / 3)
    assert isnan(facts.own) and isnan(facts.previous)


def test_where_nothing_can_be_said() -> None:
    for weights, visible in (([[1.0]], EVERY[:1, :1]), (np.zeros((4, 4)), ~EVERY)):
        facts = one(weights, visible)
        assert all(isnan(getattr(facts, name)) for name in MEASURES)
        assert facts.sink is None


def test_nan_weights_have_no_facts() -> None:
    weights = np.eye(4)
    weights[2] = np.nan
    facts = one(weights)
    assert all(isnan(getattr(facts, name)) for name in MEASURES)
    assert facts.sink is None


def test_order() -> None:
    heads = np.array([np.full((4, 4), 0.25), np.eye(4), np.full((4, 4), np.nan), np.eye(4, k=-1)])
    facts = head_facts(heads, EVERY, False)
    assert order(facts, "number") == [0, 1, 2, 3]
    assert order(facts, "entropy") == [1, 3, 0, 2]
    assert order(facts, "own") == [1, 0, 3, 2]
    assert order(facts, "previous") == [3, 0, 1, 2]


def facts_of(trace: Trace) -> tuple[HeadFacts, ...]:
    return head_facts(trace.weights, trace.visible, trace.scene.is_cross)


def test_facts_of_a_trace() -> None:
    x = np.eye(3)
    scene = Scene(
        x=x, w_q=np.zeros((3, 2)), w_k=np.zeros((3, 2)), w_v=np.eye(3)[:, :2], heads=2, mask=(Causal(),)
    )
    first, second = facts_of(attend(scene))
    assert first == second
    assert first.entropy == pytest.approx((1 + log2(3)) / 2)
    padded = scene.replace(mask=(Padding(keys=(True, True, False)),))
    assert facts_of(attend(padded))[0].entropy == 1


def test_which_weights_are_drawn() -> None:
    row = np.array([[0.5, 0.0, 0.2, 0.2, 0.1, np.nan]])
    assert drawn(row, 0.0, None).tolist() == [[True, False, True, True, True, False]]
    assert drawn(row, 0.2, None).tolist() == [[True, False, True, True, False, False]]
    assert drawn(row, 0.0, 2).tolist() == [[True, False, True, False, False, False]]
    assert drawn(row, 0.3, 2).tolist() == [[True, False, False, False, False, False]]
    assert not drawn(np.zeros((2, 3, 4)), 0.0, 1).any()
