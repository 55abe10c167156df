"""Formulas as small trees of numbers and names. How they are written: notation.py."""

from dataclasses import dataclass
from math import isfinite, isnan

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

SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
LOWER = str.maketrans("0123456789aehijklmnoprstuvx", SUBSCRIPTS)
_LATEX = {"α": r"\alpha", "θ": r"\theta", "s′": "s'"}


def symbol(base: str, *indices: int | str, over: str = "", before: bool = False) -> Sym:
    """A letter with indices: α₁,₂. `over`: its head (LaTeX only); `before`: barred, before the position."""
    sub = ",".join(map(str, indices))
    bar = "\N{COMBINING MACRON}" if before else ""
    name = _LATEX.get(base, base if len(base) == 1 else rf"\mathrm{{{base}}}")
    latex = rf"\bar{{{name}}}" if before else name
    return Sym(
        text=base + bar + sub.translate(LOWER),
        html=f"{base}{bar}<sub>{sub}</sub>" if sub else base + bar,
        latex=latex + (f"_{{{sub}}}" if sub else "") + (f"^{{({over})}}" if over else ""),
    )


def entry(matrix: str, *indices: int | str) -> Sym:
    """An entry of a matrix of the scene: w_q with 2, 3 is W_q[2,3], in LaTeX w^q₂,₃; without indices all of it."""
    letter, role = matrix.split("_")
    base = letter.upper() if letter == "w" else letter
    shown = role.upper() if matrix == "w_o" else role
    raised = f"<sup>{shown}</sup>" if matrix == "w_o" else f"<sub>{shown}</sub>"
    if not indices:
        return Sym(f"{base}_{role}", base + raised, rf"{base}^{{{shown}}}")
    where = ",".join(map(str, indices))
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
    value = float(value)
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
