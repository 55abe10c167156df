"""attend(scene) -> Trace: multi-head attention, every stage kept."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from explorer.attention.cost import AT_ONCE, work
from explorer.attention.trace import Trace
from explorer.scene import MATRICES, Array, Rotation, Scene


def attend(scene: Scene) -> Trace:
    """Every stage of multi-head attention for one scene (Vaswani et al. 2017, section 3.2).

    Shapes: n queries, m keys, H heads of width d_k, G key/value heads.
    """
    start = perf_counter()
    with torch.inference_mode(), _threads_that_pay(scene):
        tensors = stages(scene, matrices(scene))
        arrays: dict[str, Any] = {name: to_numpy(tensor) for name, tensor in tensors.items()}
    return Trace(scene=scene, **arrays, seconds=perf_counter() - start)


@contextmanager
def _threads_that_pay(scene: Scene) -> Iterator[None]:
    """One for a small scene: waiting for a second one, on a busy machine, takes longer than doing without it."""
    threads = torch.get_num_threads()
    if work(scene) <= AT_ONCE:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def matrices(scene: Scene) -> dict[str, Tensor]:
    """The scene's MATRICES by name in its precision, as far as they are set."""
    dtype: torch.dtype = getattr(torch, scene.dtype)
    return {name: to_tensor(a, dtype) for name in MATRICES if (a := getattr(scene, name)) is not None}


def stages(scene: Scene, given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Every array of a Trace from the matrices `given`; the scene says the rest. Autograd can follow it."""
    dtype = given["x"].dtype

    def linear(rows: Tensor, name: str) -> Tensor:
        """rows·W + b; without the W (only W^O may be missing) rows + b."""
        weight, bias = given.get(f"w_{name}"), given.get(f"b_{name}")
        product = rows if weight is None else rows @ weight
        return product if bias is None else product + bias

    x = _placed(scene, "x", given["x"])  # (n, d_model)
    source = _placed(scene, "context", given["context"]) if scene.is_cross else x  # (m, d_context)

    q_plain = split_heads(linear(x, "q"), scene.heads)  # (H, n, d_k)
    k_plain = split_heads(linear(source, "k"), scene.groups)  # (G, m, d_k)
    v = split_heads(linear(source, "v"), scene.groups)  # (G, m, d_v)
    q = turn(q_plain, scene.position.rotation(scene.n, scene.d_k))
    k = turn(k_plain, scene.position.rotation(scene.m, scene.d_k))

    scores = q @ spread(k, scene.heads).mT  # (H, n, m)
    scaled = scores * scene.factor
    if scene.softcap is not None:
        scaled = scene.softcap * torch.tanh(scaled / scene.softcap)
    bias = scene.position.bias(scene.heads, scene.n, scene.m)
    if bias is not None:
        scaled = scaled + to_tensor(bias, dtype)

    visible = torch.from_numpy(scene.visible())  # (n, m)
    fill = torch.tensor(scene.mask_fill, dtype=dtype)
    masked = scaled.where(visible, fill)
    weights = torch.softmax(masked, dim=-1)  # over the keys
    # A fill that this precision cannot hold is −∞ too; such a row would be 0/0.
    blind = ~visible.any(dim=-1) & torch.isneginf(fill)  # (n,)
    weights = weights.masked_fill(blind[:, None], 0)

    head_outputs = weights @ spread(v, scene.heads)  # (H, n, d_v)
    concat = head_outputs.transpose(0, 1).reshape(scene.n, scene.heads * scene.d_v)  # (n, H·d_v)
    output = linear(concat, "o")  # (n, d_out)
    return {
        "x": x, "source": source, "q_plain": q_plain, "k_plain": k_plain, "q": q, "k": k, "v": v,
        "scores": scores, "scaled": scaled, "masked": masked, "weights": weights,
        "head_outputs": head_outputs, "concat": concat, "output": output, "visible": visible, "blind": blind,
    }  # fmt: skip


def _placed(scene: Scene, side: str, rows: Tensor) -> Tensor:
    """`rows` with the additive position, if the scene has one."""
    added = scene.position.added(rows.shape[0], rows.shape[1], side)
    return rows if added is None else rows + to_tensor(added, rows.dtype)


def split_heads(rows: Tensor, heads: int) -> Tensor:
    """(n, H·d) → (H, n, d): head h owns columns h·d … (h+1)·d."""
    n, width = rows.shape
    return rows.view(n, heads, width // heads).transpose(0, 1)


def spread(groups: Tensor, heads: int) -> Tensor:
    """(G, m, d) → (H, m, d): query head h reads K/V head ⌊h·G/H⌋ (Ainslie et al. 2023)."""
    return groups if groups.shape[0] == heads else groups.repeat_interleave(heads // groups.shape[0], dim=0)


def turn(rows: Tensor, rotation: Rotation | None) -> Tensor:
    """Rotary: each pair of columns of (·, n, d_k) turned by its position's angle; a column on its own stays."""
    if rotation is None:
        return rows
    cos, sin = to_tensor(rotation.cos, rows.dtype), to_tensor(rotation.sin, rows.dtype)
    partner = torch.from_numpy(rotation.partner)
    turned = rows * cos + rows[..., partner] * sin
    return turned.where(partner != torch.arange(len(partner)), rows)  # ∞·cos 0 + ∞·sin 0 would be NaN


def to_tensor(array: Array, dtype: torch.dtype) -> Tensor:
    """A copy in the scene's precision (a Scene's arrays are read-only, which torch cannot express)."""
    return torch.tensor(array, dtype=dtype)


def to_numpy(tensor: Tensor) -> Array:
    """A read-only array; numpy has no bfloat16, and float32 holds both half precisions exactly."""
    wide = tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor
    array: Array = wide.contiguous().numpy()
    array.setflags(write=False)
    return array
