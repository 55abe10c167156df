"""The views of flags: chips for a row of them, a table for more. Click, drag, or toggle with the space bar."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
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

from explorer.ui import theme
from explorer.ui.options_flags import FlagModel, FlagPen
from explorer.ui.painting import saved
from explorer.ui.panels.overlay import paint_hatch

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
        with saved(painter):
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
