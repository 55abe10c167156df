"""Formulas written as plain text, HTML or LaTeX, and broken into lines.

The LaTeX keeps to what ziamath and latex2mathml typeset.
"""

from collections.abc import Sequence
from html import escape
from typing import ClassVar

from explorer.attention.formula import (
    LOWER,
    SUBSCRIPTS,
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


class Writer:
    """Writes an Expr in one language; this one as plain text. The subclasses say how its parts look."""

    inline: ClassVar[bool] = True  # a/b in a row; else as a fraction
    times: ClassVar[str] = "·"
    plus: ClassVar[str] = " + "
    minus: ClassVar[str] = f" {MINUS} "
    sign: ClassVar[str] = MINUS

    def __init__(self, decimals: int = 4, terms: str = "{count} terms") -> None:
        self.decimals = decimals
        self.terms = terms

    def write(self, expr: Expr) -> str:
        """The whole of `expr` on one line."""
        return "".join(self.pieces(expr, self.inline))

    def pieces(self, expr: Expr, inline: bool = True) -> list[str]:
        """`expr` cut where a line may be broken: before the + and − of its sums; `inline`: without fractions."""
        match expr:
            case Sum((first, *others)):
                added = [piece for term in others for piece in self._added(term, inline)]
                return [*self.pieces(first, inline), *added]
            case Minus(inner):
                return _glued([[self.sign], self._factor(inner, inline)])
            case Product((first, *others)):
                rest = [self._factor(factor, inline, negative=False) for factor in others]
                return _glued([self._factor(first, inline), *rest], self.times)
            case Quotient(top, bottom) if inline:
                above = self.pieces(top) if isinstance(top, Product) else self._factor(top)
                plain = isinstance(bottom, Sigma)
                below = self.pieces(bottom) if plain else self._factor(bottom, product=False)
                return _glued([above, below], "/")
            case Quotient(top, bottom):
                return [self.fraction(self.write(top), self.write(bottom))]
            case Call(name, inner):
                return _glued([[self.function(name)], self._bracketed(self.pieces(inner, inline))])
            case _:
                return [self._whole(expr)]

    def _whole(self, expr: Expr) -> str:
        match expr:
            case Sym():
                return self.sym(expr)
            case Num(value):
                return self.number(value)
            case Rest(count, subtotal):
                return self.rest(self.terms.format(count=count), self.number(subtotal))
            case Root(inner):
                return self.root(inner)
            case Exp(power):
                return self.exp(power)
            case Sigma(index, body):
                return self.sigma(index, self.write(body))
            case _:
                raise TypeError(f"{expr!r} is no formula")

    def _added(self, term: Expr, inline: bool) -> list[str]:
        """One more term of a sum: a negative one is subtracted."""
        match term:
            case Minus(inner):
                return _glued([[self.minus], self._factor(inner, inline)])
            case Num(value) if value < 0:
                return [self.minus + self.number(-value)]
            case Product((Num(value), *others)) if value < 0:
                return _glued([[self.minus], self.pieces(Product((Num(-value), *others)), inline)])
            case _:
                return _glued([[self.plus], self.pieces(term, inline)])

    def _factor(
        self, expr: Expr, inline: bool = True, negative: bool = True, product: bool = True
    ) -> list[str]:
        """In brackets where a factor needs them; `negative`, `product`: a minus, a product may stand bare."""
        loose = isinstance(expr, Sum | Minus | Sigma) or (inline and isinstance(expr, Quotient))
        signed = isinstance(expr, Num) and expr.value < 0 and not negative
        joint = isinstance(expr, Product) and not product
        parts = self.pieces(expr, inline)
        return self._bracketed(parts) if loose or signed or joint else parts

    def _bracketed(self, parts: list[str]) -> list[str]:
        return _glued([["("], parts, [")"]])

    def number(self, value: float) -> str:
        """A value with this writer's decimals."""
        return number(value, self.decimals)

    def sym(self, sym: Sym) -> str:
        """A name."""
        return sym.text

    def rest(self, terms: str, subtotal: str) -> str:
        """The folded terms."""
        return f"… ({terms}: {subtotal})"

    def fraction(self, top: str, bottom: str) -> str:
        """A quotient that is not inline."""
        return f"{top}/{bottom}"

    def root(self, inner: Expr) -> str:
        """√inner."""
        return "√" + "".join(self._factor(inner, product=False))

    def exp(self, power: Expr) -> str:
        """An exponential."""
        text = self.write(power)
        return f"e^{text}" if isinstance(power, Num | Sym) and not text.startswith(MINUS) else f"e^({text})"

    def function(self, name: str) -> str:
        """The name of a function."""
        return name

    def sigma(self, index: str, body: str) -> str:
        """Σ over the index."""
        return f"Σ{index.translate(LOWER)} {body}"


def _glued(groups: Sequence[Sequence[str]], between: str = "") -> list[str]:
    """Groups of pieces one after the other, with no break where one ends and the next begins."""
    glued = list(groups[0])
    for group in groups[1:]:
        glued[-1] += between + group[0]
        glued += group[1:]
    return glued


class Html(Writer):
    """For Qt's rich text."""

    def number(self, value: float) -> str:
        mantissa, e, exponent = number(value, self.decimals).partition("e")
        return f"{mantissa}·10<sup>{exponent.replace('-', MINUS)}</sup>" if e else mantissa

    def sym(self, sym: Sym) -> str:
        return sym.html

    def rest(self, terms: str, subtotal: str) -> str:
        return super().rest(escape(terms), subtotal)

    def exp(self, power: Expr) -> str:
        return f"e<sup>{self.write(power)}</sup>"

    def sigma(self, index: str, body: str) -> str:
        return f"Σ<sub>{index}</sub> {body}"


class Latex(Writer):
    """For ziamath."""

    inline = False
    times = r"\cdot "
    plus = "+"
    minus = "-"
    sign = "-"

    def number(self, value: float) -> str:
        text = number(value, self.decimals).replace(MINUS, "-").replace(INFINITY, r"\infty ")
        mantissa, e, exponent = text.replace("NaN", r"\mathrm{NaN}").partition("e")
        written = rf"{mantissa}\times 10^{{{exponent}}}" if e else mantissa
        return (
            f"{{{written}}}" if written.startswith("-") else written
        )  # or ziamath spaces it as a subtraction

    def sym(self, sym: Sym) -> str:
        return sym.latex

    def rest(self, terms: str, subtotal: str) -> str:
        return rf"\cdots (\text{{{terms}: }}{subtotal})"  # a bare colon is spaced as a ratio

    def fraction(self, top: str, bottom: str) -> str:
        return rf"\frac{{{top}}}{{{bottom}}}"

    def _bracketed(self, parts: list[str]) -> list[str]:
        tall = len(parts) == 1 and r"\frac" in parts[0]
        return [rf"\left({parts[0]}\right)"] if tall else super()._bracketed(parts)

    def root(self, inner: Expr) -> str:
        return rf"\sqrt{{{self.write(inner)}}}"

    def exp(self, power: Expr) -> str:
        return f"e^{{{self.write(power)}}}"

    def function(self, name: str) -> str:
        return rf"\{name} "

    def sigma(self, index: str, body: str) -> str:
        return rf"\sum_{{{index}}} {body}"


def latex_lines(chain: Sequence[Expr], latex: Latex, width: int = 34, rounded: bool = False) -> list[str]:
    """chain[0] = chain[1] = …, in lines about as wide as `width` characters; `rounded`: the last sign is ≈.

    A link that fits is set with fractions; a longer one is set in a row and broken at its sums. Each line but
    the first begins with the sign of a link, or with the plus or minus at which a sum was broken.
    """
    text = Writer(latex.decimals, latex.terms)
    lines: list[str] = []
    room = float(width)
    for link, expr in enumerate(chain):
        sign = "" if link == 0 else r"\approx " if rounded and link == len(chain) - 1 else "= "
        if breadth(expr, text) + 2 <= width:
            parts = [(latex.write(expr), breadth(expr, text))]
        else:
            parts = [(a, _length(b)) for a, b in zip(latex.pieces(expr), text.pieces(expr), strict=True)]
        for at, (part, wide) in enumerate(parts):
            wide += 3 if sign and at == 0 else 0
            # A short end stays on its line; so does what follows the name: "s = 2/√2 = 1.41", as one would write it.
            if lines and wide <= room and (at or link == 1 or len(parts) == 1):
                lines[-1] += part if at else " " + sign + part
            else:
                lines.append("{}" + part if at else sign + part)
                room = width
            room -= wide
    return lines


def breadth(expr: Expr, text: Writer) -> float:
    """How wide `expr` is when it is typeset with fractions, in characters of plain text."""
    match expr:
        case Quotient(top, bottom):
            return max(breadth(top, text), breadth(bottom, text)) + 1
        case Sum(terms) | Product(terms):
            gap = 3 if isinstance(expr, Sum) else 1
            return sum(breadth(term, text) + gap for term in terms) - gap
        case Exp(power):
            return 1 + 0.7 * breadth(power, text)
        case Call(name, inner):
            return len(name) + 2 + breadth(inner, text)
        case _:
            return _length(text.write(expr))


def _length(text: str) -> float:
    """In characters; subscripts are small."""
    return len(text) - 0.4 * sum(letter in SUBSCRIPTS for letter in text)


def joined(chain: Sequence[Expr], writer: Writer, rounded: bool = False) -> str:
    """chain[0] = chain[1] = … on one line; `rounded`: the last sign is ≈."""
    *before, last = map(writer.write, chain)
    return (" ≈ " if rounded else " = ").join([" = ".join(before), last]) if before else last
