"""The tables of a session: JSON lists, or a reference to a file beside it, as arrays.

Every function takes the key for its sentences, which count cells from 1 (`w_k[2,3]`), the JSON value, and
the session's folder (None: there is none), and raises SceneError.
"""

import math
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.files import plain_json, tensors
from explorer.files.atomic import reason
from explorer.scene import Array, Flags, SceneError, shape_text, told


def table(key: str, value: Any, folder: Path | None) -> Array:
    """Rows of equally many numbers."""
    if isinstance(value, Mapping):
        return _beside(key, value, folder, 2)
    rows = _rows(key, value)
    cells = list(chain.from_iterable(rows))
    if set(map(type, cells)) <= {float, int}:
        with suppress(OverflowError):
            return np.array(cells, dtype=np.float64).reshape(len(rows), -1)
    # One by one, which takes ten times as long: for NaN as text, and to name a cell that is no number.
    cells = [v for i, row in enumerate(rows, 1) for v in _numbers(f"{key}[{i},", row, key)]
    return np.array(cells).reshape(len(rows), -1)


def tables(key: str, value: Any, folder: Path | None) -> Array:
    """Rows of equally many numbers, or several such tables of one shape."""
    if isinstance(value, Mapping):
        return _beside(key, value, folder, 2, 3)
    is_list = isinstance(value, list) and value and isinstance(value[0], list) and value[0]
    if not is_list or not isinstance(value[0][0], list):
        return table(key, value, folder)
    found = [table(f"{key}[{number}]", each, None) for number, each in enumerate(value, 1)]
    for number, each in enumerate(found, 1):
        if each.shape != found[0].shape:
            raise SceneError(
                key, f"{key}[{number}] is {shape_text(each)} but {key}[1] is {shape_text(found[0])}."
            )
    return np.stack(found)


def flags(key: str, value: Any, folder: Path | None) -> Flags:
    """Rows of equally many truth values."""
    if isinstance(value, Mapping):
        return _beside(key, value, folder, 2, truth=True)
    rows = _rows(key, value)
    for i, row in enumerate(rows, 1):
        if set(map(type, row)) != {bool}:
            j, cell = next((j, cell) for j, cell in enumerate(row, 1) if not isinstance(cell, bool))
            raise SceneError(key, f"{key}[{i},{j}] is {told(cell)} but must be true or false.")
    return np.array(rows, dtype=bool)


def vector(key: str, value: Any, folder: Path | None) -> Array:
    """One row of numbers."""
    if isinstance(value, Mapping):
        return _beside(key, value, folder, 1)
    if not isinstance(value, list) or not value:
        what = "has no numbers" if value == [] else f"is {told(value)}"
        raise SceneError(key, f"{key} {what} but must be a list of numbers.")
    return np.array(_numbers(f"{key}[", value, key))


def _rows(key: str, value: Any) -> list[list[Any]]:
    """The value, once it is rows of equally many cells."""
    if not isinstance(value, list) or not value:
        what = "has no rows" if value == [] else f"is {told(value)}"
        raise SceneError(key, f"{key} {what} but must be a table: a list of rows.")
    for i, row in enumerate(value, 1):
        if not isinstance(row, list):
            raise SceneError(key, f"{key} row {i} is {told(row)} but must be a list.")
        if not row:
            raise SceneError(key, f"{key} row {i} is empty.")
        if len(row) != len(value[0]):
            raise SceneError(
                key, f"{key} row {i} has length {len(row)} but row 1 has length {len(value[0])}."
            )
    return value


def _numbers(place: str, cells: list[Any], key: str) -> list[float]:
    """The cells as floats; `place` begins a cell's name, such as `w_k[2,`."""
    return [_number(f"{place}{j}]", cell, key) for j, cell in enumerate(cells, 1)]


def _number(place: str, cell: Any, key: str) -> float:
    if isinstance(cell, str) and cell.lower() in _WORDS:
        return float(cell)
    if not isinstance(cell, int | float) or isinstance(cell, bool):
        raise SceneError(key, f"{place} is {told(cell)} but must be a number.")
    try:
        value = float(cell)
    except OverflowError:
        value = math.inf
    if math.isinf(value) and (isinstance(cell, int | plain_json.Huge)):
        raise SceneError(key, f"{place} is {told(cell)}, which is more than float64 holds.")
    return value


_WORDS = {"nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"}


def _beside(
    key: str, reference: Mapping[str, Any], folder: Path | None, *ranks: int, truth: bool = False
) -> NDArray[Any]:
    """An array from a `.safetensors` file in the session's folder: {"file": …, "key": …}."""
    file, tensor = reference.get("file"), reference.get("key")
    if not isinstance(file, str) or not isinstance(tensor, str):
        raise SceneError(key, f'{key} is an object but must be a list, or {{"file": …, "key": …}}.')
    if folder is None:
        raise SceneError(key, f"{key} lies in {told(file)}, and a text has no files beside it.")
    if not _is_inside(file):
        raise SceneError(key, f"{key} lies in {told(file)}, which is not in the session's folder.")
    try:
        array = tensors.read(folder / file, tensor)
    except OSError as error:
        raise SceneError(key, f"{key} lies in {told(file)}, which cannot be read: {reason(error)}.") from None
    except tensors.TensorError as error:
        raise SceneError(key, f"{key} lies in {told(file)}: {error}.") from None
    if array.ndim not in ranks:
        counts = " or ".join(map(str, ranks))
        raise SceneError(
            key, f"{key} in {told(file)} has shape {array.shape} but must have {counts} dimensions."
        )
    if (array.dtype == bool) != truth:
        raise SceneError(key, f"{key} in {told(file)} must be {'true and false' if truth else 'numbers'}.")
    array.setflags(write=False)
    return array


def _is_inside(file: str) -> bool:
    """True for a relative path that names a file in a folder or below it, on every system."""
    path = PurePosixPath(file)
    foreign = "\\" in file or "\0" in file or PureWindowsPath(file).anchor
    return not (foreign or path.is_absolute() or ".." in path.parts or file in ("", "."))
