"""What the heads of a layer do, each in a few numbers, so that many can be told apart; which weights to draw.

Counted are the queries about which a head can say something: those that see more than one key and are no padding
(in self-attention a token that no query may see is padding, as a query too).
"""

from dataclasses import dataclass

import numpy as np

from explorer.scene import Array, Flags, Index

SINK = 0.9  # a head whose queries put so much of their weight on one key, on average, sits on it
LEAST_ROWS = 3  # so many queries have to be counted before a head is called a sink


@dataclass(frozen=True)
class HeadFacts:
    """One head. A share is the mean weight over the counted queries that may see the key in question.

    NaN where there is no such query, or no such key: with a context of its own no key is a query's own or previous one.
    """

    entropy: float  # bits: the mean over the counted queries of −Σ α·log₂ α
    first: float  # share of the first key that any query may see
    previous: float  # share of the key just before the query
    own: float  # share of the query itself
    sink: int | None  # the key, from 0, on which nearly all weight sits; see SINK
    sunk: float  # the largest share that any one key has, over all counted queries


MEASURES = ("entropy", "first", "previous", "own")  # by which heads can be sorted


@dataclass(frozen=True, eq=False)
class HeadMeans:
    """What the facts are made from, of each head; means are over the counted queries."""

    entropy: Array  # (H,)
    columns: Array  # (H, m): mean weights
    picked: Array  # (H, k, n): the weight that each query puts on each of its `keys_asked`


def head_facts(weights: Array, visible: Flags, is_cross: bool) -> tuple[HeadFacts, ...]:
    """The facts of each head: `weights` (H, n, m), `visible` (n, m)."""
    rows = counted(visible, is_cross)
    exact = np.asarray(weights, dtype=np.float64)
    if not rows.any():
        return _nothing(len(exact))
    keys = keys_asked(visible, is_cross)
    picked = exact[:, np.arange(len(rows)), keys]
    means = HeadMeans(_entropies(exact[:, rows]).mean(axis=1), exact[:, rows].mean(axis=1), picked)
    return facts_of(means, visible, is_cross)


def keys_asked(visible: Flags, is_cross: bool) -> Index:
    """(k, n): of each query the first key that any may see, and where the keys are the queries the previous and its
    own.
    """
    n = len(visible)
    first, each = np.full(n, int(visible.any(axis=0).argmax())), np.arange(n)
    return first[None] if is_cross else np.stack([first, np.maximum(each - 1, 0), each])


def facts_of(means: HeadMeans, visible: Flags, is_cross: bool) -> tuple[HeadFacts, ...]:
    """The facts of each head from its means."""
    rows = counted(visible, is_cross)
    if not rows.any():
        return _nothing(len(means.entropy))
    each = np.arange(len(visible))
    among = [rows, rows & (each > 0), rows]  # of the first key, the previous and a query's own
    shares = np.full((3, len(means.entropy)), np.nan)
    for number, keys in enumerate(keys_asked(visible, is_cross)):
        where = among[number] & visible[each, keys]
        if where.any():
            shares[number] = means.picked[:, number, where].mean(axis=1)
    sat_on = np.nan_to_num(means.columns, nan=-1.0).argmax(axis=1)
    many = rows.sum() >= LEAST_ROWS and visible.shape[1] > 1
    found = []
    for head, key in enumerate(sat_on.tolist()):
        sunk = float(means.columns[head, key])
        first, previous, own = shares[:, head].tolist()
        sink = key if many and sunk >= SINK else None
        found.append(HeadFacts(float(means.entropy[head]), first, previous, own, sink, sunk))
    return tuple(found)


def _nothing(count: int) -> tuple[HeadFacts, ...]:
    nan = float("nan")
    return (HeadFacts(nan, nan, nan, nan, None, nan),) * count


def counted(visible: Flags, is_cross: bool) -> Flags:
    """(n,): the queries that say something about a head."""
    rows: Flags = visible.sum(axis=1) > 1
    return rows if is_cross else rows & visible.any(axis=0)


def _entropies(weights: Array) -> Array:
    """(H, rows): −Σ α·log₂ α over the last axis, in bits; NaN where a weight is NaN."""
    safe = np.where(weights == 0, 1.0, weights)
    return np.asarray(-(weights * np.log2(safe)).sum(axis=-1) + 0.0)


def order(facts: tuple[HeadFacts, ...], by: str) -> list[int]:
    """The heads, from 0, as they are to stand: by number, by entropy the sharpest first, by a share the largest
    first; those without such a number last.
    """
    if by not in MEASURES:
        return list(range(len(facts)))
    values = np.array([getattr(each, by) for each in facts])
    values = np.where(np.isnan(values), np.inf, values if by == "entropy" else -values)
    return [int(head) for head in np.argsort(values, kind="stable")]


def drawn(values: Array, threshold: float, top: int | None) -> Flags:
    """(…, n, m): which of the numbers to draw: those above 0 that reach `threshold` and are among the `top` largest
    of their query (None: all). Of equal ones the earlier keys count as larger. NaN is not drawn.
    """
    with np.errstate(invalid="ignore"):
        flags: Flags = (values > 0) & (values >= threshold)
    if top is not None and top < values.shape[-1]:
        ranked = np.argsort(-np.nan_to_num(values, nan=-np.inf), axis=-1, kind="stable")[..., :top]
        among = np.zeros(values.shape, dtype=bool)
        np.put_along_axis(among, ranked, True, axis=-1)
        flags = flags & among
    return flags
