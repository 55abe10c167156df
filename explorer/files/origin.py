"""Which layer of which model a scene is, as its `model` entry says: from there its other layers can be read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Self

KEY = "model"  # of a session, and of Scene.extra


@dataclass(frozen=True)
class Origin:
    """`first` and `last` are the numbers of the part's layers; `heads` what a person said where the files do not.
    The texts are those that went through the model; empty where X was not made by it.
    """

    path: Path
    part: str
    layer: int
    first: int
    last: int
    heads: int | None = None
    text: str = ""
    target: str = ""

    def entry(self) -> dict[str, Any]:
        """What a session holds of it."""
        entry = vars(self) | {"path": str(self.path)}
        return {key: value for key, value in entry.items() if value not in (None, "")}

    @classmethod
    def of(cls, extra: Mapping[str, Any]) -> Self | None:
        """What a session says; None where it says nothing that can be used."""
        entry = extra.get(KEY)
        if not isinstance(entry, Mapping):
            return None
        path, part, text, target = (entry.get(key, "") for key in ("path", "part", "text", "target"))
        numbers: tuple[Any, ...] = tuple(entry.get(key) for key in ("layer", "first", "last", "heads"))
        layer, first, last, heads = numbers
        if not all(isinstance(each, str) for each in (path, part, text, target)) or not path or "\0" in path:
            return None
        if not all(type(each) is int for each in (layer, first, last)) or type(heads) not in (int, NoneType):
            return None
        return cls(Path(path), part, layer, first, last, heads, text, target)
