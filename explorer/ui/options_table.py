"""A small table of numbers that belongs to a setting, to type into."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QSizePolicy, QStyle, QTableView, QWidget

from explorer.numbers import NumberError, compact_number, exact, parse_number
from explorer.scene import Array
from explorer.ui.grids.bubble import Bubble
from explorer.ui.options_flag_views import TABLE_SHEET
from explorer.ui.problems import problem_text

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

MOST_ROWS, MOST_COLUMNS = 10, 8  # seen at once; more scroll


class TableModel(QAbstractTableModel):
    """Shows a table; what is typed goes out as `edited`, and comes back with the next table."""

    edited = Signal(int, int, float)
    refused = Signal(str, QModelIndex)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.values: Array = np.zeros((0, 0))
        self._labels: Sequence[str] = ()
        self._columns: Sequence[str] = ()

    def show_table(self, values: Array, labels: Sequence[str], columns: Sequence[str]) -> None:
        """Another table; rows past the labels belong to no token yet. Columns without a label are numbered."""
        named = (labels, columns) == (self._labels, self._columns)
        if values is self.values and named:
            return
        same = values.shape == self.values.shape and named
        if same:
            self.values = values
            self.dataChanged.emit(self.index(0, 0), self.index(values.shape[0] - 1, values.shape[1] - 1))
        else:
            self.beginResetModel()
            self.values, self._labels, self._columns = values, labels, columns
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else self.values.shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else self.values.shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        value = self.values.item(index.row(), index.column())
        if role == Role.DisplayRole:
            return compact_number(value)
        if role in (Role.EditRole, Role.ToolTipRole):
            return exact(value)
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole:
            return False
        try:
            number = parse_number(str(value))
        except NumberError as error:
            sentence = self.tr("“{text}” was not taken. {reason}.")
            self.refused.emit(sentence.format(text=value, reason=problem_text(str(error))), index)
            return False
        self.edited.emit(index.row(), index.column(), number)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role != Role.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical and section < len(self._labels):
            return self._labels[section]
        if orientation == Qt.Orientation.Horizontal and section < len(self._columns):
            return self._columns[section]
        return str(section + 1) if orientation == Qt.Orientation.Horizontal else "–"


class NumberTable(QTableView):
    """Typing replaces, F2 or a double click edits; what is no number says why beside the cell."""

    edited = Signal(int, int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = TableModel(self)
        self._model.edited.connect(self.edited)
        self._model.refused.connect(self._refuse)
        self._model.modelReset.connect(self.updateGeometry)
        self.setModel(self._model)
        self._bubble = Bubble(self.viewport())
        self._narrow = False
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.AnyKeyPressed | triggers.EditKeyPressed)
        self.setStyleSheet(TABLE_SHEET)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setCornerButtonEnabled(False)
        metrics = self.fontMetrics()
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setMinimumSectionSize(8)
            header.setHighlightSections(False)
        self.horizontalHeader().setDefaultSectionSize(metrics.horizontalAdvance("−0.0000") + 12)
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 10)

    def show_table(self, values: Array, labels: Sequence[str], columns: Sequence[str] = ()) -> None:
        """Another table, with a label for each row that belongs to a token."""
        self._model.show_table(values, tuple(labels), tuple(columns))

    def narrow(self) -> None:
        """Take any width: what does not fit scrolls."""
        self._narrow = True
        self.setMinimumWidth(80)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._narrow and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As large as the table, up to a limit."""
        columns, rows = self.horizontalHeader(), self.verticalHeader()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        width = rows.sizeHint().width() + columns.defaultSectionSize() * min(columns.count(), MOST_COLUMNS)
        height = columns.sizeHint().height() + rows.defaultSectionSize() * min(rows.count(), MOST_ROWS)
        width += bar * (rows.count() > MOST_ROWS)
        whole = rows.width() + columns.length() + bar * (rows.count() > MOST_ROWS)
        height += bar * (self.width() < whole + 2 if self._narrow else columns.count() > MOST_COLUMNS)
        return QSize(width + 2, height + 2)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _refuse(self, sentence: str, index: QModelIndex) -> None:
        self._bubble.say(sentence, self.visualRect(index))
