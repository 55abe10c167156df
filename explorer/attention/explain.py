"""The arithmetic behind one number.

`explain(scene, trace, cell)` gives the steps from a cell's sources to its value: one small function per place, listed
in STAGE_STEPS. The steps run in float64 on the numbers as the scene's precision holds them; where that precision
rounds, the rounding is a step of its own and ends at the traced value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, isnan
from typing import Any
from unicodedata import east_asian_width

import numpy as np

from explorer.attention import linear_steps, score_steps
from explorer.attention.formula import Expr, Num, Quotient, Sym, number
from explorer.attention.notation import Html, Latex, Writer, joined, latex_lines
from explorer.attention.places import head_name, name_of, sym_of, title_of, whereabouts
from explorer.attention.provenance import source_regions
from explorer.attention.region import Region
from explorer.attention.rounding import comes_out
from explorer.attention.steps import Sentence, Step, Term, Terms, View, fold, tidy, values_of
from explorer.attention.trace import Cell, Trace
from explorer.attention.working import Work
from explorer.scene import MATRICES, Scene

__all__ = ["Explanation", "Sentence", "Step", "Term", "View", "explain", "fold"]


@dataclass(frozen=True, eq=False)
class Explanation:
    """What a cell is called, what it is made of, and the steps that make its value."""

    cell: Cell
    name: str  # "α₁,₂, head 2"
    name_html: str
    name_latex: str
    title: str  # the stage's: "weights"
    head: str  # "head 2", "K/V head 1" or nothing
    where: str  # the tokens: "sat → cat"
    value: float  # as traced
    symbol: Sym  # the name without the head, for formulas
    steps: tuple[Step, ...]
    regions: tuple[Region, ...]
    notes: tuple[Sentence, ...]

    @cached_property
    def sources(self) -> tuple[Cell, ...]:
        """The cells one step before; `regions` says the same in few objects."""
        return tuple(cell for region in self.regions for cell in region.cells())

    @property
    def rounded(self) -> bool:
        """Whether the scene's precision rounds on the way, so that the numbers put in only come near the value."""
        return any(step.kind == "cast" for step in self.steps)

    def comes_near(self, chain: list[Expr], view: View) -> bool:
        """Whether the last sign is ≈: `rounded`, or the numbers as shown do not come to the value as shown."""
        return self.rounded or not comes_out(chain, view.decimals)

    def chain(self, view: View) -> list[Expr]:
        """The whole in one formula: name, letters, numbers put in, value."""
        letters: Expr = self.symbol
        numbers: Expr = Num(self.value)
        quotient: list[Expr] = []
        for at, step in enumerate(self.steps):
            if step.kind == "cast":
                continue
            if step.kind == "normalise":
                quotient = [Quotient(*(past.numbers(view) for past in self.steps[at - 2 : at]))]
            numbers = step.numbers(view, None if step.figures is None or at == 0 else numbers)
            letters = step.letters(letters)
        return tidy([self.symbol, letters, *quotient, numbers, Num(self.value)])

    def latex(
        self,
        decimals: int = 4,
        keep: int = 6,
        largest: bool = False,
        width: int = 34,
        terms: str = "{count} terms",
    ) -> list[str]:
        """The whole formula as lines for ziamath, each about as wide as `width` characters."""
        view = View(decimals, keep, largest, width, terms)
        chain = self.chain(view)
        return latex_lines(chain, view.latex, width, self.comes_near(chain, view))

    def html(
        self, decimals: int = 4, keep: int = 6, largest: bool = False, terms: str = "{count} terms"
    ) -> str:
        """The whole formula as one line of rich text."""
        view = View(decimals, keep, largest, terms=terms)
        chain = self.chain(view)
        return joined(chain, view.html, self.comes_near(chain, view))

    def text(
        self,
        decimals: int = 4,
        keep: int = 8,
        largest: bool = False,
        heading: str = "",
        say: Callable[[Sentence], str] = lambda sentence: sentence.text,
        exactly: str = "full precision: {value}",
        terms: str = "{count} terms",
    ) -> str:
        """Everything as plain text, for the command line and, with the last four in another language, elsewhere."""
        view = View(decimals, keep, largest, terms=terms)
        chain = self.chain(view)
        lines = [heading or " · ".join(filter(None, (self.title, self.head, self.where))), ""]
        name = view.text.write(chain[0])
        for letters in chain[1:-2]:
            lines.append(f"{name} = {view.text.write(letters)}")
            name = " " * len(name)
        end = joined([*chain[1:][-2:]], view.text, self.comes_near(chain, view))
        lines += [f"{name} = {end}", ""]
        titles = [say(step.title) for step in self.steps]
        widest = max(map(_columns, titles))
        for title, step in zip(titles, self.steps, strict=True):
            shown = step.text(view) if len(self.steps) > 1 else ""  # one step alone is the formula above
            lines.append(f"  {title}{' ' * (widest - _columns(title))}   {shown}".rstrip())
        lines += ["", *map(say, self.notes)] if self.notes else []
        return "\n".join([*lines, "", exactly.format(value=repr(self.value))])


def _columns(text: str) -> int:
    """How wide a text is in a terminal: a Chinese character takes two columns."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def explain(scene: Scene, trace: Trace, cell: Cell) -> Explanation:
    """The arithmetic behind `cell`, in the trace of this very scene.

    Raises ValueError, with a sentence, for a cell that the scene does not have.
    """
    regions = source_regions(scene, cell)
    work = Work(scene, trace, cell)
    STAGE_STEPS[cell.place](work)
    return Explanation(
        cell=cell,
        name=name_of(scene, cell, Writer()),
        name_html=name_of(scene, cell, Html()),
        name_latex=name_of(scene, cell, Latex()),
        title=title_of(cell.place),
        head=head_name(scene, cell),
        where=whereabouts(scene, cell),
        value=work.traced,
        symbol=sym_of(cell),
        steps=tuple(work.steps),
        regions=regions,
        notes=tuple(work.notes + _odd_values(work)),
    )


STAGE_STEPS: dict[str, Callable[[Work], None]] = {
    **{name: linear_steps.given for name in MATRICES},
    "x": linear_steps.placed,
    "context": linear_steps.placed,
    "q": linear_steps.projected,
    "k": linear_steps.projected,
    "v": linear_steps.projected,
    "scores": score_steps.scores,
    "scaled": score_steps.scaled,
    "masked": score_steps.masked,
    "weights": score_steps.weights,
    "head_outputs": score_steps.head_outputs,
    "concat": linear_steps.joined_heads,
    "output": linear_steps.output,
}


def _odd_values(work: Work) -> list[Sentence]:
    """Where a NaN or ∞ comes from: from a cell before, or from the arithmetic of this one."""
    value = work.traced
    first = work.steps[0]
    if any(note.key == "nan_from" for note in work.notes):  # the norm has said it
        return []
    if isfinite(value) or first.kind == "mask" or (first.kind == "given" and not isfinite(first.result)):
        return []
    kind = "nan" if isnan(value) else "infinite"
    alike: Callable[[Any], Any] = np.isnan if isnan(value) else np.isinf
    shifted = any(step.kind == "shift" for step in work.steps)  # then the exponentials' factors are no cells
    for step in work.steps:
        terms = step.terms.having(alike) if isinstance(step.terms, Terms) else step.terms
        for term in terms:
            if shifted and term.exponential:
                continue
            for source, factor in zip(term.sources, term.factors, strict=False):
                if alike(factor):
                    return [Sentence(f"{kind}_from", {"name": name_of(work.scene, source, Writer())})]
    if kind == "infinite":
        return [Sentence("infinite_here", {"value": number(value), "dtype": work.scene.dtype})]
    nothing = any(
        len(step.terms[at].factors) > 1
        for step in work.steps
        for at in np.flatnonzero(np.isnan(values_of(step.terms))).tolist()
    )
    return [Sentence("nan_here", {"reason": "0·∞" if nothing else "∞ − ∞"})]
