"""About: the program, what it is made with in which versions, under which terms, and how to replace Qt."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from explorer import __version__, resources
from explorer.ui.language import sentences

ICON = 64  # px
LICENCES = "THIRD-PARTY-LICENSES.txt"  # beside the executable, made with it


class Part(NamedTuple):
    """Something that the program is made with."""

    name: str
    version: str
    licence: str


# Packages, and their terms in short; the executable has all the texts.
PACKAGES = {
    "PySide6_Essentials": ("Qt · PySide6", "LGPL-3.0"),
    "torch": ("PyTorch", "BSD-3-Clause"),
    "numpy": ("NumPy", "BSD-3-Clause"),
    "pyqtgraph": ("pyqtgraph", "MIT"),
    "safetensors": ("safetensors", "Apache-2.0"),
    "ziamath": ("ziamath", "MIT"),
    "latex2mathml": ("latex2mathml", "MIT"),
}


def parts() -> list[Part]:
    """What is at work here, in its versions."""
    found = [Part("Python", platform.python_version(), "PSF-2.0")]
    for package, (name, licence) in PACKAGES.items():
        found.append(Part(name, _version(package), licence))
    return found


def _version(package: str) -> str:
    """Of a package; Qt says it itself. Nothing is imported for it."""
    if package == "PySide6_Essentials":
        return qVersion()
    try:
        return version(package)
    except PackageNotFoundError:
        return "?"


def licences_file() -> Path | None:
    """All licence texts, where this is the executable."""
    if not getattr(sys, "frozen", False):
        return None
    folder = Path(sys.executable).resolve().parent
    # On macOS the program is three folders down in its bundle, and the texts lie beside that
    places = (folder / LICENCES, folder.parent.parent.parent / LICENCES)
    return next((place for place in places if place.is_file()), None)


class AboutDialog(QDialog):
    """Modal; closed with Esc."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("about_dialog")
        self.setWindowTitle(self.tr("About Attention Explorer"))
        self._parts = parts()
        layout = QVBoxLayout(self)
        layout.setSpacing(14)
        layout.setContentsMargins(22, 20, 22, 16)
        layout.addLayout(self._head())
        layout.addLayout(self._table())
        layout.addWidget(self._terms())
        layout.addWidget(self._buttons())
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)

    def _head(self) -> QHBoxLayout:
        picture = QLabel()
        icon = QIcon(str(resources.path("icons", "attention-explorer.svg")))
        picture.setPixmap(icon.pixmap(ICON, ICON))
        title = QLabel(f"<b style='font-size: x-large'>Attention Explorer</b> {__version__}")
        said = QLabel(
            self.tr(
                "Type into the input and the projections of an attention layer,"
                " and see every stage change at once."
            )
        )
        said.setWordWrap(True)
        words = QVBoxLayout()
        for label in (title, said):
            words.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        return row

    def _table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(3)
        for row, part in enumerate(self._parts):
            for column, text in enumerate(part):
                label = QLabel(text)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                grid.addWidget(label, row, column)
        grid.setColumnStretch(2, 1)
        return grid

    def _terms(self) -> QLabel:
        terms = [
            self.tr("Attention Explorer is free software under the MIT licence."),
            self.tr(
                "Qt and PySide6 are used under the LGPL, version 3, unmodified, as shared libraries: you may"
                " replace them by your own build of the same version."
            ),
        ]
        if getattr(sys, "frozen", False):
            folder = Path(getattr(sys, "_MEIPASS", ""), "PySide6")
            terms.append(self.tr("They are in {folder}.").format(folder=folder))
        label = QLabel(sentences(*terms))
        label.setObjectName("about_terms")
        label.setWordWrap(True)
        label.setMinimumWidth(540)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        copy = buttons.addButton(self.tr("Copy versions"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self.copy_versions)
        if licences_file() is not None:
            texts = buttons.addButton(self.tr("Licence texts…"), QDialogButtonBox.ButtonRole.ActionRole)
            texts.clicked.connect(lambda: LicencesDialog(self).exec())
        return buttons

    def copy_versions(self) -> None:
        """For a report of what went wrong."""
        lines = [f"Attention Explorer {__version__}"]
        lines += [f"{part.name} {part.version}" for part in self._parts]
        lines.append(platform.platform())
        QGuiApplication.clipboard().setText("\n".join(lines))


class LicencesDialog(QDialog):
    """All licence texts of the executable, to be read and searched by scrolling."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Licence texts"))
        path = licences_file()
        text = QPlainTextEdit("" if path is None else path.read_text(encoding="utf-8"))
        text.setReadOnly(True)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(buttons)
        self.resize(860, 600)
