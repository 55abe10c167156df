"""Spin, combo, check boxes and radio buttons, drawn in the Theme's colours where Fusion's marks are too faint.

Boxes leave the wheel alone until they have the focus.
"""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QRadioButton,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QWidget,
)

from explorer.ui import theme

Steps = QAbstractSpinBox.StepEnabledFlag
Part = QStyle.SubControl

# The style sheet's border takes Fusion's arrows away; `paint_chevron` draws ours.
SPIN_SHEET = """
QSpinBox { padding-right: 0; }
QSpinBox::up-button, QSpinBox::down-button { border: none; background: transparent; width: 1.3em; }
"""
COMBO_SHEET = "QComboBox::drop-down { border: none; background: transparent; width: 1.5em; }"


class StepBox(QSpinBox):
    """A whole number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setStyleSheet(SPIN_SHEET)
        self.lineEdit().setTextMargins(5, 0, 0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            for part, up, step in (
                (Part.SC_SpinBoxUp, True, Steps.StepUpEnabled),
                (Part.SC_SpinBoxDown, False, Steps.StepDownEnabled),
            ):
                rect = self.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, self)
                colours = theme.current()
                can = self.isEnabled() and bool(self.stepEnabled() & step)
                paint_chevron(painter, rect, up, colours.muted if can else colours.line)

    def sizeHint(self) -> QSize:
        """Room for three digits; longer numbers scroll while they are typed, and widen the box when shown."""
        metrics = self.fontMetrics()
        digits = max(metrics.horizontalAdvance("000"), metrics.horizontalAdvance(self.text() + " "))
        return QSize(digits + round(1.3 * metrics.height()) + 14, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def event(self, event: QEvent) -> bool:
        if is_history_key(event):
            event.ignore()
            return False
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class CountBox(StepBox):
    """Steps from one possible count to the next. What is typed counts on Enter or when the focus is lost,
    and may be impossible: `valueChanged` brings it to somebody who says why.
    """

    def __init__(self, possible: Callable[[], Sequence[int]], parent: QWidget | None = None) -> None:
        self._possible = possible  # the base class asks what can be stepped to
        super().__init__(parent)
        self.setRange(0, 99_999)
        self.setKeyboardTracking(False)

    def show_count(self, count: int) -> None:
        """Show a count without asking for it."""
        with QSignalBlocker(self):
            self.setValue(count)
        self.lineEdit().setText(self.text())  # where a refused text was typed
        self.updateGeometry()
        self.update()  # what can be stepped to

    def stepBy(self, steps: int) -> None:
        counts, now = self._possible(), self.value()
        up = steps > 0
        ahead = [c for c in counts if c > now] if up else [c for c in reversed(counts) if c < now]
        if ahead:
            self.setValue(ahead[min(abs(steps), len(ahead)) - 1])
            self.selectAll()

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        counts, now = self._possible(), self.value()
        found = Steps.StepNone
        if counts and now < counts[-1]:
            found |= Steps.StepUpEnabled
        if counts and now > counts[0]:
            found |= Steps.StepDownEnabled
        return found


class ChoiceBox(QComboBox):
    """One of some kinds, each item's data being its kind."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setStyleSheet(COMBO_SHEET)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def fill(self, items: Iterable[tuple[str, str]]) -> None:
        """These kinds and names; the choice stays."""
        kind = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for each, name in items:
                self.addItem(name, each)
            self.setCurrentIndex(self.findData(kind))

    def show_kind(self, kind: str | None) -> None:
        """Show a kind without asking for it; None, and a kind that is no item: the placeholder text."""
        with QSignalBlocker(self):
            self.setCurrentIndex(-1 if kind is None else self.findData(kind))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        rect = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, Part.SC_ComboBoxArrow, self
        )
        colours = theme.current()
        with QPainter(self) as painter:
            paint_chevron(painter, rect, False, colours.muted if self.isEnabled() else colours.line)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class TickBox(QCheckBox):
    """A check box."""

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_button(self, QStyle.SubElement.SE_CheckBoxIndicator, QStyle.ControlElement.CE_CheckBoxLabel)


class DotButton(QRadioButton):
    """A radio button."""

    def paintEvent(self, event: QPaintEvent) -> None:
        _paint_button(
            self, QStyle.SubElement.SE_RadioButtonIndicator, QStyle.ControlElement.CE_RadioButtonLabel
        )


def _paint_button(
    button: TickBox | DotButton, indicator: QStyle.SubElement, label: QStyle.ControlElement
) -> None:
    option = QStyleOptionButton()
    button.initStyleOption(option)
    room = button.style().subElementRect(indicator, option, button).toRectF()
    box = QRectF(0, 0, min(room.width(), room.height()) - 1, min(room.width(), room.height()) - 1)
    box.moveCenter(room.center())
    colours = theme.current()
    strong = colours.accent if button.isChecked() else colours.muted
    strong = strong if button.isEnabled() else colours.hatch
    with QPainter(button) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = button.hasFocus()
        painter.setPen(QPen(colours.selection if ring else strong, 2 if ring else 1.2))
        round_ = isinstance(button, DotButton)
        painter.setBrush(strong if button.isChecked() and not round_ else colours.surface)
        radius = box.height() / 2 if round_ else 3
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        if button.isChecked() and round_:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(strong)
            painter.drawEllipse(box.center(), box.height() * 0.24, box.height() * 0.24)
        elif button.isChecked():
            pen = QPen(colours.surface, max(1.5, box.height() * 0.13))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            tick = [QPointF(0.25, 0.52), QPointF(0.43, 0.7), QPointF(0.76, 0.32)]
            painter.drawPolyline(QPolygonF([box.topLeft() + p * box.height() for p in tick]))
        painter.setPen(Qt.PenStyle.SolidLine)
        option.rect = button.style().subElementRect(
            QStyle.SubElement.SE_RadioButtonContents if round_ else QStyle.SubElement.SE_CheckBoxContents,
            option,
            button,
        )
        button.style().drawControl(label, option, painter, button)


def is_history_key(event: QEvent) -> bool:
    """Whether it is the key of undo or redo, which a line of text takes for itself and the Document should have."""
    if event.type() not in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride):
        return False
    keys = QKeySequence.StandardKey
    return isinstance(event, QKeyEvent) and (event.matches(keys.Undo) or event.matches(keys.Redo))


def paint_chevron(painter: QPainter, rect: QRect, up: bool, colour: QColor) -> None:
    """A small ⌃ or ⌄ in the middle of `rect`."""
    half = max(3.0, rect.width() * 0.18)
    rise = half * 0.55 * (-1 if up else 1)
    middle = rect.toRectF().center()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, max(1.2, half * 0.4), c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
    ends = [QPointF(-half, -rise), QPointF(0, rise), QPointF(half, -rise)]
    painter.drawPolyline(QPolygonF([middle + end for end in ends]))
