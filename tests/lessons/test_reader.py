"""Lesson files read; what is wrong with one is told with its line, in one sentence."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention.cost import Sizes
from explorer.attention.trace import Cell
from explorer.lessons.lesson import CellQuestion, EditQuestion, Lesson, LessonError, NumberQuestion
from explorer.lessons.lines import Lines
from explorer.lessons.proof import problems
from explorer.lessons.reader import MAX_BYTES, MAX_STEPS, load, parse

HEAD = """\
format = "attention-explorer-lesson/1"
name = "mine"
title.en = "Mine"
summary.en = "My own."
[scene]
x = [[1, 1], [1, 0]]
w_q = [[1, 1], [0, 1]]
w_k = [[0, 1], [1, -1]]
w_v = [[0, 1], [1, -1]]
"""  # 9 lines

STEP = """\
[[step]]
text.en = "Look."
"""

NUMBER = (
    HEAD
    + STEP
    + """\
[step.question]
kind = "number"
text.en = "How much?"
expected = "weights[1,1,2]"
"""
)  # expected on line 15


def refused(text: str) -> LessonError:
    with pytest.raises(LessonError) as error:
        parse(text, "mine.toml")
    line = error.value.line
    place = "mine.toml" if line is None else f"mine.toml, line {line}"
    assert str(error.value) == f"{place}: {error.value.sentence}"
    assert error.value.sentence.endswith(".") and "\n" not in error.value.sentence
    return error.value


def test_smallest_lesson() -> None:
    lesson = parse(HEAD + STEP)
    assert (lesson.name, lesson.languages, lesson.order) == ("mine", ("en",), 1000)
    assert lesson.steps[0].text.to("zh") == "Look."
    assert lesson.steps[0].scene.heads == 1
    assert lesson.steps[0].line == 10


def test_all_keys_of_a_step() -> None:
    lesson = parse(
        HEAD
        + """
[[step]]
text.en = "Look."
change = { heads = 2, mask = [{ kind = "causal" }], scale = "none" }
focus = "weights[2]"
highlight = ["scores[1,1,2]", "w_q[:,1]"]
cover = ["weights[1]"]
slip = "mask_inverted"
facts = ["heads = 2", "slip.weights[1,1,:] = 0 1"]
cost = { n = 8, d_model = 4, heads = 2 }

[step.question]
kind = "number"
text.en = "How much?"
expected = "slip.weights[1,1,2]"
decimals = 3
hints.en = ["One.", "Two."]
because.en = "So."
wrong = [{ answer = 0.5, en = "No." }, { answer = "weights[1,1,1]", en = "Nor this." }]
"""
    )
    step = lesson.steps[0]
    assert step.scene.heads == 2 and step.scene.scale == "none"
    assert step.focus is not None and step.focus.place == "weights"
    assert step.highlight[0].single == Cell("scores", 0, 0, 1)
    assert step.sizes == Sizes(n=8, d_model=4, heads=2)
    assert isinstance(step.question, NumberQuestion)
    assert step.question.decimals == 3 and len(step.question.hints) == 2
    assert len(step.question.remarks) == 2


def test_the_other_kinds() -> None:
    def question(text: str) -> object:
        return parse(HEAD + STEP + '[step.question]\ntext.en = "?"\n' + text).steps[0].question

    cell = question('kind = "cell"\ncell = "weights[1,:,1]"')
    assert isinstance(cell, CellQuestion) and Cell("weights", 0, 1, 0) in cell.cells
    edit = question('kind = "edit"\ngoal = "heads = 2"')
    assert isinstance(edit, EditQuestion) and edit.goal[0].text == "heads = 2"


def test_a_scene_lasts_until_it_is_changed() -> None:
    lesson = parse(
        HEAD
        + STEP
        + STEP
        + 'change = { heads = 2, scale = "none" }\n'
        + STEP
        + "change = { heads = 1 }\n"
        + STEP
        + 'without = ["scale"]\n'
        + STEP
        + "scene = { x = [[1]], w_q = [[1]], w_k = [[1]], w_v = [[1]] }\n"
    )
    first, second, third, fourth, fifth = [step.scene for step in lesson.steps]
    assert (first.heads, second.heads, third.heads, fourth.heads) == (1, 2, 1, 1)
    assert (first.scale, second.scale, third.scale, fourth.scale) == ("sqrt_dk", "none", "none", "sqrt_dk")
    assert fifth.n == 1


def test_a_lesson_in_another_language_alone() -> None:
    lesson = parse(HEAD.replace(".en", ".zh") + STEP.replace(".en", ".zh"))
    assert lesson.languages == ("zh",)
    assert lesson.title.to("en") == "Mine"


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(("\ufeff" + HEAD + STEP).replace("\n", "\r\n").encode())
    assert load(path).name == "mine"


# ---- what is wrong, and where ----


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("x = ", 1, "it is no TOML: Invalid value at the end."),
        (HEAD + "[[step]]\ntext.en = ", 11, "it is no TOML: Invalid value at the end."),
        (HEAD + STEP + 'text.zh = "open\n\n\n', 12, "it is no TOML"),
        (HEAD + STEP + 'text.zh = """open\n\n', 12, "it is no TOML"),
        (HEAD + STEP + "text.en = 1", 12, "it is no TOML"),
        ("", 1, "format is missing here."),
        ('format = "attention-explorer/1"', 1, "format is 'attention-explorer/1' but must be"),
        (HEAD.replace('"mine"', '"My lesson"') + STEP, 2, "name must be of small letters, digits and hyphens."),
        (HEAD.replace('name = "mine"', "name = 3") + STEP, 2, "name must be text."),
        (HEAD.replace("title.en", "title.english") + STEP, 3, "'english' is no language"),
        (HEAD.replace('title.en = "Mine"', 'title = "Mine"') + STEP, 3, "title must be given by language"),
        (HEAD.replace("summary.en", "summary.zh") + STEP, 4, "summary has no text for the language 'en'"),
        (HEAD.replace('summary.en = "My own."', "") + STEP, 1, "summary is missing here."),
        (HEAD, 1, "the lesson has no [[step]]."),
        (HEAD + "[[step]]\n", 10, "text is missing here."),
        (HEAD + STEP + "text.zh = '看'\n", 12, "the title has no language 'zh'."),
        (HEAD + "[[step]]\ntext.en = ' '\n", 11, "text.en must be text."),
        (HEAD + "[step]\ntext.en = 'x'\n", 10, "step must be a list of tables."),
        (HEAD + STEP + "higlight = []\n", 12, "'higlight' means nothing here; 'highlight' may be meant."),
        (HEAD + STEP + "fun = 1\n", 12, "'fun' means nothing here; there are"),
        (HEAD + STEP + 'highlight = ["x[1]",\n "wights[1]"]\n', 13, "'wights' is no stage and no matrix"),
        (HEAD + STEP + 'highlight = ["x[1]",\n\n "weights[2,1,1]"]\n', 14, "weights[2,1,1] asks for head 2"),
        (HEAD + STEP + "highlight = [1]\n", 12, "highlight must be a list of texts"),
        (HEAD + STEP + 'focus = ["x", "q"]\n', 12, "focus must be one text, such as weights[1]."),
        (HEAD + STEP + 'facts = ["heads = 1", "heads is 1"]\n', 12, "'heads is 1' is no condition"),
        (HEAD + STEP + 'facts = ["x = 1 2 3"]\n', 12, "'x = 1 2 3' gives 3 values for 4 cells."),
        (HEAD + STEP + 'facts = ["slip.weights[1,1,1] = 1"]\n', 12, "asks for a slip, and the step has none."),
        (HEAD + STEP + 'slip = "softmax"\n', 12, "'softmax' is no slip; there are scale_forgotten"),
        (HEAD + STEP + 'slip = "mask_inverted"\n', 12, "the slip mask_inverted changes nothing in this step's scene."),
        (HEAD + STEP + "change = { heads = 3 }\n", 12, "w_q is 2 × 2: its columns must be divisible by heads = 3."),
        (HEAD + STEP + "change = { head = 2 }\n", 12, "'head' is no key of a scene."),
        (HEAD + STEP + 'change = { mask = [{ kind = "casual" }] }\n', 12, "mask entry 1 has the kind 'casual'"),
        (HEAD.replace("[[0, 1], [1, -1]]", "[[0, 1]]", 1) + STEP, 8, "w_k is 1 × 2 but must have d_model = 2 rows."),
        (HEAD.replace("w_v", "w_w") + STEP, 9, "'w_w' is no key of a scene."),
        (HEAD.replace("[[1, 1], [1, 0]]", "[[1, 'a'], [1, 0]]") + STEP, 6, "x[1,2] is 'a' but must be a number."),
        (HEAD.replace("[[1, 1], [1, 0]]", "{ file = 'a', key = 'x' }") + STEP, 6, "x lies in 'a'"),
        (HEAD.replace("[[1, 1], [1, 0]]", "{ normal = [2, 2] }") + STEP, 6, "x must be rows of numbers"),
        (HEAD.replace("[[1, 1], [1, 0]]", "{ identity = 99999 }") + STEP, 6, "x must be rows of numbers"),
        (HEAD + STEP + 'scene = "nowhere"\n', 12, "there is no example scene 'nowhere'."),
        (HEAD + STEP + 'scene = "../../etc/passwd"\n', 12, "there is no example scene '../../etc/passwd'."),
        (HEAD + STEP + "scene = 3\n", 12, "scene must be a table"),
        (HEAD[: HEAD.index("[scene]")] + STEP, 5, "there is no scene yet; give the lesson or this step a scene."),
        (HEAD + STEP + "cost = { n = 8 }\n", 12, "d_model is missing here."),
        (HEAD + STEP + "cost = { n = 8, d = 8 }\n", 12, "'d' is no size"),
        (HEAD + STEP + "cost = { n = 0, d_model = 8 }\n", 12, "n must be a whole number of at least 1."),
        (HEAD + STEP + "cost = { n = 8, d_model = 8, heads = 3 }\n", 12, "3 heads do not divide d_model = 8"),
        (HEAD + STEP + "question = 1\n", 12, "question must be a table."),
        (HEAD + STEP + "[step.question]\n", 12, "kind is missing here."),
        (HEAD + STEP + "[step.question]\nkind = 'essay'\n", 13, "kind is 'essay' but must be one of number, choice"),
        (NUMBER.replace("weights[1,1,2]", "weights[1,1,3]"), 15, "weights[1,1,3] asks for column 3"),
        (NUMBER.replace("weights[1,1,2]", "weights[1,1,:]"), 15, "expected must be one number"),
        (NUMBER.replace('"weights[1,1,2]"', "true"), 15, "expected must be a number or one cell"),
        (NUMBER.replace('expected = "weights[1,1,2]"', ""), 12, "expected must be a number or one cell"),
        (NUMBER + "decimals = 20\n", 16, "decimals must be from 0 to 6."),
        (NUMBER + "decimals = true\n", 16, "decimals must be a whole number."),
        (NUMBER + "tolerance = -1\n", 16, "tolerance must be a number above 0."),
        (NUMBER + "tolerance = '1'\n", 16, "tolerance must be a number."),
        (NUMBER + "hints.en = 'Think.'\n", 16, "hints.en must be a list of texts."),
        (NUMBER + "hint.en = ['Think.']\n", 16, "'hint' means nothing here; 'hints' may be meant."),
        (NUMBER + "wrong = [{ answer = 1, en = 'No.' },\n{ answer = 2 }]\n", 17,
         "there is no text for the language 'en'"),
        (NUMBER + "wrong = [{ en = 'No.' }]\n", 16, "answer must be a number or one cell"),
        (NUMBER + "wrong = [{ answer = 1, en = 'No.', why = 1 }]\n", 16, "'why' means nothing here"),
        (NUMBER + "wrong = [1]\n", 16, "wrong must be a list of tables; entry 1 is none."),
        (NUMBER + "wrong = 1\n", 16, "wrong must be a list of tables."),
    ],
)  # fmt: skip
def test_the_line_and_the_sentence(text: str, line: int, sentence: str) -> None:
    error = refused(text)
    assert sentence in error.sentence
    assert error.line == line


@pytest.mark.parametrize(
    ("question", "line", "sentence"),
    [
        ("kind = 'choice'\noptions.en = ['a']\ncorrect = 1", 15, "options must be at least two."),
        ("kind = 'choice'\noptions.en = ['a', 'b']\ncorrect = 3", 16,
         "correct must be the number of an option, from 1 to 2."),
        ("kind = 'choice'\noptions.en = ['a', 'b']\ncorrect = 0", 16, "correct must be the number of an option"),
        ("kind = 'choice'\noptions.en = ['a', 'b']", 12, "correct is missing here."),
        ("kind = 'choice'\noptions.en = ['a', 2]\ncorrect = 1", 15, "options.en must be text."),
        ("kind = 'cell'\ncell = 'weights[1,1,9]'", 15, "weights[1,1,9] asks for column 9"),
        ("kind = 'cell'\ncell = 3", 15, "cell must be cells"),
        ("kind = 'edit'", 12, "goal must be a list of conditions"),
        ("kind = 'edit'\ngoal = ['heads = 2',\n'n is 3']", 16, "'n is 3' is no condition"),
        ("kind = 'edit'\ngoal = ['cost.total = 3']", 15, "a goal can only ask for what the learner can change"),
    ],
)  # fmt: skip
def test_questions_that_are_wrong(question: str, line: int, sentence: str) -> None:
    error = refused(HEAD + STEP + '[step.question]\ntext.en = "?"\n' + question + "\n")
    assert sentence in error.sentence
    assert error.line == line


def test_languages_must_be_complete() -> None:
    both = HEAD.replace('"Mine"', '"Mine"\ntitle.zh = "我的"').replace(
        '"My own."', '"My own."\nsummary.zh = "自己的。"'
    )
    error = refused(both + STEP)
    assert (error.line, error.sentence) == (
        13,
        "text has no text for the language 'zh', which the title has.",
    )
    hints = (
        STEP
        + "text.zh = '看'\n[step.question]\nkind = 'number'\ntext = { en = '?', zh = '？' }\nexpected = 1\n"
    )
    error = refused(both + hints + "hints.en = ['a', 'b']\nhints.zh = ['甲']\n")
    assert "hints must be equally many in every language: there are 2 in en, 1 in zh." in error.sentence
    assert error.line == 19


def test_lines_of_the_last_of_many_steps() -> None:
    error = refused(HEAD + STEP * 20 + "fun = 1\n")
    assert error.line == 9 + 40 + 1


# ---- hostile files ----


def test_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    path.write_text(HEAD + STEP + "#" * MAX_BYTES)
    with pytest.raises(LessonError, match=r"^large.toml: it is larger than 512 KB, which is no lesson\.$"):
        load(path)


def test_too_many_steps() -> None:
    error = refused(HEAD + STEP * (MAX_STEPS + 1))
    assert error.sentence == f"a lesson has at most {MAX_STEPS} steps."


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "{a=" * 50_000, "x = 1" + "0" * 10_000])
def test_nested_and_huge_values(text: str) -> None:
    refused(text)


def test_too_many_scores() -> None:
    rows = "[" + "[1]," * 1200 + "]"
    error = refused(
        HEAD[: HEAD.index("[scene]")] + f"[scene]\nx = {rows}\nw_q = [[1]]\nw_k = [[1]]\nw_v = [[1]]\n" + STEP
    )
    assert error.sentence == "the scene has H·n·m = 1,440,000 scores, and a lesson's may have 1,000,000."
    assert error.line == 6


@pytest.mark.parametrize("content", [b"\xff\xfe", b"name = 1\n\x80"])
def test_no_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "binary.toml"
    path.write_bytes(content)
    with pytest.raises(LessonError, match="it is no UTF-8 text here"):
        load(path)


@pytest.mark.parametrize("name", ["nowhere.toml", "", "a\0b"])
def test_no_file(name: str) -> None:
    with pytest.raises(LessonError, match="it cannot be read"):
        load(name)


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(LessonError, match="it cannot be read"):
        load(tmp_path)


@given(st.text(alphabet="[]{}=,.\"'#\n abstepxq1", max_size=80))
def test_any_text_is_a_lesson_or_a_lesson_error(text: str) -> None:
    for candidate in (text, HEAD + text, NUMBER + text):
        try:
            assert isinstance(parse(candidate), Lesson)
        except LessonError as error:
            assert error.line is None or 1 <= error.line <= candidate.count("\n") + 1


# ---- lines ----


def test_lines_of_keys() -> None:
    text = '''\
name = "x"
title.en = "a = b"
# [step] = 3
[scene]
x = [
  [1, 0], # ] }
  [0, 1],
]
"w_q" = [[1]]
[[step]]
text.en = """
foo = 3
[[step]]
"""
text.zh = \'\'\'x = [\'\'\'
facts = ["a = b", # [ } ,
 "c",
 # x
 "d, e",
]
[step.question]
wrong = [ {a = 1, b = [1,2]},
 {b = 2}]
[[step]]
change = { heads = 2 }
'''
    lines = Lines(text)
    assert lines.of(("name",)) == 1
    assert lines.of(("title", "en")) == 2
    assert lines.of(("scene",)) == 4
    assert lines.of(("scene", "x")) == 5
    assert lines.of(("scene", "x", 1)) == 7
    assert lines.of(("scene", "w_q")) == 9
    assert lines.of(("step", 0)) == 10
    assert lines.of(("step", 0, "text", "zh")) == 15
    assert lines.of(("step", 0, "facts", 0)) == 16
    assert lines.of(("step", 0, "facts", 1)) == 17
    assert lines.of(("step", 0, "facts", 2)) == 19
    assert lines.of(("step", 0, "question", "wrong", 1, "b")) == 23
    assert lines.of(("step", 1)) == 24
    assert lines.of(("step", 1, "change", "heads")) == 25
    assert lines.of(("step", 1, "text")) == 24
    assert lines.of(()) == 1


# ---- proof ----


def test_a_lesson_that_lies_is_found_out() -> None:
    from explorer.attention.attend import attend

    lesson = parse(
        HEAD
        + STEP
        + 'facts = ["weights[1,1,2] = 0.67", "weights[1,1,2] = 0.66"]\n'
        + "[step.question]\nkind = 'edit'\ntext.en = '?'\ngoal = ['heads = 1']\n"
        + STEP
        + "[step.question]\nkind = 'number'\ntext.en = '?'\nexpected = 'x[1,1]'\nwrong = [{ answer = 1, en = 'x' }]\n",
        "mine.toml",
    )
    assert list(problems(lesson, attend)) == [
        "mine.toml, line 10: weights[1,1,2] = 0.66 does not hold; it is 0.67.",
        "mine.toml, line 13: the goal is reached before the learner does anything.",
        "mine.toml, line 19: the remark on 1 is on the right answer.",
    ]


def test_readme_example_is_a_lesson() -> None:
    """The example in resources/lessons/README.md can be taken as it stands."""
    from explorer import resources
    from explorer.attention.attend import attend

    text = resources.path("lessons", "README.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    assert example is not None
    assert list(problems(parse(example[1]), attend)) == []


@pytest.mark.parametrize(
    "key", ["a." * 100_000 + "b = 1", "[" + "a." * 100_000 + "b]", '"a" . ' * 60_000 + "b = 1"]
)
def test_a_key_of_a_hundred_thousand_parts(key: str) -> None:
    """tomllib would be at it for minutes."""
    with pytest.raises(LessonError) as caught:
        parse(f"name = 'x'\n{key}\n", "a.toml")
    assert str(caught.value) == "a.toml, line 2: it is nested too deeply."
