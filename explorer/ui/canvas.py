"""The ground of the pipeline, behind its panels."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.panels import lettering
from explorer.ui.panels.measures import Layout, Metrics


class Canvas(QWidget):
    """Holds the panels; paints the heads' names and the arrows between panels."""

    def __init__(self, pipeline: QScrollArea) -> None:
        super().__init__()
        self._pipeline = pipeline
        self._scene: Scene | None = None
        self._layout: Layout | None = None
        self._heads: list[int | None] = []
        self._margin = 0

    def set_layout(self, scene: Scene, layout: Layout, heads: list[int | None], metrics: Metrics) -> None:
        """Take the size of the layout; the panels have been placed."""
        self._scene, self._layout, self._heads, self._margin = scene, layout, heads, metrics.margin
        self.fit()
        self.update()

    def fit(self) -> None:
        """Be as large as the layout, and no smaller than what is seen of the pipeline."""
        self.resize(self.content_size().expandedTo(self._pipeline.viewport().size()))

    def content_size(self) -> QSize:
        """Logical pixels of the layout."""
        width, height = (0, 0) if self._layout is None else self._layout.size
        return QSize(width + 8, height)

    def sections(self) -> list[QRect]:
        """From the left to the right edge."""
        strips = () if self._layout is None else self._layout.sections
        return [QRect(0, strip.y, self.content_size().width(), strip.h) for strip in strips]

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), theme.current().background)
            self.render_to(painter, event.rect())

    def render_to(self, painter: QPainter, area: QRect | None = None) -> None:
        """The names and arrows, by any painter; those in `area` alone, if it is given."""
        if self._layout is None or self._scene is None:
            return
        colours = theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for rect, head in zip(self._layout.sections, self._heads, strict=True):
            strip = QRect(rect.x, rect.y, self._margin, rect.h)
            if area is None or area.intersects(strip):
                self._paint_name(painter, strip, head, colours)
        painter.setPen(colours.muted)
        painter.setFont(theme.ui_font(1.25))
        for x, y in self._layout.arrows:
            arrow = QRect(x - 16, y - 14, 32, 28)
            if area is None or area.intersects(arrow):
                painter.drawText(arrow, Qt.AlignmentFlag.AlignCenter, "→")

    def _paint_name(self, painter: QPainter, area: QRect, head: int | None, colours: theme.Theme) -> None:
        scene = self._scene
        assert scene is not None
        left = area.x() + 14
        font = theme.ui_font()
        font.setBold(True)
        painter.setFont(font)
        line = painter.fontMetrics().height()
        top = area.y() + lettering.title_height()
        if head is None:
            painter.setPen(colours.text)
            text = self.tr("input") if area.y() < 40 and len(self._heads) > 1 else self.tr("joined")
            painter.drawText(QPoint(left, top + line), text)
            return
        colour = colours.head_colour(head)
        painter.fillRect(QRect(area.x() + 2, area.y(), 4, area.height()), colour)
        painter.setPen(colour)
        painter.drawText(QPoint(left, top + line), self.tr("head {number}").format(number=head + 1))
        painter.setFont(theme.ui_font(0.88))
        painter.setPen(colours.muted)
        notes = [f"d_k = {scene.d_k}"]
        if scene.d_v != scene.d_k:
            notes.append(f"d_v = {scene.d_v}")
        if scene.groups != scene.heads:
            notes.append(f"K, V: {scene.kv_head(head) + 1}")
        for number, note in enumerate(notes, 1):
            painter.drawText(QPoint(left, top + line * (number + 1)), note)
