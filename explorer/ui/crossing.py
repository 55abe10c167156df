"""The switch between self- and cross-attention."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.attention.crossing import Aside, crossed
from explorer.document import Document
from explorer.scene import Scene, SceneError
from explorer.ui.grids.bubble import Bubble
from explorer.ui.lab.kept import remembered, with_remembered
from explorer.ui.lab.pieces import Choice, muted
from explorer.ui.problems import problem_text

NAME = "crossing"  # of what the lab keeps for it
MOST = 200_000  # numbers and flags that a session keeps aside
SELF, CROSS = "self", "cross"


def with_cross(scene: Scene, on: bool) -> Scene:
    """Cross- or self-attention; what the other side alone holds waits in the scene, and so in its session file.

    Raises SceneError where it cannot be.
    """
    new, left = crossed(scene, on, Aside.read(remembered(scene, NAME)))
    if new is scene:
        return scene
    return with_remembered(new, NAME, (left.to_json() or None) if left.size <= MOST else None)


class CrossSwitch(QWidget):
    """Under X: where keys and values come from, and what is set aside meanwhile."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("crossing")
        self._document = document
        self._seen: object = None
        self.choice = Choice(
            ((SELF, self.tr("Self-attention")), (CROSS, self.tr("Cross-attention"))),
            self._choose,
            self.tr("Where keys and values come from"),
        )
        self.choice.buttons[SELF].setToolTip(self.tr("Queries, keys and values all come from X"))
        self.choice.buttons[CROSS].setToolTip(
            self.tr("Queries come from X, keys and values from a context of its own length")
        )
        self.choice.setStyleSheet("QToolButton { padding: 3px 4px; }")  # both on one line of the column
        for key, button in self.choice.buttons.items():
            button.setObjectName(f"attention_{key}")
        self.note = muted()
        self.note.setObjectName("set_aside")
        self._bubble = Bubble(self.choice)
        self.last = self.choice.buttons[CROSS]  # that Tab comes to here
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.choice)
        layout.addWidget(self.note)
        document.changed.connect(lambda _old, new: self._show(new))
        self._show(document.scene)

    def _choose(self, key: str) -> None:
        self._bubble.hide()
        scene, on = self._document.scene, key == CROSS
        text = self.tr("Switch to cross-attention") if on else self.tr("Switch to self-attention")
        try:
            self._document.end_merge()
            self._document.edit(with_cross(scene, on), text)
            if not on and scene.is_cross and remembered(self._document.scene, NAME) is None:
                sentence = self.tr("The context is too large to be set aside; undo brings it back.")
                self._bubble.say(sentence, self.choice.rect())
        except SceneError as error:
            self._bubble.say(problem_text(str(error)), self.choice.rect())
        self._show(self._document.scene)

    def _show(self, scene: Scene) -> None:
        self.choice.show_key(CROSS if scene.is_cross else SELF)
        entry = remembered(scene, NAME)
        if entry is not self._seen or not entry:
            self._seen = entry
            text = _set_aside(Aside.read(entry))
            self.note.setText(text)
            self.note.setVisible(bool(text))


def _set_aside(aside: Aside) -> str:
    """'Set aside: a context of 5 tokens, 1 row of W_k and W_v.'; empty where nothing is."""
    translate = QCoreApplication.translate
    parts = []
    if aside.context is not None:
        parts.append(
            translate("CrossSwitch", "the context ({tokens} tokens)").format(tokens=len(aside.context))
        )
    if aside.w_k is not None:
        parts.append(translate("CrossSwitch", "rows of W_k and W_v ({rows})").format(rows=len(aside.w_k)))
    if aside.masks:
        parts.append(translate("CrossSwitch", "flags of the mask"))
    if aside.bias is not None:
        parts.append(translate("CrossSwitch", "numbers of the bias"))
    if not parts:
        return ""
    comma = translate("CrossSwitch", ", ")
    return translate("CrossSwitch", "Set aside until you switch back: {what}.").format(what=comma.join(parts))
