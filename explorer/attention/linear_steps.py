"""The steps of what a person set, and of what is linear in it: input, projections, concat, output."""

from collections.abc import Sequence
from math import isnan

import numpy as np

from explorer.attention.formula import (
    Expr,
    Minus,
    Num,
    Product,
    Quotient,
    Root,
    Sigma,
    Sum,
    Sym,
    entry,
    number,
    symbol,
)
from explorer.attention.places import source_place, sym_of
from explorer.attention.positions import Learned, Rotary, Sinusoidal
from explorer.attention.precision import held
from explorer.attention.score_steps import WIDTH
from explorer.attention.steps import Sentence, Term
from explorer.attention.trace import Cell
from explorer.attention.working import Work, products
from explorer.norm import Norm
from explorer.scene import Array

_TILDE = "{}\N{COMBINING TILDE}"  # a letter before norm and turn
_RMS = Sym("rms", "rms", r"\mathrm{rms}")


def given(work: Work) -> None:
    """A number of a matrix."""
    typed = work.typed
    work.start("given", [Term(0, (typed,), typed)], sym_of(work.cell), Num(typed))
    work.settle(work.held(typed))


def placed(work: Work) -> None:
    """A number of x or of the context: what was typed, and an additive position."""
    side = work.cell.place
    width = work.matrix(side).shape[1]
    added = work.scene.position.added_at(work.row, width, side)
    if added is None:
        return given(work)
    typed, before = work.typed, sym_of(work.cell, before=True)
    work.start("given", [Term(0, (typed,), typed)], before, Num(typed))
    work.settle(work.held(typed))
    value = work.held(float(added[work.col]))
    _note_position(work, value, width)
    work.add("position", value, None, before, symbol("p", work.row + 1, work.col + 1))
    work.settle(work.traced)


def projected(work: Work) -> None:
    """A number of q, k or v; with rotary, both columns of the pair and then the turn."""
    scene, trace, letter = work.scene, work.trace, work.cell.place
    rows = Cell("x" if letter == "q" else source_place(scene), None, work.row, 0)
    values = (trace.x if letter == "q" else trace.source)[work.row]
    raw = trace.projected(letter)[work.head]  # (rows, d)
    norm: Norm | None = getattr(scene, f"{letter}_norm") if letter in "qk" else None
    rotation = scene.position.rotation(len(raw), scene.d_k) if letter in "qk" else None
    partner = work.col if rotation is None else int(rotation.partner[work.col])
    row, base = work.row + 1, rows.place[0]
    columns = tuple(dict.fromkeys((work.col, partner)))
    for col in columns:
        column = work.head * raw.shape[1] + col
        letters = Sigma("r", Product((symbol(base, row, "r"), entry(f"w_{letter}", "r", column + 1))))
        product = _product(base.upper(), letter, row, column + 1)
        _dot_column(work, rows, values, f"w_{letter}", column, letters, product)
        work.settle(float(raw[work.row, col]))
    if norm is not None:
        _norm(work, norm, raw[work.row], columns)
    if rotation is None or partner == work.col:
        return
    plain = (trace.q_plain if letter == "q" else trace.k_plain)[work.head, work.row]  # (d_k,)
    pair = [float(plain[col]) for col in columns]
    _turn(
        work,
        pair,
        partner,
        work.held(rotation.cos[work.row, work.col]),
        work.held(rotation.sin[work.row, work.col]),
    )
    work.settle(work.traced)


def _norm(work: Work, norm: Norm, values: Array, columns: Sequence[int]) -> None:
    """RMS norm of a row as projected (`values`), for these of its columns: over √(mean of squares + ε), times g."""
    letter, row = work.cell.place, work.row + 1
    numbers = values.astype(np.float64).tolist()
    with np.errstate(all="ignore"):
        terms = [Term(r, (v, v), float(np.square(v))) for r, v in enumerate(numbers)]
    each = _raw(letter, row, "r")
    work.start("squares", terms, Sigma("r", Product((each, each))))
    mean, count = work.result / len(numbers), Num(len(numbers))
    parts = [Term(0, (work.result, 1 / len(numbers)), mean), Term(1, (norm.eps,), norm.eps)]
    sum_ = symbol("Σ")
    work.go_on(
        "mean",
        parts,
        sum_,
        lambda e: Sum((Quotient(e, WIDTH), Sym("ε", "ε", r"\varepsilon "))),
        lambda e: Sum((Quotient(e, count), Num(norm.eps))),
    )
    root = float(np.sqrt(work.result))
    work.go_on("root", [Term(0, (root,), root)], Sym("μ", "μ", r"\mu "), Root)
    held_weight = held(norm.weight, work.scene.dtype)
    plain = (work.trace.q_plain if letter == "q" else work.trace.k_plain)[work.head, work.row]
    for col in columns:
        own, weight = numbers[col], float(held_weight[col])
        with np.errstate(all="ignore"):
            over = float(np.float64(1.0) / np.float64(root))
            term = Term(0, (own, over, weight), own * over * weight)
        letters = Quotient(Product((_raw(letter, row, col + 1), symbol("g", col + 1))), _RMS)
        figures = Quotient(Product((Num(own), Num(weight))), Num(root))
        work.start("norm", [term], letters, figures)
        work.settle(float(plain[col]))
    lost = [r for r, v in enumerate(numbers) if isnan(v) and r not in columns]
    if lost and not any(isnan(numbers[col]) for col in columns):
        work.note("nan_from", name=_raw(letter, row, lost[0] + 1).text)
    work.note("normed", name=_TILDE.format(letter), root=number(root), eps=number(norm.eps, 8))


def _raw(letter: str, row: int | str, col: int | str) -> Sym:
    """q̃₁,₂: before norm and turn."""
    name, index = _TILDE.format(letter), symbol("", row, col)
    return Sym(name + index.text, name + index.html, rf"\tilde{{{letter}}}_{{{row},{col}}}")


def _turn(work: Work, pair: list[float], partner: int, cos: float, sin: float) -> None:
    """Rotary: own·cos θ ∓ other·sin θ; the first column of a pair loses what the second gains."""
    with np.errstate(all="ignore"):
        terms = [Term(0, (pair[0], cos), pair[0] * cos), Term(1, (pair[1], sin), pair[1] * sin)]
    own, other = (symbol(work.cell.place, work.row + 1, col + 1, before=True) for col in (work.col, partner))
    first = work.col < partner
    letters = Product((own, _trig("cos"))), Product((other, _trig("sin")))
    figures = Product((Num(pair[0]), Num(cos))), Product((Num(pair[1]), Num(-sin if first else sin)))
    whole = [Sum((one, Minus(two) if first else two)) for one, two in (letters, figures)]
    work.start("rotary", terms, whole[0], whole[1])
    _note_turn(work, *sorted((work.col, partner)))


def _note_turn(work: Work, first: int, second: int) -> None:
    rotary = work.scene.position
    if isinstance(rotary, Rotary):
        dims = work.scene.d_k if rotary.dims is None else rotary.dims
        power = first if rotary.layout == "interleaved" else 2 * first
        frequency = rotary.frequency(power // 2, work.scene.d_k)
        numbers: dict[str, int | str] = {"position": work.row, "angle": number(work.row * frequency)}
        columns = {"first": first + 1, "second": second + 1}
        if rotary.frequencies is None:
            work.note("turned", base=number(rotary.base), power=power, dims=dims, **columns, **numbers)
        else:
            work.note("turned_at", frequency=number(frequency), **columns, **numbers)
        if rotary.factor is not None:
            work.note("stretched", factor=number(float(rotary.factor)))


def _note_position(work: Work, value: float, width: int) -> None:
    position = work.scene.position
    if isinstance(position, Sinusoidal):
        function, power = ("cos", work.col - 1) if work.col % 2 else ("sin", work.col)
        numbers = {"base": number(position.base), "power": power, "width": width, "value": number(value)}
        work.note("sinusoidal", function=function, position=work.row, **numbers)
    elif isinstance(position, Learned):
        work.note("learned", row=work.row + 1)


def _trig(name: str) -> Sym:
    return Sym(f"{name} θ", f"{name} θ", rf"\{name}\theta ")


def _dot_column(
    work: Work, rows: Cell, values: Array, name: str, column: int, letters: Expr, product: Expr
) -> None:
    """One row, whose first cell is `rows`, times one column of a matrix, plus the bias that belongs to it."""
    weights = held(work.matrix(name)[:, column], work.scene.dtype)
    terms = products(values, weights, lambda r: (rows._replace(col=r), Cell(name, None, r, column)))
    work.start("sum", terms, letters)
    _bias(work, name.replace("w", "b"), column, product)


def _bias(work: Work, name: str, column: int, operand: Expr) -> None:
    if work.scene.matrix(name) is not None:
        value = work.held(float(work.matrix(name)[0, column]))
        work.add("bias", value, Cell(name, None, 0, column), operand, entry(name, column + 1))


def _product(left: str, letter: str, row: int, col: int) -> Sym:
    """(XW_q)₁,₂: an entry of the product before its bias is added."""
    matrix, name = entry(f"w_{letter}"), symbol(left)
    return Sym(
        f"({left}·{matrix.text}){symbol('', row, col).text}",
        f"({left}·{matrix.html}){symbol('', row, col).html}",
        rf"({name.latex}\cdot {matrix.latex})_{{{row},{col}}}",
    )


def joined_heads(work: Work) -> None:
    """A number of concat: one of one head's output."""
    head, col = divmod(work.col, work.scene.d_v)
    source = Cell("head_outputs", head, work.row, col)
    value = float(work.trace.head_outputs[head, work.row, col])
    work.copy(source, value, sym_of(source), Sentence("concat", {"head": str(head + 1)}))


def output(work: Work) -> None:
    """A row of concat times a column of W^O, which may be the identity, plus the bias."""
    row, col, concat = work.row, work.col, work.trace.concat[work.row]
    source = Cell("concat", None, row, col)
    if work.scene.w_o is None:
        work.copy(source, float(concat[col]), sym_of(source), Sentence("identity"))
        _bias(work, "b_o", col, sym_of(source))
    else:
        letters = Sigma("r", Product((symbol("concat", row + 1, "r"), entry("w_o", "r", col + 1))))
        product = _product("concat", "o", row + 1, col + 1)
        _dot_column(work, source._replace(col=0), concat, "w_o", col, letters, product)
    work.settle(work.traced)
