"""What can be done to a matrix as a whole or to a block of it; each is one undo step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from explorer.document import Document
from explorer.files.table_files import from_offer
from explorer.files.tables import Table, TableError, joined, table_pieces
from explorer.patched import MOST
from explorer.patience import CancelledError, GoingOn
from explorer.reshape import delete_tokens, insert_tokens, moved_rows, reorder_tokens, resize
from explorer.scene import Array, Scene, SceneError
from explorer.ui.clipboard import gathered, offer, pieces_of, plain_of
from explorer.ui.grids.fill import Fill
from explorer.ui.grids.matrices import (
    MATRICES,
    cell_text,
    cells_text,
    changed_sizes,
    grow,
    switched,
    tokens,
    with_tokens,
)
from explorer.ui.lab.order import settled
from explorer.ui.problems import problem_text
from explorer.ui.waiting import Beside, changed, here


@dataclass(frozen=True)
class Block:
    """A rectangle of cells, from 0, corners included."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.bottom - self.top + 1, self.right - self.left + 1

    @property
    def size(self) -> int:
        """How many cells it has."""
        return self.shape[0] * self.shape[1]

    @property
    def rows(self) -> range:
        """Its rows."""
        return range(self.top, self.bottom + 1)

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Its cells in reading order."""
        return [(row, col) for row in self.rows for col in range(self.left, self.right + 1)]

    def of(self, values: Array) -> Array:
        """The numbers in it, a view."""
        return values[self.top : self.bottom + 1, self.left : self.right + 1]


@dataclass(frozen=True)
class Pasted:
    """What a table makes of a scene: `grown` to hold it (the old one, where it does already), then with its numbers."""

    old: Scene
    grown: Scene
    new: Scene
    target: Block


class GridCommands(QObject):
    """Edits one matrix of a Document. What cannot be done is said in one sentence (`problem`)."""

    problem = Signal(str)

    def __init__(self, document: Document, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.document, self.name, self.matrix = document, name, MATRICES[name]
        self.seed = 1  # of the next random fill; the menu shows it
        self.ask_seed: Callable[[], int | None] = self._next_seed
        self.confirm_growth: Callable[[str], bool] = self._confirm_growth
        self.reorder: Callable[[Scene, Sequence[int], str], Scene] = reorder_tokens  # the lab follows along
        self.beside: Beside = here  # what may take long: see Files.beside

    def set_seed(self, seed: int) -> None:
        """The seed of the next random fill."""
        self.seed = seed

    # ---- numbers ----

    def fill(self, fill: Fill, block: Block) -> None:
        """Fill a block; random numbers from the seed that `ask_seed` gives (None: rather not)."""
        if self.document.scene.table(self.name) is None:
            return
        seed = self.ask_seed() if fill.random else 0
        if seed is None:
            return
        numbers = fill.make(block.shape, np.random.default_rng(seed))
        text = self.tr("Fill {cells}: {kind}").format(cells=self._block_text(block), kind=fill.text)
        if fill.random:
            text += self.tr(" (seed {seed})").format(seed=seed)
        self._try(lambda scene: self._with_block(scene, block, numbers), text)

    def clear(self, block: Block) -> None:
        """Zeros."""
        text = self.tr("Clear {cells}").format(cells=self._block_text(block))
        self._try(lambda scene: self._with_block(scene, block, np.zeros(block.shape)), text)

    def copy(self, block: Block) -> bool:
        """The block as text on the clipboard, each number in full; False where nobody wanted to wait for it."""
        scene = self.document.scene
        try:
            text = self.beside(
                self.tr("Copying …"),
                lambda going_on: gathered(table_pieces(block.of(_matrix(scene, self.name))), going_on),
            )
        except CancelledError:
            return False
        offer(text)
        return True

    def cut(self, block: Block) -> None:
        """Copy, then zeros."""
        if self.copy(block):
            self.clear(block)

    def paste(self, data: QMimeData, block: Block) -> Block | None:
        """The table of what another program offers, from the first cell of `block` on; one number goes into all of it.

        A table that reaches beyond the matrix grows it, if `confirm_growth` says yes. Returns where it went.
        """
        text, html = plain_of(data), data.html() if data.hasHtml() else ""

        def pasted(going_on: GoingOn) -> Pasted:
            return self._pasted(from_offer(joined(pieces_of(text), going_on), html, going_on), block)

        try:
            return self._paste(self.beside(self.tr("Pasting …"), pasted))
        except (TableError, SceneError) as error:
            self.refuse(error)
        except CancelledError:
            pass
        return None

    def refuse(self, error: Exception) -> None:
        """Say what an error of the layers below says."""
        self.problem.emit(_sentence(str(error)))

    def _pasted(self, table: Table, block: Block) -> Pasted:
        if table.values.size == 1:
            table = Table(np.full(block.shape, table.values.item()))
        rows, cols = table.values.shape
        target = Block(block.top, block.left, block.top + rows - 1, block.left + cols - 1)
        old = self.document.scene
        grown = grow(old, self.name, target.bottom + 1, target.right + 1)
        new = self._with_block(grown, target, table.values)
        if table.row_labels is not None and self.matrix.side is not None:
            labels = tokens(new, self.matrix.side)
            labels = (*labels[: target.top], *table.row_labels, *labels[target.bottom + 1 :])
            new = with_tokens(new, self.matrix.side, labels)
        return Pasted(old, grown, new, target)

    def _paste(self, pasted: Pasted) -> Block | None:
        old, grown, target = pasted.old, pasted.grown, pasted.target
        if grown is not old and not self.confirm_growth(
            self.tr(
                "The pasted table is {rows} × {cols} and reaches beyond {name}. Grow it?"
                " ({sizes}; all else follows.)"
            ).format(
                rows=target.shape[0],
                cols=target.shape[1],
                name=self.matrix.title,
                sizes=changed_sizes(old, grown),
            )
        ):
            return None
        self.edit(
            pasted.new, self.tr("Paste into {cells}").format(cells=self._block_text(target, pasted.new))
        )
        return target

    # ---- tokens ----

    def insert_token(self, at: int, count: int = 1) -> None:
        """New rows of zeros before row `at`."""
        text = self.tr("Insert token {number}").format(number=at + 1)
        self._try(lambda scene: insert_tokens(scene, at, count, self._side), text)

    def delete_tokens(self, rows: Sequence[int]) -> None:
        """Without these rows."""
        text = self.tr("Delete token {number}").format(number=_range_text(rows))
        self._try(lambda scene: delete_tokens(scene, rows, self._side), text)

    def move_tokens(self, rows: Sequence[int], to: int) -> None:
        """These rows put before row `to`."""
        text = self.tr("Move token {number}").format(number=_range_text(rows))
        index = moved_rows(self.document.scene.n if self._side == "x" else self.document.scene.m, rows, to)
        if index != list(range(len(index))):
            self._try(lambda scene: self.reorder(scene, index, self._side), text)

    def rename_token(self, row: int, label: str) -> None:
        """Another label for a row."""
        text = self.tr("Rename token {number}").format(number=row + 1)

        def renamed(scene: Scene) -> Scene:
            labels = tokens(scene, self._side)
            return with_tokens(scene, self._side, (*labels[:row], label, *labels[row + 1 :]))

        self._try(renamed, text)

    @property
    def _side(self) -> str:
        assert self.matrix.side is not None
        return self.matrix.side

    # ---- sizes ----

    def resize(self, size: str, value: int) -> None:
        """Another width (a key of reshape.SIZES) for all matrices that have it."""
        text = self.tr("Resize {size} to {value}").format(size=size, value=value)
        self._try(lambda scene: resize(scene, **{size: value}), text)

    def switch(self, on: bool) -> None:
        """Set or unset a matrix that a scene can do without: W_o, a bias, the context."""
        text = (self.tr("Add {name}") if on else self.tr("Remove {name}")).format(name=self.matrix.title)
        self._try(lambda scene: switched(scene, self.name, on), text)

    # ---- how ----

    def _with_block(self, scene: Scene, block: Block, numbers: Array) -> Scene:
        if block.size <= MOST:
            return scene.with_cells(
                self.name, ((*cell, value) for cell, value in zip(block.cells, numbers.flat, strict=True))
            )
        old = _matrix(scene, self.name)
        new = np.array(old, dtype=np.float64)
        block.of(new)[:] = numbers
        same = np.array_equal(new, old, equal_nan=True) and np.array_equal(np.signbit(new), np.signbit(old))
        return scene if same else scene.with_matrix(self.name, new)

    def _block_text(self, block: Block, scene: Scene | None = None) -> str:
        values = (scene or self.document.scene).table(self.name)
        if values is not None and block.shape == values.shape:
            return self.matrix.title
        first, last = (block.top, block.left), (block.bottom, block.right)
        return cell_text(self.name, *first) if block.size == 1 else cells_text(self.name, (first, last))

    def edit(self, scene: Scene, text: str) -> None:
        """Make it the Document's Scene; an undo step of its own."""
        self.document.end_merge()
        self.document.edit(settled(scene), text)

    def _try(self, change: Callable[[Scene], Scene], text: str) -> None:
        try:
            self.edit(changed(self.document.scene, change, text, self.beside), text)
        except SceneError as error:
            self.refuse(error)
        except CancelledError:
            pass

    def _next_seed(self) -> int | None:
        self.seed += 1
        return self.seed - 1

    def _confirm_growth(self, question: str) -> bool:
        parent = self.parent()
        assert isinstance(parent, QWidget)
        answer = QMessageBox.question(parent, self.tr("Another size"), question)
        return answer == QMessageBox.StandardButton.Yes


def _matrix(scene: Scene, name: str) -> Array:
    """One that is set."""
    values = scene.matrix(name)
    assert values is not None
    return values


def _range_text(rows: Sequence[int]) -> str:
    return str(rows[0] + 1) if len(rows) == 1 else f"{min(rows) + 1}–{max(rows) + 1}"


def _sentence(text: str) -> str:
    return problem_text(text if text.endswith((".", "?", "!", "。", "？")) else text + ".")
