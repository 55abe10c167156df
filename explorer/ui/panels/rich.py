"""Formulas in titles: HTML with sub- and superscripts, drawn as text by any painter."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QPainter, QTextDocument


def html_document(html: str, font: QFont, colour: QColor) -> QTextDocument:
    """One line of HTML without margins."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(font)
    document.setHtml(f'<span style="color:{colour.name()}">{html}</span>')
    return document


def paint_html(painter: QPainter, at: QPointF, html: str, font: QFont, colour: QColor) -> None:
    """Draw it with its top left corner at `at`."""
    painter.save()
    painter.translate(at)
    html_document(html, font, colour).drawContents(painter)
    painter.restore()
