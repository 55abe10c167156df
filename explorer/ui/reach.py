"""What a number reaches, in words."""

from collections.abc import Iterable, Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication

from explorer.attention.places import heads_of, shape_of
from explorer.attention.provenance import reach
from explorer.attention.region import Region, runs
from explorer.attention.trace import Cell
from explorer.scene import Index, Scene
from explorer.ui.texts import place_title

Numbers = Sequence[int] | Index  # from 0, ascending


def reach_text(scene: Scene, cell: Cell) -> str:
    """'queries · head 1 · column 2 → raw scores, scaled scores … · head 1 → output'; empty where it reaches nothing."""
    parts: list[tuple[str, str]] = []  # places in a row that are reached alike share a part
    for place, regions in reach(scene, cell).items():
        where = " · ".join(filter(None, (_heads(scene, place, regions), _cells(scene, place, regions))))
        title = place_title(place)
        if parts and parts[-1][1] == where:
            parts[-1] = (f"{parts[-1][0]}, {title}", where)
        else:
            parts.append((title, where))
    return " → ".join(" · ".join(filter(None, part)) for part in parts)


def _heads(scene: Scene, place: str, regions: Iterable[Region]) -> str:
    """'head 2', 'heads 1–2', 'all heads'; nothing where there is but one."""
    count = heads_of(scene, place)
    if count is None or scene.heads == 1:
        return ""
    translate = QCoreApplication.translate
    found = sorted({region.head for region in regions if region.head is not None})
    if count == len(found) > 1:
        return translate("Place", "all heads")
    shared = place in ("k", "v") and scene.groups != scene.heads
    if len(found) == 1:
        text = translate("Place", "K/V head {number}") if shared else translate("Place", "head {number}")
    else:
        text = translate("Place", "K/V heads {number}") if shared else translate("Place", "heads {number}")
    return text.format(number=_ranges(found))


def _cells(scene: Scene, place: str, regions: Iterable[Region]) -> str:
    """'row 3', 'column 2', 'row 3 and column 3', 'row 3, column 2'; nothing where every cell is reached."""
    shape = shape_of(scene, place)
    found: list[str] = []
    for region in regions:
        # Where the mask cuts a row or a column short, it is still that row or column.
        all_rows, all_cols = len(region.rows) == shape[0], len(region.cols) == shape[1]
        if all_rows and all_cols:
            return ""
        rows = () if all_rows else region.touched_rows
        cols = () if all_cols else region.touched_cols
        text = _where(rows, cols)
        if text not in found:
            found.append(text)
    return QCoreApplication.translate("Place", " and ").join(found)


def _where(rows: Numbers, cols: Numbers) -> str:
    translate = QCoreApplication.translate
    words = []
    for numbers, one, many in (
        (rows, translate("Place", "row {number}"), translate("Place", "rows {number}")),
        (cols, translate("Place", "column {number}"), translate("Place", "columns {number}")),
    ):
        if len(numbers):
            words.append((one if len(numbers) == 1 else many).format(number=_ranges(numbers)))
    return translate("Place", ", ").join(words)


def _ranges(numbers: Numbers) -> str:
    """'1–3, 5' from 0, 1, 2, 4."""
    parts = runs(np.asarray(numbers, dtype=np.intp))
    return ", ".join(
        str(start + 1) if length == 1 else f"{start + 1}–{start + length}" for start, length in parts
    )
