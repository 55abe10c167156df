"""A row of widgets that breaks into more lines where there is no room for one."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

LINE_GAP = 4  # px between lines
ENDLESS = 1 << 20  # px


def lines(widths: Sequence[int], gap: int, room: int) -> list[list[int]]:
    """The numbers of the widgets of each line, as many to a line as fit into `room`, at least one."""
    found: list[list[int]] = []
    used = 0
    for number, width in enumerate(widths):
        if found and used + gap + width <= room:
            used += gap + width
            found[-1].append(number)
        else:
            used = width
            found.append([number])
    return found


class FlowRow(QWidget):
    """Places its widgets from left to right, each in its own size, and is as high as the lines need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def add(self, widget: QWidget) -> None:
        """One more at the end."""
        widget.setParent(self)
        self._widgets.append(widget)
        self._arrange()

    @property
    def gap(self) -> int:
        """Between two widgets, growing with the font."""
        return self.fontMetrics().height() * 3 // 4

    def sizeHint(self) -> QSize:
        sizes = self._sizes()
        width = sum(size.width() for size in sizes) + self.gap * max(0, len(sizes) - 1)
        return QSize(width, self._height(self._lines()))

    def minimumSizeHint(self) -> QSize:
        return QSize(max((size.width() for size in self._sizes()), default=0), self._height(self._lines()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()
        return super().event(event)

    def _sizes(self) -> list[QSize]:
        return [widget.sizeHint() for widget in self._widgets]

    def _lines(self) -> list[list[int]]:
        placed = self.testAttribute(Qt.WidgetAttribute.WA_Resized)  # until then the width says nothing
        room = max(1, self.width()) if placed else ENDLESS
        return lines([size.width() for size in self._sizes()], self.gap, room)

    def _line_height(self) -> int:
        return max((size.height() for size in self._sizes()), default=0)

    def _height(self, found: list[list[int]]) -> int:
        return len(found) * (self._line_height() + LINE_GAP) - LINE_GAP

    def _arrange(self) -> None:
        sizes, found, height = self._sizes(), self._lines(), self._line_height()
        top = max(0, (self.height() - self._height(found)) // 2)
        for line in found:
            left = 0
            for number in line:
                size = sizes[number]
                widget = self._widgets[number]
                widget.setGeometry(left, top + (height - size.height()) // 2, size.width(), size.height())
                left += size.width() + self.gap
            top += height + LINE_GAP
        self.updateGeometry()
