"""The edges of a grid: column numbers under the colours of their heads, and row labels."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QHeaderView, QLineEdit, QWidget

from explorer.ui import theme
from explorer.ui.grids.matrices import tokens
from explorer.ui.grids.model import MatrixModel
from explorer.ui.texts import some_of

BAR = 3  # px, the bar in the colour of a head
WIDEST = 110  # px at scale 1; longer labels are elided


class MatrixHeader(QHeaderView):
    """Numbers or labels in small type, and along the cells a bar in the colour of the head that owns them.

    Where several query heads share a K/V head, their bars lie side by side.
    """

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self._horizontal = orientation == Qt.Orientation.Horizontal
        self._measured: tuple[tuple[str, ...], QFont, int] = ((), QFont(), 0)
        self.setSectionsClickable(True)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(8)

    def matrix_model(self) -> MatrixModel:
        """The model, as the type it has."""
        model = self.model()
        assert isinstance(model, MatrixModel)
        return model

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        if self._horizontal:
            return QSize(0, metrics.height() + BAR + 3)
        model = self.matrix_model()
        if not model.matrix.side:
            widest = metrics.horizontalAdvance(str(max(9, model.rowCount())) if model.matrix.rows else "")
        else:
            widest = self._widest(tokens(model.scene, model.matrix.side))
            widest = min(widest, WIDEST * metrics.height() // 14)
        return QSize(widest + 10 + (BAR if model.row_heads(0) else 0), 0)

    def _widest(self, labels: tuple[str, ...]) -> int:
        """Logical pixels; measured once, for Qt asks again and again."""
        known, font, widest = self._measured
        if labels is not known or font != self.font():
            font = self.font()
            widest = max(map(QFontMetrics(font).horizontalAdvance, some_of(labels)), default=0)
            self._measured = labels, font, widest
        return widest

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        colours, model = theme.current(), self.matrix_model()
        painter.fillRect(rect, colours.surface)
        heads = model.column_heads(section) if self._horizontal else model.row_heads(section)
        bar = min(2, BAR) * len(heads) if len(heads) > 1 else BAR * len(heads)
        room = rect.adjusted(1, 0, -1, -BAR) if self._horizontal else rect.adjusted(0, 0, -5 - bar, 0)
        align = Qt.AlignmentFlag.AlignCenter if self._horizontal else Qt.AlignmentFlag.AlignRight
        label = self.fontMetrics().elidedText(self._label(section), Qt.TextElideMode.ElideRight, room.width())
        painter.setFont(self.font())
        painter.setPen(colours.text if self._is_current(section) else colours.muted)
        painter.drawText(room, align | Qt.AlignmentFlag.AlignVCenter, label)
        self._paint_bars(painter, rect, [colours.head_colour(head) for head in heads])

    def _paint_bars(self, painter: QPainter, rect: QRect, colours: list[QColor]) -> None:
        colours = colours[:3]  # more are not told apart; the shape text gives the number
        width = BAR if len(colours) == 1 else 2
        for number, colour in enumerate(colours):
            back = width * (len(colours) - number)
            if self._horizontal:
                painter.fillRect(QRect(rect.left(), rect.bottom() + 1 - back, rect.width(), width), colour)
            else:
                painter.fillRect(QRect(rect.right() + 1 - back, rect.top(), width, rect.height()), colour)

    def _label(self, section: int) -> str:
        return str(self.matrix_model().headerData(section, self.orientation()))

    def _is_current(self, section: int) -> bool:
        view = self.parentWidget()
        if view is None or not view.hasFocus():
            return False
        index = self.selectionModel().currentIndex()
        return index.isValid() and section == (index.column() if self._horizontal else index.row())


class TokenHeader(MatrixHeader):
    """The labels of tokens: dragged they reorder the tokens, double-clicked they are renamed."""

    renamed = Signal(int, str)
    dragged = Signal(int, int)  # the row that was pressed, and the row before which it was dropped
    drop_line_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._pressed = -1
        self._pressed_at = 0
        self.drop_row: int | None = None  # the tokens would be put before this row if dropped now
        self.sectionDoubleClicked.connect(self.rename)

    @property
    def has_tokens(self) -> bool:
        """Whether the rows are tokens at all."""
        return self.matrix_model().matrix.side is not None

    def rename(self, row: int) -> None:
        """Open an editor over the label of a row."""
        if not self.has_tokens:
            return
        editor = LabelEditor(self.viewport(), self._label(row))
        editor.setGeometry(
            0, self.sectionViewportPosition(row), self.viewport().width(), self.sectionSize(row)
        )
        editor.done.connect(lambda text: self.renamed.emit(row, text))
        editor.show()
        editor.setFocus()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.has_tokens:
            self._pressed_at = event.position().toPoint().y()
            self._pressed = self.logicalIndexAt(self._pressed_at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        y = event.position().toPoint().y()
        if self._pressed < 0 or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
        elif self.drop_row is not None or abs(y - self._pressed_at) >= QApplication.startDragDistance():
            self._show_drop(self._gap_at(y))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, -1
        if (row := self.drop_row) is not None:
            self._show_drop(None)
            self.dragged.emit(pressed, row)

    def cancel_drag(self) -> None:
        """Forget a drag that has begun."""
        self._pressed = -1
        self._show_drop(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.drop_row is not None:
            y = self.drop_line()
            with QPainter(self.viewport()) as painter:
                painter.setPen(QPen(theme.current().accent, 2))
                painter.drawLine(0, y, self.viewport().width(), y)

    def drop_line(self) -> int:
        """The y at which the tokens would be put."""
        assert self.drop_row is not None
        if self.drop_row < self.count():
            return max(1, self.sectionViewportPosition(self.drop_row))
        return self.sectionViewportPosition(self.count() - 1) + self.sectionSize(self.count() - 1) - 1

    def _gap_at(self, y: int) -> int:
        row = self.logicalIndexAt(y)
        if row < 0:
            return self.count() if y > 0 else 0
        return row + (y > self.sectionViewportPosition(row) + self.sectionSize(row) // 2)

    def _show_drop(self, row: int | None) -> None:
        if row != self.drop_row:
            self.drop_row = row
            self.viewport().update()
            self.drop_line_changed.emit()


class LabelEditor(QLineEdit):
    """A label being renamed; Enter or leaving takes it, Esc does not."""

    done = Signal(str)

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(text, parent)
        self.setObjectName("label_editor")
        self.setFrame(False)
        colours = theme.current()
        self.setStyleSheet(
            f"QLineEdit {{ border: 2px solid {colours.accent.name()}; border-radius: 0; padding: 0 2px;"
            f" background: {colours.surface.name()}; selection-background-color: {colours.accent.name()}; }}"
        )
        self.selectAll()
        self.editingFinished.connect(self._finish)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def _finish(self) -> None:
        text = self.text().strip()
        if self._close() and text:
            self.done.emit(text)

    def _close(self) -> bool:
        """Whether it was open."""
        if not self.isEnabled():
            return False
        self.setEnabled(False)  # hiding takes the focus, which finishes the editing a second time
        self.hide()
        self.deleteLater()
        return True
