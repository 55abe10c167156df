"""Tables of true and false: the model, and the pen that draws on its views (options_flag_views.py)."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView

from explorer.scene import Flags

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

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


def _gesture() -> str:
    return f"flags {next(_drags)}"
