"""What must come of a file, whatever was done to it: what it holds, or one sentence that names it."""

import json
import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from explorer.checkpoints import CheckpointError, HeadsNeededError, Model
from explorer.files import arrays, session, table_files
from explorer.files.tables import Table, TableError
from explorer.lessons import reader
from explorer.lessons.lesson import Lesson, LessonError
from explorer.scene import Scene, SceneError
from fuzzing import models

FOLDER = "model"  # of a case that is one
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
    except (CheckpointError, SceneError) as error:
        if kind not in ("config", "index", "model"):
            raise
        _check_sentence(str(error), FOLDER, "config.json", "pytorch_model.bin")
        return "refused"
    return "read"


def _check_sentence(sentence: str, *names: str) -> None:
    """`names` of files, with one of which it begins."""
    if not sentence.startswith(names) or len(sentence) < len(names[0]) + 8:
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


def _config(path: Path) -> None:
    """A config.json beside whole weights."""
    folder, name = _folder(path)
    save_file(models.weights(models.MODELS[name][1]), folder / "model.safetensors")
    shutil.copy(path, folder / "config.json")
    _layers(folder)


def _index(path: Path) -> None:
    """An index beside whole shards."""
    folder, name = _folder(path)
    files: dict[str, dict[str, np.ndarray]] = defaultdict(dict)
    for key, file, array in models.shards(name):
        files[file][key] = array
    for file, arrays_ in files.items():
        save_file(arrays_, folder / file)
    (folder / "config.json").write_text(json.dumps(models.MODELS[name][0]), encoding="utf-8")
    shutil.copy(path, folder / "model.safetensors.index.json")
    _layers(folder)


def _model(path: Path) -> None:
    """Weights beside a whole config.json, where the model has one."""
    folder, name = _folder(path)
    if (config := models.MODELS[name][0]) is not None:
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    shutil.copy(path, folder / ("pytorch_model.bin" if path.suffix == ".bin" else "model.safetensors"))
    _layers(folder)


def _folder(path: Path) -> tuple[Path, str]:
    """A new folder for a model beside `path`, and which model it is for: as the suffix of `path` says."""
    folder = path.with_name(FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder, path.name.split(".")[-2]


def _layers(folder: Path) -> None:
    """Every layer that it names, as one who imports them does."""
    model = Model(folder)
    try:
        model.layer(model.spots[0], hollow=True)
    except HeadsNeededError as error:
        model = Model(folder, heads=error.possible[-1])
    for spot in model.spots[:6]:
        layer, scene = model.layer(spot), model.scene(spot)
        if scene.heads != layer.heads or scene.w_q.shape != layer.matrices.w_q.shape:
            raise Fault("the scene is not that layer")


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
    "config": _config,
    "index": _index,
    "model": _model,
    "lesson": _lesson,
}
