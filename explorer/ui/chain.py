"""A chain of equal links, letters = numbers = result, in a FormulaView."""

from collections.abc import Sequence

from explorer.attention.formula import Expr
from explorer.attention.notation import Latex, joined, latex_lines
from explorer.attention.rounding import comes_out
from explorer.attention.steps import View
from explorer.ui.formulas import FormulaView

MOST_TYPESET = 130  # terms; a longer sum stays rich text, or typesetting it would take more than a second
BOLD = {ord(str(digit)): 0x1D7CE + digit for digit in range(10)}  # ziamath has bold digits only as characters


def show_chain(
    widget: FormulaView, chain: Sequence[Expr], view: View, key: str, soon: bool, terms: int, rounded: bool
) -> None:
    """Show chain[0] = chain[1] = …, the last link in bold; `terms`: of its longest sum.

    The last sign is ≈ where `rounded`, and where the numbers as shown do not come to the result as shown.
    """
    rounded = rounded or not comes_out(chain, view.decimals)
    html, text = (joined(chain, writer, rounded) for writer in (view.html, view.text))
    before, equals, result = html.rpartition(" ≈ " if rounded else " = ")
    if equals:
        html = f"{before}{equals}<b>{result}</b>"

    # The font of formulas has Latin letters only; a button says in words how many terms there are.
    latex = Latex(view.decimals, view.terms if view.terms.isascii() else "{count}")

    def lines(width: int) -> list[str]:
        return bold_result(latex_lines(chain, latex, width, rounded))

    widget.show_formula(html, text, lines if min(terms, view.keep) <= MOST_TYPESET else None, key, soon)


def bold_result(lines: list[str]) -> list[str]:
    """Lines of LaTeX with what follows the last sign of a link in bold."""
    for sign in (r"\approx ", "= "):
        before, equals, result = lines[-1].rpartition(sign)
        if equals:
            return [*lines[:-1], f"{before}{equals}{{{result.translate(BOLD)}}}"]
    return lines
