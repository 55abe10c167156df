"""Painting the document's mask on panels of n × m cells: one undo step per stroke."""

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QRubberBand

from explorer.attention.mask_edits import Cell, Cells, block, hidden_by, line, painted, with_key, with_window
from explorer.attention.masks import Custom
from explorer.document import Document
from explorer.scene import Scene
from explorer.ui.options import gesture
from explorer.ui.panels.panel import Panel
from explorer.ui.pipeline import Pipeline

PAINTABLE = ("masked", "weights")  # the stages whose panels show the mask
ARROWS = {
    Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1),
}  # fmt: skip


@dataclass
class _Stroke:
    """A gesture of the mouse that is not over."""

    panel: Panel
    on: bool  # show cells, or hide them
    first: Cell
    last: Cell
    is_block: bool
    merge: str


class MaskPen(QObject):
    """A press toggles a cell, a drag goes on with the same value, with Shift it makes a rectangle.

    A cell that another kind than the painted one hides cannot be shown by painting: `refused` names these kinds.
    """

    refused = Signal(object)  # tuple of kinds
    painted = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._stroke: _Stroke | None = None
        self._corner: Cell | None = None  # of the block that the keyboard spans
        self._band: QRubberBand | None = None
        document.changed.connect(self._follow)

    @property
    def active(self) -> bool:
        """Whether a stroke is being made."""
        return self._stroke is not None

    # ---- mouse ----

    def press(self, panel: Panel, cell: Cell, is_block: bool) -> None:
        """Begin a stroke at a cell."""
        self.drop_block()
        on = self._wanted(cell)
        if on is None:
            return
        self._stroke = _Stroke(panel, on, cell, cell, is_block, gesture())
        if is_block:
            self._show_block(panel, cell, cell)
        else:
            self._paint(line(cell, cell), on, self._stroke.merge)

    def move(self, event: QMouseEvent) -> None:
        """Go on to what is under the mouse, or nearest to it; the stroke ends where the button is up again."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self.let_go()
            return
        point = event.position().toPoint()
        stroke = self._stroke
        assert stroke is not None
        cell = nearest_cell(stroke.panel, point)
        if cell is None or cell == stroke.last:
            return
        if stroke.is_block:
            self._show_block(stroke.panel, stroke.first, cell)
        else:
            self._paint(line(stroke.last, cell), stroke.on, stroke.merge)
        stroke.last = cell

    def release(self) -> None:
        """The stroke is over."""
        stroke, self._stroke = self._stroke, None
        if stroke is not None and stroke.is_block:
            self._paint(block(stroke.first, stroke.last), stroke.on, stroke.merge)
        self.drop_block()

    # ---- keyboard ----

    def key(self, panel: Panel, event: QKeyEvent) -> bool:
        """Space paints the current cell or block, Shift+arrows span a block, P hides the current key.

        Whether the key was one of these.
        """
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        step, plain = ARROWS.get(key), modifiers == Qt.KeyboardModifier.NoModifier
        if step is not None and modifiers == Qt.KeyboardModifier.ShiftModifier:
            corner = self._corner or panel.current
            row, col = panel.current
            panel.walk_to(row + step[0], col + step[1])
            self._corner = corner
            self._show_block(panel, corner, panel.current)
            return True
        if plain and key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
            corner = self._corner or panel.current
            if (on := self._wanted(corner)) is not None:
                self._paint(block(corner, panel.current), on, gesture())
            self.drop_block()
            return True
        if plain and key == Qt.Key.Key_P:
            key_number = panel.current[1]
            self.set_key(key_number, not self.key_seen(key_number), gesture())
            return True
        if plain and key == Qt.Key.Key_Escape and self._corner is not None:
            self.drop_block()
            return True
        if step is not None:
            self.drop_block()
        return False

    def let_go(self, panels: Collection[Panel] | None = None) -> None:
        """Nothing is painted or spanned any more, on any panel or on these."""
        stroke, band = self._stroke, self._band
        if stroke is not None and (panels is None or stroke.panel in panels):
            self._stroke = None
        if band is not None and (panels is None or band.parentWidget() in panels):
            self.drop_block()

    def _follow(self, old: Scene, new: Scene) -> None:
        """Cells of a mask of another shape are no cells of this one."""
        if (old.n, old.m) != (new.n, new.m):
            self.let_go()

    def drop_block(self) -> None:
        """No block is spanned any more."""
        self._corner = None
        if self._band is not None:
            self._band.hide()
            self._band.deleteLater()
            self._band = None

    # ---- keys and windows ----

    def key_seen(self, key: int) -> bool:
        """Whether padding lets a key be seen."""
        masks = [mask for mask in self._document.scene.mask if mask.kind == "padding"]
        scene = self._document.scene
        return all(mask.allows(0, key, scene.n, scene.m) for mask in masks)

    def set_key(self, key: int, on: bool, merge: str) -> None:
        """Show or hide a key by padding."""
        label = self._document.scene.key_tokens[key]
        text = self.tr("Show key “%1”") if on else self.tr("Hide key “%1”")
        self._document.edit(with_key(self._document.scene, key, on), text.replace("%1", label), merge)

    def set_window(self, left: int, right: int, merge: str) -> None:
        """Another reach of the window."""
        self._document.edit(with_window(self._document.scene, left, right), self.tr("Change window"), merge)

    # ---- how ----

    def _wanted(self, cell: Cell) -> bool | None:
        """What a press on this cell asks for; None where painting cannot do it."""
        scene = self._document.scene
        kinds = hidden_by(scene, *cell)
        others = tuple(kind for kind in kinds if kind != Custom.kind)
        if others:
            self.refused.emit(others)
            return None
        return bool(kinds)

    def _paint(self, cells: Cells, on: bool, merge: str) -> None:
        text = self.tr("Show cells of the mask") if on else self.tr("Hide cells of the mask")
        self._document.edit(painted(self._document.scene, cells, on), text, merge)
        self.painted.emit()

    def _show_block(self, panel: Panel, first: Cell, last: Cell) -> None:
        if self._band is None:
            self._band = QRubberBand(QRubberBand.Shape.Rectangle, panel)
            self._band.show()
        (top, bottom), (left, right) = (sorted(pair) for pair in zip(first, last, strict=True))
        self._band.setGeometry(panel.frame.block(range(top, bottom + 1), range(left, right + 1)))


class PanelPaint(QObject):
    """While it is on, the left button and the keys of a pen paint on the window's panels that show the mask."""

    ended = Signal()  # by Esc on a panel

    def __init__(self, pen: MaskPen, pipeline: Pipeline) -> None:
        super().__init__(pen)
        self._pen, self._pipeline = pen, pipeline
        self._panels: list[Panel] = []
        self._on = False
        pipeline.relaid.connect(self._watch)

    @property
    def on(self) -> bool:
        """Whether it paints."""
        return self._on

    def set_on(self, on: bool) -> None:
        """Begin, or give the panels their ordinary clicks back."""
        self._on = on
        self._pen.let_go()
        self._watch()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(watched, Panel):
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(watched, event)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if self._pen.key(watched, event):
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.ended.emit()
                return True
        return False

    def _mouse(self, panel: Panel, event: QMouseEvent) -> bool:
        kind, point = event.type(), event.position().toPoint()
        left = event.button() == Qt.MouseButton.LeftButton
        if left and kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            cell = panel.cell_at(point)
            if cell is not None:
                panel.setFocus(Qt.FocusReason.MouseFocusReason)
                self._pen.press(panel, cell, has_shift(event))
                return True
        elif kind == QEvent.Type.MouseMove and self._pen.active:
            self._pen.move(event)
            return True
        elif kind == QEvent.Type.MouseButtonRelease and left and self._pen.active:
            self._pen.release()
            return True
        return False

    def _watch(self) -> None:
        """Panels come and go."""
        wanted = [p for p in self._pipeline.panels.values() if self._on and p.kind.name in PAINTABLE]
        for panel in self._panels:
            if panel not in wanted:
                panel.removeEventFilter(self)
                panel.setCursor(Qt.CursorShape.ArrowCursor)
        self._pen.let_go([panel for panel in self._panels if panel not in wanted])
        for panel in wanted:
            if panel not in self._panels:
                panel.installEventFilter(self)
                panel.setCursor(Qt.CursorShape.CrossCursor)
        self._panels = wanted


def has_shift(event: QMouseEvent) -> bool:
    """Whether a rectangle is wanted."""
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def nearest_cell(panel: Panel, point: QPoint) -> Cell | None:
    """The cell under a point, or the one nearest to it."""
    body = panel.body()
    inside = QPoint(
        min(max(point.x(), body.left()), body.right()), min(max(point.y(), body.top()), body.bottom())
    )
    return panel.cell_at(inside)
