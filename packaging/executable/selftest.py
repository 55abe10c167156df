"""All that the program can do, done in one process without a screen: the executable runs it to prove itself whole.

`attention-explorer --selftest` prints a line per item; exit status 1 if one failed. Whatever is on a list of the
program (verbs, scenes, lessons, languages, stages, menu entries) is taken from there, so that nothing is forgotten.
"""

import contextlib
import io
import os
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

WAIT_S = 60.0  # for one computation, on a slow machine
ACCEPTED = (  # messages that are no fault of what was put together
    "This plugin does not support ",  # the platform without a screen, of each thing that needs one
    "path is deprecated. Use files",  # ziafont on Python 3.11 and 3.12
    "open_binary is deprecated. Use files",
)


def main() -> int:
    """Everything, in settings and folders of its own; with the argument `start`, only how long a start takes."""
    if sys.argv[2:] == ["start"]:
        return start()
    with tempfile.TemporaryDirectory(prefix="attention-explorer-", ignore_cleanup_errors=True) as folder:
        for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
            os.environ[f"XDG_{kind}_HOME"] = os.path.join(folder, kind.lower())
        if os.name == "posix" and sys.platform != "darwin":
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
        os.environ["LC_ALL"] = "C.UTF-8"
        report = Report()
        work = Path(folder, "work")
        work.mkdir()
        command_line(report, work)
        libraries(report)
        Windows(report, work).run()
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


def start() -> int:
    """Print time.monotonic(), which all processes share, when the window is painted and when its numbers are."""
    from PySide6.QtCore import QCoreApplication

    from explorer.app import application, open_window

    app = application()
    window = open_window()
    QCoreApplication.processEvents()
    print(time.monotonic(), flush=True)

    def first_numbers(*_trace: object) -> None:
        QCoreApplication.processEvents()
        print(time.monotonic(), flush=True)
        window.close()

    window.engine.finished.connect(first_numbers)
    return app.exec()


class Report:
    """Counts and prints. An item fails by an exception, wherever it is raised, and by a warning of Python or Qt."""

    def __init__(self) -> None:
        self.passed = self.failed = 0
        self.said: list[str] = []
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_place: self.said.append(str(message))

    @contextlib.contextmanager
    def item(self, name: str) -> Iterator[None]:
        """One thing to try."""
        self.said.clear()
        hook, sys.excepthook = sys.excepthook, self._on_exception  # of slots
        try:
            yield
        except (Exception, SystemExit):
            self.said.append(traceback.format_exc())
        finally:
            sys.excepthook = hook
        said = [text for text in self.said if not any(known in text for known in ACCEPTED)]
        self.passed, self.failed = self.passed + (not said), self.failed + bool(said)
        print(f"{'FAILED' if said else 'ok':7}{name}", *said, sep="\n" if said else "", flush=True)

    def _on_exception(self, *error: Any) -> None:
        self.said.append("".join(traceback.format_exception(*error)))


# ---- without a window ----


def command_line(report: Report, work: Path) -> None:
    """Every verb: its help, and those that are known here with real arguments."""
    from explorer import cli, resources
    from explorer.files import traces
    from explorer.ui import picture

    scene = str(resources.path("scenes", "translation.attn.json"))
    everything = [str(path) for path in sorted(resources.path("scenes").glob("*.attn.json"))]
    explain = ["explain", scene, "--stage", "weights", "--row", "1", "--col", "1"]
    trace = ["trace", scene, "--stage", "weights", "-o"]
    calls: list[tuple[int, list[str]]] = [(0, [*filter(None, [verb]), "--help"]) for verb in cli.VERBS]
    calls += [
        (0, ["--version"]),
        (0, ["trace", *everything, "-o", f"{work}/"]),
        *((0, [*trace, str(work / f"t{suffix}")]) for suffix in traces.SUFFIXES),
        *((0, ["render", scene, "-o", str(work / f"p{suffix}")]) for suffix in picture.SUFFIXES),
        (0, ["render", scene, "--stage", "weights", "--head", "1", "-o", str(work / "w.png"), "--dark"]),
        (0, explain),
        (0, ["lessons", "--lang", "en"]),
        (0, ["lessons", "--lang", "zh"]),
        (2, ["trace", str(work / "none.attn.json"), "-o", str(work / "none.npz")]),
        (2, ["import", str(work / "none"), "--layer", "0", "-o", str(work / "none.attn.json")]),
    ]
    for verb, more in (("code", []), ("worksheet", ["-o", str(work / "sheet.pdf")])):
        if verb in cli.VERBS:
            calls.append((0, [verb, scene, *more]))
    for status, arguments in calls:
        with report.item("attention-explorer " + " ".join(arguments).replace(str(work), "…")):
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    got = cli.main(arguments)
                except SystemExit as ended:  # how argparse leaves after --help
                    got = int(ended.code or 0)
            assert got == status, f"exit status {got}, expected {status}\n{err.getvalue()}"
            assert (status == 0) == (err.getvalue() == ""), err.getvalue()


def libraries(report: Report) -> None:
    """What torch, and the typesetter, are used for."""
    from explorer import attention, resources
    from explorer.attention.trace import STAGE, Cell
    from explorer.files.session import load

    scene = load(resources.path("scenes", "translation.attn.json"))
    with report.item("agreement with torch"):
        from explorer.attention.agreement import agreement

        agreement(scene, attention.attend(scene))
    for dtype in ("float64", "float32", "bfloat16", "float16"):
        with report.item(f"attention in {dtype}"):
            attention.attend(scene.replace(dtype=dtype))
    for stage in STAGE:
        with report.item(f"gradient of {stage}"):
            from explorer.attention.gradients import gradient

            gradient(scene, Cell(stage, None if STAGE[stage].per == "scene" else 0, 0, 0))
    with report.item("the FLOP counter"):
        import torch
        from torch.utils.flop_counter import FlopCounterMode

        with FlopCounterMode(display=False) as counter:
            _ = torch.ones(2, 3) @ torch.ones(3, 4)
        assert counter.get_total_flops() == 2 * 2 * 3 * 4
    with report.item("typesetting"):
        from PySide6.QtWidgets import QApplication

        from explorer.app import application

        assert isinstance(application(), QApplication)
        ziamath = import_module("ziamath")
        assert "<path" in ziamath.Latex(r"\frac{q k^{\top}}{\sqrt{d_k}}").svg()


# ---- in the window ----


class Windows:
    """The program's window: every scene, lesson and menu entry, in every language."""

    def __init__(self, report: Report, work: Path) -> None:
        from PySide6.QtCore import Qt, QTimer, qInstallMessageHandler
        from PySide6.QtWidgets import QApplication

        from explorer.app import application, open_window

        QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        self.app = application()
        self.app.setQuitOnLastWindowClosed(False)
        qInstallMessageHandler(lambda _kind, _where, text: report.said.append(text))
        self.report, self.work = report, work
        self.open_window = open_window
        self.answers = 0
        self.answering = QTimer(interval=50)
        self.answering.timeout.connect(self._answer)

    def run(self) -> None:
        """All of it."""
        from PySide6.QtWidgets import QDialogButtonBox

        from explorer import resources
        from explorer.lessons.builtin import LESSONS
        from explorer.ui import language

        self.answering.start()
        for scene in sorted(resources.path("scenes").glob("*.attn.json")):
            with self.report.item(f"open {scene.name}"):
                self._fresh(scene)
        for lesson in LESSONS:
            with self.report.item(f"lesson {lesson}"):
                window = self._fresh()
                window.lessons.open(lesson)
                self._rest(window)
                assert window.lessons.session is not None
        for code, name in language.LANGUAGES.items():
            with self.report.item(f"language {name}"):
                language.speak(code)
                window = self._fresh()
                said = {action.text() for action in window.menuBar().actions()}
                assert ("文件(&F)" in said) == (code == "zh_CN") or code not in ("en", "zh_CN"), said
                box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
                cancel = box.buttons()[0].text()
                assert ("取消" in cancel) == (code == "zh_CN"), f"Qt's own texts: {cancel}"
            for path in self._entries():
                with self.report.item("menu " + " ▸ ".join(path)):
                    language.speak(code)  # an entry may have chosen another one
                    self._trigger(path)
        language.speak("en")
        self._fresh().close()
        self.answering.stop()

    def _fresh(self, scene: Path | None = None):  # type: ignore[no-untyped-def]
        """A window as after a start; those that were there are gone."""
        from PySide6.QtCore import QCoreApplication, QEvent, QSettings

        from explorer.ui.files import Answer
        from explorer.ui.main_window import MainWindow
        from explorer.ui.preferences import preferences
        from explorer.ui.turns import turns

        for widget in self.app.topLevelWidgets():
            if isinstance(widget, MainWindow):
                widget.files.ask_discard = lambda: Answer.DISCARD
            widget.close()
        self._until(lambda: not turns().busy)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QSettings().clear()
        preferences().forget()
        window = self.open_window(scene)
        window.files.ask_discard = lambda: Answer.DISCARD
        self._rest(window)
        return window

    def _rest(self, window) -> None:  # type: ignore[no-untyped-def]
        """Until the scene is computed and shown."""
        from shiboken6 import isValid

        from explorer.ui.turns import turns

        self._until(lambda: not turns().busy)  # another language has another window made
        self._until(
            lambda: not isValid(window) or (window.engine.trace is not None and not window.engine.busy)
        )
        for _round in range(3):
            self.app.processEvents()

    def _until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WAIT_S
        while not reached():
            self.app.processEvents()
            time.sleep(0.005)
            assert time.monotonic() < deadline, "nothing happened"

    def _entries(self) -> list[tuple[str, ...]]:
        """The menu entries of a fresh window, as the texts that lead to them."""
        return [path for path, _action in self._actions(self._fresh().menuBar())]

    def _actions(self, menu, above: tuple[str, ...] = ()) -> Iterator:  # type: ignore[no-untyped-def, type-arg]
        for action in menu.actions():
            path = (*above, action.text())
            if action.menu() is not None:
                action.menu().aboutToShow.emit()
                yield from self._actions(action.menu(), path)
            elif not action.isSeparator():
                yield path, action

    def _trigger(self, path: tuple[str, ...]) -> None:
        """One entry, in a window of its own; what it opens is answered (saving goes to a file) and closed."""
        window = self._fresh()
        found = [action for place, action in self._actions(window.menuBar()) if place == path]
        assert found, "the entry is gone"
        if found[0].isEnabled():
            found[0].trigger()
            self._rest(window)

    def _answer(self) -> None:
        """Say yes to whatever asks: a file dialog gets a file, anything else is accepted."""
        from PySide6.QtPrintSupport import QPrintDialog
        from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMenu

        from explorer import resources

        popup = self.app.activePopupWidget()
        if isinstance(popup, QMenu):
            popup.close()
        dialog = self.app.activeModalWidget()
        if isinstance(dialog, QFileDialog):
            if dialog.acceptMode() == QFileDialog.AcceptMode.AcceptOpen:
                lesson = any("toml" in each for each in dialog.nameFilters())
                inside = ("lessons", "heads.toml") if lesson else ("scenes", "order.attn.json")
                dialog.selectFile(str(resources.path(*inside)))
            else:
                self.answers += 1
                suffix = dialog.defaultSuffix() or "".join(Path(*dialog.selectedFiles()[:1]).suffixes[-2:])
                dialog.selectFile(str(self.work / f"saved-{self.answers}.{suffix.lstrip('.')}"))
            dialog.done(QDialog.DialogCode.Accepted)
        elif isinstance(dialog, QDialog):
            if isinstance(dialog, QPrintDialog):  # there is no printer here, so it asks for a file
                for line in dialog.findChildren(QLineEdit, "filename"):
                    line.setText(str(self.work / "printed.pdf"))
            dialog.accept()
