"""The scenes that are measured, and the edits made to them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from explorer.scene import Scene

WIDTH = 4  # columns of one head's queries, keys and values


@dataclass(frozen=True)
class Case:
    """n tokens and H heads in a window of `size` logical pixels, everything `scale` times the usual size.

    The cells are `zoom` times as large as fits the window's width; at least `numbers` have to be in view. With stages
    `hidden` (a person chooses that in the View menu) all the others have to be in view whole.
    """

    n: int
    heads: int
    size: tuple[int, int]
    limit_ms: float  # what p95 from edit to pixels may be
    scale: float = 1.0
    zoom: float = 1.0
    numbers: int = 0
    hidden: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """'n = 16, H = 8 at 1920 × 1080'; ', all in view'."""
        whole = ", all in view" if self.hidden else ""
        return f"n = {self.n}, H = {self.heads} at {self.size[0]} × {self.size[1]}{whole}"


HD, UHD = (1920, 1080), (3840, 2160)
FRAME_MS = 1000 / 60

# In the last two everything is so small that as many numbers as 8 heads × 3 stages have are in view at once. All 66
# panels have 14,336, for which no screen of this size has room; six stages fit, and nothing is scrolled away.
CASES = (
    Case(2, 1, HD, 5.0),
    Case(8, 4, HD, FRAME_MS),
    Case(16, 8, HD, FRAME_MS),
    Case(128, 8, HD, FRAME_MS),
    Case(16, 8, UHD, 33.0, scale=0.7, numbers=6_144),
    Case(16, 8, UHD, 33.0, scale=0.7, numbers=6_144, hidden=frozenset({"q", "k", "v", "masked"})),
)


def scene_of(n: int, heads: int, width: int = WIDTH, seed: int = 0) -> Scene:
    """A scene of normally distributed numbers that keep their size from stage to stage."""
    random = np.random.default_rng(seed)
    d_model = max(2, heads * width) if n > 2 else 2
    w_q, w_k, w_v, w_o = random.normal(size=(4, d_model, d_model)) / np.sqrt(d_model)
    return Scene(x=random.normal(size=(n, d_model)), w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=heads)


EDITS = ("w_q", "x")


def edited(scene: Scene, name: str, random: np.random.Generator) -> Scene:
    """One number of a matrix changed; in W_q one of the first head, which is in view, so that there is work to do."""
    matrix = scene.matrix(name)
    assert matrix is not None
    rows, cols = matrix.shape
    row, col = int(random.integers(rows)), int(random.integers(scene.d_k if name == "w_q" else cols))
    return scene.with_cell(name, row, col, float(matrix[row, col] + random.normal() / 4))


def edits(scene: Scene, seed: int = 1) -> Iterator[Scene]:
    """Without end: an edit of each of EDITS in turn, on top of the one before."""
    random = np.random.default_rng(seed)
    for name in cycle(EDITS):
        scene = edited(scene, name, random)
        yield scene
