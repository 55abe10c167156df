"""What a notebook does for the same numbers, where its libraries are installed: matplotlib, BertViz."""

import io
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.measure import milliseconds
from explorer.attention.trace import Trace

STAGES = ("scores", "scaled", "weights")
NAMES = ("matplotlib", "bertviz")
LAYER = (512, 12)  # tokens and heads of one layer of a model


@dataclass(frozen=True)
class Notebook:
    """Milliseconds of one redraw, and the bytes that it hands to the browser."""

    ms: float
    size: int


def missing() -> list[str]:
    """What is not installed here, and therefore not compared."""
    return [name for name in NAMES if find_spec(name) is None]


def matplotlib_redraw(trace: Trace) -> Notebook | None:
    """A grid of heat maps with numbers, heads × three stages, as a cell of a notebook draws and shows it."""
    try:
        matplotlib = import_module("matplotlib")
    except ImportError:
        return None
    matplotlib.use("Agg")
    plt = import_module("matplotlib.pyplot")
    shown = io.BytesIO()

    def draw() -> None:
        heads = trace.scene.heads
        side = 1 + 0.45 * trace.scene.n
        figure, axes = plt.subplots(heads, len(STAGES), squeeze=False, figsize=(3 * side, heads * side))
        for head in range(heads):
            for axis, stage in zip(axes[head], STAGES, strict=True):
                _heat_map(axis, trace.matrix(stage, head).tolist())
        figure.savefig(shown, format="png")  # what the inline backend does
        plt.close(figure)

    return Notebook(milliseconds(draw), len(shown.getvalue()))


def _heat_map(axis: Any, matrix: list[list[float]]) -> None:
    axis.imshow(matrix, cmap="viridis")
    for row, values in enumerate(matrix):
        for col, value in enumerate(values):
            axis.text(col, row, f"{value:.2f}", ha="center", va="center", color="white", fontsize=7)


def bertviz_view(trace: Trace) -> Notebook | None:
    """The head view of one layer as HTML, before a browser starts on it."""
    try:
        head_view = import_module("bertviz").head_view
        torch = import_module("torch")
    except ImportError:
        return None
    weights = torch.tensor(trace.weights)[None]  # (1, H, n, m)
    pages: list[str] = []

    def view() -> None:
        page = head_view(attention=[weights], tokens=list(trace.scene.tokens), html_action="return")
        pages.append(str(page.data))

    return Notebook(milliseconds(view), len(pages[0].encode()))
