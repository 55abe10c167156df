"""A painted toggle."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.ui import theme

RING = 3  # px around the track for the mark of the focus


class Switch(QAbstractButton):
    """On or off, as a knob in a track. Space toggles; screen readers know it as a check box."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._between = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self._follow_theme)

    @property
    def between(self) -> bool:
        """Whether neither on nor off tells the truth: the knob stands in the middle."""
        return self._between

    @between.setter
    def between(self, value: bool) -> None:
        if value != self._between:
            self._between = value
            self.update()

    def sizeHint(self) -> QSize:
        height = 2 * (self.fontMetrics().height() // 2)
        return QSize(round(1.85 * height) + 2 * RING, height + 2 * RING)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        size = self.sizeHint()
        track = QRectF(0, 0, size.width(), size.height())
        track.moveCenter(self.rect().toRectF().center())
        track.adjust(RING, RING, -RING, -RING)
        on = self.isChecked() and not self.between
        strong = colours.accent if on or self.between else colours.muted
        if not self.isEnabled():
            strong = colours.line
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.hasFocus():
                painter.setPen(QPen(colours.accent, 1.5))
                _pill(painter, track.adjusted(-2.2, -2.2, 2.2, 2.2))
            painter.setPen(QPen(strong, 1.5))
            painter.setBrush(strong if on else colours.surface)
            _pill(painter, track.adjusted(0.75, 0.75, -0.75, -0.75))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.surface if on else strong)
            knob = track.height() - (5 if on else 7)
            travel = track.width() - track.height()
            place = 0.5 if self.between else float(self.isChecked())
            middle = track.left() + track.height() / 2 + place * travel
            painter.drawEllipse(QRectF(middle - knob / 2, track.center().y() - knob / 2, knob, knob))

    def _follow_theme(self) -> None:
        self.updateGeometry()
        self.update()


def _pill(painter: QPainter, rect: QRectF) -> None:
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
