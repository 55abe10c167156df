"""A worksheet as Markdown: pipe tables with empty cells, formulas as plain text."""

from collections.abc import Iterator, Sequence

from explorer.attention.notation import Writer, joined
from explorer.files.worksheet.model import ExpTable, Grid, Sheet, Task
from explorer.files.worksheet.texts import say

EXERCISES, ANSWERS = "exercises", "answers"
PARTS = (EXERCISES, ANSWERS)
HIDDEN = "▨"  # in a cell that a mask hides and that is left out


def markdown(sheets: Sequence[Sheet], parts: Sequence[str] = PARTS) -> str:
    """Every sheet, then the answers to every sheet; `parts` leaves one of them out."""
    texts = ["\n\n".join(_sheet(sheet, part == ANSWERS)) for part in parts for sheet in sheets]
    return "\n\n---\n\n".join(texts) + "\n"


def _sheet(sheet: Sheet, answers: bool) -> Iterator[str]:
    language = sheet.language
    heading = [say("answers" if answers else "sheet", language)]
    if sheet.version:
        heading.append(say("version", language, letter=sheet.version))
    yield f"# {' · '.join(heading)}"
    if sheet.title:
        yield f"**{_escaped(sheet.title)}**"
    if not answers:
        yield f"{say('name', language)}: ____________________  {say('date', language)}: ____________"
        yield "\n".join(f"- {_escaped(fact)}" for fact in sheet.facts)
        if sheet.given:
            yield f"## {say('given', language)}"
            yield from (_grid(grid, answers) for grid in sheet.given)
    for number, task in enumerate(sheet.tasks, 1):
        yield f"## {number}. {_escaped(task.title)}"
        yield from _task(task, answers, language)


def _task(task: Task, answers: bool, language: str) -> Iterator[str]:
    if not answers:
        yield from (f"`{joined(formula, Writer())}`" for formula in task.formulas)
        yield "  \n".join(_escaped(hint) for hint in task.hints)
        yield from (_table(table) for table in task.tables)
    for part in task.parts:
        if part.title and len(task.parts) > 1:
            yield f"**{_escaped(part.title)}**"
        yield from (_grid(grid, answers) for grid in part.grids)
        if answers and part.worked:
            yield "\n".join(f"- `{line.text}`" for line in part.worked)
    if answers and task.more:
        yield f"*{say('likewise', language)}*"


def _grid(grid: Grid, answers: bool) -> str:
    rows = []
    for i, label in enumerate(grid.rows):
        cells = [_cell(grid, i, j, answers) for j in range(len(grid.columns))]
        rows.append([_escaped(label), *cells])
    return _pipes([f"**{_escaped(grid.name.text)}**", *map(_escaped, _columns(grid))], rows)


def _columns(grid: Grid) -> Sequence[str]:
    if not grid.bands:
        return grid.columns
    width = len(grid.columns) // len(grid.bands)
    return [f"{label} ({grid.bands[j // width]})" for j, label in enumerate(grid.columns)]


def _cell(grid: Grid, row: int, col: int, answers: bool) -> str:
    if grid.blank[row, col]:
        return f"**{grid.texts[row][col]}**" if answers else "\u2003\u2003"
    if grid.hidden[row, col] and not grid.texts[row][col]:
        return HIDDEN
    return grid.texts[row][col]


def _table(table: ExpTable) -> str:
    (head, *rest) = [[f"`{name.text}`", *texts] for name, texts in table.rows]
    text = _pipes(head, rest)
    return f"{text}\n\n{_escaped(table.note)}" if table.note else text


def _pipes(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(text: str) -> str:
    """Labels may hold anything; W_q and d_k are not to become italics."""
    for mark in "\\`*_{}[]<>#|":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())
