"""The lessons that come with the program: true, complete in both languages, and playable to the end."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QTextDocument

from explorer import resources
from explorer.attention.attend import attend
from explorer.attention.masks import Causal
from explorer.attention.positions import Sinusoidal
from explorer.attention.trace import Cell, Trace
from explorer.files import session
from explorer.lessons.builtin import LESSONS, catalogue
from explorer.lessons.check import written
from explorer.lessons.judge import Verdict, judge, solution, view
from explorer.lessons.lesson import (
    CellQuestion,
    ChoiceQuestion,
    EditQuestion,
    Lesson,
    NumberQuestion,
    Question,
    Step,
    Text,
)
from explorer.lessons.player import Progress
from explorer.lessons.proof import problems
from explorer.numbers import parse_number
from explorer.scene import MATRICES, Scene

# What a learner does where a lesson asks for an edit: (lesson, how many edits before it) -> the edit.
EDITS: dict[tuple[str, int], Callable[[Scene], Scene]] = {
    ("by-hand", 0): lambda scene: scene.with_cell("w_q", 1, 1, 4),
    ("square-root", 0): lambda scene: scene.replace(scale="sqrt_dk"),
    ("heads", 0): lambda scene: scene.with_heads(2),
    ("heads", 1): lambda scene: scene.with_matrix("w_q", [[0, 0], [0, 0], [1, 0], [0, 1]]),
    ("concat", 0): lambda scene: scene.with_cell("w_o", 2, 0, 1),
    ("concat", 1): lambda scene: scene.with_cells("w_o", [(i, j, 0) for i in (2, 3) for j in range(4)]),
    ("order", 0): lambda scene: scene.with_matrix("x", [[1, 2], [3, 4], [2, 3]]),
    ("positions", 0): lambda scene: scene.replace(position=Sinusoidal()),
    ("masks", 0): lambda scene: scene.replace(mask=(Causal(),)),
    ("cross-attention", 0): lambda scene: scene.with_cell("context", 1, 1, 5),
}

every_lesson = pytest.mark.parametrize("lesson", catalogue(), ids=lambda lesson: lesson.name)
every_language = pytest.mark.parametrize("language", ["en", "zh"])


def texts_of(question: Question | None) -> Iterator[Text]:
    """What is said around a question, wrong options and remarks on wrong answers aside."""
    if question is not None:
        yield question.text
        yield from question.hints
        if question.because is not None:
            yield question.because


def all_texts(lesson: Lesson) -> Iterator[Text]:
    yield lesson.title
    yield lesson.summary
    for step in lesson.steps:
        yield step.text
        yield from texts_of(step.question)
        if step.question is not None:
            yield from (remark.text for remark in step.question.remarks)
        if isinstance(step.question, ChoiceQuestion):
            yield from step.question.options


def test_the_ten_lessons_in_their_order() -> None:
    assert [lesson.name for lesson in catalogue()] == list(LESSONS)
    assert [lesson.order for lesson in catalogue()] == list(range(1, 11))


def test_no_lesson_lies_about_unlisted() -> None:
    files = {path.stem for path in resources.path("lessons").glob("*.toml")}
    assert files == set(LESSONS)


@every_lesson
def test_everything_a_lesson_claims_is_true(lesson: Lesson) -> None:
    assert list(problems(lesson, attend)) == []


@every_lesson
def test_both_languages_everywhere(lesson: Lesson) -> None:
    assert lesson.languages == ("en", "zh")
    for text in all_texts(lesson):
        assert set(text.words) == {"en", "zh"}
        assert not re.search(r"[\u4e00-\u9fff]", text.to("en"))


@every_lesson
def test_questions_enough_and_steps_short(lesson: Lesson) -> None:
    assert 2 <= sum(step.question is not None for step in lesson.steps)
    for step in lesson.steps:
        assert len(plain(step.text.to("en")).split()) <= 90, step.text.to("en")
        assert len(re.findall(r"[\u4e00-\u9fff]", step.text.to("zh"))) <= 170, step.text.to("zh")


def plain(markdown: str) -> str:
    """Without the marks that a reader does not see."""
    return re.sub(r"\|[-|]*|[*`]|^- ", " ", markdown, flags=re.MULTILINE)


@every_lesson
def test_every_number_in_a_text_is_in_a_fact_or_in_the_scene(lesson: Lesson) -> None:
    known: set[float] = set()
    for number, step in enumerate(lesson.steps, 1):
        known |= {value for fact in step.facts for value in numbers_in(fact.text)}
        allowed = known | numbers_of(step.scene)
        if step.question is not None:
            allowed |= asked_numbers(step.question)
        for text in (step.text, *texts_of(step.question)):
            for language in lesson.languages:
                said = numbers_in(re.sub(r"`[^`]*`", "", text.to(language)))
                assert said <= allowed, (number, language, said - allowed)


@every_lesson
def test_both_languages_say_the_same_numbers(lesson: Lesson) -> None:
    for text in all_texts(lesson):
        decimals = [
            {value for value in numbers_in(text.to(language)) if value % 1 or value > 12}
            for language in lesson.languages
        ]
        assert decimals[0] == decimals[1], text.to("en")


def numbers_in(text: str) -> set[float]:
    """All numbers of a text, without sign; not those in a name (x1) list items', versions'."""
    text = re.sub(r"^\d\. |torch \d\.\d+", "", text, flags=re.MULTILINE)
    found = re.findall(r"(?<![A-Za-z0-9_.])\d+(?:,\d{3})*(?:\.\d+)?(?![A-Za-z])", text)
    return {float(number.replace(",", "")) for number in found}


def numbers_of(scene: Scene) -> set[float]:
    """What can be read in the scene: its matrices, its sizes, and whatever counts rows and columns."""
    arrays = [array for name in MATRICES if (array := scene.matrix(name)) is not None]
    written_out = {abs(float(value)) for array in arrays if array.size <= 100 for value in array.flat}
    sizes = (scene.n, scene.m, scene.d_model, scene.heads, scene.heads * scene.d_k, scene.heads * scene.d_v)
    return written_out | {float(count) for count in range(max(sizes) + 1)}


def asked_numbers(question: Question) -> set[float]:
    if isinstance(question, NumberQuestion):
        return numbers_in(question.expected.text)
    if isinstance(question, EditQuestion):
        return {value for condition in question.goal for value in numbers_in(condition.text)}
    return set()


@every_language
@every_lesson
def test_markdown_is_sane(lesson: Lesson, language: str, qapp: Any) -> None:
    """What Qt makes of it shows no leftover marks, holds no HTML, no links and no pictures."""
    for text in all_texts(lesson):
        source = text.to(language)
        assert not re.search(r"<[A-Za-z/!]|\]\(|!\[", source)
        document = QTextDocument()
        document.setMarkdown(source, QTextDocument.MarkdownFeature.MarkdownNoHTML)
        shown = document.toPlainText()
        if "`" not in source:  # in code they stand for themselves
            assert "*" not in shown, source
        assert "`" not in shown, source
        for word in re.findall(r"\b[A-Za-z]_[A-Za-z]+|W\^O|W_[io]\^[QKVO]", source):
            assert word in shown, source


@every_lesson
def test_titles_and_options_are_plain_text(lesson: Lesson) -> None:
    options = [
        option
        for step in lesson.steps
        if isinstance(step.question, ChoiceQuestion)
        for option in step.question.options
    ]
    for text in (lesson.title, lesson.summary, *options):
        for words in text.words.values():
            assert not re.search(r"[*`\n]", words)


@every_language
@every_lesson
def test_played_from_first_to_last_with_right_answers(lesson: Lesson, language: str) -> None:
    progress = Progress(lesson)
    edits = 0
    while True:
        step = progress.step
        trace = attend(progress.scene)
        if step.question is not None:
            assert progress.is_open
            assert progress.covered == step.cover
            if isinstance(step.question, EditQuestion):
                assert progress.watch(trace) is progress
                progress = progress.watch(attend(EDITS[lesson.name, edits](step.scene)))
                edits += 1
            else:
                for answer in right_answers(step, trace):
                    progress = progress.answer(answer, trace)
                    assert progress.verdict is not None and progress.verdict.right, (answer, step.question)
            assert progress.verdict is not None
            assert progress.verdict.sentence(language)
            assert not progress.is_open
            assert progress.covered == ()
            assert solution(step, trace, language)
        if progress.is_last:
            break
        progress = progress.next()
    assert progress.done
    assert progress.solved == set(progress.questions)
    assert edits == sum(name == lesson.name for name, _ in EDITS)


def right_answers(step: Step, trace: Trace) -> Iterator[Any]:
    match step.question:
        case NumberQuestion() as question:
            value = question.expected.value(view(step, trace))
            yield repr(value)
            yield written(value, question.decimals)
            yield f" {written(value, 0) if value == round(value) else f'{value:.{question.decimals}f}'} "
        case ChoiceQuestion() as question:
            yield question.correct
        case CellQuestion() as question:
            yield from question.cells.cells(step.scene)


@every_language
@every_lesson
def test_wrong_answers_are_wrong_and_explained(lesson: Lesson, language: str) -> None:
    for step in lesson.steps:
        if step.question is not None:
            trace = attend(step.scene)
            for answer, remark in wrong_answers(step, trace):
                verdict = judge(step, answer, trace)
                assert not verdict.right, (answer, step.question)
                sentence = verdict.sentence(language)
                assert sentence
                if remark is not None:
                    assert sentence.endswith(remark.to(language)), (answer, step.question.text)


def wrong_answers(step: Step, trace: Trace) -> Iterator[tuple[Any, Text | None]]:
    question = step.question
    remarks = question.remarks if question is not None else ()
    match question:
        case NumberQuestion():
            value = question.expected.value(view(step, trace))
            yield repr(value + 1000), None
            yield "abc", None
            for remark in remarks:
                assert remark.value is not None
                yield repr(remark.value.value(view(step, trace))), remark.text
        case ChoiceQuestion():
            said = {remark.option: remark.text for remark in remarks}
            for option in set(range(len(question.options))) - {question.correct}:
                yield option, said.get(option)
        case CellQuestion():
            yield Cell("x", None, 0, 0), None
            for remark in remarks:
                assert remark.cells is not None
                yield next(remark.cells.cells(step.scene)), remark.text
        case EditQuestion():
            yield None, None


@every_lesson
def test_a_covered_number_is_not_given_away_by_its_text(lesson: Lesson) -> None:
    """What is asked for and can be read off a panel is covered there."""
    for step in lesson.steps:
        question = step.question
        if step.cover and isinstance(question, NumberQuestion) and question.expected.cells is not None:
            asked = next(question.expected.cells.cells(step.scene))
            assert any(asked in cells for cells in step.cover), step.text.to("en")


def test_known_slips_are_named_where_learners_make_them() -> None:
    by_name = {lesson.name: lesson for lesson in catalogue()}

    def verdict(lesson: str, step: int, typed: str) -> Verdict:
        chosen = by_name[lesson].steps[step - 1]
        return judge(chosen, typed, attend(chosen.scene))

    assert verdict("by-hand", 6, "2").slip == "scale_forgotten"
    assert verdict("by-hand", 6, "1").slip == "scale_without_root"
    assert verdict("by-hand", 7, "0.73").slip == "scale_forgotten"
    assert verdict("by-hand", 7, "4.11").slip == "no_quotient"
    assert verdict("heads", 2, "2").slip == "split_without_transpose"
    assert verdict("heads", 4, "2").slip == "scale_sqrt_d_model"
    assert verdict("concat", 5, "3").slip == "w_o_forgotten"
    assert verdict("masks", 2, "0.25").slip in ("mask_forgotten", "mask_after_softmax")
    assert verdict("masks", 2, "0").slip == "mask_inverted"
    assert verdict("slips", 5, "2").slip == "split_without_transpose"
    assert verdict("slips", 9, "1.41").slip == "scale_sqrt_d_model"


def test_scenes_are_shared_between_steps_that_do_not_change_them() -> None:
    steps = catalogue()[0].steps
    assert all(step.scene is steps[0].scene for step in steps)


def test_first_lesson_is_the_worked_example() -> None:
    """Scaled scores [[0.71, 1.41], [0.71, 0.71]], b₁ = (0.33, 0.67), b₂ = (0.50, 0.50); the first scene shown."""
    scene = catalogue()[0].steps[0].scene
    first = session.load(resources.path("scenes", "two-tokens.attn.json"))
    for name in ("x", "w_q", "w_k", "w_v"):
        np.testing.assert_array_equal(scene.matrix(name), first.matrix(name))
    trace = attend(scene)
    np.testing.assert_allclose(trace.scaled[0], [[0.71, 1.41], [0.71, 0.71]], atol=0.005)
    np.testing.assert_allclose(trace.output, [[0.33, 0.67], [0.5, 0.5]], atol=0.005)


def test_cost_lesson_asks_for_what_fvcore_prints() -> None:
    lesson = next(lesson for lesson in catalogue() if lesson.name == "cost")
    asked = [
        step.question.expected.value(view(step, attend(step.scene)))
        for step in lesson.steps
        if isinstance(step.question, NumberQuestion)
    ]
    assert 60_129_542_144 in asked
    assert 68_719_476_736 - 60_129_542_144 in asked
    assert "68,719,476,736" in " ".join(text.to("en") for text in all_texts(lesson))
    assert parse_number("32*(3*1024*512^2 + 2*1024^2*512)") == 60_129_542_144
