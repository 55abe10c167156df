"""Work that was not saved, kept where a program that ended badly can find it again.

In one folder, for each scene: `ID.attn.json`, a session like any other; `ID-N.safetensors`, its larger tables; and
`ID.note`, whose it is. The session is in place last and goes first: where there is one, everything is.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.files import plain_json, session, tensors
from explorer.files.atomic import opened, replacing, write
from explorer.files.owner import Owner
from explorer.files.session import SMALL, SUFFIX, SessionError, entries_of, tables_of
from explorer.patience import GoingOn, go_on
from explorer.scene import Scene

NOTE = ".note"
MAX_NOTE = 64 * 1024
TABLE = "table"  # the only key of a file of ours

_ID = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Note:
    """Whose a kept scene is, and the file that it came from."""

    owner: Owner
    origin: str | None
    stamp: str | None


class Keeper:
    """Keeps one scene. Tables that have not changed since the last time are not written again."""

    def __init__(self, folder: Path, id: str) -> None:
        self._folder, self.id = folder, id
        self._note: Note | None = None
        self._tables: dict[int, tuple[NDArray[Any], str]] = {}  # by id; held, so that no other array gets it

    @property
    def path(self) -> Path:
        """The session that is kept."""
        return self._folder / f"{self.id}{SUFFIX}"

    def keep(self, scene: Scene, origin: Path | None, stamp: str | None, going_on: GoingOn = go_on) -> None:
        """Write what has changed. At any moment the session there is the one before or this one. Raises OSError.

        `going_on` is called while that can be given up; what it raises ends it.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        note = Note(Owner.current(), None if origin is None else str(origin), stamp)
        if note != self._note:
            write(self._folder / f"{self.id}{NOTE}", json.dumps(asdict(note)).encode())
            self._note = note
        entries = entries_of(scene)
        tables = {}
        for _, holder, key in list(tables_of(entries)):
            array = holder[key]
            if array.size > SMALL:
                known = tables[id(array)] = self._tables.get(id(array)) or (
                    array,
                    self._written(array, going_on),
                )
                holder[key] = {"file": known[1], "key": TABLE}
        write(self.path, plain_json.dumps(entries).encode())
        self._tables = tables
        used = {file for _, file in tables.values()}
        self._remove(file for file in self._beside() if file.name not in used)

    def drop(self) -> None:
        """Nothing is kept any more."""
        self._remove([self.path, *self._beside(), self._folder / f"{self.id}{NOTE}"])
        self._note, self._tables = None, {}

    def _written(self, array: NDArray[Any], going_on: GoingOn) -> str:
        number = 1
        while (path := self._folder / f"{self.id}-{number}.safetensors").exists():
            number += 1
        with replacing(path) as draft:
            tensors.write(draft, {TABLE: array}, {}, going_on)
            going_on()  # to have it on the disk may take longest
        return path.name

    def _beside(self) -> list[Path]:
        return list(self._folder.glob(f"{self.id}-*.safetensors"))

    def _remove(self, paths: Iterator[Path] | list[Path]) -> None:
        for path in paths:
            with suppress(OSError):
                path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Leftover:
    """A kept scene whose program may be gone. `problem`: why it cannot be read, one sentence; None if it can."""

    id: str
    path: Path
    owner: Owner | None  # None: its note is damaged, as no running program leaves it
    origin: Path | None
    stamp: str | None
    title: str
    time: float  # of the last change, seconds since 1970
    problem: str | None

    def load(self, going_on: GoingOn = go_on) -> Scene:
        """The scene. Raises SessionError, and what `going_on` raises."""
        return session.load(self.path, going_on)

    def is_saved(self, going_on: GoingOn = go_on) -> bool:
        """Whether its file holds the same."""
        if self.origin is None or self.problem is not None:
            return False
        try:
            return _is_same(self.load(going_on), session.load(self.origin, going_on))
        except SessionError:
            return False


def _is_same(one: Scene, other: Scene) -> bool:
    mine, theirs = entries_of(one), entries_of(other)
    tables, others = _taken(mine), _taken(theirs)
    return (
        mine == theirs
        and tables.keys() == others.keys()
        and all(np.array_equal(tables[name], others[name], equal_nan=True) for name in tables)
    )


def _taken(entries: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """The tables, by name, taken out of the entries."""
    return {name: holder.pop(key) for name, holder, key in list(tables_of(entries))}


def leftovers(folder: Path, going_on: GoingOn = go_on) -> list[Leftover]:
    """All that is kept in a folder, the newest first, the running programs' own included.

    `going_on` is called now and then; what it raises ends it.
    """
    found = []
    for path in folder.glob(f"*{SUFFIX}"):
        id = path.name.removesuffix(SUFFIX)
        if _ID.fullmatch(id):
            with suppress(OSError):  # gone in this moment
                found.append(_leftover(path, id, path.stat().st_mtime, going_on))
    return sorted(found, key=lambda leftover: leftover.time, reverse=True)


def without_session(folder: Path) -> set[str]:
    """The ids that have files in a folder, but no session."""
    ids = {match[0] for path in folder.glob("*") if (match := _ID.match(path.name))}
    return {id for id in ids if not (folder / f"{id}{SUFFIX}").exists()}


def _leftover(path: Path, id: str, time: float, going_on: GoingOn) -> Leftover:
    note = _read_note(path.with_name(f"{id}{NOTE}"))
    title, problem = "", None
    if note is None or note.owner.is_dead is not False:  # a running program's is nobody else's to read
        try:
            title = session.load(path, going_on).title
        except SessionError as error:
            problem = str(error)
    owner, origin, stamp = (None, None, None) if note is None else (note.owner, note.origin, note.stamp)
    return Leftover(id, path, owner, Path(origin) if origin else None, stamp, title, time, problem)


def _read_note(path: Path) -> Note | None:
    try:
        with opened(path) as file:
            entry = plain_json.loads(file.read(MAX_NOTE).decode())
        owner, origin, stamp = entry["owner"], entry["origin"], entry["stamp"]
        if not all(isinstance(text, str | None) for text in (origin, stamp)):
            return None
        return Note(Owner(int(owner["pid"]), str(owner["started"]), str(owner["host"])), origin, stamp)
    except (OSError, ValueError, KeyError, TypeError):
        return None
