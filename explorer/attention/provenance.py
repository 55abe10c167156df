"""Which cells a cell is made of, and which are made of it.

The relation respects what is visible. A hidden score is replaced, so it reaches nothing after `scaled`.
A key hidden by −∞ has weight 0 whatever its value, so neither that weight nor its row of V counts in the
output of a head. What a weight was normalised over is therefore the visible part of its row; under a finite
fill, the whole row. A hidden weight (and each of a row that sees nothing) comes from its own masked score
alone: −∞, so 0.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from explorer.attention.cost import is_large
from explorer.attention.places import PLACES, check, shape_of, source_place
from explorer.attention.precision import held
from explorer.attention.region import Region, join, region_of
from explorer.attention.sight import Sight, rows_with
from explorer.attention.trace import Cell
from explorer.scene import MATRICES, Flags, Index, Scene


def source_regions(scene: Scene, cell: Cell) -> tuple[Region, ...]:
    """The cells one step before `cell`. Raises ValueError for a cell that the scene does not have."""
    check(scene, cell)
    return tuple(r for r in BEFORE[cell.place](_Flow(scene), cell) if not r.empty)


def dependent_regions(scene: Scene, cell: Cell) -> tuple[Region, ...]:
    """The cells one step after `cell`: those that have it among their sources. Raises ValueError as above."""
    check(scene, cell)
    return tuple(_after(_Flow(scene), region_of(cell.place, cell.head, cell.row, cell.col)))


def sources(scene: Scene, cell: Cell) -> tuple[Cell, ...]:
    """`source_regions`, cell by cell."""
    return tuple(c for region in source_regions(scene, cell) for c in region.cells())


def dependents(scene: Scene, cell: Cell) -> tuple[Cell, ...]:
    """`dependent_regions`, cell by cell."""
    return tuple(c for region in dependent_regions(scene, cell) for c in region.cells())


def reach(scene: Scene, cell: Cell) -> dict[str, tuple[Region, ...]]:
    """Everything after `cell`, at any distance: for each place a few regions, which may overlap.

    A cell outside keeps its value whatever `cell` becomes, as long as nothing overflows (0·∞ is not 0).
    Raises ValueError as above.
    """
    check(scene, cell)
    flow = _Flow(scene)
    found: dict[str, list[Region]] = {place: [] for place in PLACES}
    start = region_of(cell.place, cell.head, cell.row, cell.col)
    for place in PLACES:
        for region in [start] if place == cell.place else found[place]:
            for after in _after(flow, region):
                join(found[after.place], after)
    return {place: tuple(regions) for place, regions in found.items() if regions}


class _Flow:
    """A scene with what several steps of one walk need."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @cached_property
    def visible(self) -> Flags:
        """(n, m); of a large scene as much as is looked at."""
        return self._streamed(self.scene.visible_at)

    @cached_property
    def counted(self) -> Flags:
        """(n, m): the keys that a row of weights is normalised over."""
        fill = float(held(self.scene.mask_fill, self.scene.dtype))
        if np.isneginf(fill):
            return self.visible
        return self._streamed(lambda rows, cols: np.ones((len(rows), len(cols)), dtype=bool))

    @cached_property
    def uncounted(self) -> Flags:
        """(n, m): hidden by −∞."""
        counted = self.counted
        return self._streamed(lambda rows, cols: ~counted[np.ix_(rows, cols)])

    def _streamed(self, flags_at: Callable[[Index, Index], Flags]) -> Flags:
        """(n, m), as a whole array or, of a large scene, a Streamed that is indexed like it."""
        every = np.arange(self.scene.n), np.arange(self.scene.m)
        if not is_large(self.scene):
            return flags_at(*every)
        return cast(Flags, Sight("visible", (len(every[0]), len(every[1])), flags_at))

    def counted_rows(self, region: Region) -> Index:
        """The rows of a region of masked scores or of weights in which one of its cells is among `counted`."""
        if region.within is None or region.within is self.counted:
            return region.rows[rows_with(self.counted, region.rows, region.cols)]
        if region.within is self.visible:  # with a finite fill all are counted, these among them
            return region.touched_rows
        return region.rows[:0]

    def counted_keys(self, row: int) -> Index:
        """Those of one row of `counted`, without the others."""
        everything = np.arange(self.scene.m)
        if not np.isneginf(float(held(self.scene.mask_fill, self.scene.dtype))):
            return everything
        return np.flatnonzero(self.scene.visible_at(np.array([row]), everything)[0])

    def all(self, place: str) -> tuple[Index, Index]:
        """Every row and every column of a place."""
        rows, cols = shape_of(self.scene, place)
        return np.arange(rows), np.arange(cols)

    def sharing(self, group: int) -> range:
        """The query heads that read a K/V head."""
        each = self.scene.heads // self.scene.groups
        return range(group * each, (group + 1) * each)

    def paired(self, letter: str, cols: Index) -> Index:
        """Columns of q or k, with those they are turned with; the norm takes the whole row."""
        if letter in "qk" and getattr(self.scene, f"{letter}_norm") is not None and len(cols):
            return np.arange(self.scene.d_k)
        rotation = self.scene.position.rotation(1, self.scene.d_k) if letter in "qk" else None
        return cols if rotation is None else np.union1d(cols, rotation.partner[cols])


# ---- one step back ----


def _before_nothing(flow: _Flow, cell: Cell) -> list[Region]:
    return []


def _before_projection(flow: _Flow, cell: Cell) -> list[Region]:
    """The row of x or of the context, the column of the matrix, the bias; rotary takes two columns."""
    letter, scene = cell.place, flow.scene
    width = scene.d_v if letter == "v" else scene.d_k
    cols = (cell.head or 0) * width + flow.paired(letter, np.array([cell.col]))
    rows_from = "x" if letter == "q" else source_place(scene)
    return [
        region_of(rows_from, None, cell.row, flow.all(rows_from)[1]),
        region_of(f"w_{letter}", None, flow.all(f"w_{letter}")[0], cols),
        *_bias(scene, f"b_{letter}", cols),
    ]


def _bias(scene: Scene, name: str, cols: ArrayLike) -> list[Region]:
    return [] if scene.table(name) is None else [region_of(name, None, 0, cols)]


def _before_scores(flow: _Flow, cell: Cell) -> list[Region]:
    scene, head = flow.scene, cell.head or 0
    width = np.arange(scene.d_k)
    return [region_of("q", head, cell.row, width), region_of("k", scene.kv_head(head), cell.col, width)]


def _before_scaled(flow: _Flow, cell: Cell) -> list[Region]:
    return [region_of("scores", cell.head, cell.row, cell.col)]


def _before_masked(flow: _Flow, cell: Cell) -> list[Region]:
    seen = flow.scene.visible_at(np.array([cell.row]), np.array([cell.col]))[0, 0]
    return [region_of("scaled", cell.head, cell.row, cell.col)] if seen else []


def _before_weights(flow: _Flow, cell: Cell) -> list[Region]:
    keys = flow.counted_keys(cell.row)
    return [region_of("masked", cell.head, cell.row, keys if cell.col in keys else cell.col)]


def _before_head_outputs(flow: _Flow, cell: Cell) -> list[Region]:
    head, keys = cell.head or 0, flow.counted_keys(cell.row)
    return [
        region_of("weights", head, cell.row, keys),
        region_of("v", flow.scene.kv_head(head), keys, cell.col),
    ]


def _before_concat(flow: _Flow, cell: Cell) -> list[Region]:
    head, col = divmod(cell.col, flow.scene.d_v)
    return [region_of("head_outputs", head, cell.row, col)]


def _before_output(flow: _Flow, cell: Cell) -> list[Region]:
    scene = flow.scene
    bias = _bias(scene, "b_o", cell.col)
    if scene.w_o is None:
        return [region_of("concat", None, cell.row, cell.col), *bias]
    joined = np.arange(scene.heads * scene.d_v)
    return [region_of("concat", None, cell.row, joined), region_of("w_o", None, joined, cell.col), *bias]


BEFORE: dict[str, Callable[[_Flow, Cell], list[Region]]] = {
    **{place: _before_nothing for place in MATRICES},
    "q": _before_projection,
    "k": _before_projection,
    "v": _before_projection,
    "scores": _before_scores,
    "scaled": _before_scaled,
    "masked": _before_masked,
    "weights": _before_weights,
    "head_outputs": _before_head_outputs,
    "concat": _before_concat,
    "output": _before_output,
}


# ---- one step on; all of a region at once, so that `reach` costs the same for 4 tokens and for 1024 ----


def _after(flow: _Flow, region: Region) -> Iterator[Region]:
    return (after for after in AFTER[region.place](flow, region) if not after.empty)


def _after_x(flow: _Flow, region: Region) -> list[Region]:
    own = [] if flow.scene.is_cross else _after_context(flow, region)
    return [region_of("q", head, region.rows, flow.all("q")[1]) for head in range(flow.scene.heads)] + own


def _after_context(flow: _Flow, region: Region) -> list[Region]:
    return [
        region_of(letter, group, region.rows, flow.all(letter)[1])
        for letter in ("k", "v")
        for group in range(flow.scene.groups)
    ]


def _after_matrix(flow: _Flow, region: Region) -> list[Region]:
    """From W_q, W_k, W_v or their biases: whole columns of the heads that own these columns."""
    letter = region.place.removeprefix("w_").removeprefix("b_")
    rows, width = flow.all(letter)[0], len(flow.all(letter)[1])
    return [
        region_of(
            letter, int(head), rows, flow.paired(letter, region.cols[region.cols // width == head] % width)
        )
        for head in np.unique(region.cols // width)
    ]


def _after_output_matrix(flow: _Flow, region: Region) -> list[Region]:
    return [region_of("output", None, flow.all("output")[0], region.cols)]


def _after_q(flow: _Flow, region: Region) -> list[Region]:
    return [region_of("scores", region.head, region.rows, flow.all("scores")[1])]


def _after_k(flow: _Flow, region: Region) -> list[Region]:
    queries = flow.all("scores")[0]
    return [region_of("scores", head, queries, region.rows) for head in flow.sharing(region.head or 0)]


def _after_v(flow: _Flow, region: Region) -> list[Region]:
    rows = flow.all("head_outputs")[0]
    if flow.scene.mask:
        rows = rows[rows_with(flow.counted, rows, region.rows)]
    return [region_of("head_outputs", head, rows, region.cols) for head in flow.sharing(region.head or 0)]


def _after_scores(flow: _Flow, region: Region) -> list[Region]:
    return [replace(region, place="scaled")]


def _after_scaled(flow: _Flow, region: Region) -> list[Region]:
    return [replace(region, place="masked", within=flow.visible if flow.scene.mask else None)]


def _after_masked(flow: _Flow, region: Region) -> list[Region]:
    """The whole row where it counts; a score hidden by −∞ gives its own weight only, a 0."""
    if not flow.scene.mask:
        return [region_of("weights", region.head, region.rows, flow.all("weights")[1])]
    whole = region_of("weights", region.head, flow.counted_rows(region), flow.all("weights")[1], flow.counted)
    if region.within is not None:  # visible scores only
        return [whole]
    return [whole, replace(region, place="weights", within=flow.uncounted)]


def _after_weights(flow: _Flow, region: Region) -> list[Region]:
    rows = flow.counted_rows(region) if flow.scene.mask else region.rows
    return [region_of("head_outputs", region.head, rows, np.arange(flow.scene.d_v))]


def _after_head_outputs(flow: _Flow, region: Region) -> list[Region]:
    start = (region.head or 0) * flow.scene.d_v
    return [region_of("concat", None, region.rows, start + region.cols)]


def _after_concat(flow: _Flow, region: Region) -> list[Region]:
    cols: Sequence[int] | Index = region.cols if flow.scene.w_o is None else flow.all("output")[1]
    return [region_of("output", None, region.rows, cols)]


def _after_output(flow: _Flow, region: Region) -> list[Region]:
    return []


AFTER: dict[str, Callable[[_Flow, Region], list[Region]]] = {
    "x": _after_x,
    "context": _after_context,
    "w_q": _after_matrix,
    "w_k": _after_matrix,
    "w_v": _after_matrix,
    "w_o": _after_output_matrix,
    "b_q": _after_matrix,
    "b_k": _after_matrix,
    "b_v": _after_matrix,
    "b_o": _after_output_matrix,
    "q": _after_q,
    "k": _after_k,
    "v": _after_v,
    "scores": _after_scores,
    "scaled": _after_scaled,
    "masked": _after_masked,
    "weights": _after_weights,
    "head_outputs": _after_head_outputs,
    "concat": _after_concat,
    "output": _after_output,
}
