"""All matrices of an `nn.MultiheadAttention` at once, out of a file that holds its state dict.

A torch Linear stores [out, in], so W = weight.T; `in_proj_weight` is [3·D, D], rows q, k, v. Where key and value
widths differ from D there are three weights instead. The number of heads cannot be told from any of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.files.arrays import ArrayFile
from explorer.reshape import resize, with_context
from explorer.scene import Array, Position, Scene

JOINED = "in_proj_weight"
APART = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
OUT = "out_proj.weight"


@dataclass(frozen=True)
class Layer:
    """One such layer of a file: its names begin with `prefix`; D = `width`, keys and values come from `source`."""

    prefix: str
    width: int
    source: int

    @property
    def possible_heads(self) -> tuple[int, ...]:
        """The numbers of heads that divide D, ascending."""
        return tuple(heads for heads in range(1, self.width + 1) if self.width % heads == 0)


def layers(file: ArrayFile) -> tuple[Layer, ...]:
    """The layers that a file holds whole, in its order; one that cannot be a scene is left out."""
    shapes = {entry.name: entry.shape for entry in file.entries}
    found = {}
    for name in shapes:
        for key in (JOINED, APART[0]):
            if name == key or name.endswith("." + key):
                layer = _layer(shapes, name.removesuffix(key))
                if layer is not None:
                    found[layer.prefix] = layer
    return tuple(found.values())


def _layer(shapes: dict[str, tuple[int, ...]], prefix: str) -> Layer | None:
    out = shapes.get(prefix + OUT, ())
    if len(out) != 2 or out[0] != out[1] or out[0] == 0:
        return None
    width = source = out[0]
    if shapes.get(prefix + JOINED) != (3 * width, width):
        apart = [shapes.get(prefix + key, ()) for key in APART]
        source = (*apart[1], 0, 0)[1]
        if source == 0 or apart != [(width, width), (width, source), (width, source)]:
            return None  # also where keys and values have widths of their own: a context has one
    biases = {JOINED.replace("weight", "bias"): (3 * width,), "out_proj.bias": (width,)}
    if any(shapes.get(prefix + key, shape) != shape for key, shape in biases.items()):
        return None
    if prefix + "bias_k" in shapes:  # add_bias_kv: one more key, learned
        return None
    return Layer(prefix, width, source)


def fill(scene: Scene, file: ArrayFile, layer: Layer, heads: int) -> Scene:
    """The scene with all matrices of the layer, computing what the module computes.

    x and the context keep their rows and are cut or padded to its widths; the mask stays. Raises TableError or
    SceneError.
    """
    joined = _tensor(file, layer.prefix + JOINED)
    apart = [_tensor(file, layer.prefix + key) for key in APART]
    weights = [w for w in apart if w is not None] if joined is None else np.split(joined, 3)
    w_q, w_k, w_v = (weight.T for weight in weights)  # (D, D), (source, D), (source, D)
    in_bias = _tensor(file, layer.prefix + "in_proj_bias")
    b_q, b_k, b_v = (None, None, None) if in_bias is None else np.split(in_bias, 3)
    w_o = _tensor(file, layer.prefix + OUT)
    assert w_o is not None
    x = _widened(scene.x, layer.width)
    bare = resize(
        scene.replace(position=Position(), b_q=None, b_k=None, b_v=None, b_o=None), d_model=layer.width
    )
    if scene.is_cross or layer.source != layer.width:
        bare = with_context(bare, _widened(scene.source, layer.source), scene.key_tokens)
    return bare.replace(
        x=x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o.T, b_q=b_q, b_k=b_k, b_v=b_v,
        b_o=_tensor(file, layer.prefix + "out_proj.bias"),
        heads=heads, kv_heads=None, q_norm=None, k_norm=None, scale="sqrt_dk", softcap=None,
    )  # fmt: skip


def _tensor(file: ArrayFile, name: str) -> NDArray[np.float64] | None:
    entry = file.entry(name)
    return None if entry is None else file.read(entry)


def _widened(array: Array, width: int) -> Array:
    """(n, width): the columns there are, then zeros."""
    new = np.zeros((array.shape[0], width))
    kept = min(width, array.shape[1])
    new[:, :kept] = array[:, :kept]
    return new if array.shape[1] != width else array
