"""Matrices of the Scene as panels, so that the presenter shows inputs and stages alike."""

from explorer.attention.trace import Stage, Trace
from explorer.scene import Array, Flags, Scene
from explorer.ui.panels import PANELS
from explorer.ui.panels.kinds import StagePanel
from explorer.ui.present.steps import Item

SIGNED = "signed"


class MatrixPanel(StagePanel):
    """One matrix of the Scene; a projection shows the columns of one head."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.group = "present"
        self.stage = Stage(name, name, "scene", "row", "column", SIGNED, "", "", "")

    def columns(self, scene: Scene, head: int | None) -> range:
        """The columns of the matrix that are shown."""
        matrix = scene.table(self.name)
        assert matrix is not None
        blocks = {"w_q": scene.heads, "w_k": scene.groups, "w_v": scene.groups}.get(self.name, 1)
        width = matrix.shape[1] // blocks
        first = (head or 0) * width if blocks > 1 else 0
        return range(first, first + width)

    def shape(self, scene: Scene) -> tuple[int, int]:
        matrix = scene.table(self.name)
        assert matrix is not None
        return matrix.shape[0], len(self.columns(scene, 0))

    def matrix(self, trace: Trace, head: int | None) -> Array:
        matrix = trace.scene.matrix(self.name)
        assert matrix is not None
        columns = self.columns(trace.scene, head)
        return matrix[:, columns.start : columns.stop]

    def all(self, trace: Trace) -> Array:
        matrix = trace.scene.matrix(self.name)
        assert matrix is not None
        return matrix

    def written(self, trace: Trace) -> Array:
        return self.all(trace)

    def hidden(self, trace: Trace) -> Flags | None:
        return None

    def row_labels(self, scene: Scene) -> tuple[str, ...]:
        if self.name in ("x", "context"):
            return scene.tokens if self.name == "x" else scene.context_tokens
        return tuple(str(row) for row in range(1, self.shape(scene)[0] + 1))

    def column_labels(self, scene: Scene) -> tuple[str, ...]:
        return tuple(str(col) for col in range(1, self.shape(scene)[1] + 1))

    def column_head(self, scene: Scene, col: int) -> int | None:
        return None

    def formula(self, scene: Scene, head: int | None) -> str:
        letter = {"x": "X", "context": "C", "w_o": "W<sup>O</sup>"}.get(self.name)
        if letter is not None:
            return letter
        number = f",{(head or 0) + 1}" if scene.heads > 1 else ""
        return f"W<sub>{self.name[-1]}{number}</sub>"


def kind_of(item: Item, scene: Scene) -> StagePanel:
    """How the presenter draws an item."""
    stages = {kind.name: kind for kind in PANELS}
    if item.place in stages and not (item.place == "x" and not stages["x"].present(scene)):
        return stages[item.place]
    return MatrixPanel(item.place)
