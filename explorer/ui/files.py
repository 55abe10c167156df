"""Open, save, recent files, the question before something would be lost. The window gives it a place to speak."""

import os
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.document import Document
from explorer.files.session import SUFFIX, SessionError, fingerprint, load, save, tidy
from explorer.patience import CancelledError
from explorer.scene import Scene
from explorer.ui import saving
from explorer.ui.problems import problem_text
from explorer.ui.texts import scene_title
from explorer.ui.waiting import Result, wait_for
from explorer.ui.words import prepare

RECENT = 10
FILTER = "Attention Explorer (*.attn.json);;JSON (*.json)"


class Answer(Enum):
    """What to do with unsaved work."""

    SAVE = 1
    DISCARD = 2
    CANCEL = 3


class Overwrite(Enum):
    """What to do where another program has written to the file since."""

    REPLACE = 1
    ELSEWHERE = 2
    CANCEL = 3


class Files(QObject):
    """The Document's way to and from disk. `ask_*` are plain callables, so that tests can answer."""

    said = Signal(str)  # a sentence about what went wrong
    leaving = Signal()  # the scene is about to go: whatever runs on another meanwhile (a lesson) ends now
    recent_changed = Signal()
    rested = Signal()  # a file has been read or written, or was not to be

    def __init__(self, document: Document, window: QWidget) -> None:
        super().__init__(window)
        self._document, self._window = document, window
        self._unwritten: list[Path] | None = None  # what the settings are to have as `recent`
        self._writing = QTimer(self, singleShot=True, interval=0)
        self._writing.timeout.connect(self.write_recent)
        self.busy = False  # a file is being read or written
        self.ask_open: Callable[[], Path | None] = self._open_dialog
        self.ask_save: Callable[[Path], Path | None] = self._save_dialog
        self.ask_discard: Callable[[], Answer] = self._discard_dialog
        self.ask_overwrite: Callable[[Path], Overwrite] = self._overwrite_dialog

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved last, the newest first."""
        if self._unwritten is not None:
            return self._unwritten
        stored = QSettings().value("files/recent", [])
        entries = [stored] if isinstance(stored, str) else list(stored or [])
        return [Path(str(entry)) for entry in entries][:RECENT]

    def open(self, path: Path | None = None, ask: bool = True) -> bool:
        """Open `path`, or ask for one; False where nothing was opened. The present scene stays if it fails."""
        path = path or self.ask_open()
        if path is None or (ask and not self.may_leave()):
            return False
        if (loaded := self.read(path)) is None:
            self._forget(path)
            return False
        scene, stamp = loaded
        self._document.open(scene, path, stamp)
        self._remember(path)
        return True

    def open_example(self, path: Path) -> bool:
        """Open a scene that comes with the program: without a path, so that Save asks where to."""
        if not self.may_leave():
            return False
        try:
            self._document.open(load(path))
        except SessionError as error:
            self.said.emit(problem_text(str(error)))
            return False
        return True

    def open_scene(self, scene: Scene) -> bool:
        """Show a scene that is in no file yet; False where the present one was to be kept."""
        if not self.may_leave():
            return False
        self._document.open(scene, unsaved=True)
        return True

    def save(self) -> bool:
        """Write the Scene to its file; asks for one the first time, and before it replaces what another program
        has written there. False where nothing was written.
        """
        path, stamp = self._document.path, self._document.stamp
        if path is None:
            return self.save_as()
        if stamp is not None and fingerprint(path) not in (stamp, None):
            answer = self.ask_overwrite(path)
            if answer is not Overwrite.REPLACE:
                return answer is Overwrite.ELSEWHERE and self.save_as()
        return self._write(path)

    def save_as(self) -> bool:
        """Write the Scene to another file."""
        title = saving.file_name(scene_title(self._document.scene.title)) or self.tr("scene")
        start = self._document.path or Path(title + SUFFIX)
        path = self.ask_save(start)
        return path is not None and self._write(path)

    def may_leave(self) -> bool:
        """True where nothing would be lost, or the user said what to do with it."""
        self.leaving.emit()
        if not self._document.modified:
            return True
        answer = self.ask_discard()
        return self.save() if answer is Answer.SAVE else answer is Answer.DISCARD

    def reload(self) -> bool:
        """What another program has written, as an undo step; False where it cannot be read."""
        path = self._document.path
        if path is None:
            return False
        if (loaded := self.read(path)) is None:
            return False
        scene, stamp = loaded
        self._document.end_merge()
        self._document.edit(scene, self.tr("Reload {name}").format(name=path.name))
        self._document.saved(path, stamp)
        return True

    def read(self, path: Path) -> tuple[Scene, str | None] | None:
        """The scene of a file and its fingerprint; None where it cannot be read, which is said, or was cancelled."""
        return self._unless_said(lambda: self.fetch(path))

    def fetch(self, path: Path) -> tuple[Scene, str | None]:
        """Likewise; raises SessionError where it cannot be read, and CancelledError."""

        def read(going_on: Callable[[], None]) -> tuple[Scene, str | None]:
            tidy(path)
            stamp = fingerprint(path)  # before: what is written between the two is news, not missed
            return prepare(load(path, going_on)), stamp

        return self.beside(self.tr("Opening {name} …").format(name=path.name), read)

    def _write(self, path: Path) -> bool:
        scene = self._document.scene
        text = self.tr("Saving {name} …").format(name=path.name)
        stamp = self.waiting(text, lambda going_on: save(scene, path, going_on))
        if stamp is None:
            return False
        self._document.saved(path, stamp)
        self._remember(path)
        return True

    def waiting(self, text: str, task: Callable[[Callable[[], None]], Result]) -> Result | None:
        """What a task with a file comes to, beside the window's thread; `text` says what it does, should it take long.

        None where it failed, which is said, or was cancelled. One at a time.
        """
        return self._unless_said(lambda: self.beside(text, task))

    def _unless_said(self, do: Callable[[], Result]) -> Result | None:
        try:
            return do()
        except (SessionError, OSError) as error:
            self.said.emit(problem_text(str(error)))
        except CancelledError:
            pass
        return None

    def beside(self, text: str, task: Callable[[Callable[[], None]], Result]) -> Result:
        """Likewise; raises what the task raises, and CancelledError, also where another one is under way."""
        if self.busy:
            raise CancelledError
        self.busy = True
        try:
            return wait_for(self._window, text, task)
        finally:
            self.busy = False
            self.rested.emit()

    def _remember(self, path: Path) -> None:
        path = Path(os.path.realpath(path))
        self._store([path, *(other for other in self.recent if other != path)])

    def _forget(self, path: Path) -> None:
        if not os.path.exists(path):  # which, unlike that of Path, raises nothing where a folder is locked
            gone = Path(os.path.realpath(path))
            self._store([other for other in self.recent if other != gone])

    def _store(self, paths: list[Path]) -> None:
        self._unwritten = paths[:RECENT]
        self._writing.start()  # the disk may need longer than the window can wait while it shows a large scene
        self.recent_changed.emit()

    def write_recent(self) -> None:
        """Have the settings keep `recent`, which they do by themselves a moment after a file was opened."""
        if self._unwritten is not None:
            QSettings().setValue("files/recent", [str(path) for path in self._unwritten])
            self._unwritten = None

    def _open_dialog(self) -> Path | None:
        name, _filter = QFileDialog.getOpenFileName(
            self._window, self.tr("Open a session"), self._folder(), FILTER
        )
        return Path(name) if name else None

    def _save_dialog(self, start: Path) -> Path | None:
        start = start if start.is_absolute() else Path(self._folder()) / start
        return saving.ask_file(self._window, self.tr("Save the session"), start, FILTER, SUFFIX, ".json")

    def _overwrite_dialog(self, path: Path) -> Overwrite:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(self.tr("{name} was changed by another program.").format(name=path.name))
        box.setInformativeText(self.tr("Saving replaces what it has written."))
        replace = box.addButton(self.tr("Replace it"), QMessageBox.ButtonRole.DestructiveRole)
        elsewhere = box.addButton(self.tr("Save elsewhere…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(elsewhere)
        box.exec()
        return {replace: Overwrite.REPLACE, elsewhere: Overwrite.ELSEWHERE}.get(
            box.clickedButton(), Overwrite.CANCEL
        )

    def _folder(self) -> str:
        recent = self.recent
        return str(recent[0].parent) if recent else str(Path.home())

    def _discard_dialog(self) -> Answer:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        name = self._document.path.name if self._document.path else self.tr("This scene")
        box.setText(self.tr("{name} has changes that are not saved.").format(name=name))
        box.setInformativeText(self.tr("Save them before going on?"))
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        return {buttons.Save: Answer.SAVE, buttons.Discard: Answer.DISCARD}.get(
            QMessageBox.StandardButton(box.exec()), Answer.CANCEL
        )
