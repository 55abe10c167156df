"""Unsaved work on disk: whole at any moment, found again, and only where its program is gone."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention.masks import Custom
from explorer.files import recovery, tensors
from explorer.files.owner import Owner, here, is_gone, started
from explorer.files.recovery import Keeper, leftovers
from explorer.files.session import dump, save
from explorer.patience import CancelledError
from explorer.scene import Scene
from tests.attention.random_scenes import scenes
from tests.files.test_session import same

ID = "0123456789ab"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only there a process says when it began")


def large(value: float = 1.0) -> Scene:
    """x, W_q and a mask go beside the session; W_k and W_v do not."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 40))
    x[0, 0] = value
    w = np.eye(40, 2)
    return Scene(x=x, w_q=rng.normal(size=(40, 40)), w_k=rng.normal(size=(40, 40)), w_v=w, title="large",
                 mask=(Custom(table=np.tri(40, dtype=bool)),))  # fmt: skip


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@given(scene=scenes())
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, scene: Scene) -> None:
    folder = tmp_path_factory.getbasetemp() / "kept"
    keeper = Keeper(folder, ID)
    keeper.keep(scene, Path("a.attn.json"), "stamp")
    (found,) = leftovers(folder)
    same(found.load(), scene)
    keeper.drop()
    assert leftovers(folder) == [] and names(folder) == []


def test_a_large_scene_there_and_back(tmp_path: Path) -> None:
    Keeper(tmp_path, ID).keep(large(), None, None)
    assert names(tmp_path) == [f"{ID}-1.safetensors", f"{ID}-2.safetensors", f"{ID}-3.safetensors",
                               f"{ID}-4.safetensors", f"{ID}.attn.json", f"{ID}.note"]  # fmt: skip
    same(leftovers(tmp_path)[0].load(), large())


def test_what_is_given_up_leaves_what_was_kept(tmp_path: Path) -> None:
    def enough() -> None:
        raise CancelledError

    keeper = Keeper(tmp_path, ID)
    keeper.keep(large(), None, None)
    before = names(tmp_path)
    with pytest.raises(CancelledError):
        keeper.keep(large(2.0), None, None, enough)
    assert names(tmp_path) == before
    same(leftovers(tmp_path)[0].load(), large())


def test_only_what_changed_is_written_again(tmp_path: Path) -> None:
    keeper, scene = Keeper(tmp_path, ID), large()
    keeper.keep(scene, None, None)
    before = {path.name: path.stat().st_ino for path in tmp_path.glob("*.safetensors")}
    scene = scene.with_cell("x", 0, 0, 5.0)
    keeper.keep(scene, None, None)
    after = {path.name: path.stat().st_ino for path in tmp_path.glob("*.safetensors")}
    assert len(after) == 4 and len(before.items() & after.items()) == 3
    same(leftovers(tmp_path)[0].load(), scene)
    small = scene.replace(mask=(), x=np.ones((2, 40)), tokens=())
    keeper.keep(small, None, None)
    assert len(list(tmp_path.glob("*.safetensors"))) == 2
    same(leftovers(tmp_path)[0].load(), small)


def test_an_adopted_scene_is_whole_all_the_time(tmp_path: Path) -> None:
    """Another process goes on where one was killed, under the same names."""
    Keeper(tmp_path, ID).keep(large(), None, None)
    keeper = Keeper(tmp_path, ID)
    keeper.keep(large(2.0), Path("/there/a.attn.json"), "s")
    (found,) = leftovers(tmp_path)
    same(found.load(), large(2.0))
    assert len(list(tmp_path.glob("*.safetensors"))) == 4
    assert (found.origin, found.stamp) == (Path("/there/a.attn.json"), "s")


@pytest.mark.parametrize("at", range(6))
def test_killed_between_any_two_steps_the_old_or_the_new_scene_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """Each write of a file is one step (test_atomic.py says why it is whole)."""
    keeper, old, new = Keeper(tmp_path, ID), large(), large(2.0).with_cell("w_q", 0, 0, 7.0)
    keeper.keep(old, None, None)
    steps = iter(range(100))

    class Killed(BaseException):
        pass

    def step(*_: object) -> None:
        if next(steps) == at:
            raise Killed

    write, written, remove = recovery.write, tensors.write, Keeper._remove
    monkeypatch.setattr(recovery, "write", lambda *a: (step(), write(*a)))
    monkeypatch.setattr(tensors, "write", lambda *a: (step(), written(*a)))
    monkeypatch.setattr(Keeper, "_remove", lambda *a: (step(), remove(*a)))
    try:
        keeper.keep(new, None, None)
        finished = True
    except Killed:
        finished = False
    monkeypatch.undo()
    (found,) = leftovers(tmp_path)
    value = found.load().w_q[0, 0]
    assert value in (old.w_q[0, 0], 7.0) and (value == 7.0 or not finished)
    same(found.load(), new if value == 7.0 else old)


def test_a_failed_write_keeps_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(tmp_path, ID)
    keeper.keep(large(), None, None)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recovery, "write", full)
    with pytest.raises(OSError, match="No space"):
        keeper.keep(large(3.0), None, None)
    monkeypatch.undo()
    same(leftovers(tmp_path)[0].load(), large())
    keeper.keep(large(4.0), None, None)
    same(leftovers(tmp_path)[0].load(), large(4.0))
    assert len(list(tmp_path.glob("*.safetensors"))) == 4


# ---- whose ----


@linux
def test_a_process_is_known_by_its_number_and_its_start() -> None:
    me = Owner.current()
    assert me.is_dead is False
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True) as child:
        other = Owner(child.pid, started(child.pid) or "", here())
        assert other.is_dead is False and is_gone(other.mark) is False
        child.communicate("\n")
    assert other.is_dead is True and is_gone(other.mark) is True
    for changed, dead in (
        ({"started": "then"}, True),  # its number was given to another
        ({"host": "elsewhere"}, None),
        ({"started": ""}, None),
        ({"pid": 999_999_999}, True),
    ):
        owner = replace(me, **changed)
        assert owner.is_dead is dead and is_gone(owner.mark) is dead


def test_leftovers_the_newest_first(tmp_path: Path) -> None:
    for number in range(3):
        id = f"{number:012x}"
        Keeper(tmp_path, id).keep(large().replace(title=f"scene {number}"), None, None)
        os.utime(tmp_path / f"{id}.attn.json", (1000 - number, 1000 - number))
        note = tmp_path / f"{id}.note"
        note.write_text(note.read_text().replace(f'"pid": {os.getpid()}', '"pid": 999999999'))
    (tmp_path / "somebody.attn.json").write_text("{}")
    found = leftovers(tmp_path)
    assert [(leftover.title, leftover.time) for leftover in found] == [
        ("scene 0", 1000), ("scene 1", 999), ("scene 2", 998),
    ]  # fmt: skip
    assert all(leftover.problem is None for leftover in found)
    assert leftovers(tmp_path / "none") == []


@pytest.mark.parametrize("damage", ["session", "table", "table gone"])
def test_a_damaged_one_is_named(tmp_path: Path, damage: str) -> None:
    keeper = Keeper(tmp_path, ID)
    keeper.keep(large(), None, None)
    note = tmp_path / f"{ID}.note"
    note.write_text(note.read_text().replace(f'"pid": {os.getpid()}', '"pid": 999999999'))
    table = tmp_path / f"{ID}-1.safetensors"
    if damage == "session":
        keeper.path.write_text('{"format": "attention-explorer/1", "x": [[')
    elif damage == "table":
        table.write_bytes(table.read_bytes()[:-9])
    else:
        table.unlink()
    (found,) = leftovers(tmp_path)
    assert found.problem is not None and found.problem.startswith(f"{ID}.attn.json: ")


notes = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["owner", "origin", "stamp", "pid", "started", "host"]), inner, max_size=6
        )
    ),
    max_leaves=8,
)


@given(st.binary(max_size=30) | notes.map(lambda entry: json.dumps(entry).encode()))
def test_any_note_will_do(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """The work counts; whose it was is known or not."""
    folder = tmp_path_factory.getbasetemp() / "notes"
    Keeper(folder, ID).keep(scene := large(), None, None)
    (folder / f"{ID}.note").write_bytes(content)
    (found,) = leftovers(folder)
    if found.owner is None:
        assert found.origin is None and found.problem is None
    same(found.load(), scene)


@given(one=scenes(), other=scenes())
def test_what_its_file_holds_by_now_is_no_loss(
    tmp_path_factory: pytest.TempPathFactory, one: Scene, other: Scene
) -> None:
    folder = tmp_path_factory.getbasetemp() / "saved"
    folder.mkdir(exist_ok=True)
    origin = folder / "a.json"
    Keeper(folder, ID).keep(one, origin, "before")
    (found,) = leftovers(folder)
    save(one, origin)
    assert found.is_saved()
    save(other, origin)
    assert found.is_saved() is (dump(one) == dump(other))
    origin.write_text("{")
    assert not found.is_saved()
    origin.unlink()
    assert not found.is_saved()
