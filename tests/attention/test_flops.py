import numpy as np
from hypothesis import given, settings

from explorer.attention.cost import Sizes, multiply_adds
from explorer.attention.flops import flops
from explorer.scene import Scene
from tests.attention.random_scenes import scenes


@settings(max_examples=10)
@given(scenes())
def test_torch_counts_each_multiply_add_twice(scene: Scene) -> None:
    found = flops(scene)
    assert found.torch == 2 * sum(found.multiply_adds.values())
    assert found.multiply_adds == multiply_adds(Sizes.of(scene))
    assert (found.fused is None) == (scene.softcap is not None)


def test_one_call_goes_uncounted() -> None:
    """(1, 12, 64, 64): 12,582,912 written with matrix products; as one call on the CPU, 0 (torch 2.13)."""
    rng = np.random.default_rng(0)
    width = 12 * 64
    scene = Scene(
        x=rng.normal(size=(64, width)), **{w: np.eye(width) for w in ("w_q", "w_k", "w_v")}, heads=12
    )
    found = flops(scene)
    assert 2 * found.mixing == 12_582_912
    assert found.fused is not None and found.fused < 2 * found.mixing
    keys = [remark.key for remark in found.remarks]
    assert keys == ["counts_double", "counts_products", "counts_fused"]
    assert f"F.scaled_dot_product_attention counts as {found.fused:,}" in found.remarks[-1].text


def test_no_remark_on_a_call_that_cannot_be_made() -> None:
    scene = Scene(x=np.eye(2), w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2), softcap=2.0)
    assert [remark.key for remark in flops(scene).remarks] == ["counts_double", "counts_products"]
