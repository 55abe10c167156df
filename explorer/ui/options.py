"""What the ⋯ buttons open: the popover, and the base of what stands in it."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QRadioButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.document import Document
from explorer.scene import Scene, Setting
from explorer.ui import theme
from explorer.ui.options_fields import NumberField

# Less than a button, so that the row is about what it shows. Colours come from the palette.
BUTTON_SHEET = """
QToolButton { padding: 3px 4px; border: 1px solid transparent; border-radius: 5px; }
QToolButton:hover { border-color: palette(mid); }
QToolButton:focus { border-color: palette(highlight); }
"""

_gestures = count()


def gesture() -> str:
    """A merge key of its own: the edits of one drag are one undo step."""
    return f"options {next(_gestures)}"


def edit_scene(document: Document, text: str, **fields: Any) -> None:
    """Other values for some fields of the Scene; no step where they have them already."""
    if _differ(document.scene, fields):
        document.edit(document.scene.replace(**fields), text)


def _differ(thing: object, fields: dict[str, Any]) -> bool:
    """Whether any field has another value; arrays are told apart by identity."""
    olds = [(getattr(thing, name), new) for name, new in fields.items()]
    return any(
        old is not new and (isinstance(new, np.ndarray) or isinstance(old, np.ndarray) or old != new)
        for old, new in olds
    )


class Options(QWidget):
    """What can be set for one kind. Edits are live; `show_setting` follows every new Scene."""

    def __init__(
        self,
        document: Document,
        read: Callable[[Scene], Setting | None],
        write: Callable[[Scene, Any], Scene],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document = document
        self._read, self._write = read, write
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(6)

    @property
    def setting(self) -> Any:
        """The mask or position of this kind; None where the scene has none."""
        return self._read(self.document.scene)

    def change(self, text: str, merge: str | None = None, **fields: Any) -> None:
        """Other values for some keys, in one undo step. Raises SceneError where they cannot be."""
        setting = self.setting
        if setting is not None and _differ(setting, fields):
            scene = self._write(self.document.scene, replace(setting, **fields))
            self.document.edit(scene, text, merge)

    def show_setting(self, setting: Any, scene: Scene) -> None:
        """Show what `scene` holds, without editing."""
        raise NotImplementedError

    def row(self, *widgets: QWidget) -> QWidget:
        """A line of widgets, added below the others."""
        line = line_of(*widgets)
        self.rows.addWidget(line)
        return line


class Popover(QFrame):
    """A small window under a button: closes on Esc and on a click beside it, and takes undo and redo itself."""

    def __init__(self, document: Document, button: QWidget) -> None:
        super().__init__(button, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.document = document
        self._button = button
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # a click on the button closes, and only that
        self.setAccessibleName(button.accessibleName())
        self.rows = QVBoxLayout(self)
        margin = self.fontMetrics().height() * 3 // 4
        self.rows.setContentsMargins(margin + 2, margin, margin + 2, margin)
        self.rows.setSpacing(self.fontMetrics().height() // 2)
        self.rows.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        document.changed.connect(self._follow)

    def show_scene(self, scene: Scene) -> None:
        """Show what `scene` holds, without editing."""

    def open(self) -> None:
        """Show it under its button, within the screen, with the focus on the first thing that takes it."""
        self.show_scene(self.document.scene)
        self.adjustSize()
        self._place()
        self.show()
        first = self.nextInFocusChain()
        while first is not self and not (first.focusPolicy() & Qt.FocusPolicy.TabFocus and first.isVisible()):
            first = first.nextInFocusChain()
        if isinstance(first, QRadioButton) and (group := first.group()) and (chosen := group.checkedButton()):
            first = chosen
        first.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.matches(QKeySequence.StandardKey.Undo):  # the window's own keys are asleep under a popup
            self.document.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.document.redo()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        for field in self.findChildren(NumberField):
            field.commit()
        self.document.end_merge()
        self._button.setFocus(Qt.FocusReason.PopupFocusReason)
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), colours.surface)
            painter.setPen(colours.hatch)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _place(self) -> None:
        room = self._button.screen().availableGeometry()
        at = self._button.mapToGlobal(QPoint(0, self._button.height() + 3))
        x = max(room.left(), min(at.x(), room.right() + 1 - self.width()))
        y = max(room.top(), min(at.y(), room.bottom() + 1 - self.height()))
        self.move(x, y)

    def _follow(self, _old: Scene, new: Scene) -> None:
        self.show_scene(new)


class OptionsButton(QToolButton):
    """The ⋯ that opens a popover; with a dot where something is set that the row itself does not show."""

    opened = Signal(QWidget)  # the popover

    def __init__(self, make: Callable[["OptionsButton"], Popover], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self._marked = False
        self.setText("⋯")
        self.setStyleSheet(BUTTON_SHEET)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.open)

    @property
    def marked(self) -> bool:
        """Whether it bears the dot."""
        return self._marked

    @marked.setter
    def marked(self, value: bool) -> None:
        self._marked = value
        self.update()

    def open(self) -> Popover:
        """Open the popover."""
        popover = self._make(self)
        popover.open()
        self.opened.emit(popover)
        return popover

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._marked:
            size = self.fontMetrics().height() / 3
            top = (self.height() - self.fontMetrics().height()) / 2
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(theme.current().accent))
                painter.drawEllipse(QRectF(self.width() - size - 1, top, size, size))


class Note(QLabel):
    """A line or two in the muted colour."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def wrap(self, letters: int = 46) -> "Note":
        """Break the lines after about so many letters."""
        self.setWordWrap(True)
        self.setMaximumWidth(letters * self.fontMetrics().averageCharWidth())
        return self


def line_of(*widgets: QWidget) -> QWidget:
    """Widgets side by side, left-aligned."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(6)
    for widget in widgets:
        layout.addWidget(widget)
    layout.addStretch(1)
    return line
