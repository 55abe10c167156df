"""The left side: the grids of X, the context, the projections and the biases."""

from collections.abc import Callable, Iterator
from importlib import import_module

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from explorer.attention.cost import is_large
from explorer.document import Document
from explorer.files.origin import KEY
from explorer.reshape import with_bias, with_w_o
from explorer.scene import BIASES, Scene
from explorer.ui.crossing import CrossSwitch
from explorer.ui.grids.section import MatrixSection
from explorer.ui.grids.view import MatrixGrid
from explorer.ui.lab.pieces import muted
from explorer.ui.turns import turns

PROJECTIONS = ("w_q", "w_k", "w_v", "w_o")


class Inputs(QScrollArea):
    """One section per matrix; the projections share a row of tabs, each with its bias below, folded until wanted.

    What the Scene does not have has no section until it does: the window is on screen the sooner.
    """

    made = Signal(object)  # a MatrixGrid, beside those that were there at first

    def __init__(self, document: Document, parent: QWidget | None = None, at_once: bool = True) -> None:
        """Of those that are not made `at_once`, `making` is the rest, a grid at a time."""
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
        self._places: dict[str, QVBoxLayout] = {}
        self.making = self._make()
        if at_once:
            for _ in self.making:
                pass

    def _make(self) -> Iterator[None]:
        document = self._document
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(12, 8, 12, 12)
        layout.setSpacing(14)
        self._slot(layout, "x")
        yield
        self.made_up = muted()
        self.made_up.setObjectName("made_up")
        layout.addWidget(self.made_up)
        self._crossing = CrossSwitch(document)
        layout.addWidget(self._crossing)
        self._slot(layout, "context")
        yield
        self.tabs = QTabWidget()
        self.tabs.setObjectName("projections")
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("Projections"))
        for name in PROJECTIONS:
            self.tabs.addTab(self._page(name), name[0].upper() + name[1:])
            yield
        layout.addWidget(self.tabs)
        layout.addStretch(1)
        self.setWidget(content)
        document.changed.connect(self._on_changed)
        self._show_optional(document.scene)
        self._show_made_up(document.scene)

    def grid(self, name: str) -> MatrixGrid:
        """The grid of one matrix."""
        return self._section(name).grid

    def for_each_grid(self, do: Callable[[MatrixGrid], None]) -> None:
        """Call this with every grid: with those that there are now, and with those that come later."""
        for section in self.sections.values():
            do(section.grid)
        self.made.connect(do)

    def show_matrix(self, name: str) -> None:
        """Bring a matrix to the front."""
        if name[0] in "wb":
            self.tabs.setCurrentIndex(PROJECTIONS.index("w" + name[1:]))
        self.ensureWidgetVisible(self._section(name), 0, 10)

    def _page(self, name: str) -> QWidget:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 10, 0, 0)
        layout.setSpacing(10)
        bias = "b" + name[1:]
        if name == "w_o":
            layout.addWidget(self._switch(name, self.tr("W_o (off: the output is the concat)")))
        self._slot(layout, name)
        layout.addWidget(self._switch(bias, self.tr("bias {name}").format(name=bias)))
        self._slot(layout, bias)
        layout.addStretch(1)
        return page

    def _slot(self, layout: QVBoxLayout, name: str) -> None:
        """The place of a section, which is there at once if the Scene has the matrix."""
        self._places[name] = QVBoxLayout()
        layout.addLayout(self._places[name])
        if getattr(self._document.scene, name) is not None:
            self._section(name)

    def _section(self, name: str) -> MatrixSection:
        if name not in self.sections:
            place = self._places[name]
            section = self.sections[name] = MatrixSection(self._document, name, place.parentWidget())
            section.setHidden(getattr(self._document.scene, name) is None)  # whoever asked for it
            place.addWidget(section)
            before = self._crossing.last if name == "context" else self._switches.get(name)
            if before is not None:  # Tab comes here after what stands above, whenever this was made
                section.set_tab_order_after(before)
            self.made.emit(section.grid)
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

    def _on_changed(self, old: Scene, new: Scene) -> None:
        if is_large(new):  # in the next turn of the event loop: it has enough to do in this one
            turns().add(self, lambda: self._show_optional(self._document.scene))
        else:
            self._show_optional(new)
        if new.table("x") is not old.table("x") or new.extra is not old.extra:
            self._show_made_up(new)

    def _show_made_up(self, scene: Scene) -> None:
        """After an import without a text, as long as X is the one that was put in its place. What knows models is
        loaded for scenes that come from one alone.
        """
        made_up = KEY in scene.extra and import_module("explorer.checkpoints").is_made_up(scene.x)
        self.made_up.setVisible(made_up)
        if made_up:
            self.made_up.setText(
                self.tr(
                    "This X is made up: random numbers. What the model gets is seen after an import with a text."
                )
            )

    def _show_optional(self, scene: Scene) -> None:
        for name in ("context", "w_o", *BIASES):
            present = getattr(scene, name) is not None
            if present or name in self.sections:
                self._section(name).setVisible(present)
            if name in self._switches:
                self._switches[name].setChecked(present)
