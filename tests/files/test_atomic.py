"""Files appear whole or not at all."""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.files import atomic
from explorer.files.atomic import reason, replacing, tidy, write
from explorer.files.owner import Owner
from tests.limits import limited, only_so_much_fits

posix = pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_write(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", b"one")
    write(tmp_path / "a.txt", b"two")
    assert (tmp_path / "a.txt").read_bytes() == b"two"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("interruption", [OSError(28, "full"), KeyboardInterrupt(), ValueError("bug")])
def test_an_interruption_leaves_the_old_file(tmp_path: Path, interruption: BaseException) -> None:
    write(tmp_path / "a.txt", b"old")
    with pytest.raises(type(interruption)), replacing(tmp_path / "a.txt") as draft:
        draft.write_bytes(b"half of the n")
        assert draft.suffix == ".txt" and draft.parent == tmp_path
        raise interruption
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]


def test_a_disk_that_fails_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(atomic, "_to_disk", fail)
    with pytest.raises(OSError, match="Input/output error") as caught:
        write(tmp_path / "a.txt", b"new")
    assert names(tmp_path) == []
    assert reason(caught.value) == "input/output error"


@posix
def test_permissions_stay(tmp_path: Path) -> None:
    file, fresh = tmp_path / "a.txt", tmp_path / "b.txt"
    write(file, b"old")
    fresh.touch()
    assert file.stat().st_mode == fresh.stat().st_mode
    file.chmod(0o640)
    write(file, b"new")
    assert file.stat().st_mode & 0o777 == 0o640


@posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "a.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    write(link, b"through the link")
    assert link.is_symlink() and target.read_bytes() == b"through the link"
    assert names(tmp_path) == ["link.txt", "there"]


@posix
def test_what_is_no_file_stays(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write(tmp_path, b"")
    assert reason(caught.value) == "it is a folder"
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="argument") as caught_:
        write(tmp_path / "pipe", b"")
    assert reason(caught_.value) == "it is no ordinary file"
    with pytest.raises(FileNotFoundError) as missing:
        write(tmp_path / "none" / "a.txt", b"")
    assert reason(missing.value) == "there is no such file or folder"
    assert names(tmp_path) == ["pipe"]


def test_a_read_only_file_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    write(file, b"old")
    file.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # also for root, who may write anything
    with pytest.raises(PermissionError) as caught:
        write(file, b"new")
    assert reason(caught.value) == "permission is denied"
    assert file.read_bytes() == b"old" and names(tmp_path) == ["a.txt"]


@limited
def test_a_file_that_grows_too_large(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", b"old")
    with only_so_much_fits(10_000), pytest.raises(OSError, match="large") as caught:
        write(tmp_path / "a.txt", b"x" * 20_000)
    assert reason(caught.value) == "the file would be too large"
    assert (tmp_path / "a.txt").read_bytes() == b"old" and names(tmp_path) == ["a.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="only there a process says when it began")
def test_drafts_of_the_killed_are_tidied_away(tmp_path: Path) -> None:
    me = Owner.current()
    elsewhere = replace(me, host="elsewhere")
    left = {}
    for name, owner, age in (
        ("a.txt", me, 10_000),  # still at work
        ("a.txt", replace(me, pid=999_999_999), 0),
        ("a.txt", replace(me, started="before"), 0),  # its number was given to this process
        ("a.txt", elsewhere, 100),
        ("a.txt", elsewhere, 10_000),
        ("b.txt", replace(me, pid=999_999_999), 0),
    ):
        with pytest.raises(KeyboardInterrupt), replacing(tmp_path / name) as draft:
            left[draft.with_name(draft.name.replace(me.mark, owner.mark))] = time.time() - age
            raise KeyboardInterrupt
    for path, then in left.items():
        path.write_bytes(b"half")
        os.utime(path, (then, then))
    (tmp_path / ".mine-0123abcd.txt").touch()
    tidy(tmp_path, "none.txt")
    assert len(names(tmp_path)) == 7
    write(tmp_path / "a.txt", b"new")
    (other,) = tmp_path.glob(f".*{replace(me, pid=999_999_999).mark}*")
    (young,) = tmp_path.glob(f".*{elsewhere.mark}*")
    (mine,) = tmp_path.glob(f".*{me.mark}*")
    assert names(tmp_path) == sorted([".mine-0123abcd.txt", other.name, young.name, mine.name, "a.txt"])
    tidy(tmp_path)
    assert names(tmp_path) == sorted([".mine-0123abcd.txt", young.name, mine.name, "a.txt"])


def test_a_name_as_long_as_can_be(tmp_path: Path) -> None:
    name = "a" * 251 + ".txt"
    write(tmp_path / name, b"x")
    assert names(tmp_path) == [name]
