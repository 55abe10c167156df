"""Paints the numbers of a grid and opens their editor."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemDelegate, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.ui.grids.editing import CellEditing
from explorer.ui.grids.editor import ROOM, NumberEditor
from explorer.ui.grids.model import MatrixModel

Index = QModelIndex | QPersistentModelIndex

_ALIGN = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class NumberDelegate(QStyledItemDelegate):
    """Paints the bare number; lines, frames and marks are the grid's (outline.py)."""

    left = Signal(int, int)  # an editor was left towards (rows, columns)
    said = Signal(str, bool)  # what the open editor has to say; see NumberEditor.said
    refused = Signal(str)  # an editor lost the focus with a text that is no number

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.replacing = False  # the next editor is opened by typing

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, MatrixModel)
        painter.drawText(
            option.rect.adjusted(0, 0, -ROOM, 0), _ALIGN, model.text(index.row(), index.column())
        )

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        model = index.model()
        assert isinstance(model, MatrixModel)
        editing = CellEditing(model.document, model.name, index.row(), index.column())
        editor = NumberEditor(parent, editing, self.replacing)
        editor.setText(index.data(Qt.ItemDataRole.EditRole))
        editor.setAccessibleName(index.data(Qt.ItemDataRole.AccessibleTextRole).split(" = ")[0])
        editor.said.connect(self.said)
        editor.left.connect(lambda rows, cols: self._close(editor, rows, cols))
        editor.given_up.connect(
            lambda: self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
        )
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Nothing: Qt calls this after each change of the cell, and the changes come from the editor."""

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """The numbers are in the Document already; what is no number is given up."""
        assert isinstance(editor, NumberEditor)
        if sentence := editor.settle():
            self.refused.emit(sentence)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        assert isinstance(editor, NumberEditor)
        editor.place(QRect(option.rect))  # a copy: option goes away

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:
            return False  # the editor knows its keys
        return super().eventFilter(editor, event)

    def _close(self, editor: NumberEditor, rows: int, cols: int) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)
        self.left.emit(rows, cols)
