"""Small buttons in a row that breaks: the cells one can walk to."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from explorer.attention.trace import Cell
from explorer.ui.flow import LINE_GAP, lines
from explorer.ui.panels.rich import html_document

GAP = 5  # px


@dataclass(frozen=True)
class Item:
    """A cell to walk to; without a cell the button that asks for more. `told` is for tool tips and screen readers."""

    html: str
    told: str
    cell: Cell | None = None


class Chip(QToolButton):
    """One button with rich text in it."""

    def __init__(self, parent: QWidget, pad: int) -> None:
        super().__init__(parent)
        self._html = ""
        self._pad = pad  # px at each side of the text
        self._drawn: QTextDocument | None = None
        self._size: QSize | None = None  # as it is asked for again and again
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_item(self, item: Item) -> None:
        """Bear this text."""
        self._html, self._drawn, self._size = item.html, None, None
        self.setToolTip(item.told)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        if self._size is None:
            size = self._document().size()
            self._size = QSize(round(size.width()) + 2 * self._pad, round(size.height()) + 4)
        return self._size

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        document = self._document()
        size = document.size()
        painter = QStylePainter(self)
        with painter:
            painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
            painter.translate(QPointF((self.width() - size.width()) / 2, (self.height() - size.height()) / 2))
            document.drawContents(painter)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._drawn = self._size = None  # font or colour

    def _document(self) -> QTextDocument:
        if self._drawn is None:
            self.ensurePolished()
            self._drawn = html_document(self._html, self.font(), self.palette().buttonText().color())
        return self._drawn


class ChipRow(QWidget):
    """A lead in words, and chips; the buttons are used again, so that the focus stays where it was."""

    chosen = Signal(object)  # Cell
    more = Signal()

    def __init__(self, name: str, pad: int = 8) -> None:
        super().__init__()
        self.setObjectName(name)
        self._pad = pad
        self._lead = QLabel(self)
        self._lead.setProperty("muted", True)
        self._tail = QLabel(self)
        self._tail.setObjectName("tail")
        self._chips: list[Chip] = []
        self._chips.append(self._new(0))  # Tab comes to all of them where the first one has its place
        self._items: tuple[Item, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_items(self, lead: str, items: Sequence[Item], tail: str = "") -> None:
        """Show these; nothing at all where there is no item."""
        self.setVisible(bool(items))
        self._items = tuple(items)
        had_focus = self.focused()
        for label, text in ((self._lead, lead), (self._tail, tail)):
            label.setText(text)
            label.setVisible(bool(text))
        while len(self._chips) < len(items):
            self._chips.append(self._new(len(self._chips)))
        for chip, item in zip(self._chips, items, strict=False):
            chip.show_item(item)
            chip.setAccessibleName(f"{lead} {item.told}".strip())
            chip.show()
        if had_focus and items and self._chips.index(had_focus) >= len(items):
            self._chips[len(items) - 1].setFocus(Qt.FocusReason.OtherFocusReason)
        for chip in self._chips[len(items) :]:
            chip.hide()
        self.updateGeometry()
        self._arrange()

    @property
    def items(self) -> tuple[Item, ...]:
        """What is shown."""
        return self._items

    def chip(self, number: int) -> Chip:
        """The button of an item."""
        return self._chips[number]

    def focused(self) -> Chip | None:
        """The chip that has the focus."""
        return next((chip for chip in self._chips if chip.hasFocus()), None)

    def _new(self, number: int) -> Chip:
        chip = Chip(self, self._pad)
        chip.hide()
        if self._chips:
            self.setTabOrder(self._chips[-1], chip)
        chip.clicked.connect(lambda: self._on_clicked(number))
        return chip

    def _on_clicked(self, number: int) -> None:
        cell = self._items[number].cell
        if cell is None:
            self.more.emit()
        else:
            self.chosen.emit(cell)

    # ---- layout ----

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        found = self._lines(width)
        return len(found) * (self._line_height() + LINE_GAP) - LINE_GAP if found else 0

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self._line_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        lead = [self._lead] if self._lead.text() else []
        tail = [self._tail] if self._tail.text() else []
        return [*lead, *self._chips[: len(self._items)], *tail]

    def _lines(self, width: int) -> list[list[int]]:
        return lines([widget.sizeHint().width() for widget in self._shown()], GAP, max(1, width))

    def _line_height(self) -> int:
        return max((widget.sizeHint().height() for widget in self._shown()), default=0)

    def _arrange(self) -> None:
        shown, height, top = self._shown(), self._line_height(), 0
        for line in self._lines(self.width()):
            left = 0
            for number in line:
                size = shown[number].sizeHint()
                width = min(size.width(), max(1, self.width()))
                shown[number].setGeometry(left, top + (height - size.height()) // 2, width, size.height())
                left += width + GAP
            top += height + LINE_GAP
