"""A list of tokens whose rows are dragged, or moved by Alt and an arrow."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from explorer.ui import theme

MOST_ROWS = 12  # in sight
GRIP = "≡"
SHEET = """
QTreeWidget { border: 1px solid palette(mid); border-radius: 4px; outline: none; }
QTreeWidget::item { padding: 3px 4px; }
QTreeWidget::item:selected { background: palette(highlight); color: palette(base); }
QHeaderView::section { background: palette(base); color: palette(placeholder-text); border: none; padding: 3px 4px; }
"""


class TokenRows(QTreeWidget):
    """Shows texts; what a person wants to move goes out, and comes back with the next texts."""

    move_asked = Signal(int, int)  # a row, and the row that it shall be
    drag_began = Signal()
    drag_ended = Signal(bool)  # whether it counts

    def __init__(self, headings: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("token_rows")
        self.setHeaderLabels(list(headings))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(80)
        self.setStyleSheet(SHEET)
        self.header().setSectionsMovable(False)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        self._dragged = -1
        self._moving = False
        theme.watcher().changed.connect(self._fit)

    @property
    def row(self) -> int:
        """The current row, −1 for none."""
        return self.indexOfTopLevelItem(self.currentItem()) if self.currentItem() else -1

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """One text per column for each row; the grip and the number of the row are added."""
        if len(rows) != self.topLevelItemCount():
            self.clear()
            self.addTopLevelItems([QTreeWidgetItem() for _row in rows])
        for number, texts in enumerate(rows):
            item = self.topLevelItem(number)
            for column, text in enumerate((f"{GRIP} {number + 1}", *texts)):
                if item.text(column) != text:
                    item.setText(column, text)
        self._fit()

    def choose(self, row: int) -> None:
        """Make a row the current one."""
        self.setCurrentItem(self.topLevelItem(row))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape and self._moving:
            self._end(False)
        elif way is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            if self.row >= 0 and 0 <= self.row + way < self.topLevelItemCount():
                self.move_asked.emit(self.row, self.row + way)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged = self.indexAt(event.position().toPoint()).row()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged < 0 or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        to = self._row_at(event.position().toPoint())
        if to != self._dragged:
            if not self._moving:
                self._moving = True
                self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
                self.drag_began.emit()
            self.move_asked.emit(self._dragged, to)
            self._dragged = to

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._end(True)

    def let_go(self) -> None:
        """A drag is over, and stays as far as it has come."""
        self._end(True)

    def _end(self, counts: bool) -> None:
        moving, self._moving, self._dragged = self._moving, False, -1
        if moving:
            self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
            self.drag_ended.emit(counts)

    def _row_at(self, point: QPoint) -> int:
        found = self.indexAt(QPoint(2, point.y()))
        if found.isValid():
            return found.row()
        return 0 if point.y() < 0 else self.topLevelItemCount() - 1

    def _fit(self) -> None:
        """As high as its rows, up to a limit."""
        high = max(self.sizeHintForRow(0), self.fontMetrics().height() + 6)
        rows = min(self.topLevelItemCount(), MOST_ROWS)
        self.setFixedHeight(self.header().sizeHint().height() + rows * high + 4)
