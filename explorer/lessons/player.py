"""A learner's way through a lesson: a value; every move makes a new one. No Qt, nothing kept elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from explorer.attention.trace import Trace
from explorer.lessons.cells import Cells
from explorer.lessons.judge import Answer, Verdict, judge
from explorer.lessons.lesson import EditQuestion, Lesson, Question, Step, Text
from explorer.scene import Scene


@dataclass(frozen=True, eq=False)
class Progress:
    """Where a learner is, and what was answered. Steps are counted from 0.

    Nothing is locked: a learner may go on without an answer, and edit the scene at any step; `scene` is what
    brings the step's own numbers back.
    """

    lesson: Lesson
    index: int = 0
    solved: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()  # steps whose answer was asked for
    verdicts: Mapping[int, Verdict] = field(default_factory=dict)  # the last one of each step
    hints: Mapping[int, int] = field(default_factory=dict)  # how many were taken

    @property
    def step(self) -> Step:
        """The step in front of the learner."""
        return self.lesson.steps[self.index]

    @property
    def question(self) -> Question | None:
        """The question of this step."""
        return self.step.question

    @property
    def scene(self) -> Scene:
        """The scene that this step is about; the same object until a step changes it."""
        return self.step.scene

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict on this step."""
        return self.verdicts.get(self.index)

    @property
    def is_first(self) -> bool:
        """True where there is nothing to go back to."""
        return self.index == 0

    @property
    def is_last(self) -> bool:
        """True where there is nothing to go on to."""
        return self.index == len(self.lesson.steps) - 1

    @property
    def is_open(self) -> bool:
        """True while this step's question waits for its answer."""
        return self.question is not None and self.index not in self.solved | self.shown

    @property
    def covered(self) -> tuple[Cells, ...]:
        """What is to be kept from sight now."""
        return self.step.cover if self.is_open else ()

    @property
    def because(self) -> Text | None:
        """Why the right answer is right, once it may be told."""
        return None if self.question is None or self.is_open else self.question.because

    @property
    def taken_hints(self) -> tuple[Text, ...]:
        """The hints taken at this step."""
        return () if self.question is None else self.question.hints[: self.hints.get(self.index, 0)]

    @property
    def has_hint(self) -> bool:
        """True where one more hint can be taken."""
        return self.question is not None and len(self.taken_hints) < len(self.question.hints)

    @property
    def questions(self) -> tuple[int, ...]:
        """The steps that ask something."""
        return tuple(i for i, step in enumerate(self.lesson.steps) if step.question is not None)

    @property
    def done(self) -> bool:
        """True when the last step is reached and no question is open."""
        return self.is_last and all(i in self.solved | self.shown for i in self.questions)

    def next(self) -> "Progress":
        """The step after this one; the last stays."""
        return self.go(self.index + 1)

    def back(self) -> "Progress":
        """The step before this one; the first stays."""
        return self.go(self.index - 1)

    def go(self, index: int) -> "Progress":
        """Any step; one past an end is that end."""
        return replace(self, index=min(max(index, 0), len(self.lesson.steps) - 1))

    def answer(self, answer: Answer, trace: Trace) -> "Progress":
        """With the verdict on an answer to this step's question: see judge.judge for `answer` and `trace`.

        A step that was solved stays solved.
        """
        verdict = judge(self.step, answer, trace)
        solved = self.solved | {self.index} if verdict.right else self.solved
        return replace(self, verdicts={**self.verdicts, self.index: verdict}, solved=solved)

    def watch(self, trace: Trace) -> "Progress":
        """After an edit of the scene: solved if that was what the question asked for, else the same object."""
        if not isinstance(self.question, EditQuestion) or not self.is_open:
            return self
        after = self.answer(None, trace)
        return after if self.index in after.solved else self

    def hint(self) -> "Progress":
        """With one more hint taken."""
        if not self.has_hint:
            return self
        return replace(self, hints={**self.hints, self.index: len(self.taken_hints) + 1})

    def show(self) -> "Progress":
        """With the answer asked for (judge.solution has it): the question is no longer open."""
        return replace(self, shown=self.shown | {self.index})
