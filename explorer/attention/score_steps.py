"""The steps of scores, weights, and what the weights weigh."""

from math import isfinite, isnan

import numpy as np

from explorer.attention.formula import (
    Call,
    Exp,
    Expr,
    Minus,
    Num,
    Product,
    Quotient,
    Root,
    Sigma,
    Sum,
    Sym,
    dot,
    number,
    symbol,
)
from explorer.attention.places import sym_of
from explorer.attention.positions import Alibi, Relative, alibi_slopes
from explorer.attention.steps import Sentence, Term, Terms
from explorer.attention.trace import Cell
from explorer.attention.working import Work, products
from explorer.scene import Array, Index

WIDTH = Sym("d_k", "d<sub>k</sub>", "d_k")


def scores(work: Work) -> None:
    """A row of q times a row of k."""
    _dot(work, Sigma("r", Product((symbol("q", work.row + 1, "r"), symbol("k", work.col + 1, "r")))))
    work.note_shared()
    _note_hidden(work)


def _dot(work: Work, letters: Expr) -> None:
    trace, group = work.trace, work.scene.kv_head(work.head)
    query, key = Cell("q", work.head, work.row, 0), Cell("k", group, work.col, 0)
    terms = products(
        trace.q[work.head, work.row],
        trace.k[group, work.col],
        lambda c: (query._replace(col=c), key._replace(col=c)),
    )
    work.start("sum", terms, letters)
    work.settle(float(trace.scores[work.head, work.row, work.col]))


def _note_hidden(work: Work) -> None:
    if not work.trace.visible[work.row, work.col]:
        work.note("hidden_later", masks=work.hiding())


def scaled(work: Work) -> None:
    """The raw score; then scale, softcap, what the position adds and the bias, each where the scene has it."""
    name = dot(work.row + 1, work.col + 1)
    _dot(work, name)
    before = len(work.steps)
    for step in (_scale, _softcap, _position, _bias):
        step(work, name if len(work.steps) == before else symbol("s"))
    if len(work.steps) == before:
        score = Term(0, (work.result,), work.result, (Cell("scores", work.head, work.row, work.col),))
        work.go_on("copy", [score], name, lambda e: e, title=Sentence("unscaled"))
    work.settle(work.traced)
    _note_hidden(work)


def _scale(work: Work, operand: Expr) -> None:
    scene = work.scene
    score = Cell("scores", work.head, work.row, work.col)
    terms = [Term(0, (work.result, scene.factor), work.result * scene.factor, (score,))]
    if scene.scale == "sqrt_dk":
        d_k = Num(scene.d_k)
        work.go_on(
            "scale", terms, operand, lambda e: Quotient(e, Root(WIDTH)), lambda e: Quotient(e, Root(d_k))
        )
    elif scene.scale != "none":
        factor = Num(scene.factor)
        work.go_on("scale", terms, operand, lambda e: Product((e, factor)), title=Sentence("scale_factor"))


def _softcap(work: Work, operand: Expr) -> None:
    cap = work.scene.softcap
    if cap is None:
        return
    bent = float(np.tanh(work.result / cap))
    title = Sentence("softcap", {"cap": number(cap)})
    inner = Num(cap)
    work.go_on(
        "softcap",
        [Term(0, (cap, bent), cap * bent)],
        operand,
        lambda e: Product((inner, Call("tanh", Quotient(e, inner)))),
        title=title,
    )


def _position(work: Work, operand: Expr) -> None:
    """Alibi with its slope and distance; another kind with the number it adds."""
    scene, position = work.scene, work.scene.position
    if not isinstance(position, Alibi):
        bias = position.bias(scene.heads, scene.n, scene.m)
        if bias is not None:
            value = work.held(float(bias[work.head, work.row, work.col]))
            added = symbol("p", work.row + 1, work.col + 1)
            work.add("alibi", value, None, operand, added, Sentence("position"))
            if isinstance(position, Relative):
                work.note("by_distance", distance=work.col - work.row, reach=position.reach)
        return
    slope, distance = float(alibi_slopes(scene.heads)[work.head]), float(abs(work.row - work.col))
    apart = f"|{work.row + 1}−{work.col + 1}|"
    name = Product((symbol("m"), Sym(apart, apart, apart.replace("−", "-"))))
    numbers = Product((Num(slope), Num(distance)))
    work.go_on(
        "alibi",
        (Term(0, (work.result,), work.result), Term(1, (-slope, distance), -slope * distance)),
        operand,
        lambda e: Sum((e, Minus(name))),
        lambda e: Sum((e, Minus(numbers))),
    )


def _bias(work: Work, operand: Expr) -> None:
    bias = work.scene.bias
    if bias is None:
        return
    value = work.held(
        float(bias[work.row, work.col] if bias.ndim == 2 else bias[work.head, work.row, work.col])
    )
    work.add("bias", value, None, operand, symbol("b", work.row + 1, work.col + 1), Sentence("score_bias"))


def masked(work: Work) -> None:
    """The scaled score, or the fill in its place."""
    scaled_cell = Cell("scaled", work.head, work.row, work.col)
    score = float(work.trace.scaled[work.head, work.row, work.col])
    if work.trace.visible[work.row, work.col]:
        return work.copy(scaled_cell, score, sym_of(scaled_cell), Sentence("visible"))
    fill = work.traced
    title = Sentence("mask", {"fill": number(fill)})
    work.start("mask", [Term(0, (fill,), fill)], sym_of(work.cell), Num(fill), title)
    work.note("hidden", masks=work.hiding(), fill=number(fill), score=number(score))


def weights(work: Work) -> None:
    """Exponential, sum, quotient; over the keys that count."""
    trace, row, col = work.trace, work.row, work.col
    row_scores = trace.masked[work.head, row].astype(np.float64)  # (m,)
    own, hidden = Cell("masked", work.head, row, col), not trace.visible[row, col]
    if hidden and np.isneginf(row_scores[col]) and work.traced == 0:
        term = Term(0, (-np.inf,), 0.0, (own,), exponential=True)
        work.start("exp", [term], Exp(sym_of(own)), title=Sentence("hidden_weight"))
        return _note_blind(work) if trace.blind[row] else work.note("hidden_key", masks=work.hiding())
    keys = np.flatnonzero(trace.visible[row] | ~np.isneginf(row_scores))
    if hidden:
        work.note("hidden_filled", masks=work.hiding(), fill=number(float(row_scores[col])))
    elif len(keys) == 1 and isfinite(row_scores[col]):
        work.note("only_key", token=work.scene.tokens[row])
    _softmax(work, row_scores, keys, own)
    work.settle(work.traced)


def _softmax(work: Work, row_scores: Array, keys: Index, own: Cell) -> None:
    """e^s / Σ e^s; where that is out of reach, the largest of the row is subtracted first (the same quotient)."""
    name, score, top = sym_of(own), float(row_scores[own.col]), float(row_scores[keys].max())
    with np.errstate(all="ignore"):
        if out_of_reach(top):
            shift = [Term(0, (score,), score, (own,)), Term(1, (-top,), -top)]
            work.start("shift", shift, Sum((name, Minus(Sym("max s′", "max s′", r"\max s'")))))
            if isfinite(top):
                work.note("shifted", top=number(top))
            row_scores = row_scores - top
        exponentials = np.exp(row_scores)
        quotient = float(exponentials[own.col] / exponentials[keys].sum())
    terms = Terms(
        (row_scores[keys],), exponentials[keys], lambda i: (own._replace(col=int(keys[i])),), exponential=True
    )
    single = Term(0, (float(row_scores[own.col]),), float(exponentials[own.col]), (own,), exponential=True)
    above, below = Exp(name), Sigma("j", Exp(symbol("s′", own.row + 1, "j")))
    work.start("exp", [single], above)
    work.start("sum", terms, below, title=Sentence("sum_exp"))
    parts = [Term(0, (single.value,), single.value), Term(1, (work.result,), work.result)]
    figures = Quotient(Num(single.value), Num(work.result))
    work.start("normalise", parts, Quotient(above, below), figures, result=quotient)


def out_of_reach(top: float) -> bool:
    """Whether the exponentials of a row with this largest score are too large or too small to be read."""
    return not (isnan(top) or -3 <= top <= 11)


def head_outputs(work: Work) -> None:
    """A row of weights times a column of v."""
    trace, row, col, group = work.trace, work.row, work.col, work.scene.kv_head(work.head)
    row_weights, column = trace.weights[work.head, row], trace.v[group, :, col]
    with np.errstate(all="ignore"):
        # A hidden key adds nothing, unless its 0 meets ∞ or NaN: in the matrix product that is NaN.
        odd = ~(row_weights * column == 0)
    keys = np.flatnonzero(trace.visible[row] | ~np.isneginf(trace.masked[work.head, row]) | odd)

    def cells(i: int) -> tuple[Cell, Cell]:
        key = int(keys[i])
        return Cell("weights", work.head, row, key), Cell("v", group, key, col)

    letters = Sigma("j", Product((symbol("α", row + 1, "j"), symbol("v", "j", col + 1))))
    work.start("sum", products(row_weights[keys], column[keys], cells), letters)
    work.settle(work.traced)
    work.note_shared()
    if trace.blind[row]:
        _note_blind(work)


def _note_blind(work: Work) -> None:
    work.note("blind", token=work.scene.tokens[work.row])
