"""A worksheet as pages: its heading, what is given, the tasks with room to write; or the worked answers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from explorer.attention.notation import Html, Latex
from explorer.files.worksheet import ExpTable, Grid, Part, Sheet, Task, Worked
from explorer.files.worksheet.markdown import ANSWERS, PARTS
from explorer.files.worksheet.model import Formula
from explorer.files.worksheet.texts import say
from explorer.patience import GoingOn, go_on
from explorer.ui.paper import grids, ink
from explorer.ui.paper.atoms import Atom, Placed, gap, paginate
from explorer.ui.paper.heading import heading
from explorer.ui.paper.ink import MILLIMETRE, PAPERS

MARGIN = 17 * MILLIMETRE
FOOT = 9 * MILLIMETRE  # at the bottom, for the number of the page
AIR = 6 * MILLIMETRE  # between two matrices
TEXT, WORKED = 9.5, 8.5  # points
MOST_MORE = 30 * MILLIMETRE  # that squared paper grows by to fill a page
ROOM_TO_CALCULATE = 8  # squares; a strip beside a matrix that is narrower is left out
# Squares below a matrix where there is no room beside it.
ROWS_OF_SQUARES = {"weights": 4, "head_outputs": 4, "output": 4, "concat": None, "masked": None}


@dataclass(frozen=True)
class Page:
    """One sheet of paper."""

    size: QSizeF
    atoms: Placed
    foot: tuple[str, str]

    def draw(self, painter: QPainter, going_on: GoingOn = go_on) -> None:
        """Its units are tenths of a point. `going_on` is called before each atom."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        for top, atom in self.atoms:
            going_on()
            atom.draw(painter, MARGIN, MARGIN + top)
        baseline = self.size.height() - MARGIN + 4 * MILLIMETRE
        left, right = self.foot
        left = ink.elided(left, 7.5, self.size.width() - 2 * MARGIN - ink.width(right, 7.5) - AIR)
        ink.draw_text(painter, left, MARGIN, baseline, 7.5, ink.GREY)
        ink.draw_text(
            painter, right, self.size.width() - MARGIN - ink.width(right, 7.5), baseline, 7.5, ink.GREY
        )


def pages(
    sheets: Sequence[Sheet], paper: str = "A4", parts: Sequence[str] = PARTS, going_on: GoingOn = go_on
) -> list[Page]:
    """Every sheet, then the answers to every sheet, each on pages of its own; `going_on` is called before each atom."""
    made: list[Page] = []
    for part in parts:
        for sheet in sheets:
            made += _pages(sheet, part == ANSWERS, PAPERS[paper], going_on)
    return made


def _pages(sheet: Sheet, answers: bool, size: QSizeF, going_on: GoingOn) -> list[Page]:
    wide, room = size.width() - 2 * MARGIN, size.height() - 2 * MARGIN - FOOT + 6 * MILLIMETRE
    atoms = []
    for atom in _Composer(sheet, answers, wide).atoms():
        going_on()
        atoms.append(atom)
    placed = paginate(atoms, room)
    names = [say("answers" if answers else "sheet", sheet.language), sheet.title]
    if sheet.version:
        names.insert(1, say("version", sheet.language, letter=sheet.version))
    left = " · ".join(filter(None, names))
    count = len(placed)
    return [
        Page(size, page, (left, say("page", sheet.language, number=number, count=count)))
        for number, page in enumerate(placed, 1)
    ]


class _Composer:
    """The atoms of one sheet, `wide` units wide."""

    def __init__(self, sheet: Sheet, answers: bool, wide: float) -> None:
        self.sheet, self.answers, self.wide = sheet, answers, wide

    def say(self, key: str, **values: object) -> str:
        return say(key, self.sheet.language, **values)

    def atoms(self) -> Iterator[Atom]:
        yield heading(self.sheet, self.answers, self.wide)
        if not self.answers:
            yield gap(2.5 * MILLIMETRE)
            yield from self.facts()
            if self.sheet.given:
                yield gap(3 * MILLIMETRE)
                yield self.title(self.say("given"))
                yield gap(1 * MILLIMETRE)
                yield from self.matrices(self.sheet.given)
        for number, task in enumerate(self.sheet.tasks, 1):
            yield gap(5 * MILLIMETRE)
            yield from self.task(number, task)

    def facts(self) -> Iterator[Atom]:
        text = (" " if not self.sheet.language.startswith("zh") else "").join(map(ink.rich, self.sheet.facts))
        yield self.paragraph(text)

    def paragraph(self, html: str, indent: float = 0.0, stays: bool = False) -> Atom:
        made = ink.Rich(html, TEXT, self.wide - indent)
        return Atom(made.height, lambda p, x, y: made.draw(p, x + indent, y), stays)

    def title(self, text: str) -> Atom:
        def draw(painter: QPainter, x: float, y: float) -> None:
            ink.draw_text(painter, text, x, y + 4.4 * MILLIMETRE, 11.5, bold=True)

        return Atom(6 * MILLIMETRE, draw, stays=True)

    # ---- a task ----

    def task(self, number: int, task: Task) -> Iterator[Atom]:
        yield self.task_title(number, task)
        if not self.answers:
            for hint in task.hints:
                yield self.paragraph(ink.rich(hint), INDENT, stays=True)
            for table in task.tables:
                yield gap(1.5 * MILLIMETRE)
                yield from self.table(table)
        yield gap(2 * MILLIMETRE)
        yield from self.parts(task)
        if self.answers and task.more:
            yield self.paragraph(ink.rich(self.say("likewise")), INDENT)

    def task_title(self, number: int, task: Task) -> Atom:
        """A black disc with the number, the title, and at the right the formulas."""
        formulas = [] if self.answers else [_typeset(formula) for formula in task.formulas]
        ascent = max([4.6 * MILLIMETRE, *(formula.ascent for formula in formulas)])
        descent = max([1.6 * MILLIMETRE, *(formula.descent for formula in formulas)])
        between = 7 * MILLIMETRE
        taken = sum(formula.width for formula in formulas) + between * max(0, len(formulas) - 1)

        def draw(painter: QPainter, x: float, y: float) -> None:
            baseline, radius = y + ascent, 2.9 * MILLIMETRE
            middle = QPointF(x + radius, baseline - 1.45 * MILLIMETRE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink.BLACK)
            painter.drawEllipse(middle, radius, radius)
            painter.setFont(ink.font(9.5, bold=True))
            painter.setPen(Qt.GlobalColor.white)
            disc = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
            painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, str(number))
            ink.draw_text(painter, task.title, x + INDENT, baseline, 11.5, bold=True)
            left = x + self.wide - taken
            for formula in formulas:
                formula.draw(painter, left, baseline)
                left += formula.width + between

        return Atom(ascent + descent + 0.6 * MILLIMETRE, draw, stays=True)

    def table(self, table: ExpTable) -> Iterator[Atom]:
        wide, high = grids.table_size(table, self.wide - INDENT)
        yield Atom(high, lambda p, x, y: grids.draw_table(p, table, x + INDENT, y, wide), stays=True)
        if table.note:
            yield gap(0.8 * MILLIMETRE)
            yield self.paragraph(_powers(table.note), INDENT, stays=True)

    def parts(self, task: Task) -> Iterator[Atom]:
        """The heads side by side, as far as there is room; in the answers each with its worked lines."""
        if not self.answers:
            everything = [grid for part in task.parts for grid in part.grids]
            yield from self.matrices(everything, _squares(task), _ends(task.parts))
            return
        for number, part in enumerate(task.parts):
            if number:
                yield gap(3.5 * MILLIMETRE)
            yield from self.answered(part)

    def answered(self, part: Part) -> Iterator[Atom]:
        """The matrices of a head, and the worked lines beside them, or below where there is no room."""
        lines = self.lines(part.grids, frozenset())
        room = self.wide - self.total(lines[-1]) - AIR
        made = [ink.Rich(line.html, WORKED) for line in part.worked]
        longest = max((each.width for each in made), default=0.0)
        if longest > room:
            yield from self.matrices(part.grids)
            if made:
                yield gap(1.2 * MILLIMETRE)
                yield from self.worked(part.worked)
            return
        for line in lines[:-1]:
            yield self.line(line, None)
            yield gap(3.5 * MILLIMETRE)
        yield _beside(self.line(lines[-1], None), made, self.wide - room)

    def matrices(
        self, wanted: Sequence[Grid], squares: int | None = None, ends: frozenset[int] = frozenset()
    ) -> Iterator[Atom]:
        """Side by side, broken into lines; `squares`: rows of squares to calculate on, at least. A line may also
        end after the matrices `ends`, and does so before one head is torn apart.
        """
        lines = self.lines(wanted, ends)
        for number, line in enumerate(lines):
            if number:
                yield gap(3.5 * MILLIMETRE)
            yield self.line(line, squares)

    def lines(self, wanted: Sequence[Grid], ends: frozenset[int]) -> list[list[Grid]]:
        groups: list[list[Grid]] = [[]]
        for number, grid in enumerate(wanted):
            groups[-1].append(grid)
            if number in ends or not ends:
                groups.append([])
        lines: list[list[Grid]] = []
        for group in filter(None, groups):
            if lines and self.total([*lines[-1], *group]) <= self.wide:
                lines[-1] += group
                continue
            lines.append([])
            for grid in group:
                if lines[-1] and self.total([*lines[-1], grid]) > self.wide:
                    lines.append([])
                lines[-1].append(grid)
        return lines

    def total(self, line: Sequence[Grid]) -> float:
        return sum(grids.shape_of(grid, self.wide).width for grid in line) + AIR * (len(line) - 1)

    def line(self, line: Sequence[Grid], squares: int | None, more: float = 0.0) -> Atom:
        """Matrices side by side, with squares beside them or, where there is no room, below; `more` units of these."""
        shapes = [grids.shape_of(grid, self.wide) for grid in line]
        top = max(shape.top for shape in shapes)
        high = top + max(shape.height - shape.top for shape in shapes)
        taken = self.total(line) + AIR
        beside = squares is not None and self.wide - taken >= ROOM_TO_CALCULATE * grids.SQUARE
        strip = (squares or 0) * grids.SQUARE
        start = top if beside else high + 2.5 * MILLIMETRE
        end = start + strip + more if strip or beside else high
        end = max(high, end) if beside else end
        area = QRectF(taken if beside else 0.0, start, self.wide - (taken if beside else 0.0), end - start)

        def draw(painter: QPainter, x: float, y: float) -> None:
            left = x
            for grid, shape in zip(line, shapes, strict=True):
                grids.draw_grid(painter, grid, shape, left, y + top - shape.top, self.answers)
                left += shape.width + AIR
            if squares is not None and (strip or beside):
                grids.draw_squares(painter, area.translated(x, y))

        def stretched(room: float) -> Atom:
            return self.line(line, squares, min(room, MOST_MORE) // grids.SQUARE * grids.SQUARE)

        return Atom(max(high, end), draw, stretched=stretched if strip and not more else None)

    # ---- answers ----

    def worked(self, lines: Sequence[Worked]) -> Iterator[Atom]:
        """In two columns, where the lines are short enough."""
        made = [ink.Rich(line.html, WORKED) for line in lines]
        half = (self.wide - AIR) / 2
        columns = 2 if made and max(each.width for each in made) <= half else 1
        if columns == 1:
            made = [ink.Rich(line.html, WORKED, self.wide) for line in lines]
        for start in range(0, len(made), columns):
            row = made[start : start + columns]

            def draw(painter: QPainter, x: float, y: float, row: list = row) -> None:  # type: ignore[type-arg]
                for number, each in enumerate(row):
                    each.draw(painter, x + number * (half + AIR), y)

            yield Atom(max(each.height for each in row) + 0.7 * MILLIMETRE, draw)


INDENT = 8 * MILLIMETRE


def _typeset(formula: Formula) -> ink.Maths:
    latex, html = Latex(), Html()
    return ink.maths("=".join(map(latex.write, formula)), " = ".join(map(html.write, formula)), 10.5)


def _beside(left: Atom, lines: Sequence[ink.Rich], at: float) -> Atom:
    """Lines of text at the right of a matrix, from the top of its cells."""
    step = max(line.height for line in lines) + 0.9 * MILLIMETRE if lines else 0.0
    start = 9.4 * MILLIMETRE

    def draw(painter: QPainter, x: float, y: float) -> None:
        left.draw(painter, x, y)
        for number, line in enumerate(lines):
            line.draw(painter, x + at, y + start + number * step)

    return Atom(max(left.height, start + len(lines) * step), draw)


def _squares(task: Task) -> int | None:
    return ROWS_OF_SQUARES.get(task.stages[0], 2)


def _ends(parts: Sequence[Part]) -> frozenset[int]:
    """The numbers of the matrices that are the last of a head."""
    ends, number = set(), -1
    for part in parts:
        number += len(part.grids)
        ends.add(number)
    return frozenset(ends)


_POWER = re.compile(r"e\^(\([^)]*\)|−?[\w.]+)")


def _powers(text: str) -> str:
    """e^(a+b) and e^−2 as HTML, the power raised."""
    return _POWER.sub(lambda found: f"e<sup>{found[1].strip('()')}</sup>", escape(text))
