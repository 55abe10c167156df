"""Large scenes on another device than the processor: the way there and back, and what is said where there is none."""

import numpy as np
import pytest
import torch

from explorer.attention.attend import attend
from explorer.attention.cost import CPU, DEVICE_NAMES
from explorer.attention.devices import devices, failure_sentence, reason_against
from explorer.attention.forward import pair_stages
from explorer.attention.large import Large
from explorer.attention.tiles import Strongest, fill, whole
from explorer.attention.windows import Tiles
from tests.attention.large_scenes import STREAM, both, scene_of
from tests.attention.test_large import KINDS

ABSENT = [device for device in DEVICE_NAMES if device not in devices()]
TOLERANCE = {"float64": 1e-9, "float32": 1e-4}
STAGES = ("scores", "scaled", "masked", "weights", "head_outputs")


@pytest.mark.parametrize("device", [CPU, *devices()])
@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", KINDS)
def test_every_device_there_is_gives_the_same(kind: str, dtype: str, device: str) -> None:
    """On a computer with a graphics processor, on that; everywhere the processor goes the same way there and back."""
    scene = scene_of(512, **KINDS[kind]).replace(dtype=dtype)
    if device == "mps" and dtype == "float64":
        pytest.skip("MPS has no float64")
    held, near = attend(scene), TOLERANCE[dtype]
    trace = attend(scene, hold=STREAM, device=device)
    large = trace.large
    assert (large.device, large.note, large.failed) == (device, "", False)
    rows = np.array([0, 99, 100, 511])
    for stage in STAGES:
        ours, plain = large.part(stage, 1, rows).numpy(), held.matrix(stage, 1)[rows]
        np.testing.assert_allclose(ours, plain, rtol=near, atol=near, err_msg=stage)
    np.testing.assert_allclose(trace.output[rows], held.output[rows], rtol=near, atol=near)
    for pool in ("max", "mean"):
        on_device, here = (Tiles(whole(one, "weights", 1, 40, 40, pool)) for one in (large, Large(scene)))
        list(fill(large, [on_device]))
        list(fill(Large(scene), [here]))
        np.testing.assert_allclose(on_device.values, here.values, rtol=near, atol=near)
        assert np.array_equal(on_device.hidden, here.hidden)
    strongest = Strongest(large, 0)
    list(strongest.search())
    assert strongest.value == pytest.approx(held.weights[0].max(), rel=near)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_a_block_is_made_elsewhere(kind: str) -> None:
    """torch's device of mere shapes refuses a tensor of another device, as a graphics processor does."""
    scene = scene_of(512, **KINDS[kind])
    q, k = (torch.empty(1, count, scene.d_k, device="meta") for count in (20, scene.m))
    visible = torch.empty(20, scene.m, dtype=torch.bool, device="meta")
    for keep in (None, ("weights",), ("scores", "masked")):
        found = pair_stages(scene, q, k, np.array([1]), np.arange(20), visible, keep=keep)
        assert {each.device.type for each in found.values()} == {"meta"}


@pytest.mark.parametrize("device", ABSENT)
def test_without_the_device_the_processor_computes_and_it_is_said(device: str) -> None:
    trace = attend(scene_of(64), hold=STREAM, device=device)
    name = {"cuda": "CUDA", "mps": "MPS"}[device]
    assert trace.large.note == f"torch sees no {name} here, so large scenes are computed on the processor."
    assert trace.large.device == CPU and not trace.large.failed
    np.testing.assert_allclose(np.asarray(trace.weights), attend(scene_of(64)).weights)


def test_small_scenes_stay_on_the_processor() -> None:
    assert attend(scene_of(64), device="cuda").large is None


def test_a_device_that_fails_in_the_middle_is_left() -> None:
    """The device of shapes has no numbers to give: the answer comes from the processor, and it is said why."""
    held, _, large = both(scene_of(64))
    large.device = "meta"
    large._move()
    one = Tiles(whole(large, "weights", 0, 64, 64))
    list(fill(large, [one]))
    np.testing.assert_allclose(one.values, held.weights[0])
    assert (large.device, large.failed) == (CPU, True)
    assert large.note.startswith("meta cannot compute this scene (")
    assert large.note.endswith("), which is computed on the processor now.")


def test_what_the_processor_cannot_do_is_an_error() -> None:
    large = both(scene_of(64))[2]
    with pytest.raises(RuntimeError, match="shapes"):
        large.safely(lambda: torch.ones(2, 3) @ torch.ones(2, 3))
    assert not large.failed


def test_too_little_memory_is_told_plainly() -> None:
    expected = "CUDA has too little memory for this scene, which is computed on the processor now."
    assert failure_sentence("cuda", torch.OutOfMemoryError("CUDA out of memory. Tried …")) == expected
    assert failure_sentence("mps", RuntimeError("MPS backend out of memory")).startswith("MPS has too little")


def test_float64_is_not_asked_of_mps() -> None:
    scene = scene_of(4)
    expected = "MPS has no float64, so this scene is computed on the processor."
    assert reason_against(scene, "mps", there=("mps",)) == expected
    assert reason_against(scene.replace(dtype="float32"), "mps", there=("mps",)) == ""
    assert reason_against(scene, "cuda", there=("cuda", "mps")) == ""
