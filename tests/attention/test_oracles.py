"""Random scenes against torch's own attention, which shares no code with ours."""

import math

import numpy as np
import torch
from hypothesis import given
from torch import Tensor, nn
from torch.nn import functional as F

from explorer.attention import attend
from explorer.norm import Norm
from explorer.scene import Array, Position, Scene
from tests.attention.random_scenes import scenes

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
DOUBLE = ("float64",)


def tensor(array: Array) -> Tensor:
    return torch.tensor(array, dtype=torch.float64)


def project(rows: Tensor, weight: Array, bias: Array | None, heads: int) -> Tensor:
    """(1, heads, rows, d), each head from its own columns."""
    biases = np.zeros(weight.shape[1]) if bias is None else bias
    columns = np.split(np.arange(weight.shape[1]), heads)
    return torch.stack([F.linear(rows, tensor(weight[:, c].T), tensor(biases[c])) for c in columns])[None]


def rotated(rows: Tensor, scene: Scene) -> Tensor:
    """Rotary as the product with complex numbers of length 1."""
    position = scene.position
    if position.kind != "rotary":
        return rows
    dims = scene.d_k if position.dims is None else position.dims
    half = dims // 2
    if position.layout == "half":
        pairs = torch.complex(rows[..., :half].contiguous(), rows[..., half:dims].contiguous())
    else:
        pairs = torch.view_as_complex(rows[..., :dims].reshape(*rows.shape[:-1], half, 2).contiguous())
    frequency = position.base ** (-torch.arange(half, dtype=torch.float64) / half)
    if position.frequencies is not None:
        frequency = tensor(position.frequencies)[0]
    angle = torch.arange(rows.shape[-2], dtype=torch.float64)[:, None] * frequency
    stretch = 1.0 if position.factor is None else position.factor
    turned = pairs * torch.polar(torch.full_like(angle, stretch), angle)
    if position.layout == "half":
        head = torch.cat([turned.real, turned.imag], dim=-1)
    else:
        head = torch.view_as_real(turned).flatten(-2)
    return torch.cat([head, rows[..., dims:]], dim=-1)


def normed(rows: Tensor, norm: Norm | None) -> Tensor:
    if norm is None:
        return rows
    return F.rms_norm(rows, rows.shape[-1:], weight=tensor(norm.weight), eps=norm.eps)


def placed(scene: Scene) -> tuple[Tensor, Tensor]:
    x, source = tensor(scene.x), tensor(scene.source)
    position = scene.position
    if position.kind == "learned":
        x = x + tensor(position.table[: scene.n])
        source = source + tensor(position.context_table[: scene.m]) if scene.is_cross else x
    elif position.kind == "sinusoidal":
        x, source = x + sinusoid(x, position.base), source + sinusoid(source, position.base)
    return x, source


def sinusoid(rows: Tensor, base: float) -> Tensor:
    length, width = rows.shape
    table = torch.zeros(length, width, dtype=torch.float64)
    for p in range(length):
        for i in range(width):
            angle = p / base ** (2 * (i // 2) / width)
            table[p, i] = np.cos(angle) if i % 2 else np.sin(angle)
    return table


def allowed(scene: Scene) -> Tensor:
    table = torch.ones(scene.n, scene.m, dtype=torch.bool)
    for mask in scene.mask:
        for i in range(scene.n):
            for j in range(scene.m):
                match mask.kind:
                    case "causal":
                        see = j <= i + (0 if mask.align == "top_left" else scene.m - scene.n)
                    case "padding":
                        see = mask.keys[j]
                    case "window":
                        see = i - mask.left <= j <= i + mask.right
                    case "custom":
                        see = bool(mask.table[i, j])
                table[i, j] &= see
    return table


def slopes(heads: int) -> list[float]:
    """As the authors of alibi compute them."""
    power = 1 << (heads.bit_length() - 1)
    if power == heads:
        ratio = 2 ** -(2 ** -(math.log2(heads) - 3))
        return [ratio * ratio**i for i in range(heads)]
    return slopes(power) + slopes(2 * power)[0::2][: heads - power]


def by_sdpa(scene: Scene) -> Tensor:
    """(H, n, d_v) by F.scaled_dot_product_attention. It gives 0 where every key is hidden."""
    x, source = placed(scene)
    q = rotated(normed(project(x, scene.w_q, scene.b_q, scene.heads), scene.q_norm), scene)
    k = rotated(normed(project(source, scene.w_k, scene.b_k, scene.groups), scene.k_norm), scene)
    v = project(source, scene.w_v, scene.b_v, scene.groups)
    factor = {"none": 1.0, "sqrt_dk": scene.d_k**-0.5}.get(scene.scale, scene.scale)
    see = allowed(scene)
    mask = torch.zeros(scene.heads, scene.n, scene.m, dtype=torch.float64)
    if scene.position.kind == "alibi":
        distance = (torch.arange(scene.n)[:, None] - torch.arange(scene.m)).abs()
        mask = mask - torch.tensor(slopes(scene.heads))[:, None, None] * distance
    if scene.position.kind == "relative":
        rows = scene.position.table.tolist()
        reach = len(rows[0]) // 2
        for (h, i, j), _ in np.ndenumerate(mask.numpy()):
            mask[h, i, j] = rows[h % len(rows)][min(max(j - i, -reach), reach) + reach]
    if scene.bias is not None:
        mask = mask + tensor(scene.bias)
    if scene.softcap is None and (scene.mask_fill == -np.inf or see.all()):
        mask = mask.masked_fill(~see, -torch.inf)
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask[None], scale=factor, enable_gqa=True)[0]
    # It knows neither softcap nor a fill in place of a score: it gets the finished scores as queries, and the
    # identity as keys.
    each = scene.heads // scene.groups
    scores = torch.einsum("hid,hjd->hij", q[0], k[0].repeat_interleave(each, 0)) * factor
    if scene.softcap is not None:
        scores = torch.tanh(scores / scene.softcap) * scene.softcap
    scores = torch.where(see, scores + mask, torch.tensor(scene.mask_fill, dtype=torch.float64))
    blind = torch.isneginf(scores).all(-1, keepdim=True)
    finite = torch.where(torch.isneginf(scores), torch.tensor(0.0, dtype=torch.float64), scores)
    hidden = torch.where(torch.isneginf(scores), -torch.inf, 0.0).to(torch.float64)
    eye = torch.eye(scene.m, dtype=torch.float64).expand(scene.groups, -1, -1)
    mixed = F.scaled_dot_product_attention(
        finite[None], eye[None], v, attn_mask=hidden[None], scale=1.0, enable_gqa=True
    )
    return torch.where(blind, 0.0, mixed[0])


@given(scenes(DOUBLE))
def test_scaled_dot_product_attention(scene: Scene) -> None:
    trace = attend(scene)
    heads = by_sdpa(scene)
    np.testing.assert_allclose(trace.head_outputs, heads, **CLOSE)
    concat = torch.cat(list(heads), dim=-1)
    w_o = torch.eye(concat.shape[1], dtype=torch.float64) if scene.w_o is None else tensor(scene.w_o)
    output = concat @ w_o + (0 if scene.b_o is None else tensor(scene.b_o))
    np.testing.assert_allclose(trace.output, output, **CLOSE)


@given(scenes(DOUBLE))
def test_multihead_attention(scene: Scene) -> None:
    """With copied weights; the scene's widths made equal where the module needs them so."""
    width = scene.heads * scene.d_k
    rng = np.random.default_rng(scene.w_q.size)
    scene = Scene(
        x=rng.normal(size=(scene.n, width)),
        context=scene.context,
        w_q=rng.normal(size=(width, width)),
        w_k=rng.normal(size=(scene.d_context if scene.is_cross else width, width)),
        w_v=rng.normal(size=(scene.d_context if scene.is_cross else width, width)),
        w_o=rng.normal(size=(width, width)),
        **{name: rng.normal(size=width) for name in ("b_q", "b_k", "b_v", "b_o")},
        heads=scene.heads,
        mask=scene.mask,
        position=scene.position if scene.position.kind == "sinusoidal" else Position(),
    )
    module = nn.MultiheadAttention(
        width, scene.heads, kdim=scene.d_context, vdim=scene.d_context, batch_first=True, dtype=torch.float64
    )
    with torch.no_grad():
        if module.in_proj_weight is None:
            module.q_proj_weight.copy_(tensor(scene.w_q).T)
            module.k_proj_weight.copy_(tensor(scene.w_k).T)
            module.v_proj_weight.copy_(tensor(scene.w_v).T)
        else:
            module.in_proj_weight.copy_(tensor(np.concatenate([scene.w_q, scene.w_k, scene.w_v], axis=1)).T)
        module.in_proj_bias.copy_(tensor(np.concatenate([scene.b_q, scene.b_k, scene.b_v])))
        module.out_proj.weight.copy_(tensor(scene.w_o).T)
        module.out_proj.bias.copy_(tensor(scene.b_o))
        x, source = (rows[None] for rows in placed(scene))
        output, weights = module(x, source, source, attn_mask=~allowed(scene), average_attn_weights=False)
        silent, _ = module(x, source, source, attn_mask=~allowed(scene), need_weights=False)
    trace = attend(scene)
    seeing = ~trace.blind  # the others are NaN in torch, as long as it is asked for the weights
    np.testing.assert_allclose(trace.weights[:, seeing], weights[0][:, seeing], **CLOSE)
    np.testing.assert_allclose(trace.output[seeing], output[0][seeing], **CLOSE)
    np.testing.assert_allclose(trace.output, silent[0], **CLOSE)
