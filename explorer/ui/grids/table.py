"""The look of a grid: a table view that is as large as its numbers and paints its own lines and frames."""

from collections.abc import Set as AbstractSet

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from explorer.scene import Array
from explorer.ui import theme
from explorer.ui.grids.commands import Block
from explorer.ui.grids.delegate import NumberDelegate
from explorer.ui.grids.editor import ROOM
from explorer.ui.grids.header import MatrixHeader, TokenHeader
from explorer.ui.grids.model import NOTHING, MatrixModel
from explorer.ui.grids.outline import (
    Marks,
    block_rect,
    paint_frame,
    paint_lines,
    paint_mark_frames,
    paint_mark_tints,
    paint_pointed,
    paint_tint,
)
from explorer.ui.turns import turns

MOST_ROWS = 14  # in sight; a higher grid scrolls
FEWEST_COLUMNS = 2  # in sight at the least
SAMPLE = 1024  # cells that are measured for the width of the columns; in a larger matrix all may be wide
NARROWEST, WIDE = 3, 6  # characters
ABOVE_AND_BELOW = 10  # px in a row beside the height of its text

Cells = AbstractSet[tuple[int, int]]
NO_CELLS: Cells = frozenset()

_EDIT = QAbstractItemView.EditTrigger


class NumberTable(QTableView):
    """Shows a MatrixModel; what can be done to it is the business of MatrixGrid."""

    def __init__(self, model: MatrixModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        model.setParent(self)
        self._marks = Marks()
        self._pointed: tuple[tuple[range, range], ...] = ()
        self._arranged: tuple[int, ...] = ()
        self._measured, self._most = NOTHING, 0  # numbers, and characters of the longest
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setEditTriggers(_EDIT.AnyKeyPressed | _EDIT.EditKeyPressed | _EDIT.DoubleClicked)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setAttribute(
            Qt.WidgetAttribute.WA_OpaquePaintEvent
        )  # so that nothing is painted behind it
        self.setModel(model)
        self.setHorizontalHeader(MatrixHeader(Qt.Orientation.Horizontal, self))
        self.labels = TokenHeader(self)
        self.setVerticalHeader(self.labels)
        self.delegate = NumberDelegate(self)
        self.setItemDelegate(self.delegate)
        model.dataChanged.connect(lambda *_: self._make_room())
        model.headerDataChanged.connect(lambda *_: self.relayout())
        self.labels.drop_line_changed.connect(self.viewport().update)
        theme.watcher().changed.connect(self._restyle_soon)

    def model(self) -> MatrixModel:
        """The model, as the type it has."""
        model: QAbstractItemModel = super().model()
        assert isinstance(model, MatrixModel)
        return model

    def block(self) -> Block | None:
        """The selected rectangle, or the current cell; None where there is neither."""
        ranges = self.selectionModel().selection()
        if ranges.isEmpty():
            index = self.currentIndex()
            return (
                Block(index.row(), index.column(), index.row(), index.column()) if index.isValid() else None
            )
        return Block(
            min(r.top() for r in ranges),
            min(r.left() for r in ranges),
            max(r.bottom() for r in ranges),
            max(r.right() for r in ranges),
        )

    def set_marks(
        self, selected: Cells = NO_CELLS, sources: Cells = NO_CELLS, dependents: Cells = NO_CELLS
    ) -> None:
        """Frame these cells (row, column): what is looked at, what it is made of, what is made of it."""
        marks = Marks(frozenset(selected), frozenset(sources), frozenset(dependents))
        if marks != self._marks:
            self._marks = marks
            self.viewport().update()

    def set_pointed(self, regions: tuple[tuple[range, range], ...]) -> None:
        """Put a double frame around these blocks (rows, columns): what a lesson speaks of."""
        if regions != self._pointed:
            self._pointed = regions
            self.viewport().update()

    def busy(self) -> bool:
        """Whether a number is under the mouse or the keys, so that cells had better stay where they are."""
        return False

    # ---- painting ----

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, block = theme.current(), self.block() if self.hasFocus() else None
        rect = block_rect(self, block.top, block.left, block.bottom, block.right) if block else QRect()
        with QPainter(self.viewport()) as under:
            under.fillRect(event.rect(), colours.surface)
            paint_mark_tints(under, self, self._marks, colours)
            if block is not None and block.size > 1:
                paint_tint(under, rect, colours.accent, 0.12)
        super().paintEvent(event)
        with QPainter(self.viewport()) as over:
            paint_lines(over, self, colours)
            paint_pointed(over, self, self._pointed, colours)
            paint_mark_frames(over, self, self._marks, colours)
            if block is not None:
                paint_frame(over, rect, colours.accent)
            if self.labels.drop_row is not None:
                over.fillRect(0, self.labels.drop_line() - 1, self.viewport().width(), 2, colours.accent)

    def _restyle_soon(self) -> None:
        turns().add(self, self.restyle)

    def restyle(self) -> None:
        """Take the theme's colours and type; whoever makes a table calls it once all is there."""
        font = theme.ui_font()
        font.setFeature(QFont.Tag("tnum"), 1)  # digits of one width, so that they stand in columns
        self.setFont(font)
        self.viewport().setFont(font)  # under the application's style sheet it does not follow by itself
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setFont(theme.ui_font(0.85))
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Highlight, QColor(0, 0, 0, 0))  # the frame says what is selected
        self.setPalette(palette)
        self._arranged = ()
        self._arrange()

    # ---- size ----

    def sizeHint(self) -> QSize:
        return QSize(self._content_width(), self.height())

    def minimumSizeHint(self) -> QSize:
        columns = min(FEWEST_COLUMNS, self.model().columnCount())
        return QSize(
            self.verticalHeader().width() + columns * self.horizontalHeader().defaultSectionSize(), 0
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()

    def relayout(self) -> None:
        """Make cells as wide as their numbers need and the grid as large as its cells; not while `busy`."""
        if not self.busy():
            self._arrange()

    def _make_room(self) -> None:
        """Lay it out anew if a number is longer than all before: few of those that are typed are."""
        most, values = self._most, self.model().values
        if values.size <= SAMPLE and self._longest(values) != most:
            self.relayout()

    def _arrange(self) -> None:
        height, width = self.fontMetrics().height() + ABOVE_AND_BELOW, self._cell_width()
        labels = self.verticalHeader().sizeHint().width()
        wanted = (height, width, labels, *self.model().values.shape)
        if wanted == self._arranged:
            return  # to lay it out again would have the whole dock laid out and painted again
        self._arranged = wanted
        self.verticalHeader().setDefaultSectionSize(height)
        self.horizontalHeader().setDefaultSectionSize(width)
        self.verticalHeader().setFixedWidth(labels)
        self.setMaximumWidth(self._content_width())
        self._fit_height()
        self.updateGeometry()

    def _cell_width(self) -> int:
        values = self.model().values
        characters = WIDE if values.size > SAMPLE else max(NARROWEST, self._longest(values))
        return self.fontMetrics().horizontalAdvance("0" * characters) + 2 * ROOM

    def _longest(self, values: Array) -> int:
        """Characters of the longest text that stands here, or did: columns don't shrink and grow with each edit.

        Of the numbers only those are written out that changed; those of another shape begin anew.
        """
        if values.shape != self._measured.shape:
            changed, self._most = np.ones(values.shape, dtype=bool), 0
        else:
            changed = values != self._measured  # NaN always counts as changed
        self._measured = values
        lengths = (len(self.model().text(row, col)) for row, col in np.argwhere(changed).tolist())
        self._most = max(self._most, *lengths, 0)
        return self._most

    def _content_width(self) -> int:
        width = self.verticalHeader().width() + self.horizontalHeader().length()
        scrolls = self.model().rowCount() > MOST_ROWS
        return width + (self.verticalScrollBar().sizeHint().width() if scrolls else 0)

    def _fit_height(self) -> None:
        rows = min(self.model().rowCount(), MOST_ROWS)
        height = (
            self.horizontalHeader().sizeHint().height() + rows * self.verticalHeader().defaultSectionSize()
        )
        if self.width() < self._content_width():
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.height():
            self.setFixedHeight(height)
