"""Which numbers, into files of what form."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from explorer.attention.trace import STAGES
from explorer.ui.boxes import ChoiceBox
from explorer.ui.preferences import keep
from explorer.ui.texts import stage_title


@dataclass(frozen=True)
class NumbersWish:
    """Stages by their names, and the suffix of the file; CSV of more than one goes to a folder."""

    stages: Sequence[str]
    suffix: str

    @property
    def to_folder(self) -> bool:
        """Whether there will be several files."""
        return self.suffix == ".csv" and len(self.stages) > 1


class NumbersDialog(QDialog):
    """`wish()` is what stands in it; `stage` is chosen at first, or all of them (None)."""

    def __init__(self, stage: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export numbers"))
        self.setObjectName("numbers_dialog")
        self.stage, self.form = ChoiceBox(), ChoiceBox()
        self.stage.setObjectName("stage")
        self.form.setObjectName("form")
        self.stage.addItem(self.tr("every stage"), "")
        for each in STAGES:
            self.stage.addItem(stage_title(each.name), each.name)
        self.stage.setCurrentIndex(max(0, self.stage.findData(stage or "")))
        for suffix, text in (
            (".csv", self.tr("CSV: for spreadsheets, with labels")),
            (".npz", self.tr("npz: for NumPy")),
            (".safetensors", self.tr("safetensors: for PyTorch and others")),
            (".json", self.tr("JSON: readable text")),
        ):
            self.form.addItem(text, suffix)
        self.form.setCurrentIndex(max(0, self.form.findData(QSettings().value("numbers/form", ""))))
        self.note = QLabel()
        self.note.setObjectName("note")
        fields = QFormLayout()
        fields.addRow(self.tr("Numbers of"), self.stage)
        fields.addRow(self.tr("Form"), self.form)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(fields)
        layout.addWidget(self.note)
        layout.addWidget(buttons)
        for box in (self.stage, self.form):
            box.currentIndexChanged.connect(self._show_note)
        self._show_note()

    def wish(self) -> NumbersWish:
        """What is chosen now."""
        stage = self.stage.currentData()
        stages = tuple(each.name for each in STAGES) if not stage else (stage,)
        return NumbersWish(stages, self.form.currentData())

    def accept(self) -> None:
        keep({"numbers/form": self.form.currentData()})
        super().accept()

    def _show_note(self) -> None:
        self.note.setText(
            self.tr("A folder with one file per stage.")
            if self.wish().to_folder
            else self.tr("One file, in full precision.")
        )
