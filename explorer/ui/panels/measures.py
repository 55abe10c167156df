"""What the layout of the pipeline is made of: boxes, the pixels they need, and where they come to stand. No Qt here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter

READABLE = 0.75  # times a comfortable cell: one decimal still fits


@dataclass(frozen=True)
class Box:
    """One panel: its key, its cells, the width of its title and of its row labels; for the column labels the width
    of a cell that the longest needs, and the height of lying and of standing ones.
    """

    key: str
    rows: int
    cols: int
    title: int
    labels: int
    longest: int = 0
    lying: int = 0
    standing: int = 0
    arrow: bool = True  # the data flows into it from the panel at its left


Lines = list[list[Box]]
_measures = attrgetter(*(field.name for field in fields(Box) if field.name != "key"))


@dataclass(frozen=True)
class Section:
    """The panels of one head, or the joined ones: groups that belong together."""

    groups: tuple[tuple[Box, ...], ...]
    beside: bool = False  # may stand at the side of others like it

    @cached_property
    def boxes(self) -> list[Box]:
        """All panels."""
        return [box for group in self.groups for box in group]

    @cached_property
    def shape(self) -> tuple[object, ...]:
        """What its layout depends on: most heads are alike."""
        return self.beside, tuple(tuple(_measures(box) for box in group) for group in self.groups)


@dataclass(frozen=True)
class Metrics:
    """Pixels: a comfortable cell, what a panel needs around its cells, and the air between panels."""

    cell: tuple[int, int]
    title: int  # title and role
    foot: int  # below them: the colour bar
    gap: int  # between two panels of a group: room for an arrow
    margin: int  # at the left, for the head's name
    section_gap: int
    tight: int = 0  # width of a cell that just holds all decimals; 0: of a comfortable one


@dataclass(frozen=True)
class Rect:
    """Pixels from the top left corner of the pipeline."""

    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True)
class Layout:
    """The result: the shared cell size, and that of each panel; a rectangle per panel and per section, arrows as
    (x, y) of their centres.
    """

    cell: tuple[float, float]
    cells: dict[str, tuple[float, float]]
    panels: dict[str, Rect]
    sections: tuple[Rect, ...]  # from the left end of its names
    arrows: tuple[tuple[int, int], ...]
    size: tuple[int, int]


@dataclass(frozen=True)
class Sizes:
    """The cell that the panels share, and the cells of those that shrink by themselves."""

    shared: tuple[float, float]
    own: Mapping[str, tuple[float, float]]

    def of(self, box: Box) -> tuple[float, float]:
        """Pixels of a cell of this panel."""
        return self.own.get(box.key, self.shared)


@dataclass(frozen=True)
class Room:
    """The pixels there are: those of the window, and how many heads share its width."""

    width: int
    across: int
    gap: int

    def of(self, section: Section) -> int:
        """The width that a section has."""
        return self.column if section.beside else self.width

    @property
    def column(self) -> int:
        """The width of one of the heads that stand side by side."""
        return (self.width - (self.across - 1) * self.gap) // self.across


@dataclass(frozen=True)
class Arrangement:
    """Cell sizes, how many heads stand side by side, and the lines that each section is broken into."""

    sizes: Sizes
    room: Room
    lines: list[Lines]


def shaped(size: float, metrics: Metrics) -> tuple[float, float]:
    """A cell `size` wide: flatter than wide as long as numbers fit, square below."""
    flat = metrics.cell[1] / metrics.cell[0]
    if size < metrics.cell[0] * READABLE:
        return size, min(size, metrics.cell[1])
    return size, round(size * flat)


def panel_width(box: Box, cell: tuple[float, float]) -> int:
    """Row labels, then the cells or the title, whichever is wider."""
    return box.labels + max(round(box.cols * cell[0]), box.title)


def line_width(boxes: Sequence[Box], metrics: Metrics, sizes: Sizes) -> int:
    gaps = metrics.gap * (len(boxes) - 1)
    return metrics.margin + sum(panel_width(box, sizes.of(box)) for box in boxes) + gaps + metrics.gap // 2


def narrowest(sections: Sequence[Section], metrics: Metrics) -> int:
    """The width in which each panel, alone on its line, has room for its title."""
    titles = (box.labels + box.title for section in sections for box in section.boxes)
    return metrics.margin + max(titles, default=0) + metrics.gap // 2
