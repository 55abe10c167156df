"""The menu of a grid: what the context menu and the ▾ of its section show."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSpinBox, QWidget, QWidgetAction

from explorer.scene import BIASES
from explorer.ui.grids.fill import FILLS
from explorer.ui.grids.matrices import MAX_SIDE

if TYPE_CHECKING:
    from explorer.ui.grids.view import MatrixGrid

Keys = QKeySequence.StandardKey | str


class GridMenu(QMenu):
    """Everything that can be done to a grid, made anew for its state each time it opens."""

    def __init__(self, grid: "MatrixGrid") -> None:
        super().__init__(grid)
        self._grid = grid
        self.aboutToShow.connect(self.build)

    def build(self) -> None:
        """Fill the menu for the grid as it is now."""
        self.clear()
        grid = self._grid
        block, commands = grid.block(), grid.commands
        if block is not None:
            self._add(self, self.tr("Copy"), grid.copy, QKeySequence.StandardKey.Copy)
            self._add(self, self.tr("Cut"), grid.cut, QKeySequence.StandardKey.Cut)
            self._add(self, self.tr("Paste"), grid.paste, QKeySequence.StandardKey.Paste)
        self._add(self, self.tr("Import table…"), grid.importer.ask)
        self.addSeparator()
        whole = block is None or block.size == 1
        self._build_fill(self.addMenu(self.tr("Fill") if whole else self.tr("Fill selection")))
        self.addSeparator()
        if commands.matrix.side is not None:
            self._build_tokens()
            self.addSeparator()
        self._build_sizes()
        if commands.name in (*BIASES, "w_o", "context"):
            self.addSeparator()
            text = self.tr("Remove {name}").format(name=commands.matrix.title)
            self._add(self, text, lambda: commands.switch(False))

    def _build_fill(self, menu: QMenu) -> None:
        for number, fill in enumerate(FILLS):
            if fill.random and not FILLS[number - 1].random:
                menu.addSeparator()
                menu.addAction(self._seed_row(menu))
            self._add(menu, fill.text, lambda fill=fill: self._grid.fill(fill))

    def _seed_row(self, menu: QMenu) -> QAction:
        """The seed of the next random fill, to read and to set."""
        commands = self._grid.commands
        row = QWidget(menu)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(22, 3, 12, 3)
        box = QSpinBox(row, minimum=0, maximum=999_999_999, value=commands.seed)
        box.setObjectName("seed")
        box.setAccessibleName(self.tr("Seed of the random numbers"))
        box.valueChanged.connect(commands.set_seed)
        layout.addWidget(QLabel(self.tr("Seed"), row))
        layout.addWidget(box, 1)
        action = QWidgetAction(menu)
        action.setDefaultWidget(row)
        return action

    def _build_tokens(self) -> None:
        grid, commands = self._grid, self._grid.commands
        block, count = grid.block(), grid.model().rowCount()
        if block is None:
            self._add(self, self.tr("Add token"), lambda: commands.insert_token(count))
            return
        several = len(block.rows) > 1
        self._add(self, self.tr("Insert token above"), lambda: commands.insert_token(block.top))
        self._add(self, self.tr("Insert token below"), lambda: commands.insert_token(block.bottom + 1))
        delete = self.tr("Delete tokens") if several else self.tr("Delete token")
        self._add(self, delete, lambda: commands.delete_tokens(block.rows)).setEnabled(
            len(block.rows) < count
        )
        up = self._add(self, self.tr("Move up"), lambda: grid.move_tokens(-1), "Alt+Shift+Up")
        up.setEnabled(block.top > 0)
        down = self._add(self, self.tr("Move down"), lambda: grid.move_tokens(1), "Alt+Shift+Down")
        down.setEnabled(block.bottom < count - 1)
        self._add(self, self.tr("Rename token…"), lambda: grid.rename_token(block.top))

    def _build_sizes(self) -> None:
        commands = self._grid.commands
        scene, matrix = commands.document.scene, commands.matrix
        sizes = [matrix.column_size(scene)]
        if matrix.rows is not None:
            sizes.append("d_model" if matrix.rows == "d_context" and not scene.is_cross else matrix.rows)
        for size in sizes:
            now = getattr(scene, size)
            for to, label in (
                (now + 1, self.tr("Grow {size} to {value}")),
                (now - 1, self.tr("Shrink {size} to {value}")),
            ):
                text = label.format(size=size, value=to)
                action = self._add(self, text, lambda size=size, to=to: commands.resize(size, to))
                action.setEnabled(1 <= to <= MAX_SIDE)

    def _add(self, menu: QMenu, text: str, do: Callable[[], object], key: Keys = "") -> QAction:
        # The key is shown, not bound: the grid itself answers to it, and only while it has the focus.
        shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        action = menu.addAction(f"{text}\t{shown}" if shown else text)
        action.triggered.connect(lambda checked=False: do())
        return action
