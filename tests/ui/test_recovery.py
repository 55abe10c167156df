"""Unsaved work is on disk soon after each edit, gone when it is saved or given up, and offered after a crash."""

import errno
import itertools
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from explorer.document import Document
from explorer.files.recovery import Keeper, Leftover, leftovers
from explorer.files.session import load, save
from explorer.scene import Scene
from explorer.ui.actions import first_scene
from explorer.ui.files import Answer
from explorer.ui.leftovers import Leftovers, LeftoversDialog
from explorer.ui.main_window import MainWindow
from explorer.ui.recovery import DELAY_MS, Recovery, claim_all, usual_folder
from tests.ui.language_helpers import in_another_language, remade

Opener = Callable[..., MainWindow]


@pytest.fixture(autouse=True)
def folder(qapp: QApplication) -> Iterator[Path]:
    """Empty before; whatever a test leaves there is taken away."""
    folder = usual_folder()
    yield folder
    for path in folder.glob("*"):
        path.unlink()


def kept() -> Scene | None:
    """What another process would find now."""
    found = leftovers(usual_folder())
    return load(found[0].path) if found else None


def is_kept(window: MainWindow, scene: Scene) -> bool:
    path = recovery(window).path
    return path.exists() and np.array_equal(load(path).x, scene.x)


def recovery(window: MainWindow) -> Recovery:
    found = window.document.findChild(Recovery)
    assert found is not None
    return found


def typed(window: MainWindow, value: float) -> Scene:
    window.document.edit(window.document.scene.with_cell("x", 0, 0, value), f"to {value}")
    return window.document.scene


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*"))


# ---- kept ----


def test_an_edit_is_kept_within_a_second(qtbot: QtBot, open_it: Opener, folder: Path) -> None:
    window = open_it()
    assert names(folder) == []
    for value in (5, 6):
        scene = typed(window, value)
        timer = recovery(window)._timer
        assert timer.isActive() and timer.interval() == DELAY_MS <= 500
        qtbot.waitUntil(lambda scene=scene: is_kept(window, scene) and not recovery(window).busy)
    found = leftovers(folder)
    assert len(found) == 1 and found[0].owner is not None and found[0].owner.pid == os.getpid()
    assert found[0].origin is None


def test_typing_on_and_on_is_kept_all_the_while(qtbot: QtBot, open_it: Opener) -> None:
    """Not only once the typing rests."""
    window = open_it()
    values, seen = itertools.count(), set()

    def typed_on() -> bool:
        """Called every 10 ms."""
        typed(window, next(values))
        if (scene := kept()) is not None:
            seen.add(scene.x[0, 0])
        return len(seen) > 2

    qtbot.waitUntil(typed_on, timeout=60_000)


def test_saving_and_undoing_leave_nothing(
    qtbot: QtBot, open_it: Opener, folder: Path, tmp_path: Path
) -> None:
    window = open_it()
    scene = typed(window, 5)
    qtbot.waitUntil(lambda: is_kept(window, scene))
    window.files.ask_save = lambda start: tmp_path / "a.attn.json"
    assert window.files.save()
    qtbot.waitUntil(lambda: not recovery(window).busy and kept() is None)
    scene = typed(window, 6)
    qtbot.waitUntil(lambda: is_kept(window, scene))
    (found,) = leftovers(folder)
    assert found.origin == tmp_path / "a.attn.json" and found.stamp == window.document.stamp
    window.document.undo()
    qtbot.waitUntil(lambda: not recovery(window).busy and kept() is None)


@pytest.mark.parametrize("answer", [Answer.DISCARD, Answer.SAVE, Answer.CANCEL])
def test_closing_leaves_nothing(
    qtbot: QtBot, open_it: Opener, folder: Path, tmp_path: Path, answer: Answer
) -> None:
    window = open_it()
    scene = typed(window, 5)
    qtbot.waitUntil(lambda: is_kept(window, scene))
    typed(window, 6)  # on its way
    window.files.ask_discard = lambda: answer
    window.files.ask_save = lambda start: tmp_path / "a.attn.json"
    closes = window.close()
    assert closes is (answer is not Answer.CANCEL)
    if closes:
        assert names(folder) == []
    else:
        assert kept() is not None


def test_the_own_scene_is_kept_while_a_lesson_runs(qtbot: QtBot, open_it: Opener) -> None:
    window = open_it()
    scene = typed(window, 5)
    window.lessons.open("by-hand")  # before anything was written
    qtbot.waitUntil(lambda: is_kept(window, scene))
    window.document.edit(window.document.scene.with_cell("x", 0, 0, 7.0), "in the lesson")
    window.lessons.play.close()
    assert window.document.scene is scene
    qtbot.waitUntil(lambda: not recovery(window).busy)
    assert is_kept(window, scene)


def test_another_language_goes_on_keeping(qtbot: QtBot, open_it: Opener, folder: Path) -> None:
    window = open_it()
    scene = typed(window, 5)
    qtbot.waitUntil(lambda: is_kept(window, scene))
    new = in_another_language(window, "zh_CN")
    scene = typed(new, 6)
    qtbot.waitUntil(lambda: is_kept(new, scene))
    assert len(leftovers(folder)) == 1
    new.files.ask_discard = lambda: Answer.DISCARD
    new.close()
    assert names(folder) == []


def test_several_windows_keep_their_own(qtbot: QtBot, open_it: Opener, folder: Path) -> None:
    one, two = open_it(), open_it()
    scenes = [typed(one, 5), typed(two, 6)]
    qtbot.waitUntil(lambda: is_kept(one, scenes[0]) and is_kept(two, scenes[1]))
    one.close()
    assert len(leftovers(folder)) == 1 and is_kept(two, scenes[1])


def test_what_cannot_be_kept_is_said_once_and_tried_again(
    qtbot: QtBot, open_it: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        folder.rmdir()
    folder.write_text("in the way")
    monkeypatch.setattr("explorer.ui.recovery.RETRY_MS", 50)
    window = open_it()
    scene = typed(window, 5)
    sentence = "Unsaved work cannot be kept safe from a crash: a file is where its folder should be."
    qtbot.waitUntil(lambda: window.banner.text == sentence)
    window.banner._close.click()
    scene = typed(window, 6)
    qtbot.waitUntil(lambda: recovery(window)._timer.isActive())
    assert window.banner.text == ""
    folder.unlink()
    qtbot.waitUntil(lambda: is_kept(window, scene))


def test_the_warning_stays_as_long_as_it_is_true(
    qtbot: QtBot, open_it: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever else the banner says meanwhile, in whatever language; until work is kept, or saved."""
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fail(*_: object) -> None:
        raise full

    monkeypatch.setattr("explorer.ui.recovery.RETRY_MS", 50)
    save(load(first_scene()), mine := tmp_path / "mine.attn.json")
    window = open_it(mine)
    with monkeypatch.context() as patched:
        patched.setattr(Keeper, "keep", fail)
        scene = typed(window, 5)
        sentence = "Unsaved work cannot be kept safe from a crash: the disk is full."
        qtbot.waitUntil(lambda: window.banner.text == sentence)
        save(scene.with_cell("x", 0, 0, 9.0), mine)
        qtbot.waitUntil(lambda: window.banner.text == "mine.attn.json was changed by another program.")
        window.banner._other.click()  # Keep mine
        assert window.banner.text == sentence
        window.files.open(tmp_path / "none.attn.json", ask=False)
        assert window.banner.text.startswith("none.attn.json")
        window.banner._close.click()
        assert window.banner.text == sentence
        full = OSError(errno.EACCES, os.strerror(errno.EACCES))  # another reason takes the place of the first
        other = "Unsaved work cannot be kept safe from a crash: permission is denied."
        qtbot.waitUntil(lambda: window.banner.text == other)
        assert window.banner._waiting == []
        window.remake_asked.emit()
        again = remade(window)
        assert again.banner.text == other
        assert again.files.save() and again.banner.text == ""  # nothing needs to be kept
        scene = typed(again, 6)
        qtbot.waitUntil(lambda: again.banner.text == other)
    qtbot.waitUntil(lambda: is_kept(again, scene) and again.banner.text == "")


def test_a_large_scene_is_written_beside_and_not_on_this_thread(
    qtbot: QtBot, open_it: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    threads = set()
    keep = Keeper.keep
    monkeypatch.setattr(Keeper, "keep", lambda *a: (threads.add(threading.current_thread()), keep(*a)))
    window = open_it()
    x = np.random.default_rng(0).normal(size=(64, 64))
    eye = np.eye(64)
    window.document.edit(Scene(x=x, w_q=eye, w_k=eye, w_v=eye), "large")
    qtbot.waitUntil(lambda: is_kept(window, window.document.scene))
    assert threads and threading.main_thread() not in threads
    # the identity, shared by three matrices, once
    assert len(list(folder.glob("*.safetensors"))) == 4


# ---- offered ----


def leave(number: int, title: str = "", origin: Path | None = None, stamp: str | None = None) -> Leftover:
    """As a program leaves it that was killed: its process is gone, its lock is there."""
    folder, id = usual_folder(), f"{number:012x}"
    scene = load(first_scene()).with_cell("x", 0, 0, float(number)).replace(title=title)
    Keeper(folder, id).keep(scene, origin, stamp)
    note = folder / f"{id}.note"
    note.write_text(note.read_text().replace(f'"pid": {os.getpid()}', '"pid": 999999999'))
    (folder / f"{id}.lock").write_text(f"999999999\nattention\n{socket.gethostname()}\n")
    os.utime(folder / f"{id}.attn.json", (1000 + number, 1000 + number))
    return next(left for left in leftovers(folder) if left.id == id)


def windows() -> list[MainWindow]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow) and w.isVisible()]


def test_one_is_offered_in_the_banner_and_opens_there(
    qtbot: QtBot, open_it: Opener, folder: Path, tmp_path: Path
) -> None:
    origin = tmp_path / "mine.attn.json"
    stamp = save(load(first_scene()), origin)
    leave(5, "My scene", origin, stamp)
    window = open_it()
    assert window.banner.text == (
        "“mine.attn.json” was not saved when the program ended; its last state is still there."
    )
    window.banner._action.click()
    assert windows() == [window] and window.banner.text == ""
    assert window.document.scene.x[0, 0] == 5 and window.document.path == origin
    assert window.document.modified and window.windowTitle().startswith("mine.attn.json[*]")
    assert window.files.save() and load(origin).x[0, 0] == 5
    qtbot.waitUntil(lambda: not recovery(window).busy)
    assert leftovers(folder) == []


def test_it_stays_kept_after_it_was_opened(qtbot: QtBot, open_it: Opener, folder: Path) -> None:
    """A second crash finds it again, with what was done since."""
    leave(5)
    window = open_it()
    window.banner._action.click()
    assert kept() is not None
    scene = typed(window, 6)
    qtbot.waitUntil(lambda: is_kept(window, scene))
    (found,) = leftovers(folder)
    assert found.id == f"{5:012x}" and found.owner is not None and found.owner.pid == os.getpid()


def test_several_are_listed_and_open_in_windows_of_their_own(
    qtbot: QtBot, open_it: Opener, folder: Path, tmp_path: Path
) -> None:
    leave(1, "First"), leave(2, "", tmp_path / "two.attn.json"), leave(3)
    broken = leave(4, "Broken")
    broken.path.write_text('{"format": "attention-explorer/1", "x": [[')
    window = open_it()
    assert window.banner.text == (
        "4 scenes were not saved when the program ended; their last state is still there."
    )
    window.banner._action.click()
    dialog = window.findChild(LeftoversDialog)
    assert dialog is not None and dialog.isVisible()
    texts = [label.text() for label in dialog.findChildren(type(window.banner._text))]
    assert {"First", "two.attn.json", "Untitled"} <= set(texts)
    assert any("damaged" in text and "000000000004.attn.json" in text for text in texts)
    assert any("1970" in text or "/70" in text for text in texts)
    assert not dialog.findChild(QPushButton, "open_000000000004").isEnabled()
    dialog.findChild(QPushButton, "discard_000000000003").click()
    dialog.findChild(QPushButton, "open_all").click()
    shown = {w.document.scene.x[0, 0]: w for w in windows()}
    assert set(shown) == {1, 2} and shown[2] is window  # the newest takes the empty window
    assert shown[2].document.path == tmp_path / "two.attn.json"
    assert all(w.document.modified for w in shown.values())
    dialog.reject()
    assert window.banner.text.startswith("“Untitled” was not saved")
    assert not window.banner._other.isVisible()  # a damaged one can only be looked at
    window.banner._close.click()
    assert {left.id for left in leftovers(folder)} == {f"{n:012x}" for n in (1, 2, 4)}


def test_discarding_the_last_one_closes_the_list(qtbot: QtBot, open_it: Opener, folder: Path) -> None:
    leave(1), leave(2)
    window = open_it()
    window.banner._action.click()
    dialog = window.findChild(LeftoversDialog)
    dialog.findChild(QPushButton, "discard_000000000001").click()
    dialog.findChild(QPushButton, "discard_000000000002").click()
    assert not dialog.isVisible() and window.banner.text == "" and names(folder) == []


def test_what_is_not_wanted_now_is_offered_at_the_next_start(qtbot: QtBot, open_it: Opener) -> None:
    leave(1)
    first = open_it()
    assert "not saved" in first.banner.text
    second = open_it()
    assert second.banner.text == ""  # one offer is enough
    first.close()
    assert "not saved" in open_it().banner.text


def test_an_edited_window_stays_as_it_is(qtbot: QtBot, open_it: Opener) -> None:
    leave(5)
    window = open_it()
    mine = typed(window, 7)
    window.banner._action.click()
    assert window.document.scene is mine
    (other,) = (w for w in windows() if w is not window)
    assert other.document.scene.x[0, 0] == 5
    qtbot.waitUntil(lambda: other.engine.trace is not None)


def test_a_file_that_changed_since_is_told(qtbot: QtBot, open_it: Opener, tmp_path: Path) -> None:
    origin = tmp_path / "mine.attn.json"
    stamp = save(load(first_scene()), origin)
    leave(5, "", origin, stamp)
    save(load(origin).with_cell("x", 0, 0, 8.0), origin)
    window = open_it()
    window.banner._action.click()
    qtbot.waitUntil(lambda: window.banner.text == "mine.attn.json was changed by another program.")
    assert window.document.scene.x[0, 0] == 5


def test_damaged_in_the_meantime(qtbot: QtBot, open_it: Opener) -> None:
    left = leave(5)
    window = open_it()
    left.path.write_text("{")
    scene = window.document.scene
    window.banner._action.click()
    assert window.banner.text.startswith("000000000005.attn.json: it is not JSON")
    assert window.document.scene is scene and left.path.exists()


def test_the_offer_goes_on_in_another_language(qtbot: QtBot, open_it: Opener) -> None:
    leave(5)
    window = open_it()
    new = in_another_language(window, "zh_CN")
    assert new.banner.text != ""
    new.banner._action.click()
    assert new.document.scene.x[0, 0] == 5
    new.files.ask_discard = lambda: Answer.DISCARD
    new.close()


# ---- whose ----


def test_what_a_running_program_keeps_is_not_offered(qtbot: QtBot, open_it: Opener, folder: Path) -> None:
    window = open_it()
    scene = typed(window, 5)
    qtbot.waitUntil(lambda: is_kept(window, scene))
    assert claim_all() == [] and is_kept(window, scene)


@pytest.mark.parametrize("reused", [True, False])
def test_a_process_of_the_same_number_is_told_from_the_old_one(
    qapp: QApplication, folder: Path, monkeypatch: pytest.MonkeyPatch, reused: bool
) -> None:
    """The lock alone would wait for a program of this name for ever."""
    left = leave(1)
    note, lock = folder / f"{left.id}.note", folder / f"{left.id}.lock"
    note.write_text(note.read_text().replace("999999999", str(os.getpid())))
    holder = QLockFile(str(lock))
    lock.unlink()
    assert holder.tryLock(0)
    if reused:
        monkeypatch.setattr("explorer.files.owner.started", lambda pid: "another start")
    claims = claim_all()
    assert [claim.leftover.id for claim in claims] == ([left.id] if reused else [])
    for claim in claims:
        claim.lock.unlock()
    holder.unlock()


def test_a_damaged_note_loses_nothing(qapp: QApplication, folder: Path) -> None:
    left = leave(1, "Mine")
    (folder / f"{left.id}.note").write_text("{")
    (claim,) = claim_all()
    assert claim.leftover.title == "Mine" and claim.leftover.load().x[0, 0] == 1
    claim.discard()
    assert names(folder) == []


def test_what_is_half_gone_is_swept(qapp: QApplication, folder: Path) -> None:
    left = leave(1)
    left.path.unlink()
    (folder / f"{left.id}-1.safetensors").touch()
    (folder / "keep.txt").touch()
    assert claim_all() == []
    assert names(folder) == ["keep.txt"]


def test_a_document_without_a_window(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document(load(first_scene()))
    kept = Recovery(document, tmp_path)
    document.edit(document.scene.with_cell("x", 0, 0, 3.0), "edit")
    qtbot.waitUntil(lambda: kept.path.exists() and not kept.busy)
    kept.close()
    kept.close()
    document.edit(document.scene.with_cell("x", 0, 0, 4.0), "edit")
    assert not kept.busy and names(tmp_path) == []
    left = Leftovers(document, lambda *_: None, tmp_path)
    qtbot.waitUntil(lambda: not left.searching)
    assert left.claims == []
