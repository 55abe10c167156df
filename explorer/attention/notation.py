"""Formulas as small trees, written as plain text, HTML or LaTeX, and broken into lines.

The LaTeX keeps to what ziamath and latex2mathml typeset.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan
from typing import ClassVar

from explorer.numbers import INFINITY, MINUS

FULL = 1e7  # whole numbers are written out below this, others below a hundredth of it


@dataclass(frozen=True)
class Sym:
    """A name, ready in each language."""

    text: str
    html: str
    latex: str


@dataclass(frozen=True)
class Num:
    """A value, rounded when it is written."""

    value: float


@dataclass(frozen=True)
class Rest:
    """The folded part of a sum: how many terms, and what they add up to."""

    count: int
    subtotal: float


@dataclass(frozen=True)
class Minus:
    """−inner; inside a Sum it is subtracted."""

    inner: "Expr"


@dataclass(frozen=True)
class Sum:
    """Terms added up."""

    terms: tuple["Expr", ...]


@dataclass(frozen=True)
class Product:
    """Factors multiplied."""

    factors: tuple["Expr", ...]


@dataclass(frozen=True)
class Quotient:
    """top / bottom."""

    top: "Expr"
    bottom: "Expr"


@dataclass(frozen=True)
class Root:
    """√inner."""

    inner: "Expr"


@dataclass(frozen=True)
class Exp:
    """e to the power."""

    power: "Expr"


@dataclass(frozen=True)
class Call:
    """A function such as tanh, applied."""

    name: str
    inner: "Expr"


@dataclass(frozen=True)
class Sigma:
    """The sum of `body` over an index."""

    index: str
    body: "Expr"


Expr = Sym | Num | Rest | Minus | Sum | Product | Quotient | Root | Exp | Call | Sigma

_LOWER = str.maketrans("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_LATEX = {"α": r"\alpha", "θ": r"\theta", "s′": "s'"}


def symbol(base: str, *indices: int | str, over: str = "", before: bool = False) -> Sym:
    """A letter with indices: α₁,₂. `over`: its head (LaTeX only); `before`: barred, before the position."""
    sub = ",".join(map(str, indices))
    bar = "\N{COMBINING MACRON}" if before else ""
    name = _LATEX.get(base, base if len(base) == 1 else rf"\mathrm{{{base}}}")
    latex = rf"\bar{{{name}}}" if before else name
    return Sym(
        text=base + bar + sub.translate(_LOWER),
        html=f"{base}{bar}<sub>{sub}</sub>" if sub else base + bar,
        latex=latex + (f"_{{{sub}}}" if sub else "") + (f"^{{({over})}}" if over else ""),
    )


def entry(matrix: str, *indices: int | str) -> Sym:
    """An entry of a matrix of the scene: w_q with 2, 3 is W_q[2,3], in LaTeX w^q₂,₃."""
    letter, role = matrix.split("_")
    base = letter.upper() if letter == "w" else letter
    where = ",".join(map(str, indices))
    shown = role.upper() if matrix == "w_o" else role
    raised = f"<sup>{shown}</sup>" if matrix == "w_o" else f"<sub>{shown}</sub>"
    return Sym(f"{base}_{role}[{where}]", f"{base}{raised}[{where}]", rf"{letter}^{{{shown}}}_{{{where}}}")


def dot(row: int, col: int) -> Sym:
    """q₁·k₂: the raw score of one pair."""
    return Sym(
        f"{symbol('q', row).text}·{symbol('k', col).text}",
        f"{symbol('q', row).html}·{symbol('k', col).html}",
        rf"q_{{{row}}}\cdot k_{{{col}}}",
    )


def number(value: float, decimals: int = 4) -> str:
    """`2`, `0.5`, `1.4142`, `−∞`, `1.25e12`: trailing zeros only where it was rounded, tiny never reads 0.

    From 1e5 (whole numbers from 1e7) and where a value below 0.01 would read 0 it becomes scientific.
    """
    if isnan(value):
        return "NaN"
    if not isfinite(value):
        return INFINITY if value > 0 else MINUS + INFINITY
    fixed = f"{value:.{decimals}f}"
    if abs(value) >= (FULL if value.is_integer() else FULL / 100) or (
        float(fixed) == 0 and 0 < abs(value) < 0.01
    ):
        mantissa, exponent = f"{value:.{max(decimals, 1)}e}".split("e")
        return f"{_trimmed(mantissa)}e{int(exponent)}".replace("-", MINUS, value < 0)
    if float(fixed) == value:
        fixed = _trimmed(fixed)
    return fixed.removeprefix("-") if float(fixed) == 0 else fixed.replace("-", MINUS)


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


class Writer:
    """Writes an Expr in one language; the subclasses say how its parts look."""

    times: ClassVar[str] = "·"
    plus: ClassVar[str] = " + "
    minus: ClassVar[str] = f" {MINUS} "
    sign: ClassVar[str] = MINUS

    def __init__(self, decimals: int = 4, terms: str = "{count} terms") -> None:
        self.decimals = decimals
        self.terms = terms

    def write(self, expr: Expr) -> str:
        """The whole of `expr` on one line."""
        match expr:
            case Sym():
                return self.sym(expr)
            case Num(value):
                return self.number(value)
            case Rest(count, subtotal):
                return self.rest(self.terms.format(count=count), self.number(subtotal))
            case Minus(inner):
                return self.sign + self.factor(inner)
            case Sum():
                return "".join(self.pieces(expr))
            case Product(factors):
                rest = (self.factor(f, negative=False) for f in factors[1:])
                return self.times.join([self.factor(factors[0]), *rest])
            case Quotient(top, bottom):
                return self.quotient(top, bottom)
            case Root(inner):
                return self.root(inner)
            case Exp(power):
                return self.exp(power)
            case Call(name, inner):
                return self.call(name, self.write(inner))
            case Sigma(index, body):
                return self.sigma(index, self.write(body))

    def pieces(self, expr: Expr) -> list[str]:
        """`expr` written in a line, cut where a line may be broken: before the + and − of its sums."""
        match expr:
            case Sum(terms):
                first, *others = terms
                return [self.write(first), *map(self._added, others)]
            case Quotient(Sum() as top, bottom):
                parts = self.pieces(top)
                return ["(" + parts[0], *parts[1:-1], f"{parts[-1]})/{self.factor(bottom)}"]
            case Quotient(top, Sum() as bottom):
                parts = self.pieces(bottom)
                return [f"{self.factor(top)}/({parts[0]}", *parts[1:-1], parts[-1] + ")"]
            case _:
                return [self.write(expr)]

    def _added(self, term: Expr) -> str:
        match term:
            case Minus(inner):
                return self.minus + self.factor(inner)
            case Num(value) if value < 0:
                return self.minus + self.number(-value)
            case Product((Num(value), *others)) if value < 0:
                return self.minus + self.write(Product((Num(-value), *others)))
            case _:
                return self.plus + self.write(term)

    def factor(self, expr: Expr, negative: bool = True) -> str:
        """`expr` in brackets where a product or quotient needs them; `negative`: a minus may stand bare."""
        loose = isinstance(expr, Sum | Minus | Quotient | Sigma)
        signed = isinstance(expr, Num) and expr.value < 0 and not negative
        return f"({self.write(expr)})" if loose or signed else self.write(expr)

    def number(self, value: float) -> str:
        """A value with this writer's decimals."""
        return number(value, self.decimals)

    def sym(self, sym: Sym) -> str:
        """A name."""
        return sym.text

    def rest(self, terms: str, subtotal: str) -> str:
        """The folded terms."""
        return f"… ({terms}: {subtotal})"

    def quotient(self, top: Expr, bottom: Expr) -> str:
        """Top / bottom."""
        above = self.write(top) if isinstance(top, Product | Sigma) else self.factor(top)
        below = f"({self.write(bottom)})" if isinstance(bottom, Product) else self.factor(bottom)
        return f"{above}/{below}"

    def root(self, inner: Expr) -> str:
        """√inner."""
        return "√" + self.factor(inner)

    def exp(self, power: Expr) -> str:
        """E to the power."""
        text = self.write(power)
        return f"e^{text}" if isinstance(power, Num | Sym) and not text.startswith(MINUS) else f"e^({text})"

    def call(self, name: str, inner: str) -> str:
        """name(inner)."""
        return f"{name}({inner})"

    def sigma(self, index: str, body: str) -> str:
        """Σ over the index."""
        return f"Σ{index.translate(_LOWER)} {body}"


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
    """For ziamath. Quotients are fractions, except in `pieces`."""

    times = r"\cdot "
    plus = "{}+"
    minus = "{}-"
    sign = "-"

    def number(self, value: float) -> str:
        text = number(value, self.decimals).replace(MINUS, "-").replace(INFINITY, r"\infty ")
        mantissa, e, exponent = text.replace("NaN", r"\mathrm{NaN}").partition("e")
        return rf"{mantissa}\times 10^{{{exponent}}}" if e else mantissa

    def sym(self, sym: Sym) -> str:
        return sym.latex

    def rest(self, terms: str, subtotal: str) -> str:
        return rf"\cdots (\text{{{terms}}}: {subtotal})"

    def quotient(self, top: Expr, bottom: Expr) -> str:
        return rf"\frac{{{self.write(top)}}}{{{self.write(bottom)}}}"

    def root(self, inner: Expr) -> str:
        return rf"\sqrt{{{self.write(inner)}}}"

    def exp(self, power: Expr) -> str:
        return f"e^{{{self.write(power)}}}"

    def call(self, name: str, inner: str) -> str:
        return rf"\{name}({inner})"

    def sigma(self, index: str, body: str) -> str:
        return rf"\sum_{{{index}}} {body}"


def latex_lines(chain: Sequence[Expr], latex: Latex, width: int = 34) -> list[str]:
    """chain[0] = chain[1] = …, in lines about as wide as `width` characters of plain text.

    A link that fits is set with fractions; a longer one is set in a row and broken at its sums. Each line but
    the first begins with "=", or with the sign at which a sum was broken.
    """
    text = Writer(latex.decimals, latex.terms)
    lines: list[str] = []
    room = 0.0
    for link, expr in enumerate(chain):
        equals = "= " if link else ""
        if breadth(expr, text) + len(equals) <= width:
            parts = [(latex.write(expr), breadth(expr, text))]
        else:
            parts = [(a, len(b)) for a, b in zip(latex.pieces(expr), text.pieces(expr), strict=True)]
        for number, (part, wide) in enumerate(parts):
            lead = equals if number == 0 else ""
            # Short ends may follow on the line before: "s = 2/√2 = 1.41" is one line, as one would write it.
            if lines and wide + len(lead) + 1 <= room and (number or len(parts) == 1):
                lines[-1] += lead + part if number else " " + lead + part
            else:
                lines.append(lead + part)
                room = width
            room -= wide + len(lead) + (0 if number else 1)
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
        case _:
            return len(text.write(expr))


def joined(chain: Iterable[Expr], writer: Writer) -> str:
    """chain[0] = chain[1] = … on one line."""
    return " = ".join(writer.write(expr) for expr in chain)
