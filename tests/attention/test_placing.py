"""Positions before and after: values from the formulas, and what is known to hold whatever the numbers are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.placing import encoding, scores_without_bias
from explorer.attention.positions import Alibi, Rotary, Sinusoidal
from explorer.scene import Scene

rotaries = st.builds(
    Rotary, base=st.sampled_from([10.0, 100.0, 10000.0]), layout=st.sampled_from(["half", "interleaved"]),
    dims=st.sampled_from([None, 2, 4]),
)  # fmt: skip


def scene(n: int, d: int = 4, seed: int = 0, **changes: object) -> Scene:
    random = np.random.default_rng(seed)
    w = [random.normal(size=(d, d)) for _ in range(3)]
    return Scene(x=random.normal(size=(n, d)), w_q=w[0], w_k=w[1], w_v=w[2]).replace(**changes)


def test_the_encoding_between_two_positions() -> None:
    """PE(p, 2i) = sin(p/10000^(2i/d)), PE(p, 2i+1) = cos(p/10000^(2i/d)), at p = 1.5 and d = 4."""
    found = Sinusoidal().at([1.5], 4)
    np.testing.assert_allclose(found, [[np.sin(1.5), np.cos(1.5), np.sin(0.015), np.cos(0.015)]])
    assert [Sinusoidal().divisor(c, 4) for c in range(4)] == pytest.approx([1, 1, 100, 100])
    np.testing.assert_array_equal(Sinusoidal().at(np.arange(5), 6), Sinusoidal().added(5, 6))


def test_what_is_added_to_each_side() -> None:
    cross = scene(3, context=np.ones((5, 4)), position=Sinusoidal())
    trace = attend(cross)
    assert encoding(cross, "context").shape == (5, 4)
    np.testing.assert_allclose(trace.x - cross.x, encoding(cross), atol=1e-12)
    np.testing.assert_allclose(trace.source - cross.source, encoding(cross, "context"), atol=1e-12)
    assert encoding(scene(3, position=Rotary())) is None


def test_pairs_and_frequencies() -> None:
    assert Rotary().pairs(6) == ((0, 3), (1, 4), (2, 5))
    assert Rotary(layout="interleaved").pairs(6) == ((0, 1), (2, 3), (4, 5))
    assert Rotary(dims=4).pairs(6) == ((0, 2), (1, 3))
    assert [Rotary().frequency(i, 4) for i in range(2)] == pytest.approx([1, 0.01])


@settings(max_examples=40, deadline=None)
@given(rotaries, st.integers(0, 99), st.integers(2, 7))
def test_a_turn_keeps_lengths_and_is_that_of_its_pair(rotary: Rotary, seed: int, n: int) -> None:
    trace = attend(scene(n, seed=seed, position=rotary))
    norms = np.linalg.norm(trace.q_plain, axis=-1)
    np.testing.assert_allclose(np.linalg.norm(trace.q, axis=-1), norms, atol=1e-12)
    for number, (a, b) in enumerate(rotary.pairs(4)):
        before = trace.q_plain[0, :, a] + 1j * trace.q_plain[0, :, b]
        turned = before * np.exp(1j * np.arange(n) * rotary.frequency(number, 4))
        np.testing.assert_allclose(trace.q[0, :, a] + 1j * trace.q[0, :, b], turned, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(rotaries, st.integers(0, 99))
def test_a_score_depends_on_the_distance_alone(rotary: Rotary, seed: int) -> None:
    """The same token everywhere: every diagonal of the scores holds one number."""
    same = scene(6, seed=seed, position=rotary)
    scores = attend(same.replace(x=np.tile(same.x[:1], (6, 1)))).scores[0]
    for offset in range(-5, 6):
        diagonal = np.diagonal(scores, offset)
        np.testing.assert_allclose(diagonal, diagonal[0], atol=1e-9 * (1 + np.abs(scores).max()))


def test_scores_before_alibi() -> None:
    """Slopes 2^(−8h/H): 1/16 and 1/256 for two heads (Press et al. 2022)."""
    with_it = attend(scene(5, heads=2, position=Alibi()))
    without = attend(scene(5, heads=2))
    np.testing.assert_allclose(scores_without_bias(with_it), without.scaled, atol=1e-12)
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    for head, slope in enumerate((1 / 16, 1 / 256)):
        found = with_it.scaled[head] - scores_without_bias(with_it)[head]
        np.testing.assert_allclose(found, -slope * distance, atol=1e-12)
    capped = scene(4, softcap=2.0, position=Alibi())
    np.testing.assert_allclose(
        scores_without_bias(attend(capped))[0], attend(scene(4, softcap=2.0)).scaled[0], atol=1e-12
    )
