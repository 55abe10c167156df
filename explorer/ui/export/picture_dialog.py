"""Which picture, of what form, how large, in which colours; and what it will look like."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QSettings, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from explorer.patience import GoingOn
from explorer.ui import picture, theme
from explorer.ui.boxes import ChoiceBox, StepBox, TickBox
from explorer.ui.export.preview import Preview
from explorer.ui.picture import DPI, LARGEST, Look, Picture
from explorer.ui.preferences import keep

MILLIMETRES = 25.4  # to the inch
USUAL_DPI = 192
DPI_RANGE = (24, 1200)


@dataclass(frozen=True)
class Subject:
    """What may be exported: its name for a person, its name in a file's name, and the picture."""

    title: str
    stem: str
    picture: Picture


@dataclass(frozen=True)
class Wish:
    """What was chosen: a subject by its number, the suffix of the file, the look; to the clipboard, or to a file."""

    subject: int
    suffix: str
    look: Look
    copy: bool = False


class PictureDialog(QDialog):
    """`wish()` is what stands in it. Form, resolution and colours are as they were last time."""

    def __init__(self, subjects: Sequence[Subject], chosen: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export picture"))
        self.setObjectName("picture_dialog")
        self._subjects = subjects
        self._copy = False
        self._dpi = float(USUAL_DPI)
        self._build()
        self._recall()
        self.subject.setCurrentIndex(chosen)
        for changed in (
            self.subject.currentIndexChanged, self.form.currentIndexChanged, self.colours.currentIndexChanged,
            self.transparent.toggled, self.marks.toggled,
        ):  # fmt: skip
            changed.connect(self._on_changed)
        self.dpi.valueChanged.connect(self._on_dpi)
        self.pixels.valueChanged.connect(self._on_pixels)
        self._on_changed()

    def _build(self) -> None:
        self.preview = Preview()
        self.subject = ChoiceBox()
        self.subject.addItems([subject.title for subject in self._subjects])
        self.form = ChoiceBox()
        for suffix, text in (
            (".png", self.tr("PNG: pixels")),
            (".svg", self.tr("SVG: vectors for the web and for drawing")),
            (".pdf", self.tr("PDF: vectors for print and for LaTeX")),
        ):
            self.form.addItem(text, suffix)
        self.dpi = _number(DPI_RANGE[1], self.tr(" dpi"))
        self.pixels = _number(LARGEST, self.tr(" pixels wide"))
        self.measure = QLabel()
        self.colours = ChoiceBox()
        for mode, text in (
            ("", self.tr("As in the window")),
            ("light", self.tr("Light")),
            ("dark", self.tr("Dark")),
            ("contrast", self.tr("High contrast")),
        ):
            self.colours.addItem(text, mode)
        self.transparent = TickBox(self.tr("Transparent background"))
        self.marks = TickBox(self.tr("Frames of the selection"))
        self.marks.setChecked(True)
        for name in ("subject", "form", "dpi", "pixels", "colours", "transparent", "marks"):
            getattr(self, name).setObjectName(name)
        self._fields = QFormLayout()
        for label, field in (
            (self.tr("Picture of"), self.subject),
            (self.tr("Form"), self.form),
            (self.tr("Resolution"), self.dpi),
            ("", self.pixels),
            (self.tr("Size"), self.measure),
            (self.tr("Colours"), self.colours),
            ("", self.transparent),
            ("", self.marks),
        ):
            self._fields.addRow(label, field)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._accept_copy)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        side = QVBoxLayout()
        side.addLayout(self._fields)
        side.addStretch(1)
        side.addWidget(buttons)
        whole = QHBoxLayout(self)
        whole.addWidget(self.preview, 1)
        whole.addLayout(side)
        self.resize(880, 520)

    def wish(self) -> Wish:
        """What is chosen now."""
        mode = self.colours.currentData()
        look = Look(
            theme.THEMES[mode] if mode else theme.current(),
            self.transparent.isChecked(),
            self.marks.isChecked(),
            self._dpi,
        )
        return Wish(self.subject.currentIndex(), self.form.currentData(), look, self._copy)

    def accept(self) -> None:
        keep(
            {
                "picture/form": self.form.currentData(),
                "picture/dpi": self.dpi.value(),
                "picture/colours": self.colours.currentData(),
                "picture/transparent": self.transparent.isChecked(),
            }
        )
        super().accept()

    def _recall(self) -> None:
        settings = QSettings()
        for box, key in ((self.form, "form"), (self.colours, "colours")):
            box.setCurrentIndex(max(0, box.findData(settings.value(f"picture/{key}", ""))))
        stored = str(settings.value("picture/dpi", USUAL_DPI))
        self.dpi.setValue(int(stored) if stored.isdecimal() else USUAL_DPI)
        self._dpi = float(self.dpi.value())
        self.transparent.setChecked(settings.value("picture/transparent", False) in (True, "true"))

    def _accept_copy(self) -> None:
        self._copy = True
        self.accept()

    @property
    def _picture(self) -> Picture:
        return self._subjects[self.subject.currentIndex()].picture

    def _on_dpi(self, dpi: int) -> None:
        self._dpi = float(dpi)
        self._on_changed()

    def _on_pixels(self, width: int) -> None:
        """A width in pixels is a resolution, too, and seldom a whole one."""
        self._dpi = width * DPI / self._picture.size.width()
        with QSignalBlocker(self.dpi):
            self.dpi.setValue(round(self._dpi))
        self._on_changed()

    def _on_changed(self) -> None:
        size = self._picture.size
        most = picture.most_dpi(size)
        with QSignalBlocker(self.dpi), QSignalBlocker(self.pixels):
            self.dpi.setMaximum(max(1, min(DPI_RANGE[1], int(most))))
            self.pixels.setMaximum(max(1, int(size.width() * most / DPI)))
            self._dpi = min(self._dpi, most)
            if not self.pixels.hasFocus():
                self.pixels.setValue(round(size.width() * self._dpi / DPI))
        pixels = self.form.currentData() == ".png"
        for field in (self.dpi, self.pixels):
            self._fields.setRowVisible(field, pixels)
        scale = self._dpi / DPI
        width, height = (round(side * MILLIMETRES / DPI) for side in (size.width(), size.height()))
        text = self.tr("{width} × {height} mm").format(width=width, height=height)
        if pixels:
            across, down = round(size.width() * scale), round(size.height() * scale)
            text += self.tr(", {width} × {height} pixels").format(width=across, height=down)
        self.measure.setText(text)
        look = self.wish().look
        self.preview.show_picture(
            partial(_drawn, self._picture, look, self.devicePixelRatioF()), look.colours.is_dark
        )


def _drawn(drawn: Picture, look: Look, ratio: float, room: QSize, going_on: GoingOn) -> QImage:
    """The picture, no larger than `room`, nor than on the screen."""
    size = drawn.size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
    scale = min(ratio, size.width() / drawn.size.width())
    return picture.image(drawn, replace(look, dpi=scale * DPI), going_on)


def _number(most: int, suffix: str) -> StepBox:
    box = StepBox()
    box.setRange(1, most)
    box.setSuffix(suffix)
    return box
