"""What the files of a capture are called, and what each session says about where it comes from.

A session's `capture` entry: `module` (its dotted name in the model), `layer` (from 0, among those the model has),
`call` and `item` of the batch (from 1), `rank` and `ranks` where the heads are split across processes, and
`difference`: how far the session's output is from the one the model computed, at most.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from explorer.files.session import SUFFIX

KEY = "capture"  # of a session, and of Scene.extra


class CaptureError(ValueError):
    """A layer that cannot be captured: one plain sentence that names it."""


class CachedError(CaptureError):
    """A call that is left out, with a warning: its keys were made in an earlier one."""


class CaptureWarning(UserWarning):
    """A session that was written but differs from what the model computed, or a call that was left out."""


@dataclass(frozen=True)
class Place:
    """Where this process stands among those that run the model.

    `split`: the heads of each layer are divided among `ranks` processes, whose first one is process `group` of all;
    otherwise each process has whole layers.
    """

    rank: int = 0
    ranks: int = 1
    split: bool = False
    group: int = 0

    @property
    def mark(self) -> str:
        """What its files have in their names, so that processes stay out of each other's way."""
        if self.ranks == 1:
            return ""
        if not self.split:
            return f".rank{self.rank + 1}-{self.ranks}"
        return (
            f"{f'.rank{self.group + 1}-{self.ranks}' if self.group else ''}.rank{self.rank + 1}of{self.ranks}"
        )


def here() -> Place:
    """Where this process stands, as torchrun tells it; each process with whole layers."""
    try:
        rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    except (KeyError, ValueError):
        return Place()
    return Place(rank, ranks) if ranks > 1 else Place()


def name_of(module: str, call: int, item: int, place: Place) -> str:
    """A session's file name; calls and items count from 1."""
    safe = re.sub(r"[^\w.-]", "_", module) or "model"
    return f"{safe}.call{call}.item{item}{place.mark}{SUFFIX}"


def calls_in(folder: Path, place: Place) -> int:
    """The number of the last call that a folder has sessions of from this process; 0 where there are none."""
    end = re.escape(place.mark + SUFFIX)
    numbers = (
        re.search(rf"\.call([0-9]{{1,9}})\.item[0-9]+{end}$", path.name) for path in folder.glob(f"*{SUFFIX}")
    )
    return max((int(match[1]) for match in numbers if match), default=0)


def entry_of(extra: Mapping[str, Any]) -> dict[str, Any]:
    """The `capture` entry of a session; empty where it has none."""
    entry = extra.get(KEY)
    return dict(entry) if isinstance(entry, Mapping) else {}


def matches(name: str, pattern: str) -> bool:
    """Whether a dotted name fits a pattern, in which `*` stands for anything within one of its parts."""
    parts, wanted = name.split("."), pattern.split(".")
    if not name:  # the whole model, which is no part
        return not pattern
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
