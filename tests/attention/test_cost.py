from dataclasses import replace

import numpy as np
import pytest

from explorer.attention.cost import (
    PRESET,
    PRESETS,
    Sizes,
    activation_bytes,
    kv_cache_bytes,
    multiply_adds,
    parameters,
)
from explorer.scene import Scene

PAPER = {"batch": 32, "n": 1024, "d_model": 512}


@pytest.mark.parametrize(
    ("sizes", "total"),
    [
        (Sizes(**PAPER), 60_129_542_144),
        (Sizes(**PAPER, heads=8, d_out=512), 68_719_476_736),
        (Sizes(**PAPER, heads=8), 60_129_542_144),
    ],
)
def test_totals_that_fvcore_prints(sizes: Sizes, total: int) -> None:
    assert sum(multiply_adds(sizes).values()) == total


@pytest.mark.parametrize("heads", [1, 2, 4, 8, 16, 512])
def test_closed_form_per_sequence_has_no_heads(heads: int) -> None:
    n, d = 1024, 512
    assert sum(multiply_adds(Sizes(n=n, d_model=d, heads=heads)).values()) == 3 * n * d**2 + 2 * n**2 * d
    with_w_o = multiply_adds(Sizes(n=n, d_model=d, heads=heads, d_out=d))
    assert with_w_o["output"] == n * d**2


def test_each_stage_of_cross_attention_with_grouped_heads() -> None:
    sizes = Sizes(batch=2, n=3, m=5, d_model=7, d_context=11, heads=4, kv_heads=2, d_k=6, d_v=8, d_out=9)
    assert multiply_adds(sizes) == {
        "q": 2 * 3 * 7 * 24,
        "k": 2 * 5 * 11 * 12,
        "v": 2 * 5 * 11 * 16,
        "scores": 2 * 4 * 3 * 5 * 6,
        "head_outputs": 2 * 4 * 3 * 5 * 8,
        "output": 2 * 3 * 32 * 9,
    }
    assert parameters(sizes) == {"w_q": 7 * 24, "w_k": 11 * 12, "w_v": 11 * 16, "w_o": 32 * 9}
    assert activation_bytes(sizes, "bfloat16") == {
        "x": 2 * 2 * 3 * 7,
        "q": 2 * 2 * 3 * 24,
        "k": 2 * 2 * 5 * 12,
        "v": 2 * 2 * 5 * 16,
        "scores": 2 * 2 * 60,
        "weights": 2 * 2 * 60,
        "head_outputs": 2 * 2 * 3 * 32,
        "output": 2 * 2 * 3 * 9,
    }


def test_cache_of_a_llama_2_70b_layer() -> None:
    """80 layers, 8 K/V heads of width 128, half precision: 320 KiB a token, 4 KiB of it in each layer."""
    sizes = Sizes(n=1, m=1, d_model=8192, heads=64, kv_heads=8, d_k=128, d_v=128)
    assert kv_cache_bytes(sizes, "float16") == 4096


def test_sizes_of_a_scene() -> None:
    scene = Scene(
        x=np.ones((3, 4)), context=np.ones((5, 2)), heads=4, kv_heads=2,
        w_q=np.ones((4, 12)), w_k=np.ones((2, 6)), w_v=np.ones((2, 10)), w_o=np.ones((20, 7)),
    )  # fmt: skip
    assert Sizes.of(scene, batch=2) == Sizes(
        batch=2, n=3, m=5, d_model=4, d_context=2, heads=4, kv_heads=2, d_k=3, d_v=5, d_out=7
    )
    arrays = {"w_q": scene.w_q, "w_k": scene.w_k, "w_v": scene.w_v, "w_o": scene.w_o}
    assert parameters(Sizes.of(scene)) == {name: a.size for name, a in arrays.items() if a is not None}


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ({"n": 0, "d_model": 4}, "n is 0 but must be at least 1."),
        ({"n": 2, "d_model": 4, "heads": 3}, "3 heads do not divide d_model = 4 evenly."),
    ],
)
def test_impossible_sizes_say_why(sizes: dict[str, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Sizes(**sizes)


def test_presets_are_the_published_sizes() -> None:
    """Parameters of all attention layers, and the cache of one token in half precision, as reported for each."""

    def total(name: str) -> int:
        return PRESET[name].layers * sum(parameters(PRESET[name].sizes).values())

    def cache(name: str) -> int:
        one = replace(PRESET[name].sizes, n=1)
        return PRESET[name].layers * kv_cache_bytes(one, PRESET[name].dtype)

    assert total("transformer") == 6 * 4 * 512**2
    assert total("gpt2") == 28_311_552
    assert total("llama2") == 2_147_483_648
    assert cache("llama2") == 512 * 1024
    assert cache("mistral") == 128 * 1024
    assert len(PRESET) == len(PRESETS)
    paper = replace(PRESET["transformer"].sizes, batch=32)
    assert sum(multiply_adds(paper).values()) == 68_719_476_736
