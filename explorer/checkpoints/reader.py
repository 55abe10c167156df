"""A model on disk: a folder, one file, or many through their index. Only the tensors that are asked for are read."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from explorer.checkpoints import config as configs
from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError
from explorer.files import arrays
from explorer.files.arrays import ArrayFile
from explorer.files.atomic import opened, reason
from explorer.files.tables import TableError
from explorer.files.tensors import Entry
from explorer.scene import Array, brief, told

INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
WHOLE = ("model.safetensors", "pytorch_model.bin")
SUFFIXES = (".safetensors", ".bin", ".pt", ".pth")
MAX_SHARDS = 1000
LONGEST = 200  # characters of a tensor's name, and of a file's in an index


class Checkpoint:
    """The tensors of a model by name, and its config.json if there is one beside them.

    Nothing is unpickled: `.bin` and `.pt` files are read by torch with weights_only alone.
    """

    def __init__(self, path: Path) -> None:
        """Opens a folder, a file of tensors, an index of shards, or a config.json for its folder.

        Raises CheckpointError.
        """
        self.path = path
        self.name = path.name or str(path)
        files = _files(path)
        folder = files[0].parent
        self._folder = folder
        index = files[0] if files[0].name.endswith(".index.json") else None
        self._place: dict[str, str] = {} if index is None else _weight_map(index)
        self._open: dict[str, ArrayFile] = {}
        self._entries: dict[str, dict[str, Entry]] = {}
        if index is None:
            self._place = dict.fromkeys(
                (entry.name for entry in self._file(files[0].name).entries), files[0].name
            )
        _check_names(files[0].name, self._place)
        beside = folder / "config.json"
        self.config: Config | None = configs.load(beside) if os.path.isfile(beside) else None

    @property
    def names(self) -> Collection[str]:
        """Of all tensors, in the order of the file."""
        return self._place.keys()

    def shape(self, name: str) -> tuple[int, ...]:
        """Of one tensor; opens its file's header alone."""
        return self._entry(name).shape

    def kind(self, name: str) -> str:
        """The type of its numbers, as the file writes it."""
        return self._entry(name).kind

    def read(self, name: str) -> Array:
        """One tensor, read-only: float64 where it is stored as that, else float32. Raises CheckpointError."""
        entry = self._entry(name)
        try:
            return self._file(self._place[name]).weight(entry)
        except TableError as error:
            raise CheckpointError(str(error).rstrip(".")) from None

    def _entry(self, name: str) -> Entry:
        if name not in self._place:
            raise CheckpointError(f"{self.name}: it has no tensor {brief(name, 80)}")
        file = self._place[name]
        self._file(file)
        if name not in self._entries[file]:
            raise CheckpointError(f"{file}: it has no tensor {brief(name, 80)}, which the index promises")
        return self._entries[file][name]

    def _file(self, name: str) -> ArrayFile:
        if name not in self._open:
            path = self._folder / name
            _refuse_gguf(path)
            try:
                self._open[name] = arrays.load(path)
            except TableError as error:
                raise CheckpointError(str(error).rstrip(".")) from None
            self._entries[name] = {entry.name: entry for entry in self._open[name].entries}
        return self._open[name]


def _files(path: Path) -> list[Path]:
    """The one file to begin with."""
    try:
        if path.is_dir():
            return [_in_folder(path)]
        if path.name == "config.json":
            return [_in_folder(path.parent)]
        if not path.is_file():
            raise CheckpointError(
                f"{path.name or path}: there is no such file or folder. Nothing is fetched: put the model's files,"
                " config.json and .safetensors, into a folder and name that"
            )
    except CheckpointError:
        raise
    except OSError as error:
        raise CheckpointError(f"{path.name or path}: it cannot be read: {reason(error)}") from None
    except ValueError:  # a NUL in the name
        raise CheckpointError(f"{ascii(path.name)}: there is no such file or folder") from None
    return [path]


def _in_folder(folder: Path) -> Path:
    for name in (*INDEXES, *WHOLE):
        if (folder / name).is_file():
            return folder / name
    files = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES and file.is_file())
    if len(files) == 1:
        return files[0]
    name = folder.name or str(folder)
    if files:
        listed = ", ".join(file.name for file in files[:4]) + (" …" if len(files) > 4 else "")
        raise CheckpointError(
            f"{name}: it holds several files of tensors and no index: {listed}; name one of them"
        )
    if any(file.suffix == ".gguf" for file in folder.iterdir()):
        raise CheckpointError(
            f"{name}: it holds GGUF files, which are quantised; only plain weights are read"
        )
    raise CheckpointError(
        f"{name}: it holds no model. Put the model's config.json and .safetensors (or .bin) there; nothing is fetched"
    )


def _weight_map(index: Path) -> dict[str, str]:
    """Tensor name → name of the file in the same folder that holds it."""
    found: Any = configs.read_object(index).get("weight_map")
    if not isinstance(found, dict) or not found:
        raise CheckpointError(
            f"{index.name}: weight_map is {told(found)} but must name the files of the tensors"
        )
    for name, file in found.items():
        good = isinstance(file, str) and len(file) <= LONGEST and Path(file).name == file
        if not good or Path(file).suffix not in SUFFIXES:
            raise CheckpointError(
                f"{index.name}: {brief(name, 80)} lies in {told(file)}, which is no file of its folder"
            )
    if len(set(found.values())) > MAX_SHARDS:
        raise CheckpointError(f"{index.name}: it names more than {MAX_SHARDS} files")
    return found


def _check_names(file: str, names: Collection[str]) -> None:
    """What has no name that could stand in a sentence is no model."""
    for number, name in enumerate(names, 1):
        if len(name) > LONGEST or not name.isprintable():
            raise CheckpointError(
                f"{file}: the name of its tensor {number} is longer than {LONGEST} characters or cannot be printed"
            )


def _refuse_gguf(path: Path) -> None:
    try:
        with opened(path) as file:
            start = file.read(4)
    except (OSError, ValueError):
        return  # whoever opens it next says it better
    if start == b"GGUF":
        raise CheckpointError(
            f"{path.name}: it is a GGUF file, which is quantised; only plain weights are read"
        )
