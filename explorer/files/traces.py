"""A Trace as files: stages by their name, as `.npz`, `.safetensors`, JSON, or one stage as CSV."""

import csv
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from explorer.attention.places import column_labels, row_labels
from explorer.attention.streamed import Streamed
from explorer.attention.trace import STAGES, Trace
from explorer.files import plain_json, tensors
from explorer.files.atomic import replacing
from explorer.numbers import exact
from explorer.patience import GoingOn, go_on
from explorer.scene import Array

SUFFIXES = (".npz", ".json", ".csv", ".safetensors")
NAMES = tuple(stage.name for stage in STAGES)


def save(trace: Trace, path: Path, stages: Sequence[str] = NAMES, going_on: GoingOn = go_on) -> None:
    """Stages to `path`, in the form that its suffix names; whole or not at all. Raises OSError.

    The shapes: the comments in Trace. In JSON, NaN and infinities are the strings "nan", "inf" and "-inf". CSV takes
    one stage. All forms keep every bit. Of a trace too large to be held only `.npz` takes the stages that are n × m:
    the others raise TooLargeError. `going_on` is called now and then; what it raises ends it.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        (stage,) = stages
        with replacing(path) as draft:
            _write_csv(draft, trace, stage, going_on)
        return
    stages_of = {name: trace.stage(name) for name in stages}
    with replacing(path) as draft:
        if suffix == ".json":
            with draft.open("w", encoding="utf-8", newline="\n") as file:
                for piece in plain_json.pieces(_whole(stages_of)):
                    going_on()
                    file.write(piece)
        elif suffix == ".safetensors":
            tensors.write(draft, _whole(stages_of), {"title": trace.scene.title})
        else:
            _write_npz(draft, stages_of, going_on)
        going_on()


def _whole(arrays: Mapping[str, Any]) -> dict[str, Array]:
    return {name: np.asarray(array) for name, array in arrays.items()}


def _write_npz(path: Path, arrays: Mapping[str, Any], going_on: GoingOn) -> None:
    """As np.savez; what is not held goes there a block of rows at a time."""
    with zipfile.ZipFile(path, "w", allowZip64=True) as file:
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w", force_zip64=True) as member:
                if not isinstance(array, Streamed):
                    np.lib.format.write_array(member, array, allow_pickle=False)
                    continue
                head = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape}
                np.lib.format.write_array_header_1_0(member, head)
                for block in array.blocks():
                    going_on()
                    member.write(block.data)


def save_folder(trace: Trace, folder: Path, stages: Sequence[str] = NAMES, going_on: GoingOn = go_on) -> None:
    """A CSV file per stage into `folder`, which is made if need be; each file whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in stages:
        save(trace, folder / f"{name}.csv", (name,), going_on)


def _write_csv(path: Path, trace: Trace, stage: str, going_on: GoingOn) -> None:
    """A line per row: its head counted from 1, where the stage has heads; its token; its numbers.

    The first line labels the columns. A byte-order mark goes before texts that spreadsheets would else misread.
    """
    array = trace.stage(stage)
    heads = array.ndim == 3
    columns, rows = column_labels(trace.scene, stage), row_labels(trace.scene, stage)
    encoding = "utf-8" if "".join((*columns, *rows)).isascii() else "utf-8-sig"
    with path.open("w", encoding=encoding, newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow([*(["head"] if heads else []), "", *columns])
        for number, matrix in enumerate(array if heads else array[None], 1):
            for token, row in zip(rows, np.asarray(matrix), strict=True):
                going_on()
                lines.writerow([*([number] if heads else []), token, *map(exact, row.tolist())])
