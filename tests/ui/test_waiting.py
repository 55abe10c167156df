"""Reading and writing beside the window's thread: the window stays alive, nothing is lost, and one may give up."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

from explorer.files import session
from explorer.files.session import load
from explorer.patience import CancelledError
from explorer.ui import files, waiting
from explorer.ui.main_window import MainWindow
from explorer.ui.waiting import AT_WORK, start_threads, wait_for


def scene_of(window: MainWindow, value: float):
    return window.document.scene.with_cell("x", 0, 0, value)


class Gate:
    """Saves as the program does, once it is let through; notes in which thread."""

    def __init__(self, do: Callable[..., object]) -> None:
        self.open, self.reached = threading.Event(), threading.Event()
        self.thread: threading.Thread | None = None
        self._do = do

    def __call__(self, scene, path, going_on):
        self.thread = threading.current_thread()
        self.reached.set()
        while not self.open.wait(0.005):
            going_on()
        return self._do(scene, path, going_on)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    found = Gate(session.save)
    monkeypatch.setattr(files, "save", found)
    return found


def test_the_window_lives_while_a_scene_is_saved(window: MainWindow, gate: Gate, tmp_path: Path) -> None:
    path = tmp_path / "one.attn.json"
    window.document.edit(scene_of(window, 7), "Edit")
    window.files.ask_save = lambda _start: path
    beats = []

    def beat() -> None:
        beats.append(path.exists())
        if len(beats) == 5:
            gate.open.set()

    timer = QTimer(interval=1)
    timer.timeout.connect(beat)
    timer.start()
    assert window.files.save()
    timer.stop()
    assert len(beats) >= 5 and not any(beats[:5])
    assert gate.thread is not threading.main_thread()
    assert load(path).x[0, 0] == 7 and not window.document.modified


def test_what_takes_long_says_so_and_can_be_cancelled(
    qtbot: QtBot, window: MainWindow, gate: Gate, tmp_path: Path
) -> None:
    path = tmp_path / "one.attn.json"
    window.document.edit(scene_of(window, 7), "Edit")
    window.files.ask_save = lambda _start: path
    said = []

    def cancel() -> None:
        dialog = window.findChild(QProgressDialog, "waiting")
        if dialog is not None and dialog.isVisible():
            said.append(dialog.labelText())
            dialog.findChild(QPushButton).click()

    timer = QTimer(interval=20)
    timer.timeout.connect(cancel)
    timer.start()
    assert not window.files.save()
    timer.stop()
    qtbot.waitUntil(window.isActiveWindow)  # it has the keyboard again
    assert said[0] == "Saving one.attn.json …"
    assert not path.exists() and window.document.modified and not list(tmp_path.iterdir())


def test_a_window_that_is_closed_meanwhile_waits(
    qtbot: QtBot, window: MainWindow, gate: Gate, tmp_path: Path
) -> None:
    path = tmp_path / "one.attn.json"
    window.document.edit(scene_of(window, 7), "Edit")
    window.files.ask_save = lambda _start: path
    open_after = []

    def close() -> None:
        window.close()
        open_after.append(window.isVisible())
        gate.open.set()

    closed = []
    window.closed.connect(lambda: closed.append(load(path).x[0, 0]))
    QTimer.singleShot(60, close)
    assert window.files.save()
    assert open_after == [True] and closed == []
    qtbot.waitUntil(lambda: bool(closed))
    assert closed == [7]


def test_nothing_is_done_to_a_scene_that_is_being_saved(
    qtbot: QtBot, window: MainWindow, gate: Gate, tmp_path: Path
) -> None:
    window.files.ask_save = lambda _start: tmp_path / "one.attn.json"
    window.document.edit(scene_of(window, 7), "Edit")
    grid = window.inputs.grid("x")
    grid.setFocus()
    grid.select_cell(0, 0)
    panel = window.pipeline.panels["panel_weights_1"]
    native = window.windowHandle()
    clicked = []
    panel.cell_clicked.connect(clicked.append)

    def act() -> None:
        QTest.keyClick(native, Qt.Key.Key_5)
        QTest.keyClick(native, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        at = panel.mapTo(window, panel.cell_rect(0, 0).center())
        QTest.mouseClick(native, Qt.MouseButton.LeftButton, pos=at)
        gate.open.set()

    QTimer.singleShot(60, act)
    assert window.files.save()
    assert grid.editor() is None and window.document.scene.x[0, 0] == 7 and clicked == []
    QTest.keyClick(native, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)  # now it is
    assert window.document.scene.x[0, 0] != 7


def test_what_is_done_at_once_needs_no_dialog(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "AT_ONCE_S", 60)  # a busy machine may begin late
    assert wait_for(window, "Adding", lambda _going_on: 1 + 1) == 2
    assert window.findChild(QProgressDialog, "waiting") is None


def test_what_a_task_raises_is_raised(window: MainWindow) -> None:
    def fail(_going_on: Callable[[], None]) -> None:
        raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        wait_for(window, "Failing", fail)


def test_a_cancelled_save_leaves_the_old_file_and_no_draft(tmp_path: Path, window: MainWindow) -> None:
    path = tmp_path / "large.attn.json"
    large = window.document.scene.replace(x=np.ones((2, 2)), notes="old")
    session.save(large, path)
    before = path.read_bytes()
    wide = np.ones((1100, 1100))
    calls = []

    def going_on() -> None:
        calls.append(None)
        raise CancelledError

    scene = session.Scene(x=np.ones((2, 1100)), w_q=wide, w_k=wide, w_v=wide)
    with pytest.raises(CancelledError):
        session.save(scene, path, going_on)
    assert calls == [None] and path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("rows", [2, 2**19])
def test_a_change_of_many_numbers_is_made_in_another_thread(window: MainWindow, rows: int) -> None:
    scene = window.document.scene
    scene = scene.replace(x=np.broadcast_to(scene.x[0], (rows, 2)), tokens=())
    threads = []

    def renamed(old: session.Scene) -> session.Scene:
        threads.append(threading.current_thread())
        return old.replace(title="another")

    new = waiting.changed(scene, renamed, "Rename", window.files.beside)
    assert new.title == "another" and new.x is scene.x
    assert (threads == [threading.main_thread()]) == (rows == 2)


def test_threads_are_there_before_there_is_work(qapp: QApplication) -> None:
    before = set(threading.enumerate())
    start_threads()
    assert len(set(threading.enumerate()) - before) == AT_WORK
