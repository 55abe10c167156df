"""Where each panel of the pipeline goes: a pure step from sizes to rectangles, without Qt.

A section is one head (or the joined stages): its groups of panels stand side by side where the window is wide
enough, one below the other where it is not. All panels share one cell size, so that rows and columns line up;
only a matrix that is far too long for the window (4 × 64, 30 × 768) shrinks by itself, and leaves the others readable.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SMALLEST = 3  # pixels of a cell below which a panel is a picture of fixed size
PICTURE = 360  # pixels of such a picture
THIN = 96  # pixels that a matrix of few columns (or rows) has at least, where others are such pictures
LARGEST = 1.6  # times a comfortable cell: what cells may grow to where there is room
READABLE = 0.75  # times a comfortable cell: one decimal still fits
PLAIN = 12  # pixels of a cell that shows no number but can well be pointed at
LONG = 2  # times as many columns as rows, and too many for the window: a matrix that shrinks by itself
TOGETHER = 4  # pixels of such a matrix's cell at which a group of them still stands on one line
FEW_ROWS = 16  # of all others, if it is to do so: theirs are higher than its own then
SMALL = 8  # rows of a scene that is rather broken into many lines than drawn without numbers
MOST_LINES = 4  # that one head is broken into before its cells shrink further


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


@dataclass(frozen=True)
class Section:
    """The panels of one head, or the joined ones: groups that belong together."""

    groups: tuple[tuple[Box, ...], ...]


@dataclass(frozen=True)
class Metrics:
    """Pixels: a comfortable cell, what a panel needs around its cells, and the air between panels."""

    cell: tuple[int, int]
    title: int  # title and role
    foot: int  # below them: the colour bar
    gap: int  # between two panels of a group: room for an arrow
    margin: int  # at the left, for the head's name
    section_gap: int


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
    sections: tuple[Rect, ...]
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


def resolve(sections: Sequence[Section], metrics: Metrics, width: int, zoom: float = 1.0) -> Layout:
    """The layout for a window `width` pixels wide; `zoom` multiplies the cell size that fits."""
    sizes, lines = _fitting(sections, metrics, width)
    if zoom != 1.0:
        own = {key: _zoomed(cell, zoom, metrics) for key, cell in sizes.own.items()}
        sizes = Sizes(_zoomed(sizes.shared, zoom, metrics), own)
        lines = [_packed(section, metrics, width, sizes) for section in sections]
    return _place(lines, metrics, sizes)


def _zoomed(cell: tuple[float, float], zoom: float, metrics: Metrics) -> tuple[float, float]:
    if min(cell) < 1:  # several cells in a pixel, which need not be square
        return cell[0] * zoom, cell[1] * zoom
    return _shaped(max(1.0, round(cell[0] * zoom)) if cell[0] * zoom >= 1 else cell[0] * zoom, metrics)


Lines = list[list[Box]]


def _fitting(sections: Sequence[Section], metrics: Metrics, width: int) -> tuple[Sizes, list[Lines]]:
    """The cell sizes, and the lines of each section.

    Tried in turn, the largest cell first: each section on one line with comfortable cells; its groups on a line
    each with readable cells; broken anywhere into at most MOST_LINES lines with readable cells; then the same with
    cells too small for numbers.
    """
    largest, comfortable, readable = (round(metrics.cell[0] * part) for part in (LARGEST, 1.0, READABLE))
    own = _own_cells(sections, metrics, width)
    more = 2 if own else 0  # a long matrix takes a line for itself

    def packed(section: Section, sizes: Sizes) -> Lines:
        return _packed(section, metrics, width, sizes)

    boxes = [box for section in sections for group in section.groups for box in group]
    any_lines = len(boxes) if all(box.rows <= SMALL for box in boxes) else 0
    for split, most_lines, first, last in (
        (_one_line, 1, largest, comfortable),
        (_by_group, 2, largest, readable),
        (packed, MOST_LINES - 1, comfortable, readable),
        (packed, MOST_LINES + more, comfortable, readable),
        (_by_group, 2, readable, PLAIN),
        (packed, any_lines, readable, PLAIN),
        (packed, MOST_LINES + more, readable, SMALLEST),
    ):
        for size in range(first, last - 1, -1):
            sizes = Sizes(_shaped(size, metrics), own)
            lines = [split(section, sizes) for section in sections]
            if _fits(lines, metrics, width, sizes) and max(map(len, lines), default=0) <= most_lines:
                return sizes, lines
    others = [box for box in boxes if box.key not in own]
    most = max((max(box.rows, box.cols) for box in others), default=1)
    size = min(float(SMALLEST), PICTURE / most)
    pictures = {box.key: _picture(box, size) for box in others} if size < 1 else {}
    sizes = Sizes(_shaped(size, metrics), pictures | dict(own))
    return sizes, [_packed(section, metrics, width, sizes) for section in sections]


def _picture(box: Box, size: float) -> tuple[float, float]:
    """The cell of a matrix drawn as a picture: about `size` pixels, but none is a line that nobody sees."""
    width, height = (min(max(count * size, THIN), PICTURE) for count in (box.cols, box.rows))
    return width / box.cols, height / box.rows


def _own_cells(sections: Sequence[Section], metrics: Metrics, width: int) -> dict[str, tuple[float, float]]:
    """The cells of matrices that would make those of all others tiny, if there are others.

    Those are wider than high and cannot be pointed at on a line of their own, or long ones between low ones. Of one
    shape all have one size: that of a line for each where numbers fit then, else of a line for its group.
    """
    boxes = [box for section in sections for group in section.groups for box in group]
    readable = round(metrics.cell[0] * READABLE)
    around = metrics.margin + metrics.gap // 2

    def line(group: Sequence[Box], size: float) -> int:
        return _line_width(group, metrics, Sizes(_shaped(size, metrics), {}))

    def alone(box: Box) -> float:
        size = (width - around - box.labels) / box.cols
        return int(size) if size >= 1 else size

    low = all(box.rows <= FEW_ROWS for box in boxes)
    chosen = {
        box.key
        for box in boxes
        if (box.cols > box.rows and alone(box) < PLAIN)
        or (low and box.cols > LONG * box.rows and alone(box) >= SMALLEST and line([box], readable) > width)
    }
    if len(chosen) == len(boxes):
        return {}
    sizes: dict[tuple[int, int], float] = {}
    for group in (group for section in sections for group in section.groups):
        own = [box for box in group if box.key in chosen]
        for box in own:
            size = alone(box)
            if size < readable:
                size = next((s for s in range(int(size), TOGETHER - 1, -1) if line(own, s) <= width), size)
            sizes[box.rows, box.cols] = min(size, sizes.get((box.rows, box.cols), size))
    return {box.key: _shaped(sizes[box.rows, box.cols], metrics) for box in boxes if box.key in chosen}


def _one_line(section: Section, _sizes: Sizes) -> Lines:
    return [[box for group in section.groups for box in group]]


def _by_group(section: Section, _sizes: Sizes) -> Lines:
    return [list(group) for group in section.groups]


def _packed(section: Section, metrics: Metrics, width: int, sizes: Sizes) -> Lines:
    """As few lines as the width allows, a group starting a new one where it does not fit the rest."""
    lines: Lines = []
    for group in section.groups:
        if lines and _line_width([*lines[-1], *group], metrics, sizes) <= width:
            lines[-1] += group
            continue
        lines.append([])
        for box in group:
            if lines[-1] and _line_width([*lines[-1], box], metrics, sizes) > width:
                lines.append([])
            lines[-1].append(box)
    return lines


def _fits(lines: Sequence[Lines], metrics: Metrics, width: int, sizes: Sizes) -> bool:
    return all(_line_width(line, metrics, sizes) <= width for section in lines for line in section)


def _shaped(size: float, metrics: Metrics) -> tuple[float, float]:
    """A cell `size` wide: flatter than wide as long as numbers fit, square below."""
    flat = metrics.cell[1] / metrics.cell[0]
    if size < metrics.cell[0] * READABLE:
        return size, min(size, metrics.cell[1])
    return size, round(size * flat)


def panel_width(box: Box, cell: tuple[float, float]) -> int:
    """Row labels, then the cells or the title, whichever is wider."""
    return box.labels + max(round(box.cols * cell[0]), box.title)


def _line_width(boxes: Sequence[Box], metrics: Metrics, sizes: Sizes) -> int:
    gaps = metrics.gap * (len(boxes) - 1)
    return metrics.margin + sum(panel_width(box, sizes.of(box)) for box in boxes) + gaps + metrics.gap // 2


def _place(sections: Sequence[Lines], metrics: Metrics, sizes: Sizes) -> Layout:
    panels: dict[str, Rect] = {}
    cells: dict[str, tuple[float, float]] = {}
    bands: list[Rect] = []
    arrows: list[tuple[int, int]] = []
    y, right = metrics.section_gap, 0
    for lines in sections:
        top = y
        for number_of_line, line in enumerate(lines):
            x = metrics.margin
            head = metrics.title + max(_labels_height(box, sizes.of(box)) for box in line)
            for number, box in enumerate(line):
                cell = cells[box.key] = sizes.of(box)
                w, body = panel_width(box, cell), round(box.rows * cell[1])
                panels[box.key] = Rect(x, y, w, head + body + metrics.foot)
                if (number or number_of_line) and box.arrow:
                    arrows.append((x - metrics.gap // 2, y + head + min(body, round(3 * cell[1]) + 40) // 2))
                x += w + metrics.gap
            right = max(right, x - metrics.gap // 2)
            y += max(panels[box.key].h for box in line)
        bands.append(Rect(0, top, 0, y - top))
        y += metrics.section_gap
    return Layout(sizes.shared, cells, panels, tuple(bands), tuple(arrows), (right, y))


def _labels_height(box: Box, cell: tuple[float, float]) -> int:
    """Lying labels where the longest fits its cell, else standing ones."""
    return box.lying if box.longest <= cell[0] else box.standing


def head_height(box: Box, rect: Rect, metrics: Metrics, cell: tuple[float, float]) -> int:
    """Where the cells of a placed panel begin, from its top."""
    return rect.h - metrics.foot - round(box.rows * cell[1])
