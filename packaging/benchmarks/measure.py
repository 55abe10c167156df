"""Times of many repetitions, and what is said about them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np


@dataclass(frozen=True)
class Times:
    """Milliseconds of repetitions of one thing."""

    values: tuple[float, ...]

    @property
    def p50(self) -> float:
        """Half of them were at most this long."""
        return float(np.percentile(self.values, 50))

    @property
    def p95(self) -> float:
        """19 of 20 were at most this long."""
        return float(np.percentile(self.values, 95))


def milliseconds(do: Callable[[], object]) -> float:
    """How long one call takes."""
    start = perf_counter()
    do()
    return (perf_counter() - start) * 1000


def in_turn(rivals: Sequence[Callable[[], float]], rounds: int, each: int, warm_up: int = 5) -> list[Times]:
    """Times of things compared with one another, measured in turn: what disturbs the machine disturbs all.

    A rival does its thing once and returns the milliseconds. `each` repetitions in a row, `rounds` times.
    """
    values: list[list[float]] = [[] for _ in rivals]
    for number in range(rounds):
        for rival, own in zip(rivals, values, strict=True):
            for _ in range(warm_up if number == 0 else 1):  # not counted: caches are the other's
                rival()
            own += [rival() for _ in range(each)]
    return [Times(tuple(own)) for own in values]
