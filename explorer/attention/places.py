"""Where a number can stand: the stages of a Trace, the matrices of a Scene; and what a cell is called.

`x` is one place, and so is `context`: grid and stage are the same cells, and an additive position is a step
of the cell itself. A cell of a per-head stage has its `head`, in `k` and `v` the K/V head; elsewhere None.
"""

from explorer.attention.formula import Sym, dot, entry, symbol
from explorer.attention.notation import Latex, Writer
from explorer.attention.trace import STAGE, Cell
from explorer.scene import MATRICES, Scene

PLACES = tuple(dict.fromkeys((*MATRICES, *STAGE)))  # in the order in which numbers flow

_LETTERS = {
    "x": "x", "context": "c", "q": "q", "k": "k", "v": "v",
    "scaled": "s", "masked": "s′", "weights": "α", "head_outputs": "o", "concat": "concat", "output": "y",
}  # fmt: skip

_MATRIX_TITLES = {
    "context": "context",
    "w_q": "query projection",
    "w_k": "key projection",
    "w_v": "value projection",
    "w_o": "output projection",
    "b_q": "query bias",
    "b_k": "key bias",
    "b_v": "value bias",
    "b_o": "output bias",
}


def source_place(scene: Scene) -> str:
    """Where keys and values come from."""
    return "context" if scene.is_cross else "x"


def heads_of(scene: Scene, place: str) -> int | None:
    """How many heads, or K/V heads, a place has; None where it has none."""
    per = STAGE[place].per if place in STAGE else "scene"
    return {"head": scene.heads, "kv_head": scene.groups, "scene": None}[per]


def shape_of(scene: Scene, place: str) -> tuple[int, int]:
    """(rows, columns) of one head of a place. Raises ValueError for a matrix that the scene does not have."""
    if place in MATRICES:
        table = scene.table(place)
        if table is None:
            raise ValueError(f"{place} is not set in this scene.")
        return table.shape[0], table.shape[1]
    stage = STAGE[place]
    columns = {
        "key": scene.m, "d_k": scene.d_k, "d_v": scene.d_v, "d_model": scene.d_model,
        "concat": scene.heads * scene.d_v, "d_out": scene.d_out,
    }  # fmt: skip
    return scene.n if stage.rows == "query" else scene.m, columns[stage.cols]


def row_labels(scene: Scene, stage: str) -> tuple[str, ...]:
    """A token per row of a stage."""
    return scene.tokens if STAGE[stage].rows == "query" else scene.key_tokens


def column_labels(scene: Scene, stage: str) -> tuple[str, ...]:
    """Per column of a stage its token, or its number; in concat with several heads "head,number"."""
    columns = STAGE[stage].cols
    if columns == "key":
        return scene.key_tokens
    if columns == "concat" and scene.heads > 1:
        return tuple(f"{h},{c}" for h in range(1, scene.heads + 1) for c in range(1, scene.d_v + 1))
    return tuple(map(str, range(1, shape_of(scene, stage)[1] + 1)))


def cell_at(scene: Scene, place: str, head: int | None, row: int, col: int) -> Cell:
    """The cell that a person counts from 1. Raises ValueError: one sentence that says what there is.

    `head` may be left out (None) where there is one; where a place has no heads it may be None or 1.
    """
    if place not in PLACES:
        grids = ", ".join(name for name in MATRICES if name not in STAGE)
        raise ValueError(
            f"There is no stage {place!r}; the stages are {', '.join(STAGE)}; the matrices {grids}."
        )
    rows, columns = shape_of(scene, place)
    count = heads_of(scene, place)
    kind = "K/V head" if place in STAGE and STAGE[place].per == "kv_head" else "head"
    if count is None and head not in (None, 1):
        raise ValueError(f"{place} has no heads, so there is no head {head} in it.")
    if count is not None and count > 1 and head is None:
        raise ValueError(f"{place} has {kind}s 1 to {count}; say which one.")
    which = 1 if head is None else head
    for what, asked, last in ((kind, which, count or 1), ("row", row, rows), ("column", col, columns)):
        if not 1 <= asked <= last:
            there = f"{what}s 1 to {last}" if last > 1 else f"{what} 1 only"
            raise ValueError(f"{place} has {there}; there is no {what} {asked}.")
    return Cell(place, None if count is None else which - 1, row - 1, col - 1)


def check(scene: Scene, cell: Cell) -> None:
    """Raises ValueError, as `cell_at` does, for a cell (from 0) that the scene does not have."""
    head = None if cell.head is None else cell.head + 1
    if cell_at(scene, cell.place, head, cell.row + 1, cell.col + 1) != cell:
        raise ValueError(f"{cell} should say head 0." if cell.head is None else f"{cell.place} has no heads.")


def is_there(scene: Scene, cell: Cell) -> bool:
    """Whether the scene has this cell."""
    try:
        check(scene, cell)
    except ValueError:
        return False
    return True


def sym_of(cell: Cell, head: bool = False, before: bool = False) -> Sym:
    """The cell's name in the field's notation, counted from 1; `head`: with its head, in LaTeX."""
    row, col = cell.row + 1, cell.col + 1
    if cell.place == "scores":
        name = dot(row, col)
        return (
            Sym(name.text, name.html, rf"({name.latex})^{{({cell.head + 1})}}")
            if head and cell.head is not None
            else name
        )
    if cell.place.startswith("b_"):
        return entry(cell.place, col)
    if cell.place.startswith("w_"):
        return entry(cell.place, row, col)
    over = str(cell.head + 1) if head and cell.head is not None else ""
    return symbol(_LETTERS[cell.place], row, col, over=over, before=before)


def name_of(scene: Scene, cell: Cell, writer: Writer) -> str:
    """'α₁,₂, head 2' in the writer's language; a lone head is not mentioned."""
    count = heads_of(scene, cell.place)
    if cell.head is None or count in (None, 1):
        return writer.write(sym_of(cell))
    if isinstance(writer, Latex):
        return writer.write(sym_of(cell, head=True))
    return f"{writer.write(sym_of(cell))}, {head_name(scene, cell)}"


def head_name(scene: Scene, cell: Cell) -> str:
    """'head 2', 'K/V head 1', or nothing for a cell without a head."""
    if cell.head is None or scene.heads == 1:
        return ""
    shared = cell.place in ("k", "v") and scene.groups != scene.heads
    return f"{'K/V head' if shared else 'head'} {cell.head + 1}"


def title_of(place: str) -> str:
    """What a place is, in a word or two: 'weights', 'key projection'."""
    return STAGE[place].title if place in STAGE else _MATRIX_TITLES[place]


def whereabouts(scene: Scene, cell: Cell) -> str:
    """The tokens: 'sat → cat' for a score or weight, else the row's; empty for a matrix without tokens."""
    if cell.place == "context":
        return scene.context_tokens[cell.row]
    if cell.place not in STAGE:
        return ""
    stage = STAGE[cell.place]
    token = (scene.tokens if stage.rows == "query" else scene.key_tokens)[cell.row]
    return f"{token} → {scene.key_tokens[cell.col]}" if stage.cols == "key" else token
