import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer.attention.saturation import jacobian_norm, softmax_jacobian, spread


@pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256])
@pytest.mark.parametrize("scaled", [True, False])
def test_deviation_is_what_the_footnote_says(d_k: int, scaled: bool) -> None:
    """Var(q·k) = d_k: 2000 × 8 scores tell it within a few per cent."""
    found = spread(d_k, seed=1, samples=2000, scaled=scaled)
    assert found.deviation == pytest.approx(found.expected, rel=0.05)
    assert found.scores.mean() == pytest.approx(0, abs=0.05 * found.expected)


def test_unscaled_saturates_and_scaled_does_not() -> None:
    widths = [1, 4, 16, 64, 256, 1024]
    plain = [spread(d, samples=500, scaled=False) for d in widths]
    scaled = [spread(d, samples=500) for d in widths]
    assert all(a.largest_weight < b.largest_weight for a, b in zip(plain, plain[1:], strict=False))
    assert all(a.gradient_norm > b.gradient_norm for a, b in zip(plain[1:], plain[2:], strict=False))
    assert plain[-1].largest_weight > 0.95 and plain[-1].gradient_norm < 0.05
    for found in scaled[1:]:
        assert 0.3 < found.largest_weight < 0.5 and 0.25 < found.gradient_norm < 0.45


def test_the_expected_maximum_of_wide_gaps() -> None:
    """At d_k = 1024 the scores have deviation 32; with two keys the largest weight is σ(|s₁ − s₂|),
    and the mean of 1 − σ(|N(0, 2·1024)|) ≈ 2·ln 2/√(2π·2·1024).
    """
    found = spread(1024, seed=3, samples=4000, scaled=False, keys=2)
    assert 1 - found.largest_weight == pytest.approx(2 * np.log(2) / np.sqrt(2 * np.pi * 2048), rel=0.2)


def test_repeats_and_grows_smoothly() -> None:
    a, b = spread(64, seed=5), spread(64, seed=5)
    assert np.array_equal(a.scores, b.scores)
    wider = spread(65, seed=5)
    change = wider.scores * np.sqrt(65) - a.scores * np.sqrt(64)  # one more product of two unit numbers
    assert change.std() == pytest.approx(1, rel=0.1)
    assert not np.array_equal(spread(64, seed=6).scores, a.scores)


@given(arrays(np.float64, st.integers(1, 6), elements=st.floats(-30, 30)))
def test_jacobian(scores: np.ndarray) -> None:
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    jacobian = softmax_jacobian(weights)
    np.testing.assert_allclose(jacobian.sum(axis=0), 0, atol=1e-15)
    assert np.array_equal(jacobian, jacobian.T)
    # the closed form is a difference: near a weight of 1 the root of what rounding leaves is some 1e-8
    assert jacobian_norm(weights) == pytest.approx(np.linalg.norm(jacobian), abs=1e-7)
    for j in range(len(scores)):
        step = np.eye(len(scores))[j] * 1e-5
        up, down = (np.exp(s - s.max()) / np.exp(s - s.max()).sum() for s in (scores + step, scores - step))
        np.testing.assert_allclose(jacobian[:, j], (up - down) / 2e-5, atol=1e-9)


def test_jacobian_of_known_rows() -> None:
    assert softmax_jacobian(np.array([0.5, 0.5])).tolist() == [[0.25, -0.25], [-0.25, 0.25]]
    assert not softmax_jacobian(np.zeros(3)).any()  # a row that attends to nothing
    assert not softmax_jacobian(np.array([0.0, 1.0])).any()  # saturated
    assert jacobian_norm(np.array([[0.5, 0.5, 0], [0, 0, 0]])).tolist() == [0.5, 0]


@pytest.mark.parametrize("sizes", [{"d_k": 0}, {"d_k": 2, "samples": 0}, {"d_k": 2, "keys": 0}])
def test_counts_below_one(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        spread(**sizes)
