"""W^O taken apart: the output is a sum with one part per head, so each head can be looked at, or switched off.

output = Concat(head₁ … head_H)·W^O = Σ_h head_h·W^O_h, where W^O_h (d_v, d_out) are the rows of W^O that meet head h.
"""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from explorer.attention.precision import held
from explorer.attention.trace import Trace
from explorer.scene import Array, Scene


def contributions(scene: Scene, trace: Trace) -> Array:
    """(H, n, d_out): what each head adds to the output; their sum, and b_o, is the output. In float64.

    Without W^O each head fills its own columns.
    """
    return _through_w_o(scene, trace.head_outputs)


def value_weighted(scene: Scene, trace: Trace) -> Array:
    """(H, n, m): ‖αᵢⱼ·vⱼ·W^O_h‖, how long the vector is that key j really sends to the output of query i.

    A large weight on a short value moves little (Kobayashi et al. 2020, "Attention is not only a weight").
    """
    return weighted_lengths(np.asarray(trace.weights), value_lengths(scene, trace))


def value_lengths(scene: Scene, trace: Trace) -> Array:
    """(H, m): ‖vⱼ·W^O_h‖, what key j has to send through each head."""
    values = trace.v.repeat(scene.heads // scene.groups, axis=0)  # (H, m, d_v)
    length: Array = np.linalg.norm(_through_w_o(scene, values), axis=-1)
    return length


def weighted_lengths(weights: Array, lengths: Array) -> Array:
    """(H, n, m): weights (H, n, m) times `value_lengths`; a weight of 0 sends nothing of whatever length."""
    with np.errstate(invalid="ignore"):
        sent: Array = np.where(weights == 0, 0.0, weights * lengths[:, None, :])
    return sent


def without_heads(scene: Scene, trace: Trace, heads: Collection[int]) -> Trace:
    """The trace as it is with these heads (from 0) switched off: they add 0. Earlier stages stay as they are,
    and so does each number of the output to which they have added nothing.

    Raises ValueError for a head that the scene does not have.
    """
    off = sorted(set(heads))
    if wrong := [h for h in off if not 0 <= h < scene.heads]:
        raise ValueError(f"There are heads 1 to {scene.heads}; there is no head {wrong[0] + 1}.")
    if not off:
        return trace
    head_outputs = trace.head_outputs.copy()
    head_outputs[off] = 0
    concat = head_outputs.swapaxes(0, 1).reshape(scene.n, -1)  # (n, H·d_v)
    added = contributions(scene, trace)
    with np.errstate(all="ignore"):  # ∞ and NaN of the scene go through
        output = np.delete(added, off, axis=0).sum(axis=0)  # (n, d_out)
        if scene.b_o is not None:
            output = output + held(scene.b_o, scene.dtype)
    output = held(output, scene.dtype).astype(trace.output.dtype)
    output = np.where((added[off] == 0).all(axis=0), trace.output, output)
    for array in (head_outputs, concat, output):
        array.setflags(write=False)
    return replace(trace, head_outputs=head_outputs, concat=concat, output=output)


def _through_w_o(scene: Scene, rows: Array) -> Array:
    """(H, rows, d_v) → (H, rows, d_out): each head's rows through its part of W^O, in float64."""
    heads, count, d_v = rows.shape
    if scene.w_o is not None:
        parts = held(scene.w_o, scene.dtype).reshape(heads, d_v, scene.d_out)  # (H, d_v, d_out)
        with np.errstate(all="ignore"):  # ∞ and NaN of the scene go through
            product: Array = rows.astype(np.float64) @ parts
        return product
    placed = np.zeros((heads, count, heads, d_v))
    placed[np.arange(heads), :, np.arange(heads)] = rows
    return placed.reshape(heads, count, heads * d_v)
