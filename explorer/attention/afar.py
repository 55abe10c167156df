"""A layer seen from afar: small pictures of its heads and their facts; no head's weights are ever held as a whole."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from explorer.attention.heads import HeadFacts, HeadMeans, counted, facts_of, keys_asked
from explorer.attention.large import Large
from explorer.attention.precision import held
from explorer.scene import Array, Flags, Index, Scene

CELLS = 2**18  # weights that are made at a time: 2 MB in float64, which are looked at while they are near


@dataclass(frozen=True, eq=False)
class Afar:
    """What is kept of a layer. Of each block of cells the pictures have the largest number, in float32."""

    weights: Array  # (H, rows, columns)
    sent: Array  # likewise ‖αᵢⱼ·vⱼ·W^O_h‖, what each key really sends
    visible: Flags  # (n, m)
    blind: Flags  # (n,): queries that attend to nothing
    facts: tuple[HeadFacts, ...]


def from_afar(scene: Scene, most: int) -> Afar:
    """A layer in pictures of at most `most` rows and columns."""
    large, visible = Large(scene), scene.visible()
    asked = _Asked(
        np.flatnonzero(counted(visible, scene.is_cross)), keys_asked(visible, scene.is_cross),
        starts(scene.n, most), starts(scene.m, most),
    )  # fmt: skip
    heads = [_look(large, head, asked) for head in range(scene.heads)]
    weights, sent, entropy, columns, picked = (np.stack(part) for part in zip(*heads, strict=True))
    facts = facts_of(HeadMeans(entropy, columns, picked), visible, scene.is_cross)
    return Afar(weights, sent, visible, large.blind(), facts)


def starts(size: int, most: int) -> Index:
    """Where each of at most `most` blocks of so many rows (or columns) begins."""
    found: Index = np.linspace(0, size, min(most, size), endpoint=False).astype(np.intp)
    return found


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked of every head alike."""

    counted: Index  # rows
    keys: Index  # (k, n): of which single weights each row tells
    rows: Index  # where the rows of the pictures begin
    cols: Index


@torch.inference_mode()
def _look(large: Large, head: int, asked: _Asked) -> tuple[Array, Array, Array, Array, Array]:
    """Picture, picture of what is sent, mean entropy, (m,) mean weights, (k, n) weights of the `keys`."""
    n, m = large.scene.n, large.scene.m
    lengths = _lengths(large, head).to(torch.float32)
    weights, sent, picked = [], [], []
    entropy, columns = torch.zeros((), dtype=torch.float64), torch.zeros(m, dtype=torch.float64)
    ends = np.append(asked.rows[1:], n)
    per = max(1, CELLS // m * len(asked.rows) // n)
    for at in range(0, len(asked.rows), per):
        first, last = int(asked.rows[at]), int(ends[at : at + per][-1])
        block = large.block(head, np.arange(first, last), "weights")["weights"].to("cpu", torch.float32)
        low = _largest(block, asked.rows[at : at + per] - first, 0)
        weights.append(_largest(low, asked.cols, 1))
        sent.append(_largest(torch.where(low == 0, 0.0, low * lengths), asked.cols, 1))
        picked.append(block.gather(1, torch.from_numpy(asked.keys[:, first:last].T.copy())))
        inside = asked.counted[slice(*np.searchsorted(asked.counted, (first, last)))] - first
        rows = block if len(inside) == len(block) else block[torch.from_numpy(inside)]
        columns += torch.ones(len(rows)) @ rows
        entropy -= rows.flatten().dot(rows.clamp_min(torch.finfo(rows.dtype).tiny).log2_().flatten())
    count = max(1, len(asked.counted))
    whole = torch.cat(weights), torch.cat(sent), entropy / count, columns / count, torch.cat(picked).T
    return tuple(part.numpy() for part in whole)  # type: ignore[return-value]


def _lengths(large: Large, head: int) -> Tensor:
    """(m,): ‖vⱼ·W^O_h‖. As v·(W·Wᵀ)·vᵀ it needs no vectors of d_out numbers, and may be off by √ε of the longest."""
    scene, v = large.scene, large.held["v"][large.scene.kv_head(head)].to(torch.float64)
    if scene.w_o is None:
        squares: Tensor = v * v
    else:
        part = torch.tensor(held(scene.w_o[head * scene.d_v : (head + 1) * scene.d_v], scene.dtype))
        squares = (v @ (part @ part.T)) * v
    return squares.sum(dim=-1).clamp_min(0.0).sqrt()


def _largest(values: Tensor, begin: Index, dim: int) -> Tensor:
    """The largest of each block along `dim`; NaN where there is one."""
    last = np.append(begin[1:], values.shape[dim]) - 1
    found = values.index_select(dim, torch.from_numpy(begin))
    for step in range(1, int((last - begin).max()) + 1):
        more = values.index_select(dim, torch.from_numpy(np.minimum(begin + step, last)))
        found = torch.maximum(found, more)
    return found
