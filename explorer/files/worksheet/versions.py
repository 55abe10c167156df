"""Versions of a scene with small whole numbers, so that a class can work them out by hand."""

from collections.abc import Sequence
from random import Random

import numpy as np

from explorer.attention.positions import Learned
from explorer.scene import MATRICES, Array, Scene

STARTS, STEPS = 12, 250  # draws, and changes to each
LARGEST = 4.0  # of Q, K and V, and of the scaled scores
SURE = 0.93  # a weight beyond leaves nothing to work out
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Arrays = dict[str, Array]


def versions(scene: Scene, count: int, seed: int) -> list[tuple[str, Scene]]:
    """`count` scenes of the same sizes and settings with numbers of their own, each with a letter: A, B, C …

    The same seed gives the same versions, and the first ones do not depend on how many there are.
    """
    return [(letter(number), _version(scene, Random(f"{seed}/{number}"))) for number in range(count)]


def letter(number: int) -> str:
    """A … Z, then AA … ZZ, from 0."""
    first, second = divmod(number, len(ALPHABET))
    return (ALPHABET[first - 1] if first else "") + ALPHABET[second]


def _version(scene: Scene, random: Random) -> Scene:
    """Draws, each bettered number by number and column by column, until one is good to work with; else the best."""
    best, least = scene, np.inf
    for _ in range(STARTS):
        drawn = _drawn(scene, random)
        trouble = _trouble(scene, drawn)
        for _ in range(STEPS):
            if not trouble:
                break
            changed = _changed(drawn, random)
            other = _trouble(scene, changed)
            if other <= trouble:
                drawn, trouble = changed, other
        if trouble < least:
            best, least = _with(scene, drawn), trouble
        if not trouble:
            break
    return best


def _drawn(scene: Scene, random: Random) -> Arrays:
    """Numbers for all that a person sets."""
    arrays: Arrays = {}
    for name in MATRICES:
        matrix = scene.matrix(name)
        if matrix is not None:
            arrays[name] = (
                _projection(matrix.shape, random) if name[0] == "w" else _table(name, matrix.shape, random)
            )
    if isinstance(scene.position, Learned):
        for name in ("table", "context_table"):
            table = getattr(scene.position, name)
            if table is not None:
                arrays[name] = _table(name, table.shape, random)
    return arrays


def _changed(arrays: Arrays, random: Random) -> Arrays:
    """One number of the inputs, or one column of a projection, drawn anew."""
    names = [name for name in arrays if name in ("x", "context", "w_q", "w_k", "w_v")]
    name = names[_index(len(names), random)]
    new = arrays[name].copy()
    col = _index(new.shape[1], random)
    if name[0] == "w":
        new[:, col] = _projection((new.shape[0], 1), random)[:, 0]
    else:
        new[_index(new.shape[0], random), col] = _pick(OPTIONS[name], random)
    return {**arrays, name: new}


def _with(scene: Scene, arrays: Arrays) -> Scene:
    changes: dict[str, object] = {
        name: array[0] if name[0] == "b" else array for name, array in arrays.items() if name in MATRICES
    }
    if "table" in arrays:
        changes["position"] = Learned(table=arrays["table"], context_table=arrays.get("context_table"))
    return scene.replace(**changes)


OPTIONS: dict[str, Sequence[int]] = {
    "x": (0, 1, 1, 2),
    "context": (0, 1, 1, 2),
    "table": (0, 0, 1),
    "b": (-1, 0, 1, 1),
}


def _index(count: int, random: Random) -> int:
    """0 … count − 1; `random()` alone is promised to be the same in every version of Python."""
    return int(random.random() * count)


def _pick(options: Sequence[int], random: Random) -> int:
    return options[_index(len(options), random)]


def _table(name: str, shape: tuple[int, ...], random: Random) -> Array:
    options = OPTIONS["table" if name.endswith("table") else "b" if name[0] == "b" else name]
    return np.array([[_pick(options, random) for _ in range(shape[1])] for _ in range(shape[0])], dtype=float)


def _projection(shape: tuple[int, ...], random: Random) -> Array:
    """Each column picks one row, or two; the second is sometimes subtracted."""
    rows, cols = shape
    matrix = np.zeros(shape)
    for col in range(cols):
        first = _index(rows, random)
        matrix[first, col] = 1
        if rows > 1 and random.random() < 0.6:
            second = (first + 1 + _index(rows - 1, random)) % rows
            matrix[second, col] = _pick((1, 1, -1), random)
    return matrix


def _trouble(scene: Scene, arrays: Arrays) -> float:
    """0 for numbers that are good to work with; else how much there is against them."""
    given = arrays.get("context", arrays["x"])
    asked = "x" if "context" not in arrays else "context"
    x, source = _placed(scene, arrays, "x"), _placed(scene, arrays, asked)
    q = _turned(scene, _heads(x, arrays["w_q"], arrays.get("b_q"), scene.heads))
    k = _turned(scene, _heads(source, arrays["w_k"], arrays.get("b_k"), scene.groups))
    v = _heads(source, arrays["w_v"], arrays.get("b_v"), scene.groups)
    trouble = float(_alike(arrays["x"]) + _empty(arrays["x"]) + _alike(given) + _empty(given))
    for stack in (q, k, v):
        trouble += float(np.maximum(np.abs(stack) - LARGEST, 0).sum())
        trouble += sum(_alike(matrix.T) + _empty(matrix.T) for matrix in stack)
    scaled = (
        q @ np.repeat(k, scene.heads // scene.groups, axis=0).transpose(0, 2, 1) * scene.factor
    )  # (H, n, m)
    bias = scene.added()
    scaled = scaled if bias is None else scaled + bias
    visible = scene.visible()
    trouble += float(np.maximum(np.abs(scaled[:, visible]) - LARGEST, 0).sum())
    several = visible.sum(axis=1) > 1
    if not several.any():
        return trouble
    low = np.where(visible, scaled, np.inf)[:, several].min(axis=2)
    shown = np.where(visible, scaled, -np.inf)[:, several]
    top = shown.max(axis=2)
    sure = 1 / np.exp(shown - top[..., None]).sum(axis=2)  # the largest weight of each row
    return trouble + float((top - low < 1e-9).sum() + (sure > SURE).sum())


def _placed(scene: Scene, arrays: Arrays, side: str) -> Array:
    """The rows with what an additive position adds to them."""
    rows = arrays[side]
    table = arrays.get("table" if side == "x" else "context_table")
    if table is not None:
        return rows + table[: len(rows)]
    added = (
        None if isinstance(scene.position, Learned) else scene.position.added(len(rows), rows.shape[1], side)
    )
    return rows if added is None else rows + added


def _heads(rows: Array, weights: Array, bias: Array | None, count: int) -> Array:
    """(heads, rows, d)"""
    product = rows @ weights + (0.0 if bias is None else bias)  # (rows, heads·d)
    out: Array = product.reshape(len(rows), count, -1).transpose(1, 0, 2)
    return out


def _turned(scene: Scene, stack: Array) -> Array:
    """Queries or keys as rotary turns them."""
    rotation = scene.position.rotation(stack.shape[1], scene.d_k)
    return stack if rotation is None else rotation.cos * stack + rotation.sin * stack[..., rotation.partner]


def _alike(rows: Array) -> int:
    """How many rows say what another one says already."""
    return len(rows) - len({row.tobytes() for row in rows + 0.0})


def _empty(rows: Array) -> int:
    """How many rows hold nothing but zeros."""
    return int((~rows.any(axis=1)).sum())
