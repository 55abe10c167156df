"""How large the cells are, and which panels stand on one line: pure steps from sizes to sizes, without Qt."""

from collections.abc import Mapping, Sequence
from math import inf

from explorer.ui.panels.measures import (
    READABLE,
    Arrangement,
    Box,
    Lines,
    Metrics,
    Room,
    Section,
    Sizes,
    line_width,
    panel_width,
    shaped,
)

SMALLEST = 3  # pixels of a cell below which a panel is a picture of fixed size
PICTURE = 360  # pixels of such a picture
THIN = 96  # pixels that a matrix of few columns (or rows) has at least, where others are such pictures
LARGEST = 1.6  # times a comfortable cell: what cells may grow to where there is room
PLAIN = 12  # pixels of a cell that shows no number but can well be pointed at
LONG = 2  # times as many columns as rows, and too many for the window: a matrix that shrinks by itself
TALL = 240  # rows of a high one that does: it would have to be scrolled past, screen after screen
TOGETHER = 4  # pixels of such a matrix's cell at which a group of them still stands on one line
FEW_ROWS = 16  # of all others, if it is to do so: theirs are higher than its own then
SMALL = 8  # rows of a scene that is rather broken into many lines than drawn without numbers
MOST_LINES = 4  # that one head is broken into before its cells shrink further


def fitting(every: Sequence[Section], metrics: Metrics, room: Room) -> Arrangement:
    """What fits the window; if nothing does, what comes near, as pictures of fixed size."""
    own = _own_sizes(every, metrics, room)
    for most_lines in (MOST_LINES, max((len(section.boxes) for section in every), default=0)):
        found = arrangement(every, metrics, room, SMALLEST, own, most_lines)
        if found is not None:
            return found
    others = [box for section in every for box in section.boxes if box.key not in own]
    most = max((max(box.rows, box.cols) for box in others), default=1)
    size = min(float(SMALLEST), PICTURE / most)
    pictures = {box.key: _picture(box, size) for box in others} if size < 1 else {}
    sizes = Sizes(shaped(size, metrics), {**pictures, **own})
    return Arrangement(sizes, room, [packed(section, metrics, room.of(section), sizes) for section in every])


def arrangement(
    every: Sequence[Section],
    metrics: Metrics,
    room: Room,
    least: float,
    own: Mapping[str, tuple[float, float]] | None = None,
    lines_at_most: int = MOST_LINES,
) -> Arrangement | None:
    """The one with the largest cells that fits the window; None where they would be narrower than `least`.

    Tried in turn, the largest cell first: each section on one line with comfortable cells; its groups on a line
    each with readable cells; broken anywhere into `lines_at_most` lines with readable cells; then the same with
    cells too small for numbers. `own`: cells of panels that shrink by themselves.
    """
    largest, comfortable, readable = (round(metrics.cell[0] * part) for part in (LARGEST, 1.0, READABLE))
    own = _own_sizes(every, metrics, room) if own is None else own
    more = 2 if own else 0  # a long matrix takes a line for itself
    sections = list(
        {section.shape: section for section in every}.values()
    )  # the others are laid out as these

    def broken(section: Section, sizes: Sizes) -> Lines:
        return packed(section, metrics, room.of(section), sizes)

    boxes = [box for section in sections for box in section.boxes]
    any_lines = len(boxes) if all(box.rows <= SMALL for box in boxes) else 0
    widest = _widest(sections, metrics, room, own)
    for split, most_lines, first, last in (
        (_one_line, 1, largest, comfortable),
        (_by_group, 2, largest, readable),
        (broken, MOST_LINES - 1, comfortable, readable),
        (broken, lines_at_most + more, comfortable, readable),
        (_by_group, 2, readable, PLAIN),
        (broken, any_lines, readable, PLAIN),
        (broken, lines_at_most + more, readable, SMALLEST),
    ):
        for size in range(int(min(first, widest)), last - 1, -1):
            if size < least:
                break
            sizes = Sizes(shaped(size, metrics), own)
            lines = [split(section, sizes) for section in sections]
            few = max(map(len, lines), default=0) <= most_lines
            if few and _fits(sections, lines, metrics, sizes, room):
                return Arrangement(sizes, room, [split(section, sizes) for section in every])
    return None


def _widest(
    sections: Sequence[Section], metrics: Metrics, room: Room, own: Mapping[str, tuple[float, float]]
) -> float:
    """The widest cell with which each panel fits the window on a line of its own; −1 where none is small enough."""

    def of(box: Box, width: int) -> float:
        if box.key in own:
            return inf if panel_width(box, own[box.key]) <= width else -1
        return (width - box.labels) // box.cols if box.labels + box.title <= width else -1

    around = metrics.margin + metrics.gap // 2
    widths = ((box, room.of(section) - around) for section in sections for box in section.boxes)
    return min((of(box, width) for box, width in widths), default=inf)


def _fits(
    sections: Sequence[Section], lines: Sequence[Lines], metrics: Metrics, sizes: Sizes, room: Room
) -> bool:
    """Whether no line is wider than its section may be."""
    return all(
        line_width(line, metrics, sizes) <= room.of(section)
        for section, broken in zip(sections, lines, strict=True)
        for line in broken
    )


def _own_sizes(every: Sequence[Section], metrics: Metrics, room: Room) -> dict[str, tuple[float, float]]:
    """The cells of the panels that shrink by themselves, by key; worked out once for sections that are alike."""
    alike = {section.shape: section for section in every}
    found = _own_cells(list(alike.values()), metrics, room)
    return {
        box.key: found[twin.key]
        for section in every
        for box, twin in zip(section.boxes, alike[section.shape].boxes, strict=True)
        if twin.key in found
    }


def _picture(box: Box, size: float) -> tuple[float, float]:
    """The cell of a matrix drawn as a picture: about `size` pixels, but none is a line that nobody sees."""
    width, height = (min(max(count * size, THIN), PICTURE) for count in (box.cols, box.rows))
    return width / box.cols, height / box.rows


def _own_cells(sections: Sequence[Section], metrics: Metrics, room: Room) -> dict[str, tuple[float, float]]:
    """The cells of matrices that would make those of all others tiny, or push them far away, if there are others.

    The latter are high and drawn as pictures; the former are wider than high and cannot be pointed at on a line of
    their own, or long ones between low ones. Of one shape all have one size: that of a line for each where numbers
    fit then, else of a line for its group.
    """
    boxes = [box for section in sections for box in section.boxes]
    widths = {box.key: room.of(section) for section in sections for box in section.boxes}
    readable = round(metrics.cell[0] * READABLE)
    around = metrics.margin + metrics.gap // 2

    def line(group: Sequence[Box], size: float) -> int:
        return line_width(group, metrics, Sizes(shaped(size, metrics), {}))

    def alone(box: Box) -> float:
        size = (widths[box.key] - around - box.labels) / box.cols
        return int(size) if size >= 1 else size

    few_rows = all(box.rows <= FEW_ROWS for box in boxes)
    chosen = {
        box.key
        for box in boxes
        if (box.cols > box.rows and alone(box) < PLAIN)
        or (
            few_rows
            and box.cols > LONG * box.rows
            and alone(box) >= SMALLEST
            and line([box], readable) > widths[box.key]
        )
    }
    tall = {box.key for box in boxes if box.rows > max(TALL, LONG * box.cols)}
    if len(chosen | tall) == len(boxes):
        return {}
    sizes: dict[tuple[int, int], float] = {}
    for group in (group for section in sections for group in section.groups):
        own = [box for box in group if box.key in chosen]
        for box in own:
            size = alone(box)
            if size < readable:
                width = widths[box.key]
                size = next((s for s in range(int(size), TOGETHER - 1, -1) if line(own, s) <= width), size)
            sizes[box.rows, box.cols] = min(size, sizes.get((box.rows, box.cols), size))

    def low(box: Box) -> tuple[float, float]:
        """Where cells share pixels, no line that nobody sees."""
        width, height = shaped(sizes[box.rows, box.cols], metrics)
        return width, height if width >= SMALLEST else max(height, min(THIN / box.rows, metrics.cell[1]))

    long = {box.key: low(box) for box in boxes if box.key in chosen}
    return long | {box.key: _picture(box, PICTURE / box.rows) for box in boxes if box.key in tall}


def _one_line(section: Section, _sizes: Sizes) -> Lines:
    return [[box for group in section.groups for box in group]]


def _by_group(section: Section, _sizes: Sizes) -> Lines:
    return [list(group) for group in section.groups]


def packed(section: Section, metrics: Metrics, width: int, sizes: Sizes) -> Lines:
    """As few lines as the width allows; a group starts a new one where it does not fit the rest, if that takes no more
    lines.
    """
    apart = _filled(section.groups, metrics, width, sizes)
    running = _filled([[box] for box in section.boxes], metrics, width, sizes)
    return running if len(running) < len(apart) else apart


def _filled(groups: Sequence[Sequence[Box]], metrics: Metrics, width: int, sizes: Sizes) -> Lines:
    """Line after line; a group that does not fit the rest of one begins the next."""
    lines: Lines = []
    room = width - line_width([], metrics, sizes)
    taken = 0  # of it, by the last line
    for group in groups:
        widths = [panel_width(box, sizes.of(box)) + metrics.gap for box in group]
        if lines and taken + sum(widths) <= room:
            lines[-1] += group
            taken += sum(widths)
            continue
        lines.append([])
        taken = 0
        for box, wide in zip(group, widths, strict=True):
            if lines[-1] and taken + wide > room:
                lines.append([])
                taken = 0
            lines[-1].append(box)
            taken += wide
    return lines
