"""A layer from afar, against the weights of its whole trace."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from explorer.attention import attend
from explorer.attention.afar import from_afar
from explorer.attention.heads import head_facts
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.parts import value_weighted
from explorer.scene import Scene


def layer(n: int, m: int | None, **settings: object) -> Scene:
    random = np.random.default_rng(n)
    w_q, w_v = random.normal(size=(2, 8, 12))
    w_k = random.normal(size=(8, 12))
    context = None if m is None else random.normal(size=(m, 8))
    settings.setdefault("heads", 3)
    return Scene(x=random.normal(size=(n, 8)), context=context, w_q=w_q, w_k=w_k, w_v=w_v, **settings)


PADDED = Padding(keys=(False,) * 2 + (True,) * 88)
HALF_BLIND = np.tri(70, dtype=bool)
HALF_BLIND[:20] = False


@pytest.mark.parametrize("most", [16, 64, 256])
@pytest.mark.parametrize(
    "scene",
    [
        layer(1, None), layer(5, None, mask=(Causal(),)), layer(64, None), layer(70, 33, dtype="float32"),
        layer(300, None, mask=(Causal(), Window(left=40, right=0))), layer(513, 700, dtype="bfloat16"),
        layer(70, None, mask=(Custom(table=HALF_BLIND),)), layer(90, None, mask=(PADDED,)),
        layer(70, None, mask=(Custom(table=HALF_BLIND),), mask_fill=-1e9),
    ],
    ids=lambda scene: f"{scene.n} × {scene.m} {scene.dtype} {len(scene.mask)} {scene.mask_fill}",
)  # fmt: skip
def test_pictures_and_facts_are_those_of_the_whole_trace(scene: Scene, most: int) -> None:
    trace = attend(scene)
    found = from_afar(scene, most)
    rows, cols = (
        np.linspace(0, size, min(most, size), endpoint=False).astype(int) for size in (scene.n, scene.m)
    )
    for picture, whole in ((found.weights, trace.weights), (found.sent, value_weighted(scene, trace))):
        largest = np.maximum.reduceat(
            np.maximum.reduceat(np.asarray(whole, float), rows, axis=1), cols, axis=2
        )
        np.testing.assert_allclose(picture, largest, rtol=1e-5, atol=1e-7)
    assert np.array_equal(found.visible, trace.visible) and np.array_equal(found.blind, trace.blind)
    for ours, theirs in zip(
        found.facts, head_facts(trace.weights, trace.visible, scene.is_cross), strict=True
    ):
        assert ours.sink == theirs.sink
        for name in ("entropy", "first", "previous", "own", "sunk"):
            assert getattr(ours, name) == pytest.approx(
                getattr(theirs, name), rel=1e-4, abs=1e-6, nan_ok=True
            )


def test_numbers_too_large_for_float32_are_seen_as_well() -> None:
    usual = layer(20, None)
    huge = usual.replace(
        x=usual.x * 1e100, w_q=usual.w_q / 1e100, w_k=usual.w_k / 1e100, w_v=usual.w_v / 1e100
    )
    np.testing.assert_allclose(from_afar(huge, 8).weights, from_afar(usual, 8).weights, rtol=1e-5)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_heads_side_by_side_are_those_of_the_whole_trace(threads: int) -> None:
    scene = layer(90, None, heads=12, mask=(Causal(),))
    usual = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        found = from_afar(scene, 90)
        with ThreadPoolExecutor(1) as pool:
            assert {torch.get_num_threads(), pool.submit(torch.get_num_threads).result()} == {threads}
    finally:
        torch.set_num_threads(usual)
    np.testing.assert_allclose(found.weights, attend(scene).weights, rtol=1e-5, atol=1e-7)
