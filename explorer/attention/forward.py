"""The forward pass of multi-head attention in torch: whole stages, or blocks of them."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from explorer.attention.cost import CPU
from explorer.norm import Norm
from explorer.scene import MATRICES, Array, Index, Rotation, Scene

# What makes X·W + b: the matrices, X, and the letter.
Linear = Callable[[Mapping[str, Tensor], Tensor, str], Tensor]


def linear(given: Mapping[str, Tensor], rows: Tensor, name: str) -> Tensor:
    """rows·W + b; without the W (only W^O may be missing) rows + b."""
    weight, bias = given.get(f"w_{name}"), given.get(f"b_{name}")
    product = rows if weight is None else rows @ weight
    return product if bias is None else product + bias


def matrices(scene: Scene) -> dict[str, Tensor]:
    """The scene's MATRICES by name in its precision, as far as they are set."""
    dtype: torch.dtype = getattr(torch, scene.dtype)
    return {name: to_tensor(a, dtype) for name in MATRICES if (a := getattr(scene, name)) is not None}


def stages(scene: Scene, given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Every array of a Trace from the matrices `given`; the scene says the rest. Autograd can follow it."""
    first = projections(scene, given)
    keys, values = spread(first["k"], scene.heads), spread(first["v"], scene.heads)
    visible = torch.from_numpy(scene.visible())  # (n, m)
    pairs = pair_stages(scene, first["q"], keys, np.arange(scene.heads), np.arange(scene.n), visible)
    head_outputs = pairs["weights"] @ values  # (H, n, d_v)
    concat = join_heads(head_outputs)
    output = linear(given, concat, "o")  # (n, d_out)
    return {
        **first, **pairs, "head_outputs": head_outputs, "concat": concat, "output": output, "visible": visible
    }  # fmt: skip


def projections(scene: Scene, given: Mapping[str, Tensor], product: Linear = linear) -> dict[str, Tensor]:
    """x and what is made from it before queries meet keys; `product` makes X·W + b."""
    x = _placed(scene, "x", given["x"])  # (n, d_model)
    source = _placed(scene, "context", given["context"]) if scene.is_cross else x  # (m, d_context)
    q_raw = split_heads(product(given, x, "q"), scene.heads)  # (H, n, d_k)
    k_raw = split_heads(product(given, source, "k"), scene.groups)  # (G, m, d_k)
    v = split_heads(product(given, source, "v"), scene.groups)  # (G, m, d_v)
    raw = ({} if scene.q_norm is None else {"q_raw": q_raw}) | (
        {} if scene.k_norm is None else {"k_raw": k_raw}
    )
    q_plain, k_plain = normed(q_raw, scene.q_norm), normed(k_raw, scene.k_norm)
    q = turn(q_plain, scene.position.rotation(scene.n, scene.d_k))
    k = turn(k_plain, scene.position.rotation(scene.m, scene.d_k))
    return {"x": x, "source": source, "q_plain": q_plain, "k_plain": k_plain, "q": q, "k": k, "v": v, **raw}


def pair_stages(
    scene: Scene,
    q: Tensor,
    k: Tensor,
    which: Index,
    rows: Index,
    visible: Tensor,
    cols: Index | None = None,
    last: str = "weights",
    keep: Collection[str] | None = None,
) -> dict[str, Tensor]:
    """Those of PAIRS up to the `last`, and which queries are `blind`; for all heads and queries, or for a block.

    q (which, rows, d_k) are the queries that stand in these rows of these heads, k (which, m, d_k) the keys, and
    `visible` (rows, m), all on one device. With `cols`, k and `visible` are of these keys alone, and there can be
    no weights. Without the stages to `keep` it is all of them, and autograd can follow; with them the memory of the
    others is used again, which of large blocks saves a third of the time.
    """
    found: dict[str, Tensor] = {}

    def holds(stage: str, tensor: Tensor) -> bool:
        """Whether the tensor is to stay as it is."""
        if keep is None or stage in keep:
            found[stage] = tensor
        return stage in found

    now = q @ k.mT  # (H, n, m)
    held = holds("scores", now)
    if last == "scores":
        return found
    now = now * scene.factor if held else now.mul_(scene.factor)
    if scene.softcap is not None:
        now = scene.softcap * torch.tanh(now / scene.softcap)
    keys = np.arange(scene.m) if cols is None else cols
    for added in (scene.position.bias_at(scene.heads, which, rows, keys), scene.bias_at(which, rows, keys)):
        if added is not None:  # (H or 1, n, m)
            now = now + to_tensor(added, q.dtype, q.device)
    held = holds("scaled", now)
    if last == "scaled":
        return found
    blind = torch.zeros(len(visible), dtype=torch.bool, device=q.device)  # (n,)
    if scene.mask:
        fill = torch.tensor(scene.mask_fill, dtype=q.dtype, device=q.device)
        now = now.where(visible, fill) if held else now.masked_fill_(~visible, fill)
        # A fill that this precision cannot hold is −∞ too; such a row would be 0/0.
        blind = ~visible.any(dim=-1) & torch.isneginf(fill)
    holds("masked", now)
    if last == "masked":
        return found
    now = torch.softmax(now, dim=-1)  # over the keys
    found["blind"] = blind
    if scene.mask:
        now = now.masked_fill(blind[:, None], 0) if keep is None else now.masked_fill_(blind[:, None], 0)
    holds("weights", now)
    return found


def _placed(scene: Scene, side: str, rows: Tensor) -> Tensor:
    """`rows` with the additive position, if the scene has one."""
    added = scene.position.added(rows.shape[0], rows.shape[1], side)
    return rows if added is None else rows + to_tensor(added, rows.dtype)


def split_heads(rows: Tensor, heads: int) -> Tensor:
    """(n, H·d) → (H, n, d): head h owns columns h·d … (h+1)·d."""
    n, width = rows.shape
    return rows.view(n, heads, width // heads).transpose(0, 1)


def join_heads(rows: Tensor) -> Tensor:
    """(H, n, d) → (n, H·d), as `split_heads` takes them apart."""
    heads, n, width = rows.shape
    return rows.transpose(0, 1).reshape(n, heads * width)


def spread(groups: Tensor, heads: int) -> Tensor:
    """(G, m, d) → (H, m, d): query head h reads K/V head ⌊h·G/H⌋ (Ainslie et al. 2023)."""
    return groups if groups.shape[0] == heads else groups.repeat_interleave(heads // groups.shape[0], dim=0)


def normed(rows: Tensor, norm: Norm | None) -> Tensor:
    """(·, n, d_k): each row over its root mean square, times the weights; rounded once, from float64."""
    if norm is None:
        return rows
    wide, weight = rows.double(), to_tensor(norm.weight, rows.dtype).double()
    root = (wide.square().mean(dim=-1, keepdim=True) + norm.eps).sqrt()  # (·, n, 1)
    return (wide / root * weight).to(rows.dtype)


def turn(rows: Tensor, rotation: Rotation | None) -> Tensor:
    """Rotary: each pair of columns of (·, n, d_k) turned by its position's angle; a column on its own stays."""
    if rotation is None:
        return rows
    cos, sin = to_tensor(rotation.cos, rows.dtype), to_tensor(rotation.sin, rows.dtype)
    partner = torch.from_numpy(rotation.partner)
    turned = rows * cos + rows[..., partner] * sin
    return turned.where(partner != torch.arange(len(partner)), rows)  # ∞·cos 0 + ∞·sin 0 would be NaN


def to_tensor(array: Array, dtype: torch.dtype, device: torch.device | str = CPU) -> Tensor:
    """A copy in the scene's precision (a Scene's arrays are read-only, which torch cannot express)."""
    return torch.tensor(array, dtype=dtype, device=device)


def lent(array: Array, dtype: torch.dtype) -> Tensor:
    """The array itself, to be read alone, where this is its precision; else a copy."""
    if getattr(torch, array.dtype.name) != dtype:
        return to_tensor(array, dtype)
    return torch.from_numpy(np.asarray(_Lent(array)))


class _Lent:
    """An array without its mark that it is read-only, of which torch can only warn."""

    def __init__(self, array: Array) -> None:
        self._array = array  # lives as long as whoever reads it
        self.__array_interface__: dict[str, Any] = {
            **array.__array_interface__, "data": (array.__array_interface__["data"][0], False)
        }  # fmt: skip


def to_numpy(tensor: Tensor) -> Array:
    """A read-only array; numpy has no bfloat16, and float32 holds both half precisions exactly."""
    wide = tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor
    array: Array = wide.cpu().contiguous().numpy()
    array.setflags(write=False)
    return array
