"""A learner's way through a lesson."""

import pytest

from explorer.attention.attend import attend
from explorer.attention.trace import Cell
from explorer.lessons.judge import judge, solution
from explorer.lessons.player import Progress
from explorer.lessons.reader import parse

LESSON = parse("""
format = "attention-explorer-lesson/1"
name = "tiny"
title = { en = "Tiny", zh = "小" }
summary = { en = "Small.", zh = "很小。" }
[scene]
x = [[1, 1], [1, 0]]
w_q = [[1, 1], [0, 1]]
w_k = [[0, 1], [1, -1]]
w_v = [[0, 1], [1, -1]]

[[step]]
text = { en = "Welcome.", zh = "欢迎。" }

[[step]]
text = { en = "Predict.", zh = "猜。" }
cover = ["weights[1,1,2]"]
[step.question]
kind = "number"
text = { en = "How much?", zh = "多少？" }
expected = "weights[1,1,2]"
hints = { en = ["Think.", "0.67"], zh = ["想。", "0.67"] }
because = { en = "So it is.", zh = "就是这样。" }
wrong = [{ answer = "weights[1,1,1]", en = "The neighbour.", zh = "旁边那个。" }]

[[step]]
text = { en = "Choose.", zh = "选。" }
[step.question]
kind = "choice"
text = { en = "Which?", zh = "哪个？" }
options = { en = ["this", "that", "none"], zh = ["这个", "那个", "都不是"] }
correct = 2
wrong = [{ answer = 1, en = "Not this.", zh = "不是这个。" }]

[[step]]
text = { en = "Click.", zh = "点。" }
[step.question]
kind = "cell"
text = { en = "Where?", zh = "哪里？" }
cell = "weights[1,1,2]"
wrong = [{ answer = "weights[1,2,2]", en = "Below it.", zh = "下面那个。" }]

[[step]]
text = { en = "Edit.", zh = "改。" }
change = { heads = 2 }
[step.question]
kind = "edit"
text = { en = "One head, please.", zh = "请改成一个头。" }
goal = ["heads = 1", "w_q[1,1] = 3"]
""")

TRACE = attend(LESSON.steps[0].scene)


def at(step: int) -> Progress:
    return Progress(LESSON).go(step - 1)


def test_next_and_back_stop_at_the_ends() -> None:
    start = Progress(LESSON)
    assert start.is_first and not start.is_last
    assert start.back().index == 0
    assert start.next().next().back().index == 1
    end = start.go(99)
    assert end.is_last and end.next().index == end.index == 4
    assert start.go(-3).index == 0


def test_progress_is_a_value() -> None:
    start = at(2)
    after = start.answer("0.67", TRACE)
    assert start.is_open and start.verdict is None and not start.solved
    assert not after.is_open and after.verdict is not None and after.solved == {1}


def test_cover_is_lifted_by_the_right_answer_alone() -> None:
    progress = at(2)
    assert progress.covered == progress.step.cover != ()
    wrong = progress.answer("0.3", TRACE)
    assert wrong.covered == progress.covered
    assert wrong.because is None
    right = wrong.answer("0.67", TRACE)
    assert right.covered == ()
    assert right.because is not None and right.because.to("en") == "So it is."
    assert right.verdict is not None and right.verdict.sentence("en") == "Right: 0.6698. So it is."
    assert right.verdict.sentence("zh") == "正确：0.6698。就是这样。"


def test_solved_stays_solved() -> None:
    progress = at(2).answer("0.67", TRACE).answer("5", TRACE)
    assert not progress.is_open
    assert progress.verdict is not None and not progress.verdict.right


def test_hints_one_by_one() -> None:
    progress = at(2)
    assert progress.taken_hints == () and progress.has_hint
    progress = progress.hint()
    assert [hint.to("zh") for hint in progress.taken_hints] == ["想。"]
    progress = progress.hint().hint().hint()
    assert len(progress.taken_hints) == 2 and not progress.has_hint
    assert at(1).hint().taken_hints == ()


def test_the_answer_can_be_shown() -> None:
    progress = at(2).show()
    assert not progress.is_open and progress.covered == () and progress.solved == frozenset()
    assert solution(progress.step, TRACE, "en") == "The answer is 0.67."
    assert solution(at(3).step, TRACE, "zh") == "答案：那个"
    assert solution(at(4).step, TRACE, "en") == "It is row 1, column 2 of the weights, head 1."
    assert solution(at(5).step, TRACE, "en") == "It takes heads = 1, w_q[1,1] = 3."
    assert solution(at(1).step, TRACE, "en") == ""


def test_choices() -> None:
    progress = at(3)
    assert progress.answer(0, TRACE).verdict.sentence("en") == "Not this one. Not this."  # type: ignore[union-attr]
    assert progress.answer(2, TRACE).verdict.sentence("zh") == "不是这一项。"  # type: ignore[union-attr]
    assert progress.answer(1, TRACE).solved == {2}


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        (Cell("weights", 0, 0, 1), "right"),
        (Cell("weights", 0, 1, 0), "almost_transposed"),
        (Cell("weights", 0, 0, 0), "wrong_cell"),
        (Cell("weights", 0, 1, 1), "wrong_cell"),
        (Cell("weights", 1, 0, 1), "almost_head"),
        (Cell("scores", 0, 0, 1), "wrong_place"),
        (Cell("w_q", None, 0, 1), "wrong_place"),
    ],
)
def test_clicked_cells(cell: Cell, code: str) -> None:
    verdict = judge(at(4).step, cell, TRACE)
    assert verdict.code == code
    assert verdict.sentence("en") and verdict.sentence("zh")


def test_clicked_cell_sentences() -> None:
    def said(cell: Cell) -> str:
        return judge(at(4).step, cell, TRACE).sentence("en")

    assert said(Cell("weights", 0, 1, 1)) == (
        "That is row 2, column 2 of the weights, head 1. Not this one. Below it."
    )
    assert said(Cell("scores", 0, 0, 1)) == (
        "That is row 1, column 2 of the raw scores, head 1. Look in the weights."
    )


def test_edits_are_watched() -> None:
    progress = at(5)
    assert progress.scene.heads == 2
    assert progress.watch(attend(progress.scene)) is progress
    half = progress.scene.with_heads(1)
    assert progress.watch(attend(half)) is progress
    asked = progress.answer(None, attend(half))
    assert asked.verdict is not None
    assert asked.verdict.sentence("en") == "Not there yet: row 1, column 1 of W_q is 1, and it must be 3."
    assert asked.is_open
    done = asked.watch(attend(half.with_cell("w_q", 0, 0, 3)))
    assert not done.is_open and done.solved == {4}
    assert done.watch(attend(half)) is done
    assert at(2).watch(TRACE).index == 1


def test_free_play_and_return() -> None:
    """Whatever a learner edits, the step's own scene is still there; the next step has its own."""
    progress = at(2)
    assert progress.scene is LESSON.steps[0].scene
    assert progress.next().scene is progress.scene
    assert progress.next().next().next().scene.heads == 2


def test_done_when_all_is_answered_or_shown() -> None:
    progress = Progress(LESSON)
    assert progress.questions == (1, 2, 3, 4)
    progress = progress.next().answer("0.67", TRACE).next().answer(1, TRACE).next().show().next()
    assert progress.is_last and not progress.done
    progress = progress.watch(attend(LESSON.steps[0].scene.with_cell("w_q", 0, 0, 3)))
    assert progress.done
    assert not progress.back().done


def test_an_answer_of_the_wrong_kind_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError):
        at(2).answer(1, TRACE)
    with pytest.raises(TypeError):
        at(1).answer("1", TRACE)
