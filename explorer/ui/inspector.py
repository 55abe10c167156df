"""The inspector (placeholder until its own commit)."""

from PySide6.QtWidgets import QLabel

from explorer.document import Document
from explorer.engine import Engine
from explorer.ui.selection import Selection


class Inspector(QLabel):
    """Shows the arithmetic behind the chosen number."""

    def __init__(self, document: Document, engine: Engine, selection: Selection) -> None:
        super().__init__(self.tr("Click a number to see where it comes from."))
        self.setObjectName("inspector")
        self.setWordWrap(True)
        self.setMargin(14)
