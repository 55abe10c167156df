"""What a page is put together from, and how it is cut into pages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QPainter

Draw = Callable[[QPainter, float, float], None]  # painter, left, top


@dataclass(frozen=True)
class Atom:
    """Something that is not cut: its height, how it is drawn, and whether it must not stand last on a page.

    `stretched` makes it so many units higher at most, where a page has room left.
    """

    height: float
    draw: Draw
    stays: bool = False
    stretched: Callable[[float], "Atom"] | None = None


Placed = list[tuple[float, Atom]]  # tops and atoms of one page


def gap(height: float) -> Atom:
    """Air; none is left at the top of a page."""
    return Atom(height, _nothing, stays=True)


def _nothing(_painter: QPainter, _x: float, _y: float) -> None:
    pass


def is_gap(atom: Atom) -> bool:
    """Whether it is nothing but air."""
    return atom.draw is _nothing


def paginate(atoms: Sequence[Atom], room: float) -> list[Placed]:
    """Pages of `room` units; atoms that stay go to the next page together with what follows them."""
    pages: list[Placed] = [[]]
    top = 0.0
    for block in _blocks(atoms):
        height = sum(atom.height for atom in block)
        if pages[-1] and top + height > room:
            pages.append([])
            top = 0.0
        for atom in block:
            if not pages[-1] and is_gap(atom):
                continue
            pages[-1].append((top, atom))
            top += atom.height
    return [_filled(page, room) for page in pages if page]


def _filled(page: Placed, room: float) -> Placed:
    """The atoms that can be stretched share what is left of the page."""
    able = [atom for _top, atom in page if atom.stretched is not None]
    left = room - page[-1][0] - page[-1][1].height
    filled: Placed = []
    shift = 0.0
    for top, atom in page:
        if atom.stretched is not None:
            stretched = atom.stretched(left / len(able))
            filled.append((top + shift, stretched))
            shift += stretched.height - atom.height
        else:
            filled.append((top + shift, atom))
    return filled


def _blocks(atoms: Iterable[Atom]) -> list[list[Atom]]:
    """Each ends with the first atom that may stand last."""
    blocks: list[list[Atom]] = [[]]
    for atom in atoms:
        blocks[-1].append(atom)
        if not atom.stays:
            blocks.append([])
    return [block for block in blocks if block]
