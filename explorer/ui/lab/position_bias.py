"""Positions that are added to the scores: the slopes of ALiBi, and the scores of a head before and after."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtWidgets import QLabel

from explorer.attention.placing import scores_without_bias
from explorer.attention.positions import Alibi, alibi_slopes
from explorer.attention.trace import Cell, Trace
from explorer.numbers import compact_number
from explorer.scene import Scene
from explorer.ui.lab.heat import Matrix
from explorer.ui.lab.pieces import Bar, Bars, Heading
from explorer.ui.lab.position_part import Keep, PositionPart, Select, between, line_of, show_count
from explorer.ui.panels.heatmap import levels
from explorer.ui.texts import head_text


class BiasPart(PositionPart):
    """The slopes of all heads; the scores of one before and after, and between them the matrix that is added."""

    def __init__(self, keep: Keep, select: Select) -> None:
        super().__init__(keep, select)
        self.bars = Bars()
        self.bars.setObjectName("alibi_slopes")
        self.bars.setAccessibleName(self.tr("Slope of each head"))
        self.head = self.spin("head", self.tr("Head"))
        self.head_line = line_of(QLabel(self.tr("Head")), self.head)
        self.slopes = Heading(self.tr("Slope of each head"))
        self.rows.addWidget(self.slopes)
        self.rows.addWidget(self.bars)
        self.rows.addWidget(self.head_line)
        self.rows.addWidget(self.maps)
        self._head = 0

    def show_trace(self, trace: Trace, chosen: Mapping[str, Any]) -> None:
        scene = trace.scene
        self._head = head = between(chosen.get("head"), scene.heads) - 1
        self.head_line.setVisible(scene.heads > 1)
        show_count(self.head, head + 1, scene.heads)
        bias = scene.position.bias(scene.heads, scene.n, scene.m)
        assert bias is not None
        before, after = scores_without_bias(trace)[head], trace.scaled[head]
        number = f"<sub>{head + 1}</sub>" if scene.heads > 1 else ""
        added = self._show_slopes(scene, head)
        sum_ = f"S{number} {added.replace('−', '− ', 1)}" if added[0] == "−" else f"S{number} + {added}"
        span = levels(np.concatenate([before, bias[head], after]), "signed")
        shown = (
            (before, f"S{number}", self.tr("scaled scores before"), "before"),
            (bias[head], added, self.tr("what is added"), "bias"),
            (after, sum_, self.tr("scaled scores after"), "after"),
        )
        self.show_maps(
            self.maps,
            [
                Matrix(values, html, said, scene.tokens, scene.key_tokens, place, span=span)
                for values, html, said, place in shown
            ],
            trace,
        )

    def _show_slopes(self, scene: Scene, head: int) -> str:
        """ALiBi's slopes as bars; what is added to the scores of this head, as HTML."""
        is_alibi = isinstance(scene.position, Alibi)
        self.slopes.setVisible(is_alibi)
        slopes = alibi_slopes(scene.heads) if is_alibi else np.zeros(0)
        self.bars.show_bars(
            Bar(head_text(h + 1), float(slope / slopes.max()), compact_number(float(slope)), h == head)
            for h, slope in enumerate(slopes)
        )
        return f"−{compact_number(float(slopes[head]))}·|i − j|" if is_alibi else "b(j − i)"

    def press(self, cell: Cell) -> None:
        if cell.place == "after":
            self.select(Cell("scaled", self._head, cell.row, cell.col))
