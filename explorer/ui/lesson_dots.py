"""How far one is: a dot for each step, told apart by shape as well as by colour."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.lessons.player import Progress
from explorer.ui import theme


class ProgressDots(QWidget):
    """Solved: full. Asked and not answered yet: a ring. Nothing asked: a small dot. The present step: underlined.

    A click goes to a step; with the keyboard one goes by Back and Next.
    """

    chosen = Signal(int)  # a step, from 0

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lesson_dots")
        self._progress: Progress | None = None
        self._reached = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.watcher().changed.connect(self.updateGeometry)

    def show_progress(self, progress: Progress) -> None:
        """Show this."""
        if self._progress is None or self._progress.lesson is not progress.lesson:
            self._reached = 0
        self._progress = progress
        self._reached = max(self._reached, progress.index)
        answered = len((progress.solved | progress.shown) & set(progress.questions))
        self.setAccessibleName(
            self.tr("Step {number} of {count}; {answered} of {asked} questions answered").format(
                number=progress.index + 1,
                count=len(progress.lesson.steps),
                answered=answered,
                asked=len(progress.questions),
            )
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, theme.ui_font().pixelSize() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def step_at(self, point: QPoint) -> int | None:
        """The step whose dot is at a point."""
        if self._progress is None:
            return None
        number = int(point.x() / self._pitch())
        return number if 0 <= number < len(self._progress.lesson.steps) else None

    def centre(self, step: int) -> QPointF:
        """Where a step's dot is."""
        return QPointF((step + 0.5) * self._pitch(), self.height() / 2 - 1)

    def _pitch(self) -> float:
        assert self._progress is not None
        return min(theme.ui_font().pixelSize() * 1.3, self.width() / len(self._progress.lesson.steps))

    def paintEvent(self, _event: QPaintEvent) -> None:
        progress = self._progress
        if progress is None:
            return
        colours = theme.current()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            largest = max(1.5, min(self._pitch() * 0.3, theme.ui_font().pixelSize() * 0.32))
            for step in range(len(progress.lesson.steps)):
                middle = self.centre(step)
                asked, done = step in progress.questions, step in progress.solved | progress.shown
                colour = colours.muted
                if done:
                    colour = colours.good
                elif step <= self._reached:
                    colour = colours.accent
                painter.setPen(QPen(colour, 1.6))
                painter.setBrush(colour if done or not asked else Qt.BrushStyle.NoBrush)
                radius = largest if asked else largest * 0.5
                painter.drawEllipse(middle, radius, radius)
                if step == progress.index:
                    half = largest + 1
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(colours.text)
                    painter.drawRect(QRectF(middle.x() - half, self.height() - 2.5, 2 * half, 2))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            step = self.step_at(event.pos())
            if step is not None:
                QToolTip.showText(event.globalPos(), self._told(step), self)
            return True
        return super().event(event)

    def _told(self, step: int) -> str:
        progress = self._progress
        assert progress is not None
        if step in progress.solved:
            text = self.tr("Step {number}: answered")
        elif step in progress.shown:
            text = self.tr("Step {number}: answer shown")
        elif step in progress.questions:
            text = self.tr("Step {number}: a question, still open")
        else:
            text = self.tr("Step {number}")
        return text.format(number=step + 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        step = self.step_at(event.position().toPoint())
        if step is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(step)
