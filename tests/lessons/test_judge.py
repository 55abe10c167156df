"""Answers judged: right within rounding, almost, wrong and why."""

import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention.attend import attend
from explorer.attention.masks import Causal
from explorer.attention.trace import STAGES, Cell
from explorer.attention.variants import SLIPS
from explorer.lessons.judge import Verdict, judge_number, known_slips, predict
from explorer.lessons.lesson import Text
from explorer.lessons.messages import PLACES, SENTENCES, SLIP_SENTENCES, cell_name, say
from explorer.scene import MATRICES, Scene


def by_hand(**changes: Any) -> Scene:
    w = np.array([[0, 1], [1, -1]])
    scene = Scene(x=np.array([[1, 1], [1, 0]]), w_q=np.array([[1, 1], [0, 1]]), w_k=w, w_v=w)
    return scene.replace(**changes)


ALPHA = 0.6697615493266569  # α₁,₂ of the worked example


@pytest.mark.parametrize(
    ("typed", "value", "kind", "code"),
    [
        ("0.67", ALPHA, "right", "right_number"),
        ("0.670", ALPHA, "right", "right_number"),
        ("0.6698", ALPHA, "right", "right_number"),
        ("0.668", ALPHA, "right", "right_number"),  # from 0.71 and 1.41, rounded on the way
        ("2/3", ALPHA, "right", "right_number"),
        (" .67 ", ALPHA, "right", "right_number"),
        ("67/100", ALPHA, "right", "right_number"),
        ("0.7", ALPHA, "almost", "almost_decimals"),
        ("0.66", ALPHA, "almost", "almost_rounding"),
        ("0.68", ALPHA, "almost", "almost_rounding"),
        ("-0.67", ALPHA, "almost", "almost_sign"),
        ("1", ALPHA, "wrong", "wrong_number"),
        ("0.6", ALPHA, "wrong", "wrong_number"),
        ("0", ALPHA, "wrong", "wrong_number"),
        ("2", 2.0, "right", "right_number"),
        ("2.00", 2.0, "right", "right_number"),
        ("1.4", 2**0.5, "almost", "almost_decimals"),
        ("2/sqrt(2)", 2**0.5, "right", "right_number"),
        ("√2", 2**0.5, "right", "right_number"),
        ("0", 0.0, "right", "right_number"),
        ("-0", 0.0, "right", "right_number"),
        ("-inf", -np.inf, "right", "right_number"),
        ("−∞", -np.inf, "right", "right_number"),
        ("-1e9", -np.inf, "wrong", "wrong_number"),
        ("inf", -np.inf, "almost", "almost_sign"),
        ("nan", np.nan, "right", "right_number"),
        ("0.67", np.nan, "wrong", "wrong_number"),
        ("nan", ALPHA, "wrong", "wrong_number"),
        ("two thirds", ALPHA, "unreadable", "unreadable"),
        ("", ALPHA, "unreadable", "unreadable"),
        ("0,67", ALPHA, "unreadable", "unreadable"),
        ("1" * 10_000, ALPHA, "unreadable", "unreadable"),
        ("__import__('os')", ALPHA, "unreadable", "unreadable"),
    ],
)
def test_numbers(typed: str, value: float, kind: str, code: str) -> None:
    verdict = judge_number(typed, value)
    assert (verdict.kind, verdict.code) == (kind, code)
    assert verdict.right == (kind == "right")
    for language in ("en", "zh"):
        assert verdict.sentence(language)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("60129542144", "right_number"),
        ("60,129,542,144", "right_number"),
        ("60 129 542 144", "right_number"),
        ("60_129_542_144", "right_number"),
        ("32*(3*1024*512^2 + 2*1024^2*512)", "right_number"),
        ("6.0129542144e10", "right_number"),
        ("6.01e10", "almost_close"),
        ("60,129,542,145", "almost_close"),
        ("60,129", "wrong_number"),
    ],
)
def test_large_whole_numbers(typed: str, code: str) -> None:
    assert judge_number(typed, 60_129_542_144, decimals=0).code == code


def test_tolerance() -> None:
    assert judge_number("8.4", 8.0, tolerance=0.5).right
    assert not judge_number("8.6", 8.0, tolerance=0.5).right


def test_exact_value_is_told() -> None:
    assert judge_number("0.67", ALPHA).sentence("en") == "Right: 0.6698."
    assert judge_number("1/2", 0.5).sentence("en") == "Right: 0.50."
    assert judge_number("2", 2.0).sentence("zh") == "正确：2。"
    assert judge_number("60129542144", 60_129_542_144.0, 0).sentence("en") == "Right: 60,129,542,144."
    assert judge_number("-inf", -np.inf).sentence("en") == "Right: −∞."


def test_a_remark_comes_before_a_slip() -> None:
    remark = Text({"en": "That is α₁,₁.", "zh": "那是 α₁,₁。"})
    verdict = judge_number("0.33", ALPHA, remarks=[(0.3302, remark)])
    assert verdict.sentence("en") == "Not yet. Try again, or take a hint. That is α₁,₁."
    assert verdict.sentence("zh") == "还不对。再试一次，或者看看提示。那是 α₁,₁。"


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_value_rounded_is_always_right(value: float, decimals: int) -> None:
    assert judge_number(f"{value:.{decimals}f}", value, decimals).right
    assert judge_number(repr(value), value, decimals).right


@given(st.text(max_size=50), st.floats())
def test_any_text_gets_a_verdict(typed: str, value: float) -> None:
    assert judge_number(typed, value).sentence("en")


# ---- predict, then reveal ----


@pytest.mark.parametrize(
    ("cell", "typed", "slip"),
    [
        (Cell("scaled", 0, 0, 1), "2", "scale_forgotten"),
        (Cell("scaled", 0, 0, 1), "1", "scale_without_root"),
        (Cell("scores", 0, 0, 1), "1", "scores_transposed"),
        (Cell("weights", 0, 0, 1), "0.73", "scale_forgotten"),  # e²/(e + e²)
        (Cell("weights", 0, 0, 1), "0.62", "scale_without_root"),  # e/(√e + e)
        (Cell("weights", 0, 0, 0), "0.5", "softmax_over_queries"),
        (Cell("weights", 0, 0, 1), "4.11", "no_quotient"),
        (Cell("output", None, 0, 1), "0.73", "scale_forgotten"),
        (Cell("output", None, 0, 0), "0.5", "softmax_over_queries"),
    ],
)
def test_a_guess_that_is_a_known_slip_is_named(cell: Cell, typed: str, slip: str) -> None:
    verdict = predict(cell, typed, attend(by_hand()))
    assert (verdict.kind, verdict.slip) == ("wrong", slip)
    assert SLIP_SENTENCES[slip].to("en") in verdict.sentence("en")
    assert SLIP_SENTENCES[slip].to("zh") in verdict.sentence("zh")


def test_masks_heads_and_w_o() -> None:
    eye = np.eye(4)
    scene = Scene(
        x=np.arange(8.0).reshape(2, 4), w_q=eye, w_k=eye, w_v=eye, w_o=eye[::-1], heads=2, mask=(Causal(),)
    )
    trace = attend(scene)
    assert predict(Cell("q", 0, 1, 0), "4", trace).right
    assert predict(Cell("q", 0, 1, 0), "2", trace).slip == "split_without_transpose"
    assert predict(Cell("scaled", 1, 0, 0), "6.5", trace).slip == "scale_sqrt_d_model"  # 13/2
    assert predict(Cell("weights", 0, 0, 0), "0", trace).slip == "mask_inverted"
    assert predict(Cell("weights", 0, 0, 1), "0.94", trace).slip == "mask_forgotten"
    assert predict(Cell("masked", 0, 0, 1), "-inf", trace).right
    assert predict(Cell("output", None, 0, 1), "1", trace).slip == "w_o_forgotten"


def test_a_slip_that_changes_nothing_here_is_not_blamed() -> None:
    """Row 2 has equal scores: without √d_k the weights are the same, and right is right."""
    trace = attend(by_hand())
    assert predict(Cell("weights", 0, 1, 0), "0.5", trace).right
    assert predict(Cell("weights", 0, 1, 0), "0.9", trace).slip is None


def test_slips_do_not_reach_back() -> None:
    trace = attend(by_hand())
    names = {slip.name for slip in known_slips(Cell("scores", 0, 0, 0), trace)}
    assert names == {"scores_transposed"}
    assert known_slips(Cell("x", None, 0, 0), trace) == ()
    assert known_slips(Cell("w_q", None, 0, 0), trace) == ()


def test_common_slips_first() -> None:
    names = [slip.name for slip in known_slips(Cell("weights", 0, 0, 1), attend(by_hand()))]
    assert names == [slip.name for slip in SLIPS if slip.name in names]
    assert names[0] == "scale_forgotten"


# ---- sentences ----


def test_every_sentence_in_both_languages() -> None:
    for text in (*SENTENCES.values(), *PLACES.values(), *SLIP_SENTENCES.values()):
        assert set(text.words) == {"en", "zh"}
    assert set(PLACES) == {stage.name for stage in STAGES} | set(MATRICES)
    assert set(SLIP_SENTENCES) == {slip.name for slip in SLIPS}
    for slip in SLIPS:
        assert SLIP_SENTENCES[slip.name].to("en") == slip.sentence
        assert SLIP_SENTENCES[slip.name].to("zh") != slip.sentence


def test_no_language_takes_other_data() -> None:
    for text in SENTENCES.values():
        fields = [
            {name for _, name, _, _ in string.Formatter().parse(words) if name}
            for words in text.words.values()
        ]
        assert fields[0] >= fields[1]  # why a number cannot be read is told in English only


def test_cells_are_named_from_one() -> None:
    assert cell_name(Cell("weights", 0, 0, 1), "en") == "row 1, column 2 of the weights, head 1"
    assert cell_name(Cell("weights", 0, 0, 1), "zh") == "第 1 个头权重的第 1 行第 2 列"
    assert cell_name(Cell("w_q", None, 2, 0), "en") == "row 3, column 1 of W_q"


def test_a_language_nobody_speaks_falls_back_to_english() -> None:
    assert say("right", "fr") == "Right."
    assert say("right", "zh_CN") == "正确。"
    assert say("right", "zh-Hans") == "正确。"
    assert Text({"zh": "你好"}).to("en") == "你好"
    assert Verdict("right", "right").sentence("zh_CN") == "正确。"


def test_a_guess_is_told_of_no_hint_as_there_is_none() -> None:
    verdict = predict(Cell("weights", 0, 0, 1), "0.1", attend(by_hand()))
    assert verdict.sentence("en") == "Not yet. Try again, or reveal it."
