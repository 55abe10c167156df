"""Positions that are added: X before and after, the table as a picture and a column of it as a curve."""

from collections.abc import Mapping
from math import tau
from typing import Any

import numpy as np
from PySide6.QtWidgets import QLabel

from explorer.attention.placing import encoding
from explorer.attention.positions import Sinusoidal
from explorer.attention.trace import Cell, Trace
from explorer.numbers import compact_number
from explorer.scene import Array, Scene
from explorer.ui.lab.heat import HeatMaps, Matrix
from explorer.ui.lab.pieces import Choice, Heading, Words
from explorer.ui.lab.plot import Curve, Plot
from explorer.ui.lab.position_part import Keep, PositionPart, Select, between, line_of, numbers, show_count
from explorer.ui.panels.heatmap import Levels, levels

FURTHER = 48  # positions of the table as a picture, at the least
CURVE = 32  # positions of a curve, at the least


class AddedPart(PositionPart):
    """X, the table of positions, their sum; a column as a curve; the table further on."""

    def __init__(self, keep: Keep, select: Select) -> None:
        super().__init__(keep, select)
        self.side = Choice(
            (("x", "X"), ("context", self.tr("context"))), lambda key: keep("side", key), self.tr("Added to")
        )
        self.column = self.spin("column", self.tr("Column"))
        self.plot = Plot(self.tr("A column over the positions"))
        self.words = Words()
        self.words.setObjectName("position_words")
        self.further_title = Heading(self.tr("The table further on"))
        self.further = HeatMaps()
        self.rows.addWidget(self.side)
        self.rows.addWidget(self.maps)
        self.rows.addWidget(Heading(self.tr("A column over the positions")))
        self.rows.addWidget(line_of(QLabel(self.tr("Column")), self.column))
        self.rows.addWidget(self.words)
        self.rows.addWidget(self.plot)
        self.rows.addWidget(self.further_title)
        self.rows.addWidget(self.further)
        self._side = "x"

    def show_trace(self, trace: Trace, chosen: Mapping[str, Any]) -> None:
        scene = trace.scene
        side = "context" if scene.is_cross and chosen.get("side") == "context" else "x"
        self._side = side
        self.side.setVisible(scene.is_cross)
        self.side.show_key(side)
        table = encoding(scene, side)
        if table is None:
            return
        before, after = (scene.x, trace.x) if side == "x" else (scene.source, trace.source)
        letter, tokens = ("X", scene.tokens) if side == "x" else ("C", scene.context_tokens)
        columns = numbers(table.shape[1])
        span = levels(np.concatenate([before, table, after]), "signed")
        shown = (
            (before, letter, self.tr("before"), "x_before"),
            (table, "PE", self.tr("what is added"), "pe"),
            (after, f"{letter} + PE", self.tr("after"), "x"),
        )
        self.show_maps(
            self.maps,
            [
                Matrix(values, html, said, tokens, columns, place, span=span)
                for values, html, said, place in shown
            ],
            trace,
        )
        column = between(chosen.get("column"), table.shape[1])
        show_count(self.column, column, table.shape[1])
        self._show_curve(scene, column - 1, side, table)
        position = scene.position
        self.further_title.setVisible(isinstance(position, Sinusoidal))
        self.further.setVisible(isinstance(position, Sinusoidal))
        if isinstance(position, Sinusoidal):
            count = max(FURTHER, table.shape[0])
            picture = Matrix(
                position.at(np.arange(count), table.shape[1]),
                "PE",
                self.tr("the table of positions, one row each"),
                tuple(str(place) for place in range(count)),
                columns,
                "pe_further",
                span=Levels(-1.0, 1.0),
            )
            self.show_maps(self.further, [picture], trace)

    def press(self, cell: Cell) -> None:
        self.keep("column", cell.col + 1)
        if cell.place == "x" and self._side == "x":
            self.select(Cell("x", None, cell.row, cell.col))

    def _show_curve(self, scene: Scene, column: int, side: str, table: Array) -> None:
        position, width = scene.position, table.shape[1]
        tokens = np.arange(table.shape[0])
        mine = Curve(self.tr("tokens"), tokens, table[:, column], 1, dashed=True, dots=True)
        if isinstance(position, Sinusoidal):
            places = np.linspace(0, max(CURVE, table.shape[0]) - 1, 241)
            name, divisor = ("cos" if column % 2 else "sin"), position.divisor(column, width)
            text = self.tr("Column {column}: {wave}; it begins again after {turn} positions.")
            wave = f"{name}(p/{compact_number(divisor)})" if divisor != 1 else f"{name}(p)"
            turn = compact_number(tau * divisor)
            self.words.say(text.format(column=column + 1, wave=wave, turn=turn))
            self.plot.show_curves([Curve(wave, places, position.at(places, width)[:, column]), mine], "p")
        else:
            self.words.say(self.tr("Whatever was learned: a column need not be a wave."))
            self.plot.show_curves([mine], "p")
