"""Stages that are computed where one looks, against the same held as whole arrays."""

import numpy as np
import pytest
from hypothesis import given, settings

from explorer.attention.attend import attend
from explorer.attention.explain import explain
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import Alibi, Relative, Rotary, Sinusoidal
from explorer.attention.streamed import BLOCK, LARGEST, Streamed, TooLargeError
from explorer.attention.trace import STAGES, Cell
from explorer.scene import Scene
from tests.attention.large_scenes import STREAM, both, scene_of
from tests.attention.random_scenes import scenes

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
KINDS = {
    "plain": {},
    "causal": {"mask": (Causal(),)},
    "bottom right": {"m": 700, "mask": (Causal(align="bottom_right"),)},
    "cross": {"m": 300, "softcap": 3.0},
    "padding and window": {"mask": (Padding(keys=(True, False) * 256), Window(left=9, right=4))},
    "blind rows": {"mask": (Padding(keys=(False,) * 100 + (True,) * 412), Causal())},
    "filled": {"mask": (Causal(),), "mask_fill": -2.0},
    "custom": {"mask": (Custom(table=np.random.default_rng(1).random((512, 512)) < 0.1),)},
    "relative": {"position": Relative(table=np.arange(14.0).reshape(2, 7) / 5), "heads": 4},
    "alibi, grouped": {"position": Alibi(), "heads": 4, "kv_heads": 2, "scale": 0.3},
    "rotary": {"position": Rotary(), "mask": (Causal(),)},
    "sinusoidal, no scale": {"position": Sinusoidal(), "scale": "none"},
}


@settings(deadline=None)
@given(scenes(dtypes=("float64",)))
def test_every_stage_of_any_scene_is_that_of_the_plain_computation(scene: Scene) -> None:
    held, streamed, _ = both(scene)
    for stage in STAGES:
        ours, plain = np.asarray(streamed.stage(stage.name)), held.stage(stage.name)
        assert ours.shape == plain.shape and ours.dtype == plain.dtype
        np.testing.assert_allclose(ours, plain, err_msg=stage.name, **CLOSE)
    assert np.array_equal(np.asarray(streamed.visible), held.visible)
    assert np.array_equal(streamed.blind, held.blind)


@pytest.mark.parametrize("kind", KINDS)
def test_512_tokens_of_every_kind(kind: str) -> None:
    held, streamed, large = both(scene_of(512, **KINDS[kind]))
    rows, cols = np.array([0, 99, 100, 101, 511]), np.array([7, 255, 299])
    for stage in STAGES:
        ours, plain = streamed.matrix(stage.name, 1), held.matrix(stage.name, 1)
        at = rows[rows < len(plain)]
        np.testing.assert_allclose(ours[at], plain[at], err_msg=stage.name, **CLOSE)
        head = None if stage.per == "scene" else 1
        across = cols[cols < plain.shape[1]]
        part = large.part(stage.name, head, at, across).numpy()
        np.testing.assert_allclose(part, plain[np.ix_(at, across)], err_msg=stage.name, **CLOSE)
    assert np.array_equal(streamed.blind, held.blind)
    assert streamed.visible.all() == held.visible.all()


def test_2048_tokens() -> None:
    held, streamed, _ = both(scene_of(2048, heads=1, mask=(Causal(),)))
    for stage in ("scores", "masked", "weights", "head_outputs", "output"):
        np.testing.assert_allclose(streamed.matrix(stage, 0)[...], held.matrix(stage, 0), **CLOSE)


@pytest.mark.parametrize(
    ("dtype", "near"), [("float32", 1e-4), ("bfloat16", 0.06), ("float16", 0.008)]
)  # ulps of numbers up to 4, of which a block may add in another order
def test_in_the_precision_of_the_scene(dtype: str, near: float) -> None:
    held, streamed, _ = both(scene_of(512, dtype=dtype, mask=(Causal(),)))
    for stage in STAGES:
        ours, plain = streamed.matrix(stage.name, 0)[5:300], held.matrix(stage.name, 0)[5:300]
        assert ours.dtype == plain.dtype == np.float32
        np.testing.assert_allclose(ours, plain, rtol=near, atol=near, err_msg=stage.name)


def test_indexing_is_that_of_an_array() -> None:
    held, streamed, _ = both(scene_of(64))
    plain, ours = held.weights, streamed.weights
    flags = np.arange(64) % 5 == 0
    for key in (
        (1, 3, 4), (1, -1, -2), (0, 5), (0, slice(3, 9)), (0, slice(3, 9), slice(1, 60, 7)), (1, 2, flags),
        (1, slice(None), 5), (0, [4, 2], slice(None)), (0, ..., 3), (slice(None), 2, 3), (0, [1, 2], [3, 4]),
    ):  # fmt: skip
        np.testing.assert_allclose(np.asarray(ours[key]), plain[key], **CLOSE)
    assert (ours.shape, ours.ndim, ours.size, len(ours)) == (plain.shape, 3, plain.size, 2)
    with pytest.raises(IndexError):
        ours[0, 64]
    np.testing.assert_allclose(ours * 2 + 1, plain * 2 + 1, **CLOSE)
    np.testing.assert_allclose(np.abs(streamed.scores).max(), np.abs(held.scores).max(), **CLOSE)
    assert float(ours.sum()) == pytest.approx(128)  # two heads, 64 rows that each add up to 1
    assert np.array_equal(~streamed.visible, ~held.visible)


def test_32768_tokens_are_looked_at_anywhere() -> None:
    """One-hot tokens that attend to their like: token i is i mod 4, its score with its like 1, with others 0."""
    n = 32_768
    identity = np.eye(4)
    x = 4.0 * identity[np.arange(n) % 4]
    trace = attend(
        Scene(x=x, w_q=identity / 4, w_k=identity / 4, w_v=identity, scale="none", mask=(Causal(),))
    )
    assert trace.large is not None
    alike = float(np.exp(1))
    last = n - 1
    expected = alike / (n / 4 * (alike + 3))
    assert trace.weights[0, last, 3] == pytest.approx(expected)
    assert trace.weights[0, last, 2] == pytest.approx(expected / alike)
    assert trace.weights[0, 5, 6] == 0.0 and not trace.visible[5, 6] and trace.visible[5, 5]
    assert trace.output[last].tolist() == pytest.approx([4 / (alike + 3)] * 3 + [4 * alike / (alike + 3)])
    explained = explain(trace.scene, trace, Cell("weights", 0, last, 3))
    assert explained.value == pytest.approx(expected)
    total = explained.steps[1]  # of the exponentials
    assert len(total.terms) == n and total.terms[last - 1].sources == (Cell("masked", 0, last, last - 1),)
    assert total.result == pytest.approx(n / 4 * (alike + 3), rel=1e-15)
    assert explain(trace.scene, trace, Cell("output", None, last, 3)).sources
    assert explain(trace.scene, trace, Cell("masked", 0, 5, 6)).value == -np.inf
    with pytest.raises(
        TooLargeError, match=r"^weights has 1 × 32768 × 32768 numbers, too many to be held\.$"
    ):
        np.asarray(trace.weights)


def test_no_block_is_larger_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads 8192 rows of 8192 keys has them computed BLOCK numbers at a time."""
    asked: list[int] = []
    scene = scene_of(8192, heads=1, width=2)
    trace = attend(scene, hold=STREAM)
    whole = trace.large.block

    def block(head: int | None, rows: np.ndarray, *wanted: str) -> object:  # type: ignore[type-arg]
        asked.append(len(rows) * scene.m)
        return whole(head, rows, *wanted)

    trace.large.block = block
    assert trace.weights.nbytes <= LARGEST
    column = trace.weights[0, :, 5]
    assert column.shape == (8192,) and max(asked) == BLOCK and sum(asked) == scene.n * scene.m


def test_a_streamed_array_says_what_it_is() -> None:
    flags = Streamed("visible", (2, 3), np.bool_, lambda _head, rows, cols: np.ones((len(rows), 3), bool))
    assert flags.all() and flags.nbytes == 6 and flags[1].tolist() == [True] * 3
