"""The paragraphs of a PyTorch script that every dialect has: numbers, positions, projections, masks.

Each function returns lines; an empty list where the scene has no such thing.
"""

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from explorer.attention.positions import Alibi, Relative, alibi_slopes
from explorer.attention.precision import held
from explorer.files.literals import comment, decimal, flag_table, table, vector
from explorer.scene import Flags, Mask, Scene

Lines = list[str]
INDENT = "    "
MAX_FLAGS = 4096  # that a mask is written out with; beyond that, how it is made


def tensor(left: str, rows: Lines, shape: str, options: str = "") -> Lines:
    """`left torch.tensor([…])` over several lines."""
    end = f"], {options})" if options else "])"
    return [f"{left} torch.tensor([", *(INDENT + row for row in rows), f"{end}  # {shape}"]


def heading(scene: Scene, what: str) -> Lines:
    """Title, and what the letters stand for."""
    title = [f"# {comment(scene.title)}", "#"] if scene.title else []
    return [
        *title,
        f"# {what}",
        "# n queries, m keys, heads of width d_k (queries and keys) and d_v (values).",
    ]


def sizes(scene: Scene) -> Lines:
    """The numbers that shapes are made of."""
    heads = {"heads": scene.heads} | ({"kv_heads": scene.groups} if grouped(scene) else {})
    widths = {"d_k": scene.d_k, "d_v": scene.d_v}
    return [precision(scene), "", counts(scene), _assigned(heads | widths)]


def precision(scene: Scene) -> str:
    """What the arithmetic runs in."""
    return f"torch.set_default_dtype(torch.{scene.dtype})"


def counts(scene: Scene) -> str:
    """How many queries and keys."""
    return _assigned({"n": scene.n, "m": scene.m})


def _assigned(values: dict[str, int]) -> str:
    return f"{', '.join(values)} = {', '.join(map(str, values.values()))}"


def matrices(scene: Scene) -> Lines:
    """Inputs, projections and biases."""
    keys = "kv_heads" if grouped(scene) else "heads"
    width = "d_context" if scene.is_cross else "d_model"
    lines = tensor("x =", table(scene.x, scene.tokens), "(n, d_model)")
    if scene.context is not None:
        lines += tensor("context =", table(scene.context, scene.context_tokens), "(m, d_context)")
    lines += [""]
    shapes = {
        "w_q": "(d_model, heads * d_k)",
        "w_k": f"({width}, {keys} * d_k)",
        "w_v": f"({width}, {keys} * d_v)",
        "w_o": "(heads * d_v, d_out)",
    }
    for name, shape in shapes.items():
        if (weight := getattr(scene, name)) is not None:
            lines += tensor(f"{name} =", table(weight), shape)
    for name in ("b_q", "b_k", "b_v", "b_o"):
        if (bias := getattr(scene, name)) is not None:
            lines += [f"{name} = torch.tensor({vector(bias)})"]
    return lines


# ---- positions ----


def additive_position(scene: Scene) -> Lines:
    """What is added to x, and to the context."""
    if scene.position.kind == "sinusoidal":
        return _sinusoidal(scene)
    added = scene.position.added(scene.n, scene.d_model)
    if added is None:
        return []
    lines = ["# A learned position: one row per place, added to the token that stands there."]
    lines += [*tensor("positions =", table(added), "(n, d_model)"), "x = x + positions"]
    if scene.is_cross:
        context = scene.position.added(scene.m, scene.d_context, "context")
        assert context is not None, "a position that is added to x is added to the context too"
        lines += [
            *tensor("context_positions =", table(context), "(m, d_context)"),
            "context = context + context_positions",
        ]
    return lines


def _sinusoidal(scene: Scene) -> Lines:
    base = decimal(_setting(scene, "base"))
    lines = f'''
def sinusoidal(length, width):
    """PE(p, 2i) = sin(p / base^(2i/width)), PE(p, 2i+1) = cos of the same (Vaswani et al. 2017)."""
    column = torch.arange(width{_wide(scene)})
    even = column // 2 * 2  # 0 0 2 2 …: a sine and a cosine share a frequency
    angle = torch.arange(length{_wide(scene)})[:, None] / {base} ** (even / width)  # (length, width)
    return torch.where(column == even, angle.sin(), angle.cos()){_narrow(scene)}


x = x + sinusoidal(*x.shape)'''
    return [
        *lines.splitlines(),
        *(["context = context + sinusoidal(*context.shape)"] if scene.is_cross else []),
    ]


def norms(scene: Scene) -> Lines:
    """q and k over the root mean square of each row, times the weights."""
    lines: Lines = []
    for letter, norm in (("q", scene.q_norm), ("k", scene.k_norm)):
        if norm is not None:
            wide = letter if scene.dtype == "float64" else f"{letter}.double()"
            weight = f"torch.tensor({vector(norm.weight)})"
            root = f"({wide}.square().mean(dim=-1, keepdim=True) + {decimal(norm.eps)}).sqrt()"
            lines += [f"{letter} = ({wide} / {root} * {weight}){_narrow(scene)}"]
    return ["# RMS norm of each row of a head (Zhang and Sennrich 2019).", *lines] if lines else []


def rotary(scene: Scene) -> Lines:
    """The function `turn`, and q and k turned by it."""
    if scene.position.kind != "rotary":
        return []
    dims = _setting(scene, "dims") or scene.d_k
    half = dims // 2
    rest = [f"rows[..., {dims}:]"] if dims < scene.d_k else []
    if _setting(scene, "layout") == "half":
        pairs = f"columns i and i + {half}"
        split = f"rows[..., :{half}], rows[..., {half}:{dims}]"
        joined = f"torch.cat([{', '.join(['a * cos - b * sin', 'b * cos + a * sin', *rest])}], dim=-1)"
    else:
        pairs = "columns 2i and 2i + 1"
        split = f"rows[..., 0:{dims}:2], rows[..., 1:{dims}:2]"
        joined = "torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1).flatten(-2)"
        if rest:
            joined = f"torch.cat([{joined}, {rest[0]}], dim=-1)"
    frequency = f"{decimal(_setting(scene, 'base'))} ** (-torch.arange({half}{_wide(scene)}) / {half})"
    angle = f"the angle p * base^(-2i/{dims}) (Su et al. 2021)"
    if (own := _setting(scene, "frequencies")) is not None:
        frequency = f"torch.tensor({vector(own[0])}{_wide(scene)})"
        angle = "its own angle per place"
    cos, sin = "angle.cos()", "angle.sin()"
    if (factor := _setting(scene, "factor")) is not None:
        cos, sin = (f"({decimal(factor)} * {each})" for each in (cos, sin))
    return f'''
def turn(rows):
    """Rotary: the {pairs} of row p turned by {angle}."""
    angle = torch.arange(rows.shape[1]{_wide(scene)})[:, None] * {frequency}  # (length, {half})
    cos, sin = {cos}{_narrow(scene)}, {sin}{_narrow(scene)}
    a, b = {split}
    return {joined}


q, k = turn(q), turn(k)'''.splitlines()


def bias(scene: Scene) -> Lines:
    """What is added to the scores, as `bias`."""
    lines = _position_bias(scene)
    if (own := scene.bias) is None:
        return lines
    name = "own" if lines else "bias"
    lines += ["# A bias for each query and key."]
    if own.ndim == 2:
        lines += tensor(f"{name} =", table(own), "(n, m)")
    else:
        heads = [line for head in own for line in ("[", *(INDENT + row for row in table(head)), "],")]
        lines += tensor(f"{name} =", heads, "(H, n, m)")
    return lines + (["bias = bias + own"] if name == "own" else [])


def _position_bias(scene: Scene) -> Lines:
    if isinstance(scene.position, Relative):
        rows, reach = scene.position.table, scene.position.reach
        return [
            "# A number for each distance key - query (Raffel et al. 2020); farther is as far as the last one.",
            *tensor("by_distance =", table(rows), f"(rows, {rows.shape[1]})"),
            f"distance = (torch.arange(m) - torch.arange(n)[:, None]).clamp(-{reach}, {reach})",
            f"bias = by_distance[torch.arange(heads) % {len(rows)}][:, distance + {reach}]  # (H, n, m)",
        ]
    if not isinstance(scene.position, Alibi):
        return []
    return [
        "# Alibi: the further away, the less (Press et al. 2022); one slope per head.",
        f"slopes = torch.tensor({vector(alibi_slopes(scene.heads))})",
        "distance = (torch.arange(n)[:, None] - torch.arange(m)).abs()",
        "bias = -slopes[:, None, None] * distance  # (H, n, m)",
    ]


def _setting(scene: Scene, name: str) -> Any:
    return getattr(scene.position, name)


def _wide(scene: Scene) -> str:
    """Angles are worked out in float64 in any case."""
    return "" if scene.dtype == "float64" else ", dtype=torch.float64"


def _narrow(scene: Scene) -> str:
    return "" if scene.dtype == "float64" else f".to(torch.{scene.dtype})"


# ---- projections ----


def projections(scene: Scene) -> Lines:
    """q, k and v by heads."""
    source = "context" if scene.is_cross else "x"
    keys = "kv_heads" if grouped(scene) else "heads"
    shape = "G" if grouped(scene) else "H"

    def split(name: str, rows: str, count: str, heads: str, width: str) -> str:
        product = f"{rows} @ w_{name}" + ("" if getattr(scene, f"b_{name}") is None else f" + b_{name}")
        return f"{name} = ({product}).view({count}, {heads}, {width}).transpose(0, 1)"

    return [
        "# Each head owns its columns: head h those from h * d_k up to (h + 1) * d_k.",
        f"{split('q', 'x', 'n', 'heads', 'd_k')}  # (H, n, d_k)",
        f"{split('k', source, 'm', keys, 'd_k')}  # ({shape}, m, d_k)",
        f"{split('v', source, 'm', keys, 'd_v')}  # ({shape}, m, d_v)",
    ]


def joined(scene: Scene) -> Lines:
    """The heads side by side, and W^O."""
    output = "concat" + ("" if scene.w_o is None else " @ w_o") + ("" if scene.b_o is None else " + b_o")
    return [
        "concat = head_outputs.transpose(0, 1).reshape(n, heads * d_v)  # (n, heads * d_v)",
        f"output = {output}  # (n, d_out)",
    ]


def grouped(scene: Scene) -> bool:
    """Whether several heads share one K/V head."""
    return scene.groups != scene.heads


# ---- masks ----


def allowed(scene: Scene, masks: Sequence[Mask]) -> Lines:
    """`allowed`, (n, m): True where a query may attend to a key."""
    lines: Lines = []
    for mask in masks:
        left = "allowed = allowed &" if lines else "allowed ="
        if (code := MASK_CODE.get(mask.kind)) is not None:
            lines += [f"{left} {code(mask)}  # {mask.kind}"]
            continue
        flags = mask.allowed(scene.n, scene.m)
        if flags.size <= MAX_FLAGS:
            lines += tensor(left, flag_table(flags), f"{mask.kind}, (n, m)")
        else:
            spelled = ", ".join(map(str, hidden_runs(flags)))
            lines += [
                "hidden = [  # query, first key, key after the last",
                *textwrap.wrap(spelled, 96, initial_indent=INDENT, subsequent_indent=INDENT),
                "]",
                "painted = torch.ones(n, m, dtype=torch.bool)",
                "for i, first, stop in hidden:",
                "    painted[i, first:stop] = False",
                f"{left} painted  # {mask.kind}",
            ]
    return lines


def hidden_runs(flags: Flags) -> list[tuple[int, int, int]]:
    """(row, first column, column after the last) of each stretch of False, row by row."""
    edges = np.diff(np.pad(~flags, ((0, 0), (1, 1))).astype(np.int8), axis=1)  # (n, m + 1)
    (rows, firsts), (_, stops) = np.nonzero(edges == 1), np.nonzero(edges == -1)
    return list(zip(rows.tolist(), firsts.tolist(), stops.tolist(), strict=True))


def _causal(mask: Any) -> str:
    return f"torch.ones(n, m, dtype=torch.bool).tril({'m - n' if mask.align == 'bottom_right' else ''})"


def _padding(mask: Any) -> str:
    return f"torch.tensor({vector(np.array(mask.keys))}).expand(n, m)"


def _window(mask: Any) -> str:
    return f"torch.tensor([[i - {mask.left} <= j <= i + {mask.right} for j in range(m)] for i in range(n)])"


# A kind that is not here is written out as its table of flags.
MASK_CODE: dict[str, Callable[[Any], str]] = {
    "causal": _causal,
    "padding": _padding,
    "window": _window,
}


def fill(scene: Scene) -> str:
    """What stands in place of a hidden score; a fill that the precision cannot hold is −∞."""
    return decimal(float(held(scene.mask_fill, scene.dtype)))


def has_blind_rows(scene: Scene) -> bool:
    """Whether a query attends to nothing."""
    return fill(scene) == "-inf" and not scene.visible().any(axis=-1).all()


def numbers(scene: Scene) -> int:
    """How many numbers and flags a script would hold."""
    arrays = [scene.x, scene.context, scene.w_q, scene.w_k, scene.w_v, scene.w_o, scene.bias]
    tables = sum(array.size for array in arrays if array is not None)
    tabled = [mask.allowed(scene.n, scene.m) for mask in scene.mask if mask.kind not in MASK_CODE]
    masks = sum(flags.size if flags.size <= MAX_FLAGS else 3 * len(hidden_runs(flags)) for flags in tabled)
    added = scene.position.added(scene.n, scene.d_model) if scene.position.tables else None
    return tables + masks + (0 if added is None else added.size)
