"""A file that another program changes, deletes or puts out of reach: noticed, said, and nothing is lost."""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from explorer.files.session import load, save
from explorer.scene import Scene
from explorer.ui import saving
from explorer.ui.files import Overwrite
from explorer.ui.main_window import MainWindow

CHANGED = "mine.attn.json was changed by another program."
Opener = Callable[..., MainWindow]


@pytest.fixture
def path(tmp_path: Path, qapp: object) -> Path:
    from explorer.ui.actions import first_scene

    (tmp_path / "there").mkdir()
    return Path(shutil.copy(first_scene(), tmp_path / "there" / "mine.attn.json"))


@pytest.fixture
def window(open_it: Opener, path: Path) -> MainWindow:
    window = open_it(path)
    window.files.ask_overwrite = lambda path: pytest.fail("nothing was to be asked")
    window.file_news.watch._timer.setInterval(10)
    return window


def typed(window: MainWindow, value: float) -> Scene:
    window.document.edit(window.document.scene.with_cell("x", 0, 0, value), f"to {value}")
    return window.document.scene


def elsewhere(path: Path, value: float) -> Scene:
    """Another program writes another x[1,1], in place."""
    scene = load(path).with_cell("x", 0, 0, value)
    draft = path.with_name("draft")
    save(scene, draft)
    path.write_bytes(draft.read_bytes())
    draft.unlink()
    return scene


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Everything that the system reports until now has been looked at."""
    marker = window.document.path.with_name("marker")
    with qtbot.waitSignal(window.file_news.watch._watcher.directoryChanged):
        marker.touch()
    qtbot.waitUntil(lambda: not window.file_news.watch._timer.isActive())


# ---- noticed ----


@pytest.mark.parametrize("way", ["in place", "replaced", "deleted and made anew"])
def test_a_change_by_another_program_is_noticed(
    qtbot: QtBot, window: MainWindow, path: Path, way: str
) -> None:
    mine = typed(window, 5)
    if way == "in place":
        elsewhere(path, 7)
    elif way == "replaced":
        save(load(path).with_cell("x", 0, 0, 7.0), path)
    else:
        content = path.read_bytes().replace(b"1", b"7")
        path.unlink()
        path.write_bytes(content)
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    assert window.document.scene is mine and window.document.modified


@pytest.mark.parametrize("way", ["in place", "replaced"])
def test_tables_beside_the_session_are_watched_too(
    qtbot: QtBot, window: MainWindow, path: Path, way: str
) -> None:
    rows = np.random.default_rng(0).normal(size=(1001, 1000))  # more than JSON takes
    weights = np.eye(1000, 2)
    window.document.edit(Scene(x=rows, w_q=weights, w_k=weights, w_v=weights), "large")
    assert window.files.save()
    settle(qtbot, window)
    assert window.banner.text == ""  # our own
    beside = path.with_name("mine.safetensors")
    content = bytearray(beside.read_bytes())
    content[-1] ^= 1
    draft = path.with_name("draft")
    draft.write_bytes(content)
    if way == "replaced":
        draft.replace(beside)
    else:
        beside.write_bytes(content)
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    assert window.document.scene.x[0, 0] == rows[0, 0] and np.array_equal(window.document.scene.x, rows)


def test_it_is_noticed_again_and_again(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    for value in (7.0, 8.0, 9.0):
        save(load(path).with_cell("x", 0, 0, value), path)
        qtbot.waitUntil(lambda: window.banner.text == CHANGED)
        window.banner._close.click()
        assert window.banner.text == ""


def test_our_own_saves_are_no_news(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    for value in range(5):
        typed(window, value)
        assert window.files.save()
        settle(qtbot, window)
    path.write_bytes(path.read_bytes())  # nor is the same again
    os.utime(path, (1, 1))
    settle(qtbot, window)
    assert window.banner.text == "" and not window.document.modified


def test_back_as_it_was_there_is_nothing_to_ask(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    before = path.read_bytes()
    elsewhere(path, 7)
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    path.write_bytes(before)
    qtbot.waitUntil(lambda: window.banner.text == "")


def test_another_file_is_watched_then(qtbot: QtBot, window: MainWindow, path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.attn.json"
    window.files.ask_save = lambda start: other
    assert window.files.save_as()
    elsewhere(path, 7)
    elsewhere(other, 8)
    qtbot.waitUntil(lambda: window.banner.text == "other.attn.json was changed by another program.")


def test_a_change_during_a_lesson_is_noticed_after_it(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    window.lessons.open("by-hand")
    elsewhere(path, 7)
    assert not window.file_news.watch._watcher.files()
    window.lessons.play.close()
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)


def test_a_change_waits_behind_another_word(
    qtbot: QtBot, window: MainWindow, path: Path, tmp_path: Path
) -> None:
    elsewhere(path, 7)
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    assert not window.files.open(tmp_path / "none.attn.json")
    assert window.banner.text.startswith("none.attn.json")
    window.banner._close.click()
    assert window.banner.text == CHANGED


# ---- answered ----


def test_reload_is_an_undo_step(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    mine = typed(window, 5)
    theirs = elsewhere(path, 7)
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    assert (window.banner._action.text(), window.banner._other.text()) == ("Reload", "Keep mine")
    window.banner._action.click()
    assert window.document.scene.x.tolist() == theirs.x.tolist()
    assert not window.document.modified and window.banner.text == ""
    assert window.files.save()  # nothing is asked
    window.document.undo()
    assert window.document.scene is mine and window.document.modified


def test_keep_mine_saves_over_it_without_asking_again(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    elsewhere(path, 7)
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    window.banner._other.click()
    assert window.document.modified  # the file holds something else
    settle(qtbot, window)
    assert window.banner.text == ""
    assert window.files.save() and load(path).x[0, 0] == 1


@pytest.mark.parametrize("answer", list(Overwrite))
def test_saving_over_a_changed_file_asks(
    qtbot: QtBot, window: MainWindow, path: Path, tmp_path: Path, answer: Overwrite
) -> None:
    asked: list[Path] = []
    window.files.ask_overwrite = lambda path: (asked.append(path), answer)[1]
    window.files.ask_save = lambda start: tmp_path / "other.attn.json"
    window.file_news.watch._timer.setInterval(10**6)  # even before it was noticed
    typed(window, 5)
    elsewhere(path, 7)
    assert window.files.save() is (answer is not Overwrite.CANCEL)
    assert asked == [path]
    assert load(path).x[0, 0] == (5 if answer is Overwrite.REPLACE else 7)
    assert window.document.modified is (answer is Overwrite.CANCEL)
    if answer is Overwrite.ELSEWHERE:
        assert window.document.path == tmp_path / "other.attn.json"
        assert load(tmp_path / "other.attn.json").x[0, 0] == 5


def test_reloading_a_torn_file_keeps_the_work(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    mine = typed(window, 5)
    path.write_text('{"format": "attention-explorer/1"')
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    window.banner._action.click()
    assert window.banner.text.startswith("mine.attn.json: it is not JSON: line 1")
    assert window.document.scene is mine and window.document.modified


@pytest.mark.parametrize("way", ["torn", "its tables cut", "its tables deleted"])
def test_what_only_the_window_holds_counts_as_unsaved(
    qtbot: QtBot, window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Nothing was typed since the file was saved; but what another program has left of it is not whole."""
    monkeypatch.setattr("explorer.files.session.MAX_NUMBERS", 1000)
    mine = window.document.scene.replace(x=np.ones((600, 2)), tokens=())
    window.document.edit(mine, "large")
    assert window.files.save() and not window.document.modified
    settle(qtbot, window)
    beside = path.with_name("mine.safetensors")
    if way == "torn":
        path.write_text('{"format": "attention-explorer/1"')
    elif way == "its tables cut":
        os.truncate(beside, 400)
    else:
        beside.unlink()
    qtbot.waitUntil(lambda: window.banner.text == CHANGED)
    assert window.document.modified is (way == "its tables deleted")
    window.banner._action.click()
    assert window.banner.text.startswith("mine.attn.json: ") and window.banner.text != CHANGED
    assert window.document.scene is mine and window.document.modified
    window.banner._close.click()
    assert window.banner.text == CHANGED  # it is still true
    window.banner._other.click()
    assert window.files.save() and window.banner.text == ""
    assert np.array_equal(load(path).x, mine.x)


# ---- out of reach ----


def test_a_deleted_file_is_told_and_saved_anew(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    path.unlink()
    sentence = "mine.attn.json is no longer there. The scene stays in this window; Save writes it anew."
    qtbot.waitUntil(lambda: window.banner.text == sentence)
    assert window.document.modified
    assert window.files.save() and load(path).x.shape == (2, 2)
    qtbot.waitUntil(lambda: window.banner.text == "")


def test_a_vanished_folder(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    mine = typed(window, 5)
    shutil.rmtree(path.parent)
    qtbot.waitUntil(lambda: "no longer there" in window.banner.text)
    assert not window.files.save()
    assert window.banner.text == "mine.attn.json: it cannot be saved: there is no such file or folder."
    assert window.document.scene is mine and window.document.modified
    path.parent.mkdir()
    assert window.files.save() and load(path).x[0, 0] == 5


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KB."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root of a Linux can make a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("mounting is not allowed here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(qtbot: QtBot, open_it: Opener, path: Path, disk: Path) -> None:
    there = Path(shutil.copy(path, disk))
    window = open_it(there)
    before = there.read_bytes()
    mine = typed(window, 5)
    (disk / "filler").write_bytes(bytes(56 * 1024))
    with pytest.raises(OSError, match="No space"):
        (disk / "more").write_bytes(bytes(64 * 1024))
    assert not window.files.save()
    assert window.banner.text == "mine.attn.json: it cannot be saved: the disk is full."
    assert window.document.scene is mine and window.document.modified
    assert there.read_bytes() == before and not [p for p in disk.iterdir() if p.name.startswith(".")]
    for name in ("filler", "more"):
        (disk / name).unlink()
    assert window.files.save() and load(there).x[0, 0] == 5
    window.document.open(mine)


def test_a_full_disk_for_tables_beside(
    qtbot: QtBot, open_it: Opener, path: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer.files import session

    monkeypatch.setattr(session, "MAX_NUMBERS", 1)
    monkeypatch.setattr(session, "SMALL", 1)
    window = open_it(path)
    window.files.ask_save = lambda start: disk / "mine.attn.json"
    (disk / "filler").write_bytes(bytes(60 * 1024))
    assert not window.files.save_as()
    assert window.banner.text == "mine.attn.json: it cannot be saved: the disk is full."
    assert sorted(p.name for p in disk.iterdir()) == ["filler"]
    assert window.document.path == path


def test_a_read_only_disk(qtbot: QtBot, open_it: Opener, path: Path, disk: Path) -> None:
    there = Path(shutil.copy(path, disk))
    window = open_it(there)
    mine = typed(window, 5)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    assert not window.files.save()
    assert window.banner.text == "mine.attn.json: it cannot be saved: the disk is read-only."
    assert window.document.scene is mine and window.document.modified
    window.document.open(mine)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    typed(window, 5)
    path.parent.chmod(0o500)
    assert not window.files.save()
    path.parent.chmod(0o700)
    assert window.banner.text == "mine.attn.json: it cannot be saved: permission is denied."
    assert window.document.modified


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users of POSIX")
def test_a_locked_folder_is_told(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Path.exists raises there, and Path.is_file; also for root, whom nothing is locked to."""
    locked, stat = path.parent / "locked", os.stat

    def refusing(file: object, *more: object, **others: object) -> os.stat_result:
        if str(locked) in str(file):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        return stat(file, *more, **others)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "stat", refusing)
    QSettings().setValue("files/recent", [str(locked / "a.attn.json"), str(path)])
    scene = window.document.scene
    assert not window.files.open(locked / "a.attn.json", ask=False)
    assert window.banner.text == "a.attn.json: it cannot be read: permission is denied."
    assert window.document.scene is scene and window.files.recent == [path]
    QSettings().setValue(saving.FOLDER, str(locked))
    assert saving.start("a.png", path) == path.parent / "a.png"
