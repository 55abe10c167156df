"""Tables of true and false to click, to drag over and to toggle with the space bar."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from explorer.scene import Flags
from explorer.ui import theme
from explorer.ui.panels.chrome import paint_hatch

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

MOST_CHIP_LINES = 5  # chips beyond that scroll
MOST_SIDE = 12  # cells of a flag table seen at once, likewise

TABLE_SHEET = """
QTableView { background: palette(base); border: none; gridline-color: palette(mid); }
QHeaderView { background: palette(base); }
QHeaderView::section {
    background: palette(base); color: palette(placeholder-text); border: none; padding: 1px 5px;
}
QTableCornerButton::section { background: palette(base); border: none; }
"""

_drags = count()


class FlagModel(QAbstractTableModel):
    """A table of flags with labels on both sides; changes nothing itself, but says what was asked for."""

    asked = Signal(int, int, bool, str)  # row, column, the flag wanted, the gesture it belongs to

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.values: Flags = np.zeros((0, 0), dtype=bool)
        self._rows: Sequence[str] = ()
        self._cols: Sequence[str] = ()

    def show_flags(self, values: Flags, rows: Sequence[str], cols: Sequence[str] = ()) -> None:
        """Show other flags, one label per row (and per column, if columns mean anything)."""
        labels = (tuple(rows), tuple(cols))
        if values.shape != self.values.shape or labels != (self._rows, self._cols):
            self.beginResetModel()
            self.values, (self._rows, self._cols) = values, labels
            self.endResetModel()
        elif not np.array_equal(values, self.values):
            self.values = values
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def ask(self, index: Index, on: bool, gesture: str) -> None:
        """Somebody wants this flag to be `on`."""
        if index.isValid() and bool(self.values[index.row(), index.column()]) != on:
            self.asked.emit(index.row(), index.column(), on, gesture)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else self.values.shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else self.values.shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        on = bool(self.values[index.row(), index.column()])
        if role == Role.CheckStateRole:
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        if role == Role.DisplayRole:
            return "" if self._cols else self._rows[index.row()]
        if role in (Role.AccessibleTextRole, Role.ToolTipRole):
            where = self._rows[index.row()]
            if self._cols:
                where += f" → {self._cols[index.column()]}"
            return (self.tr("%1: seen") if on else self.tr("%1: hidden")).replace("%1", where)
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """Screen readers toggle this way."""
        if role != Role.CheckStateRole:
            return False
        self.ask(index, Qt.CheckState(value) == Qt.CheckState.Checked, _gesture())
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role in (Role.DisplayRole, Role.ToolTipRole):
            return (self._cols if orientation == Qt.Orientation.Horizontal else self._rows)[section]
        return None


class FlagPen(QObject):
    """Gives a view of a FlagModel its gestures: a press toggles, a drag goes on with the same value."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._on: bool | None = None  # None: nothing is being drawn
        self._gesture = ""
        self._at = QPoint()
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._key(event)
        elif isinstance(event, QMouseEvent):
            return self._mouse(event)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        index = self._view.currentIndex()
        if event.key() not in (Qt.Key.Key_Space, Qt.Key.Key_Select) or not index.isValid():
            return False
        self._model().ask(index, not self._flag(index), _gesture())
        return True

    def _mouse(self, event: QMouseEvent) -> bool:
        kind, at = event.type(), event.position().toPoint()
        if kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            index = self._view.indexAt(at)
            if event.button() == Qt.MouseButton.LeftButton and index.isValid():
                self._view.setFocus(Qt.FocusReason.MouseFocusReason)
                self._on, self._gesture, self._at = not self._flag(index), _gesture(), at
                self._draw(index)
            return True
        if kind == QEvent.Type.MouseMove and self._on is not None:
            way = at - self._at
            steps = max(1, way.manhattanLength() // 4)  # a fast drag jumps over cells
            for step in range(1, steps + 1):
                self._draw(self._view.indexAt(self._at + way * (step / steps)))
            self._at = at
            return True
        if kind == QEvent.Type.MouseButtonRelease:
            self._on = None
        return False

    def _draw(self, index: QModelIndex) -> None:
        if index.isValid() and self._on is not None:
            self._view.setCurrentIndex(index)
            self._model().ask(index, self._on, self._gesture)

    def _flag(self, index: QModelIndex) -> bool:
        return bool(self._model().values[index.row(), index.column()])

    def _model(self) -> FlagModel:
        model = self._view.model()
        assert isinstance(model, FlagModel)
        return model


class ChipList(QListView):
    """One chip per row of the model, wrapping; a filled chip is on, a struck-out one is off."""

    def __init__(self, model: FlagModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_ChipDelegate(self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSpacing(2)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        _quiet(self)
        model.modelReset.connect(self.updateGeometry)
        FlagPen(self)

    def sizeHint(self) -> QSize:
        """As wide as a popover wants to be, as high as the lines, up to a limit."""
        metrics = self.fontMetrics()
        room = 46 * metrics.averageCharWidth()
        count, height, lines, used = self.model().rowCount(), 0, 1, 0
        for row in range(min(count, 400)):
            size = self.sizeHintForIndex(self.model().index(row, 0))
            height = size.height()
            if used and used + size.width() + 4 > room:
                lines, used = lines + 1, 0
            used += size.width() + 4
        seen = min(lines, MOST_CHIP_LINES)
        return QSize(room + 12, seen * (height + 4) + 4)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _ChipDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = option.fontMetrics
        width = min(metrics.horizontalAdvance(index.data() or " "), 20 * metrics.averageCharWidth())
        return QSize(width + metrics.height() + 4, metrics.height() + 8)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = theme.current()
        on = index.data(Role.CheckStateRole) == Qt.CheckState.Checked
        box = option.rect.toRectF().adjusted(1.5, 1.5, -1.5, -1.5)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colours.accent if on else colours.hatch, 1))
        painter.setBrush(colours.accent if on else colours.surface)
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        if _is_current(option):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colours.selection, 2))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        font = option.font
        font.setStrikeOut(not on)
        painter.setFont(font)
        painter.setPen(colours.surface if on else colours.muted)
        text = painter.fontMetrics().elidedText(
            index.data(), Qt.TextElideMode.ElideRight, int(box.width()) - 10
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.restore()


class FlagTable(QTableView):
    """The flags as cells: tinted ones are on, hatched ones off, as in the panels."""

    def __init__(self, model: FlagModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_CellDelegate(self))
        self.setStyleSheet(TABLE_SHEET)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setSectionsClickable(False)
        _quiet(self)
        model.modelReset.connect(self.fit)
        FlagPen(self)
        self.fit()

    def fit(self) -> None:
        """Cells as wide as their labels, up to a limit, and high enough to hit."""
        metrics = self.fontMetrics()
        side = metrics.height() * 3 // 2
        model = self.model()
        labels = [str(model.headerData(c, Qt.Orientation.Horizontal)) for c in range(model.columnCount())]
        widest = max((metrics.horizontalAdvance(label) for label in labels[:400]), default=0) + 8
        self.horizontalHeader().setMinimumSectionSize(8)
        self.horizontalHeader().setDefaultSectionSize(min(max(side, widest), 3 * side))
        self.verticalHeader().setMinimumSectionSize(8)
        self.verticalHeader().setDefaultSectionSize(side)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Up to MOST_SIDE cells each way; more scroll."""
        columns, rows = self.horizontalHeader(), self.verticalHeader()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        width = rows.sizeHint().width() + columns.defaultSectionSize() * min(columns.count(), MOST_SIDE)
        height = columns.sizeHint().height() + rows.defaultSectionSize() * min(rows.count(), MOST_SIDE)
        width += bar * (rows.count() > MOST_SIDE)
        height += bar * (columns.count() > MOST_SIDE)
        return QSize(width + 2, height + 2)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _CellDelegate(QStyledItemDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = theme.current()
        cell: QRect = option.rect
        if index.data(Role.CheckStateRole) == Qt.CheckState.Checked:
            tint = QColor(colours.accent)
            tint.setAlphaF(0.45)
            painter.fillRect(cell, tint)
        else:
            paint_hatch(painter, cell, colours)
        painter.setPen(colours.line)
        painter.drawRect(cell.adjusted(-1, -1, -1, -1))
        if _is_current(option):
            painter.setPen(QPen(colours.selection, 2))
            painter.drawRect(cell.adjusted(1, 1, -2, -2))

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        return False  # FlagPen draws


def _is_current(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_HasFocus)


def _quiet(view: QAbstractItemView) -> None:
    view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)


def _gesture() -> str:
    return f"flags {next(_drags)}"
