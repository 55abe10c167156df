"""A scene and its trace as a worksheet."""

from collections.abc import Collection, Sequence

import numpy as np

from explorer.attention.explain import Explanation, View, explain
from explorer.attention.formula import Sym, number
from explorer.attention.notation import joined
from explorer.attention.places import column_labels, heads_of, row_labels
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.files.worksheet import tables
from explorer.files.worksheet.blanks import PROJECTIONS, before, given_bias, hidden, needed
from explorer.files.worksheet.model import (
    ExpTable,
    Grid,
    Part,
    Sheet,
    Task,
    Worked,
    WorksheetError,
    check_count,
    nothing,
)
from explorer.files.worksheet.names import formulas, name_of, powers_of
from explorer.files.worksheet.words import Words
from explorer.patience import GoingOn, go_on
from explorer.scene import MATRICES, Array

MOST_COLUMNS, MOST_ROWS = 18, 24  # of one matrix
INPUTS = ("typed_x", "positions", "x", "context")
WORKED = 24  # lines per task; where there are more cells, the first row of each matrix
GIVEN_DECIMALS = 4  # of numbers that a person typed


def worksheet(
    trace: Trace,
    blanks: Collection[Cell],
    language: str = "en",
    title: str = "",
    version: str = "",
    decimals: int = 2,
    going_on: GoingOn = go_on,
) -> Sheet:
    """The sheet on which `blanks`, cells of stages, are to be filled in; `going_on` is called before each task.

    Raises WorksheetError where there is nothing to fill in, or more than paper has room for.
    """
    return _Maker(trace, frozenset(blanks), language, decimals).sheet(title, version, going_on)


class _Maker:
    def __init__(self, trace: Trace, blanks: frozenset[Cell], language: str, decimals: int) -> None:
        self.trace, self.scene = trace, trace.scene
        self.blanks, self.language, self.decimals = blanks, language, decimals
        self.stages = [name for name in STAGE if any(cell.place == name for cell in blanks)]
        self.words = Words(trace, self.stages, language, decimals)

    def sheet(self, title: str, version: str, going_on: GoingOn) -> Sheet:
        if not self.stages:
            raise WorksheetError("no cell is left blank, so there is nothing to fill in.")
        check_count(len(self.blanks))
        for place in (*needed(self.scene, self.stages), *self.stages):
            head = 0 if place == "bias" or heads_of(self.scene, place) else None
            self._check_room(name_of(self.scene, place, head), self._shape(place))
        tasks = []
        for group in _groups(self.stages):
            going_on()
            tasks.append(self.task(group))
        exact = all(float(f"{v:.{self.decimals}f}") == v for v in map(self.value, self.blanks))
        names = sorted(needed(self.scene, self.stages), key=lambda name: name not in INPUTS)
        given = [grid for name in names for grid in self.given(name)]
        facts = self.words.facts(exact)
        return Sheet(title or self.scene.title, version, facts, tuple(given), tuple(tasks), self.language)

    def _shape(self, place: str) -> tuple[int, int]:
        if place == "bias":
            return self.scene.n, self.scene.m
        values = self.trace.matrix(place) if place in STAGE and place != "x" else self.matrix_values(place)
        return values.shape[0], values.shape[1]

    @staticmethod
    def _check_room(name: Sym, shape: tuple[int, int]) -> None:
        """Before anything is written out: a million numbers take long."""
        rows, columns = shape
        if columns > MOST_COLUMNS or rows > MOST_ROWS:
            raise WorksheetError(
                f"{name.text} is {rows} × {columns}, and paper has room for {MOST_ROWS} × {MOST_COLUMNS}."
            )

    # ---- matrices ----

    def value(self, cell: Cell) -> float:
        return float(self.trace.matrix(cell.place, cell.head)[cell.row, cell.col])

    def grid(self, place: str, head: int | None = None) -> Grid:
        """A stage, with the blanks in it."""
        values = self.trace.matrix(place, head)
        blank = nothing(values)
        for cell in self.blanks:
            if cell.place == place and cell.head == head:
                blank[cell.row, cell.col] = True
        out = hidden(self.trace, place)
        texts = _texts(values, self.decimals)
        if place in ("scores", "scaled"):
            texts = [
                ["" if off and not empty else text for text, off, empty in zip(*row, strict=True)]
                for row in zip(texts, out.tolist(), blank.tolist(), strict=True)
            ]
        labels = row_labels(self.scene, place), column_labels(self.scene, place)
        bands = self.heads("head", self.scene.heads) if place == "concat" else ()
        columns = labels[1] if not bands else tuple(map(str, range(1, len(labels[1]) + 1)))
        return Grid(
            name_of(self.scene, place, head), labels[0], columns, values, _tupled(texts), blank, out, bands
        )

    def given(self, name: str) -> list[Grid]:
        """A matrix of the scene, or every head of a stage."""
        if name in STAGE and name != "x":
            count = heads_of(self.scene, name)
            return [self.grid(name, head) for head in (range(count) if count else [None])]
        if name == "bias":
            bias = given_bias(self.scene)
            assert bias is not None
            return [self.table(name, head, each) for head, each in enumerate(bias)]
        return [self.matrix(name)]

    def table(self, name: str, head: int, values: Array) -> Grid:
        """One head's numbers for each query and key."""
        texts = _tupled(_texts(values, GIVEN_DECIMALS))
        tokens, keys = self.scene.tokens, self.scene.key_tokens
        empty = nothing(values)
        return Grid(name_of(self.scene, name, head), tokens, keys, values, texts, empty, empty)

    def matrix(self, name: str) -> Grid:
        scene = self.scene
        values = self.matrix_values(name)
        tokens = scene.key_tokens if name == "context" else scene.tokens
        by_token = name in ("x", "context", "typed_x", "positions")
        rows = tokens if by_token else ("",) if name[0] == "b" else _numbers(values.shape[0])
        texts = _tupled(_texts(values, GIVEN_DECIMALS))
        groups = {"q": scene.heads, "k": scene.groups, "v": scene.groups}.get(name[-1], 1)
        word = "kv_head" if name[-1] in "kv" and scene.groups != scene.heads else "head"
        bands = self.heads(word, groups) if name[1:2] == "_" and groups > 1 else ()
        return Grid(
            name_of(scene, name),
            rows,
            _numbers(values.shape[1]),
            values,
            texts,
            nothing(values),
            nothing(values),
            bands,
        )

    def matrix_values(self, name: str) -> Array:
        scene = self.scene
        if name == "x":
            return self.trace.x
        if name == "context":
            return self.trace.source
        if name == "positions":
            added = scene.position.added(scene.n, scene.d_model)
            assert added is not None
            return added
        matrix = scene.matrix("x" if name == "typed_x" else name)
        assert matrix is not None and (name == "typed_x" or name in MATRICES)
        return matrix

    def heads(self, word: str, count: int) -> tuple[str, ...]:
        return tuple(self.words.say(word, number=head + 1) for head in range(count))

    # ---- tasks ----

    def task(self, stages: tuple[str, ...]) -> Task:
        first = stages[0]
        parts = self.parts(stages)
        cells = sum(cell.place in stages for cell in self.blanks)
        return Task(
            stages,
            self.words.title(stages),
            tuple(formula for stage in stages for formula in formulas(self.scene, stage)),
            self.words.hints(stages),
            parts,
            self.tables() if first == "weights" else (),
            0 < sum(len(part.worked) for part in parts) < cells,
        )

    def parts(self, stages: tuple[str, ...]) -> tuple[Part, ...]:
        """One per head; a K/V head stands with the first that reads it."""
        scene = self.scene
        cells = [cell for cell in self.blanks if cell.place in stages]
        short = len(cells) > WORKED
        parts = []
        count = max((heads_of(scene, stage) or 1) for stage in stages)
        for head in range(count):
            grids: list[Grid] = []
            worked: list[Worked] = []
            for stage in stages:
                own = self.own(stage, head, count)
                if own is False:
                    continue
                grids += self.with_powers(stage, own)
                worked += self.worked(stage, own, short)
            parts.append(Part(self.part_title(stages, head, count), tuple(grids), tuple(worked)))
        return tuple(parts)

    def own(self, stage: str, head: int, count: int) -> int | None | bool:
        """The head of `stage` that stands in part `head` of `count`; None for a stage without; False: none."""
        heads = heads_of(self.scene, stage)
        if heads is None:
            return None
        each = count // heads
        return head // each if head % each == 0 else False

    def part_title(self, stages: Sequence[str], head: int, count: int) -> str:
        if count == 1:
            return ""
        word = "kv_head" if count != self.scene.heads else "head"
        return self.words.say(word, number=head + 1)

    def with_powers(self, stage: str, head: int | None) -> list[Grid]:
        """A stage; the weights after a matrix for the powers of e and their sums."""
        grid = self.grid(stage, head)
        if stage != "weights" or not grid.is_task:
            return [grid]
        with np.errstate(over="ignore"):  # what is past float64 has no line of powers
            powers = np.exp(tables.exponents(self.trace)[head or 0])
        values = np.column_stack([powers, powers.sum(axis=1)])
        if not np.isfinite(values).all():
            return [grid]
        out = np.column_stack([grid.hidden, grid.hidden.all(axis=1)])
        blank = ~out & grid.blank.any(axis=1, keepdims=True)
        texts = [
            ["0" if off else tables.power_text(v) for v, off in zip(row, offs, strict=True)]
            for row, offs in zip(values.tolist(), out.tolist(), strict=True)
        ]
        marks = tables.shifted(self.trace)[head or 0].tolist()
        rows = tuple(f"{row} −max" if mark else row for row, mark in zip(grid.rows, marks, strict=True))
        name = powers_of(name_of(self.scene, self.scores, head))
        return [
            Grid(name, rows, (*grid.columns, self.words.say("sum")), values, _tupled(texts), blank, out),
            grid,
        ]

    @property
    def scores(self) -> str:
        """The stage that softmax is taken of, as the sheet shows it."""
        masked = "masked" in self.stages or not np.isneginf(self.scene.mask_fill)
        stage = before(self.scene, "masked" if masked else "scaled")
        return "scaled" if stage == "scores" else stage  # "S" reads better than QKᵀ, in a power

    def tables(self) -> tuple[ExpTable, ...]:
        return tables.tables(self.trace, self.language)

    # ---- answers ----

    def worked(self, stage: str, head: int | None, short: bool) -> list[Worked]:
        cells = sorted(cell for cell in self.blanks if cell[:2] == (stage, head))
        if stage == "concat":  # copied
            return []
        if short:
            cells = [cell for cell in cells if cell.row == cells[0].row]
        return [self.line(explain(self.scene, self.trace, cell)) for cell in cells]

    def line(self, explanation: Explanation) -> Worked:
        view = View(self.decimals, keep=8, terms=self.words.say("terms", count="{count}"))
        chain = explanation.chain(view)
        near = explanation.comes_near(chain, view)
        text, html = joined(chain, view.text, near), joined(chain, view.html, near)
        if "masked" not in self.stages and np.isneginf(self.scene.mask_fill):
            text, html = text.replace("s′", "s"), html.replace("s′", "s")  # masked scores have no matrix here
        if self.scene.heads == 1:
            text, html = text.replace("concat", "o"), html.replace("concat", "o")  # nor has concat
        return Worked(explanation.cell, explanation.value, text, html)


def _groups(stages: Sequence[str]) -> list[tuple[str, ...]]:
    """Q, K and V are one task."""
    first = tuple(stage for stage in stages if stage in PROJECTIONS)
    groups = [first if stage in PROJECTIONS else (stage,) for stage in stages]
    return list(dict.fromkeys(groups))


def _texts(values: Array, decimals: int) -> list[list[str]]:
    return [[printed(value, decimals) for value in row] for row in values.tolist()]


def printed(value: float, decimals: int) -> str:
    """As one would write it by hand: 2, 0.5, 0.33, −∞; what is nothing to so many decimals is 0.00."""
    tiny = 0 < abs(value) < 0.5 * 10.0**-decimals
    return f"{0:.{decimals}f}" if tiny else number(value, decimals)


def _tupled(texts: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, texts))


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, count + 1)))
