"""What the tools of the lab keep in a scene, and so in its session file: one entry per tool. No widgets."""

from collections.abc import Mapping
from typing import Any

from explorer.scene import Scene

KEY = "lab"  # of a session


def remembered(scene: Scene, name: str) -> Any:
    """What the tool `name` keeps in this scene (and so in its session file); None: nothing."""
    entry = scene.extra.get(KEY)
    return entry.get(name) if isinstance(entry, Mapping) else None


def with_remembered(scene: Scene, name: str, value: Any) -> Scene:
    """The scene with another such entry (JSON values); None removes it. The same scene where nothing changes."""
    if remembered(scene, name) == value:
        return scene
    entry = scene.extra.get(KEY)
    entries = {k: v for k, v in entry.items() if k != name} if isinstance(entry, Mapping) else {}
    if value is not None:
        entries[name] = value
    extra = {k: v for k, v in scene.extra.items() if k != KEY}
    return scene.replace(extra=extra | ({KEY: entries} if entries else {}))
