"""Tool tips of texts that a person gave: a token such as <s> is no HTML, whatever Qt guesses."""

from html import escape

from PySide6.QtGui import Qt  # the one of QtCore has no mightBeRichText


def plain(text: str) -> str:
    """What QToolTip is to be given so that it shows exactly this."""
    if not Qt.mightBeRichText(text):
        return text
    lines = escape(text).replace("\n", "<br>")
    return f'<qt><p style="white-space:pre">{lines}</p></qt>'
