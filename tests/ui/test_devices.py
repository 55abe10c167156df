"""Where large scenes are computed: chosen in the View menu, remembered, and said below the window."""

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from explorer import engine
from explorer.attention.cost import CPU, DEVICE_NAMES
from explorer.files.session import save
from explorer.ui.main_window import MainWindow
from explorer.ui.preferences import preferences
from tests.attention.large_scenes import scene_of
from tests.ui.conftest import Opener


def choices(window: MainWindow) -> dict[str, QAction]:
    return {action.objectName(): action for action in window.actions_._devices.actions()}


def test_the_menu_offers_what_torch_sees(
    open_it: Opener, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, go = engine._devices, threading.Event()
    monkeypatch.setattr(engine, "_devices", lambda: go.wait(60) and ask())
    window = open_it(None)
    assert list(choices(window)) == ["device_cpu", ""]  # torch has not been asked
    go.set()
    qtbot.waitUntil(lambda: window.engine.devices is not None)
    found = choices(window)
    assert found["device_cpu"].isChecked()
    offered = [name.removeprefix("device_") for name in found if name]
    assert offered == [CPU, *window.engine.devices]
    if not window.engine.devices:
        assert not found[""].isEnabled()
        assert found[""].text() == "torch sees neither CUDA nor MPS on this computer"


def test_a_chosen_device_that_is_not_there_is_told(open_it: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    """As with settings from another computer: the numbers come, and below the window it says from where."""
    save(scene_of(1100, heads=1, width=4), tmp_path / "large.attn.json")
    preferences().device = "cuda"
    window = open_it(tmp_path / "large.attn.json")
    qtbot.waitUntil(lambda: window.engine.trace is not None and not window.engine.busy)
    if "cuda" in (window.engine.devices or ()):
        pytest.skip("here it is there")
    said = " ".join(label.text() for label in window.statusBar().findChildren(QLabel))
    assert "torch sees no CUDA here, so large scenes are computed on the processor" in said
    assert window.engine.device == "cuda" and window.engine.trace.large.device == CPU
    window.actions_._compute_on(CPU)
    assert preferences().device == CPU and window.engine.device == CPU
    qtbot.waitUntil(lambda: not window.engine.busy)
    said = " ".join(label.text() for label in window.statusBar().findChildren(QLabel))
    assert "CUDA" not in said


def test_a_small_scene_says_nothing_of_it(open_it: Opener, qtbot: QtBot) -> None:
    preferences().device = "cuda"
    window = open_it(None)
    qtbot.waitUntil(lambda: not window.engine.busy)
    said = " ".join(label.text() for label in window.statusBar().findChildren(QLabel))
    assert "CUDA" not in said


@pytest.mark.parametrize("name", [*DEVICE_NAMES, CPU])
def test_the_choice_is_remembered(name: str) -> None:
    preferences().device = name
    preferences().forget()
    assert preferences().device == name


def test_a_name_from_a_damaged_file_is_the_processor() -> None:
    preferences()._set("device", "toaster")
    preferences().forget()
    assert preferences().device == CPU
