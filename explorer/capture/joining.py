"""Parts of one layer, captured in several processes that divide its heads, made into one session.

Column-parallel queries, keys and values: each process has some columns of W_q, W_k, W_v, which are whole heads.
Row-parallel output: it has the rows of W^O that belong to them, and the outputs of all processes are added.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from explorer.capture.naming import KEY, CaptureError, entry_of
from explorer.files.session import SUFFIX, load, save
from explorer.scene import Array, Scene

_PART = re.compile(rf"(?P<stem>.+)\.rank(?P<rank>[0-9]{{1,6}})of(?P<ranks>[0-9]{{1,6}}){re.escape(SUFFIX)}")


@dataclass(frozen=True)
class Parts:
    """The files that hold one layer's heads, by rank from 1, and the session they become."""

    name: str
    ranks: int
    files: Mapping[int, Path]
    whole: Path

    def join(self, going_on: Callable[[], None] = lambda: None) -> None:
        """Write the whole; the parts stay. Raises CaptureError, SessionError. `going_on` as in `load` and `save`."""
        missing = sorted(set(range(1, self.ranks + 1)) - set(self.files))
        if missing:
            raise CaptureError(f"{self.name}: the part of rank {missing[0]} of {self.ranks} is missing.")
        scenes = [load(self.files[rank], going_on) for rank in sorted(self.files)]
        save(joined(scenes, self.name), self.whole, going_on)


def parts_in(folder: Path) -> list[Parts]:
    """Of each layer whose heads several processes have captured."""
    found: dict[tuple[str, int], dict[int, Path]] = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        if match := _PART.fullmatch(path.name):
            found.setdefault((match["stem"], int(match["ranks"])), {})[int(match["rank"])] = path
    return [Parts(stem, ranks, files, folder / f"{stem}{SUFFIX}") for (stem, ranks), files in found.items()]


def join(folder: str | os.PathLike[str]) -> list[Path]:
    """One session, in the same folder, of each layer whose heads several processes have captured; the parts stay.

    Returns the new files. Raises CaptureError where a part is missing or of something else, SessionError where one
    cannot be read or written. A folder without parts is fine.
    """
    found = parts_in(Path(folder))
    for parts in found:
        parts.join()
    return [parts.whole for parts in found]


def joined(parts: Sequence[Scene], name: str = "parts") -> Scene:
    """The scene with the heads of all parts, in the order of their ranks.

    Where there are fewer K/V heads than processes, neighbours hold the same ones; those count once. Raises
    CaptureError.
    """
    first = parts[0]
    for rank, part in enumerate(parts[1:], 2):
        if (what := _differs(first, part)) is not None:
            raise CaptureError(
                f"{name}: {what} of rank {rank} is not that of rank 1; they are not of one call."
            )
    holders = _holders(parts, name)
    changes: dict[str, Any] = {
        "heads": sum(part.heads for part in parts),
        "kv_heads": sum(part.groups for part in holders),
        "w_q": _beside([part.w_q for part in parts]),
        "b_q": _biases([part.b_q for part in parts]),
        "w_o": None if first.w_o is None else np.concatenate([_set(part.w_o) for part in parts]),
        "b_o": _output_bias(parts, name),
        "bias": _score_bias(parts),
    }
    for letter in "kv":
        changes[f"w_{letter}"] = _beside([getattr(part, f"w_{letter}") for part in holders])
        changes[f"b_{letter}"] = _biases([getattr(part, f"b_{letter}") for part in holders])
    if changes["kv_heads"] == changes["heads"]:
        changes["kv_heads"] = None
    entry = {key: value for key, value in entry_of(first.extra).items() if key not in ("rank", "ranks")}
    return first.replace(**changes, extra={**first.extra, KEY: {**entry, "joined": len(parts)}})


def _differs(first: Scene, part: Scene) -> str | None:
    """What two parts of one call have in common, and these have not."""
    for key in ("x", "context"):
        a, b = getattr(first, key), getattr(part, key)
        if (
            (a is None) != (b is None)
            or a is not None
            and (a.shape != b.shape or not np.allclose(a, b, atol=1e-4))
        ):
            return key
    if (first.w_o is None) != (part.w_o is None) or first.d_k != part.d_k or first.d_v != part.d_v:
        return "the width of a head"
    if first.w_o is not None and first.d_out != part.d_out:
        return "the width of the output"
    if not np.array_equal(first.visible(), part.visible()):
        return "the mask"
    return (
        None
        if (first.factor, first.softcap, first.dtype) == (part.factor, part.softcap, part.dtype)
        else "scale"
    )


def _holders(parts: Sequence[Scene], name: str) -> list[Scene]:
    """The parts whose K/V heads are not those of the one before."""
    holders = [parts[0]]
    for part in parts[1:]:
        last = holders[-1]
        same = last.w_k.shape == part.w_k.shape and np.array_equal(last.w_k, part.w_k)
        if not (same and np.array_equal(last.w_v, part.w_v)):
            holders.append(part)
    if len(parts) % len(holders):
        raise CaptureError(f"{name}: {len(parts)} processes hold {len(holders)} different sets of K/V heads.")
    return holders


def _output_bias(parts: Sequence[Scene], name: str) -> Array | None:
    """It is added once, after the sum: every process holds all of it, or one alone does."""
    held = [part.b_o for part in parts if part.b_o is not None]
    if any(not np.array_equal(held[0], bias) for bias in held[1:]):
        raise CaptureError(f"{name}: the processes hold different biases of the output.")
    return held[0] if held else None


def _score_bias(parts: Sequence[Scene]) -> Array | None:
    """What is added to the scores: the same for all heads, or that of each."""
    first = parts[0].bias
    if all(part.bias is first or _alike(part.bias, first) for part in parts):
        return first if first is None or first.ndim == 2 else np.tile(first, (len(parts), 1, 1))
    zero = np.zeros((1, parts[0].n, parts[0].m))
    shapes = [(part.heads, part.n, part.m) for part in parts]
    biases = [zero if part.bias is None else part.bias for part in parts]
    return np.concatenate([np.broadcast_to(bias, shape) for bias, shape in zip(biases, shapes, strict=True)])


def _alike(a: Array | None, b: Array | None) -> bool:
    return a is not None and b is not None and np.array_equal(a, b)


def _beside(arrays: Sequence[Array]) -> Array:
    return np.concatenate(arrays, axis=1)


def _biases(arrays: Sequence[Array | None]) -> Array | None:
    held = [array for array in arrays if array is not None]
    return np.concatenate(held) if held else None


def _set(array: Array | None) -> Array:
    assert array is not None  # all parts have it, or none
    return array
