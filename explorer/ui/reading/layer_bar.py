"""Which layer of an open folder is seen, and how to get to the next."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.files.layers import Run
from explorer.ui.boxes import ChoiceBox
from explorer.ui.flow import FlowRow
from explorer.ui.lab.pieces import Choice
from explorer.ui.reading.layer_folder import LayerFolder

HERE, ALL = "here", "all"


class LayerBar(QWidget):
    """Hidden where no folder is open."""

    layer_asked = Signal(int)  # from 0
    scope_changed = Signal()

    def __init__(self, folder: LayerFolder, parent: QWidget) -> None:
        super().__init__(parent)  # from the start: it may be shown at once
        self.setObjectName("layer_bar")
        self._folder = folder
        self._at: int | None = None
        self.before, self.after = step_buttons("layer", self._step)
        self.layer = ChoiceBox()
        self.layer.setObjectName("layer_choice")
        self.layer.setAccessibleName(self.tr("Layer"))
        self.layer.setPlaceholderText(self.tr("layers of the folder"))  # another session is seen meanwhile
        self.layer.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.layer.setMaximumWidth(420)
        self.layer.activated.connect(lambda index: self.layer_asked.emit(index))
        self.run = ChoiceBox()
        self.run.setObjectName("run_choice")
        self.run.setAccessibleName(self.tr("Forward pass"))
        self.run.activated.connect(self._choose_run)
        self.scope = Choice(
            ((HERE, self.tr("this layer")), (ALL, self.tr("all layers"))),
            lambda _key: self.scope_changed.emit(),
            self.tr("Layers"),
        )
        self.scope.show_key(HERE)
        self.state = QLabel()
        steps = QWidget()
        line = QHBoxLayout(steps)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        for widget in (self.before, self.layer, self.after):
            line.addWidget(widget)
        row = FlowRow()
        for widget in (steps, self.scope, self.run, self.state):  # those that come and go at the end
            row.add(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 2, 12, 4)
        layout.addWidget(row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        folder.changed.connect(self._fill)
        self._fill()

    @property
    def shows_all(self) -> bool:
        """Whether the heads of all layers are to be seen."""
        return self._folder.run is not None and self.scope.key == ALL

    def show_all_layers(self) -> None:
        """As if a person had asked for them."""
        self.scope.show_key(ALL)

    def show_place(self, path: Path | None, overview: bool) -> None:
        """The window shows the session at `path`; all layers can be seen in the overview alone."""
        self._at = self._folder.place_of(path)
        with QSignalBlocker(self.layer):
            self.layer.setCurrentIndex(-1 if self._at is None else self._at)
        count = self.layer.count()
        self.before.setEnabled(self._at is not None and self._at > 0)
        self.after.setEnabled(self._at is not None and self._at < count - 1)
        self.scope.setVisible(overview)
        waiting = overview and self.shows_all and not self._folder.complete
        text = self.tr("{done} of {count} layers read …").format(done=len(self._folder.heads), count=count)
        self.state.setText(text if waiting else "")
        self.state.setVisible(waiting)

    def _fill(self) -> None:
        run = self._folder.run
        self.setVisible(run is not None)
        if run is None:
            self.scope.show_key(HERE)
            return
        names = [f"{layer.number} · {layer.name}" for layer in run.layers]
        if names != [self.layer.itemText(index) for index in range(self.layer.count())]:
            with QSignalBlocker(self.layer):
                self.layer.clear()
                self.layer.addItems(names)
                for index, layer in enumerate(run.layers):
                    self.layer.setItemData(index, layer.path.name, Qt.ItemDataRole.ToolTipRole)
        with QSignalBlocker(self.run):
            self.run.clear()
            self.run.addItems([self._run_text(each) for each in self._folder.runs])
            self.run.setCurrentIndex(
                next((n for n, each in enumerate(self._folder.runs) if _same(each, run)), -1)
            )
        self.run.setVisible(len(self._folder.runs) > 1)

    def _run_text(self, run: Run) -> str:
        if run.call is None:
            return self.tr("other sessions")
        return self.tr("call {call}, item {item}").format(call=run.call, item=run.item)

    def _choose_run(self, index: int) -> None:
        at = self._at or 0
        self._folder.choose(self._folder.runs[index])
        self.layer_asked.emit(min(at, self.layer.count() - 1))

    def _step(self, step: int) -> None:
        if self._at is not None:
            self.layer_asked.emit(self._at + step)


def step_buttons(name: str, do: Callable[[int], None]) -> tuple[QToolButton, QToolButton]:
    """To the layer before and to the next one: `do` gets −1 or 1."""
    translate = QCoreApplication.translate
    before, after = QToolButton(text="◀"), QToolButton(text="▶")
    for button, which, text, step in (
        (before, "before", translate("LayerBar", "The layer before (Alt+PgUp)"), -1),
        (after, "after", translate("LayerBar", "The next layer (Alt+PgDown)"), 1),
    ):
        button.setObjectName(f"{name}_{which}")
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.setShortcut("Alt+PgUp" if step < 0 else "Alt+PgDown")
        button.clicked.connect(lambda _on=False, step=step: do(step))
    return before, after


def _same(a: Run, b: Run) -> bool:
    return (a.call, a.item) == (b.call, b.item)
