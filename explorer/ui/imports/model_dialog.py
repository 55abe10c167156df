"""Which layer of which model: the checkpoint, its family and sizes, and what its files leave open."""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSettings, QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.capture.importing import PROBLEMS, layer_of
from explorer.checkpoints import HeadsNeededError, Layer, Model, Spot
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.boxes import ChoiceBox, CountBox, StepBox
from explorer.ui.lab.worker import Worker
from explorer.ui.problems import problem_text
from explorer.ui.texts import part_text

FOLDER = "import/model_folder"
NO_TEXT = ("ViT", "timm ViT", "nn.MultiheadAttention", "nanoGPT")  # families without a tokenizer of theirs
TWO_TEXTS = ("decoder", "cross")  # parts that read a text of their own


class _Looked(NamedTuple):
    """What one needs to know of a layer before its numbers are read; `possible`: heads to choose from."""

    model: Model
    layer: Layer | None
    possible: tuple[int, ...] = ()


class ModelDialog(QDialog):
    """Everything that reads files runs beside the window; `imported` brings the Scene once it is there."""

    imported = Signal(object)  # Scene

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_dialog")
        self.setWindowTitle(self.tr("Import a layer of a model"))
        self.ask_folder: Callable[[], Path | None] = self._ask_folder
        self.ask_file: Callable[[], Path | None] = self._ask_file
        self._worker = Worker(self)
        self._path: Path | None = None
        self._model: Model | None = None
        self._possible: tuple[int, ...] = ()
        self._looked_at = -1  # the number of the layer
        self._build()
        self._show_model()

    # ---- building ----

    def _build(self) -> None:
        self.hint = QLabel(wordWrap=True)
        self.hint.setText(
            self.tr(
                "A folder with config.json and .safetensors or .bin files, or one such file. Only the chosen layer"
                " is read; nothing is fetched."
            )
        )
        self.folder = QPushButton(self.tr("Folder…"))
        self.folder.setObjectName("model_folder")
        self.folder.clicked.connect(lambda: self._choose(self.ask_folder))
        self.file = QPushButton(self.tr("File…"))
        self.file.setObjectName("model_file")
        self.file.clicked.connect(lambda: self._choose(self.ask_file))
        self.name = QLabel()
        self.name.setObjectName("model_name")
        chosen = QHBoxLayout()
        for widget in (self.folder, self.file):
            chosen.addWidget(widget)
        chosen.addWidget(self.name, 1)
        self.family, self.sizes = QLabel(), QLabel(wordWrap=True)
        self.family.setObjectName("model_family")
        self.sizes.setObjectName("model_sizes")
        self.part = ChoiceBox()
        self.part.setObjectName("model_part")
        self.part.currentIndexChanged.connect(self._show_part)
        self.layer = StepBox()
        self.layer.setObjectName("model_layer")
        self.layer.valueChanged.connect(self._on_layer)
        self.layers = QLabel()
        self.layers.setObjectName("model_layers")
        self.layer_line = QWidget()
        line = QHBoxLayout(self.layer_line)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.layer)
        line.addWidget(self.layers, 1)
        self.heads = CountBox(lambda: self._possible or (1,))
        self.heads.setObjectName("model_heads")
        self.heads.setSpecialValueText(" ")  # an empty field until somebody fills it
        self.heads.valueChanged.connect(self._on_heads)
        self.text, self.target = QLineEdit(), QLineEdit()
        self.text.setObjectName("model_text")
        self.text.setPlaceholderText(self.tr("left empty: made-up numbers"))
        self.target.setObjectName("model_target")
        self.target.setPlaceholderText(self.tr("what the decoder reads"))
        self.extra = QLabel(wordWrap=True)
        self.extra.setObjectName("model_extra")
        self.fields = QFormLayout()
        self.fields.addRow(self.tr("Family"), self.family)
        self.fields.addRow(self.tr("Part"), self.part)
        self.fields.addRow(self.tr("Layer"), self.layer_line)
        self.fields.labelForField(self.layer_line).setBuddy(self.layer)
        self.fields.addRow(self.tr("Heads"), self.heads)
        self.fields.addRow("", self.sizes)
        self.fields.addRow(self.tr("Text"), self.text)
        self.fields.addRow(self.tr("Second text"), self.target)
        self.fields.addRow("", self.extra)
        for box in (
            self.layer,
            self.heads,
            self.part,
        ):  # a dialog that is still as small as it was must not press them
            box.setMinimumHeight(box.sizeHint().height())
        self.told = QLabel(wordWrap=True)
        self.told.setObjectName("model_told")
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setTextVisible(False)
        kept = self.progress.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # the fields stay where they are
        self.progress.setSizePolicy(kept)
        self.progress.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.take = self.buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.take.setObjectName("model_import")
        self.buttons.accepted.connect(self._import)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addWidget(self.hint)
        layout.addLayout(chosen)
        layout.addLayout(self.fields)
        layout.addWidget(self.told)
        layout.addStretch(1)
        layout.addWidget(self.progress)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(30 * self.fontMetrics().height())

    # ---- choosing ----

    def choose(self, path: Path) -> None:
        """Look at a checkpoint."""
        self._model, self._possible = None, ()
        self.heads.show_count(0)
        self.name.setText(path.name or str(path))
        self.name.setToolTip(str(path))
        self._show_model()
        self._run(lambda: _looked(Model(path)), self._take)

    def done(self, result: int) -> None:
        self._worker.stop()
        super().done(result)

    def _choose(self, ask: Callable[[], Path | None]) -> None:
        path = ask()
        if path is not None:
            QSettings().setValue(FOLDER, str(path.parent))
            self.choose(path)

    def _ask_folder(self) -> Path | None:
        name = QFileDialog.getExistingDirectory(self, self.tr("Folder of a model"), _last_folder())
        return Path(name) if name else None

    def _ask_file(self) -> Path | None:
        kinds = self.tr("Models") + " (*.safetensors *.bin *.pt *.pth *.json)"
        name, _ = QFileDialog.getOpenFileName(self, self.tr("File of a model"), _last_folder(), kinds)
        return Path(name) if name else None

    def _take(self, looked: _Looked) -> None:
        """The checkpoint is open: its parts and layers."""
        self._model = looked.model
        with QSignalBlocker(self.part):
            self.part.clear()
            for part in looked.model.parts:
                self.part.addItem(part_text(part), part)
        self._limit_layers()
        self._looked_at = self.layer.value()
        self._show(looked)
        if looked.layer is not None and self.focusWidget() in (self.folder, self.file):
            # Return shall import now, not ask for a folder again
            (self.layer if self.text.isHidden() else self.text).setFocus()
            self.take.setDefault(True)

    def _show_part(self) -> None:
        self._limit_layers()
        self._look()

    def _limit_layers(self) -> None:
        numbers = [spot.number for spot in self._spots()]
        with QSignalBlocker(self.layer):
            self.layer.setRange(min(numbers), max(numbers))
        text = self.tr("{first} to {last}, counted as in the model's own names")
        self.layers.setText(text.format(first=min(numbers), last=max(numbers)))
        self.layer.setEnabled(len(numbers) > 1)

    def _spots(self) -> list[Spot]:
        assert self._model is not None
        return self._model.spots_of(self.part.currentData())

    def _on_heads(self, heads: int) -> None:
        if self._model is None:
            return
        self._model.heads = heads if heads in self._possible else None
        if self._model.heads is not None:
            self._look()
            return
        self._worker.stop()  # what is still looked at belongs to another number
        self.progress.hide()
        self.take.setEnabled(False)
        self.fields.setRowVisible(self.sizes, False)
        counts = ", ".join(map(str, self._possible))
        self._tell(
            self.tr("{count} heads do not divide the width evenly; possible: {counts}.").format(
                count=heads, counts=counts
            ),
            error=True,
        )

    def _on_layer(self, number: int) -> None:
        if number != self._looked_at:  # Return tells the same number again, and shall import
            self._look()

    def _look(self) -> None:
        """The sizes of the layer that is chosen now."""
        self._looked_at = self.layer.value()
        model, spot = self._model, self._spot
        if model is not None and spot is not None:
            self._run(lambda: _looked(model, spot), self._show)

    @property
    def _spot(self) -> Spot | None:
        return next((spot for spot in self._spots() if spot.number == self.layer.value()), None)

    # ---- what is shown ----

    def _show_model(self) -> None:
        """Nothing is known yet."""
        for row in range(self.fields.rowCount()):
            self.fields.setRowVisible(row, False)
        self.take.setEnabled(False)
        self._tell("")

    def _show(self, looked: _Looked) -> None:
        self.family.setText(looked.model.family.name)
        self._possible = looked.possible or self._possible
        self.fields.setRowVisible(self.family, True)
        self.fields.setRowVisible(self.part, self.part.count() > 1)
        self.fields.setRowVisible(self.layer_line, True)
        self.fields.setRowVisible(self.heads, bool(self._possible))
        self.fields.setRowVisible(self.sizes, looked.layer is not None)
        self._show_texts()
        self.take.setEnabled(looked.layer is not None)
        if looked.layer is None:
            self._tell(self.tr("The files do not tell how many heads there are: choose the number."))
            self.heads.setFocus()
            return
        self._tell("")
        layer = looked.layer
        facts = [
            f"d_model = {layer.d_model}",
            self.tr("{count} heads of width {width}").format(count=layer.heads, width=layer.d_k),
        ]
        if layer.groups != layer.heads:
            facts.append(self.tr("K/V heads {count}").format(count=layer.groups))
        self.sizes.setText(" · ".join(facts))

    def _show_texts(self) -> None:
        """A text wants the extra library, and a layer that texts reach."""
        part = self.part.currentData()
        reads = part != "vision" and self._model is not None and self._model.family.name not in NO_TEXT
        there = reads and find_spec("transformers") is not None
        self.fields.setRowVisible(self.text, there)
        self.fields.setRowVisible(self.target, there and part in TWO_TEXTS)
        self.fields.setRowVisible(self.extra, reads and not there)
        if getattr(sys, "frozen", False):
            hint = self.tr(
                "This executable has no model library, so that X is made up. From source it takes a text."
            )
        else:
            hint = self.tr(
                'X is made up. For a text, install the extra: pip install "attention-explorer[models]"'
            )
        self.extra.setText(hint)

    def _tell(self, sentence: str, error: bool = False) -> None:
        palette, colours = self.told.palette(), theme.current()
        palette.setColor(self.told.foregroundRole(), colours.error if error else colours.text)
        self.told.setPalette(palette)
        self.told.setText(sentence)
        self.told.setVisible(bool(sentence))
        QTimer.singleShot(0, self, self.adjustSize)  # rows and sentences come and go

    # ---- reading, beside the window ----

    def _import(self) -> None:
        model, spot = self._model, self._spot
        if model is not None and spot is not None:
            text, target = self.text.text().strip(), self.target.text().strip()
            self._run(lambda: layer_of(model, spot, text, target), self._finish)

    def _finish(self, scene: Scene) -> None:
        self.imported.emit(scene)
        self.accept()

    def _run(self, task: Callable[[], object], then: Callable[..., None]) -> None:
        self.progress.show()
        self.take.setEnabled(False)

        def receive(outcome: object) -> None:
            self.progress.hide()
            if isinstance(outcome, PROBLEMS):
                self.take.setEnabled(self._model is not None)
                self._tell(problem_text(str(outcome)), error=True)
            elif isinstance(outcome, MemoryError):
                self._tell(self.tr("There is not enough memory for this layer."), error=True)
            elif isinstance(outcome, Exception):
                raise outcome
            else:
                then(outcome)

        self._worker.run(task, receive)


def _looked(model: Model, spot: Spot | None = None) -> _Looked:
    """Sizes of a layer, the first one if none is named."""
    try:
        return _Looked(model, model.layer(spot or model.spots[0], hollow=True))
    except HeadsNeededError as error:
        return _Looked(model, None, error.possible)


def _last_folder() -> str:
    return str(QSettings().value(FOLDER, ""))
