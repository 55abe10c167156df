"""What matrices are called on a worksheet, and the formula of each step."""

import numpy as np

from explorer.attention.formula import (
    Call,
    Exp,
    Expr,
    Minus,
    Num,
    Product,
    Quotient,
    Root,
    Sigma,
    Sum,
    Sym,
    symbol,
)
from explorer.files.worksheet.blanks import given_bias
from explorer.files.worksheet.model import Formula
from explorer.scene import Array, Scene

WIDTH = Sym("d_k", "d<sub>k</sub>", "d_k")
LETTERS = {
    "x": "X", "context": "C", "q": "Q", "k": "K", "v": "V", "scaled": "S", "masked": "S′", "weights": "A",
    "head_outputs": "O", "output": "Y",
}  # fmt: skip


def name_of(scene: Scene, place: str, head: int | None = None) -> Sym:
    """Q₂: the name of a matrix; the number of a head is left out where there is one head."""
    if place == "concat":
        return Sym("concat", "concat", r"\mathrm{concat}")
    if place == "x" and scene.position.added(1, scene.d_model) is not None:
        return Sym("X + P", "X + P", "X+P")
    if place in ("typed_x", "positions"):
        return symbol("X" if place == "typed_x" else "P")
    if place[1:2] == "_":
        return _weights(place)
    if place == "bias":
        return symbol("B", *(() if head is None or len(_bias(scene)) == 1 else (head + 1,)))
    number = () if head is None or scene.heads == 1 else (head + 1,)
    if place == "scores":
        group = () if head is None or scene.heads == 1 else (scene.kv_head(head) + 1,)
        q, k = symbol("Q", *number), symbol("K", *group)
        return Sym(f"{q.text}{k.text}ᵀ", f"{q.html}{k.html}<sup>⊤</sup>", rf"{q.latex}{k.latex}^{{\top}}")
    return symbol(LETTERS[place], *number)


def powers_of(name: Sym) -> Sym:
    """e to the power of a matrix, number by number."""
    return Sym(f"e^{name.text}", f"e<sup>{name.html}</sup>", f"e^{{{name.latex}}}")


def formulas(scene: Scene, stage: str) -> tuple[Formula, ...]:
    """How the numbers of a stage are made, in letters; i and j are rows and columns."""
    several = scene.heads > 1
    match stage:
        case "x":
            return (
                (symbol("x", "i", "r"), Sum((symbol("x", "i", "r", before=True), symbol("p", "i", "r")))),
            )
        case "q" | "k" | "v":
            return ((_per_head(stage.upper(), several), _projected(scene, stage, several)),)
        case "scores":
            product = Product((symbol("q", "i", "r"), symbol("k", "j", "r")))
            return ((_score(), Sigma("r", product)),)
        case "scaled":
            return ((symbol("s", "i", "j"), _scaled(scene)),)
        case "weights":
            power = Exp(symbol("s", "i", "j"))
            return ((symbol("α", "i", "j"), Quotient(power, Sigma("t", Exp(symbol("s", "i", "t"))))),)
        case "head_outputs":
            product = Product((symbol("α", "i", "j"), symbol("v", "j", "r")))
            return ((symbol("o", "i", "r"), Sigma("j", product)),)
        case "output":
            return ((symbol("Y"), _output(scene)),)
        case _:
            return ()


def _weights(place: str) -> Sym:
    """W_q; W_o as W^O."""
    letter, role = place[0].upper() if place[0] == "w" else place[0], place[2]
    if place == "w_o":
        return Sym("W_o", "W<sup>O</sup>", "W^{O}")
    return Sym(f"{letter}_{role}", f"{letter}<sub>{role}</sub>", f"{letter}_{{{role}}}")


def _score() -> Sym:
    q, k = symbol("q", "i"), symbol("k", "j")
    return Sym(f"{q.text}·{k.text}", f"{q.html}·{k.html}", rf"{q.latex}\cdot {k.latex}")


def _per_head(letter: str, several: bool) -> Sym:
    return symbol(letter, "h") if several else symbol(letter)


def _projected(scene: Scene, stage: str, several: bool) -> Expr:
    origin = symbol("C" if stage != "q" and scene.is_cross else "X")
    if several:
        weights = Sym(f"W_{stage},h", f"W<sub>{stage},h</sub>", f"W_{{{stage},h}}")
    else:
        weights = Sym(f"W_{stage}", f"W<sub>{stage}</sub>", f"W_{{{stage}}}")
    result: Expr = Product((origin, weights))
    if scene.matrix(f"b_{stage}") is not None:
        index = f"{stage},h" if several else stage
        result = Sum((result, Sym(f"b_{index}", f"b<sub>{index}</sub>", f"b_{{{index}}}")))
    return result if getattr(scene, f"{stage}_norm", None) is None else Call("norm", result)


def _scaled(scene: Scene) -> Expr:
    result: Expr = _score()
    if scene.scale == "sqrt_dk":
        result = Quotient(result, Root(WIDTH))
    elif scene.factor != 1.0:
        result = Product((result, Num(scene.factor)))
    if scene.softcap is not None:
        cap = Num(scene.softcap)
        result = Product((cap, Call("tanh", Quotient(result, cap))))
    if scene.position.kind == "alibi":
        apart = Sym("|i−j|", "|i−j|", "|i-j|")
        result = Sum((result, Minus(Product((symbol("m", "h") if scene.heads > 1 else symbol("m"), apart)))))
    if len(bias := _bias(scene)):
        result = Sum((result, symbol("B", "h") if len(bias) > 1 else symbol("B")))
    return result


def _bias(scene: Scene) -> Array:
    """(H or 1, n, m): what the sheet gives as B; empty where there is none."""
    bias = given_bias(scene)
    return np.zeros((0, scene.n, scene.m)) if bias is None else bias


def _output(scene: Scene) -> Expr:
    joined = name_of(scene, "concat") if scene.heads > 1 else name_of(scene, "head_outputs")
    result: Expr = joined if scene.w_o is None else Product((joined, _weights("w_o")))
    return result if scene.b_o is None else Sum((result, _weights("b_o")))
