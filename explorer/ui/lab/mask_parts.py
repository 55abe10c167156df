"""Small multiples of a mask: what each kind allows, and what is left where all of them do."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QWidget

from explorer.attention.mask_edits import Part, parts
from explorer.attention.masks import MASKS
from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.choices import kind_hint, kind_name
from explorer.ui.flow import FlowRow
from explorer.ui.lab.mask_map import draw_scaled, indexed, tint
from explorer.ui.panels import chrome, lettering

SIDE = 2.6  # lines of text that a picture is high


class Tile(QAbstractButton):
    """A picture of one kind with its name and what it hides; pressed, the kind comes or goes."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._note = name, ""
        self._codes: NDArray[np.uint8] | None = None
        self._picture: tuple[object, QImage] | None = None
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        theme.watcher().changed.connect(self._restyle)
        self._restyle()

    @property
    def note(self) -> str:
        """What stands below the name."""
        return self._note

    @property
    def codes(self) -> NDArray[np.uint8] | None:
        """(n, m): 0 seen, 1 hidden by another kind too, 2 hidden by this one alone; None while it is off."""
        return self._codes

    def show_codes(self, codes: NDArray[np.uint8] | None, note: str, spoken: str) -> None:
        """Show a mask, or that there is none of this kind."""
        self._codes, self._note, self._picture = codes, note, None
        self.setAccessibleDescription(spoken)
        self.setToolTip(spoken)
        with QSignalBlocker(self):
            self.setChecked(codes is not None)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics, small = QFontMetrics(_font(False)), QFontMetrics(lettering.small_font())
        bold = QFontMetrics(_font(True))
        widest = max(bold.horizontalAdvance(self._name), small.horizontalAdvance(self._note))
        side = self._side()
        return QSize(max(side, widest) + 2, side + metrics.height() + small.height() + 8)

    @property
    def picture_height(self) -> int:
        """Logical pixels."""
        return self._side()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, side = theme.current(), self._side()
        with QPainter(self) as painter:
            box = QRect((self.width() - side) // 2, 3, side, side)
            self._paint_picture(painter, box, colours)
            font = _font(self.isChecked())
            painter.setFont(font)
            painter.setPen(colours.text if self.isChecked() or not self.isEnabled() else colours.muted)
            line = QRect(0, box.bottom() + 4, self.width(), painter.fontMetrics().height())
            painter.drawText(line, Qt.AlignmentFlag.AlignHCenter | chrome.UNCLIPPED, self._name)
            painter.setFont(lettering.small_font())
            painter.setPen(colours.muted)
            below = QRect(0, line.bottom() + 1, self.width(), painter.fontMetrics().height())
            painter.drawText(below, Qt.AlignmentFlag.AlignHCenter | chrome.UNCLIPPED, self._note)
            if self.hasFocus():
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setPen(QPen(colours.accent, 1.5))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _paint_picture(self, painter: QPainter, box: QRect, colours: theme.Theme) -> None:
        if self._codes is None:
            painter.setPen(QPen(colours.hatch, 1, Qt.PenStyle.DashLine))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
            painter.setPen(colours.muted)
            painter.setFont(theme.ui_font(1.25))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter | chrome.UNCLIPPED, "+")
            return
        n, m = self._codes.shape
        share = min(box.width() / m, box.height() / n)
        area = QRectF(0, 0, max(2.0, m * share), max(2.0, n * share))
        area.moveCenter(QRectF(box).center())
        area = QRectF(area.toRect())
        if self._picture is None or self._picture[0] is not colours:
            image = indexed(self._codes, [tint(colours), colours.hatch, colours.text])
            self._picture = colours, image
        draw_scaled(painter, area, self._picture[1])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colours.hatch, 1))
        painter.drawRect(area.toRect().adjusted(-1, -1, 0, 0))

    def _side(self) -> int:
        return round(SIDE * theme.ui_font().pixelSize() * 1.25)

    def _restyle(self) -> None:
        self._picture = None
        self.updateGeometry()
        self.update()


class MaskParts(FlowRow):
    """causal ∧ padding ∧ window ∧ custom = result."""

    toggled = Signal(str, bool)  # a kind, and whether it is wanted

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tiles: dict[str, Tile] = {}
        for kind in MASKS:
            tile = Tile(kind_name(kind))
            tile.setObjectName(f"part_{kind}")
            tile.toggled.connect(lambda on, kind=kind: self.toggled.emit(kind, on))
            self._add("∧" if self.tiles else "", tile)
            self.tiles[kind] = tile
        self.result = Tile(self.tr("result"))
        self.result.setObjectName("part_result")
        self.result.setEnabled(False)
        self._add("=", self.result)

    @property
    def gap(self) -> int:
        return 1

    def _add(self, sign: str, tile: Tile) -> None:
        """A tile behind its sign, which begins the line where there is no room beside the others."""
        pair = QWidget()
        layout = QHBoxLayout(pair)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        if sign:
            label = QLabel(sign)
            label.setContentsMargins(0, tile.picture_height // 3, 0, 0)
            layout.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(tile)
        self.add(pair)

    def show_scene(self, scene: Scene) -> None:
        """Show the masks of a scene."""
        found: Mapping[str, Part] = parts(scene)
        total = scene.n * scene.m
        for kind, tile in self.tiles.items():
            part = found.get(kind)
            if part is None:
                tile.show_codes(None, "", kind_hint(kind, MASKS))
                continue
            alone = int(np.count_nonzero(part.alone))
            spoken = self.tr("hides {hidden} of {total} cells, {alone} of them alone")
            tile.show_codes(
                (~part.allowed).astype(np.uint8) + part.alone,
                self.tr("hides {hidden}").format(hidden=_short(part.hidden)),
                spoken.format(hidden=part.hidden, total=total, alone=alone),
            )
        visible = scene.visible()
        seen = int(np.count_nonzero(visible))
        spoken = self.tr("{seen} of {total} cells are seen").format(seen=seen, total=total)
        self.result.show_codes((~visible).astype(np.uint8) * 2, f"{_short(seen)} / {_short(total)}", spoken)


class Legend(QLabel):
    """What the colours of the pictures mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        theme.watcher().changed.connect(self._write)
        self._write()

    def _write(self) -> None:
        colours = theme.current()
        parts_ = (
            (tint(colours), self.tr("seen")),
            (colours.text, self.tr("hidden by it alone")),
            (colours.hatch, self.tr("by others too")),
        )
        texts = [f"<span style='color: {colour.name()}'>■</span> {text}" for colour, text in parts_]
        self.setText(f"<span style='color: {colours.muted.name()}'>{' &nbsp; '.join(texts)}</span>")


def _short(count: int) -> str:
    """'9999', '131k'."""
    return str(count) if count < 10_000 else f"{count / 1000:.0f}k"


def _font(bold: bool) -> QFont:
    font = theme.ui_font(0.82)
    font.setBold(bold)
    return font
