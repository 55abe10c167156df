"""What must come of a file, whatever was done to it: what it holds, or one sentence that names it."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from explorer.files import arrays, session, table_files
from explorer.files.tables import Table, TableError
from explorer.lessons import reader
from explorer.lessons.lesson import Lesson, LessonError
from explorer.scene import Scene

LONGEST = 600  # characters of a sentence
KNOWN = (session.SessionError, TableError, LessonError)

BESIDE = {
    "format": "attention-explorer/1", "x": {"file": "", "key": "layer.q"}, "w_q": {"file": "", "key": "layer.q"},
    "w_k": {"file": "", "key": "layer.k"}, "w_v": {"file": "", "key": "layer.v"}, "heads": 2,
}  # fmt: skip


class Fault(Exception):  # noqa: N818 (what a run counts)
    """What came of a file is neither."""


def judge(kind: str, path: Path) -> str:
    """ "read" or "refused". Raises Fault, and whatever the program should have caught."""
    try:
        READERS[kind](path)
    except KNOWN as error:
        _check_sentence(str(error), path.name if kind != "beside" else "beside.attn.json")
        return "refused"
    return "read"


def _check_sentence(sentence: str, name: str) -> None:
    if not sentence.startswith(name) or len(sentence) < len(name) + 8:
        raise Fault(f"the sentence does not name the file: {sentence[:200]!r}")
    if "\n" in sentence or "Traceback" in sentence or len(sentence) > LONGEST:
        raise Fault(f"this is no sentence: {sentence[:200]!r}")


def _session(path: Path) -> None:
    scene = session.load(path)
    if not isinstance(scene, Scene):
        raise Fault("no scene")
    if scene.x.size < 10_000:
        session.parse(session.dump(scene), path.name)  # what was read can be written


def _beside(path: Path) -> None:
    """A session whose matrices lie in the damaged file."""
    entries = {k: v | {"file": path.name} if isinstance(v, dict) else v for k, v in BESIDE.items()}
    beside = path.with_name("beside.attn.json")
    beside.write_text(json.dumps(entries), encoding="utf-8")
    session.load(beside)


def _table(path: Path) -> None:
    table = table_files.load(path)
    if not isinstance(table, Table) or table.values.ndim != 2 or table.values.dtype != np.float64:
        raise Fault("no table")


def _arrays(path: Path) -> None:
    file = arrays.load(path)
    for entry in file.entries:
        values = file.read(entry)
        if values.shape != entry.shape or values.dtype != np.float64:
            raise Fault(f"{entry} gave {values.dtype} {values.shape}")


def _lesson(path: Path) -> None:
    if not isinstance(reader.load(path), Lesson):
        raise Fault("no lesson")


READERS: dict[str, Callable[[Path], None]] = {
    "session": _session,
    "beside": _beside,
    "table": _table,
    "npy": _arrays,
    "npz": _arrays,
    "safetensors": _arrays,
    "torch": _arrays,
    "lesson": _lesson,
}
