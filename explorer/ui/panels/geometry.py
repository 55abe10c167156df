"""Where each panel of the pipeline goes: a pure step from sizes to rectangles, without Qt.

A section is one head (or the joined stages): its groups of panels stand side by side where the window is wide
enough, one below the other where it is not. Heads stand one below the other, too; where they would not all be in view,
and the window is wide enough to keep the numbers as they are, several stand side by side. All panels share one cell
size, so that rows and columns line up; only a matrix that is far too long for the window (4 × 64, 30 × 768) shrinks by
itself, and leaves the others readable.
"""

from collections.abc import Sequence
from dataclasses import replace

from explorer.ui.panels.fitting import arrangement, fitting, packed
from explorer.ui.panels.measures import (
    READABLE,
    Arrangement,
    Box,
    Layout,
    Lines,
    Metrics,
    Rect,
    Room,
    Section,
    Sizes,
    panel_width,
    shaped,
)

MOST_ACROSS = 4  # heads side by side


def resolve(
    sections: Sequence[Section], metrics: Metrics, width: int, zoom: float = 1.0, height: int | None = None
) -> Layout:
    """The layout for a window `width` pixels wide; `zoom` multiplies the cell size that fits.

    Where that is not all in view, `height` pixels, heads may stand side by side; None: never.
    """
    found = fitting(sections, metrics, Room(width, 1, metrics.section_gap))
    if height is not None:
        found = _side_by_side(sections, metrics, found, height)
    return _place(sections, metrics, found if zoom == 1.0 else _enlarged(sections, metrics, found, zoom))


def _side_by_side(
    sections: Sequence[Section], metrics: Metrics, alone: Arrangement, height: int
) -> Arrangement:
    """Of the arrangements in which the numbers have as many decimals as `alone`, the lowest."""
    best, lowest = alone, _height(sections, metrics, alone)
    heads = sum(section.beside for section in sections)
    least = _legible(alone.sizes.shared[0], metrics)
    for across in range(2, min(heads, MOST_ACROSS) + 1):
        if lowest <= height:
            break
        other = arrangement(sections, metrics, replace(alone.room, across=across), least)
        if other is None:
            break
        if (found := _height(sections, metrics, other)) < lowest:
            best, lowest = other, found
    return best


def _legible(width: float, metrics: Metrics) -> float:
    """The least width of a cell in which a number has as many decimals; if it has none, the same."""
    steps = metrics.tight or metrics.cell[0], round(metrics.cell[0] * READABLE)
    return next((step for step in steps if width >= step), width)


def _height(sections: Sequence[Section], metrics: Metrics, arranged: Arrangement) -> int:
    return _place(sections, metrics, arranged).size[1]


def _enlarged(sections: Sequence[Section], metrics: Metrics, found: Arrangement, zoom: float) -> Arrangement:
    """With larger or smaller cells, and as many heads side by side as are not broken into more lines than before."""
    own = {key: _zoomed(cell, zoom, metrics) for key, cell in found.sizes.own.items()}
    sizes = Sizes(_zoomed(found.sizes.shared, zoom, metrics), own)
    most = max(map(len, found.lines), default=0)
    for across in range(found.room.across, 0, -1):
        room = replace(found.room, across=across)
        lines = [packed(section, metrics, room.of(section), sizes) for section in sections]
        if max(map(len, lines), default=0) <= most:
            break
    return Arrangement(sizes, room, lines)


def _zoomed(cell: tuple[float, float], zoom: float, metrics: Metrics) -> tuple[float, float]:
    if min(cell) < 1:  # several cells in a pixel, which need not be square
        return cell[0] * zoom, cell[1] * zoom
    return shaped(max(1.0, round(cell[0] * zoom)) if cell[0] * zoom >= 1 else cell[0] * zoom, metrics)


def _place(sections: Sequence[Section], metrics: Metrics, arranged: Arrangement) -> Layout:
    sizes, room, lines = arranged.sizes, arranged.room, arranged.lines
    panels: dict[str, Rect] = {}
    cells: dict[str, tuple[float, float]] = {}
    bands: list[Rect] = []
    arrows: list[tuple[int, int]] = []
    top, right = metrics.section_gap, 0
    for row in _rows(sections, lines, room.across):
        bottom = top
        for column, broken in enumerate(row):
            left, y = column * (room.column + room.gap), top
            for number_of_line, line in enumerate(broken):
                x = left + metrics.margin
                head = metrics.title + max(_labels_height(box, sizes.of(box)) for box in line)
                for number, box in enumerate(line):
                    cell = cells[box.key] = sizes.of(box)
                    w, body = panel_width(box, cell), round(box.rows * cell[1])
                    panels[box.key] = Rect(x, y, w, head + body + metrics.foot)
                    if (number or number_of_line) and box.arrow:
                        middle = y + head + min(body, round(3 * cell[1]) + 40) // 2
                        arrows.append((x - metrics.gap // 2, middle))
                    x += w + metrics.gap
                right = max(right, x - metrics.gap // 2)
                y += max(panels[box.key].h for box in line)
            bands.append(Rect(left, top, 0, y - top))
            bottom = max(bottom, y)
        top = bottom + metrics.section_gap
    return Layout(sizes.shared, cells, panels, tuple(bands), tuple(arrows), (right, top))


def _rows(sections: Sequence[Section], lines: Sequence[Lines], across: int) -> list[list[Lines]]:
    """The lines of those sections that stand side by side, together."""
    rows: list[list[Lines]] = []
    before = None
    for section, broken in zip(sections, lines, strict=True):
        if before is not None and before.beside and section.beside and len(rows[-1]) < across:
            rows[-1].append(broken)
        else:
            rows.append([broken])
        before = section
    return rows


def _labels_height(box: Box, cell: tuple[float, float]) -> int:
    """Lying labels where the longest fits its cell, else standing ones."""
    return box.lying if box.longest <= cell[0] else box.standing


def head_height(box: Box, rect: Rect, metrics: Metrics, cell: tuple[float, float]) -> int:
    """Where the cells of a placed panel begin, from its top."""
    return rect.h - metrics.foot - round(box.rows * cell[1])
