"""Text with sub- and superscripts: Qt's own rich text, without its documents."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QTextOption
from PySide6.QtWidgets import QApplication

from explorer.ui import theme
from explorer.ui.panels.rich import html_document
from explorer.ui.rich_text import RichText

TEXTS = (
    "Q = X W<sub>q</sub>",
    "e<sup>head<sub>1</sub></sup> + x",
    "A &amp; B &lt;c&gt; Σ<sub>j</sub> α<sub>1,j</sub>v<sub>j,2</sub>",
    "<i>x<sub>1</sub></i> plain <b>bold</b>",
    "输入 X<sub>1</sub> 中文 QK<sup>⊤</sup>/√d<sub>k</sub>",
    "a long  text\n" * 12 + "with W<sub>q</sub> and the end",
    "",
)


@pytest.mark.parametrize("wide", [None, 180.0])
@pytest.mark.parametrize("html", TEXTS)
@pytest.mark.parametrize("formula", [False, True])
def test_it_is_the_same_to_the_pixel(
    qapp: QApplication, html: str, formula: bool, wide: float | None
) -> None:
    font, colour = theme.formula_font() if formula else theme.ui_font(), QColor("#123456")
    ours, document = RichText(html, font, colour, wide), html_document(html, font, colour)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap if wide else QTextOption.WrapMode.NoWrap)
    document.setDefaultTextOption(option)
    if wide:
        document.setTextWidth(wide)
    assert ours.width == pytest.approx(document.idealWidth())
    assert ours.height == pytest.approx(document.size().height())
    pictures = []
    for draw in (lambda painter: ours.draw(painter, QPointF(3, 4)), document.drawContents):
        picture = QImage(1200, 200, QImage.Format.Format_RGB32)
        picture.fill(QColor("white"))
        with QPainter(picture) as painter:
            painter.setFont(QFont())
            if draw == document.drawContents:
                painter.translate(3, 4)
            draw(painter)
        pictures.append(picture)
    assert pictures[0] == pictures[1]
