"""What the grids know about each matrix of a Scene: title, what its rows and columns are, how it grows."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from explorer.reshape import SIZES, delete_tokens, insert_tokens, resize, with_bias, with_w_o
from explorer.scene import BIASES, Scene, SceneError, shape_text
from explorer.ui.crossing import with_cross

MAX_SIDE = 4096  # rows or columns that a paste may grow a matrix to


@dataclass(frozen=True)
class Matrix:
    """One editable matrix. `rows` and `cols` name the size that each follows (a key of reshape.SIZES).

    Rows are tokens where `side` is set ("x" or "context"); a bias is one row and has neither.
    """

    name: str
    symbol: str
    rows: str | None
    cols: str
    side: str | None = None

    @property
    def title(self) -> str:
        """What texts call it."""
        return QCoreApplication.translate("Grids", "Context") if self.name == "context" else self.symbol

    def column_size(self, scene: Scene) -> str:
        """The size that the columns follow in this scene; without W_o that of b_o is d_v."""
        return "d_v" if self.name == "b_o" and scene.w_o is None else self.cols

    def column_blocks(self, scene: Scene) -> int | None:
        """Into how many heads the columns are cut: H or G; None where the columns are not cut."""
        if self.name in ("w_k", "w_v", "b_k", "b_v"):
            return scene.groups
        return scene.heads if self.column_size(scene) in ("d_k", "d_v") else None

    def row_blocks(self, scene: Scene) -> int | None:
        """Into how many heads the rows are cut: H for W_o, whose rows take the joined heads, else None."""
        return scene.heads if self.name == "w_o" else None

    def shape_text(self, scene: Scene) -> str:
        """'n × d_model = 4 × 4', '4 × 4 · 2 heads × d_k 2'; empty where the matrix is not set."""
        table = scene.table(self.name)
        if table is None:
            return ""
        shape = str(table.shape[1]) if self.name in BIASES else shape_text(table)
        blocks, size = self.column_blocks(scene), self.column_size(scene)
        if (self.row_blocks(scene) or 1) > 1:
            blocks, size = scene.heads, "d_v"
        if blocks is not None and blocks > 1:
            heads = QCoreApplication.translate("Grids", "{count} heads × {size}").format(
                count=blocks, size=size
            )
            return f"{shape} · {heads} {getattr(scene, size)}"
        rows = {"x": "n", "context": "m"}.get(self.side or "", self.rows)
        if rows is None:
            return f"{size} = {shape}"
        if rows == "d_context" and not scene.is_cross:
            rows = "d_model"
        return f"{rows} × {size} = {shape}"


MATRICES = {
    matrix.name: matrix
    for matrix in (
        Matrix("x", "X", None, "d_model", "x"),
        Matrix("context", "Context", None, "d_context", "context"),
        Matrix("w_q", "W_q", "d_model", "d_k"),
        Matrix("w_k", "W_k", "d_context", "d_k"),
        Matrix("w_v", "W_v", "d_context", "d_v"),
        Matrix("w_o", "W_o", "d_v", "d_out"),
        Matrix("b_q", "b_q", None, "d_k"),
        Matrix("b_k", "b_k", None, "d_k"),
        Matrix("b_v", "b_v", None, "d_v"),
        Matrix("b_o", "b_o", None, "d_out"),
    )
}


def cell_text(name: str, row: int, col: int) -> str:
    """How texts call a cell, counted from 1: `W_q[2,3]`; a bias has one index."""
    where = f"{col + 1}" if name.startswith("b_") else f"{row + 1},{col + 1}"
    return f"{MATRICES[name].title}[{where}]"


def cells_text(name: str, cells: Sequence[tuple[int, int]]) -> str:
    """Likewise for several cells of a block, in reading order: `W_q[1,1 … 2,3]`."""
    first = cell_text(name, *cells[0])
    if len(cells) == 1:
        return first
    last = cell_text(name, *cells[-1])
    return f"{first[:-1]} … {last[last.index('[') + 1 :]}"


def edit_text(name: str, row: int, col: int) -> str:
    """What the undo step of one number is called."""
    return QCoreApplication.translate("Grids", "Edit {cell}").format(cell=cell_text(name, row, col))


def tokens(scene: Scene, side: str) -> tuple[str, ...]:
    """The labels of the rows of x or context."""
    return scene.tokens if side == "x" else scene.context_tokens


def with_tokens(scene: Scene, side: str, labels: tuple[str, ...]) -> Scene:
    """Other labels; the same Scene if they are those already."""
    if labels == tokens(scene, side):
        return scene
    return scene.replace(**{"tokens" if side == "x" else "context_tokens": labels})


def query_heads(scene: Scene, block: int, blocks: int) -> tuple[int, ...]:
    """The query heads that read block `block` of `blocks`: itself, or all that share one K/V head."""
    return tuple(h for h in range(scene.heads) if h * blocks // scene.heads == block)


def grow(scene: Scene, name: str, rows: int, cols: int) -> Scene:
    """The scene in which this matrix is at least rows × cols; the others follow, new numbers are 0.

    Columns that heads share grow per head, so there may be more than asked for. Raises SceneError where the
    matrix cannot grow (a second row of a bias) or would pass 4096 rows or columns.
    """
    matrix = MATRICES[name]
    old = scene.table(name)
    assert old is not None
    if any(wanted > max(MAX_SIDE, there) for wanted, there in zip((rows, cols), old.shape, strict=True)):
        sentence = QCoreApplication.translate(
            "Grids", "{name} would be {shape}; a grid grows to {most} at most."
        )
        raise SceneError(
            name, sentence.format(name=matrix.title, shape=f"{rows:,} × {cols:,}", most=f"{MAX_SIDE:,}")
        )
    if rows > old.shape[0]:
        if matrix.side is not None:
            scene = insert_tokens(scene, old.shape[0], rows - old.shape[0], matrix.side)
        elif matrix.rows is None:
            sentence = QCoreApplication.translate("Grids", "{name} is one row; {rows} rows do not fit in.")
            raise SceneError(name, sentence.format(name=matrix.title, rows=rows))
        else:
            scene = resize(scene, **{matrix.rows: -(-rows // (matrix.row_blocks(scene) or 1))})
    if cols > old.shape[1]:
        scene = resize(scene, **{matrix.column_size(scene): -(-cols // (matrix.column_blocks(scene) or 1))})
    return scene


def switched(scene: Scene, name: str, on: bool) -> Scene:
    """With or without a matrix that a scene can do without: W_o, a bias, the context."""
    if name in BIASES:
        return with_bias(scene, name, on)
    if name == "w_o":
        return with_w_o(scene, on)
    return with_cross(scene, on)


def fit(scene: Scene, name: str, rows: int, cols: int) -> Scene:
    """The scene in which this matrix is exactly rows × cols, set if it was not; the others follow, as in `grow`.

    Rows of tokens come and go at the end. Raises SceneError where it cannot be.
    """
    if scene.table(name) is None:
        scene = switched(scene, name, True)
    matrix = MATRICES[name]
    blocks = {"rows": matrix.row_blocks(scene) or 1, "columns": matrix.column_blocks(scene) or 1}
    for side, count in (("rows", rows), ("columns", cols)):
        if count % blocks[side]:
            raise SceneError(name, _uneven(side).format(name=matrix.title, count=count, heads=blocks[side]))
    old = scene.table(name)
    assert old is not None
    if matrix.side is not None and rows < old.shape[0]:
        scene = delete_tokens(scene, range(rows, old.shape[0]), matrix.side)
    elif matrix.rows is not None and rows < old.shape[0]:
        scene = resize(scene, **{matrix.rows: rows // blocks["rows"]})
    if cols < old.shape[1]:
        scene = resize(scene, **{matrix.column_size(scene): cols // blocks["columns"]})
    return grow(scene, name, rows, cols)


def _uneven(side: str) -> str:
    if side == "rows":
        return QCoreApplication.translate(
            "Grids", "{name} would have {count} rows, which {heads} heads cannot share evenly."
        )
    return QCoreApplication.translate(
        "Grids", "{name} would have {count} columns, which {heads} heads cannot share evenly."
    )


def changed_sizes(old: Scene, new: Scene) -> str:
    """'n 2 → 3, d_model 2 → 5': the sizes in which two scenes differ."""
    names = ["n", *(["m"] if old.is_cross else []), *SIZES]
    if not old.is_cross:
        names.remove("d_context")
    return ", ".join(
        f"{name} {before} → {after}"
        for name in names
        if (before := getattr(old, name)) != (after := getattr(new, name))
    )
