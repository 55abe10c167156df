"""What stands on a worksheet: matrices some of whose cells are blank, tasks, worked answers."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from explorer.attention.formula import Expr, Sym
from explorer.attention.trace import Cell
from explorer.scene import Array, Flags

Formula = tuple[Expr, ...]  # its links, with = between them


MOST_CELLS = 800  # to fill in


class WorksheetError(ValueError):
    """A scene that no worksheet can be made of: the end of a sentence that begins with its name."""


def check_count(cells: int) -> None:
    """Raises WorksheetError where so many are more than anybody fills in."""
    if cells > MOST_CELLS:
        raise WorksheetError(
            f"{cells:,} cells would be blank, and {MOST_CELLS} are the most; choose fewer stages."
        )


@dataclass(frozen=True, eq=False)
class Grid:
    """One matrix with its labels. `texts` are its numbers as printed; in `blank` cells in the answers alone.

    `hidden` cells are hatched. `bands` names equal parts of the columns: the heads of a projection.
    """

    name: Sym
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Array  # (rows, columns)
    texts: tuple[tuple[str, ...], ...]
    blank: Flags
    hidden: Flags
    bands: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.columns)

    @property
    def is_task(self) -> bool:
        """Whether anything is to be written into it."""
        return bool(self.blank.any())


@dataclass(frozen=True, eq=False)
class Worked:
    """How the number of one cell comes about, as one line of plain text and of rich text."""

    cell: Cell
    value: float
    text: str
    html: str


@dataclass(frozen=True, eq=False)
class Part:
    """What belongs together in a task: the matrices of one head, and its worked answers."""

    title: str
    grids: tuple[Grid, ...]
    worked: tuple[Worked, ...] = ()


@dataclass(frozen=True)
class ExpTable:
    """Powers of e to look up: rows of texts, each with its name."""

    rows: tuple[tuple[Sym, tuple[str, ...]], ...]
    note: str = ""


@dataclass(frozen=True, eq=False)
class Task:
    """One step. `more`: not every cell has its worked answer."""

    stages: tuple[str, ...]
    title: str
    formulas: tuple[Formula, ...]
    hints: tuple[str, ...]
    parts: tuple[Part, ...]
    tables: tuple[ExpTable, ...] = ()
    more: bool = False


@dataclass(frozen=True, eq=False)
class Sheet:
    """One version of a worksheet, in one language."""

    title: str  # of the scene
    version: str  # "A", or nothing where there is but one
    facts: tuple[str, ...]
    given: tuple[Grid, ...]
    tasks: tuple[Task, ...]
    language: str

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """Those of the tasks, in order."""
        return tuple(grid for task in self.tasks for part in task.parts for grid in part.grids)


def nothing(values: Array) -> Flags:
    """No cell of a matrix."""
    return np.zeros(values.shape, dtype=bool)
