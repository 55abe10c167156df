"""Code: the scene as a PyTorch script in three dialects, its masks in torch's terms, its solution as LaTeX."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication, QPushButton

from explorer.attention.trace import Trace
from explorer.files import atomic
from explorer.files.code import DIALECTS, TITLES, CodeError, mask_spellings, script
from explorer.files.latex import LatexError, worked_solution
from explorer.files.session import stem
from explorer.scene import Scene
from explorer.ui import saving
from explorer.ui.boxes import ChoiceBox
from explorer.ui.lab.code_text import CodeText
from explorer.ui.lab.pieces import Words, buttons, muted
from explorer.ui.lab.pin import size
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.problems import problem_text
from explorer.ui.texts import scene_title

MASKS, LATEX = "masks", "latex"
KINDS = (*DIALECTS, MASKS, LATEX)
AT_ONCE = 5_000  # numbers of a scene that is spelled out with every edit
REST_MS = 250  # so long without an edit, and a larger one is


class Code(Tool):
    """Keeps {"show": one of KINDS}, where it is not the first."""

    name = "code"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Code", "Code")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Code", "How is this scene written in PyTorch, or worked out on paper?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.ask_save: Callable[[Path], Path | None] = self._dialog
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._write)
        self.kind = ChoiceBox()
        self.kind.setObjectName("code_kind")
        self.kind.setAccessibleName(self.tr("What to write"))
        names = {
            "plain": self.tr("PyTorch: plain tensors"),
            MASKS: self.tr("the masks, as torch wants them"),
            LATEX: self.tr("LaTeX of the worked solution"),
        }
        self.kind.fill([(kind, names.get(kind) or f"PyTorch: {TITLES[kind]}") for kind in KINDS])
        self.kind.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.kind.activated.connect(lambda _index: self._choose(self.kind.currentData()))
        self.page.addWidget(self.kind)
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setObjectName("copy_code")
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.code))
        self.save = QPushButton(self.tr("Save…"))
        self.save.setObjectName("save_code")
        self.save.clicked.connect(self._save)
        self.page.addWidget(buttons(self.copy, self.save))
        self.reason = Words()
        self.reason.setObjectName("code_reason")
        self.page.addWidget(self.reason)
        self.text = CodeText()
        self.text.setObjectName("code_text")
        self.text.setAccessibleName(self.tr("Code"))
        self.text.setMinimumHeight(220)
        self.page.addWidget(self.text, 1)
        self.note = muted()
        self.page.addWidget(self.note)

    @property
    def shown_kind(self) -> str:
        """What is written."""
        return kept_kind(self.kept)

    @property
    def code(self) -> str:
        """The text; empty where there is none."""
        return self.text.toPlainText()

    def show_scene(self, scene: Scene) -> None:
        kind = self.shown_kind
        self.kind.show_kind(kind)
        notes = {
            MASKS: self.tr("The two flags of torch mean the opposite of each other."),
            LATEX: self.tr("A whole document; it needs amsmath alone."),
        }
        usual = self.tr("It needs torch alone. Run as it is, it prints the output that is shown here.")
        self.note.setText(notes.get(kind, usual))

    def show_trace(self, trace: Trace) -> None:
        if size(trace.scene) <= AT_ONCE:
            self._write()
        else:
            self._rest.start()

    def leave(self) -> None:
        self._rest.stop()

    def _write(self) -> None:
        if not self.isVisible():
            return
        try:
            text, reason = _text(self.scene, self.shown_kind), ""
        except (CodeError, LatexError) as error:
            text, reason = "", problem_text(str(error))
        self.text.show_text(text)
        self.reason.say(reason)
        self.text.setVisible(bool(text))
        self.note.setVisible(bool(text))
        for button in (self.copy, self.save):
            button.setEnabled(bool(text))

    def _choose(self, kind: str) -> None:
        if kind != self.shown_kind:
            text = self.tr("Code: {kind}").format(kind=self.kind.currentText())
            self.keep(None if kind == KINDS[0] else {"show": kind}, text, "code")

    def _save(self) -> None:
        document = self.bench.document
        title = saving.file_name(scene_title(document.scene.title)) or self.tr("scene")
        name = title if document.path is None else stem(document.path)
        suffix = ".tex" if self.shown_kind == LATEX else ".py"
        path = self.ask_save(saving.start(f"{name}{suffix}", document.path))
        if path is None:
            return
        try:
            atomic.write(path, self.code.encode())
        except OSError as error:
            text = self.tr("{name} cannot be saved: {reason}.")
            self.bench.banner.say(text.format(name=path.name, reason=problem_text(atomic.reason(error))))
            return
        saving.remember(path)

    def _dialog(self, start: Path) -> Path | None:
        kind = f"*{start.suffix}"
        return saving.ask_file(self, self.tr("Save the code"), start, kind, start.suffix)


def kept_kind(entry: Any) -> str:
    """What a session keeps of the choice; the first where it keeps none that is known."""
    kind = entry.get("show") if isinstance(entry, Mapping) else None
    return kind if isinstance(kind, str) and kind in KINDS else KINDS[0]


def _text(scene: Scene, kind: str) -> str:
    if kind == LATEX:
        return worked_solution(scene)
    if kind == MASKS:
        return "\n".join(mask_spellings(scene).values())
    return script(scene, kind)
