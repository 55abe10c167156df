"""How long each thing that a person can do holds up the event loop, in a scene of 1,024 tokens, 768 wide, 12 heads; and
some of them in one of 32,768 tokens.

In processes of their own: what is loaded or made the first time that it is asked for counts as it does for a person.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction, QWheelEvent
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

from benchmarks.cases import scene_of
from benchmarks.goals import Goal
from benchmarks.growing import surroundings
from benchmarks.pulse import LIMIT_MS, Pulse, until, wait
from benchmarks.real import RealWindow
from explorer import resources
from explorer.files.session import save
from explorer.ui import theme
from explorer.ui.boxes import ChoiceBox
from explorer.ui.export.numbers_dialog import NumbersWish
from explorer.ui.export.picture_dialog import USUAL_DPI, Subject, Wish
from explorer.ui.lab.lab import TOOLS
from explorer.ui.lab.plot_library import library
from explorer.ui.language import LANGUAGES
from explorer.ui.main_window import MainWindow
from explorer.ui.panels import PANELS
from explorer.ui.panels.panel import Panel
from explorer.ui.picture import Look, most_dpi
from explorer.ui.reading.settings import WORDS
from explorer.ui.recovery import Recovery
from explorer.ui.turns import turns

WIDTH = 64  # of a head
SIZE = (1280, 800)
STEPS = 12  # of a drag, of scrolling


@dataclass(frozen=True)
class Case:
    """A scene, and the gestures that are made in it: all, unless some are named.

    At rest its pictures are exact, or `patience` seconds have passed.
    """

    tokens: int
    heads: int
    gestures: frozenset[str] = frozenset()
    patience: float = 120.0

    def makes(self, gesture: str) -> bool:
        """Whether it is one of those."""
        return not self.gestures or gesture in self.gestures

    def __str__(self) -> str:
        return f"{self.tokens:,} tokens, {self.heads * WIDTH} wide, {self.heads} heads"


USUAL = Case(1024, 12)
# A minute's worth. The exact pictures of all heads take longer than anybody looks at one of them.
LARGEST = Case(
    32_768, 4,
    frozenset({
        "opening", "scrolling", "zooming in a map", "hovering", "choosing a number, weights", "choosing a number, X",
        "dragging a number, X", "dragging a number, W_q", "undo and redo", "typing a number", "inserting a token",
        "mask", "presenting", "presenting, steps", "presenting, leaving", "copying a table", "asking for a worksheet",
        "saving", "colours", "decimals", "closing",
    }),
    patience=0.5,
)  # fmt: skip
CASES = {str(case.tokens): case for case in (USUAL, LARGEST)}


@dataclass(frozen=True)
class Held:
    """Milliseconds between two beats at most, during a gesture and what follows from it."""

    case: Case
    gesture: str
    longest_ms: float

    def goal(self) -> Goal:
        """What it is held against."""
        return Goal(
            f"longest stall, {self.case.tokens:,} tokens, {self.gesture}", self.longest_ms, LIMIT_MS, " ms"
        )


def measure(case: Case, runs: int) -> list[Held]:
    """Medians over so many processes."""
    found: dict[str, list[float]] = {}
    for _run in range(runs):
        for name, longest in _one_run(case).items():
            found.setdefault(name, []).append(longest)
    return [Held(case, name, median(times)) for name, times in found.items()]


def _one_run(case: Case) -> dict[str, float]:
    folder = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.gestures", str(case.tokens)],
        cwd=folder, env=surroundings(folder), capture_output=True, text=True, check=True, timeout=900,
    )  # fmt: skip
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


class Hand:
    """Does what a person does, one gesture after the other, each from rest to rest."""

    def __init__(self, real: RealWindow, folder: Path, pulse: Pulse, case: Case = USUAL) -> None:
        self._real, self._folder, self._pulse, self._case = real, folder, pulse, case
        self.found: dict[str, float] = {}

    @property
    def window(self) -> MainWindow:
        """The one that is shown; in another language it is another one."""
        return self._real.window

    @property
    def panels(self) -> dict[str, Panel]:
        """Those of the pipeline."""
        return self.window.pipeline.panels

    def all(self) -> dict[str, float]:
        """The longest stall of each gesture, in milliseconds."""
        for name, do in self._gestures():
            if self._case.makes(name):
                with self._pulse:
                    do()
                    wait(300) if name == "closing" else self.rest()
                self.found[name] = max(self._pulse.longest_ms, self.found.get(name, 0.0))
        return self.found

    def rest(self) -> None:
        """Until nothing is under way."""
        window, start = self.window, perf_counter()
        wait(250)  # timers that wait for a rest
        until(
            lambda: (
                not window.engine.busy
                and (not window.maps.is_coarse or perf_counter() - start > self._case.patience)
                and not self._recovery_busy()
                and not library().is_loading
                and not _waits()
            )
        )
        wait(50)

    def _recovery_busy(self) -> bool:
        recovery = self.window.document.findChild(Recovery)
        return recovery is not None and recovery.busy

    def _gestures(self) -> Iterator[tuple[str, Callable[[], object]]]:
        path = self._folder / "large.attn.json"
        save(scene_of(self._case.tokens, self._case.heads, width=WIDTH), path)
        self.rest()  # the window has just been made and resized
        yield "opening", lambda: self.window.files.open(path, ask=False)
        yield from self._looking()
        yield from self._choosing()
        yield from self._editing()
        yield from self._switching()
        yield from self._rooms()
        yield from self._exporting()
        yield "saving", lambda: self.window.files.save()
        yield from self._dressing()

    # ---- looking ----

    def _looking(self) -> Iterator[tuple[str, Callable[[], object]]]:
        yield "scrolling", self._scroll
        yield "zooming", self._zoom
        yield "zooming in a map", self._zoom_in_map
        yield "hovering", self._hover
        yield "resizing", self._resize
        yield "one head alone", lambda: self._do("one_head")
        yield "all heads", lambda: self._do("all_heads")
        yield "searching the strongest weight", self.window.map_bar.strongest.click
        yield "another kind of tiles", lambda: self.window.maps.set_pool("mean")
        yield "another kind of tiles", lambda: self.window.maps.set_pool("max")

    def _scroll(self) -> None:
        bar = self.window.pipeline.verticalScrollBar()
        for part in range(STEPS + 1):
            bar.setValue(bar.maximum() * part // STEPS)
            wait(30)
        bar.setValue(0)

    def _zoom(self) -> None:
        for factor in (1.15, 1.15, 1.15, 1 / 1.15, 1 / 1.15, 1 / 1.15):
            self.window.pipeline.zoom_by(factor)
            wait(60)

    def _zoom_in_map(self) -> None:
        panel = self._shown("panel_weights_1")
        for turn in (120,) * 8 + (-120,) * 8:
            _wheel(panel, turn, Qt.KeyboardModifier.ShiftModifier)
            wait(30)

    def _hover(self) -> None:
        for name in ("panel_weights_1", "panel_scaled_1", "panel_q_1"):
            panel = self._shown(name)
            for step in range(STEPS):
                body = panel.body()
                QTest.mouseMove(panel, body.topLeft() + QPoint(body.width(), body.height()) * step / STEPS)
                wait(20)

    def _resize(self) -> None:
        for width in (1500, 1400, SIZE[0]):
            self.window.resize(width, SIZE[1])
            wait(60)

    # ---- choosing ----

    def _choosing(self) -> Iterator[tuple[str, Callable[[], object]]]:
        scene = self.window.document.scene
        for kind in PANELS:
            if kind.present(scene):
                name = f"panel_{kind.name}" + ("" if kind.heads(scene)[0] is None else "_1")
                yield f"choosing a number, {kind.name}", partial(self._click, name)
        for name in ("x", "w_q", "w_k", "w_v", "w_o"):
            yield f"choosing a number, {name.upper()[0]}{name[1:]}", partial(self._choose, name)

    def _click(self, name: str) -> None:
        panel = self._shown(name)
        wait(100)
        for row, col in ((3, 5), (40, 17)):
            QTest.mouseClick(panel, Qt.MouseButton.LeftButton, pos=panel.cell_rect(row, col).center())
            wait(250)

    def _choose(self, name: str) -> None:
        self.window.inputs.show_matrix(name)
        grid = self.window.inputs.grid(name)
        grid.setFocus()
        for row, col in ((3, 5), (4, 6)):
            grid.select_cell(row, col)
            wait(250)

    # ---- editing ----

    def _editing(self) -> Iterator[tuple[str, Callable[[], object]]]:
        for name in ("x", "w_q", "w_k", "w_v", "w_o"):
            yield f"dragging a number, {name.upper()[0]}{name[1:]}", partial(self._drag, name)
        yield "undo and redo", self._undo
        yield "typing a number", self._type
        grid = self.window.inputs.grid("x")
        yield "inserting a token", lambda: grid.commands.insert_token(3)
        yield "renaming a token", lambda: grid.commands.rename_token(2, "another")
        yield "moving a token", lambda: grid.commands.move_tokens(range(2, 3), 9)
        yield "undo and redo", self._undo

    def _drag(self, name: str) -> None:
        self.window.inputs.show_matrix(name)
        for step in range(4 * STEPS):
            scene = self.window.document.scene.with_cell(name, 3, 5, float(np.sin(step)))
            self.window.document.edit(scene, "Edit", "drag")
            wait(16)
        self.window.document.end_merge()

    def _undo(self) -> None:
        for step in ("undo", "undo", "redo", "redo"):
            self._do(step)
            wait(200)

    def _type(self) -> None:
        grid = self.window.inputs.grid("x")
        self.window.inputs.show_matrix("x")
        grid.setFocus()
        grid.select_cell(2, 2)
        QTest.keyClicks(grid, "0")
        editor = grid.editor()
        assert editor is not None
        QTest.keyClicks(editor, ".5")
        QTest.keyClick(editor, Qt.Key.Key_Return)

    # ---- settings ----

    def _switching(self) -> Iterator[tuple[str, Callable[[], object]]]:
        controls = self.window.controls
        for heads in (6, self._case.heads):
            yield "number of heads", partial(controls.heads.setValue, heads)
        for groups in (4, self._case.heads):
            yield "number of K/V heads", partial(controls.kv_heads.setValue, groups)
        for kind in ("causal", "padding", "window", "none"):
            yield "mask", partial(_choose_in, controls.mask_kind, kind)
        yield "scale", controls.scale.click
        yield "scale", controls.scale.click
        for position in ("rotary", "sinusoidal", "learned", "alibi", "relative", "none"):
            yield "position", partial(_choose_in, controls.position, position)
        for dtype in ("float32", "bfloat16", "float64"):
            yield "precision", partial(_choose_in, controls.dtype, dtype)

    # ---- other rooms ----

    def _rooms(self) -> Iterator[tuple[str, Callable[[], object]]]:
        window = self.window
        self._click("panel_weights_1")
        yield "closing and opening the inspector", window.inspector_dock.hide
        yield "closing and opening the inspector", window.inspector_dock.show
        for tool in TOOLS:
            yield f"lab, {tool.name}", partial(self._do, f"menu_lab_{tool.name}")
        yield "dragging a number, beside a tool", lambda: self._drag("x")
        yield "closing the lab", window.lab.dock.hide
        yield "heads side by side", lambda: self._do("read_heads")
        yield "words and lines", lambda: window.reading.open(WORDS)
        yield "dragging a number, words and lines", lambda: self._drag("x")
        yield "back to the panels", window.reading.close
        yield "covering a number", lambda: self._cover()
        yield "presenting", window.present
        yield "presenting, steps", self._walk
        yield "presenting, leaving", lambda: window.presenter and window.presenter.close()

    def _cover(self) -> None:
        self._do("cover")
        self._click("panel_weights_1")
        self._do("cover")
        self.window.covers.reveal()

    def _walk(self) -> None:
        presenter = self.window.presenter
        assert presenter is not None
        for _step in range(len(presenter.steps)):
            QTest.keyClick(presenter, Qt.Key.Key_Space)
            wait(200)
        for key in (Qt.Key.Key_Down, Qt.Key.Key_C, Qt.Key.Key_P, Qt.Key.Key_P):
            QTest.keyClick(presenter, key)
            wait(200)

    # ---- files ----

    def _exporting(self) -> Iterator[tuple[str, Callable[[], object]]]:
        exports, ask_picture = self.window.exports, self.window.exports.ask_picture
        for suffix in (".png", ".svg", ".pdf"):
            exports.ask_file = _answer(self._folder / f"picture{suffix}")
            exports.ask_picture = partial(_everything, suffix)
            yield f"picture of everything, {suffix}", exports.export_picture
        self._shown("panel_weights_1")
        yield "copying a picture", lambda: exports.copy_picture(self.panels["panel_weights_1"])
        yield "copying a table", lambda: exports.copy_table(self.panels["panel_q_1"])
        grid = self.window.inputs.grid("x")
        self.window.inputs.show_matrix("x")
        grid.setFocus()
        yield "choosing a grid", grid.selectAll
        yield "copying a grid", grid.copy
        yield "pasting into a grid", grid.paste
        for stages, suffix in ((("output",), ".csv"), (("weights",), ".npz"), (("weights",), ".safetensors")):
            exports.ask_file = _answer(self._folder / f"numbers{suffix}")
            exports.ask_numbers = _answer(NumbersWish(stages, suffix))
            yield f"numbers of {stages[0]}, {suffix}", exports.export_numbers
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setOutputFileName(str(self._folder / "printed.pdf"))
        exports.ask_printer = _answer(printer)
        yield "printing", exports.print_pipeline
        exports.ask_picture = ask_picture
        yield "asking for a picture", lambda: self._dialog(exports.export_picture)
        yield "asking for a worksheet", lambda: self._dialog(exports.worksheet)
        yield from self._sheets()

    def _sheets(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Of a scene that fits on paper, in two languages; the large one comes back after that."""
        exports, large = self.window.exports, self._folder / "large.attn.json"
        self.window.document.undo_stack.setClean()
        self.window.files.open(resources.path("scenes", "cat-sat-down.attn.json"))
        self.rest()
        exports.ask_file = lambda proposed: self._folder / proposed.name
        for code in LANGUAGES:
            for form in ("save_pdf", "print"):
                yield "a worksheet", partial(self._dialog, exports.worksheet, partial(_order, code, form))
        self.window.files.open(large)
        self.rest()

    def _dialog(
        self, ask: Callable[[], object], answer: Callable[[QDialog], object] = QDialog.reject
    ) -> None:
        """Open it, look at it, and answer it: as a rule, close it."""

        def close() -> None:
            dialog = QApplication.activeModalWidget()
            if isinstance(dialog, QDialog):
                answer(dialog)

        QTimer.singleShot(1500, close)
        ask()

    # ---- clothes ----

    def _dressing(self) -> Iterator[tuple[str, Callable[[], object]]]:
        for mode in ("dark", "contrast", "light"):
            yield "colours", partial(theme.set_mode, mode)
        yield "size of everything", lambda: self._do("larger")
        yield "size of everything", lambda: self._do("usual_size")
        yield "decimals", lambda: self._do("decimals_4")
        yield "decimals", lambda: self._do("decimals_2")
        yield "language", lambda: self._speak("zh_CN")
        yield "language", lambda: self._speak("en")
        yield "closing", self._close

    def _speak(self, code: str) -> None:
        self._do(f"language_{code}")
        until(lambda: not turns().busy)
        self._real.find_window()

    def _close(self) -> None:
        """While it computes."""
        document = self.window.document
        document.edit(document.scene.with_cell("x", 1, 1, 5.0), "Edit")
        wait(20)
        self._real.window.document.undo_stack.setClean()
        self._real.window.close()

    # ---- small things ----

    def _do(self, name: str) -> None:
        action = self.window.findChild(QAction, name)
        assert action is not None, name
        action.trigger()

    def _shown(self, name: str) -> Panel:
        self.window.pipeline.bring_into_view(name)
        return self.panels[name]


def _answer(value: Any) -> Callable[..., Any]:
    """To whatever is asked."""
    return lambda *_question: value


def _everything(suffix: str, subjects: Sequence[Subject], _chosen: int) -> Wish:
    """As sharp as the dialog lets one have it."""
    return Wish(0, suffix, Look(dpi=min(USUAL_DPI, most_dpi(subjects[0].picture.size))))


def _order(code: str, form: str, dialog: Any) -> None:
    """A worksheet in a language, in three versions, at once and in this form."""
    _choose_in(dialog.language, code)
    dialog.whole.setChecked(True)
    dialog.count.setValue(3)
    wait(500)
    dialog.findChild(QPushButton, form).click()


def _choose_in(box: ChoiceBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))


def _waits() -> bool:
    return QApplication.activeModalWidget() is not None


def _wheel(widget: QWidget, turn: int, modifiers: Qt.KeyboardModifier) -> None:
    at = QPointF(widget.rect().center())
    QApplication.sendEvent(
        widget,
        QWheelEvent(
            at, widget.mapToGlobal(at), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton, modifiers,
            Qt.ScrollPhase.NoScrollPhase, False,
        ),
    )  # fmt: skip


def _main() -> None:
    real = RealWindow()
    real.window.resize(*SIZE)
    with tempfile.TemporaryDirectory(prefix="attention-explorer-bench-") as folder:
        found = Hand(real, Path(folder), Pulse(), CASES[sys.argv[1]]).all()
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
