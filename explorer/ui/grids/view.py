"""The grid of numbers: keys, editing and selection as in a spreadsheet."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QHideEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QWidget

from explorer.document import Document
from explorer.ui.grids.bubble import Bubble
from explorer.ui.grids.commands import Block, GridCommands
from explorer.ui.grids.editor import NumberEditor
from explorer.ui.grids.fill import Fill
from explorer.ui.grids.gestures import NudgeGestures
from explorer.ui.grids.menus import GridMenu
from explorer.ui.grids.model import Index, MatrixModel
from explorer.ui.grids.nudge import Nudger
from explorer.ui.grids.table import NumberTable

if TYPE_CHECKING:
    from explorer.ui.imports.importer import Importer

Key = Qt.Key

_EDIT = QAbstractItemView.EditTrigger
_STANDARD = QKeySequence.StandardKey
_ARROWS = {Key.Key_Up: (-1, 0), Key.Key_Down: (1, 0), Key.Key_Left: (0, -1), Key.Key_Right: (0, 1)}


class MatrixGrid(NumberTable):
    """One matrix of the Document: type, nudge, fill, copy, paste; rows of x and context are tokens.

    Sizes itself to its content. `commands.ask_seed` and `commands.confirm_growth` are what it asks a person;
    give other callables where nobody sits before it.
    """

    cell_activated = Signal(int, int)  # the current cell, from 0, has changed
    problem = Signal(str)  # what was asked for cannot be; it is shown beside the grid too

    def __init__(self, document: Document, name: str, parent: QWidget | None = None) -> None:
        super().__init__(MatrixModel(document, name), parent)
        self.setObjectName(f"grid_{name}")
        self.document, self.name = document, name
        self.commands = GridCommands(document, name, self)
        self.nudger = Nudger(document, name, self)
        self.bubble = Bubble(self)
        self.menu = GridMenu(self)
        self._gestures = NudgeGestures(self, self.nudger)
        self._current = (-1, -1)
        self._kept: Block | None = None
        self.setAccessibleName(self.tr("Matrix {name}").format(name=self.model().matrix.title))
        self.setAccessibleDescription(
            self.tr("Tab goes from number to number, Ctrl+Tab on to what comes next.")
        )
        self._connect()
        self.restyle()

    @cached_property
    def importer(self) -> "Importer":
        """Brings files into it."""
        from explorer.ui.imports.importer import Importer  # when it is first asked for

        return Importer(self.commands)

    def _connect(self) -> None:
        model, delegate = self.model(), self.delegate
        model.modelAboutToBeReset.connect(self._keep_selection)
        model.modelReset.connect(self._restore_selection)
        for signal in (
            model.modelReset,
            model.headerDataChanged,
        ):  # the rows are other ones than were dragged
            signal.connect(lambda *_: self.labels.cancel_drag())
        self.selectionModel().currentChanged.connect(self._show_current)
        # all of it: the outline of a block changes in cells that stay selected too
        self.selectionModel().selectionChanged.connect(lambda *_: self.viewport().update())
        self.document.changed.connect(self._drop_overtaken_editor)
        delegate.left.connect(self.step)
        delegate.said.connect(self._say_beside_editor)
        delegate.refused.connect(self._complain)
        self.commands.problem.connect(self._complain)
        self.nudger.ended.connect(self.relayout)
        self.labels.renamed.connect(self.commands.rename_token)
        self.labels.dragged.connect(self._drop_tokens)
        self.labels.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.labels.customContextMenuRequested.connect(self._show_label_menu)

    def busy(self) -> bool:
        """Whether a number is being typed or nudged."""
        return self.nudger.active or self.editor() is not None

    # ---- what others may ask for ----

    def select_cell(self, row: int, col: int) -> None:
        """Make this the current cell and the only one selected."""
        self.setCurrentIndex(self.model().index(row, col))

    def select_block(self, block: Block) -> None:
        """Select a rectangle; its first cell becomes the current one."""
        model = self.model()
        first, last = model.index(block.top, block.left), model.index(block.bottom, block.right)
        self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.selectionModel().select(
            QItemSelection(first, last), QItemSelectionModel.SelectionFlag.ClearAndSelect
        )

    def fill(self, fill: Fill) -> None:
        """Fill the selection, or the whole matrix where a single cell or none is selected."""
        block = self.block()
        if block is None or block.size == 1:
            block = Block(0, 0, self.model().rowCount() - 1, self.model().columnCount() - 1)
        self.commands.fill(fill, block)

    def copy(self) -> None:
        """The selection to the clipboard."""
        if (block := self.block()) is not None:
            self.commands.copy(block)

    def cut(self) -> None:
        """Copy, then zeros."""
        if (block := self.block()) is not None:
            self.commands.cut(block)

    def paste(self) -> None:
        """The clipboard at the current cell; what was pasted is selected then."""
        block, offer = self.block() or Block(0, 0, 0, 0), QGuiApplication.clipboard().mimeData()
        if offer is not None and (target := self.importer.take(offer, block)) is not None:
            self.select_block(target)

    def clear_cells(self) -> None:
        """Zeros in the selection."""
        if (block := self.block()) is not None:
            self.commands.clear(block)

    def move_tokens(self, rows: int) -> None:
        """Move the selected tokens up (−1) or down (1); the selection goes along."""
        block = self.block()
        if block is None or self.model().matrix.side is None:
            return
        top, bottom = block.top + rows, block.bottom + rows
        if top >= 0 and bottom < self.model().rowCount():
            self.commands.move_tokens(block.rows, top if rows < 0 else bottom + 1)
            self.select_block(Block(top, block.left, bottom, block.right))

    def rename_token(self, row: int) -> None:
        """Open an editor over the label of a token."""
        self.labels.rename(row)

    def step(self, rows: int, cols: int) -> bool:
        """Move the current cell; from the ends of a row to the next one. False at the edge."""
        model, index = self.model(), self.currentIndex()
        if not index.isValid():
            return False
        row, col = index.row() + rows, index.column() + cols
        if cols and not 0 <= col < model.columnCount():
            row, col = row + (1 if cols > 0 else -1), 0 if cols > 0 else model.columnCount() - 1
        if not 0 <= row < model.rowCount():
            return False
        self.select_cell(row, col)
        return True

    # ---- keys ----

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if any(
                event.matches(key)
                for key in (_STANDARD.Copy, _STANDARD.Cut, _STANDARD.Paste, _STANDARD.SelectAll)
            ):
                event.accept()  # these are the grid's own while it has the focus
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not (self._edit_key(event) or self._move_key(event)):
            super().keyPressEvent(event)

    def _edit_key(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers()
        if event.matches(_STANDARD.Copy):
            self.copy()
        elif event.matches(_STANDARD.Cut):
            self.cut()
        elif event.matches(_STANDARD.Paste):
            self.paste()
        elif key in (Key.Key_Delete, Key.Key_Backspace):
            self.clear_cells()
        elif key == Key.Key_Escape:
            self.labels.cancel_drag()
            self.bubble.hide()
            return self._gestures.cancel()
        elif key in (Key.Key_Up, Key.Key_Down) and modifiers & Qt.KeyboardModifier.AltModifier:
            way = -1 if key == Key.Key_Up else 1
            if modifiers & Qt.KeyboardModifier.ShiftModifier:
                self.move_tokens(way)
            else:
                self._gestures.keys(-way, modifiers)
        else:
            return key == Key.Key_Space  # would open an editor with a blank in it
        return True

    def _move_key(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers()
        if key in (Key.Key_Return, Key.Key_Enter):
            self.step(-1 if modifiers & Qt.KeyboardModifier.ShiftModifier else 1, 0)
        elif key in (Key.Key_Tab, Key.Key_Backtab) and modifiers & Qt.KeyboardModifier.ControlModifier:
            super().focusNextPrevChild(
                key == Key.Key_Tab and not modifiers & Qt.KeyboardModifier.ShiftModifier
            )
        elif key in _ARROWS and modifiers & Qt.KeyboardModifier.ControlModifier:
            rows, cols = _ARROWS[key]
            self._go_to_edge(rows, cols, bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        else:
            return False
        return True

    def _go_to_edge(self, rows: int, cols: int, extend: bool) -> None:
        index, model = self.currentIndex(), self.model()
        row = index.row() if not rows else 0 if rows < 0 else model.rowCount() - 1
        col = index.column() if not cols else 0 if cols < 0 else model.columnCount() - 1
        if extend and (block := self.block()) is not None:
            block = Block(
                min(block.top, row), min(block.left, col), max(block.bottom, row), max(block.right, col)
            )
            self.select_block(block)
        else:
            self.select_cell(row, col)

    def focusNextPrevChild(self, forward: bool) -> bool:
        # Tab goes through the cells and, past the last one, on to the next widget: nobody is caught in a grid
        if self.state() != QAbstractItemView.State.EditingState and self.step(0, 1 if forward else -1):
            return True
        return super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            index = self.currentIndex()
            self.select_cell(max(index.row(), 0), max(index.column(), 0))
        self._repaint()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.nudger.end()
        self._repaint()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.bubble.hide()  # it would stand beside the matrix of another tab

    def _repaint(self) -> None:
        """The cells and the edges: both show what is current, and only in the grid with the focus."""
        for widget in (self, self.horizontalHeader(), self.verticalHeader()):
            widget.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if index.isValid() and not self.selectionModel().isSelected(index):
            self.setCurrentIndex(index)
        self.menu.popup(event.globalPos())

    def _show_label_menu(self, at: QPoint) -> None:
        row, block = self.labels.logicalIndexAt(at), self.block()
        if row < 0:
            return
        if block is None or not block.top <= row <= block.bottom:
            self.setFocus()
            self.selectRow(row)
        self.menu.popup(self.labels.viewport().mapToGlobal(at))

    # ---- editing ----

    def edit(self, index: Index, trigger: _EDIT = _EDIT.AllEditTriggers, event: QEvent | None = None) -> bool:
        self.delegate.replacing = trigger == _EDIT.AnyKeyPressed
        return super().edit(index, trigger, event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        if self.bubble.lasting:  # the editor's own; why its text was not taken stays for a while
            self.bubble.hide()
        super().closeEditor(editor, hint)
        self.relayout()

    def editor(self) -> NumberEditor | None:
        """The open editor of a number."""
        return next((e for e in self.viewport().findChildren(NumberEditor) if e.isVisible()), None)

    def _drop_overtaken_editor(self) -> None:
        """Undo, or an edit from elsewhere: what is being typed has no ground any more."""
        editor = self.editor()
        if editor is not None and editor.editing.overtaken:
            self.delegate.closeEditor.emit(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    def _say_beside_editor(self, sentence: str, final: bool) -> None:
        editor = self.editor()
        if not sentence or editor is None:
            self.bubble.hide()
        else:
            beside = QRect(editor.mapTo(self, QPoint(0, 0)), editor.size())
            self.bubble.say(sentence, beside, error=final, lasting=True)

    def _complain(self, sentence: str) -> None:
        """Say beside the current cell why something was not done."""
        index = self.currentIndex()
        rect = self.visualRect(index) if index.isValid() else self.viewport().rect()
        self.bubble.say(sentence, QRect(self.viewport().mapTo(self, rect.topLeft()), rect.size()))
        self.problem.emit(sentence)

    # ---- selection ----

    def _show_current(self, current: Index) -> None:
        self.nudger.end()
        self._repaint()
        cell = (current.row(), current.column())
        if cell != self._current and current.isValid():
            self._current = cell
            self.cell_activated.emit(*cell)

    def _keep_selection(self) -> None:
        self._kept = self.block()

    def _restore_selection(self) -> None:
        rows, cols = self.model().rowCount(), self.model().columnCount()
        block, self._kept = self._kept, None
        self.relayout()
        if block is not None and rows and cols:
            bottom, right = min(block.bottom, rows - 1), min(block.right, cols - 1)
            self.select_block(Block(min(block.top, bottom), min(block.left, right), bottom, right))

    def _drop_tokens(self, pressed: int, to: int) -> None:
        block = self.block()
        rows = block.rows if block is not None and pressed in block.rows else range(pressed, pressed + 1)
        if to < rows[0] or to > rows[-1] + 1:
            self.commands.move_tokens(rows, to)
            top = to if to < rows[0] else to - len(rows)
            self.select_block(Block(top, 0, top + len(rows) - 1, self.model().columnCount() - 1))
