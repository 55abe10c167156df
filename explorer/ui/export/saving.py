"""Asking where to save, and remembering the folder."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QWidget

FOLDER = "export/folder"


def start(name: str, session: Path | None) -> Path:
    """Where a file of this name is proposed: where something was exported last, beside the session, or at home."""
    remembered = str(QSettings().value(FOLDER, ""))
    if remembered and Path(remembered).is_dir():
        return Path(remembered) / name
    return (Path.home() if session is None else session.parent) / name


def remember(path: Path) -> None:
    """Propose the folder of `path` next time."""
    QSettings().setValue(FOLDER, str(path.parent))


def ask_file(parent: QWidget, title: str, proposed: Path, kind: str) -> Path | None:
    """A file to write, with the suffix of the one proposed; the dialog asks before one is overwritten."""
    dialog = QFileDialog(parent, title, str(proposed.parent), f"{kind} (*{proposed.suffix})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(proposed.suffix.removeprefix("."))
    dialog.selectFile(proposed.name)
    chosen = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return Path(chosen[0]) if chosen else None


def ask_folder(parent: QWidget, title: str, proposed: Path) -> Path | None:
    """A folder to write into."""
    name = QFileDialog.getExistingDirectory(parent, title, str(proposed))
    return Path(name) if name else None
