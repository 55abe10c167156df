"""What a block of a matrix can be filled with."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication

Shape = tuple[int, int]

DECIMALS = 3  # of random numbers: as many as a cell shows, so that a class calculates with what it sees


@dataclass(frozen=True)
class Fill:
    """One entry of the Fill menu; `make(shape, rng)` gives the numbers, the same for the same seed."""

    name: str
    make: "Callable[[Shape, np.random.Generator], NDArray[np.float64]]"  # numpy.random is loaded when it is used
    random: bool = False

    @property
    def text(self) -> str:
        """What the menu says."""
        return _texts()[self.name]


def _xavier(shape: Shape, rng: "np.random.Generator") -> NDArray[np.float64]:
    """Normal with variance 2/(fan_in + fan_out) (Glorot & Bengio 2010, equation 12)."""
    return (rng.standard_normal(shape) * np.sqrt(2 / sum(shape))).round(DECIMALS)


FILLS = (
    Fill("zeros", lambda shape, _: np.zeros(shape)),
    Fill("ones", lambda shape, _: np.ones(shape)),
    Fill("identity", lambda shape, _: np.eye(*shape)),
    Fill("uniform", lambda shape, rng: rng.uniform(-1, 1, shape).round(DECIMALS), random=True),
    Fill("normal", lambda shape, rng: rng.standard_normal(shape).round(DECIMALS), random=True),
    Fill("xavier", _xavier, random=True),
)


def _texts() -> dict[str, str]:
    return {
        "zeros": QCoreApplication.translate("Fill", "Zeros"),
        "ones": QCoreApplication.translate("Fill", "Ones"),
        "identity": QCoreApplication.translate("Fill", "Identity"),
        "uniform": QCoreApplication.translate("Fill", "Random, even from −1 to 1"),
        "normal": QCoreApplication.translate("Fill", "Random, normal"),
        "xavier": QCoreApplication.translate("Fill", "Random, scaled normal (Xavier)"),
    }
