"""Which layer of its model the scene is, and how to get to the next one, which is read from the model's own files."""

import os
from importlib import import_module

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from explorer.document import Document
from explorer.files.origin import Origin
from explorer.scene import Scene
from explorer.ui.flow import FlowRow
from explorer.ui.lab.worker import Worker
from explorer.ui.problems import problem_text
from explorer.ui.reading.layer_bar import step_buttons
from explorer.ui.texts import part_text


class ModelBar(QWidget):
    """Hidden for a scene that comes from no model. Another layer is one undo step."""

    said = Signal(str)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("model_bar")
        self._document = document
        self._origin: Origin | None = None
        self._worker = Worker(self)
        self.before, self.after = step_buttons("model", self._step)
        self.layer, self.state = QLabel(), QLabel()
        self.layer.setObjectName("model_bar_layer")
        row = FlowRow()
        for widget in (self.before, self.layer, self.after, self.state):
            row.add(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 2, 12, 4)
        layout.addWidget(row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_scene(self, scene: Scene, instead: bool) -> None:
        """Show where `scene` stands in its model; `instead`: another bar has the layers."""
        self._origin = origin = Origin.of(scene.extra)
        self.setVisible(origin is not None and not instead)
        if origin is None:
            return
        text = self.tr("layer {number} ({first} to {last})")
        layer = text.format(number=origin.layer, first=origin.first, last=origin.last)
        self.layer.setText(" · ".join(filter(None, (origin.path.name, part_text(origin.part), layer))))
        self.layer.setToolTip(str(origin.path))
        self._show_state()

    def stop(self) -> None:
        """Nobody looks: what is being read is forgotten."""
        self._worker.stop()
        self._show_state()

    def _show_state(self, number: int | None = None) -> None:
        origin = self._origin
        self.before.setEnabled(number is None and origin is not None and origin.layer > origin.first)
        self.after.setEnabled(number is None and origin is not None and origin.layer < origin.last)
        self.state.setText(
            "" if number is None else self.tr("Reading layer {number} …").format(number=number)
        )
        self.state.setVisible(number is not None)

    def _step(self, step: int) -> None:
        origin, scene = self._origin, self._document.scene
        if origin is None or self._worker.busy:
            return
        if not os.path.exists(origin.path):
            text = self.tr("{path} is not there any more, and the other layers of the model with it.")
            self.said.emit(text.format(path=origin.path))
            return
        importing = import_module(
            "explorer.capture.importing"
        )  # with what reads models, when it is asked for

        def receive(outcome: object) -> None:
            self._show_state()
            if isinstance(outcome, importing.PROBLEMS):
                self.said.emit(problem_text(str(outcome)))
            elif isinstance(outcome, MemoryError):
                self.said.emit(self.tr("There is not enough memory for this layer."))
            elif isinstance(outcome, Exception):
                raise outcome
            elif isinstance(outcome, Scene) and self._document.scene is scene:
                text = self.tr("Go to layer {number} of {model}")
                self._document.end_merge()
                self._document.edit(outcome, text.format(number=origin.layer + step, model=origin.path.name))

        self._show_state(origin.layer + step)
        self._worker.run(lambda: importing.neighbour(scene, origin, step), receive)
