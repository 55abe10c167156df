import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.numbers import MAX_LENGTH, NumberError, compact_number, exact, format_number, parse_number

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2.0),
        ("-0.5", -0.5),
        ("−0.5", -0.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("  7 ", 7.0),
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        ("1e−3", 0.001),
        ("1/3", 1 / 3),
        ("1 / 3", 1 / 3),
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("8/4/2", 1.0),
        ("5-3-1", 1.0),
        ("2^3", 8.0),
        ("2**3", 8.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("--2", 2.0),
        ("+3", 3.0),
        ("sqrt(2)", math.sqrt(2)),
        ("1/sqrt(2)", 1 / math.sqrt(2)),
        ("√2", math.sqrt(2)),
        ("√2/2", math.sqrt(2) / 2),
        ("√(2+2)", 2.0),
        ("√√16", 2.0),
        ("pi", math.pi),
        ("2·π", 2 * math.pi),
        ("PI × 2 ÷ 2", math.pi),
        ("e", math.e),
        ("e^2", math.e**2),
        ("2*e", 2 * math.e),
        ("1e2*e", 100 * math.e),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("∞", math.inf),
        ("−∞", -math.inf),
        ("1/inf", 0.0),
        ("2*inf", math.inf),
    ],
)
def test_understands(text: str, value: float) -> None:
    assert parse_number(text) == value


def test_nan_and_signed_zero() -> None:
    assert math.isnan(parse_number("NaN"))
    assert math.isnan(parse_number("nan+1"))
    assert math.copysign(1, parse_number("-0")) == -1


@pytest.mark.parametrize(
    ("text", "sentence", "at"),
    [
        ("", "Expected a number, but there is no text", 0),
        ("   ", "Expected a number, but there is no text", 0),
        ("-", "Expected a number after '-' at the end", 1),
        ("1/", "Expected a number after '/' at the end", 2),
        ("1/*2", "Expected a number after '/', but found '*' at character 3", 2),
        ("1e", "Expected digits after '1e', as in 1e-3", 2),
        ("1e-", "Expected digits after '1e', as in 1e-3", 2),
        ("1/0", "Division by zero at character 2", 1),
        ("1/(2-2)", "Division by zero at character 2", 1),
        ("0^-1", "Division by zero: 0 to a negative power at character 2", 1),
        ("abc", "'abc' at character 1 is not a number", 0),
        ("2 x", "Expected an operator between '2' and 'x' at character 3", 2),
        ("1 2", "Expected an operator between '1' and '2' at character 3", 2),
        ("1,5", "A decimal is written with a point, not a comma (at character 2)", 1),
        ("3$", "'$' at character 2 has no meaning in a number", 1),
        ("1_000", "'_' at character 2 has no meaning in a number", 1),
        ("(1", "The '(' at character 1 is never closed", 2),
        ("(1 2)", "Expected ')' before '2' at character 4", 3),
        ("1)", "The ')' at character 2 closes no bracket", 1),
        ("sqrt 2", "Expected '(' after 'sqrt' at character 1, as in sqrt(2)", 0),
        ("sqrt(-1)", "The root of a negative number at character 1 is no real number", 0),
        ("(-8)^(1/3)", "A negative number to a fractional power at character 5 is no real number", 4),
        ("1e999", "The result at character 1 is too large for a 64-bit number", 0),
        ("1e308*10", "The result at character 6 is too large for a 64-bit number", 5),
        ("9^9^9^9", "The result at character 4 is too large for a 64-bit number", 3),
        ("inf-inf", "Infinities cancel at character 4, so the result has no value", 3),
        ("0*inf", "Infinities cancel at character 2, so the result has no value", 1),
        ("__import__('os')", "'_' at character 1 has no meaning in a number", 0),
    ],
)
def test_refuses_with_a_sentence(text: str, sentence: str, at: int) -> None:
    with pytest.raises(NumberError) as caught:
        parse_number(text)
    assert str(caught.value) == sentence
    assert caught.value.at == at


def test_length_and_depth_are_bounded() -> None:
    with pytest.raises(NumberError, match="at most 200 characters"):
        parse_number("1" * (MAX_LENGTH + 1))
    with pytest.raises(NumberError, match="nested 40 deep"):
        parse_number("(" * 99 + "1" + ")" * 99)
    with pytest.raises(NumberError, match="nested 40 deep"):
        parse_number("√" * 199 + "1")
    with pytest.raises(NumberError, match="nested 40 deep"):
        parse_number("^".join("1" * 99))
    assert parse_number("(" * 40 + "1" + ")" * 40) == 1
    assert parse_number("-" * 199 + "1") == -1


@given(finite)
def test_exact_text_parses_back_bit_for_bit(value: float) -> None:
    back = parse_number(exact(value))
    assert back == value and math.copysign(1, back) == math.copysign(1, value)
    assert exact(value).isascii()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2"),
        (0.1, "0.1"),
        (-0.0, "-0"),
        (1 / 3, "0.3333333333333333"),
        (-math.inf, "-inf"),
        (1e22, "1e+22"),
    ],
)
def test_exact(value: float, text: str) -> None:
    assert exact(value) == text


@given(st.text(max_size=250) | st.text(alphabet="0123456789.eE+-*/^()√πsqrtinfa ", max_size=60))
@example("1e5e5")
@example("((((((((((9^9)^9)^9)^9)^9)^9)^9)^9)^9)^9)")
def test_any_text_gives_a_number_or_a_sentence(text: str) -> None:
    try:
        assert isinstance(parse_number(text), float)
    except NumberError as error:
        assert str(error) and "\n" not in str(error).replace(text, "")
        assert 0 <= error.at <= max(len(text), MAX_LENGTH)


expressions = st.recursive(
    st.floats(min_value=0, max_value=1e6).map(repr),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map("".join)
        | inner.map("({})".format)
        | inner.map("-{}".format)
    ),
    max_leaves=8,
)


@given(expressions)
def test_agrees_with_python_arithmetic(text: str) -> None:
    if len(text) > MAX_LENGTH:
        return
    try:
        assert parse_number(text) == eval(text)  # noqa: S307  the oracle, on text made above
    except NumberError as error:
        assert "too large" in str(error) or "nested" in str(error)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1.0, 2, "1.00"),
        (1 / 3, 2, "0.33"),
        (-1.5, 1, "−1.5"),
        (-0.001, 2, "0.00"),
        (99999.0, 0, "99999"),
        (123456789.0, 2, "1.2e8"),
        (-1e9, 2, "−1e9"),
        (99999.9, 2, "1e5"),
        (math.nan, 2, "NaN"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
    ],
)
def test_format_number(value: float, decimals: int, text: str) -> None:
    assert format_number(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-2.0, "−2"),
        (0.5, "0.5"),
        (1 / 3, "0.3333"),
        (-1 / 3, "−0.333"),
        (123.456, "123.46"),
        (1234.56, "1234.6"),
        (123456.0, "123456"),
        (1234567.0, "1.23e6"),
        (-1e9, "−1e9"),
        (1e-9, "1e-9"),
        (-1.25e-7, "−1e-7"),
        (1e300, "1e300"),
        (-math.inf, "−∞"),
        (math.nan, "NaN"),
    ],
)
def test_compact_number(value: float, text: str) -> None:
    assert compact_number(value) == text


@given(finite)
def test_compact_number_fits_and_tells_the_size(value: float) -> None:
    text = compact_number(value)
    assert len(text) <= 7  # "−5e-324" alone needs seven
    back = float(text.replace("−", "-"))
    if value:
        assert back == pytest.approx(value, rel=0.5) or math.isinf(back)  # 1.8e308 is no float
