"""The lines between words: which there are, where they run, which is meant by a click. No widgets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.attention.heads import drawn
from explorer.scene import Array, Flags

MOST = 20_000  # lines that are drawn: the strongest
NOTHING = 0.1  # of what each key would get if all got the same: a line below that is not seen, whatever it stands for


@dataclass(frozen=True, eq=False)
class Links:
    """One entry per line, the weakest first, so that the strongest lie on top."""

    heads: NDArray[np.intp]
    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    strengths: Array  # above 0, at most 1: how opaque
    seen: Flags  # all but those that are next to nothing
    left_out: int  # lines beyond MOST

    def __len__(self) -> int:
        return len(self.heads)

    def touching(self, row: int | None = None, col: int | None = None) -> Flags:
        """Which of them leave this query, or reach this key; all where neither is given."""
        flags = np.ones(len(self), dtype=bool)
        if row is not None:
            flags &= self.rows == row
        if col is not None:
            flags &= self.cols == col
        return flags

    def index_of(self, head: int, row: int, col: int) -> int | None:
        """The line of this weight, if it is drawn."""
        found = np.flatnonzero((self.heads == head) & (self.rows == row) & (self.cols == col))
        return int(found[0]) if len(found) else None


def blended(
    links: Links, flags: Flags, colours: NDArray[np.uint8], faintest: float
) -> tuple[Array, Array, Array]:
    """What is seen of the flagged lines: lines of several heads between the same words are one, the strongest on top.

    Returns the queries, the keys, and (lines, 4) red, green, blue and opacity, 0 … 1, the most opaque last. `colours`:
    (heads, 3) bytes, begun anew where there are more heads; `faintest`: the opacity of the weakest line.
    """
    order = np.flatnonzero(flags)
    pairs, which = np.unique(np.stack([links.rows[order], links.cols[order]]), axis=1, return_inverse=True)
    which = which.ravel()
    found = np.zeros((pairs.shape[1], 4))
    opacity = np.maximum(links.strengths[order], faintest)
    colour = colours[links.heads[order] % len(colours)] / 255.0
    turn = _turns(which)
    for number in range(int(turn.max(initial=-1)) + 1):  # at most once for each head
        now = turn == number
        at, over = which[now], opacity[now, None]
        found[at, :3] = colour[now] * over + found[at, :3] * (1 - over)
        found[at, 3] = over[:, 0] + found[at, 3] * (1 - over[:, 0])
    found[:, :3] /= np.maximum(found[:, 3:], 1e-12)
    ranked = np.argsort(found[:, 3], kind="stable")
    return pairs[0, ranked], pairs[1, ranked], found[ranked]


def _turns(groups: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each entry how many of the same group come before it."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.searchsorted(ordered, ordered, side="left")
    turns = np.empty(len(groups), dtype=np.intp)
    turns[order] = np.arange(len(groups)) - starts
    return turns


def links_of(values: Array, heads: Sequence[int], highest: float, threshold: float, top: int | None) -> Links:
    """The lines of some heads: `values` (H, n, m), all of them over `highest`, the opaque end; `threshold` 0 … 1 is a
    share of it. For `top` see `drawn`.
    """
    chosen = np.array(heads, dtype=np.intp)
    picked = values[chosen] / (highest or 1.0)
    which, rows, cols = drawn(picked, threshold, top).nonzero()
    strengths = np.minimum(picked[which, rows, cols], 1.0)
    ranked = np.argsort(strengths, kind="stable")
    kept = ranked[max(0, len(ranked) - MOST) :]
    seen = strengths[kept] * values.shape[2] >= NOTHING
    return Links(chosen[which[kept]], rows[kept], cols[kept], strengths[kept], seen, len(ranked) - len(kept))


def nearest(ends: Array, point: tuple[float, float], reach: float) -> int | None:
    """The line (x₁, y₁, x₂, y₂ per row) that passes closest to a point, within `reach`; of equals the last."""
    if not len(ends):
        return None
    start, way = ends[:, :2], ends[:, 2:] - ends[:, :2]
    to = np.asarray(point) - start
    length = np.maximum((way * way).sum(axis=1), 1e-12)
    along = np.clip((to * way).sum(axis=1) / length, 0.0, 1.0)
    distance = np.hypot(*(to - along[:, None] * way).T)
    best = len(distance) - 1 - int(distance[::-1].argmin())
    return best if distance[best] <= reach else None
