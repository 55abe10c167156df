"""The worked solution of a small scene as a LaTeX document: every matrix, and one number of each stage in full."""

import re
from collections.abc import Sequence

import numpy as np

from explorer import attention
from explorer.attention.explain import explain
from explorer.attention.formula import number
from explorer.attention.notation import Latex
from explorer.attention.trace import Cell, Trace
from explorer.scene import Array, Scene

MAX_TOKENS = 6
MAX_WIDTH = 8  # of every matrix; bmatrix has 10 columns at most
LINE = 90  # digits that fit side by side
DECIMALS = 4

_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    **{c: "\\" + c for c in "#$%&_{}"},
}  # fmt: skip

_COMMAND = re.compile(r"\\[a-zA-Z]+|[\\{}_^&]|bmatrix")


class LatexError(ValueError):
    """A scene too large for a worked solution: one plain sentence."""


def worked_solution(scene: Scene, decimals: int = DECIMALS) -> str:
    """LaTeX source of a whole document, which needs amsmath alone. Raises LatexError for a large scene."""
    if reason := too_large(scene):
        raise LatexError(reason)
    page = _Page(scene, attention.attend(scene), decimals)
    body = [page.given(), page.positions(), page.projections()]
    body += [page.head(h) for h in range(scene.heads)]
    body += [page.output()]
    return "\n\n".join([_HEAD, page.title(), *filter(None, body), r"\end{document}"]) + "\n"


def too_large(scene: Scene) -> str:
    """Why there is no worked solution, as a sentence; empty where there is one."""
    widths = {
        "d_model": scene.d_model, "d_context": scene.d_context, "H·d_k": scene.heads * scene.d_k,
        "H·d_v": scene.heads * scene.d_v, "d_out": scene.d_out,
    }  # fmt: skip
    limits = {"n": (scene.n, MAX_TOKENS), "m": (scene.m, MAX_TOKENS)}
    limits |= {name: (width, MAX_WIDTH) for name, width in widths.items()}
    for name, (size, most) in limits.items():
        if size > most:
            return f"A worked solution is for scenes with {name} up to {most}, and here {name} = {size}."
    return ""


def escaped(text: str) -> str:
    """Any text as LaTeX sets it, on one line."""
    return "".join(_SPECIAL.get(c, c if c.isprintable() else " ") for c in text)


_HEAD = r"""% Written by Attention Explorer.
% For a title or a label in a script that pdflatex does not have, take lualatex and a font that has it.
\documentclass{article}
\usepackage{amsmath}
\addtolength{\textwidth}{4cm}
\addtolength{\oddsidemargin}{-2cm}
\setlength{\arraycolsep}{4pt}
\begin{document}"""


class _Page:
    """The paragraphs of one document."""

    def __init__(self, scene: Scene, trace: Trace, decimals: int) -> None:
        self.scene = scene
        self.trace = trace
        self.write = Latex(decimals).number
        self.decimals = decimals
        # The row that is worked in full: the first of those that see the most keys.
        self.row = int(np.argmax(trace.visible.sum(axis=-1)))

    def title(self) -> str:
        scene = self.scene
        title = rf"\section*{{{escaped(scene.title or 'Attention')}}}"
        sizes = [("n", scene.n), *([("m", scene.m)] if scene.is_cross else []), ("H", scene.heads)]
        sizes += [("G", scene.groups)] if scene.groups != scene.heads else []
        sizes += [("d_k", scene.d_k), ("d_v", scene.d_v)]
        letters = ", ".join(f"${name} = {size}$" for name, size in sizes)
        lines = [title, f"{letters}. Numbers are rounded to {self.decimals} decimals."]
        for what, labels, letter in (("Tokens", scene.tokens, "x"), ("Context", scene.context_tokens, "c")):
            if labels and labels != tuple(f"{letter}{i}" for i in range(1, len(labels) + 1)):
                lines.append(f"{what}: {', '.join(map(escaped, labels))}.")
        return "\n".join(lines)

    def given(self) -> str:
        scene = self.scene
        names = {
            "X": scene.x, "C": scene.context, "W_q": scene.w_q, "W_k": scene.w_k, "W_v": scene.w_v,
            "W^O": scene.w_o, "b_q": scene.b_q, "b_k": scene.b_k, "b_v": scene.b_v, "b^o": scene.b_o,
        }  # fmt: skip
        norms = {"g_q": scene.q_norm, "g_k": scene.k_norm}
        names |= {name: norm.weight for name, norm in norms.items() if norm is not None}
        return self._section("Given", [(n, np.atleast_2d(a)) for n, a in names.items() if a is not None])

    def positions(self) -> str:
        scene = self.scene
        added = scene.position.added(scene.n, scene.d_model)
        if added is None:
            return ""
        pairs = [("P", added), ("X + P", self.trace.x)]
        if scene.is_cross:
            context = scene.position.added(scene.m, scene.d_context, "context")
            pairs += [] if context is None else [("P_C", context), ("C + P_C", self.trace.source)]
        return self._section("Positions", pairs)

    def projections(self) -> str:
        scene, trace = self.scene, self.trace
        placed = scene.position.added(1, scene.d_model) is not None
        x = "(X + P)" if placed else "X"
        source = ("(C + P_C)" if placed else "C") if scene.is_cross else x
        turned = scene.position.kind == "rotary"
        pairs = []
        for name, rows, heads in (
            ("q", x, trace.projected("q")),
            ("k", source, trace.projected("k")),
            ("v", source, trace.v),
        ):
            bias = "" if getattr(scene, f"b_{name}") is None else f" + b_{name}"
            letter = self._before(name, turned)
            pairs.append((rf"{letter} = {rows}\,W_{name}{bias}", _beside(heads)))
        text = (
            "A bias is added to every row. "
            if any(getattr(scene, f"b_{n}") is not None for n in "qkv")
            else ""
        )
        for name, norm in (("q", scene.q_norm), ("k", scene.k_norm)):
            if norm is not None:
                after = rf"\bar{{{name.upper()}}}" if turned else name.upper()
                plain = trace.q_plain if name == "q" else trace.k_plain
                pairs.append((rf"{after} = \mathrm{{norm}}({self._before(name, turned)})", _beside(plain)))
        if scene.q_norm is not None or scene.k_norm is not None:
            text += (
                "The norm divides each row of a head by the root of the mean of its squares (and"
                r" $\varepsilon$), and multiplies it by $g$, number by number. "
            )
        if turned:
            text += "Rotary turns each row of a head by its position: $Q$ and $K$ below are turned."
            pairs += [("Q", _beside(trace.q)), ("K", _beside(trace.k))]
        if scene.heads > 1:
            text += " Each head owns its columns, from the left."
        return self._section("Queries, keys and values", pairs, text.strip())

    def head(self, h: int) -> str:
        scene, trace, g = self.scene, self.trace, self.scene.kv_head(h)
        q, k, v = (self._one(letter, i) for letter, i in (("Q", h), ("K", g), ("V", g)))
        hidden = not trace.visible.all()
        scores = self._one("S", h)
        masked = self._one("S'", h) if hidden else scores
        weights, mixed = self._one("A", h), self._one("O", h)
        bias = scene.added()
        given = [(q, trace.q[h]), (k, trace.k[g]), (v, trace.v[g])] if scene.heads > 1 else []
        given += [] if bias is None else [(self._one("B", h), bias[h])]
        parts = [
            self._matrices(given),
            self._matrices([(f"{scores} = {self._scaled(q, k, h)}", trace.scaled[h])]),
            self._worked("scaled", h),
            self._matrices([(rf"{masked} = \mathrm{{mask}}({scores})", trace.masked[h])]) if hidden else "",
            self._matrices([(rf"{weights} = \mathrm{{softmax}}({masked})", trace.weights[h])]),
            self._worked("weights", h),
            self._blind(),
            self._matrices([(rf"{mixed} = {weights}\,{v}", trace.head_outputs[h])]),
            self._worked("head_outputs", h),
        ]
        title = f"Head {h + 1}" if scene.heads > 1 else "Attention"
        return "\n".join([rf"\subsection*{{{title}}}", *filter(None, parts)])

    def output(self) -> str:
        scene, trace = self.scene, self.trace
        heads = _rows("bmatrix", [" & ".join(self._one("O", h) for h in range(scene.heads))])
        pairs = [(f"O = {heads}", trace.concat)] if scene.heads > 1 else []
        if scene.w_o is None and scene.b_o is None:
            return self._section("Output", pairs) if pairs else ""
        bias = "" if scene.b_o is None else " + b^o"
        formula = "Y = O" + (r"\,W^O" if scene.w_o is not None else "") + bias
        return "\n".join(
            [self._section("Output", [*pairs, (formula, trace.output)]), self._worked("output", None)]
        )

    # ---- pieces ----

    def _before(self, name: str, turned: bool) -> str:
        """What X·W + b is called: Q itself, or what becomes of it by norm and turn."""
        normed = getattr(self.scene, f"{name}_norm", None) is not None
        over = "tilde" if normed else "bar" if turned and name != "v" else ""
        return rf"\{over}{{{name.upper()}}}" if over else name.upper()

    def _one(self, letter: str, index: int) -> str:
        """Q_{2}; without the index where there is one head alone."""
        return letter if self.scene.heads == 1 else f"{letter}_{{{index + 1}}}"

    def _scaled(self, q: str, k: str, h: int) -> str:
        """The scores of one head, as a formula."""
        scene = self.scene
        product = rf"{q}{k}^{{\top}}"
        if scene.scale == "sqrt_dk":
            product = rf"\frac{{{product}}}{{\sqrt{{d_k}}}}"
        elif scene.scale != "none":
            factor = self.write(scene.factor)
            product = rf"{f'({factor})' if scene.factor < 0 else factor}\cdot {product}"
        if scene.softcap is not None:
            cap = self.write(scene.softcap)
            product = rf"{cap}\tanh\left(\frac{{1}}{{{cap}}}\cdot {product}\right)"
        return product if scene.added() is None else f"{product} + {self._one('B', h)}"

    def _blind(self) -> str:
        rows = [str(i + 1) for i in np.flatnonzero(self.trace.blind)]
        if not rows:
            return ""
        return f"Hidden from every key, row {', '.join(rows)} attends to nothing: its weights are 0."

    def _section(self, title: str, pairs: Sequence[tuple[str, Array]], text: str = "") -> str:
        return "\n".join([rf"\subsection*{{{title}}}", *([text] if text else []), self._matrices(pairs)])

    def _matrices(self, pairs: Sequence[tuple[str, Array]]) -> str:
        """name = matrix, as many side by side as fit."""
        lines: list[list[str]] = []
        room = 0
        for name, array in pairs:
            width = self._width(array) + len(_COMMAND.sub("", name)) + 8  # equals sign, brackets, gap
            if width > room:
                lines.append([])
                room = LINE
            lines[-1].append(f"{name} = {self._matrix(array)}")
            room -= width
        return "\n".join(_display(r" \qquad ".join(line)) for line in lines)

    def _width(self, array: Array) -> int:
        """In digits; between two columns there is as much room as for two."""
        return sum(max(len(number(v, self.decimals)) for v in column) + 2 for column in array.T.tolist())

    def _matrix(self, array: Array) -> str:
        return _rows("bmatrix", [" & ".join(map(self.write, row)) for row in array.tolist()])

    def _worked(self, stage: str, head: int | None) -> str:
        """The first number of the chosen row, with everything put in."""
        cell = Cell(stage, head, self.row, 0)
        first, *rest = explain(self.scene, self.trace, cell).latex(self.decimals, keep=MAX_WIDTH, width=60)
        return _display(_rows("aligned", [f"& {first}", *(rf"& \quad {line}" for line in rest)]))


def _display(formula: str) -> str:
    return rf"\[ {formula} \]"


def _rows(environment: str, rows: Sequence[str]) -> str:
    return rf"\begin{{{environment}}} " + r" \\ ".join(rows) + rf" \end{{{environment}}}"


def _beside(heads: Array) -> Array:
    """(H, n, d) → (n, H·d)."""
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)
