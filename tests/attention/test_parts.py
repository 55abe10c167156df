import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.parts import contributions, value_weighted, without_heads
from explorer.attention.precision import EPS
from explorer.scene import Scene
from tests.attention.random_scenes import scenes

# Two heads of one column: head 1 sees V = (1, 0), head 2 V = (0, 1), and W^O doubles the second.
TWO = Scene(
    x=np.eye(2), w_q=np.zeros((2, 2)), w_k=np.zeros((2, 2)), w_v=np.eye(2), w_o=[[1, 0], [0, 2]],
    b_o=[10, 20], heads=2,
)  # fmt: skip


def test_literal_parts() -> None:
    trace = attend(TWO)  # every weight is 1/2
    assert contributions(TWO, trace).tolist() == [[[0.5, 0], [0.5, 0]], [[0, 1], [0, 1]]]
    assert value_weighted(TWO, trace).tolist() == [[[0.5, 0], [0.5, 0]], [[0, 1], [0, 1]]]
    left = without_heads(TWO, trace, [1])
    assert left.output.tolist() == [[10.5, 20], [10.5, 20]]
    assert left.concat.tolist() == [[0.5, 0], [0.5, 0]]
    assert without_heads(TWO, trace, [0, 1]).output.tolist() == [[10, 20], [10, 20]]


@settings(max_examples=50)
@given(scenes())
def test_parts_add_up_to_the_output(scene: Scene) -> None:
    trace = attend(scene)
    total = contributions(scene, trace).sum(axis=0) + (0 if scene.b_o is None else scene.b_o)
    reach = 1 if scene.w_o is None else np.abs(scene.w_o).sum(axis=0).max()
    size = np.abs(trace.concat).max() * reach + (0 if scene.b_o is None else np.abs(scene.b_o).max())
    np.testing.assert_allclose(trace.output, total, rtol=0, atol=8 * EPS[scene.dtype] * (1 + size))


@settings(max_examples=50)
@given(scenes(dtypes=("float64",)), st.data())
def test_switched_off_is_as_with_those_rows_of_w_o_at_zero(scene: Scene, data: st.DataObject) -> None:
    off = data.draw(st.sets(st.integers(0, scene.heads - 1)))
    trace = attend(scene)
    found = without_heads(scene, trace, off)
    w_o = np.array(np.eye(scene.d_out) if scene.w_o is None else scene.w_o)
    for head in off:
        w_o[head * scene.d_v : (head + 1) * scene.d_v] = 0
    expected = attend(scene.replace(w_o=w_o))
    np.testing.assert_allclose(found.output, expected.output, rtol=1e-12, atol=1e-12)
    assert found.weights is trace.weights and found.concat.shape == trace.concat.shape
    assert not any(found.head_outputs[head].any() for head in off)
    assert not found.output.flags.writeable


@settings(max_examples=50)
@given(scenes(dtypes=("float64",)))
def test_value_weighted_is_the_length_of_each_vector(scene: Scene) -> None:
    trace = attend(scene)
    found = value_weighted(scene, trace)
    w_o = np.eye(scene.d_out) if scene.w_o is None else scene.w_o
    for h in range(scene.heads):
        block = w_o[h * scene.d_v : (h + 1) * scene.d_v]
        for i, j in np.ndindex(scene.n, scene.m):
            vector = trace.weights[h, i, j] * trace.v[scene.kv_head(h), j] @ block
            assert found[h, i, j] == pytest.approx(np.linalg.norm(vector), rel=1e-12, abs=1e-12)


def test_a_head_of_nan_can_be_switched_off() -> None:
    scene = TWO.with_cell("w_v", 0, 0, np.nan)
    trace = attend(scene)
    assert np.isnan(trace.output[:, 0]).all()
    assert without_heads(scene, trace, [0]).output.tolist() == [[10, 21], [10, 21]]
    bare = scene.replace(w_o=None, b_o=None)
    parts = contributions(bare, attend(bare))
    assert np.isnan(parts[0, :, 0]).all() and not parts[0, :, 1].any()  # without W^O it stays in its columns


def test_nothing_off_and_heads_that_are_not_there() -> None:
    trace = attend(TWO)
    assert without_heads(TWO, trace, ()) is trace
    with pytest.raises(ValueError, match="There are heads 1 to 2; there is no head 3."):
        without_heads(TWO, trace, [2])


def test_the_precision_of_the_scene() -> None:
    scene = TWO.replace(dtype="bfloat16", b_o=[0, 1 / 3])
    trace = attend(scene)
    assert without_heads(scene, trace, [1]).output[0, 1] == trace.output.dtype.type(0.333984375)


def test_a_head_whose_rows_of_w_o_are_infinite_adds_nothing_once_it_is_off() -> None:
    scene = TWO.with_cell("w_o", 0, 0, np.inf)
    trace = attend(scene)
    assert not np.isfinite(trace.output[:, 0]).any()
    assert without_heads(scene, trace, [0]).output.tolist() == [[10, 21], [10, 21]]


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_a_head_that_adds_nothing_is_not_missed(dtype: str) -> None:
    rng = np.random.default_rng(0)
    x, w, w_o = rng.normal(size=(3, 4)), rng.normal(size=(4, 8)), rng.normal(size=(8, 3))
    w_o[4:] = 0
    scene = Scene(x=x, heads=2, w_q=w, w_k=w, w_v=w, w_o=w_o, b_o=np.full(3, 1 / 3), dtype=dtype)
    trace = attend(scene)
    np.testing.assert_array_equal(without_heads(scene, trace, [1]).output, trace.output)
