"""Typeset formulas: at once as text, then from ziamath, in the theme's ink and never wider than there is room."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.attention.formula import Num, Product, Quotient, Root, Sum, Sym
from explorer.attention.steps import View
from explorer.ui import theme, typesetting
from explorer.ui.chain import BOLD, bold_result, show_chain
from explorer.ui.formulas import FormulaView
from explorer.ui.preferences import preferences
from explorer.ui.typesetting import typeset, typesetter

LETTERS = Sym("s", "s", "s")
# s₁,₂ of the two-token example
CHAIN = [
    LETTERS,
    Quotient(Sum((Product((Num(1), Num(0))), Product((Num(2), Num(1))))), Root(Num(2))),
    Num(2**0.5),
]


@pytest.fixture
def view(qtbot: QtBot) -> FormulaView:
    preferences().theme = "light"
    window = QWidget()
    found = FormulaView(parent=window)
    qtbot.addWidget(window, before_close_func=lambda _: window.close())  # which keeps the window until then
    window.resize(400, 200)
    found.resize(300, 120)
    window.show()
    return found


def show(widget: FormulaView, decimals: int = 2, soon: bool = True, key: str = "") -> None:
    show_chain(widget, CHAIN, View(decimals), key, soon, terms=2, rounded=False)


def wait(qtbot: QtBot, widget: FormulaView) -> None:
    qtbot.waitUntil(lambda: widget.is_typeset)


def ink(widget: FormulaView, colour: QColor) -> tuple[int, int]:
    """Pixels of about this colour; and the rightmost of them, from 0."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[
        : image.height(), :, :3
    ]
    near = np.abs(pixels.astype(int) - [colour.blue(), colour.green(), colour.red()]).max(axis=2) < 40
    return int(near.sum()), int(near.any(axis=0).nonzero()[0].max(initial=0))


def test_a_line_is_set_once_and_kept() -> None:
    line = typeset(r"\frac{1}{\sqrt{2}} = 0.71")
    assert line is not None and line.width > 1 and line.ascent > 0.5 and line.descent > 0.3
    assert typeset(r"\frac{1}{\sqrt{2}} = 0.71") is line


def test_what_cannot_be_set_stays_text(qtbot: QtBot, view: FormulaView) -> None:
    view.show_formula("x<sub>1</sub>", "x₁", lambda _room: [r"\frac{1"], soon=True)
    qtbot.waitUntil(lambda: typesetter().idle)
    assert not view.is_typeset
    assert ink(view, theme.LIGHT.text)[0] > 5


def test_text_first_then_typeset(qtbot: QtBot, view: FormulaView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting, "_lines", {})
    show(view)
    assert not view.is_typeset
    assert view.html == "s = (1·0 + 2·1)/√2 = <b>1.41</b>"
    assert view.accessibleName() == "s = (1·0 + 2·1)/√2 = 1.41"
    assert ink(view, theme.LIGHT.text)[0] > 20
    wait(qtbot, view)
    result = "1.41".translate(BOLD)
    assert view.typeset_lines() == [rf"s = \frac{{1\cdot 0+2\cdot 1}}{{\sqrt{{2}}}} = {{{result}}}"]
    assert ink(view, theme.LIGHT.text)[0] > 20


def test_while_numbers_change_the_height_stays(qtbot: QtBot, view: FormulaView) -> None:
    show(view, key="s")
    wait(qtbot, view)
    height = view.heightForWidth(300)
    view.resize(300, height)
    show(view, decimals=5, soon=False, key="s")
    assert not view.is_typeset and view.heightForWidth(300) >= height


def test_nothing_is_cut_however_narrow(qtbot: QtBot, view: FormulaView) -> None:
    for width in (90, 130, 300):
        view.resize(width, 400)
        show(view, decimals=3)
        wait(qtbot, view)
        assert view.heightForWidth(width) <= 400
        assert ink(view, theme.LIGHT.text)[1] < width - 1


def test_the_ink_is_the_themes(qtbot: QtBot, view: FormulaView) -> None:
    show(view)
    wait(qtbot, view)
    with theme.using(theme.DARK):
        view.parentWidget().setStyleSheet("background: #26272b")
        assert ink(view, theme.DARK.text)[0] > 20


def test_larger_type_needs_no_new_typesetting(qtbot: QtBot, view: FormulaView) -> None:
    show(view)
    wait(qtbot, view)
    small = view.heightForWidth(300)
    theme.set_scale(1.5)
    try:
        assert view.is_typeset and view.heightForWidth(300) > 1.2 * small
    finally:
        theme.set_scale(1.0)


def test_the_result_is_bold() -> None:
    assert bold_result(["s = 2/3", "= 0.67"]) == ["s = 2/3", "= {" + "0.67".translate(BOLD) + "}"]
    assert bold_result([r"s = 2 \approx 3"]) == [r"s = 2 \approx {" + "3".translate(BOLD) + "}"]
    assert bold_result(["s"]) == ["s"]


def test_a_closed_window_is_not_typeset_for(qtbot: QtBot) -> None:
    window = QWidget()
    found = FormulaView(parent=window)
    found.show_formula("a", "a", lambda _room: [r"\alpha\beta\gamma\delta"], soon=True)
    window.deleteLater()
    del window
    qtbot.waitUntil(lambda: typesetter().idle)
