"""Whether a session computes what the model computed."""

import numpy as np

from explorer.attention import attend
from explorer.capture.naming import CaptureError
from explorer.scene import Array, Scene, shape_text

# how far a session's output may be from the model's, as a share of the largest number in it
CLOSE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}


def difference(scene: Scene, output: Array) -> float:
    """How far the scene's output is from the model's, at most; NaN is torch's answer to a row that sees nothing."""
    ours = attend(scene).output
    if ours.shape != output.shape:
        raise CaptureError(f"its output is {shape_text(output)}, where {shape_text(ours)} was expected")
    rows = ~np.isnan(output).any(axis=1)
    return float(np.abs(ours[rows] - output[rows]).max()) if rows.any() else 0.0


def is_close(scene: Scene, apart: float, output: Array) -> bool:
    """Whether that is no more than rounding in the scene's precision."""
    largest = float(np.nanmax(np.abs(output), initial=0.0))
    return apart <= CLOSE[scene.dtype] * largest
