"""W^O taken apart: what each head adds to the output, and what is left when a head is switched off."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QSignalBlocker
from PySide6.QtWidgets import QWidget

from explorer.attention.parts import contributions, value_weighted, without_heads
from explorer.attention.trace import Cell, Trace
from explorer.numbers import compact_number
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.boxes import TickBox
from explorer.ui.flow import FlowRow
from explorer.ui.lab.heat import HeatMaps, Matrix
from explorer.ui.lab.kept import remembered
from explorer.ui.lab.lens import Look, largest, largest_changes
from explorer.ui.lab.pieces import Choice, Heading, Words, muted
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.panels.heatmap import Levels, levels
from explorer.ui.texts import head_text, place_title

OFF = "off"


class Parts(Tool):
    """Keeps {"off": the heads that are switched off, counted from 1}."""

    name = "parts"

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Parts", "W^O taken apart")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Parts", "What does each head add to the output, and what is left without it?"
        )

    @classmethod
    def look(cls, scene: Scene, show: str) -> Look | None:
        off = kept_off(remembered(scene, cls.name), scene)
        if show != OFF or not off:
            return None
        text = QCoreApplication.translate(
            "Parts", "Switched off: {heads}. The output is what the others make."
        )
        names = ", ".join(head_text(head + 1) for head in sorted(off))
        return Look(lambda trace: without_heads(trace.scene, trace, off), text.format(heads=names))

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.page.addWidget(Heading(self.tr("Heads that count")))
        self.ticks: list[TickBox] = []
        self._row: QWidget = FlowRow()
        self.page.addWidget(self._row)
        self.left = Words()
        self.left.setObjectName("what_is_left")
        self.page.addWidget(self.left)
        self.choice = Choice(
            (("sum", self.tr("what each adds")), ("sent", self.tr("what each key sends"))),
            lambda _key: self._show(),
            self.tr("Show"),
        )
        self.choice.show_key("sum")
        self.page.addWidget(self.choice)
        self.note = muted()
        self.page.addWidget(self.note)
        self.maps = HeatMaps()
        self.page.addWidget(self.maps)
        self.page.addStretch(1)
        self._trace: Trace | None = None
        theme.watcher().changed.connect(self._colour_ticks)

    @property
    def off(self) -> frozenset[int]:
        """The heads that are switched off, from 0."""
        return kept_off(self.kept, self.scene) if self.shown == OFF else frozenset()

    def show_scene(self, scene: Scene) -> None:
        if len(self.ticks) != scene.heads:
            self._make_ticks(scene.heads)
        for head, tick in enumerate(self.ticks):
            with QSignalBlocker(tick):
                tick.setChecked(head not in self.off)

    def show_trace(self, trace: Trace) -> None:
        self._trace = trace
        self._show()

    # ---- heads on and off ----

    def _make_ticks(self, count: int) -> None:
        row = FlowRow()
        self.ticks = []
        for head in range(count):
            tick = TickBox(head_text(head + 1))
            tick.setObjectName(f"head_on_{head + 1}")
            tick.toggled.connect(partial(self._toggle, head))
            row.add(tick)
            self.ticks.append(tick)
        self.page.replaceWidget(self._row, row)
        self._row.deleteLater()
        self._row = row
        self._colour_ticks()

    def _colour_ticks(self) -> None:
        for head, tick in enumerate(self.ticks):
            tick.setStyleSheet(f"color: {theme.current().head_colour(head).name()};")

    def _toggle(self, head: int, on: bool) -> None:
        off = self.off - {head} if on else self.off | {head}
        text = self.tr("Switch on {head}") if on else self.tr("Switch off {head}")
        kept = {"off": [h + 1 for h in sorted(off)]} if off else None
        self.keep_look(OFF if off else "", text.format(head=head_text(head + 1)), kept)

    # ---- what is seen ----

    def _show(self) -> None:
        trace = self._trace
        if trace is None:
            return
        self._show_left(trace)
        adds = self.choice.key == "sum"
        if adds:
            self.note.setText(
                self.tr("The output is the sum over the heads of head·W^O_h, and of b_o where there is one.")
            )
        else:
            self.note.setText(
                self.tr(
                    "Beside the weights α the length ‖α·v·W^O_h‖: a large weight on a short value moves little."
                )
            )
        matrices = self._sums(trace) if adds else self._sent(trace)
        for heat in self.maps.show_all(matrices, trace):
            heat.cell_pressed.connect(self._select)

    def _show_left(self, trace: Trace) -> None:
        if not self.off:
            self.left.say(self.tr("All heads count. Switch one off to see what is left."))
            return
        left = without_heads(trace.scene, trace, self.off)
        change, _size = largest_changes(trace, left)["output"]
        text = self.tr("Without them the output changes by up to {change}; its largest number is {largest}.")
        self.left.say(
            text.format(change=compact_number(change), largest=compact_number(largest(trace.output)))
        )

    def _sums(self, trace: Trace) -> list[Matrix]:
        scene = trace.scene
        found = contributions(scene, trace)
        found[sorted(self.off)] = 0
        columns = [str(c) for c in range(1, found.shape[2] + 1)]
        shown = without_heads(scene, trace, self.off).output
        span = levels(np.concatenate([found, shown[None]]), "signed")
        heads = [
            Matrix(
                found[head],
                f"head<sub>{head + 1}</sub> W<sup>O</sup><sub>{head + 1}</sub>",
                self.tr("what {head} adds").format(head=head_text(head + 1)),
                scene.tokens,
                columns,
                place="part",
                head=head,
                span=span,
            )
            for head in range(scene.heads)
        ]
        bias = "" if scene.b_o is None else " + b<sub>o</sub>"
        title = f"Σ<sub>h</sub> head<sub>h</sub> W<sup>O</sup><sub>h</sub>{bias}"
        whole = Matrix(shown, title, place_title("output"), scene.tokens, columns, place="output", span=span)
        return [*heads, whole]

    def _sent(self, trace: Trace) -> list[Matrix]:
        scene = trace.scene
        sent = value_weighted(scene, trace)
        span = Levels(0.0, largest(sent) or 1.0)
        hidden = None if trace.visible.all() else np.logical_not(trace.visible)
        matrices = []
        for head in range(scene.heads):
            shared = {
                "rows": scene.tokens, "columns": scene.key_tokens, "head": head, "colours": "unit", "hidden": hidden,
            }  # fmt: skip
            name = head_text(head + 1)
            matrices.append(
                Matrix(
                    trace.weights[head],
                    f"A<sub>{head + 1}</sub>",
                    f"{place_title('weights')} · {name}",
                    place="weights",
                    span=Levels(0.0, 1.0),
                    **shared,
                )
            )
            matrices.append(
                Matrix(
                    sent[head],
                    f"‖α v W<sup>O</sup><sub>{head + 1}</sub>‖",
                    self.tr("what each key sends · {head}").format(head=name),
                    place="sent",
                    span=span,
                    **shared,
                )
            )
        return matrices

    def _select(self, cell: Cell) -> None:
        """A number here that is also one of a panel is chosen there."""
        if cell.place in ("weights", "sent"):
            self.bench.selection.select(cell._replace(place="weights"))
        elif cell.place == "output":
            self.bench.selection.select(cell)


def kept_off(entry: Any, scene: Scene) -> frozenset[int]:
    """The heads, from 0, that a session keeps as switched off, as far as the scene has them."""
    heads = entry.get("off") if isinstance(entry, Mapping) else None
    if not isinstance(heads, Collection) or isinstance(heads, str):
        return frozenset()
    return frozenset(h - 1 for h in heads if type(h) is int and 1 <= h <= scene.heads)
