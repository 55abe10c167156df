"""Markdown well set: the words of a lesson."""

import re
from math import ceil

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from explorer.lessons.notation import Index, indices
from explorer.ui import theme

LINE_HEIGHT = 130  # percent
INDENT = 18  # px of a list
CODE_FAMILIES = ["JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Noto Sans Mono", "DejaVu Sans Mono"]

# (1, 0) and = (1, 0) stay on one line, outside `code`.
_TUPLES = re.compile(r"`[^`]*`|( = )?\((?:[−-]?[\w.₀-₉]+, ){1,3}[−-]?[\w.₀-₉]+\)")


class Prose(QTextEdit):
    """Text to be read, as high as it needs at the width it gets. It holds no links and loads nothing."""

    def __init__(self, name: str, size: float = 1.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._size, self._markdown, self._colour = size, "", ""
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        theme.watcher().changed.connect(self._set)

    @property
    def text(self) -> str:
        """What it says, as Markdown."""
        return self._markdown

    def say(self, markdown: str, colour: str = "") -> None:
        """Show this, in a colour of the theme (its name) instead of the text's; nothing at all where it is empty."""
        if (markdown, colour) != (self._markdown, self._colour):
            self._markdown, self._colour = markdown, colour
            self._set()
        if self.parentWidget() is not None:  # else it would be a window of its own
            self.setVisible(bool(markdown))

    def loadResource(self, _kind: int, _name: QUrl | str) -> object:
        return None

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # whatever it stands in scrolls

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set()

    def _set(self) -> None:
        colours = theme.current()
        font = theme.ui_font(self._size)
        text = getattr(colours, self._colour or "text")
        document = self.document()
        document.setDefaultFont(font)
        document.setIndentWidth(INDENT)
        document.setDocumentMargin(0)
        document.setMarkdown(
            _TUPLES.sub(lambda found: _unbroken(found[0]), self._markdown),
            QTextDocument.MarkdownFeature.MarkdownDialectGitHub
            | QTextDocument.MarkdownFeature.MarkdownNoHTML,
        )
        whole = QTextCursor(document)
        whole.select(QTextCursor.SelectionType.Document)
        ink = QTextCharFormat()
        ink.setForeground(text)
        whole.mergeCharFormat(ink)
        _set_paragraphs(document, font.pixelSize())
        _set_characters(document, font, colours.background)
        _set_tables(document, colours.line)
        document.clearUndoRedoStacks()
        self.setAccessibleName(document.toPlainText())
        self._fit()

    def _fit(self) -> None:
        document = self.document()
        document.setTextWidth(self.viewport().width())
        height = ceil(document.size().height())
        if height != self.height():
            self.setFixedHeight(height)


class OptionText(Prose):
    """The words beside a radio button; a click on them is one on the button."""

    def __init__(self, name: str, button: QWidget) -> None:
        super().__init__(name)
        self._button = button
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._button.isEnabled():
            self._button.click()
            self._button.setFocus(Qt.FocusReason.MouseFocusReason)


def _unbroken(text: str) -> str:
    return text if text.startswith("`") else text.replace(" ", "\N{NO-BREAK SPACE}")


def _set_paragraphs(document: QTextDocument, size: int) -> None:
    """Air between lines and paragraphs, none after the last."""
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        form = QTextBlockFormat(block.blockFormat())
        in_table = cursor.currentTable() is not None
        in_list = block.textList() is not None
        following = block.next()
        last = not following.isValid()
        tight = in_list and following.isValid() and following.textList() is not None
        gap = 0 if last or in_table else size * (0.2 if tight else 0.6)
        form.setLineHeight(
            115 if in_table else LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        )
        form.setTopMargin(0)
        form.setBottomMargin(gap)
        cursor.setBlockFormat(form)
        block = following


def _set_characters(document: QTextDocument, font: QFont, tint: QColor) -> None:
    """Code in a fixed font on a tint; what is written low or high stands low or high."""
    scripts: list[tuple[int, Index]] = []
    block = document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            fragment = pieces.fragment()
            if fragment.charFormat().fontFixedPitch():
                code = QTextCharFormat()
                code.setFontFamilies(CODE_FAMILIES)
                code.setProperty(QTextCharFormat.Property.FontPixelSize, round(font.pixelSize() * 0.92))
                code.setBackground(tint)
                _selection(document, fragment.position(), fragment.length()).mergeCharFormat(code)
            elif fragment.charFormat().fontItalic() and _is_chinese(fragment.text()):
                dotted = QTextCharFormat()  # leaning characters are none; Chinese sets dots below instead
                dotted.setFontItalic(False)
                dotted.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
                _selection(document, fragment.position(), fragment.length()).mergeCharFormat(dotted)
            else:
                scripts += [(fragment.position(), index) for index in indices(fragment.text())]
            pieces += 1
        block = block.next()
    place = QTextCharFormat.VerticalAlignment
    for start, index in reversed(scripts):  # from the end, so that the places before stay where they are
        form = QTextCharFormat()
        form.setVerticalAlignment(place.AlignSubScript if index.is_low else place.AlignSuperScript)
        _selection(document, start + index.start, index.end - index.start).mergeCharFormat(form)
        _selection(document, start + index.start - 1, 1).removeSelectedText()


def _is_chinese(text: str) -> bool:
    return any("\u3400" <= character <= "\u9fff" for character in text)


def _selection(document: QTextDocument, start: int, length: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _set_tables(document: QTextDocument, line: QColor) -> None:
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            form = frame.format()
            form.setBorder(1)
            form.setBorderCollapse(True)
            form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            form.setBorderBrush(line)
            form.setCellPadding(4)
            form.setCellSpacing(0)
            form.setWidth(QTextLength())
            form.setBottomMargin(6)
            frame.setFormat(form)
