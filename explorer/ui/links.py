"""Which cells the inspector offers to walk to."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest

from PySide6.QtCore import QCoreApplication

from explorer.attention.places import sym_of
from explorer.attention.region import Region
from explorer.attention.trace import Cell
from explorer.scene import Scene
from explorer.ui.chips import Item
from explorer.ui.texts import cell_text, head_of

FEW = 6  # chips before one asks for more
MORE = 24
KEYED = ("scores", "scaled", "masked", "weights")  # a row per query, a column per key


def link_items(scene: Scene, cell: Cell, regions: Iterable[Region], most: int) -> list[Item]:
    """Up to `most` cells of the regions, each region having its turn, and how many are left."""
    regions = list(regions)
    count = sum(int(region.inside.sum()) for region in regions)
    # One more than a few is not folded: saying so takes as much room.
    shown = count if count <= most + 1 else most
    found = list(islice(_in_turn(_likeliest_first(region, cell) for region in regions), shown))
    found.sort(key=lambda each: _order(regions, each))
    items = [item_of(scene, each, cell) for each in found]
    if count > shown:
        text = QCoreApplication.translate("Inspector", "… {count} more").format(count=count - shown)
        items.append(Item(text, text))
    return items


def item_of(scene: Scene, cell: Cell, beside: Cell | None) -> Item:
    """A cell as a chip; its head is named where it is not the head of the number it stands beside."""
    head = head_of(scene, cell)
    same = beside is not None and beside.head == cell.head and beside.place not in ("k", "v")
    html = sym_of(cell).html
    return Item(html if same or not head else f"{html} · {head}", cell_text(scene, cell), cell)


def _likeliest_first(region: Region, cell: Cell) -> Iterator[Cell]:
    """Of a row of scores the one that a weight is made from first, and the other way round."""
    own = Cell(region.place, region.head, cell.row, cell.col)
    inside = cell.place in KEYED and region.place in KEYED and region.holds(own)
    first = [own] if inside else []
    return chain(first, (each for each in region.cells() if not inside or each != own))


def _in_turn(sequences: Iterable[Iterator[Cell]]) -> Iterator[Cell]:
    """The first of each, the second of each …"""
    for cells in zip_longest(*sequences):
        yield from (cell for cell in cells if cell is not None)


def _order(regions: list[Region], cell: Cell) -> tuple[int, int, int]:
    at = next(n for n, region in enumerate(regions) if (region.place, region.head) == (cell.place, cell.head))
    return at, cell.row, cell.col
