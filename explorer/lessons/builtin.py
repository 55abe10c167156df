"""The lessons that come with the program. To add one: its file in resources/lessons, and its name here."""

from functools import cache
from typing import TYPE_CHECKING

from explorer import resources

if TYPE_CHECKING:
    from explorer.lessons.lesson import Lesson

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
def catalogue() -> "tuple[Lesson, ...]":
    """All of them, in the order in which they are best taken."""
    return tuple(map(_read, LESSONS))


def find(name: str) -> "Lesson | None":
    """The built-in lesson of this name (`by-hand`), or None."""
    return _read(name) if name in LESSONS else None


def _read(name: str) -> "Lesson":
    from explorer.lessons.reader import load  # with the first lesson: a window is on screen long before

    return load(resources.path("lessons", f"{name}.toml"))
