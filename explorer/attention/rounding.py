"""Whether a formula with rounded numbers comes to the rounded result that is written behind it."""

from collections.abc import Sequence
from math import exp, fsum, inf, isnan, nan, prod, sqrt, tanh

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
    number,
)
from explorer.numbers import INFINITY, MINUS


def comes_out(chain: Sequence[Expr], decimals: int) -> bool:
    """Whether who works out the last but one link with the numbers as shown gets the last link as shown.

    Letters are not worked out: True.
    """
    if len(chain) < 2:
        return True
    *_, working, result = chain
    try:
        value = _value(working, decimals)
    except (OverflowError, ZeroDivisionError, ValueError):
        value = nan
    if value is None or not isinstance(result, Num):
        return True
    found, wanted = _shown(value, decimals), _shown(result.value, decimals)
    return found == wanted or (isnan(found) and isnan(wanted))


def _value(expr: Expr, decimals: int) -> float | None:
    """The value of `expr` with every number rounded as it is shown; None where there are letters in it."""
    match expr:
        case Sym() | Sigma():
            return None
        case Num(value) | Rest(_, value):
            return _shown(value, decimals)
        case Sum(parts) | Product(parts):
            values = [_value(part, decimals) for part in parts]
            known = [value for value in values if value is not None]
            if len(known) < len(values):
                return None
            return prod(known) if isinstance(expr, Product) else _sum(known)
        case Quotient(top, bottom):
            above, below = _value(top, decimals), _value(bottom, decimals)
            return None if above is None or below is None else above / below
        case Minus(inner) | Root(inner) | Exp(inner) | Call(_, inner):
            value_inside = _value(inner, decimals)
            return None if value_inside is None else _applied(expr, value_inside)


def _applied(expr: Expr, value: float) -> float:
    match expr:
        case Minus():
            return -value
        case Root():
            return sqrt(value)
        case Exp():
            return exp(value)
        case _:  # the one function in use
            return tanh(value)


def _sum(values: list[float]) -> float:
    return sum(values) if any(isnan(v) or abs(v) == inf for v in values) else fsum(values)


def _shown(value: float, decimals: int) -> float:
    text = number(value, decimals).replace(MINUS, "-").replace(INFINITY, "inf")
    return float(text)
