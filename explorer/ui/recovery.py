"""Unsaved work of a Document, kept on disk as it is done; and what earlier programs have left there."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer, Signal

from explorer.document import Document
from explorer.files import atomic, recovery
from explorer.files.recovery import Keeper, Leftover, leftovers
from explorer.patience import CancelledError, GoingOn, go_on
from explorer.scene import Scene
from explorer.ui.problems import problem_text

DELAY_MS = 250  # from the first edit that is not kept yet; those that follow meanwhile are kept with it
RETRY_MS = 5000

Own = tuple[Scene, Path | None, str | None]


def usual_folder() -> Path:
    """Where unsaved work lies."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(place) / "recovery"


class Recovery(QObject):
    """Keeps the Document's unsaved Scene in a file, on a thread of its own; none where everything is saved.

    While a lesson shows another Scene, it is the person's own that is kept. The file bears a lock as long as this
    process lives. `close()` when the Document has been saved or given up.
    """

    problem = Signal(str)  # a sentence, which holds until it is `solved`
    solved = Signal(str)  # the same sentence
    _done = Signal(object)  # an OSError, or None

    def __init__(self, document: Document, folder: Path | None = None) -> None:
        super().__init__(document)
        self._document = document
        self._folder = folder or usual_folder()
        self._keeper = Keeper(self._folder, os.urandom(6).hex())
        self._lock: QLockFile | None = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="recovery")
        self._running = self._closed = False
        self._trouble: OSError | None = None
        self._said = ""  # of the trouble
        self._has_files = False
        self._kept: Own | None = None  # what is on disk, or on its way
        self._pending: Callable[[], None] | None = None
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._keep)
        self._done.connect(self._receive)
        self.listen()

    def listen(self) -> None:
        """Follow the Document; again after Engine.forget_listeners."""
        self._document.changed.connect(self._follow)
        self._document.file_changed.connect(self._follow)

    @property
    def path(self) -> Path:
        """Where the Scene is kept, or would be."""
        return self._keeper.path

    @property
    def busy(self) -> bool:
        """True while something is not on disk yet, or not off it."""
        return self._running or self._timer.isActive()

    def repeat(self) -> None:
        """Say anew what is wrong, if anything is: to a window that has not heard it, in its language."""
        if self._trouble is not None:
            self._said = self.tr("Unsaved work cannot be kept safe from a crash: {reason}.").format(
                reason=problem_text(atomic.reason(self._trouble))
            )
            self.problem.emit(self._said)

    def adopt(self, claim: "Claim") -> None:
        """Go on keeping where another process was stopped; what it left is replaced as soon as there is more."""
        self._keeper, self._lock = Keeper(self._folder, claim.leftover.id), claim.lock
        self._has_files = True

    def close(self) -> None:
        """Nothing needs to be kept any more."""
        if self._closed:
            return
        self._closed = True
        self._timer.stop()
        self._pending = None
        self._worker.shutdown(wait=True)
        if self._lock is not None:
            self._keeper.drop()
            self._lock.unlock()

    def _follow(self, *_scenes: object) -> None:
        if self._closed:
            return
        if not self._document.own_modified:
            self._timer.stop()
            self._settle()
            if self._has_files:
                self._has_files, self._kept = False, None
                self._submit(self._keeper.drop)
        elif not _is_same(self._document.own, self._kept) and not self._timer.isActive():
            self._timer.start(DELAY_MS)

    def _keep(self) -> None:
        if not self._document.own_modified:
            return
        try:
            self._take_lock()
        except OSError as error:
            self._complain(error)
            return
        self._has_files, self._kept = True, (own := self._document.own)
        self._submit(lambda: self._keeper.keep(*own, self._go_on))

    def _go_on(self) -> None:
        """On the worker: whoever closes waits for it."""
        if self._closed:
            raise CancelledError

    def _take_lock(self) -> None:
        """Before the first file: nobody takes it for one that was left behind."""
        if self._lock is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = _lock(self._folder, self._keeper.id)
            self._lock.tryLock(0)

    def _submit(self, task: Callable[[], None]) -> None:
        """One task runs, one waits; a newer one takes the place of the waiting one."""
        if self._running:
            self._pending = task
            return
        self._running = True
        self._worker.submit(lambda: self._done.emit(_outcome(task)))

    def _receive(self, outcome: OSError | None) -> None:
        self._running = False
        if self._closed:
            return
        if self._pending is not None:
            waiting, self._pending = self._pending, None
            self._submit(waiting)
        if outcome is not None:
            self._complain(outcome)
        else:
            self._settle()

    def _complain(self, error: OSError) -> None:
        self._kept = None
        if not self._document.own_modified:
            return  # saved or given up meanwhile
        self._timer.start(RETRY_MS)
        if self._trouble is None or atomic.reason(self._trouble) != atomic.reason(error):
            self._settle()
            self._trouble = error
            self.repeat()

    def _settle(self) -> None:
        """Nothing is wrong any more."""
        if self._trouble is not None:
            self._trouble = None
            self.solved.emit(self._said)


def _is_same(one: Own, other: Own | None) -> bool:
    return other is not None and one[0] is other[0] and one[1:] == other[1:]


def _outcome(task: Callable[[], None]) -> OSError | None:
    try:
        task()
    except OSError as error:
        return error
    except Exception as error:  # a worker must not die of a scene
        return OSError(None, str(error))
    return None


# ---- what earlier programs have left ----


@dataclass(frozen=True, eq=False)
class Claim:
    """Work that was left, and the lock that says it is this process's to offer."""

    leftover: Leftover
    lock: QLockFile

    def discard(self) -> None:
        """Nobody wants it."""
        Keeper(self.leftover.path.parent, self.leftover.id).drop()
        self.lock.unlock()


def claim_all(folder: Path | None = None, going_on: GoingOn = go_on) -> list[Claim]:
    """Everything whose process is gone and that no other process has claimed, the newest first.

    `going_on` is called now and then; what it raises ends it, and nothing is claimed.
    """
    found: list[Claim] = []
    try:
        _claim(folder or usual_folder(), found, going_on)
    except BaseException:
        for claim in found:
            claim.lock.unlock()
        raise
    return found


def _claim(folder: Path, found: list[Claim], going_on: GoingOn) -> None:
    for leftover in leftovers(folder, going_on):
        dead = leftover.owner is None or leftover.owner.is_dead
        if dead is False:
            continue
        if dead and leftover.owner is not None:
            _free(folder, leftover.id, leftover.owner.pid)
        lock = _lock(folder, leftover.id)
        if lock.tryLock(0):
            found.append(claim := Claim(leftover, lock))
            if leftover.is_saved(going_on):  # the program was stopped right after that
                found.remove(claim)
                claim.discard()
    _sweep(folder)


def _lock(folder: Path, id: str) -> QLockFile:
    lock = QLockFile(str(folder / f"{id}.lock"))
    lock.setStaleLockTime(0)  # stale is what no process holds, however old it is
    return lock


def _free(folder: Path, id: str, pid: int) -> None:
    """Remove the lock of a process that is known to be gone, whose number another may have now."""
    path = folder / f"{id}.lock"
    with suppress(OSError, ValueError, IndexError):
        if int(path.read_text(encoding="utf-8", errors="replace").splitlines()[0]) == pid:
            path.unlink()


def _sweep(folder: Path) -> None:
    """What is left of work that was kept, saved or discarded by a process stopped in that moment."""
    atomic.tidy(folder)
    for id in recovery.without_session(folder):
        lock = _lock(folder, id)
        if lock.tryLock(0):
            if not Keeper(folder, id).path.exists():
                Keeper(folder, id).drop()
            lock.unlock()
