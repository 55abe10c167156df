"""Pin and compare: one state is kept as A, and every panel shows A, the present scene B, or B − A."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton

from explorer.attention.compare import differences
from explorer.attention.trace import STAGES, Trace
from explorer.files.session import stem
from explorer.numbers import compact_number
from explorer.scene import Scene
from explorer.ui.lab.kept import remembered
from explorer.ui.lab.lens import Look, difference, largest_changes, stand_in
from explorer.ui.lab.pieces import Bar, Bars, Choice, Heading, Words, buttons, muted, share
from explorer.ui.lab.pin import Pinned, entry_of, pinned
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.panels import PANELS
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.remarks import remark_text
from explorer.ui.texts import scene_title, stage_title

A, CHANGE = "a", "difference"


class Compare(Tool):
    """Keeps {"name": …, "scene": the session of A}."""

    name = "compare"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Compare", "Pin and compare")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate("Compare", "What has changed since state A, and by how much?")

    @classmethod
    def look(cls, scene: Scene, show: str) -> Look | None:
        a = pinned(remembered(scene, cls.name))
        if a is None or show not in (A, CHANGE):
            return None
        translate = QCoreApplication.translate
        missing = _missing(a.scene, scene)
        if show == A:
            note = translate("Compare", "The panels show A: {name}.")
            return Look(partial(_as_a, a, missing), note.format(name=a.name), missing=missing)
        note = translate("Compare", "The panels show B − A: the present scene less A ({name}).")
        return Look(
            lambda trace: difference(a.trace, trace),
            note.format(name=a.name),
            difference=True,
            missing=missing,
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.pin = QPushButton(self.tr("Pin A"))
        self.pin.setObjectName("pin_a")
        self.pin.setToolTip(self.tr("Keep the present scene as A"))
        self.pin.clicked.connect(self._pin)
        self.file = QPushButton(self.tr("Compare with a file…"))
        self.file.setObjectName("pin_file")
        self.file.clicked.connect(self._pin_file)
        self.page.addWidget(buttons(self.pin, self.file))
        self.state = muted()
        self.page.addWidget(self.state)
        self.back = QPushButton(self.tr("Go back to A"))
        self.back.setObjectName("back_to_a")
        self.back.clicked.connect(self._go_back)
        self.unpin = QPushButton(self.tr("Unpin"))
        self.unpin.setObjectName("unpin_a")
        self.unpin.clicked.connect(lambda: self.keep_look("", self.tr("Unpin A"), None))
        self._row = buttons(self.back, self.unpin)
        self.choice = Choice(
            (("", self.tr("B (now)")), (A, "A"), (CHANGE, "B − A")), self._choose, self.tr("The panels show")
        )
        self._shown, self._words_title = Heading(self.tr("The panels show")), Heading(self.tr("What differs"))
        self.words = Words()
        self.words.setObjectName("differences")
        self._bars_title = Heading(self.tr("Largest change in each stage"))
        self.bars = Bars()
        self.bars.setAccessibleName(self._bars_title.text())
        self._measure = muted(self.tr("A bar compares the change with the largest number of its stage."))
        self.apart = muted()
        self.apart.setObjectName("not_comparable")
        self._parts = (
            self._row, self._shown, self.choice, self._words_title, self.words, self._bars_title, self.bars,
            self._measure, self.apart,
        )  # fmt: skip
        for widget in self._parts:
            self.page.addWidget(widget)
        self.page.addStretch(1)

    @property
    def a(self) -> Pinned | None:
        """What is pinned."""
        return pinned(self.kept)

    def show_scene(self, scene: Scene) -> None:
        a = self.a
        for widget in self._parts:
            widget.setVisible(a is not None)
        self.pin.setText(self.tr("Pin A") if a is None else self.tr("Pin this as A instead"))
        if a is None:
            broken = self.kept is not None
            self.state.setText(
                self.tr("The A that this session keeps cannot be read.")
                if broken
                else self.tr("Nothing is pinned yet. Pin the scene as it is, then change something.")
            )
            return
        self.state.setText(self.tr("A: {name}").format(name=a.name))
        self.choice.show_key(self.shown_key)
        found = [remark_text(remark) for remark in differences(a.scene, scene)]
        self.words.setText("\n".join(found) or self.tr("Nothing: A and B compute the same."))
        missing = _missing(a.scene, scene)
        text = self.tr("Cannot be compared, for their shapes differ: {stages}.")
        titles = ", ".join(stage_title(name) for name in missing)
        self.apart.setText(text.format(stages=titles))
        self.apart.setVisible(bool(missing))

    def show_trace(self, trace: Trace) -> None:
        a = self.a
        if a is None:
            return
        missing = _missing(a.scene, trace.scene)
        wanted = [kind.name for kind in PANELS if kind.present(trace.scene) and kind.name not in missing]
        changes = largest_changes(a.trace, trace)
        self.bars.show_bars(
            Bar(stage_title(name), share(change, size), compact_number(change))
            for name, (change, size) in changes.items()
            if name in wanted
        )

    def _pin(self) -> None:
        self._keep(self.scene, self._scene_name(), self.bench.engine.trace)

    def _pin_file(self) -> None:
        path = self.bench.files.ask_open()
        if path is not None:
            self.compare_with(path)

    def compare_with(self, path: Path) -> None:
        """Take the session in a file as A; one that cannot be read is named in the banner."""
        if (found := self.bench.files.read(path)) is not None:
            scene, _stamp = found
            self._keep(scene, stem(path), None)

    def _keep(self, scene: Scene, name: str, trace: Trace | None) -> None:
        try:
            entry = entry_of(scene, name, trace)
        except ValueError:
            self.bench.banner.say(self.tr("This scene is too large to be kept inside a session."))
            return
        self.keep_look(self.shown, self.tr("Pin A"), entry)

    def _scene_name(self) -> str:
        path = self.bench.document.path
        steps = self.bench.document.undo_stack
        name = stem(path) if path is not None else scene_title(self.scene.title) or self.tr("Untitled")
        done = steps.undoText()
        return f"{name} · {done}" if done and not steps.isClean() else name

    def _choose(self, key: str) -> None:
        texts = {"": self.tr("Show B"), A: self.tr("Show A"), CHANGE: self.tr("Show B − A")}
        self.keep_look(key, texts[key])

    def _go_back(self) -> None:
        a = self.a
        if a is not None:
            self.bench.document.end_merge()
            self.bench.document.edit(a.scene.replace(extra=self.scene.extra), self.tr("Go back to A"))


def _as_a(a: Pinned, missing: Mapping[str, str], trace: Trace) -> Trace:
    old = a.trace
    stages = {s.name: None if s.name in missing else old.stage(s.name) for s in STAGES}
    same = old.visible.shape == trace.visible.shape
    return stand_in(trace, stages, old.visible if same else None)


def _missing(a: Scene, b: Scene) -> dict[str, str]:
    """The stages whose shapes differ, with the shape that A has."""
    found = {}
    for kind in PANELS:
        if (kind.count(a), kind.shape(a)) != (kind.count(b), kind.shape(b)):
            found[kind.name] = _shape_text(kind, a)
    return found


def _shape_text(kind: StagePanel, scene: Scene) -> str:
    rows, cols = kind.shape(scene)
    shape = f"{rows} × {cols}" if kind.stage.per == "scene" else f"{kind.count(scene)} × ({rows} × {cols})"
    return QCoreApplication.translate("Compare", "A has {shape}").format(shape=shape)
