"""Judging an answer: right, almost or wrong, and why. Pure; the sentences are in messages.py."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from explorer.attention.trace import Cell, Trace
from explorer.attention.variants import SLIP, SLIPS
from explorer.lessons.check import Condition, View, decimals_of, within, written
from explorer.lessons.lesson import (
    CellQuestion,
    ChoiceQuestion,
    EditQuestion,
    NumberQuestion,
    Question,
    Remark,
    Step,
    Text,
)
from explorer.lessons.messages import PLACES, SLIP_SENTENCES, cell_name, say
from explorer.numbers import NumberError, parse_number

Answer = str | int | Cell | None  # a typed number; an option from 0; a cell; None: the scene as it is now


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth. `kind`: "right", "almost", "wrong" or "unreadable"."""

    kind: str
    code: str  # of messages.SENTENCES
    data: Mapping[str, str] = field(default_factory=dict)
    slip: str | None = None  # the known mistake that gives this number
    cell: Cell | None = None  # the cell that was clicked
    remark: Text | None = None  # what the lesson says to this answer

    @property
    def right(self) -> bool:
        """True for a right answer."""
        return self.kind == "right"

    def sentence(self, language: str) -> str:
        """What to tell the learner; Markdown where the lesson speaks."""
        data = dict(self.data)
        if self.slip is not None:
            data["slip"] = SLIP_SENTENCES[self.slip].to(language)
        if self.cell is not None:
            data["cell"] = cell_name(self.cell, language)
        if self.code == "open" and self.cell is not None:
            data["what"] = data["cell"]
        if "place" in data:
            data["place"] = PLACES[data["place"]].to(language)
        sentence = say(self.code, language, data)
        if self.remark is None:
            return sentence
        gap = "" if language.startswith("zh") else " "
        return f"{sentence}{gap}{self.remark.to(language)}"


def view(step: Step, trace: Trace) -> View:
    """What the checks of a step read; `trace` is that of the step's scene, or of the scene as it is now."""
    slipped = SLIP[step.slip].stages(trace.scene, trace) if step.slip is not None else {}
    return View(trace.scene, trace, slipped, step.sizes)


def judge(step: Step, answer: Answer, trace: Trace) -> Verdict:
    """The verdict on an answer to the step's question.

    `trace` is that of the step's own scene, except for an edit: there, of the scene as it is now.
    """
    question = step.question
    match question, answer:
        case NumberQuestion(), str():
            return _judge_typed(question, answer, view(step, trace))
        case ChoiceQuestion(), int():
            return _judge_choice(question, answer)
        case CellQuestion(), Cell():
            return _judge_cell(question, answer)
        case EditQuestion(), _:
            return _judge_goal(question, view(step, trace))
    raise TypeError(f"{answer!r} is no answer to {type(question).__name__}")


def solution(step: Step, trace: Trace, language: str) -> str:
    """The right answer in a sentence; `trace` of the step's own scene."""
    question = step.question
    match question:
        case NumberQuestion():
            value = question.expected.value(view(step, trace))
            return say("solution_number", language, {"value": written(value, question.decimals)})
        case ChoiceQuestion():
            return say(
                "solution_choice", language, {"option": question.options[question.correct].to(language)}
            )
        case CellQuestion():
            cell = next(question.cells.cells(step.scene))
            return say("solution_cell", language, {"cell": cell_name(cell, language)})
        case EditQuestion():
            return say("solution_edit", language, {"goal": ", ".join(c.text for c in question.goal)})
    return ""


# ---- numbers ----


class KnownSlip(NamedTuple):
    """A mistake, and what it makes of the number asked for."""

    name: str
    value: float


def predict(cell: Cell, typed: str, trace: Trace, decimals: int = 2) -> Verdict:
    """The verdict on a guess at a covered cell of a stage."""
    value = float(trace.matrix(cell.place, cell.head)[cell.row, cell.col])
    verdict = judge_number(typed, value, decimals, slips=known_slips(cell, trace))
    return replace(verdict, code="wrong_guess") if verdict.code == "wrong_number" else verdict


def known_slips(cell: Cell, trace: Trace) -> tuple[KnownSlip, ...]:
    """What each known mistake makes of this cell of a stage, the common mistakes first."""
    found = []
    for slip in SLIPS:
        array = slip.stages(trace.scene, trace).get(cell.place)
        if array is not None:
            matrix = array if array.ndim == 2 else array[cell.head or 0]
            found.append(KnownSlip(slip.name, float(matrix[cell.row, cell.col])))
    return tuple(found)


def judge_number(
    typed: str,
    value: float,
    decimals: int = 2,
    tolerance: float | None = None,
    slips: Sequence[KnownSlip] = (),
    remarks: Sequence[tuple[float, Text]] = (),
) -> Verdict:
    """The verdict on a typed number: right if it is `value` rounded to `decimals`, or within `tolerance`.

    A wrong one is compared with the values that the lesson has a remark on, then with the known slips.
    """
    try:
        guess = parse_number(_ungrouped(typed))
    except NumberError as error:
        return Verdict("unreadable", "unreadable", {"reason": str(error)})
    near = within(decimals) if tolerance is None else tolerance

    def is_near(other: float, reach: float = near) -> bool:
        return guess == other or abs(guess - other) <= reach or (np.isnan(guess) and np.isnan(other))

    shown = decimals if float(f"{value:.{decimals}f}") == value else decimals + 2
    if is_near(value):
        return Verdict("right", "right_number", {"value": written(value, shown)})
    for other, remark in remarks:
        if is_near(other):
            return Verdict("wrong", "wrong_number", remark=remark)
    for slip in slips:
        if is_near(slip.value) and abs(slip.value - value) > near:
            return Verdict("wrong", "slip", slip=slip.name)
    if is_near(-value):
        return Verdict("almost", "almost_sign")
    given = decimals_of(_ungrouped(typed))
    if given is not None and 1 <= given < decimals and is_near(value, within(given)):
        return Verdict("almost", "almost_decimals", {"decimals": str(decimals)})
    if tolerance is None and decimals > 0 and is_near(value, 1.5 * 10.0**-decimals):
        return Verdict("almost", "almost_rounding")
    if 100 <= abs(value) < np.inf and is_near(value, abs(value) / 100):
        return Verdict("almost", "almost_close")
    return Verdict("wrong", "wrong_number")


def _ungrouped(typed: str) -> str:
    """60,129,542,144 (grouped by comma, space or underscore) as 60129542144."""
    grouped = re.fullmatch(r"\s*\d{1,3}(?:([,_ \u00a0\u202f\u2009])\d{3})(?:\1\d{3})*\s*", typed)
    return typed.replace(grouped[1], "") if grouped else typed


def _judge_typed(question: NumberQuestion, typed: str, view: View) -> Verdict:
    value = question.expected.value(view)
    cell = question.expected.cells.single if question.expected.cells is not None else None
    plain = cell is not None and question.expected.function is None and question.expected.source == "trace"
    slips = known_slips(cell, view.trace) if cell is not None and plain else ()
    remarks = [(r.value.value(view), r.text) for r in question.remarks if r.value is not None]
    verdict = judge_number(typed, value, question.decimals, question.tolerance, slips, remarks)
    return _explained(verdict, question)


# ---- choices, cells, edits ----


def _judge_choice(question: ChoiceQuestion, option: int) -> Verdict:
    if option == question.correct:
        return _explained(Verdict("right", "right"), question)
    return Verdict("wrong", "wrong_choice", remark=_remark(question, lambda remark: remark.option == option))


def _judge_cell(question: CellQuestion, cell: Cell) -> Verdict:
    wanted = question.cells
    if cell in wanted:
        return _explained(Verdict("right", "right", cell=cell), question)
    remark = _remark(question, lambda remark: remark.cells is not None and cell in remark.cells)
    if remark is None and cell.place != wanted.place:
        return Verdict("wrong", "wrong_place", {"place": wanted.place}, cell=cell)
    if remark is None and wanted.place in ("scores", "scaled", "masked", "weights"):
        if cell._replace(row=cell.col, col=cell.row) in wanted:
            return Verdict("almost", "almost_transposed", cell=cell)
    if remark is None and cell.head is not None and wanted.single is not None:
        if cell._replace(head=wanted.single.head) in wanted:
            return Verdict("almost", "almost_head", cell=cell)
    return Verdict("wrong", "wrong_cell", cell=cell, remark=remark)


def _judge_goal(question: EditQuestion, view: View) -> Verdict:
    for condition in question.goal:
        if not condition.holds(view):
            return Verdict("wrong", "open", _open(condition, view), cell=_cell_of(condition))
    return _explained(Verdict("right", "right"), question)


def _remark(question: Question, fits: Callable[[Remark], bool]) -> Text | None:
    """What the lesson says to this answer."""
    return next((remark.text for remark in question.remarks if fits(remark)), None)


def _explained(verdict: Verdict, question: Question) -> Verdict:
    """A right verdict with the lesson's why."""
    return replace(verdict, remark=question.because) if verdict.right else verdict


def _open(condition: Condition, view: View) -> dict[str, str]:
    return {
        "what": condition.quantity.text,
        "actual": condition.actual(view),
        "sign": "" if condition.sign == "=" else f"{condition.sign} ",
        "wanted": " ".join(want.text for want in condition.wanted),
    }


def _cell_of(condition: Condition) -> Cell | None:
    """The one cell that a condition is about; None where it is about more, or about a function of it."""
    quantity = condition.quantity
    return None if quantity.cells is None or quantity.function is not None else quantity.cells.single
