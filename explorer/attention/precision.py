"""What a number becomes in the scene's precision, without torch."""

import numpy as np
from numpy.typing import ArrayLike

from explorer.scene import MATRICES, Array, Scene

# The distance from 1 to the next number.
EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "bfloat16": 2.0**-7, "float16": 2.0**-10}


def held(values: ArrayLike, dtype: str) -> Array:
    """`values` as `dtype` holds them, in float64: to the nearest, ties to even, too large becomes ∞.

    Both half precisions go by way of float32, as torch's own conversion does.
    """
    exact = np.asarray(values, dtype=np.float64)
    if dtype == "float64":
        return exact
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        single = exact.astype(np.float32)
        if dtype == "bfloat16":
            return _upper_half(single).astype(np.float64)
        return (single.astype(np.float16) if dtype == "float16" else single).astype(np.float64)


def _upper_half(single: Array) -> Array:
    """float32 rounded to its upper 16 bits, which is bfloat16."""
    bits = np.atleast_1d(single).view(np.uint32)
    rounded = (bits + (0x7FFF + ((bits >> 16) & 1))) & np.uint32(0xFFFF0000)
    kept = np.where(np.isnan(np.atleast_1d(single)), bits, rounded)
    return kept.astype(np.uint32).view(np.float32).reshape(single.shape)


def widened(scene: Scene) -> Scene:
    """The scene in float64, on the numbers that its own precision holds: nothing is rounded after them."""
    if scene.dtype == "float64":
        return scene
    given = {name: held(a, scene.dtype) for name in MATRICES if (a := getattr(scene, name)) is not None}
    # float16 cannot hold −1e9: there the fill is −∞, and a row without keys has no weights.
    fill = float(held(scene.mask_fill, scene.dtype))
    return scene.replace(**given, dtype="float64", mask_fill=fill)
