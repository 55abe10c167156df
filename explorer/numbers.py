"""Numbers as a person types and reads them.

`parse_number` understands a small grammar of its own; nothing is ever evaluated as Python::

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "+" | "-" } power
    power   = atom [ ("^" | "**") signed ]              right-associative: 2^3^2 = 2^9
    atom    = decimal | "pi" | "e" | "inf" | "nan" | "(" sum ")" | "sqrt" "(" sum ")" | "√" atom

`·` and `×` read as `*`, `÷` as `/`, `−` as `-`, `π` and `∞` by their names; case doesn't matter.
"""

import math
import re
from typing import NamedTuple

MAX_LENGTH = 200
MAX_DEPTH = 40

MINUS = "\N{MINUS SIGN}"
INFINITY = "\N{INFINITY}"


class NumberError(ValueError):
    """A text that is not a number; one plain sentence, and `at`: the character at fault (from 0)."""

    def __init__(self, sentence: str, at: int = 0) -> None:
        super().__init__(sentence)
        self.at = at


class _Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def place(self) -> str:
        return f"character {self.at + 1}"


_SAME_LENGTH = str.maketrans({MINUS: "-", "·": "*", "×": "*", "÷": "/"})
_TOKENS = re.compile(
    r"""(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | (?P<name>[^\W\d_]+|[∞√])
      | (?P<operator>\*\*|[-+*/^()])
      | (?P<space>\s+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_CONSTANTS = {
    "pi": math.pi,
    "π": math.pi,
    "e": math.e,
    "inf": math.inf,
    "infinity": math.inf,
    "∞": math.inf,
    "nan": math.nan,
}


def parse_number(text: str) -> float:
    """The value of what was typed: `-0.5`, `1e-3`, `1/3`, `sqrt(2)/2`, `2*pi`, `-inf`, `nan`.

    Raises NumberError for text outside the grammar, longer than 200 characters or nested deeper than 40,
    and for arithmetic without a 64-bit value (division by zero, overflow, root of a negative number).
    """
    if len(text) > MAX_LENGTH:
        raise NumberError(
            f"A number may have at most {MAX_LENGTH} characters; this has {len(text)}", MAX_LENGTH
        )
    return _Parser(text).value()


class _Parser:
    """Recursive descent over the tokens of one short text; the depth is bounded, so the stack is too."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.next = 0
        self.depth = 0
        self.end = len(text)

    def value(self) -> float:
        if not self.tokens:
            raise NumberError("Expected a number, but there is no text")
        value = self.sum()
        if (token := self.peek()) is not None:
            before = self.tokens[self.next - 1].text
            if token.text == ")":
                raise NumberError(f"The ')' at {token.place} closes no bracket", token.at)
            raise NumberError(
                f"Expected an operator between '{before}' and '{_shorten(token.text)}' at {token.place}",
                token.at,
            )
        return value

    def peek(self) -> _Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def accept(self, *texts: str) -> _Token | None:
        """The next token if it is one of these, and step past it."""
        token = self.peek()
        if token is None or token.text not in texts:
            return None
        self.next += 1
        return token

    def sum(self) -> float:
        value = self.product()
        while operator := self.accept("+", "-"):
            right = self.product()
            total = value + right if operator.text == "+" else value - right
            value = _finish(total, (value, right), operator)
        return value

    def product(self) -> float:
        value = self.signed()
        while operator := self.accept("*", "/"):
            right = self.signed()
            if operator.text == "*":
                value = _finish(value * right, (value, right), operator)
            elif right == 0:
                raise NumberError(f"Division by zero at {operator.place}", operator.at)
            else:
                value = _finish(value / right, (value, right), operator)
        return value

    def signed(self) -> float:
        sign = 1.0
        while operator := self.accept("+", "-"):
            if operator.text == "-":
                sign = -sign
        value = self.power()
        return -value if sign < 0 else value

    def power(self) -> float:
        base = self.atom()
        operator = self.accept("^", "**")
        if operator is None:
            return base
        self.deeper(operator)
        exponent = self.signed()
        self.depth -= 1
        try:
            # math.pow, not **: a negative base with a fractional exponent is an error, not a complex number
            return _finish(math.pow(base, exponent), (base, exponent), operator)
        except OverflowError:
            raise _too_large(operator) from None
        except ValueError:
            if base == 0:
                sentence = f"Division by zero: 0 to a negative power at {operator.place}"
            else:
                sentence = f"A negative number to a fractional power at {operator.place} is no real number"
            raise NumberError(sentence, operator.at) from None

    def atom(self) -> float:
        token = self.peek()
        if token is None or (token.kind == "operator" and token.text != "("):
            raise self.missing(token)
        self.next += 1
        if token.kind == "number":
            return _decimal(token, self.peek())
        if token.text == "(":
            return self.bracket(token)
        name = token.text.lower()
        if name == "sqrt":
            opening = self.accept("(")
            if opening is None:
                raise NumberError(f"Expected '(' after 'sqrt' at {token.place}, as in sqrt(2)", token.at)
            return _root(self.bracket(opening), token)
        if name == "√":
            self.deeper(token)
            value = self.atom()
            self.depth -= 1
            return _root(value, token)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        raise NumberError(f"'{_shorten(token.text)}' at {token.place} is not a number", token.at)

    def bracket(self, opening: _Token) -> float:
        self.deeper(opening)
        value = self.sum()
        self.depth -= 1
        if self.accept(")") is None:
            token = self.peek()
            if token is None:
                raise NumberError(f"The '(' at {opening.place} is never closed", self.end)
            raise NumberError(f"Expected ')' before '{token.text}' at {token.place}", token.at)
        return value

    def deeper(self, token: _Token) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NumberError(f"Brackets and powers may be nested {MAX_DEPTH} deep at most", token.at)

    def missing(self, found: _Token | None) -> NumberError:
        before = f" after '{self.tokens[self.next - 1].text}'" if self.next else ""
        if found is None:
            return NumberError(f"Expected a number{before} at the end", self.end)
        return NumberError(f"Expected a number{before}, but found '{found.text}' at {found.place}", found.at)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in _TOKENS.finditer(text.translate(_SAME_LENGTH)):
        token = _Token(match.lastgroup or "other", match.group(), match.start())
        if token.kind == "other":
            if token.text == "," and tokens and tokens[-1].kind == "number":
                raise NumberError(
                    f"A decimal is written with a point, not a comma (at {token.place})", token.at
                )
            raise NumberError(f"'{token.text}' at {token.place} has no meaning in a number", token.at)
        if token.kind != "space":
            tokens.append(token)
    return tokens


def _decimal(token: _Token, following: _Token | None) -> float:
    if (
        following is not None
        and following.text.lower() == "e"
        and following.at == token.at + len(token.text)
        and "e" not in token.text.lower()
    ):
        typed = token.text + following.text
        raise NumberError(f"Expected digits after '{typed}', as in 1e-3", following.at + 1)
    value = float(token.text)
    if math.isinf(value):
        raise _too_large(token)
    return value


def _root(value: float, token: _Token) -> float:
    if value < 0:
        raise NumberError(f"The root of a negative number at {token.place} is no real number", token.at)
    return math.sqrt(value)


def _finish(result: float, operands: tuple[float, float], operator: _Token) -> float:
    """The result, unless finite operands overflowed or infinite ones cancelled (`inf - inf`)."""
    if math.isinf(result) and all(map(math.isfinite, operands)):
        raise _too_large(operator)
    if math.isnan(result) and not any(map(math.isnan, operands)):
        raise NumberError(f"Infinities cancel at {operator.place}, so the result has no value", operator.at)
    return result


def _too_large(token: _Token) -> NumberError:
    return NumberError(f"The result at {token.place} is too large for a 64-bit number", token.at)


def _place(token: _Token) -> str:
    return f"character {token.at + 1}"


def _shorten(text: str, limit: int = 20) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def exact(value: float) -> str:
    """The shortest ASCII text that parses back to exactly this value: `2`, `0.1`, `1e-07`, `-inf`."""
    text = repr(float(value))
    return text.removesuffix(".0")


def format_number(value: float, decimals: int = 2) -> str:
    """For display with a fixed number of decimals: `0.33`, `−1.00`, `−∞`, `NaN`; from 100000 up `1.2e8`."""
    if (special := _special(value)) is not None:
        return special
    if abs(value) >= 99999.5:
        return _scientific(value, 1)
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", MINUS)


def compact_number(value: float, width: int = 6) -> str:
    """For display in a cell of `width` characters: as short as the value allows, else rounded to fit.

    `1`, `0.5`, `0.3333`, `−0.333`, `123.46`, `1.2e-9`. A value other than zero never reads 0; where not
    even `1e9` fits (`−1e-300`), it is a little longer than `width`.
    """
    if (special := _special(value)) is not None:
        return special
    value = float(value)
    if value == 0:
        return "0"
    for decimals in range(4, -1, -1):
        text = f"{value:.{decimals}f}"
        if "." in text:
            text = text.rstrip("0").rstrip(".")
        if len(text) <= width and _tells(text, value):
            return text.replace("-", MINUS)
    for digits in (2, 1):
        text = _scientific(value, digits)
        if len(text) <= width:
            return text
    return _scientific(value, 0)


def _tells(text: str, value: float) -> bool:
    """Whether a rounded text is within 5 % of its value, so that it doesn't mislead."""
    return abs(float(text) - value) <= 0.05 * abs(value)


def _special(value: float) -> str | None:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return INFINITY if value > 0 else MINUS + INFINITY
    return None


def _scientific(value: float, digits: int) -> str:
    mantissa, exponent = f"{abs(value):.{digits}e}".split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    # the exponent's minus stays ASCII: in small type `e−9` reads as a subtraction
    return f"{MINUS if value < 0 else ''}{mantissa}e{int(exponent)}"
