"""Formulas in titles: HTML with sub- and superscripts, drawn as text by any painter."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextDocument

from explorer.ui.painting import saved


def html_document(html: str, font: QFont, colour: QColor) -> QTextDocument:
    """One line of HTML without margins."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    document.setHtml(f'<span style="color:{colour.name()}">{html}</span>')
    return document


def paint_html(painter: QPainter, at: QPointF, html: str, font: QFont, colour: QColor) -> None:
    """Draw it with its top left corner at `at`; letters of another font, whose lines are higher, do not lower it."""
    document = html_document(html, font, colour)
    document.documentLayout().documentSize()  # lays it out
    line = document.firstBlock().layout().lineAt(0)
    with saved(painter):
        painter.translate(at + QPointF(0, min(0.0, QFontMetricsF(font).ascent() - line.ascent())))
        document.drawContents(painter)
