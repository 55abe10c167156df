"""What is read of one layer: the numbers that are drawn, and the facts of its heads. No widgets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from explorer.attention.heads import HeadFacts, drawn, head_facts, order
from explorer.attention.parts import value_lengths, weighted_lengths
from explorer.attention.trace import Cell, Trace
from explorer.scene import Array, Flags, Scene
from explorer.ui.panels.heatmap import Levels
from explorer.ui.reading.settings import Settings
from explorer.ui.reading.tiles import Key, Tile

MOST_NUMBERS = 2**24  # weights of all heads together, that are read: 16 heads of 1,024 tokens


@dataclass(frozen=True, eq=False)
class Heads:
    """The heads of a layer, as far as they are drawn."""

    weights: Array  # (H, n, m)
    send: Callable[[], Array]  # what `sent` is, once somebody asks
    hidden: Flags | None  # (n, m) of the cells that a mask hides; None where none are
    blind: Flags  # (n,): queries that attend to nothing
    facts: tuple[HeadFacts, ...]  # of the weights, whatever is drawn
    queries: tuple[str, ...]
    keys: tuple[str, ...]

    @cached_property
    def sent(self) -> Array:
        """(H, n, m): ‖αᵢⱼ·vⱼ·W^O_h‖, what each key really sends."""
        return self.send()

    def values(self, sent: bool) -> Array:
        """(H, n, m): what is drawn."""
        return self.sent if sent else self.weights

    def highest(self, sent: bool) -> float:
        """The strong end of the colours and of the lines: 1 for weights, else the largest number there is."""
        if not sent:
            return 1.0
        finite = self.sent[np.isfinite(self.sent)]
        return float(finite.max(initial=0.0)) or 1.0

    def tiles(self, settings: Settings, number: int | None = None) -> list[Tile]:
        """A Tile per head, in the order asked for."""
        values, highest = self.values(settings.sent), self.highest(settings.sent)
        left_out, filters = None, settings.filters
        if filters.threshold or filters.top:
            left_out = ~drawn(values / highest, filters.threshold, filters.top or None) & ~np.isnan(values)
        return [
            Tile(
                Key(number, head), values[head], self.hidden, None if left_out is None else left_out[head],
                Levels(0.0, highest), self.facts[head], self.queries, self.keys,
            )
            for head in order(self.facts, settings.sort)
        ]  # fmt: skip


def heads_of(trace: Trace, covered: frozenset[Cell] = frozenset()) -> Heads:
    """All of a trace; `covered` weights, which a class is to guess, have no number. Of a large one everything is
    computed here.
    """
    weights, visible = np.asarray(trace.weights), np.asarray(trace.visible)
    scene, lengths = trace.scene, value_lengths(trace.scene, trace)
    facts = head_facts(weights, visible, scene.is_cross)
    gone = [cell for cell in covered if cell.place == "weights"]
    if gone:
        weights = weights.copy()
        for cell in gone:
            if cell.row < scene.n and cell.col < scene.m:
                weights[cell.head or 0, cell.row, cell.col] = np.nan
    hidden = None if visible.all() else np.logical_not(visible)
    return Heads(
        weights,
        lambda: weighted_lengths(weights, lengths),
        hidden,
        trace.blind,
        facts,
        scene.tokens,
        scene.key_tokens,
    )


def is_too_large(scene: Scene) -> bool:
    """Whether nobody should wait for `heads_of`, nor could tell its lines apart."""
    return scene.heads * scene.n * scene.m > MOST_NUMBERS


def settled(new: list[Tile], old: Mapping[Key, Tile]) -> list[Tile]:
    """The new tiles, or in their place the old ones that look the same and so have their picture already."""
    return [
        earlier if (earlier := old.get(tile.key)) is not None and tile.looks_like(earlier) else tile
        for tile in new
    ]
