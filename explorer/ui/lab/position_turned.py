"""Rotary: q and k of a head before and after, and one pair of columns in the plane."""

from collections.abc import Mapping
from math import degrees, hypot
from typing import Any

import numpy as np
from PySide6.QtWidgets import QLabel

from explorer.attention.formula import symbol
from explorer.attention.positions import Rotary
from explorer.attention.trace import Cell, Trace
from explorer.numbers import compact_number
from explorer.scene import Array, Scene
from explorer.ui.lab.heat import Matrix
from explorer.ui.lab.pieces import Choice, Heading, Words, muted
from explorer.ui.lab.plane import Plane, Turn
from explorer.ui.lab.position_part import Keep, PositionPart, Select, between, line_of, numbers, show_count
from explorer.ui.panels.heatmap import levels


class TurnedPart(PositionPart):
    """q or k of one head before and after its turn, and one pair of it in the plane."""

    def __init__(self, keep: Keep, select: Select) -> None:
        super().__init__(keep, select)
        self.of = Choice((("q", "q"), ("k", "k")), lambda key: keep("of", key), self.tr("What turns"))
        self.head = self.spin("head", self.tr("Head"))
        self.head_line = line_of(QLabel(self.tr("Head")), self.head)
        self.pair = self.spin("pair", self.tr("Pair of columns"))
        self.token = self.spin("token", self.tr("Token"))
        self.plane = Plane()
        self.words = Words()
        self.words.setObjectName("position_words")
        self.lines = line_of(QLabel(self.tr("Pair")), self.pair, QLabel(self.tr("Token")), self.token)
        note = muted(
            self.tr(
                "Lengths stay, and a score depends on where its two tokens are only by their distance i − j:"
                " q is turned by i, k by j."
            )
        )
        for widget in (
            self.of, self.head_line, Heading(self.tr("One pair in the plane")), self.lines, self.plane, self.words,
            Heading(self.tr("All columns")), self.maps, note,
        ):  # fmt: skip
            self.rows.addWidget(widget)
        self._pairs: tuple[tuple[int, int], ...] = ()
        self._shown = ("q", 0)

    def show_trace(self, trace: Trace, chosen: Mapping[str, Any]) -> None:
        scene, rotary = trace.scene, trace.scene.position
        assert isinstance(rotary, Rotary)
        of = "k" if chosen.get("of") == "k" else "q"
        count, tokens = (scene.heads, scene.tokens) if of == "q" else (scene.groups, scene.key_tokens)
        head = between(chosen.get("head"), count) - 1
        self._pairs = rotary.pairs(scene.d_k)
        pair = between(chosen.get("pair"), len(self._pairs)) - 1
        token = between(chosen.get("token", 2), len(tokens)) - 1
        self._shown = (of, head)
        self.of.show_key(of)
        self.head_line.setVisible(count > 1)
        for box, value, most in (
            (self.head, head, count), (self.pair, pair, len(self._pairs)), (self.token, token, len(tokens)),
        ):  # fmt: skip
            show_count(box, value + 1, most)
        before = (trace.q_plain if of == "q" else trace.k_plain)[head]
        after = (trace.q if of == "q" else trace.k)[head]
        span = levels(np.concatenate([before, after]), "signed")
        number = f"<sub>{head + 1}</sub>" if scene.heads > 1 else ""
        letter, columns = of.upper(), numbers(scene.d_k)
        texts = self.tr("before the turn"), self.tr("after the turn")
        self.show_maps(
            self.maps,
            [
                Matrix(
                    before, f"{letter}{number} {texts[0]}", texts[0], tokens, columns, "before", span=span
                ),
                Matrix(after, f"{letter}{number} {texts[1]}", texts[1], tokens, columns, "after", span=span),
            ],
            trace,
        )
        self._show_plane(scene, rotary, (of, head, pair, token), (before[token], after[token]))

    def press(self, cell: Cell) -> None:
        pair = next((n for n, columns in enumerate(self._pairs) if cell.col in columns), None)
        if pair is not None:
            self.keep("pair", pair + 1)
        self.keep("token", cell.row + 1)
        if cell.place == "after":
            self.select(Cell(self._shown[0], self._shown[1], cell.row, cell.col))

    def _show_plane(
        self, scene: Scene, rotary: Rotary, where: tuple[str, int, int, int], rows: tuple[Array, Array]
    ) -> None:
        of, head, pair, token = where
        first, second = self._pairs[pair]
        before, after = ((float(row[first]), float(row[second])) for row in rows)
        speed = rotary.frequency(pair, scene.d_k)
        angle = token * speed
        axes = symbol(of, first + 1).text, symbol(of, second + 1).text
        colour = head if of == "q" else head * scene.heads // scene.groups
        text = self.tr(
            "“{token}” stands at position {place}, so columns {first} and {second} turn by θ = {place}·{speed} ="
            " {angle}, that is {degrees}°. The length stays: {before} before, {after} after."
        )
        tokens = scene.tokens if of == "q" else scene.key_tokens
        sentence = text.format(
            token=tokens[token], place=token, first=first + 1, second=second + 1, speed=compact_number(speed),
            angle=compact_number(angle), degrees=compact_number(degrees(angle)),
            before=compact_number(hypot(*before)), after=compact_number(hypot(*after)),
        )  # fmt: skip
        self.words.say(sentence)
        self.plane.show_turn(Turn(before, after, angle, axes, colour), sentence)
