"""The scenes of a lesson: tables with the keys of a session file, resolved to Scenes.

A matrix may also be written as `{ identity = 4 }` or `{ normal = [4, 64], seed = 7 }`: independent normal
numbers of mean 0 and variance 1, rounded to 2 decimals so that a person can read them.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from explorer import resources
from explorer.files import plain_json, session
from explorer.scene import MATRICES, Array, Scene

MAX_NUMBERS = 16_384  # of one generated matrix
MAX_SCORES = 1_000_000  # H·n·m: more than a person can look at, and as much as answers at once

Table = Mapping[str, Any]


class SceneTableError(ValueError):
    """A table that makes no scene: one plain sentence; `key` is the entry at fault, if it is one."""

    def __init__(self, sentence: str, key: str | None = None) -> None:
        super().__init__(sentence)
        self.key = key


def example(name: str) -> Table:
    """The session table of a named example of `resources/scenes`."""
    path = resources.path("scenes", f"{name}{session.SUFFIX}")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", name) or not path.is_file():
        raise SceneTableError(f"there is no example scene '{name[:100]}'.")
    entries: Table = plain_json.loads(path.read_text(encoding="utf-8"))
    return {key: value for key, value in entries.items() if key != "format"}


def changed(table: Table, change: Table, without: Iterable[str] = ()) -> Table:
    """`table` with other entries, and without some."""
    return {key: value for key, value in {**table, **change}.items() if key not in set(without)}


def scene(table: Table) -> Scene:
    """The Scene of a table; raises SceneTableError."""
    for key in table:
        if key not in session.READERS:
            raise SceneTableError(f"'{key[:40]}' is no key of a scene.", key)
    entries = {key: _matrix(key, value) if key in MATRICES else value for key, value in table.items()}
    try:
        made = session.parse({"format": f"{session.FORMAT}/{session.VERSION}", **entries}, "scene")
    except session.SessionError as error:
        raise SceneTableError(str(error).removeprefix("scene: "), error.key) from None
    if (scores := made.heads * made.n * made.m) > MAX_SCORES:
        raise SceneTableError(
            f"the scene has H·n·m = {scores:,} scores, and a lesson's may have {MAX_SCORES:,}.", "x"
        )
    return made


def _matrix(key: str, value: Any) -> Any:
    """A written-out matrix as it is; a generated one written out."""
    if not isinstance(value, Mapping) or not ({"identity", "normal"} & value.keys()):
        return value
    if value.keys() == {"identity"} and _is_size(size := value["identity"]) and size**2 <= MAX_NUMBERS:
        return np.eye(size).tolist()
    if value.keys() == {"normal", "seed"} and isinstance(value["seed"], int) and value["seed"] >= 0:
        shape = value["normal"]
        if isinstance(shape, list) and len(shape) == 2 and all(map(_is_size, shape)):
            if shape[0] * shape[1] <= MAX_NUMBERS:
                return normal(shape[0], shape[1], value["seed"]).tolist()
    raise SceneTableError(
        f"{key} must be rows of numbers, {{ identity = 4 }} or {{ normal = [4, 64], seed = 7 }}"
        f" (at most {MAX_NUMBERS:,} numbers).",
        key,
    )


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_NUMBERS


def normal(rows: int, cols: int, seed: int) -> Array:
    """(rows, cols): N(0, 1), rounded to 2 decimals; the same for a seed in every version of numpy.

    numpy promises the raw bits of PCG64, not what Generator.normal makes of them (NEP 19); hence Box and
    Muller's transform here.
    """
    bits = np.random.PCG64(seed).random_raw(2 * rows * cols).reshape(2, rows, cols)
    uniform = (bits >> np.uint64(11)).astype(np.float64) / 2.0**53  # [0, 1)
    values = np.sqrt(-2 * np.log1p(-uniform[0])) * np.cos(2 * np.pi * uniform[1])
    rounded: Array = np.round(values, 2) + 0.0  # no −0
    return rounded
