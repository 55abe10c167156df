"""A layer seen from afar: small pictures of its heads, and their facts. Weights are made and forgotten head by head."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from explorer.attention.heads import HeadFacts, HeadMeans, counted, facts_of, keys_asked
from explorer.attention.large import Large
from explorer.attention.windows import block_starts
from explorer.scene import Array, Flags, Index, Scene

Found = TypeVar("Found")

CELLS = 2**20  # weights that are made at a time
LEAST = -1e3  # for the logarithm of 0, which is multiplied by it


@dataclass(frozen=True, eq=False)
class Afar:
    """What is kept of a layer. Of each block of cells the pictures have the largest number, in float32."""

    weights: Array  # (H, rows, columns)
    sent: Array  # likewise ‖αᵢⱼ·vⱼ·W^O_h‖, what each key really sends
    visible: Flags  # (n, m)
    blind: Flags  # (n,): queries that attend to nothing
    facts: tuple[HeadFacts, ...]


def from_afar(scene: Scene, most: int) -> Afar:
    """A layer in pictures of at most `most` rows and columns.

    It is computed in no more than float32, in half the time: weights are off by about a ten-millionth of their scores,
    which neither a colour nor the decimals of a fact show. Numbers too large for that keep their own precision.
    """
    if scene.dtype == "float64":
        found = _from_afar(scene.replace(dtype="float32"), most)
        if np.isfinite(found.weights).all() and np.isfinite(found.sent).all():
            return found
    return _from_afar(scene, most)


def _from_afar(scene: Scene, most: int) -> Afar:
    large, visible = Large(scene), scene.visible()
    asked = _Asked(
        np.flatnonzero(counted(visible, scene.is_cross)), keys_asked(visible, scene.is_cross),
        block_starts(scene.n, most), block_starts(scene.m, most),
    )  # fmt: skip
    lengths = _lengths(large)
    heads = _each(scene.heads, lambda head: _look(large, head, asked, lengths[head]))
    weights, sent, entropy, columns, picked = (np.stack(part) for part in zip(*heads, strict=True))
    facts = facts_of(HeadMeans(entropy, columns, picked), visible, scene.is_cross)
    return Afar(weights, sent, visible, large.blind(), facts)


def _each(heads: int, look: Callable[[int], Found]) -> list[Found]:
    """What is found in each head, of many several at a time: the steps of one are short, and threads that torch
    shares out a step to wait for one another at the end of each.
    """
    threads = torch.get_num_threads()
    if heads < 2 * threads:
        return [look(head) for head in range(heads)]
    all_there = Barrier(threads + 1)

    def begin() -> None:
        torch.set_num_threads(1)
        all_there.wait()

    with ThreadPoolExecutor(threads, "afar", begin) as pool:
        found = [pool.submit(look, head) for head in range(heads)]
        all_there.wait()
        torch.set_num_threads(threads)  # else threads to come would have one, too
        return [each.result() for each in found]


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked of every head alike."""

    counted: Index  # rows
    keys: Index  # (k, n): of which single weights each row tells
    rows: Index  # where the rows of the pictures begin
    cols: Index


@torch.inference_mode()
def _look(
    large: Large, head: int, asked: _Asked, lengths: Tensor
) -> tuple[Array, Array, Array, Array, Array]:
    """Picture, picture of what is sent, mean entropy, (m,) mean weights, (k, n) weights of the `keys`."""
    n, m = large.scene.n, large.scene.m
    all_finite = bool(lengths.isfinite().all())
    weights, sent, picked = [], [], []
    entropy, columns = torch.zeros((), dtype=torch.float64), torch.zeros(m, dtype=torch.float64)
    ends = np.append(asked.rows[1:], n)
    per = max(1, CELLS // m * len(asked.rows) // n)
    scratch = torch.empty(
        int(np.diff(asked.rows[::per], append=n).max()) * m
    )  # new memory costs more than logarithms
    for at in range(0, len(asked.rows), per):
        first, last = int(asked.rows[at]), int(ends[at : at + per][-1])
        block = large.block(head, np.arange(first, last), "weights")["weights"].to("cpu", torch.float32)
        low = _largest(block, asked.rows[at : at + per] - first, 0)
        weights.append(_largest(low, asked.cols, 1))
        reach = low * lengths if all_finite else torch.where(low == 0, 0.0, low * lengths)
        sent.append(_largest(reach, asked.cols, 1))
        picked.append(block.gather(1, torch.from_numpy(asked.keys[:, first:last].T.copy())))
        inside = asked.counted[slice(*np.searchsorted(asked.counted, (first, last)))] - first
        rows = block if len(inside) == len(block) else block[torch.from_numpy(inside)]
        columns += torch.ones(len(rows)) @ rows
        logs = torch.log2(rows, out=scratch[: rows.numel()].view(rows.shape)).clamp_min_(LEAST)
        entropy -= rows.flatten().dot(logs.flatten())
    count = max(1, len(asked.counted))
    whole = torch.cat(weights), torch.cat(sent), entropy / count, columns / count, torch.cat(picked).T
    return tuple(part.numpy() for part in whole)  # type: ignore[return-value]


@torch.inference_mode()
def _lengths(large: Large) -> Tensor:
    """(H, m): ‖vⱼ·W^O_h‖ in float32. As v·(W·Wᵀ)·vᵀ it needs no vectors of d_out numbers, and may be off by √ε of the
    longest.
    """
    scene = large.scene
    v = large.held["v"][[scene.kv_head(head) for head in range(scene.heads)]].to(torch.float32)  # (H, m, d_v)
    through = v
    if large.w_o is not None:
        w_o = large.w_o.to(torch.float32).view(scene.heads, scene.d_v, -1)  # (H, d_v, d_out)
        through = v @ (w_o @ w_o.mT)
    return (through * v).sum(dim=-1).clamp_min(0.0).sqrt()


def _largest(values: Tensor, begin: Index, dim: int) -> Tensor:
    """The largest of each block along `dim`; NaN where there is one."""
    size, count = values.shape[dim], len(begin)
    if size % count == 0:  # as it is for most sizes of a model
        blocks = values.reshape(*values.shape[:dim], count, size // count, *values.shape[dim + 1 :])
        return blocks.amax(dim + 1)
    last = np.append(begin[1:], size) - 1
    found = values.index_select(dim, torch.from_numpy(begin))
    for step in range(1, int((last - begin).max()) + 1):
        more = values.index_select(dim, torch.from_numpy(np.minimum(begin + step, last)))
        found = torch.maximum(found, more)
    return found
