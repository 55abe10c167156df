"""Notices what other programs do to the Document's file, and says so."""

import os
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from explorer.document import Document
from explorer.files.session import files_beside, fingerprint
from explorer.ui.banner import Banner
from explorer.ui.files import Files

SETTLE_MS = 200  # some programs delete a file and make it anew


class FileWatch(QObject):
    """Compares contents, not times: our own saves and a file written again as it was are no news.

    (Of large tables beside the session size and time count.) A file whose stamp the Document does not know is not
    watched.
    """

    changed = Signal(str)  # the file holds what neither we nor anybody before wrote: its fingerprint
    settled = Signal()  # and now it is again as it was
    gone = Signal()  # there is no such file any more

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._beside: set[str] = set()
        self._beside_of: tuple[Path | None, str | None] = None, None
        self._told: str | None = None  # the last news, by its fingerprint; "" for gone
        self._watcher.fileChanged.connect(self._settle)
        self._watcher.directoryChanged.connect(self._settle)  # for a file that is replaced
        self._timer.timeout.connect(self._look)
        document.file_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        path, stamp = self._document.path, self._document.stamp
        wanted = set()
        if path is not None and stamp is not None:
            wanted = {str(path.absolute()), str(path.absolute().parent), *self._tables(path, stamp)}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if others := list(watched - wanted):
            self._watcher.removePaths(others)
            self._told = None
        if wanted - watched:
            self._watch(wanted - watched)
            self._settle()  # perhaps it was changed while nobody watched

    def _tables(self, path: Path, stamp: str) -> set[str]:
        """What is written in place gives no news of its folder, so each file is watched by name."""
        if self._beside_of != (path, stamp):
            self._beside_of = path, stamp
            self._beside = {str(file) for file in files_beside(path) if os.path.isfile(file)}
        return self._beside

    def _settle(self, _path: str = "") -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _watch(self, paths: set[str]) -> None:
        there = [path for path in paths if os.path.exists(path)]
        if there:
            self._watcher.addPaths(there)

    def _look(self) -> None:
        path, stamp = self._document.path, self._document.stamp
        if path is None or stamp is None:
            return
        self._watch(
            {str(path.absolute())} - set(self._watcher.files())
        )  # a new file of that name is another one
        now = fingerprint(path) or ""
        if now == stamp:
            if self._told is not None:
                self._told = None
                self.settled.emit()
        elif now != self._told:
            self._told = now
            if now:
                self.changed.emit(now)
            else:
                self.gone.emit()


class FileNews(QObject):
    """Puts what a FileWatch notices into the banner, with what can be done about it."""

    def __init__(
        self, document: Document, files: Files, banner: Banner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._files, self._banner = document, files, banner
        self._asked = ""
        self._about: tuple[Path | None, str | None] = None, None
        self.watch = FileWatch(document, self)
        self.watch.changed.connect(self._ask)
        self.watch.settled.connect(self._withdraw)
        self.watch.gone.connect(self._say_gone)
        document.file_changed.connect(self._on_file)

    def _ask(self, stamp: str) -> None:
        path = self._document.path
        assert path is not None
        self._withdraw()
        self._about = path, self._document.stamp
        self._asked = self.tr("{name} was changed by another program.").format(name=path.name)
        self._banner.ask(
            self._asked,
            (self.tr("Reload"), lambda: self._reload(stamp)),
            (self.tr("Keep mine"), lambda: self._document.unsaved(stamp)),
        )
        if not all(map(os.path.isfile, files_beside(path))):
            self._document.unsaved(self._document.stamp)  # nowhere else is all of it

    def _reload(self, stamp: str) -> None:
        """Where that fails the question stays, and what the window holds counts as unsaved."""
        self._ask(stamp)
        if not self._files.reload():
            self._document.unsaved(self._document.stamp)

    def _say_gone(self) -> None:
        path = self._document.path
        assert path is not None
        self._withdraw()
        self._document.unsaved(self._document.stamp)
        self._about = path, self._document.stamp
        sentence = self.tr("{name} is no longer there. The scene stays in this window; Save writes it anew.")
        self._asked = sentence.format(name=path.name)
        self._banner.warn(self._asked)

    def _on_file(self) -> None:
        """Saved, reloaded, or another file: there is nothing to ask any more."""
        if (self._document.path, self._document.stamp) != self._about:
            self._withdraw()

    def _withdraw(self) -> None:
        if self._asked:
            self._banner.withdraw(self._asked)
            self._asked = ""
