"""A folder of sessions, one per layer of a model, as a capture writes it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from explorer.files.session import SUFFIX

# MODULE.callN.itemN.attn.json; where the heads are divided among processes each has its own part: .rank1of2
_NAME = re.compile(r"(?P<module>.+)\.call(?P<call>\d{1,9})\.item(?P<item>\d{1,9})(?P<rank>\.rank\d+-\d+)?$")
_PART = re.compile(r"\.rank\d+of\d+$")


@dataclass(frozen=True)
class LayerFile:
    """One session of the folder, what its layer is called there, and its number."""

    path: Path
    name: str
    number: int = 1


@dataclass(frozen=True)
class Run:
    """The layers of one forward pass, in the model's order. `call` and `item` from 1, None: the files do not say.
    Where their names differ by one number alone, that is each layer's; else they are counted from 1.
    """

    call: int | None
    item: int | None
    layers: tuple[LayerFile, ...]


def runs_in(folder: Path) -> list[Run]:
    """The runs that a folder has sessions of, by call and item; those without a call's name are one run, the last.

    Parts of layers whose heads are divided among processes are left out: what counts is what they are joined to.
    Raises OSError for a folder that cannot be read.
    """
    found: dict[tuple[int, int] | None, list[LayerFile]] = {}
    for path in folder.iterdir():
        stem = path.name.removesuffix(SUFFIX)
        if stem == path.name or _PART.search(stem):
            continue
        match = _NAME.match(stem)
        key = None if match is None else (int(match["call"]), int(match["item"]))
        name = stem if match is None else match["module"] + (match["rank"] or "")
        found.setdefault(key, []).append(LayerFile(path, name))
    keys = sorted(key for key in found if key is not None)
    runs = [Run(*key, _in_order(found[key])) for key in keys]
    return runs + ([Run(None, None, _in_order(found[None]))] if None in found else [])


def run_of(runs: Iterable[Run], path: Path) -> tuple[Run, int] | None:
    """The run that a session belongs to, and where it stands in it, from 0."""
    for run in runs:
        for number, layer in enumerate(run.layers):
            if layer.path == path:
                return run, number
    return None


def _in_order(layers: list[LayerFile]) -> tuple[LayerFile, ...]:
    """By name, "layer.10" after "layer.9", and numbered."""
    ordered = sorted(layers, key=lambda layer: _natural(layer.name))
    numbers = _own_numbers([layer.name for layer in ordered]) or range(1, len(ordered) + 1)
    return tuple(replace(layer, number=number) for layer, number in zip(ordered, numbers, strict=True))


def _own_numbers(names: list[str]) -> list[int] | None:
    """Of "layers.0.attn" and "layers.3.attn" 0 and 3; None where it is not one number that tells them apart."""
    if len({re.sub(r"\d+", "#", name.casefold()) for name in names}) != 1:
        return None
    places = [column for column in zip(*(map(int, re.findall(r"\d+", name)) for name in names), strict=True)]
    told = [column for column in places if len(names) == 1 or len(set(column)) > 1]
    return list(told[0]) if len(told) == 1 and len(set(told[0])) == len(names) else None


def _natural(name: str) -> list[tuple[bool, int, str]]:
    parts = re.findall(r"\d+|\D+", name)
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]
