"""What a position does to the numbers of a trace: before and after, for those who want to see both."""

import numpy as np

from explorer.attention.trace import Trace
from explorer.scene import Array, Scene


def encoding(scene: Scene, side: str = "x") -> Array | None:
    """(n, d_model), for the context (m, d_context): what is added to the rows; None: nothing."""
    rows = scene.x if side == "x" else scene.source
    return scene.position.added(rows.shape[0], rows.shape[1], side)


def scores_without_bias(trace: Trace) -> Array:
    """(H, n, m): the scaled scores before ALiBi, in float64 from the raw ones."""
    scene = trace.scene
    scaled: Array = trace.scores.astype(np.float64) * scene.factor
    if scene.softcap is not None:
        scaled = scene.softcap * np.tanh(scaled / scene.softcap)
    return scaled
