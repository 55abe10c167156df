"""Asking where to save, and under what name; remembering the folder."""

import os
import re
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.ui.preferences import keep

FOLDER = "export/folder"
FORBIDDEN = re.compile(r'[\x00-\x1f\\/:*?"<>|]+')  # in the name of a file, on one system or another
LONGEST = 80  # characters of a name that is proposed


def start(name: str, session: Path | None) -> Path:
    """Where a file of this name is proposed: where something was exported last, beside the session, or at home."""
    remembered = str(QSettings().value(FOLDER, ""))
    if remembered and os.path.isdir(remembered):
        return Path(remembered) / name
    return (Path.home() if session is None else session.parent) / name


def remember(path: Path) -> None:
    """Propose the folder of `path` next time."""
    keep({FOLDER: str(path.parent)})


def file_name(title: str) -> str:
    """A title as the name of a file, without what one system or another does not take; it may be empty."""
    return FORBIDDEN.sub("-", title)[:LONGEST].strip(" .")


def with_suffix(path: Path, *suffixes: str) -> Path:
    """`path`, if its name ends in one of `suffixes` in small or capital letters; else the first is put after it.

    A point within the name is none of it: `fig1.2` becomes `fig1.2.png`, `a.svg` becomes `a.svg.png`.
    """
    if path.name.lower().endswith(suffixes):
        return path
    return path.with_name(path.name.rstrip(" .") + suffixes[0])


def ask_file(parent: QWidget, title: str, proposed: Path, kinds: str, *suffixes: str) -> Path | None:
    """A file to write, of one of `kinds` as a file dialog has them, its name as `with_suffix` makes it.

    The dialog asks before a file is overwritten.
    """
    while True:
        dialog = QFileDialog(parent, title, str(proposed.parent), kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffixes[0].removeprefix("."))
        dialog.selectFile(proposed.name)
        chosen = dialog.selectedFiles() if dialog.exec() else []
        dialog.deleteLater()
        if not chosen:
            return None
        path = with_suffix(Path(chosen[0]), *suffixes)
        if str(path) == str(Path(chosen[0])) or not os.path.exists(path):  # the name may be too long
            return path
        proposed = path  # the dialog has asked about another name; once more, so that it asks about this one


def ask_folder(parent: QWidget, title: str, proposed: Path) -> Path | None:
    """A folder to write into."""
    name = QFileDialog.getExistingDirectory(parent, title, str(proposed))
    return Path(name) if name else None
