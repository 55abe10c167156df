"""The left side: the grids of X, the context, the projections and the biases."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from explorer.document import Document
from explorer.reshape import with_bias, with_w_o
from explorer.scene import BIASES, Scene
from explorer.ui.crossing import CrossSwitch
from explorer.ui.grids.section import MatrixSection
from explorer.ui.grids.view import MatrixGrid

PROJECTIONS = ("w_q", "w_k", "w_v", "w_o")


class Inputs(QScrollArea):
    """One section per matrix; the projections share a row of tabs, each with its bias below, folded until wanted."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inputs")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )  # wide grids scroll by themselves
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._document = document
        self.sections: dict[str, MatrixSection] = {}
        self._switches: dict[str, QCheckBox] = {}
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(12, 8, 12, 12)
        layout.setSpacing(14)
        layout.addWidget(self._section("x"))
        layout.addWidget(CrossSwitch(document))
        layout.addWidget(self._section("context"))
        self.tabs = QTabWidget()
        self.tabs.setObjectName("projections")
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("Projections"))
        for name in PROJECTIONS:
            self.tabs.addTab(self._page(name), name[0].upper() + name[1:])
        layout.addWidget(self.tabs)
        layout.addStretch(1)
        self.setWidget(content)
        document.changed.connect(self._on_changed)
        self._show_optional(document.scene)

    def grid(self, name: str) -> MatrixGrid:
        """The grid of one matrix."""
        return self.sections[name].grid

    def show_matrix(self, name: str) -> None:
        """Bring a matrix to the front."""
        if name[0] in "wb":
            self.tabs.setCurrentIndex(PROJECTIONS.index("w" + name[1:]))
        self.ensureWidgetVisible(self.sections[name], 0, 10)

    def _page(self, name: str) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 10, 0, 0)
        layout.setSpacing(10)
        bias = "b" + name[1:]
        if name == "w_o":
            layout.addWidget(self._switch(name, self.tr("W_o (off: the output is the concat)")))
        layout.addWidget(self._section(name))
        layout.addWidget(self._switch(bias, self.tr("bias {name}").format(name=bias)))
        layout.addWidget(self._section(bias))
        layout.addStretch(1)
        return page

    def _section(self, name: str) -> MatrixSection:
        self.sections[name] = MatrixSection(self._document, name)
        return self.sections[name]

    def _switch(self, name: str, text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(f"use_{name}")
        box.clicked.connect(lambda on: self._set(name, on))
        self._switches[name] = box
        return box

    def _set(self, name: str, on: bool) -> None:
        scene = self._document.scene
        text = (self.tr("Add {name}") if on else self.tr("Remove {name}")).format(name=name)
        new = with_bias(scene, name, on) if name in BIASES else with_w_o(scene, on)
        self._document.edit(new, text)

    def _on_changed(self, _old: Scene, new: Scene) -> None:
        self._show_optional(new)

    def _show_optional(self, scene: Scene) -> None:
        for name in ("context", "w_o", *BIASES):
            present = getattr(scene, name) is not None
            self.sections[name].setVisible(present)
            if name in self._switches:
                self._switches[name].setChecked(present)
