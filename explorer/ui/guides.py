"""The guides of one page, for students and for lecturers, as they also lie beside the executable."""

from pathlib import Path

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from explorer import resources
from explorer.ui import theme
from explorer.ui.language import lesson_code

# Name of the files in resources/guides (one per language) → entry of the menu.
GUIDES = {
    "student": QT_TRANSLATE_NOOP("Guide", "For &students"),
    "lecturer": QT_TRANSLATE_NOOP("Guide", "For &lecturers"),
}
WIDTH, HEIGHT = 46, 40  # of the window, in the height of its letters


def guide_entry(name: str) -> str:
    """What the menu calls it."""
    return QCoreApplication.translate("Guide", GUIDES[name])


def guide_path(name: str, language: str) -> Path:
    """The guide in a language as lessons name it; in English where there is none."""
    path = resources.path("guides", f"{name}.{language}.md")
    return path if path.is_file() else resources.path("guides", f"{name}.en.md")


class GuideDialog(QDialog):
    """Stays open beside the window; closed with Esc."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"guide_{name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.text = QTextBrowser()
        self.text.setFont(theme.ui_font(1.05))
        self.text.document().setDocumentMargin(20)
        self.text.setMarkdown(guide_path(name, lesson_code()).read_text(encoding="utf-8"))
        self._spread()
        title = self.text.document().firstBlock().text()
        self.setWindowTitle(title)
        self.text.setAccessibleName(title)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addWidget(buttons)
        letter = self.fontMetrics().height()
        room = self.screen().availableSize() * 0.9
        self.resize(min(WIDTH * letter, room.width()), min(HEIGHT * letter, room.height()))

    def _spread(self) -> None:
        """Room between the paragraphs; Markdown as Qt reads it has none."""
        letter = self.text.fontMetrics().height()
        block = self.text.document().begin()
        while block.isValid():
            look = QTextBlockFormat()
            look.setBottomMargin(letter * (0.3 if block.textList() else 0.6))
            look.setLineHeight(115, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            QTextCursor(block).mergeBlockFormat(look)
            block = block.next()
