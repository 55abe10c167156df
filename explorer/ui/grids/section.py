"""A grid under its heading: name, shape, menu; and what stands there while the matrix is not set."""

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.document import Document
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.grids.matrices import MATRICES
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.imports.drop import TableDrop


class MatrixSection(QWidget):
    """For the dock with the inputs: `W_q      4 × 4 · 2 heads × d_k 2  ▾` over the grid."""

    def __init__(self, document: Document, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"section_{name}")
        self._document, self._matrix = document, MATRICES[name]
        self.grid = MatrixGrid(document, name, self)
        self._title = QLabel(self._matrix.title, self)
        self._shape = QLabel(self)
        self._shape.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._shape.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._button = QToolButton(self, text="▾", autoRaise=True)
        self._button.setObjectName(f"menu_{name}")
        self._button.setFocusPolicy(
            Qt.FocusPolicy.TabFocus
        )  # a click leaves the selection of the grid in sight
        self._button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._button.setMenu(self.grid.menu)
        self._button.setAccessibleName(self.tr("Menu of {name}").format(name=self._matrix.title))
        self._button.setToolTip(self.tr("Fill, resize, copy, paste, import"))
        self._empty = QLabel(self)
        self._empty.setWordWrap(True)
        for label in (self._shape, self._empty):
            label.setProperty("quiet", True)  # for the style sheet
        self._add = QPushButton(self.tr("Add {name}").format(name=self._matrix.title), self)
        self._add.setObjectName(f"add_{name}")
        self._add.clicked.connect(lambda: self.grid.commands.switch(True))
        self._lay_out()
        self._drop = TableDrop(self, self.grid)
        document.changed.connect(self._follow)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()
        self._show_state()

    def _lay_out(self) -> None:
        heading = QHBoxLayout()
        heading.setContentsMargins(0, 0, 0, 0)
        heading.setSpacing(8)
        heading.addWidget(self._title)
        heading.addWidget(self._shape, 1)
        heading.addWidget(self._button)
        nothing = QHBoxLayout()
        nothing.addWidget(self._empty, 1)
        nothing.addWidget(self._add, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(heading)
        layout.addWidget(self.grid)
        layout.addLayout(nothing)
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def set_tab_order_after(self, before: QWidget) -> None:
        """Have Tab come from `before` to what can be reached here."""
        for widget in (self.grid, self._button, self._add):
            self.setTabOrder(before, widget)
            before = widget

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _follow(self, _old: Scene, new: Scene) -> None:
        if self._state(new) != self._shown:  # not for every number that is typed
            self._show_state()

    def _state(self, scene: Scene) -> tuple[bool, str]:
        return scene.table(self._matrix.name) is not None, self._matrix.shape_text(scene)

    def _show_state(self) -> None:
        self._shown = is_set, _text = self._state(self._document.scene)
        for widget, shown in (
            (self.grid, is_set),
            (self._button, is_set),
            (self._empty, not is_set),
            (self._add, not is_set),
        ):
            widget.setVisible(shown)
        self._empty.setText(_without(self._matrix.name))
        self._elide()

    def _elide(self) -> None:
        """As many parts of the text as there is room for, the shape first."""
        text = self._matrix.shape_text(self._document.scene)
        metrics, width = self._shape.fontMetrics(), self._shape.width()
        parts = text.split(" · ")
        fitting = (" · ".join(parts[:count]) for count in range(len(parts), 0, -1))
        shown = next((each for each in fitting if metrics.horizontalAdvance(each) <= width), parts[0])
        self._shape.setText(metrics.elidedText(shown, Qt.TextElideMode.ElideRight, width))
        self._shape.setToolTip(text)

    def _restyle(self) -> None:
        title = theme.ui_font()
        title.setBold(True)
        self._title.setFont(title)
        small = theme.ui_font(0.92)
        for label in (self._shape, self._empty):
            label.setFont(small)
        side = theme.ui_font().pixelSize() + 9
        self._button.setFixedSize(QSize(side, side))
        self._elide()


def _without(name: str) -> str:
    """What holds while a matrix is not set."""
    if name == "w_o":
        return QCoreApplication.translate(
            "MatrixSection", "None: the output is the joined heads as they are."
        )
    if name == "context":
        return QCoreApplication.translate(
            "MatrixSection", "None: keys and values come from X (self-attention)."
        )
    return QCoreApplication.translate("MatrixSection", "None: nothing is added.")
