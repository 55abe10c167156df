"""Which array of a file, which table of an array: chosen in a dialog with a preview."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.checkpoints.attention_layer import Layer, layers
from explorer.files.arrays import ArrayFile, View, axis_pairs
from explorer.files.tables import TableError
from explorer.files.tensors import Entry
from explorer.scene import Array
from explorer.ui import theme
from explorer.ui.boxes import ChoiceBox, CountBox, StepBox, TickBox
from explorer.ui.imports.choice import Choice, LayerChoice, TableChoice
from explorer.ui.imports.preview import Preview
from explorer.ui.problems import problem_text

DATA = Qt.ItemDataRole.UserRole
MOST_AXES = 6  # beyond two, each has a box for its index


class Chooser(QDialog):
    """`choice()` is what stands in it. `target` is the title of the matrix, `shape` what it is now (None: not set)."""

    def __init__(
        self,
        file: ArrayFile,
        target: str,
        shape: tuple[int, int] | None,
        heads: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("chooser")
        self.setWindowTitle(self.tr("Import from {file}").format(file=file.name))
        self._file, self._target, self._shape = file, target, shape
        self._indices: list[StepBox] = []
        self._kept: tuple[Entry, Array] | None = None
        self.list = QTreeWidget()
        self.list.setObjectName("tensors")
        self.heads = CountBox(lambda: layer.possible_heads if (layer := self._layer) else (1,))
        self.heads.setObjectName("chooser_heads")
        self._wanted_heads = heads
        self.axes = ChoiceBox()
        self.axes.setObjectName("axes")
        self.transposed = TickBox(self.tr("Transpose"))
        self.transposed.setObjectName("transpose")
        self.told = QLabel(wordWrap=True)
        self.told.setObjectName("told")
        self.preview = Preview()
        self._build()
        self._fill()
        self.list.currentItemChanged.connect(self._show_entry)
        self.axes.currentIndexChanged.connect(self._show_axes)
        self.transposed.toggled.connect(self._show_table)
        self.heads.valueChanged.connect(self._show_layer)
        self.list.setCurrentItem(self.list.topLevelItem(0))
        self.resize(self.sizeHint())  # a first guess of Qt's is two thirds of the screen at most

    def choice(self) -> Choice | None:
        """What is chosen now; None where that cannot be imported."""
        if (layer := self._layer) is not None:
            heads = self.heads.value()
            return LayerChoice(layer, heads) if heads in layer.possible_heads else None
        entry = self._entry
        return None if entry is None or self.preview.values.size == 0 else TableChoice(entry, self._view)

    @property
    def _layer(self) -> Layer | None:
        data = self._data
        return data if isinstance(data, Layer) else None

    @property
    def _entry(self) -> Entry | None:
        data = self._data
        return data if isinstance(data, Entry) else None

    @property
    def _data(self) -> object:
        item = self.list.currentItem()
        return None if item is None else item.data(0, DATA)

    @property
    def _view(self) -> View:
        rows, columns = self.axes.currentData() or (-2, -1)
        at = tuple(box.value() - 1 for box in self._indices)
        return View(rows, columns, at, self.transposed.isChecked())

    # ---- building ----

    def _build(self) -> None:
        self.list.setHeaderLabels([self.tr("Tensor"), self.tr("Shape"), self.tr("Type")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names differ at both ends
        self.list.setMinimumWidth(22 * self.fontMetrics().height())
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._fields = QFormLayout()
        self._fields.addRow(self.tr("Heads"), self.heads)
        self._fields.addRow(self.tr("Rows and columns"), self.axes)
        self._slots = QWidget()
        self._slot_fields = QFormLayout(self._slots)
        self._slot_fields.setContentsMargins(0, 0, 0, 0)
        self._fields.addRow(self.tr("Index on"), self._slots)
        self._fields.addRow("", self.transposed)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._import = self.buttons.addButton(self.tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole)
        self._import.setObjectName("import")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        side = QVBoxLayout()
        side.setSpacing(10)
        side.addWidget(self.told)
        side.addLayout(self._fields)
        side.addWidget(self.preview, 1)
        side.addStretch()  # takes the room of the preview where there is none
        whole = QHBoxLayout()
        whole.setSpacing(16)
        whole.addWidget(self.list, 1)
        whole.addLayout(side, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(whole, 1)
        layout.addWidget(self.buttons)

    def sizeHint(self) -> QSize:
        unit = self.fontMetrics().height()
        return QSize(56 * unit, 30 * unit)

    def _fill(self) -> None:
        """Whole layers first: whoever has one wants it whole."""
        bold = theme.ui_font()
        bold.setBold(True)
        for layer in layers(self._file):
            name = self.tr("All matrices: {layer}").format(
                layer=layer.prefix.rstrip(".") or "MultiheadAttention"
            )
            item = QTreeWidgetItem(self.list, [name, f"D = {layer.width}", ""])
            item.setFont(0, bold)
            item.setData(0, DATA, layer)
        for entry in self._file.entries:
            shape = " × ".join(map(str, entry.shape)) or "1"
            item = QTreeWidgetItem(self.list, [entry.name or self._file.name, shape, entry.kind_name])
            item.setToolTip(0, entry.name)
            item.setData(0, DATA, entry)

    # ---- following ----

    def _show_entry(self) -> None:
        layer, entry = self._layer, self._entry
        axes = len(entry.shape) if entry is not None else 0
        with QSignalBlocker(self.axes), QSignalBlocker(self.transposed):
            self.axes.clear()
            for rows, columns in axis_pairs(axes) if 2 < axes <= MOST_AXES else ():
                assert entry is not None
                text = self.tr("axes {rows} and {columns}: {shape}").format(
                    rows=rows + 1, columns=columns + 1, shape=f"{entry.shape[rows]} × {entry.shape[columns]}"
                )
                self.axes.addItem(text, (rows, columns))
            self.axes.setCurrentIndex(0 if self.axes.count() else -1)
            self.transposed.setChecked(entry is not None and self._is_sideways(entry))
        for field, shown in (
            (self.heads, layer is not None),
            (self.axes, self.axes.count() > 0),
            (self._slots, self.axes.count() > 0),
            (self.transposed, layer is None),
        ):
            self._fields.setRowVisible(field, shown)
        self.preview.setVisible(layer is None)
        if layer is not None:
            possible = layer.possible_heads
            self.heads.show_count(self._wanted_heads if self._wanted_heads in possible else 1)
            self._show_layer()
        else:
            self._show_axes()

    def _is_sideways(self, entry: Entry) -> bool:
        """Whether the matrix has the shape of the transposed table: a torch Linear's weight is [out, in]."""
        return (
            self._shape is not None
            and len(entry.shape) == 2
            and entry.shape != self._shape
            and entry.shape[::-1] == self._shape
        )

    def _show_axes(self) -> None:
        """A box per axis that is neither rows nor columns."""
        while self._slot_fields.rowCount():
            self._slot_fields.removeRow(0)
        self._indices.clear()
        entry, pair = self._entry, self.axes.currentData()
        if entry is not None and pair is not None:
            for axis in (axis for axis in range(len(entry.shape)) if axis not in pair):
                box = StepBox()
                box.setRange(1, max(1, entry.shape[axis]))
                box.setSuffix(self.tr(" of {count}").format(count=entry.shape[axis]))
                box.setObjectName(f"axis_{axis + 1}")
                box.valueChanged.connect(self._show_table)
                self._slot_fields.addRow(self.tr("axis {number}").format(number=axis + 1), box)
                self._indices.append(box)
        self._show_table()

    def _show_table(self) -> None:
        entry = self._entry
        if entry is None:
            return
        try:
            if len(entry.shape) > MOST_AXES:
                raise TableError(
                    f"{self._file.name}: it has {len(entry.shape)} axes; at most {MOST_AXES} are shown"
                )
            if 0 in entry.shape:
                raise TableError(f"{self._file.name}: it holds no numbers")
            values = self._view.of(self._read(entry))
        except TableError as error:
            self.preview.hide()
            self.preview.show_table(self.preview.values[:0, :0])
            self._tell(problem_text(str(error)) + ".", error=True)
            return
        self.preview.show()
        self.preview.show_table(values)
        now = f"{values.shape[0]} × {values.shape[1]}"
        if self._shape == values.shape:
            self._tell(self.tr("{table}, as {name} is.").format(table=now, name=self._target))
        elif self._shape is None:
            self._tell(
                self.tr("{table}, for {name}, which is not set now.").format(table=now, name=self._target)
            )
        else:
            was = f"{self._shape[0]} × {self._shape[1]}"
            text = self.tr("{table}; {name} is {shape} and would change.")
            self._tell(text.format(table=now, name=self._target, shape=was))

    def _read(self, entry: Entry) -> Array:
        """Its numbers, kept while it is looked at."""
        if self._kept is None or self._kept[0] is not entry:
            self._kept = entry, self._file.read(entry)
        return self._kept[1]

    def _show_layer(self) -> None:
        layer = self._layer
        if layer is None:
            return
        heads = self.heads.value()
        if heads in layer.possible_heads:
            text = self.tr(
                "W_q, W_k, W_v, W_o and the biases become those of this layer: {width} wide, {heads} heads of"
                " {each}. The file does not say how many heads there are."
            )
            self._tell(text.format(width=layer.width, heads=heads, each=layer.width // heads))
        else:
            text = self.tr("{heads} heads do not divide {width} evenly.")
            self._tell(text.format(heads=heads, width=layer.width), error=True)

    def _tell(self, sentence: str, error: bool = False) -> None:
        palette = self.told.palette()
        colours = theme.current()
        palette.setColor(self.told.foregroundRole(), colours.error if error else colours.text)
        self.told.setPalette(palette)
        self.told.setText(sentence)
        self._import.setEnabled(not error)
