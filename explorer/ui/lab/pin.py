"""State A: a scene that is kept inside another one, and in its session file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer import attention
from explorer.attention.trace import Trace
from explorer.files import plain_json
from explorer.files.session import SessionError, dump, parse
from explorer.scene import MATRICES, Scene

MOST = 200_000  # numbers that one session keeps inside another


@dataclass
class Pinned:
    """A scene with a name, and its trace, computed when it is first asked for."""

    name: str
    scene: Scene
    _trace: Trace | None = field(default=None, repr=False)

    @property
    def trace(self) -> Trace:
        """What attention computes from it; the first call may take as long as that."""
        if self._trace is None:
            self._trace = attention.attend(self.scene)
        return self._trace


# The entry that was read last and what it holds: every look at the panels asks, and A seldom changes.
_last: list[tuple[object, Pinned]] = []


def size(scene: Scene) -> int:
    """How many numbers a scene has."""
    tables = (scene.table(name) for name in MATRICES)
    return sum(table.size for table in tables if table is not None)


def entry_of(scene: Scene, name: str, trace: Trace | None = None) -> dict[str, Any]:
    """What a session keeps of a scene: its own session, and a name. Raises ValueError for one that is too large."""
    if size(scene) > MOST:
        raise ValueError(name)
    own = scene.replace(extra={})
    entry = {"name": name, "scene": plain_json.loads(dump(own))}
    if trace is not None and trace.scene is scene:
        _last[:] = [(entry, Pinned(name, scene, trace))]
    return entry


def pinned(entry: Any) -> Pinned | None:
    """What such an entry holds; None where it holds nothing that can be read."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("scene"), Mapping):
        return None
    if not _last or _last[0][0] is not entry:
        try:
            found = Pinned(str(entry.get("name", "")), parse(entry["scene"], "A"))
        except SessionError:
            return None
        _last[:] = [(entry, found)]
    return _last[0][1]
