"""Is everything true that a lesson claims? For authors and for the tests; reading a lesson does not ask."""

from collections.abc import Callable, Iterator

from explorer.attention.trace import Trace
from explorer.lessons.check import View
from explorer.lessons.judge import view
from explorer.lessons.lesson import EditQuestion, Lesson, NumberQuestion, Question
from explorer.scene import Scene


def problems(lesson: Lesson, attend: Callable[[Scene], Trace]) -> Iterator[str]:
    """Every fact that does not hold, every answer that cannot be, as "file, line: sentence"."""
    for step in lesson.steps:
        seen = view(step, attend(step.scene))
        for fact in step.facts:
            if not fact.holds(seen):
                yield f"{lesson.file}, line {step.line}: {fact.text} does not hold; it is {fact.actual(seen)}."
        if step.question is not None:
            for sentence in _question_problems(step.question, seen):
                yield f"{lesson.file}, line {step.question.line}: {sentence}"


def _question_problems(question: Question, seen: View) -> Iterator[str]:
    if isinstance(question, EditQuestion) and all(condition.holds(seen) for condition in question.goal):
        yield "the goal is reached before the learner does anything."
    if isinstance(question, NumberQuestion):
        try:
            right = question.expected.value(seen)
            for remark in question.remarks:
                if remark.value is not None and remark.value.value(seen) == right:
                    yield f"the remark on {remark.value.text} is on the right answer."
        except LookupError as error:
            yield f"{error}."
