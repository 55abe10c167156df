"""How large everything is on the presenter's screen: pure arithmetic in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass

LEAST = 0.023  # of the screen's height: the smallest number that the back row can read
THIN = 0.08  # likewise: the narrowest and the lowest picture of a matrix whose cells share pixels
LEAST_SCALE = 1e-3  # pixels of a cell
PLAIN = 2  # pixels of a cell from which one is told from the next
LARGEST = 0.07  # beyond, a matrix of two rows looks lost in its own digits
NUMBER_WIDTH = 2.35  # times the font size: −0.0


@dataclass(frozen=True)
class Size:
    """The font of the numbers and the cell, in pixels; `fits` where everything is on the screen."""

    font: int
    cell: tuple[int, int]
    fits: bool


def fit(
    columns: Sequence[int], rows: int, width: float, height: float, screen: float, zoom: float = 1.0
) -> Size:
    """The largest type at which matrices with so many `columns` stand side by side in `width`, `rows` in `height`.

    `width` and `height` are what is left for cells. Never smaller than LEAST of the screen's height for up to eight
    rows; beyond, cells go on shrinking and the numbers vanish.
    """
    largest, least = round(LARGEST * screen * zoom), round(LEAST * screen)
    for font in range(largest, least - 1, -1):
        cell = _cell(font)
        if sum(columns) * cell[0] <= width and rows * cell[1] <= height:
            return Size(font, cell, True)
    tight = (round(least * NUMBER_WIDTH) + 2, round(least * 1.5))
    if sum(columns) * tight[0] <= width and rows * tight[1] <= height:
        return Size(least, tight, True)
    side = max(PLAIN, int(min(width / sum(columns), height / rows)))
    return Size(least, (side, min(side, tight[1])), True)


def _cell(font: int) -> tuple[int, int]:
    return round(font * (NUMBER_WIDTH + 0.75)), round(font * 1.9)


def pictures(
    shapes: Sequence[tuple[int, int]], titles: Sequence[int], width: float, height: float, screen: float
) -> list[tuple[float, float]]:
    """The cells of matrices, (rows, columns) each, of which several share a pixel: all of one scale, side by side with
    their `titles` in `width` and none higher than `height`; but none is narrower than THIN, however few columns it has,
    nor lower, unless its cells would be higher than they are wide.
    """
    thin = THIN * screen
    scale = min(1.0, height / max(rows for rows, _cols in shapes))

    def taken() -> float:
        return sum(
            max(title, thin, cols * scale) for title, (_rows, cols) in zip(titles, shapes, strict=True)
        )

    while taken() > width and scale > LEAST_SCALE:
        scale *= 0.98
    wide = [max(thin, cols * scale) / cols for _rows, cols in shapes]
    return [(w, max(scale, min(w, thin / rows))) for w, (rows, _cols) in zip(wide, shapes, strict=True)]
