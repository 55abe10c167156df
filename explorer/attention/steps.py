"""The parts of an explanation: terms, steps, sentences; and sums folded in the middle.

Every sentence is a key and values, so that a translation can stand in for the English template.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, isfinite, nan
from typing import NamedTuple, overload

import numpy as np

from explorer.attention.formula import Exp, Expr, Num, Product, Rest, Sum, Sym, number
from explorer.attention.notation import Html, Latex, Writer, joined, latex_lines
from explorer.attention.rounding import comes_out
from explorer.attention.trace import Cell
from explorer.scene import Array

SENTENCES: dict[str, str] = {
    # titles of steps
    "given": "set by you",
    "position": "the position added",
    "sum": "sum of products",
    "bias": "the bias added",
    "score_bias": "the bias of this query and key added",
    "squares": "sum of squares of the row",
    "mean": "their mean, and ε",
    "root": "the root of it",
    "norm": "divided by the root, times the norm's weight",
    "rotary": "turned by its position",
    "scale": "divided by √d_k",
    "scale_factor": "times the scale",
    "softcap": "capped softly at ±{cap}",
    "alibi": "less the distance times the head's slope",
    "mask": "hidden, so replaced by {fill}",
    "hidden_weight": "hidden, so nothing",
    "unscaled": "neither scaled nor bent, so as it is",
    "visible": "visible, so as it is",
    "identity": "no W_o, so as it is",
    "concat": "taken over from head {head}",
    "shift": "the largest of the row subtracted",
    "exp": "exponential",
    "sum_exp": "sum over the keys",
    "normalise": "divided by the sum",
    "cast": "rounded to {dtype}",
    # notes
    "hidden_later": "Hidden by {masks}: the score will be replaced, so nothing depends on it.",
    "hidden": "Hidden by {masks}: {fill} stands in place of the score {score}.",
    "hidden_key": "Hidden by {masks}: the weight is 0 whatever the score.",
    "hidden_filled": "Hidden by {masks}, yet {fill} counts in the sum like any score.",
    "blind": "{token} attends to nothing: every key is hidden, so the weights are 0.",
    "only_key": "It is the only key that {token} may see, so its weight is 1 whatever the score.",
    "shared": "K/V head {group} is shared by heads {first}–{last}.",
    "shifted": "Subtracting {top} from every score of the row leaves the weights as they are and keeps the"
    " exponentials within reach.",
    "normed": "{name} is the row as it was projected; its root mean square is {root}, with ε = {eps} under the root.",
    "turned": "Columns {first} and {second} turn together by θ = {position}·{base}^(−{power}/{dims}) = {angle};"
    " positions count from 0.",
    "turned_at": "Columns {first} and {second} turn together by θ = {position}·{frequency} = {angle};"
    " positions count from 0.",
    "stretched": "Cosine and sine are those of θ times the position's factor {factor}.",
    "by_distance": "The number for the distance {distance} from the query to the key;"
    " farther than {reach} is as far as that.",
    "sinusoidal": "p = {function}({position}/{base}^({power}/{width})) = {value}; positions count from 0.",
    "learned": "p is in row {row} of the learned table of positions.",
    "nan_here": "NaN arises here: {reason} has no value.",
    "nan_from": "The NaN comes from {name}.",
    "infinite_here": "{value} arises here: the result is more than {dtype} can hold.",
    "infinite_from": "The ∞ comes from {name}.",
}


class Sentence(NamedTuple):
    """A sentence that a translation can say otherwise: SENTENCES[key] with values put in."""

    key: str
    values: Mapping[str, str] = {}

    @property
    def text(self) -> str:
        """In English."""
        return SENTENCES[self.key].format(**self.values)


@dataclass(frozen=True)
class View:
    """How numbers and sums are shown; nothing of it changes a result.

    A sum of more than `keep` terms (and one) is folded: in the middle, or all but the largest. A LaTeX line is
    about as wide as `width` characters of plain text. `terms` says how many were folded, with {count}.
    """

    decimals: int = 4
    keep: int = 6
    largest: bool = False
    width: int = 34
    terms: str = "{count} terms"

    @property
    def text(self) -> Writer:
        """Plain text."""
        return Writer(self.decimals, self.terms)

    @property
    def html(self) -> Html:
        """Qt's rich text."""
        return Html(self.decimals, self.terms)

    @property
    def latex(self) -> Latex:
        """LaTeX."""
        return Latex(self.decimals, self.terms)


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a step: the product of its factors, or e to the one factor; in float64.

    `sources` are the cells of the factors, as far as they are cells; `index` is where in the sum it stands.
    """

    index: int
    factors: tuple[float, ...]
    value: float
    sources: tuple[Cell, ...] = ()
    exponential: bool = False

    @property
    def formula(self) -> Expr:
        """The term with its numbers."""
        if self.exponential:
            return Exp(Num(self.factors[0]))
        return Product(tuple(map(Num, self.factors))) if len(self.factors) > 1 else Num(self.factors[0])


class Terms(Sequence[Term]):
    """The terms of a sum over a whole row, made when they are asked for: it may have thousands, of which few are shown.

    `factors` has a column of n float64 for each factor, `values` (n,) what the terms come to; `sources` gives the cells
    of term i.
    """

    def __init__(
        self,
        factors: tuple[Array, ...],
        values: Array,
        sources: Callable[[int], tuple[Cell, ...]],
        exponential: bool = False,
    ) -> None:
        self.factors, self.values = factors, values
        self._sources, self._exponential = sources, exponential

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, at: int) -> Term: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Term, ...]: ...
    def __getitem__(self, at: int | slice) -> Term | tuple[Term, ...]:
        if isinstance(at, slice):
            return tuple(map(self._term, range(*at.indices(len(self)))))
        return self._term(range(len(self))[at])

    def _term(self, at: int) -> Term:
        numbers = tuple(float(column[at]) for column in self.factors)
        return Term(at, numbers, float(self.values[at]), self._sources(at), self._exponential)

    def having(self, alike: Callable[[Array], Array]) -> Iterator[Term]:
        """Those of which a factor is NaN, or infinite."""
        found = np.any([alike(column) for column in self.factors], axis=0)
        return map(self._term, np.flatnonzero(found).tolist())


def values_of(terms: Sequence[Term]) -> Array:
    """What each comes to, float64."""
    return terms.values if isinstance(terms, Terms) else np.array([t.value for t in terms], dtype=np.float64)


class Folded(NamedTuple):
    """A long sum made short: first + rest + last is the whole."""

    first: tuple[Term, ...]
    rest: Rest | None
    last: tuple[Term, ...]


def fold(terms: Sequence[Term], keep: int = 6, largest: bool = False) -> Folded:
    """Leave `keep` terms: the first and last few, or the largest (by absolute value, NaN first) before the rest.

    One term alone is never folded: saying so takes as much room.
    """
    values = values_of(terms)
    order = np.arange(len(terms))
    if largest:
        order = np.argsort(-np.where(np.isnan(values), np.inf, np.abs(values)), kind="stable")
    begin, end = len(order), len(order)
    if len(order) > keep + 1:
        begin, end = (keep, len(order)) if largest else (keep - keep // 2, len(order) - keep // 2)
    first, last = (tuple(terms[i] for i in part.tolist()) for part in (order[:begin], order[end:]))
    rest = Rest(end - begin, total(values[order[begin:end]].tolist())) if end > begin else None
    return Folded(first, rest, last)


def total(values: Iterable[float]) -> float:
    """The exact sum, rounded once; ∞ and NaN as in floating point."""
    values = list(values)
    if all(map(isfinite, values)):
        try:
            return fsum(values)
        except OverflowError:
            pass
    with np.errstate(all="ignore"):
        return float(np.sum(values))


Template = Callable[[Expr], Expr]


@dataclass(frozen=True, eq=False)
class Step:
    """One operation on the way to a value; `result` follows from the terms.

    Kinds: given, position, sum, bias, squares, mean, root, norm, rotary, scale, softcap, alibi, mask, copy, shift,
    exp, normalise, cast.
    The result is the sum of the terms' values, except: normalise (the first over the second), mask (the fill) and
    cast (the one term in the scene's precision).
    """

    kind: str
    title: Sentence
    terms: Sequence[Term]
    result: float
    letters: Template  # what becomes of the expression before, in letters
    figures: Template | None = (
        None  # likewise with numbers put in; None: the terms added up, whatever was before
    )
    operand: Expr = field(default=Num(nan))  # the expression before, in letters
    before: float = nan  # and its value

    def numbers(self, view: View, before: Expr | None = None) -> Expr:
        """The operation with numbers put in; `before`: what it works on, if that is to be written out."""
        if self.figures is not None:
            return self.figures(Num(self.before) if before is None else before)
        first, rest, last = fold(self.terms, view.keep, view.largest)
        parts = [t.formula for t in first] + ([] if rest is None else [rest]) + [t.formula for t in last]
        return Sum(tuple(parts)) if len(parts) > 1 else parts[0] if parts else Num(0.0)

    def chain(self, view: View) -> list[Expr]:
        """Letters, numbers, result: what stands between the equals signs."""
        if self.kind == "cast":
            return [_arrow(self.terms[0].value, self.result, view.decimals)]
        return tidy([self.letters(self.operand), self.numbers(view), Num(self.result)])

    def text(self, view: View) -> str:
        """`q₁·k₂ = 1·0 + 2·1 = 2`; ≈ where the numbers as shown do not come to the result as shown."""
        return self._joined(view, view.text)

    def html(self, view: View) -> str:
        """The same as rich text."""
        return self._joined(view, view.html)

    def latex(self, view: View) -> list[str]:
        """The same as lines of LaTeX."""
        chain = self.chain(view)
        return latex_lines(chain, view.latex, view.width, not comes_out(chain, view.decimals))

    def _joined(self, view: View, writer: Writer) -> str:
        chain = self.chain(view)
        return joined(chain, writer, rounded=not comes_out(chain, view.decimals))


def tidy(chain: Sequence[Expr]) -> list[Expr]:
    """`chain` without links that say what the link before has said."""
    return [link for at, link in enumerate(chain) if at == 0 or link != chain[at - 1]]


def _arrow(exact: float, rounded: float, decimals: int) -> Sym:
    """1.41421356 → 1.41421354: with as many decimals as it takes to tell them apart."""
    digits = next((d for d in range(decimals, 18) if number(exact, d) != number(rounded, d)), 18)
    ends = (Num(exact), Num(rounded))
    text, html, latex = (
        arrow.join(map(kind(digits).write, ends))
        for kind, arrow in ((Writer, " → "), (Html, " → "), (Latex, r" \to "))
    )
    return Sym(text, html, latex)
