"""Working out one cell: what the functions of linear_steps.py and score_steps.py build on."""

from collections.abc import Callable, Sequence
from math import isfinite, isnan

import numpy as np

from explorer.attention.formula import Expr, Num, Sum
from explorer.attention.mask_edits import hidden_by
from explorer.attention.precision import held
from explorer.attention.steps import Sentence, Step, Template, Term, Terms, total, values_of
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.scene import Array, Scene


class Work:
    """The steps of one cell, and what is to be said about them, as they are put together."""

    def __init__(self, scene: Scene, trace: Trace, cell: Cell) -> None:
        self.scene, self.trace, self.cell = scene, trace, cell
        self.head, self.row, self.col = cell.head or 0, cell.row, cell.col
        self.steps: list[Step] = []
        self.notes: list[Sentence] = []

    @property
    def traced(self) -> float:
        """The cell's value in the trace; of a matrix, as the scene's precision holds it."""
        name = "source" if self.cell.place == "context" else self.cell.place
        if name not in ("source", *STAGE):
            return self.held(self.typed)
        array: Array = getattr(self.trace, name)
        return float((array if array.ndim == 2 else array[self.head])[self.row, self.col])

    @property
    def typed(self) -> float:
        """What a person set in this cell of a matrix."""
        return float(self.matrix(self.cell.place)[self.row, self.col])

    @property
    def result(self) -> float:
        """What the steps have come to."""
        return self.steps[-1].result

    def matrix(self, name: str) -> Array:
        """A matrix that the scene has, for sure."""
        matrix = self.scene.matrix(name)
        assert matrix is not None
        return matrix

    def held(self, value: float) -> float:
        """A number in the scene's precision."""
        return float(held(value, self.scene.dtype))

    def start(
        self,
        kind: str,
        terms: Sequence[Term],
        letters: Expr,
        figures: Expr | None = None,
        title: Sentence | None = None,
        result: float | None = None,
    ) -> None:
        """A step that does not build on the one before."""
        put_in: Template | None = None if figures is None else lambda _: figures
        value = total(values_of(terms).tolist()) if result is None else result
        self.steps.append(Step(kind, title or Sentence(kind), terms, value, lambda _: letters, put_in))

    def go_on(
        self,
        kind: str,
        terms: Sequence[Term],
        operand: Expr,
        letters: Template,
        figures: Template | None = None,
        title: Sentence | None = None,
    ) -> None:
        """A step that builds on the result so far, which is called `operand`; `figures`: None: as the letters."""
        value = total(values_of(terms).tolist())
        templates = (letters, letters if figures is None else figures)
        self.steps.append(Step(kind, title or Sentence(kind), terms, value, *templates, operand, self.result))

    def add(
        self,
        kind: str,
        value: float,
        source: Cell | None,
        operand: Expr,
        name: Expr,
        title: Sentence | None = None,
    ) -> None:
        """A number added to the result so far."""
        terms = (Term(0, (self.result,), self.result), Term(1, (value,), value, (source,) if source else ()))
        self.go_on(kind, terms, operand, lambda e: Sum((e, name)), lambda e: Sum((e, Num(value))), title)

    def copy(self, source: Cell, value: float, name: Expr, title: Sentence) -> None:
        """A number taken over as it is."""
        self.start("copy", [Term(0, (value,), value, (source,))], name, Num(value), title)

    def settle(self, traced: float) -> None:
        """End at the traced value; where the precision shows in it, by a step of its own.

        In float64 it shows only where summing in another order overflowed, which the exact sum does not.
        """
        exact = self.result
        same = exact == traced or (isnan(exact) and isnan(traced))
        if same or (self.scene.dtype == "float64" and isfinite(exact) and isfinite(traced)):
            return
        title, term = Sentence("cast", {"dtype": self.scene.dtype}), Term(0, (exact,), exact)
        self.steps.append(Step("cast", title, (term,), traced, lambda e: e, lambda e: e, before=exact))

    def note(self, key: str, **values: object) -> None:
        """Something to be said."""
        self.notes.append(Sentence(key, {name: str(value) for name, value in values.items()}))

    def hiding(self) -> str:
        """'the causal mask', 'the causal and window masks': those that hide the cell's key from its query."""
        kinds = hidden_by(self.scene, self.row, self.col)
        return f"the {' and '.join(kinds)} mask{'s' if len(kinds) > 1 else ''}"

    def note_shared(self) -> None:
        """Say so where several query heads read this cell's K/V head."""
        each = self.scene.heads // self.scene.groups
        if each > 1:
            group = self.scene.kv_head(self.head)
            self.note("shared", group=group + 1, first=group * each + 1, last=(group + 1) * each)


def products(a: Array, b: Array, cells: Callable[[int], tuple[Cell, Cell]]) -> Terms:
    """The terms of the dot product of two rows of numbers; `cells` says where the factors of term i are."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    with np.errstate(all="ignore"):
        return Terms((a, b), a * b, cells)
