import warnings
from math import fsum, inf, log2, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.explain import Term, View, explain, fold
from explorer.attention.formula import (
    Call,
    Exp,
    Minus,
    Num,
    Product,
    Quotient,
    Root,
    Sum,
    Sym,
    entry,
    number,
    symbol,
)
from explorer.attention.masks import Causal
from explorer.attention.notation import Html, Latex, Writer, latex_lines
from explorer.attention.places import cell_at
from explorer.attention.rows import effective_keys, row_entropy, row_facts
from explorer.attention.steps import SENTENCES, Terms, total
from explorer.attention.trace import Cell
from explorer.scene import Scene
from tests.attention.random_scenes import scenes
from tests.attention.test_explain import some_cells

a, b = symbol("a"), symbol("b")


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (2.0, 4, "2"), (-1.0, 0, "−1"), (0.5, 4, "0.5"), (2**0.5, 4, "1.4142"), (2**0.5, 2, "1.41"), (2**0.5, 0, "1"),
        (1 / 3, 6, "0.333333"), (0.50001, 2, "0.50"), (-0.0, 2, "0"), (1e-5, 2, "1e-5"), (-1.25e-5, 4, "−1.25e-5"),
        (0.3, 0, "0"), (123456.0, 2, "123456"), (1e12, 2, "1e12"), (123456.789, 2, "1.23e5"), (inf, 2, "∞"),
        (-inf, 2, "−∞"), (nan, 2, "NaN"),
    ],
)  # fmt: skip
def test_numbers_are_as_short_as_their_value_allows(value: float, decimals: int, text: str) -> None:
    assert number(value, decimals) == text


@pytest.mark.parametrize(
    ("expr", "text", "latex"),
    [
        (Sum((a, b)), "a + b", "a+b"),
        (Sum((Num(1), Num(-2), Minus(a))), "1 − 2 − a", "1-2-a"),
        (Product((Num(-1), Num(-2))), "−1·(−2)", r"{-1}\cdot ({-2})"),
        (Sum((a, Product((Num(-3), b)))), "a − 3·b", r"a-3\cdot b"),
        (Product((Sum((a, b)), Num(2))), "(a + b)·2", r"(a+b)\cdot 2"),
        (Quotient(Sum((a, b)), Root(Num(2))), "(a + b)/√2", r"\frac{a+b}{\sqrt{2}}"),
        (Quotient(Product((a, b)), Product((a, b))), "a·b/(a·b)", r"\frac{a\cdot b}{a\cdot b}"),
        (Quotient(Quotient(a, b), a), "(a/b)/a", r"\frac{\frac{a}{b}}{a}"),
        (Exp(Num(-1.5)), "e^(−1.5)", "e^{{-1.5}}"),
        (Exp(a), "e^a", "e^{a}"),
        (Call("tanh", Quotient(a, b)), "tanh(a/b)", r"\tanh \left(\frac{a}{b}\right)"),
        (Num(-2.5e-7), "−2.5e-7", r"{-2.5\times 10^{-7}}"),
        (entry("w_o", 1, 2), "W_o[1,2]", "w^{O}_{1,2}"),
        (symbol("α", 1, 12, over="2"), "α₁,₁₂", r"\alpha_{1,12}^{(2)}"),
    ],
)
def test_formulas_are_bracketed_as_they_must_be(expr: Sym, text: str, latex: str) -> None:
    assert (Writer().write(expr), Latex().write(expr)) == (text, latex)


def test_html_is_rich_text() -> None:
    assert Html().write(Quotient(Exp(Num(-2.5e-7)), entry("w_q", 1, 2))) == (
        "e<sup>−2.5·10<sup>−7</sup></sup>/W<sub>q</sub>[1,2]"
    )
    assert Html().write(symbol("α", 1, 2)) == "α<sub>1,2</sub>"


def terms_of(values: list[float]) -> list[Term]:
    return [Term(i, (value, 1.0), value) for i, value in enumerate(values)]


numbers = st.lists(st.floats(-1e6, 1e6), max_size=30)


@given(numbers, st.integers(0, 10), st.booleans())
def test_a_folded_sum_adds_up_to_the_whole(values: list[float], keep: int, largest: bool) -> None:
    folded = fold(terms_of(values), keep, largest)
    shown = [t.value for t in (*folded.first, *folded.last)]
    hidden = 0.0 if folded.rest is None else folded.rest.subtotal
    assert fsum([*shown, hidden]) == pytest.approx(fsum(values), rel=1e-12, abs=1e-9)
    assert len(shown) + (folded.rest.count if folded.rest else 0) == len(values)
    assert folded.rest is None or (len(shown) == keep and folded.rest.count > 1)


def test_sums_fold_in_the_middle_or_after_the_largest() -> None:
    terms = terms_of([1.0, -9.0, 2.0, 3.0, 8.0, nan, 4.0])
    middle = fold(terms, keep=3)
    assert [t.index for t in middle.first] == [0, 1] and [t.index for t in middle.last] == [6]
    assert [t.index for t in fold(terms, keep=3, largest=True).first] == [5, 1, 4]
    assert fold(terms, keep=6).rest is None  # a fold of one term would save nothing


@given(st.lists(st.floats(width=64), max_size=30), st.integers(0, 10), st.booleans())
def test_terms_in_columns_are_the_same_terms(values: list[float], keep: int, largest: bool) -> None:
    column = np.array(values, dtype=float)
    listed = [Term(i, (value, 1.0), value, (Cell("q", 0, i, 2),)) for i, value in enumerate(values)]
    columns = Terms((column, np.ones(len(values))), column, lambda i: (Cell("q", 0, i, 2),))
    assert len(columns) == len(listed)
    assert list(map(repr, columns)) == list(map(repr, listed))  # a NaN equals itself in writing
    assert repr(columns[-5:3]) == repr(tuple(listed[-5:3]))
    assert repr(fold(columns, keep, largest)) == repr(fold(listed, keep, largest))
    assert [t.index for t in columns.having(np.isinf)] == [i for i, v in enumerate(values) if abs(v) == inf]
    with pytest.raises(IndexError):
        columns[len(values)]


def test_long_sums_are_folded_and_broken_into_lines() -> None:
    wide = Scene(
        x=np.full((2, 40), 0.3), w_q=np.full((40, 1), -1.5), w_k=np.ones((40, 1)), w_v=np.ones((40, 1))
    )
    found = explain(wide, attend(wide), cell_at(wide, "q", 1, 1, 1))
    assert "0.3·(−1.5) + … (36 terms: −16.2) + 0.3·(−1.5)" in found.text(keep=4)
    lines = found.latex(2, keep=4, width=24, terms="{count} Summanden")
    assert lines[0] == r"q_{1,1} = \sum_{r} x_{1,r}\cdot w^{q}_{r,1}"
    assert lines[1] == r"= 0.3\cdot ({-1.5})"
    assert r"\cdots (\text{36 Summanden: }{-16.2})" in "".join(lines)
    assert lines[-1].endswith("= {-18}")


def test_a_line_is_broken_only_at_its_sums() -> None:
    long = Quotient(Sum(tuple(Product((Num(1.25), Num(2.5))) for _ in range(5))), Root(Num(2)))
    assert latex_lines([a, long, Num(3)], Latex(2), width=20) == [
        r"a = (1.25\cdot 2.5",
        r"{}+1.25\cdot 2.5",
        r"{}+1.25\cdot 2.5",
        r"{}+1.25\cdot 2.5",
        r"{}+1.25\cdot 2.5)/\sqrt{2} = 3",
    ]


@pytest.fixture(scope="module")
def ziamath() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of importlib.resources, in ziamath 0.13 itself
        import ziamath
    ziamath.config.svg2 = False  # as Qt needs it
    return ziamath


@settings(max_examples=6)
@given(scenes(), st.integers(0, 2**32 - 1), st.sampled_from([0, 2, 6]))
def test_ziamath_typesets_every_line_within_the_inspector(
    ziamath: Any, scene: Scene, seed: int, decimals: int
) -> None:
    trace = attend(scene)
    for cell in some_cells(scene, np.random.default_rng(seed), most=1):
        found = explain(scene, trace, cell)
        steps = [line for step in found.steps for line in step.latex(View(decimals))]
        for line in [found.name_latex, *found.latex(decimals), *steps]:
            width, height = ziamath.Latex(line, size=16).getsize()
            assert 0 < width < 400 and 0 < height < 100, line


def test_a_row_spread_over_m_keys_has_m_effective_keys() -> None:
    assert row_entropy(np.full(8, 0.125)) == 3.0 and effective_keys(np.full(8, 0.125)) == 8.0
    assert row_entropy(np.array([0.0, 1.0])) == 0.0 and effective_keys(np.array([0.0, 1.0])) == 1.0
    assert row_entropy(np.array([0.25, 0.75])) == pytest.approx(-0.25 * log2(0.25) - 0.75 * log2(0.75))
    assert effective_keys(np.zeros(3)) == 0.0 and np.isnan(effective_keys(np.array([nan, 0.5])))


def test_the_facts_of_a_row() -> None:
    scene = Scene(
        x=np.eye(3), w_q=np.zeros((3, 1)), w_k=np.ones((3, 1)), w_v=np.ones((3, 1)), mask=(Causal(),)
    )
    assert row_facts(attend(scene), 0, 1) == (1.0, 2.0, 2)


def test_total_is_exact_and_knows_the_infinite() -> None:
    assert total([0.1] * 10) == 1.0 and total([]) == 0.0
    assert total([inf, 1.0]) == inf and np.isnan(total([inf, -inf]))
    assert total([1e308, 1e308]) == inf


@given(scenes(), st.integers(0, 2**32 - 1))
def test_every_sentence_is_in_the_list(scene: Scene, seed: int) -> None:
    trace = attend(scene)
    for cell in some_cells(scene, np.random.default_rng(seed), most=2):
        found = explain(scene, trace, cell)
        for sentence in (*found.notes, *(step.title for step in found.steps)):
            assert sentence.text and sentence.key in SENTENCES
