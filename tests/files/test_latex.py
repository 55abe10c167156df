"""The worked solution as LaTeX. There is no LaTeX to run: brackets are counted, and ziamath sets the formulas."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from explorer import resources
from explorer.attention import attend
from explorer.attention.masks import Causal
from explorer.attention.positions import Alibi, Rotary, Sinusoidal
from explorer.files.latex import LatexError, escaped, too_large, worked_solution
from explorer.files.session import load
from explorer.norm import Norm
from explorer.scene import Scene
from tests.attention.random_scenes import scenes

EYE = np.eye(2)
ONE = Scene(x=[[1, 2], [3, 4]], w_q=EYE, w_k=EYE, w_v=EYE)


def shipped(name: str) -> Scene:
    return load(resources.path("scenes", f"{name}.attn.json"))


def displays(document: str) -> list[str]:
    return re.findall(r"^\\\[ (.*) \\\]$", document, re.MULTILINE)


def matrices(document: str) -> dict[str, list[list[str]]]:
    """Each matrix by what stands before it."""
    found = re.findall(r"([^\[\]]*?) = \\begin\{bmatrix\} ([^=]*?) \\end\{bmatrix\}", document)
    return {
        name.replace(r"\qquad", "").split("=")[0].strip(): [row.split(" & ") for row in body.split(r" \\ ")]
        for name, body in found
    }


def check_sound(document: str) -> None:
    plain = re.sub(r"\\[{}]", "", document)
    depth = 0
    for letter in plain:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    begun, ended = (Counter(re.findall(rf"\\{word}\{{(\w+)\}}", document)) for word in ("begin", "end"))
    assert begun == ended
    assert document.count(r"\[") == document.count(r"\]") == len(displays(document))
    assert plain.count(r"\left(") == plain.count(r"\right)")
    assert set(re.findall(r"\\usepackage\{(\w+)\}", document)) == {"amsmath"}


def test_two_tokens() -> None:
    document = worked_solution(shipped("two-tokens"))
    check_sound(document)
    assert r"\section*{Two tokens by hand}" in document and "Tokens: a1, a2." in document
    found = matrices(document)
    assert found["Q"] == [["1", "2"], ["1", "1"]]
    assert found["S"] == [["0.7071", "1.4142"], ["0.7071", "0.7071"]]
    assert found["O"] == [["0.3302", "0.6698"], ["0.5", "0.5"]]
    assert r"S = \frac{QK^{\top}}{\sqrt{d_k}}" in document
    assert r"= \frac{e^{0.7071}}{e^{0.7071}+e^{1.4142}} = \frac{2.0281}{6.1414} = 0.3302" in document


def test_heads_masks_and_the_output() -> None:
    document = worked_solution(shipped("cat-sat-down"))
    assert document.count(r"\subsection*{Head ") == 2
    found = matrices(document)
    assert found["S'_{1}"][0] == ["0.7071", r"{-\infty }", r"{-\infty }", r"{-\infty }"]
    output = attend(shipped("cat-sat-down")).output
    assert [[float(cell) for cell in row] for row in found["Y"]] == np.round(output, 4).tolist()
    assert "Tokens: The, cat, sat, down." in document
    assert r"\alpha_{4,1}" in document  # of the rows, the one that sees most


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"scale": "none"}, "S = QK^{\\top} = "),
        ({"scale": -0.5}, r"S = ({-0.5})\cdot QK^{\top}"),
        ({"softcap": 3.0}, r"S = 3\tanh\left(\frac{1}{3}\cdot \frac{QK^{\top}}{\sqrt{d_k}}\right)"),
        ({"position": Alibi()}, r"S = \frac{QK^{\top}}{\sqrt{d_k}} + B"),
        ({"position": Sinusoidal()}, r"Q = (X + P)\,W_q"),
        ({"position": Rotary()}, r"\bar{Q} = X\,W_q"),
        ({"k_norm": Norm(weight=[1, 2])}, r"K = \mathrm{norm}(\tilde{K})"),
        ({"context": [[1, 1]]}, r"K = C\,W_k"),
        ({"b_k": [1, 2]}, r"K = X\,W_k + b_k"),
        ({"b_o": [1, 2]}, "Y = O + b^o"),
        ({"w_o": EYE}, r"Y = O\,W^O"),
        ({"mask": (Causal(),)}, r"S' = \mathrm{mask}(S)"),
    ],
)
def test_what_a_scene_has_is_in_the_formulas(changes: dict[str, Any], text: str) -> None:
    document = worked_solution(ONE.replace(**changes))
    check_sound(document)
    assert text in document


def test_a_row_that_sees_nothing_says_so() -> None:
    document = worked_solution(shipped("nothing-to-see"))
    assert "row 1 attends to nothing: its weights are 0." in document
    assert matrices(document)["A"] == [["0", "0"], ["1", "0"]]


@settings(max_examples=30)
@given(scenes())
def test_any_small_scene(scene: Scene) -> None:
    if too_large(scene):
        with pytest.raises(LatexError, match="A worked solution is for scenes with"):
            worked_solution(scene)
    else:
        check_sound(worked_solution(scene))


@pytest.mark.parametrize("name", ["two-tokens", "nothing-to-see", "rotary"])
def test_ziamath_can_set_every_formula(name: str) -> None:
    import ziamath

    for formula in displays(worked_solution(shipped(name))):
        assert "<path" in ziamath.Latex(formula).svg()


def test_foreign_text() -> None:
    assert escaped("50% & \\x{a}_b^c~#$\n|<>") == (
        r"50\% \& \textbackslash{}x\{a\}\_b\textasciicircum{}c\textasciitilde{}\#\$ \textbar{}\textless{}\textgreater{}"
    )
    document = worked_solution(ONE.replace(title="{\\end{document}", tokens=("%", "}\n\\]")))
    check_sound(document)
    assert r"\section*{\{\textbackslash{}end\{document\}}" in document


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (ONE.replace(x=np.ones((7, 2)), tokens=()), "scenes with n up to 6, and here n = 7."),
        (ONE.replace(w_v=np.ones((2, 9))), "scenes with H·d_v up to 8, and here H·d_v = 9."),
    ],
)
def test_large_scenes_are_refused(scene: Scene, sentence: str) -> None:
    with pytest.raises(LatexError) as error:
        worked_solution(scene)
    assert str(error.value) == f"A worked solution is for {sentence}"


def test_decimals() -> None:
    document = worked_solution(shipped("two-tokens"), decimals=2)
    assert matrices(document)["O"] == [["0.33", "0.67"], ["0.5", "0.5"]]
    assert "rounded to 2 decimals" in document and "0.3302" not in document
