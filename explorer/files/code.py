"""A scene as a PyTorch script, in three dialects. Run as it is, it prints the scene's output."""

import re

import numpy as np

from explorer import attention
from explorer.attention.masks import Causal
from explorer.attention.torch_limits import fill_reason, mha_reason, sdpa_reason
from explorer.files import code_parts as part
from explorer.files.code_parts import Lines
from explorer.files.literals import decimal, flag_table, table, vector
from explorer.scene import BIASES, Scene

DIALECTS = ("plain", "sdpa", "mha")
TITLES = {
    "plain": "plain tensors",
    "sdpa": "F.scaled_dot_product_attention",
    "mha": "nn.MultiheadAttention",
}
MAX_NUMBERS = 200_000  # some 4 MB of text


class CodeError(ValueError):
    """A dialect cannot express the scene: one plain sentence says why."""


def script(scene: Scene, dialect: str = "plain") -> str:
    """Python source that needs torch alone and prints the output, to full precision, as a list of rows.

    Raises CodeError where the dialect cannot express the scene, or where it is too large to be read.
    """
    if (count := part.numbers(scene)) > MAX_NUMBERS:
        raise CodeError(
            f"This scene has {count:,} numbers; a script to be read holds at most {MAX_NUMBERS:,}."
        )
    if reason := reason_against(scene, dialect):
        raise CodeError(f"{TITLES[dialect]} cannot express this scene: {reason}.")
    paragraphs = [
        [part.precision(scene)] if dialect == "mha" else part.sizes(scene),
        part.matrices(scene),
        part.additive_position(scene),
        *_DIALECTS[dialect](scene),
        [f"pprint(output.tolist(), width={max(80, 25 * scene.d_out + 4)})"],  # a row per line
    ]
    body = "\n\n".join("\n".join(lines) for lines in paragraphs if lines)
    head = [*part.heading(scene, _WHAT[dialect]), "", *_imports(body), ""]
    return "\n".join(head) + "\n" + re.sub(r"\n{4,}", "\n\n\n", body) + "\n"


def reason_against(scene: Scene, dialect: str) -> str:
    """Why a dialect cannot express the scene, as the end of a sentence; empty where it can."""
    if dialect not in DIALECTS:
        raise ValueError(f"There is no dialect {dialect!r}; the dialects are {', '.join(DIALECTS)}.")
    if dialect == "plain":
        return ""
    reason = sdpa_reason(scene) if dialect == "sdpa" else mha_reason(scene)
    if not reason and np.isfinite(scene.mask_fill) and not scene.visible().all():
        reason = fill_reason(attention.attend(scene))
    return reason


def mask_spellings(scene: Scene) -> dict[str, str]:
    """What all masks together allow, ready to be copied, as torch's functions want to have it.

    "sdpa": True = may be attended; "mha": True = blocked; "padding", where a mask hides keys from every query: the
    same with these in an argument of their own; "additive": numbers added to the scores.
    """
    visible, fill = scene.visible(), part.fill(scene)
    added = np.where(visible, 0.0, float(fill))
    dtype = f"dtype=torch.{scene.dtype}"
    if visible.size <= part.MAX_FLAGS:
        sdpa, mha = (part.tensor("attn_mask =", flag_table(f), "(n, m)") for f in (visible, ~visible))
        additive = part.tensor("attn_mask =", table(added), "(n, m)", dtype)
    else:
        allowed = [part.counts(scene), *(part.allowed(scene, scene.mask) or _ALL)]
        sdpa, mha = [*allowed, "attn_mask = allowed"], [*allowed, "attn_mask = ~allowed"]
        additive = [*allowed, f"attn_mask = torch.zeros(n, m, {dtype}).masked_fill(~allowed, {fill})"]
    if np.isinf(added).any():
        additive = ["from math import inf", "", *additive]
    spelled = {"sdpa": sdpa, "mha": mha}
    if any(mask.kind == "padding" for mask in scene.mask):
        lines, _arguments = _mha_masks(scene)
        spelled["padding"] = lines[1:]
    spelled["additive"] = additive
    return {name: "\n".join([f"# {_POLARITY[name]}", *lines]) + "\n" for name, lines in spelled.items()}


_ALL = ["allowed = torch.ones(n, m, dtype=torch.bool)"]
_POLARITY = {
    "sdpa": "F.scaled_dot_product_attention, a mask of flags: True = may be attended",
    "mha": "nn.MultiheadAttention, a mask of flags: True = blocked",
    "padding": "nn.MultiheadAttention, hidden keys apart from the rest: True = blocked, in both",
    "additive": "both, a mask of numbers of the same dtype as q: added to the scaled scores",
}


# ---- the dialects: what stands between the inputs and the print ----


def _plain(scene: Scene) -> list[Lines]:
    scores = {"sqrt_dk": " / sqrt(d_k)", "none": ""}
    scale = scores[scene.scale] if isinstance(scene.scale, str) else f" * {decimal(scene.scale)}"
    lines = ["# Scores: every query with every key."]
    if part.grouped(scene):
        lines += ["# Several heads read one K/V head (Ainslie et al. 2023)."]
        lines += [f"{t} = {t}.repeat_interleave(heads // kv_heads, dim=0)  # (H, m, d_{t})" for t in "kv"]
    lines += [f"scores = q @ k.mT{scale}  # (H, n, m)"]
    if scene.softcap is not None:
        cap = decimal(scene.softcap)
        lines += [f"scores = {cap} * torch.tanh(scores / {cap})  # softly capped"]
    if bias := part.bias(scene):
        lines += ["", *bias, "scores = scores + bias"]

    masks: Lines = []
    if scene.mask:
        masks = ["# True = may be attended; what is hidden gets a score that softmax makes nothing of."]
        masks += [
            *part.allowed(scene, scene.mask),
            f"scores = scores.masked_fill(~allowed, {part.fill(scene)})",
        ]

    mix = ["weights = torch.softmax(scores, dim=-1)  # (H, n, m), over the keys: a row adds up to 1"]
    if part.has_blind_rows(scene):
        mix += ["nothing = ~allowed.any(dim=-1, keepdim=True)  # (n, 1): queries that see no key,"]
        mix += ["weights = weights.masked_fill(nothing, 0.0)  # for which softmax gives NaN"]
    mix += ["head_outputs = weights @ v  # (H, n, d_v)"]
    return [
        part.projections(scene),
        part.norms(scene),
        part.rotary(scene),
        lines,
        masks,
        mix,
        part.joined(scene),
    ]


def _sdpa(scene: Scene) -> list[Lines]:
    bias = part.bias(scene)
    mask: Lines = []
    options = []
    match scene.mask:
        case ():
            pass
        case (Causal(align="top_left"),) if not bias:
            options = ["is_causal=True"]
        case _:
            mask = ["# True = may be attended, here; in nn.MultiheadAttention True = blocked."]
            mask += part.allowed(scene, scene.mask)
            options = ["attn_mask=allowed"]
    if bias:
        mask += [*([""] if mask else []), *bias]
        mask += ["bias = bias.masked_fill(~allowed, -inf)  # a mask of numbers is added"] if options else []
        options = ["attn_mask=bias"]
    if scene.scale != "sqrt_dk":
        options += [f"scale={decimal(scene.factor)}"]
    if part.grouped(scene):
        options += ["enable_gqa=True"]
    call = f"F.scaled_dot_product_attention({', '.join(['q', 'k', 'v', *options])})"
    return [
        part.projections(scene),
        part.norms(scene),
        part.rotary(scene),
        mask,
        [f"head_outputs = {call}  # (H, n, d_v)"],
        part.joined(scene),
    ]


def _mha(scene: Scene) -> list[Lines]:
    biased = any(getattr(scene, name) is not None for name in BIASES)
    source = "context" if scene.is_cross else "x"
    widths = f", kdim={scene.d_context}, vdim={scene.d_context}" if scene.d_context != scene.d_model else ""
    options = f"{scene.d_model}, {scene.heads}, batch_first=True{widths}{'' if biased else ', bias=False'}"
    weights = ["w_q.T", "w_k.T", "w_v.T"]
    if widths:
        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        state = dict(zip(names, weights, strict=True))
    else:
        state = {"in_proj_weight": f"torch.cat([{', '.join(weights)}])"}
    if biased:
        none = f"torch.zeros({scene.d_model})"
        b_q, b_k, b_v, b_o = (name if getattr(scene, name) is not None else none for name in BIASES)
        state |= {"in_proj_bias": f"torch.cat([{b_q}, {b_k}, {b_v}])", "out_proj.bias": b_o}
    state["out_proj.weight"] = f"torch.eye({scene.d_model})" if scene.w_o is None else "w_o.T"

    module = [
        "# A Linear of torch holds its weight as [out, in], so each projection is transposed.",
        f"attention = nn.MultiheadAttention({options})",
        "attention.load_state_dict({",
        *(f'    "{name}": {value},' for name, value in state.items()),
        "})",
    ]
    masks, arguments = _mha_masks(scene) if scene.bias is None else _mha_bias(scene)
    inputs = {"x": "n, d_model"} | ({"context": "m, d_context"} if scene.is_cross else {})
    call = [
        "# A batch of one; without weights asked for, a query that sees no key gets 0 and not NaN.",
        *(f"{name} = {name}.unsqueeze(0)  # (1, {shape})" for name, shape in inputs.items()),
        f"output, _ = attention(x, {source}, {source}{arguments}, need_weights=False)",
        "output = output.squeeze(0)  # (n, d_model)",
    ]
    return [module, masks, call]


def _mha_masks(scene: Scene) -> tuple[Lines, str]:
    """Padding by its own argument, the others together; and both as arguments."""
    padding = [mask for mask in scene.mask if mask.kind == "padding"]
    others = [mask for mask in scene.mask if mask.kind != "padding"]
    lines: Lines = []
    arguments = ""
    if scene.mask:
        lines = ["# True = blocked, here; in F.scaled_dot_product_attention True = may be attended."]
    if others:
        lines += [part.counts(scene), *part.allowed(scene, others), "attn_mask = ~allowed"]
        arguments += ", attn_mask=attn_mask"
    if padding:
        keys = scene.replace(mask=tuple(padding)).visible()[0]
        lines += [f"key_padding_mask = ~torch.tensor([{vector(keys)}])  # padding, (1, m)"]
        arguments += ", key_padding_mask=key_padding_mask"
    return lines, arguments


def _mha_bias(scene: Scene) -> tuple[Lines, str]:
    """All masks and the bias as one mask of numbers; and as an argument."""
    lines = [part.counts(scene), *part.allowed(scene, scene.mask), *part.bias(scene)]
    if scene.mask:
        lines += ["bias = bias.masked_fill(~allowed, -inf)  # a mask of numbers is added"]
    return lines, ", attn_mask=bias"


_DIALECTS = {"plain": _plain, "sdpa": _sdpa, "mha": _mha}
_WHAT = {
    "plain": "Multi-head attention, every step written out with plain tensors.",
    "sdpa": "Multi-head attention by F.scaled_dot_product_attention.",
    "mha": "Multi-head attention by nn.MultiheadAttention.",
}


def _imports(body: str) -> Lines:
    """What the body uses, in the order of isort."""
    code = "\n".join(line.partition("#")[0] for line in body.splitlines())
    names = [name for name in ("inf", "nan", "sqrt") if re.search(rf"\b{name}\b", code)]
    lines = [f"from math import {', '.join(names)}"] if names else []
    lines += ["from pprint import pprint", "", "import torch"]
    lines += ["from torch import nn"] if "nn." in code else []
    lines += ["from torch.nn import functional as F"] if "F." in code else []
    return lines
