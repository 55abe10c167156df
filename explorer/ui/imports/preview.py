"""The first numbers of a table, to look at."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from explorer.numbers import compact_number
from explorer.scene import Array
from explorer.ui import theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

ROWS, COLUMNS = 12, 6  # seen; where there are more, the last one is of dots


class PreviewModel(QAbstractTableModel):
    """The corner of a table, read-only."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.values: Array = np.zeros((0, 0))

    def show_table(self, values: Array) -> None:
        """Another table."""
        self.beginResetModel()
        self.values = values
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else min(self.values.shape[0], ROWS)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else min(self.values.shape[1], COLUMNS)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Role.DisplayRole:
            return None
        rows, columns = self.values.shape
        if (index.row() == ROWS - 1 and rows > ROWS) or (index.column() == COLUMNS - 1 and columns > COLUMNS):
            return "…"
        return compact_number(float(self.values[index.row(), index.column()]))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role != Role.DisplayRole:
            return None
        rows = orientation == Qt.Orientation.Vertical
        count, most = self.values.shape[0 if rows else 1], ROWS if rows else COLUMNS
        return str(count if section == most - 1 else section + 1)


class Preview(QTableView):
    """Shows the corner of a table; nothing in it can be edited or chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("table_preview")
        self._model = PreviewModel(self)
        self.setModel(self._model)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        self.setShowGrid(False)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setMinimumSectionSize(8)
        self.horizontalHeader().setDefaultSectionSize(self.fontMetrics().horizontalAdvance("−0.00000") + 14)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 7)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        colours = theme.current()
        self.setStyleSheet(
            "QTableView, QHeaderView, QTableCornerButton::section"
            f" {{ background: {colours.surface.name()}; border: none; }}"
            f"QHeaderView::section {{ background: {colours.surface.name()}; color: {colours.muted.name()};"
            " border: none; padding: 2px 5px; }"
        )

    @property
    def values(self) -> Array:
        """The table."""
        return self._model.values

    def show_table(self, values: Array) -> None:
        """Another table."""
        self._model.show_table(values)
