"""A Trace as files: stages by their name, as `.npz`, `.safetensors`, JSON, or one stage as CSV."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from explorer.attention.places import column_labels, row_labels
from explorer.attention.trace import STAGES, Trace
from explorer.files import plain_json, tensors
from explorer.files.atomic import replacing, write
from explorer.numbers import exact

SUFFIXES = (".npz", ".json", ".csv", ".safetensors")
NAMES = tuple(stage.name for stage in STAGES)


def save(trace: Trace, path: Path, stages: Sequence[str] = NAMES) -> None:
    """Stages to `path`, in the form that its suffix names; whole or not at all. Raises OSError.

    The shapes: the comments in Trace. In JSON, NaN and infinities are the strings "nan", "inf" and "-inf". CSV takes
    one stage. All forms keep every bit.
    """
    if path.suffix == ".csv":
        (stage,) = stages
        write(path, csv_text(trace, stage).encode())
        return
    arrays = {name: trace.stage(name) for name in stages}
    with replacing(path) as draft:
        if path.suffix == ".json":
            draft.write_text(plain_json.dumps(arrays), encoding="utf-8", newline="\n")
        elif path.suffix == ".safetensors":
            tensors.write(draft, arrays, {"title": trace.scene.title})
        else:
            np.savez(draft, **arrays)  # type: ignore[arg-type]  # numpy's stub: a stage may not be named allow_pickle


def save_folder(trace: Trace, folder: Path, stages: Sequence[str] = NAMES) -> None:
    """A CSV file per stage into `folder`, which is made if need be; each file whole or not at all. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in stages:
        save(trace, folder / f"{name}.csv", (name,))


def csv_text(trace: Trace, stage: str) -> str:
    """A line per row: its head counted from 1, where the stage has heads; its token; its numbers.

    The first line labels the columns. A byte-order mark goes before texts that spreadsheets would else misread.
    """
    array = trace.stage(stage)
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    heads = array.ndim == 3
    lines.writerow([*(["head"] if heads else []), "", *column_labels(trace.scene, stage)])
    for number, matrix in enumerate(array if heads else array[None], 1):
        for token, row in zip(row_labels(trace.scene, stage), matrix.tolist(), strict=True):
            lines.writerow([*([number] if heads else []), token, *map(exact, row)])
    text = out.getvalue()
    return text if text.isascii() else "\ufeff" + text
