"""All matrices of an `nn.MultiheadAttention` into a scene at once, out of a file that holds its state dict."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Spot
from explorer.checkpoints.tensors import Hollow
from explorer.checkpoints.torch_mha import KEYS, TorchMHA
from explorer.files.arrays import ArrayFile
from explorer.reshape import resize, with_context
from explorer.scene import Array, Position, Scene

FAMILY = TorchMHA()


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
    found = []
    for spot in FAMILY.spots([entry.name for entry in file.entries]):
        try:
            layer = FAMILY.layer(Hollow(_Layer(file, spot.prefix)), spot, None, 1)
        except CheckpointError:
            continue
        found.append(Layer(spot.prefix, layer.d_model, layer.d_context))
    return tuple(found)


def fill(scene: Scene, file: ArrayFile, layer: Layer, heads: int) -> Scene:
    """The scene with all matrices of the layer, computing what the module computes.

    x and the context keep their rows and are cut or padded to its widths; the mask stays. Raises TableError or
    SceneError.
    """
    read = FAMILY.layer(_Layer(file, layer.prefix), Spot("", 0, layer.prefix), None, heads)
    x = _widened(scene.x, layer.width)
    bare = resize(
        scene.replace(position=Position(), b_q=None, b_k=None, b_v=None, b_o=None), d_model=layer.width
    )
    if scene.is_cross or layer.source != layer.width:
        bare = with_context(bare, _widened(scene.source, layer.source), scene.key_tokens)
    return bare.replace(
        x=x, **vars(read.matrices), heads=heads, kv_heads=None, q_norm=None, k_norm=None, scale="sqrt_dk",
        softcap=None, bias=None,
    )  # fmt: skip


class _Layer:
    """The tensors of one such layer: what else a file holds is none of its business."""

    def __init__(self, file: ArrayFile, prefix: str) -> None:
        self._file = file
        entries = {entry.name: entry for entry in file.entries}
        self._entries = {name: entries[name] for key in KEYS if (name := prefix + key) in entries}

    @property
    def names(self) -> Collection[str]:
        return self._entries.keys()

    def shape(self, name: str) -> tuple[int, ...]:
        return self._entries[name].shape

    def kind(self, name: str) -> str:
        return "F64"  # as which everything is read

    def read(self, name: str) -> Array:
        return self._file.read(self._entries[name])


def _widened(array: Array, width: int) -> Array:
    """(n, width): the columns there are, then zeros."""
    new = np.zeros((array.shape[0], width))
    kept = min(width, array.shape[1])
    new[:, :kept] = array[:, :kept]
    return new if array.shape[1] != width else array
