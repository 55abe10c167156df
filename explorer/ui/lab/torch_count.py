"""The present scene under torch's own counter of operations, beside the closed form."""

from typing import Any

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from explorer.scene import Scene
from explorer.ui.lab.pieces import Words
from explorer.ui.lab.worker import Worker
from explorer.ui.panels.view import face_of
from explorer.ui.remarks import remark_text


class TorchCount(QWidget):
    """A button, and what the counter says. It is loaded when it is first asked, on a thread of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._worker = Worker(self)
        self._scene: Scene | None = None
        self._counted: tuple[tuple[object, ...], Any] | None = None  # of which sizes and settings, and what
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.button = QPushButton(self.tr("Count this scene"))
        self.button.setObjectName("count_flops")
        self.button.clicked.connect(self._count)
        self.words = Words()
        self.words.setObjectName("counted")
        layout.addWidget(self.button)
        layout.addWidget(self.words)

    def show_scene(self, scene: Scene) -> None:
        """Another scene; once the counter is loaded, one of other sizes is counted without being asked."""
        self._scene = scene
        if self._counted is not None and self._counted[0] != face_of(scene) and not self._worker.busy:
            self._count()
        else:
            self._show(self._worker.busy)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._worker.stop()
        self._show(busy=False)

    def _count(self) -> None:
        scene = self._scene
        if scene is not None:
            self._worker.run(lambda: _flops(scene), lambda found: self._on_counted(scene, found))
            self._show(busy=True)

    def _on_counted(self, scene: Scene, found: Any) -> None:
        if isinstance(found, Exception):
            self._show(busy=False)
            self.words.say(self.tr("It could not be counted: {reason}").format(reason=found))
            return
        self._counted = (face_of(scene), found)
        self._show(busy=False)

    def _show(self, busy: bool) -> None:
        self.button.setEnabled(not busy)
        counted = self._counted
        if busy:
            self.words.say(self.tr("Counting… the first time torch loads its counter, which takes seconds."))
        elif counted is None or self._scene is None or counted[0] != face_of(self._scene):
            self.words.say("")
        else:
            self.words.say(self._text(counted[1]))

    def _text(self, found: Any) -> str:
        ours = sum(found.multiply_adds.values())
        text = self.tr("This scene: {torch} operations, which is 2 × {ours} multiply-adds.")
        if found.torch != 2 * ours:
            text = self.tr("This scene: {torch} operations; in closed form 2 × {ours} multiply-adds.")
        lines = [text.format(torch=f"{found.torch:,}", ours=f"{ours:,}")]
        return "\n".join([*lines, *(remark_text(remark) for remark in found.remarks)])


def _flops(scene: Scene) -> Any:
    from explorer.attention.flops import flops  # brings torch, and at its first call the counter

    return flops(scene)
