"""Gradients and saturation: what a number answers to, and why softmax stops answering."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from explorer.attention.saturation import Spread, jacobian_norm, softmax_jacobian, spread
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.engine import AT_ONCE, work
from explorer.numbers import compact_number
from explorer.scene import BIASES, Scene
from explorer.ui.lab.heat import HeatMaps, Matrix
from explorer.ui.lab.pieces import Choice, Heading, Words, muted
from explorer.ui.lab.plot import Curve, Plot
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.lab.worker import Worker
from explorer.ui.panels.heatmap import Levels
from explorer.ui.problems import problem_text
from explorer.ui.texts import cell_text, head_text, place_title

GRADIENT, JACOBIAN, SCALING = "gradient", "jacobian", "scaling"
WIDTHS = tuple(2**power for power in range(11))  # of a head: 1 … 1024
USUAL = 64  # the base Transformer's d_k
ROWS = ("scores", "scaled", "masked", "weights")  # stages whose rows go through softmax
TITLES = {
    "x": "X", "context": "C", "w_q": "W<sub>q</sub>", "w_k": "W<sub>k</sub>", "w_v": "W<sub>v</sub>",
    "w_o": "W<sup>O</sup>", "b_q": "b<sub>q</sub>", "b_k": "b<sub>k</sub>", "b_v": "b<sub>v</sub>",
    "b_o": "b<sub>o</sub>",
}  # fmt: skip


class GradientsTool(Tool):
    """Keeps {"show": one of three, "d_k": of the slider}, each only where it is not the usual one."""

    name = "gradients"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("GradientsTool", "Gradients and saturation")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "GradientsTool", "Which inputs does a number answer to, and why are scores divided by √d_k?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._trace: Trace | None = None
        self._worker = Worker(self)
        self.choice = Choice(
            (
                (GRADIENT, self.tr("gradient")),
                (JACOBIAN, self.tr("softmax of a row")),
                (SCALING, self.tr("why √d_k")),
            ),
            self._choose,
            self.tr("Show"),
        )
        self.page.addWidget(self.choice)
        self.words = Words()
        self.words.setObjectName("gradient_words")
        self.page.addWidget(self.words)
        self.note = muted()
        self.page.addWidget(self.note)
        self.maps = HeatMaps()
        self.page.addWidget(self.maps)
        self.scaling = _Scaling(self._set_width)
        self.page.addWidget(self.scaling)
        self.page.addStretch(1)
        bench.selection.changed.connect(lambda _cell: self._show())

    @property
    def shown_part(self) -> str:
        """Which of the three parts is open."""
        show = self.kept.get("show") if isinstance(self.kept, Mapping) else None
        return show if show in (JACOBIAN, SCALING) else GRADIENT

    @property
    def width_of_head(self) -> int:
        """d_k of the slider."""
        width = self.kept.get("d_k") if isinstance(self.kept, Mapping) else None
        return width if type(width) is int and width in WIDTHS else USUAL

    def show_scene(self, scene: Scene) -> None:
        self.choice.show_key(self.shown_part)
        self.scaling.setVisible(self.shown_part == SCALING)
        self.maps.setVisible(self.shown_part != SCALING)
        if self.shown_part == SCALING:
            self.words.say("")
            self.note.setText(
                self.tr(
                    "Random q and k of unit variance, eight keys a query: the scores spread like √d_k, and softmax"
                    " of widely spread scores picks one key and has next to no gradient."
                )
            )
            self.scaling.show_width(self.width_of_head)

    def show_trace(self, trace: Trace) -> None:
        self._trace = trace
        self._show()

    def leave(self) -> None:
        self._worker.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leave()

    # ---- what is kept ----

    def _choose(self, key: str) -> None:
        self._keep(
            "show", None if key == GRADIENT else key, self.tr("Show {what}"), self.choice.buttons[key].text()
        )

    def _set_width(self, width: int) -> None:
        self._keep("d_k", None if width == USUAL else width, "d_k = {what}", str(width), "gradients d_k")

    def _keep(self, key: str, value: Any, text: str, what: str, merge: str | None = None) -> None:
        old = dict(self.kept) if isinstance(self.kept, Mapping) else {}
        if old.get(key) != value:
            new = {k: v for k, v in old.items() if k != key} | ({} if value is None else {key: value})
            self.keep(new or None, text.format(what=what), merge)

    # ---- what is seen ----

    def _show(self) -> None:
        trace = self._trace
        if trace is None or not self.isVisible() or trace.scene is not self.scene:
            return
        if self.shown_part == GRADIENT:
            self._show_gradient(trace)
        elif self.shown_part == JACOBIAN:
            self._show_jacobian(trace)

    def _show_gradient(self, trace: Trace) -> None:
        cell, scene = self.chosen, trace.scene
        if cell is None or cell.place not in STAGE:
            self.words.say(self.tr("Choose a number in the panels: a weight, or one of the output."))
            self.note.setText("")
            self.maps.show_all([], trace)
            return
        if work(scene) <= AT_ONCE:
            try:
                found = _gradient(scene, cell)
            except ValueError as error:
                found = error
            self._show_found(trace, cell, found)
        else:
            self.words.say(self.tr("Computing…"))
            self._worker.run(
                lambda: _gradient(scene, cell), lambda found: self._show_found(trace, cell, found)
            )

    def _show_found(self, trace: Trace, cell: Cell, found: Any) -> None:
        scene = trace.scene
        if scene is not self.scene or cell != self.chosen:
            return
        if isinstance(found, Exception):
            self.words.say(problem_text(str(found)))
            self.maps.show_all([], trace)
            return
        text = self.tr(
            "{cell} = {value}: what it gains when a number below grows by 1, as far as a line can tell."
        )
        self.words.say(text.format(cell=cell_text(scene, cell), value=compact_number(found.value)))
        largest = found.largest()
        if largest:
            self.note.setText(
                self.tr("One scale of colours for all: ±{largest}.").format(largest=compact_number(largest))
            )
        else:
            self.note.setText(self.tr("It answers to nothing here: every derivative is 0."))
        span = Levels(-(largest or 1.0), largest or 1.0)
        self.maps.show_all(
            [
                self._matrix(scene, name, found.matrix(name), span)
                for name in TITLES
                if name in found.matrices
            ],
            trace,
        )

    def _matrix(self, scene: Scene, name: str, values: Any, span: Levels) -> Matrix:
        rows, columns = values.shape
        labels = {"x": scene.tokens, "context": scene.context_tokens}.get(name)
        if labels is None:
            labels = ("",) if name in BIASES else tuple(str(r) for r in range(1, rows + 1))
        blocks = {"w_q": scene.heads, "w_k": scene.groups, "w_v": scene.groups}.get(name)
        return Matrix(
            values,
            f"∂ / ∂{TITLES[name]}",
            self.tr("gradient · {matrix}").format(matrix=place_title(name)),
            labels,
            tuple(str(c) for c in range(1, columns + 1)),
            place=name,
            span=span,
            column_heads=None if blocks is None else tuple(c * blocks // columns for c in range(columns)),
        )

    def _show_jacobian(self, trace: Trace) -> None:
        cell, scene = self.chosen, trace.scene
        if cell is None or cell.place not in ROWS or cell.head is None:
            self.words.say(self.tr("Choose a weight or a score in the panels: its row goes through softmax."))
            self.note.setText("")
            self.maps.show_all([], trace)
            return
        row = trace.weights[cell.head, cell.row]
        norm = float(jacobian_norm(np.asarray(row, dtype=float)))
        text = self.tr("Softmax of row “{token}”, {head}: what each weight gains when a score grows by 1.")
        self.words.say(text.format(token=scene.tokens[cell.row], head=head_text(cell.head + 1)))
        text = self.tr(
            "Size (Frobenius norm) {norm}, of 0.5 at most. Near 0 softmax is saturated: nothing is learned."
        )
        self.note.setText(text.format(norm=compact_number(norm)))
        tokens = scene.key_tokens
        title = "∂α<sub>i</sub> / ∂s<sub>j</sub>"
        spoken = self.tr("derivative of each weight by each score")
        hidden = None
        if not trace.visible[cell.row].all():
            blocked = np.logical_not(trace.visible[cell.row])
            hidden = blocked[:, None] | blocked[None, :]
        self.maps.show_all(
            [Matrix(softmax_jacobian(row), title, spoken, tokens, tokens, place="jacobian", hidden=hidden)],
            trace,
        )


class _Scaling(QWidget):
    """A slider on d_k; what it does to random scores, with and without the division."""

    def __init__(self, set_width: Any) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setColumnStretch(0, 1)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setObjectName("d_k_slider")
        self.slider.setAccessibleName("d_k")
        self.slider.setRange(0, len(WIDTHS) - 1)
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.valueChanged.connect(lambda power: set_width(WIDTHS[power]))
        self.width_text = Heading()
        grid.addWidget(self.width_text, 0, 0, 1, 3)
        grid.addWidget(self.slider, 1, 0, 1, 3)
        names = (
            self.tr("spread of the scores"), self.tr("largest weight, mean"), self.tr("gradient of softmax, mean"),
        )  # fmt: skip
        for column, text in ((1, self.tr("plain")), (2, "÷ √d_k")):
            grid.addWidget(QLabel(text, alignment=Qt.AlignmentFlag.AlignRight), 2, column)
        self.numbers: dict[tuple[int, bool], QLabel] = {}
        for row, name in enumerate(names):
            grid.addWidget(QLabel(name, wordWrap=True), 3 + row, 0)
            for column, scaled in ((1, False), (2, True)):
                label = QLabel(alignment=Qt.AlignmentFlag.AlignRight)
                self.numbers[row, scaled] = label
                grid.addWidget(label, 3 + row, column)
        self.expected = muted()
        grid.addWidget(self.expected, 6, 0, 1, 3)
        self.plot = Plot(self.tr("Gradient of softmax over d_k"))
        grid.addWidget(Heading(self.tr("Gradient of softmax over d_k")), 7, 0, 1, 3)
        grid.addWidget(self.plot, 8, 0, 1, 3)

    def show_width(self, width: int) -> None:
        """Show the numbers for one d_k."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(WIDTHS.index(width))
        self.width_text.setText(f"d_k = {width}")
        for scaled in (False, True):
            found = _spread(width, scaled)
            values = (found.deviation, found.largest_weight, found.gradient_norm)
            for row, value in enumerate(values):
                self.numbers[row, scaled].setText(compact_number(value))
        text = self.tr("Expected spread: √d_k = {plain}, and 1 once divided.")
        self.expected.setText(text.format(plain=compact_number(_spread(width, False).expected)))
        curves = [
            Curve(name, WIDTHS, [_spread(w, scaled).gradient_norm for w in WIDTHS], colour, dots=True)
            for name, scaled, colour in ((self.tr("plain"), False, 1), ("÷ √d_k", True, 0))
        ]
        self.plot.show_curves(curves, "d_k", log=(True, False), mark=width)


@lru_cache(maxsize=2 * len(WIDTHS))
def _spread(width: int, scaled: bool) -> Spread:
    return spread(width, scaled=scaled)


def _gradient(scene: Scene, cell: Cell) -> Any:
    from explorer.attention.gradients import gradient  # brings torch

    return gradient(scene, cell)
