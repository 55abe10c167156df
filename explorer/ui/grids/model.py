"""The table model of one matrix of the Document."""

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from explorer.document import Document
from explorer.numbers import NumberError, compact_number, exact, parse_number
from explorer.patched import LARGE, Patched, Table
from explorer.scene import Scene
from explorer.ui.grids.matrices import MATRICES, cell_text, edit_text, query_heads, tokens

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

NOTHING = np.zeros((0, 0))


class MatrixModel(QAbstractTableModel):
    """Shows `document.scene.<name>` and tells which cells changed; 0 × 0 while it is not set."""

    def __init__(self, document: Document, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document, self.name = document, name
        self.matrix = MATRICES[name]
        self.scene = document.scene  # what is shown: the Document's Scene since `changed` came here
        self.values = self._values()
        document.changed.connect(self._follow)

    def text(self, row: int, col: int) -> str:
        """What the cell shows: the number, rounded if it is too long."""
        return compact_number(self.values.item(row, col))

    def column_heads(self, col: int) -> tuple[int, ...]:
        """The query heads (from 0) that own or share a column; none where heads don't cut the columns."""
        return self._heads(col, self.columnCount(), self.matrix.column_blocks(self.scene))

    def row_heads(self, row: int) -> tuple[int, ...]:
        """Likewise for a row."""
        return self._heads(row, self.rowCount(), self.matrix.row_blocks(self.scene))

    def _heads(self, section: int, count: int, blocks: int | None) -> tuple[int, ...]:
        if blocks is None or self.scene.heads == 1:
            return ()
        return query_heads(self.scene, section * blocks // max(count, 1), blocks)

    # ---- QAbstractTableModel ----

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else self.values.shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return 0 if parent.isValid() else self.values.shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        row, col = index.row(), index.column()
        if role == Role.DisplayRole:
            return self.text(row, col)
        if role == Role.EditRole:
            return exact(self.values.item(row, col))
        if role in (Role.ToolTipRole, Role.AccessibleTextRole):
            return f"{cell_text(self.name, row, col)} = {exact(self.values.item(row, col))}"
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        """One number from a text, in one undo step; False for a text that is no number."""
        if role != Role.EditRole:
            return False
        row, col = index.row(), index.column()
        try:
            scene = self.document.scene.with_cell(self.name, row, col, parse_number(str(value)))
        except NumberError:
            return False
        self.document.edit(scene, edit_text(self.name, row, col))
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if role not in (Role.DisplayRole, Role.ToolTipRole):
            return None
        if orientation == Qt.Orientation.Horizontal:
            return str(section % (self.columnCount() // (self.matrix.column_blocks(self.scene) or 1)) + 1)
        if self.matrix.side is not None:
            return tokens(self.scene, self.matrix.side)[section]
        if self.matrix.rows is None:
            return ""
        return str(section % (self.rowCount() // (self.matrix.row_blocks(self.scene) or 1)) + 1)

    # ---- the Document ----

    def _values(self) -> Table:
        values = self.scene.table(self.name)
        return NOTHING if values is None else values

    def _follow(self, old: Scene, new: Scene) -> None:
        before, after = old.table(self.name), new.table(self.name)
        if _shape(before) != _shape(after):
            self.beginResetModel()
            self.scene = new
            self.values = self._values()
            self.endResetModel()
            return
        self.scene = new
        if before is not after:
            before, self.values = self.values, self._values()
            self._tell_changes(before, self.values)
        if _heading(old) != _heading(new):
            for orientation in Qt.Orientation:
                count = self.columnCount() if orientation == Qt.Orientation.Horizontal else self.rowCount()
                if count:
                    self.headerDataChanged.emit(orientation, 0, count - 1)

    def _tell_changes(self, before: Table, after: Table) -> None:
        if after.size >= LARGE or isinstance(before, Patched) or isinstance(after, Patched):
            # What is in view is painted sooner than a difference is found.
            self.dataChanged.emit(self.index(0, 0), self.index(after.shape[0] - 1, after.shape[1] - 1))
            return
        differs = before != after
        rows = np.flatnonzero(differs.any(axis=1))  # few, of a matrix that may be large
        differs = differs[rows] & ~(np.isnan(before[rows]) & np.isnan(after[rows]))
        rows, cols = rows[differs.any(axis=1)], np.flatnonzero(differs.any(axis=0))
        if rows.size:
            first = self.index(int(rows.min()), int(cols.min()))
            self.dataChanged.emit(first, self.index(int(rows.max()), int(cols.max())))


def _heading(scene: Scene) -> tuple[object, ...]:
    """What headers show beside the matrix itself: labels, and the colours and numbering of heads."""
    return scene.tokens, scene.context_tokens, scene.heads, scene.kv_heads, scene.w_o is None


def _shape(table: Table | None) -> tuple[int, ...]:
    return () if table is None else table.shape
