"""The kinds of questions as a lesson file writes them. To add one: its reader here, its judge in judge.py."""

from collections.abc import Callable, Iterator
from typing import Any

from explorer.lessons.cells import Cells, parse_cells
from explorer.lessons.check import Quantity, parse_condition, parse_quantity
from explorer.lessons.lesson import (
    CellQuestion,
    ChoiceQuestion,
    EditQuestion,
    NumberQuestion,
    Question,
    Remark,
)
from explorer.lessons.table import Table
from explorer.scene import Scene

MAX_DECIMALS = 6


def read_question(table: Table, scene: Scene, slip: str | None) -> Question:
    """The question of a step with this scene and slip."""
    kind = table.get("kind", str, " or ".join(QUESTIONS))
    if kind not in QUESTIONS:
        table.fail(f"kind is '{kind[:40]}' but must be one of {', '.join(QUESTIONS)}.", "kind")
    common: dict[str, Any] = {
        "text": table.text("text"),
        "hints": table.texts("hints"),
        "because": table.optional_text("because"),
        "line": table.line(),
    }
    question = QUESTIONS[kind](table, scene, slip, common)
    table.close()
    return question


def _number_question(table: Table, scene: Scene, slip: str | None, common: dict[str, Any]) -> Question:
    expected = _quantity(table, "expected", scene, slip)
    decimals = table.get("decimals", int, "a whole number", 2)
    if not 0 <= decimals <= MAX_DECIMALS:
        table.fail(f"decimals must be from 0 to {MAX_DECIMALS}.", "decimals")
    tolerance = None
    if table.has("tolerance"):
        tolerance = table.number("tolerance")
        if not 0 < tolerance < 1e12:
            table.fail("tolerance must be a number above 0.", "tolerance")
    remarks = [Remark(t.own_text(), value=_quantity(t, "answer", scene, slip)) for t in _remarks(table)]
    return NumberQuestion(
        **common, expected=expected, decimals=decimals, tolerance=tolerance, remarks=tuple(remarks)
    )


def _quantity(table: Table, key: str, scene: Scene, slip: str | None) -> Quantity:
    """A quantity that is one number, written as text or as a number."""
    table.known.append(key)
    value = table.data.get(key)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        table.fail(f'{key} must be a number or one cell, such as "weights[1,1,2]".', key)
    quantity = table.parse(parse_quantity, str(value), key)
    if problem := quantity.problem(scene):
        table.fail(problem, key)
    check_slip(table, quantity, slip, key)
    if quantity.cells is not None and quantity.function is None and quantity.cells.single is None:
        table.fail(f"{key} must be one number, and {quantity.text} is several.", key)
    return quantity


def _remarks(table: Table) -> Iterator[Table]:
    for remark in table.tables("wrong"):
        yield remark
        remark.close()


def _choice_question(table: Table, scene: Scene, slip: str | None, common: dict[str, Any]) -> Question:
    options = table.texts("options")
    if len(options) < 2:
        table.fail("options must be at least two.", "options")

    def option(entry: Table, key: str) -> int:
        number = entry.get(key, int, "the number of an option")
        if not 1 <= number <= len(options):
            entry.fail(f"{key} must be the number of an option, from 1 to {len(options)}.", key)
        return number - 1

    correct = option(table, "correct")
    remarks = [Remark(t.own_text(), option=option(t, "answer")) for t in _remarks(table)]
    return ChoiceQuestion(**common, options=options, correct=correct, remarks=tuple(remarks))


def _cell_question(table: Table, scene: Scene, slip: str | None, common: dict[str, Any]) -> Question:
    def cells(entry: Table, key: str) -> Cells:
        parsed = entry.parse(parse_cells, entry.get(key, str, 'cells, such as "weights[1,1,2]"'), key)
        if problem := parsed.problem(scene):
            entry.fail(problem, key)
        return parsed

    wanted = cells(table, "cell")
    remarks = [Remark(t.own_text(), cells=cells(t, "answer")) for t in _remarks(table)]
    return CellQuestion(**common, cells=wanted, remarks=tuple(remarks))


def _edit_question(table: Table, scene: Scene, slip: str | None, common: dict[str, Any]) -> Question:
    goal = table.parsed("goal", parse_condition)
    if not goal:
        table.fail('goal must be a list of conditions, such as ["heads = 2"].')
    for i, condition in enumerate(goal):
        if condition.quantity.source == "slip" or condition.quantity.cost is not None:
            table.fail("a goal can only ask for what the learner can change: cells and settings.", "goal", i)
    return EditQuestion(**common, goal=goal)


QUESTIONS: dict[str, Callable[[Table, Scene, str | None, dict[str, Any]], Question]] = {
    "number": _number_question,
    "choice": _choice_question,
    "cell": _cell_question,
    "edit": _edit_question,
}


def check_slip(table: Table, quantity: Quantity, slip: str | None, *path: str | int) -> None:
    """Refuse a quantity of the slipped stages where the step has no slip."""
    if quantity.source == "slip" and slip is None:
        table.fail(f"{quantity.text} asks for a slip, and the step has none.", *path)
