"""Reordering: whether attention notices the order of its tokens, f(PX) = P·f(X) or not."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QPushButton

from explorer import attention
from explorer.attention.compare import delta
from explorer.attention.formula import symbol
from explorer.attention.permute import Equivariance, compare_orders, tied_to_places
from explorer.attention.trace import Cell, Trace
from explorer.engine import AT_ONCE, work
from explorer.numbers import compact_number
from explorer.reshape import reorder_tokens
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.aloud import say
from explorer.ui.lab.heat import HeatMaps, Matrix
from explorer.ui.lab.order import NAME, SIDES, is_moved, order_of, original, reordered
from explorer.ui.lab.pieces import Choice, Heading, Words, buttons, muted
from explorer.ui.lab.token_rows import TokenRows
from explorer.ui.lab.tool import Bench, Tool
from explorer.ui.lab.worker import Worker
from explorer.ui.options import gesture
from explorer.ui.panels.heatmap import levels
from explorer.ui.problems import problem_text
from explorer.ui.remarks import remark_text


class Reorder(Tool):
    """Keeps the order that the tokens were in: see order.py."""

    name = NAME

    @classmethod
    def title(cls) -> str:
        return QCoreApplication.translate("Reorder", "Reordering")

    @classmethod
    def question(cls) -> str:
        return QCoreApplication.translate(
            "Reorder", "Does attention notice the order of the tokens, or do its outputs merely move along?"
        )

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._worker = Worker(self)
        self._trace: Trace | None = None
        self._found: Equivariance | None = None
        self._started: Scene | None = None  # the scene in which a drag began
        self._gesture = ""
        self._moving = False
        self.side = Choice(
            (("x", "X"), ("context", self.tr("context"))),
            lambda _key: self._show_rows(),
            self.tr("Tokens of"),
        )
        self.side.show_key("x")
        self.rows = TokenRows((self.tr("row"), self.tr("token"), self.tr("was"), self.tr("output")))
        self.rows.setAccessibleName(self.tr("Tokens: drag a row, or move it with Alt+↑ and Alt+↓"))
        self.hint = muted(self.tr("Drag a row, or choose one and press Alt+↑ or Alt+↓."))
        self.back = QPushButton(self.tr("Original order"))
        self.back.setObjectName("original_order")
        self.turn = QPushButton(self.tr("Reverse"))
        self.turn.setObjectName("reverse_order")
        self.verdict = Heading()
        self.verdict.setObjectName("order_verdict")
        self.words = Words()
        self.words.setObjectName("order_words")
        self.maps = HeatMaps()
        for widget in (
            self.side, self.hint, self.rows, buttons(self.back, self.turn), self.verdict, self.words, self.maps,
        ):  # fmt: skip
            self.page.addWidget(widget)
        self.page.addStretch(1)
        self.rows.move_asked.connect(self._move)
        self.rows.drag_began.connect(self._begin)
        self.rows.drag_ended.connect(self._end)
        self.back.clicked.connect(self._put_back)
        self.turn.clicked.connect(self._reverse)
        theme.watcher().changed.connect(self._colour)
        for side in SIDES:
            bench.inputs.grid(side).commands.reorder = self._follow

    def show_scene(self, scene: Scene) -> None:
        if not self._moving:  # the rows are no longer those that the hand took hold of
            self.rows.let_go()
        self.side.setVisible(scene.is_cross)
        if not scene.is_cross:
            self.side.show_key("x")
        self.back.setEnabled(any(is_moved(scene, side) for side in SIDES))
        self.turn.setEnabled(scene.n > 1)
        self._show_rows()

    def show_trace(self, trace: Trace) -> None:
        self._trace = trace
        before = original(trace.scene)
        if before is trace.scene:
            self._show(None, trace)
        elif work(before) <= AT_ONCE:
            self._compare(attention.attend(before), trace)
        else:
            self.verdict.setText(self.tr("Computing…"))
            self._worker.run(lambda: attention.attend(before), lambda found: self._compare(found, trace))

    def leave(self) -> None:
        self._worker.stop()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.leave()

    # ---- moving ----

    def _follow(self, scene: Scene, index: Sequence[int], side: str) -> Scene:
        """Tokens dragged in a grid are followed while this page is open, or once an order is kept."""
        followed = self.isVisible() or any(is_moved(scene, each) for each in SIDES)
        return reordered(scene, index, side) if followed else reorder_tokens(scene, index, side)

    def _move(self, row: int, to: int) -> None:
        side, count = self.side.key, self.rows.topLevelItemCount()
        index = list(range(count))
        index.insert(to, index.pop(row))
        scene = reordered(self.scene, index, side)
        if self._started is not None and order_of(scene, side) == order_of(self._started, side):
            scene = self._started
        label = _labels(self.scene, side)[row]
        if self._started is None:
            self.bench.document.end_merge()
        text = self.tr("Move “{token}” to row {row}").format(token=label, row=to + 1)
        self._moving = True
        try:
            self.bench.document.edit(scene, text, self._gesture or None)
        finally:
            self._moving = False
        self.rows.choose(to)
        say(self.rows, self.tr("{token} is row {row} now").format(token=label, row=to + 1))

    def _begin(self) -> None:
        self._started, self._gesture = self.scene, gesture()

    def _end(self, counts: bool) -> None:
        started, self._started = self._started, None
        if not counts and started is not None and started is not self.scene:
            self.bench.document.edit(started, self.tr("Original order"), self._gesture)
        self._gesture = ""
        self.bench.document.end_merge()

    def _put_back(self) -> None:
        self.bench.document.end_merge()
        self.bench.document.edit(original(self.scene), self.tr("Original order"))

    def _reverse(self) -> None:
        side = self.side.key
        index = range(len(order_of(self.scene, side)))[::-1]
        self.bench.document.end_merge()
        self.bench.document.edit(reordered(self.scene, index, side), self.tr("Reverse the order"))

    # ---- what came of it ----

    def _compare(self, before: Any, trace: Trace) -> None:
        if trace is not self._trace:
            return
        if isinstance(before, Exception):
            self.verdict.setText(problem_text(str(before)))
            return
        found = compare_orders(before, trace, order_of(trace.scene, "x"))
        self._show(found, trace)
        expected = before.output[list(found.order)]
        columns = tuple(str(c) for c in range(1, expected.shape[1] + 1))
        span = levels(np.concatenate([expected, trace.output]), "signed")
        shown = [
            (expected, "P·f(X)", self.tr("the outputs of before, moved along"), "expected", span),
            (trace.output, "f(PX)", self.tr("the outputs of the reordered tokens"), "output", span),
        ]
        if not found.holds:
            shown.append(
                (
                    delta(expected, trace.output),
                    "f(PX) − P·f(X)",
                    self.tr("their difference"),
                    "moved_delta",
                    None,
                )
            )
        matrices = [
            Matrix(values, title, spoken, trace.scene.tokens, columns, place=place, span=own)
            for values, title, spoken, place, own in shown
        ]
        for heat in self.maps.show_all(matrices, trace):
            heat.cell_pressed.connect(self._select)

    def _show(self, found: Equivariance | None, trace: Trace) -> None:
        self._found = found
        if found is None:
            self.verdict.setText("")
            self.words.say(self.tr("Nothing is moved yet: f(X) is what the panels show."))
            self.maps.show_all([], trace)
        else:
            size = compact_number(found.difference)
            if not found.holds:
                text = self.tr("f(PX) = P·f(X) does not hold: max|Δ| = {size}")
            elif found.difference:
                text = self.tr("f(PX) = P·f(X) holds: max|Δ| = {size}, which is rounding")
            else:
                text = self.tr("f(PX) = P·f(X) holds: max|Δ| = {size}")
            self.verdict.setText(text.format(size=size))
            self.words.say(self._reasons(found, trace.scene))
        self.verdict.setVisible(found is not None)
        self._colour()
        self._show_rows()

    def _reasons(self, found: Equivariance, scene: Scene) -> str:
        tied = dict.fromkeys(
            remark_text(remark)
            for side in SIDES
            if is_moved(scene, side)
            for remark in tied_to_places(scene, side)
        )
        moved = [_output(found.order[row]) for row in found.moved]
        lines = []
        if len(moved) == 2 and found.order[found.moved[0]] == found.moved[1]:
            text = self.tr("{first} and {second} trade places, with the same numbers.")
            lines.append(text.format(first=min(moved), second=max(moved)))
        elif moved:
            text = self.tr("{count} outputs merely move along with their tokens, with the same numbers.")
            lines.append(text.format(count=len(moved)))
        elif found.holds:
            lines.append(self.tr("The keys may come in any order: every output stays."))
        if found.changed:
            text = self.tr("{count} of {all} outputs have other numbers.")
            lines.append(text.format(count=len(found.changed), all=scene.n))
        if found.holds and tied:
            lines.append(self.tr("With these numbers it makes no difference, although:"))
        return "\n".join([*lines, *tied])

    def _show_rows(self) -> None:
        """The tokens, where they came from, and what became of their outputs."""
        scene, side = self.scene, self.side.key
        order, found = order_of(scene, side), self._found
        fits = found is not None and self._trace is not None and self._trace.scene is scene
        rows = []
        for row, label in enumerate(_labels(scene, side)):
            was = str(order[row] + 1) if order[row] != row else ""
            if side != "x":
                told = ""
            elif not fits or found is None:
                told = _output(order[row])
            elif row in found.changed:
                text = self.tr("{output} changed by {size}")
                size = compact_number(float(found.deltas[row]), width=5)
                told = text.format(output=_output(order[row]), size=size)
            elif order[row] != row:
                told = self.tr("{output} moved here").format(output=_output(order[row]))
            else:
                told = self.tr("{output} the same").format(output=_output(order[row]))
            rows.append((label, was, told))
        self.rows.show_rows(rows)
        self.rows.setColumnHidden(3, side != "x")

    def _colour(self) -> None:
        colours, found = theme.current(), self._found
        colour = colours.text if found is None else colours.good if found.holds else colours.error
        self.verdict.setStyleSheet(f"color: {colour.name()};")

    def _select(self, cell: Cell) -> None:
        if cell.place == "output":
            self.bench.selection.select(cell)


def _labels(scene: Scene, side: str) -> Sequence[str]:
    return scene.tokens if side == "x" else scene.context_tokens


def _output(row: int) -> str:
    """'b₂' for row 1: the output of a token by its place before anything was moved."""
    return symbol("b", row + 1).text
