"""What the tests of the grids share: a scene of known numbers and a window with one grid."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.document import Document
from explorer.scene import Scene
from explorer.ui.grids.section import MatrixSection
from explorer.ui.grids.view import MatrixGrid

Key = Qt.Key
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def scene(**changes: object) -> Scene:
    """Three tokens, d_model 2, two heads of width 2: every number of w_q differs from every other."""
    return Scene(
        **{
            "x": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
            "w_q": np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]),
            "w_k": np.eye(2, 4),
            "w_v": np.eye(2, 4),
            "heads": 2,
            "tokens": ("The", "cat", "sat"),
        }
        | changes
    )


@dataclass
class Shown:
    """A window with one grid and a line beside it that can take the focus."""

    document: Document
    grid: MatrixGrid
    section: MatrixSection
    other: QLineEdit
    qtbot: QtBot

    @property
    def scene(self) -> Scene:
        return self.document.scene

    @property
    def steps(self) -> list[str]:
        """The names of the undo steps."""
        stack = self.document.undo_stack
        return [stack.text(i) for i in range(stack.count())]

    @property
    def current(self) -> tuple[int, int]:
        index = self.grid.currentIndex()
        return index.row(), index.column()

    def at(self, row: int, col: int) -> QPoint:
        """The middle of a cell in the viewport."""
        return self.grid.visualRect(self.grid.model().index(row, col)).center()

    def click(self, row: int, col: int) -> None:
        self.qtbot.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, pos=self.at(row, col))

    def press(self, key: Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """A key to whatever has the focus."""
        self.qtbot.keyClick(self.focus(), key, modifiers)

    def type(self, text: str) -> None:
        for character in text:
            self.qtbot.keyClicks(self.focus(), character)

    def focus(self) -> QWidget:
        widget = self.grid.window().focusWidget()
        assert widget is not None
        return widget


def show(qtbot: QtBot, name: str = "w_q", start: Scene | None = None) -> Shown:
    document = Document(start or scene())
    window = QWidget()
    document.setParent(window)
    section = MatrixSection(document, name, window)
    other = QLineEdit(window)
    layout = QVBoxLayout(window)
    layout.addWidget(section)
    layout.addWidget(other)
    layout.addStretch(1)
    qtbot.addWidget(window, before_close_func=lambda _: window.close())  # which keeps the window until then
    window.resize(420, 420)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return Shown(document, section.grid, section, other, qtbot)
