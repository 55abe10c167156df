"""= or ≈: whether the numbers as shown come to the result as shown."""

import pytest

from explorer.attention.formula import (
    Call,
    Exp,
    Expr,
    Minus,
    Num,
    Product,
    Quotient,
    Rest,
    Root,
    Sigma,
    Sum,
    Sym,
)
from explorer.attention.rounding import comes_out

LETTER = Sym("x", "x", "x")


def product(a: float, b: float) -> Expr:
    return Product((Num(a), Num(b)))


@pytest.mark.parametrize(
    ("working", "result", "decimals", "out"),
    [
        (Quotient(Sum((product(1, 0), product(2, 1))), Root(Num(2))), 2**0.5, 2, True),
        (Sum((Num(0.333), Num(0.333), Num(0.333))), 0.999, 2, False),  # 0.33 + 0.33 + 0.33 is 0.99, not 1.00
        (Sum((Num(0.333), Num(0.333), Num(0.333))), 0.999, 3, True),
        (Sum((Num(1.5), Rest(58, 2.004), Minus(Num(0.5)))), 3.004, 2, True),
        (Quotient(Exp(Num(1)), Num(2)), 1.3591, 2, True),
        (Product((Num(5), Call("tanh", Quotient(Num(1), Num(5))))), 0.98688, 2, True),
        (Quotient(Num(0.004), Num(0.004)), 1.0, 2, True),
        (Quotient(Num(1), Num(0)), float("nan"), 2, True),
        (Sum((Num(float("inf")), Minus(Num(float("inf"))))), float("nan"), 2, True),
        (Exp(Num(1e6)), float("inf"), 2, False),
        (LETTER, 3.0, 2, True),
        (Sum((LETTER, Num(1.004))), 3.0, 2, True),
        (Sigma("j", LETTER), 3.0, 2, True),
    ],
)
def test_comes_out(working: Expr, result: float, decimals: int, out: bool) -> None:
    assert comes_out([LETTER, working, Num(result)], decimals) is out


def test_a_result_alone_comes_out() -> None:
    assert comes_out([Num(1.0)], 2)
    assert comes_out([LETTER, Sym("1 → 2", "", "")], 2)
