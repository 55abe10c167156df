"""Our trace against torch's own attention, where torch can express the scene."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention.forward import spread, to_numpy, to_tensor
from explorer.attention.torch_limits import fill_reason, mha_reason, sdpa_reason
from explorer.attention.trace import Trace
from explorer.scene import Array, Index, Scene

SAMPLE = 64  # queries of a large scene that are compared


@dataclass(frozen=True)
class Check:
    """max|Δ| against one of torch's functions, or why it cannot express the scene."""

    name: str
    difference: float | None
    reason: str = ""
    tolerance: float = 0.0

    @property
    def agrees(self) -> bool:
        """True where the difference is within what the precision allows."""
        return self.difference is not None and self.difference <= self.tolerance


@dataclass(frozen=True)
class Agreement:
    """Both comparisons for one scene."""

    sdpa: Check
    mha: Check
    queries: int  # that were compared: of a large scene a sample


def agreement(scene: Scene, trace: Trace) -> Agreement:
    """Compare the head outputs with F.scaled_dot_product_attention, the output with nn.MultiheadAttention."""
    with torch.inference_mode():
        return Agreement(_check_sdpa(scene, trace), _check_mha(scene, trace), len(_compared(trace)))


def _check_sdpa(scene: Scene, trace: Trace) -> Check:
    name = "F.scaled_dot_product_attention"
    if reason := sdpa_reason(scene) or fill_reason(trace):
        return Check(name, None, reason)
    dtype: torch.dtype = getattr(torch, scene.dtype)
    rows = _compared(trace)
    q = to_tensor(trace.q[:, rows], dtype)[None]  # (1, H, rows, d_k)
    k, v = (spread(to_tensor(a, dtype), scene.heads)[None] for a in (trace.k, trace.v))  # (1, H, m, d)
    theirs = F.scaled_dot_product_attention(
        q, k, v, attn_mask=_additive_mask(scene, rows, dtype), scale=scene.factor
    )
    return _compare(name, trace, _rows_of(trace, "head_outputs", rows), theirs[0], _largest(trace.v))


def _compared(trace: Trace) -> Index:
    """The queries that are compared: all, of a trace too large to be held some from all over it."""
    n = trace.scene.n
    return np.arange(n) if trace.large is None else np.unique(np.linspace(0, n - 1, SAMPLE).astype(np.intp))


def _rows_of(trace: Trace, stage: str, rows: Index) -> Array:
    """These rows of a stage, of every head where it has heads."""
    array = trace.stage(stage)
    if trace.large is None:
        return array
    return (
        array[rows]
        if array.ndim == 2
        else np.stack([head[rows] for head in map(array.__getitem__, range(len(array)))])
    )


def _additive_mask(scene: Scene, rows: Index, dtype: torch.dtype) -> Tensor | None:
    """(H or 1, rows, m): −∞ where hidden, plus what is added; None where nothing is hidden or added."""
    keys = np.arange(scene.m)
    bias = scene.added_at(np.arange(scene.heads), rows, keys)
    visible = scene.visible_at(rows, keys)
    if bias is None and visible.all():
        return None
    mask = torch.zeros(1, *visible.shape, dtype=dtype) if bias is None else to_tensor(bias, dtype)
    return mask.masked_fill(~torch.tensor(visible), -torch.inf)


def _check_mha(scene: Scene, trace: Trace) -> Check:
    name = "nn.MultiheadAttention"
    if reason := mha_reason(scene) or fill_reason(trace):
        return Check(name, None, reason)
    dtype: torch.dtype = getattr(torch, scene.dtype)
    # Blind rows are NaN in torch when it is asked for the weights, 0 (plus the bias) when it is not.
    rows = _compared(trace)
    visible = scene.visible_at(rows, np.arange(scene.m))
    hidden = None if visible.all() else ~torch.tensor(visible)  # True = block, in torch
    theirs, _ = torch_module(scene)(
        to_tensor(trace.x[rows], dtype)[None],
        to_tensor(trace.source, dtype)[None],
        to_tensor(trace.source, dtype)[None],
        attn_mask=hidden if scene.bias is None else _additive_mask(scene, rows, dtype),
        need_weights=False,
    )
    reach = 1.0 if scene.w_o is None else float(np.abs(scene.w_o).sum(axis=0).max())
    mixed = _largest(trace.v) * reach + (0.0 if scene.b_o is None else _largest(scene.b_o))
    return _compare(name, trace, _rows_of(trace, "output", rows), theirs[0], mixed)


def torch_module(scene: Scene) -> nn.MultiheadAttention:
    """The scene's matrices in an nn.MultiheadAttention; for scenes without a `mha_reason`."""
    dtype: torch.dtype = getattr(torch, scene.dtype)
    width = scene.d_model
    module = nn.MultiheadAttention(
        width,
        scene.heads,
        bias=True,
        kdim=scene.d_context,
        vdim=scene.d_context,
        batch_first=True,
        dtype=dtype,
    ).eval()

    def bias(array: Array | None) -> Tensor:
        return torch.zeros(width, dtype=dtype) if array is None else to_tensor(array, dtype)

    weights = [to_tensor(w.T, dtype) for w in (scene.w_q, scene.w_k, scene.w_v)]  # torch stores [out, in]
    state = {
        "in_proj_bias": torch.cat([bias(scene.b_q), bias(scene.b_k), bias(scene.b_v)]),
        "out_proj.weight": to_tensor(np.eye(width) if scene.w_o is None else scene.w_o.T, dtype),
        "out_proj.bias": bias(scene.b_o),
    }
    if scene.d_context == width:
        state["in_proj_weight"] = torch.cat(weights)
    else:
        state |= dict(zip(("q_proj_weight", "k_proj_weight", "v_proj_weight"), weights, strict=True))
    module.load_state_dict(state)
    return module


def _compare(name: str, trace: Trace, ours: Array, theirs: Tensor, mixed: float) -> Check:
    """max|Δ|, NaN equal to NaN and ∞ to ∞.

    Tolerated is what rounding explains: a score s off by ε·|s| changes its weight by as much in proportion,
    and the weights mix numbers up to `mixed`. Over random scenes of all precisions the difference stays below
    0.9·ε·(1 + max|s|)·mixed. To that comes what a sum of m terms may be off by, which are added in float32 at least:
    m·ε·mixed (Higham, Accuracy and Stability of Numerical Algorithms, 4.2); many equal keys come near it.
    """
    mine = torch.tensor(ours, dtype=torch.float64)
    other = torch.tensor(to_numpy(theirs), dtype=torch.float64)
    same = (mine == other) | (mine.isnan() & other.isnan())
    difference = float(torch.where(same, 0.0, (mine - other).abs()).max())
    scaled = _largest(_rows_of(trace, "scaled", _compared(trace)))
    rounding = torch.finfo(getattr(torch, trace.scene.dtype)).eps
    summing = trace.scene.m * min(rounding, torch.finfo(torch.float32).eps)
    return Check(name, difference, tolerance=(4 * rounding * (1 + scaled) + summing) * mixed)


def _largest(array: Array) -> float:
    """The largest finite magnitude."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0))
