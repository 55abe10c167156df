"""Formulas in titles: HTML with sub- and superscripts, drawn as text by any painter."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextDocument

from explorer.ui.rich_text import RichText


def html_document(html: str, font: QFont, colour: QColor) -> QTextDocument:
    """One line of HTML without margins."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    document.setHtml(f'<span style="color:{colour.name()}">{html}</span>')
    return document


def paint_html(painter: QPainter, at: QPointF, html: str, font: QFont, colour: QColor) -> None:
    """Draw it with its top left corner at `at`; letters of another font, whose lines are higher, do not lower it."""
    line = RichText(html, font, colour)
    line.draw(painter, at + QPointF(0, min(0.0, QFontMetricsF(font).ascent() - line.ascent)))
