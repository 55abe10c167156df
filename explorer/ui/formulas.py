"""A formula on the screen: at once as rich text; typeset as soon as there is time for it."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QTextDocument
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.ui import theme, typesetting
from explorer.ui.panels.rich import html_document
from explorer.ui.typesetting import Line, typesetter

CHARACTER = 0.5  # em of what is set; less than the mean, as a line may be set a little smaller to fit
GAP = 0.3  # em between lines
LEAST = 0.78  # so small all lines may become for the sake of one


class FormulaView(QWidget):
    """A formula in as many lines as its width asks for; a line too long for it is set smaller, never cut."""

    clicked = Signal()

    def __init__(self, size: float = 1.15, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._em = float(theme.formula_font(size).pixelSize())
        self._html = self._key = ""
        self._make: Callable[[int], list[str]] | None = None
        self._made: dict[int, list[str]] = {}
        self._own: dict[str, Line | None] | None = None  # the lines for this width, once they have been set
        self._heights: dict[int, int] = {}
        self._document: QTextDocument | None = None
        self._held = 0  # px of height that stay while numbers change, so that nothing jumps
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.watcher().changed.connect(self._on_theme)

    # ---- what it shows ----

    def show_formula(
        self,
        html: str,
        text: str,
        lines: Callable[[int], list[str]] | None,
        key: str = "",
        soon: bool = False,
    ) -> None:
        """Show a formula, at once as rich text, then as `lines(characters)` typeset; None: never typeset.

        `text` is for screen readers. `key` names the formula whatever its numbers are. `soon`: do not wait for a rest.
        """
        if html == self._html:
            return
        self._held = self.height() if key and key == self._key else 0
        self._html, self._key, self._make = html, key, lines
        self._made.clear()
        self._document = None
        self._own = self._found() if soon else None
        self.setAccessibleName(text)
        self._changed()
        if lines is not None and self._own is None:
            typesetter().want(self, soon)

    @property
    def html(self) -> str:
        """What is shown, as rich text."""
        return self._html

    @property
    def is_typeset(self) -> bool:
        """Whether it is drawn as ziamath has set it."""
        return self._own is not None and None not in self._own.values()

    def typeset_lines(self) -> list[str]:
        """The LaTeX of what is drawn or waited for."""
        return self._lines(self.width())

    def on_typeset(self) -> None:
        """For the Typesetter: every line is there."""
        self._own, self._held = self._found(), 0
        self._changed()

    # ---- sizes ----

    def sizeHint(self) -> QSize:
        width = max(self.width(), 200)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, round(self._em))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._height(width)
        return self._heights[width]

    def _height(self, width: int) -> int:
        placed = self._placed(width)
        if placed is not None:
            return placed[1]
        document = self._fallback()
        document.setTextWidth(width)
        return max(round(document.size().height()), self._held)

    def _changed(self) -> None:
        """Paint anew; and lay out anew, where it takes another height."""
        before = self._heights.get(self.width())
        self._heights.clear()
        if before != self.heightForWidth(self.width()):
            self.updateGeometry()
        self.update()

    def _lines(self, width: int) -> list[str]:
        if self._make is None:
            return []
        room = max(12, int(width / (CHARACTER * self._em)))
        if room not in self._made:
            self._made[room] = self._make(room)
        return self._made[room]

    def _found(self) -> dict[str, Line | None] | None:
        """The lines for this width; None as long as one has not been set."""
        wanted = self.typeset_lines()
        return typesetting.found(wanted) if wanted else None

    def _placed(self, width: int) -> tuple[list[tuple[Line, QRectF]], int] | None:
        """Where each line goes, and the height; None as long as one is missing."""
        if self._own is None:
            return None
        found = [
            (latex, line)
            for latex in self._lines(width)
            if (line := self._own.get(latex) or typesetting.kept(latex)) is not None
        ]
        if not found or len(found) < len(self._lines(width)):
            return None
        # A sum that goes on is set in by 1 em.
        indents = [1.0 if latex.startswith("{}") else 0.0 for latex, _line in found]
        fits = [width / (indent + line.width) for indent, (_latex, line) in zip(indents, found, strict=True)]
        common = max(LEAST * self._em, min(self._em, *fits))
        placed, top = [], 0.0
        for indent, fit, (_latex, line) in zip(indents, fits, found, strict=True):
            em = min(common, fit)
            # Every line is at least as high as a plain one, or short lines would crowd.
            ascent, descent = max(line.ascent, 0.75), max(line.descent, 0.3)
            height = (line.ascent + line.descent) * em
            box = QRectF(indent * em, top + (ascent - line.ascent) * em, line.width * em, height)
            placed.append((line, box))
            top += (ascent + descent + GAP) * em
        return placed, round(top - GAP * common) + 1

    def _fallback(self) -> QTextDocument:
        if self._document is None:
            font = theme.formula_font(self._size)
            self._document = html_document(self._html, font, theme.current().text)
        return self._document

    # ---- events ----

    def _on_theme(self) -> None:
        self._em = float(theme.formula_font(self._size).pixelSize())
        self._document = None
        self._held = 0
        self._set_anew()

    def _set_anew(self) -> None:
        """Another width or another size of type, so perhaps other lines."""
        self._own = self._found()
        if self._make is not None and self._own is None:
            typesetter().want(self, soon=True)
        self._changed()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._set_anew()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            placed = self._placed(self.width())
            if placed is None:
                document = self._fallback()
                document.setTextWidth(self.width())
                document.drawContents(painter)
                return
            for line, box in placed[0]:
                typesetting.paint(painter, box, line, theme.current().text)
