"""Random small scenes with every feature, for Hypothesis."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import Alibi, Learned, Relative, Rotary, Sinusoidal
from explorer.norm import Norm
from explorer.scene import DTYPES, Mask, Position, Scene

sizes = st.integers(1, 4)


@st.composite
def scenes(draw: st.DrawFn, dtypes: tuple[str, ...] = DTYPES) -> Scene:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    spread = draw(st.sampled_from([0.5, 1.0, 1.0, 4.0]))

    def matrix(*shape: int) -> Any:
        values = rng.normal(size=shape) * spread
        return np.round(values) if spread == 4.0 else values

    n, d_model, d_v, d_out = (draw(sizes) for _ in range(4))
    cross = draw(st.booleans())
    m, d_context = (draw(sizes), draw(sizes)) if cross else (n, d_model)
    groups, each = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    heads = groups * each
    position = draw(positions(n, d_model, m if cross else None, d_context, rng))
    d_k = draw(st.integers(2, 4)) if position.kind == "rotary" else draw(sizes)
    if position.kind == "rotary" and position.dims is None:
        d_k = 2 * (d_k // 2)
    has_w_o = draw(st.booleans())
    d_out = d_out if has_w_o else heads * d_v
    widths = {"b_q": heads * d_k, "b_k": groups * d_k, "b_v": groups * d_v, "b_o": d_out}
    return Scene(
        x=matrix(n, d_model),
        context=matrix(m, d_context) if cross else None,
        w_q=matrix(d_model, heads * d_k),
        w_k=matrix(d_context, groups * d_k),
        w_v=matrix(d_context, groups * d_v),
        w_o=matrix(heads * d_v, d_out) if has_w_o else None,
        **{name: matrix(width) for name, width in widths.items() if draw(st.booleans())},
        heads=heads,
        kv_heads=groups,
        q_norm=draw(norms(d_k, rng)),
        k_norm=draw(norms(d_k, rng)),
        scale=draw(st.sampled_from(["sqrt_dk", "none", 0.3, -1.0])),
        softcap=draw(st.sampled_from([None, None, 2.0, 30.0])),
        bias=draw(st.sampled_from([None, None, matrix(n, m), matrix(heads, n, m)])),
        mask=tuple(draw(st.lists(masks(n, m), max_size=2))),
        mask_fill=draw(st.sampled_from([-np.inf, -np.inf, -1e9, -1.0])),
        position=position,
        dtype=draw(st.sampled_from(dtypes)),
    )


@st.composite
def norms(draw: st.DrawFn, d_k: int, rng: np.random.Generator) -> Norm | None:
    if not draw(st.sampled_from([False, False, True])):
        return None
    return Norm(weight=rng.normal(size=d_k), eps=draw(st.sampled_from([1e-6, 0.5])))


@st.composite
def positions(
    draw: st.DrawFn, n: int, d_model: int, m: int | None, d_context: int, rng: np.random.Generator
) -> Position:
    match draw(st.sampled_from(["none", "none", "sinusoidal", "learned", "rotary", "alibi", "relative"])):
        case "sinusoidal":
            return Sinusoidal(base=draw(st.sampled_from([10000.0, 3.0])))
        case "learned":
            table = None if m is None else rng.normal(size=(m, d_context))
            return Learned(table=rng.normal(size=(n + 1, d_model)), context_table=table)
        case "rotary":
            layout = draw(st.sampled_from(["half", "interleaved"]))
            own = draw(st.sampled_from([None, np.array([[0.7]])]))
            dims = draw(st.sampled_from([None, 2])) if own is None else 2
            factor = draw(st.sampled_from([None, None, 1.25]))
            return Rotary(base=100.0, layout=layout, dims=dims, frequencies=own, factor=factor)
        case "alibi":
            return Alibi()
        case "relative":
            return Relative(
                table=rng.normal(size=(draw(st.integers(1, 3)), draw(st.sampled_from([1, 3, 5]))))
            )
        case _:
            return Position()


@st.composite
def masks(draw: st.DrawFn, n: int, m: int) -> Mask:
    flags = st.booleans()
    match draw(st.sampled_from(["causal", "padding", "window", "custom"])):
        case "causal":
            return Causal(align=draw(st.sampled_from(["top_left", "bottom_right"])))
        case "padding":
            return Padding(keys=tuple(draw(st.lists(flags, min_size=m, max_size=m))))
        case "window":
            return Window(left=draw(st.integers(0, 2)), right=draw(st.integers(0, 2)))
        case _:
            row = st.lists(flags, min_size=m, max_size=m)
            return Custom(table=np.array(draw(st.lists(row, min_size=n, max_size=n)), dtype=bool))
