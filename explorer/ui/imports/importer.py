"""Tables from files into one grid's matrix, each one undo step."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QObject
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from explorer.files import arrays, table_files
from explorer.files.arrays import ArrayFile, View
from explorer.files.tables import Table, TableError
from explorer.patience import CancelledError, GoingOn
from explorer.scene import BIASES, Scene, SceneError
from explorer.ui.grids.commands import Block, GridCommands
from explorer.ui.grids.matrices import changed_sizes, fit, tokens, with_tokens
from explorer.ui.imports.choice import Choice, LayerChoice, TableChoice
from explorer.ui.imports.drop import files_of
from explorer.ui.waiting import Result

FILES = " ".join(f"*{suffix}" for suffix in (*table_files.SUFFIXES, *arrays.SUFFIXES))


class Importer(QObject):
    """Brings tables into the matrix of `commands`. `ask_file` and `choose` are what it asks a person.

    Give other callables where nobody sits before it. Whether sizes may change, `commands.confirm_growth` is asked.
    """

    def __init__(self, commands: GridCommands) -> None:
        super().__init__(commands)
        self._commands = commands
        self.ask_file: Callable[[], Path | None] = self._file_dialog
        self.choose: Callable[[ArrayFile], Choice | None] = self._chooser

    @property
    def _scene(self) -> Scene:
        return self._commands.document.scene

    @property
    def _title(self) -> str:
        return self._commands.matrix.title

    def ask(self) -> None:
        """Import a file that a person chooses."""
        if (path := self.ask_file()) is not None:
            self.import_file(path)

    def take(self, offer: QMimeData, block: Block) -> Block | None:
        """What was pasted or dropped: a file takes the whole matrix, text goes where `block` begins."""
        if files := files_of(offer):
            if len(files) == 1:
                self.import_file(files[0])
            else:
                text = self.tr("These are {count} files, and {name} takes one.")
                self._commands.problem.emit(text.format(count=len(files), name=self._title))
            return None
        return self._commands.paste(offer, block)

    def import_file(self, path: Path) -> None:
        """The matrix becomes the table in a file, or all matrices the layer in it; says why where they cannot."""
        try:
            if arrays.is_arrays(path):
                self._import_arrays(self._beside(path.name, lambda _going_on: arrays.load(path)))
            else:
                self._replace(lambda going_on: table_files.load(path, going_on), path.name)
        except (TableError, SceneError) as error:
            self._commands.refuse(error)
        except CancelledError:
            pass

    def _import_arrays(self, file: ArrayFile) -> None:
        only = file.entries[0]
        if len(file.entries) == 1 and self._fits(only.shape):
            choice: Choice | None = TableChoice(only, View())
        else:
            choice = self.choose(file)
        if isinstance(choice, TableChoice):
            entry, view = choice.entry, choice.view
            self._replace(lambda _going_on: Table(view.of(file.read(entry))), file.name)
        elif isinstance(choice, LayerChoice):
            from explorer.checkpoints import attention_layer  # when it is first asked for

            old, layer, heads = self._scene, choice.layer, choice.heads
            scene = self._beside(file.name, lambda _going_on: attention_layer.fill(old, file, layer, heads))
            self._commands.edit(scene, self.tr("Fill all matrices from {file}").format(file=file.name))

    def _fits(self, shape: tuple[int, ...]) -> bool:
        """Whether there is nothing to ask about an array: the matrix has its shape."""
        matrix = self._scene.matrix(self._commands.name)
        return matrix is not None and (shape == matrix.shape or (1, *shape) == matrix.shape)

    def _beside(self, name: str, task: Callable[[GoingOn], Result]) -> Result:
        result: Result = self._commands.beside(self.tr("Reading {name} …").format(name=name), task)
        return result

    def _replace(self, read: Callable[[GoingOn], Table], file: str) -> None:
        old = self._scene
        fitted, new = self._beside(file, lambda going_on: self._replaced(old, read(going_on), file))
        if sizes := changed_sizes(old, fitted):
            rows, cols = new.matrix(self._commands.name).shape
            question = self.tr(
                "The table is {rows} × {cols}. Give {name} that size? ({sizes}; all else follows.)"
            ).format(rows=rows, cols=cols, name=self._title, sizes=sizes)
            if not self._commands.confirm_growth(question):
                return
        self._commands.edit(new, self.tr("Import {file} into {name}").format(file=file, name=self._title))

    def _replaced(self, old: Scene, table: Table, file: str) -> tuple[Scene, Scene]:
        """The scene with all sizes as the table has them, then with its numbers and labels."""
        name, values = self._commands.name, table.values
        if values.size == 0:
            raise TableError(f"{file}: it holds no numbers")
        if name in BIASES and values.shape[1] == 1:
            values = values.T  # a column of them is the row that a bias is
        new = fitted = fit(old, name, *values.shape)
        before = fitted.matrix(name)
        if before is None or not np.array_equal(before, values, equal_nan=True):
            new = fitted.with_matrix(name, values)
        side = self._commands.matrix.side
        if (
            side is not None
            and table.row_labels is not None
            and len(table.row_labels) == len(tokens(new, side))
        ):
            new = with_tokens(new, side, table.row_labels)
        return fitted, new

    # ---- dialogs ----

    def _widget(self) -> QWidget:
        parent = self._commands.parent()
        assert isinstance(parent, QWidget)
        return parent.window()

    def _file_dialog(self) -> Path | None:
        title = self.tr("Import a table into {name}").format(name=self._title)
        kinds = self.tr("Tables and arrays ({files})").format(files=FILES)
        rest = self.tr("All files")
        name, _filter = QFileDialog.getOpenFileName(self._widget(), title, "", f"{kinds};;{rest} (*)")
        return Path(name) if name else None

    def _chooser(self, file: ArrayFile) -> Choice | None:
        matrix = self._scene.matrix(self._commands.name)
        from explorer.ui.imports.chooser import Chooser  # when it is first asked for

        dialog = Chooser(
            file, self._title, None if matrix is None else matrix.shape, self._scene.heads, self._widget()
        )
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        choice = dialog.choice() if accepted else None
        dialog.deleteLater()
        return choice
