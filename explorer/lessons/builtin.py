"""The lessons that come with the program. To add one: its file in resources/lessons, and its name here."""

from functools import cache

from explorer import resources
from explorer.lessons.lesson import Lesson
from explorer.lessons.reader import load

LESSONS = (
    "by-hand",
    "square-root",
    "heads",
    "concat",
    "cost",
    "order",
    "positions",
    "masks",
    "cross-attention",
    "slips",
)


@cache
def catalogue() -> tuple[Lesson, ...]:
    """All of them, in the order in which they are best taken."""
    return tuple(load(resources.path("lessons", f"{name}.toml")) for name in LESSONS)


def find(name: str) -> Lesson | None:
    """The built-in lesson of this name (`by-hand`), or None."""
    return load(resources.path("lessons", f"{name}.toml")) if name in LESSONS else None
