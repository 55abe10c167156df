"""The Document: the current Scene, its undo stack, its file."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack

from explorer.scene import Scene


class Document(QObject):
    """Holds the one Scene that is shown. `changed(old, new)` is the only signal of state."""

    changed = Signal(object, object)  # old Scene, new Scene
    file_changed = Signal()  # the path or the modified mark

    def __init__(self, scene: Scene, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scene = scene
        self._path: Path | None = None
        self._stamp: str | None = None
        self._sealed = False
        self._last: _Step | None = None  # that was pushed last; not the command, which the stack may delete
        self._kept: tuple[Scene, Path | None, str | None] | None = None
        self.undo_group = QUndoGroup(self)  # its actions follow the stack in use
        self._stacks = QUndoStack(self.undo_group), QUndoStack(self.undo_group)  # the own one; one meanwhile
        for stack in self._stacks:
            stack.cleanChanged.connect(self.file_changed)
        self._use(self._stacks[0])

    @property
    def scene(self) -> Scene:
        """What a person has set so far."""
        return self._scene

    @property
    def path(self) -> Path | None:
        """The file that Save writes; None for a scene that was never saved."""
        return self._path

    @property
    def stamp(self) -> str | None:
        """The fingerprint of the file as it was last read or written here; None where that is not known."""
        return self._stamp

    @property
    def modified(self) -> bool:
        """True where the Scene is not what the file holds."""
        return not self.undo_stack.isClean()

    @property
    def own(self) -> tuple[Scene, Path | None, str | None]:
        """A person's own Scene, its path and stamp, also while another is shown: see `set_aside`."""
        return self._kept or (self._scene, self._path, self._stamp)

    @property
    def own_modified(self) -> bool:
        """True where a person's own Scene is not what its file holds."""
        return not self._stacks[0].isClean()

    def edit(self, scene: Scene, text: str, merge: str | None = None) -> None:
        """Replace the Scene in one undo step named `text`.

        Steps in a row with the same `merge` are one step (a drag, a run of wheel turns), until `end_merge`.
        """
        if scene is self._scene:
            return
        if not self._extend(scene, text, merge):
            self._last = _Step(self._scene, scene, text, merge)
            joins, self._sealed = None if self._sealed else merge, False
            self.undo_stack.push(_Edit(self, self._last, joins))

    def _extend(self, scene: Scene, text: str, merge: str | None) -> bool:
        """Let the last step lead to `scene`; False where that is not all there is to do.

        A command that the stack merges is never let go by PySide: of a long drag thousands would stay.
        """
        last, stack = self._last, self.undo_stack
        if (
            last is None
            or merge is None
            or self._sealed
            or last.merge != merge
            or last.text != text
            or last.new is not self._scene
            or last.old is scene
            or stack.isClean()
            or stack.index() != stack.count()
        ):
            return False
        last.new = scene
        self.show(scene)
        return True

    def end_merge(self) -> None:
        """The gesture is over: the next edit is a step of its own."""
        self._sealed = True

    def undo(self) -> None:
        """One step back."""
        self.undo_stack.undo()

    def redo(self) -> None:
        """One step forward."""
        self.undo_stack.redo()

    def open(
        self, scene: Scene, path: Path | None = None, stamp: str | None = None, unsaved: bool = False
    ) -> None:
        """Another scene altogether; there is nothing to undo then, and nothing is set aside.

        `unsaved`: it is work that the file does not hold.
        """
        self._kept = None
        self._use(self._stacks[0])
        self.undo_stack.clear()
        if unsaved:
            self.undo_stack.resetClean()
        self._path, self._stamp = path, stamp
        self.show(scene)
        self.file_changed.emit()

    @property
    def is_aside(self) -> bool:
        """True while another Scene than a person's own is shown: see `set_aside`."""
        return self._kept is not None

    def set_aside(self, scene: Scene) -> None:
        """Show another Scene, with undo steps of its own and without a file, until `take_back`.

        A lesson runs on this: the person's Scene, its undo steps, its file and its modified mark wait untouched,
        and Save cannot write the lesson's Scene into that file.
        """
        if self._kept is None:
            self._kept = self._scene, self._path, self._stamp
            self._use(self._stacks[1])
        self.undo_stack.clear()
        self._path = self._stamp = None
        self.show(scene)
        self.file_changed.emit()

    def take_back(self) -> None:
        """What was set aside, exactly as it was; what was shown meanwhile is dropped."""
        if self._kept is not None:
            scene, self._path, self._stamp = self._kept
            self._kept = None
            self._use(self._stacks[0])
            self.show(scene)
            self.file_changed.emit()

    def saved(self, path: Path, stamp: str | None = None) -> None:
        """The Scene is now what `path` holds."""
        self._path, self._stamp = path, stamp
        self.end_merge()
        self.undo_stack.setClean()
        self.file_changed.emit()

    def unsaved(self, stamp: str | None) -> None:
        """The file holds something else than the Scene, whatever was saved: `stamp` is its fingerprint now."""
        self._stamp = stamp
        self.undo_stack.resetClean()
        self.file_changed.emit()

    def _use(self, stack: QUndoStack) -> None:
        """From now on edits are steps of this stack."""
        self.undo_stack, self._last = stack, None
        self.undo_group.setActiveStack(stack)
        self.end_merge()

    def show(self, scene: Scene) -> None:
        """For the undo stack alone: make `scene` the current one."""
        old, self._scene = self._scene, scene
        if scene is not old:
            self.changed.emit(old, scene)


@dataclass
class _Step:
    """From one Scene to another. Unchanged arrays are shared: the two snapshots cost next to nothing."""

    old: Scene
    new: Scene
    text: str
    merge: str | None


class _Edit(QUndoCommand):
    """One replacement of the Scene; merges into a step before it that has the key `joins`."""

    def __init__(self, document: Document, step: _Step, joins: str | None) -> None:
        super().__init__(step.text)
        self._document = document
        self.step, self._joins = step, joins

    def id(self) -> int:
        return -1 if self.step.merge is None else 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        assert isinstance(other, _Edit)
        step = self.step
        if other._joins is None or other._joins != step.merge:
            return False
        step.new, step.text = other.step.new, other.step.text
        self.setText(step.text)
        # PySide keeps `other` for good; it must not keep every Scene of a drag.
        other.step.old = other.step.new = step.old
        self._document._last = step
        if step.new is step.old:
            self.setObsolete(True)
            self._document._last = None
        return True

    def undo(self) -> None:
        self._document.end_merge()
        self._document.show(self.step.old)

    def redo(self) -> None:
        self._document.show(self.step.new)
