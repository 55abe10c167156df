"""The nouns: a Lesson is Steps; a Step has texts, a Scene, marks, and perhaps a Question with its check."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.attention.cost import Sizes
from explorer.lessons.cells import Cells
from explorer.lessons.check import Condition, Quantity
from explorer.scene import Scene


class LessonError(ValueError):
    """A lesson file that cannot be used: file, line (None: the whole file) and one sentence."""

    def __init__(self, file: str, line: int | None, sentence: str) -> None:
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: {sentence}")
        self.file = file
        self.line = line
        self.sentence = sentence


@dataclass(frozen=True)
class Text:
    """The same words in one or more languages ("en", "zh"); Markdown."""

    words: Mapping[str, str]

    def to(self, language: str) -> str:
        """In `language` ("zh", "zh_CN", "zh-Hans" …), else in English, else in the language there is."""
        wanted = language.replace("-", "_").split("_")[0].lower()
        for choice in (wanted, "en"):
            if choice in self.words:
                return self.words[choice]
        return next(iter(self.words.values()))


@dataclass(frozen=True)
class Remark:
    """What to say to one particular wrong answer: a value, an option (from 0) or cells."""

    text: Text
    value: Quantity | None = None
    option: int | None = None
    cells: Cells | None = None


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, hints in their order, remarks on wrong answers, and why the right one is right."""

    text: Text
    hints: tuple[Text, ...] = ()
    remarks: tuple[Remark, ...] = ()
    because: Text | None = None
    line: int = 0


@dataclass(frozen=True, kw_only=True)
class NumberQuestion(Question):
    """Answered by typing a number, right to `decimals` or within `tolerance`."""

    expected: Quantity
    decimals: int = 2
    tolerance: float | None = None


@dataclass(frozen=True, kw_only=True)
class ChoiceQuestion(Question):
    """Answered by choosing one option (`correct` from 0)."""

    options: tuple[Text, ...]
    correct: int


@dataclass(frozen=True, kw_only=True)
class CellQuestion(Question):
    """Answered by clicking one of `cells`."""

    cells: Cells


@dataclass(frozen=True, kw_only=True)
class EditQuestion(Question):
    """Answered by editing the scene until every condition of `goal` holds."""

    goal: tuple[Condition, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Step:
    """One page of a lesson. `scene` is complete; the same object as the step's before if nothing changed.

    `focus`: what to bring into view; `highlight`: what to mark; `cover`: what stays hidden until the question
    is answered; `slip`: the mistake (a name of attention.variants.SLIPS) that the stages shown are made with;
    `facts`: what the text claims; `sizes`: what `cost.…` is computed from.
    """

    text: Text
    scene: Scene
    sizes: Sizes
    focus: Cells | None = None
    highlight: tuple[Cells, ...] = ()
    cover: tuple[Cells, ...] = ()
    slip: str | None = None
    facts: tuple[Condition, ...] = ()
    question: Question | None = None
    line: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Lesson:
    """A whole lesson; `languages` are those that every text of it has, English first."""

    name: str
    order: int
    title: Text
    summary: Text
    steps: tuple[Step, ...]
    languages: tuple[str, ...]
    file: str = field(default="", compare=False)
