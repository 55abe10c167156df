"""Curves, drawn by pyqtgraph in the Theme's colours."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import Qt
from PySide6.QtGui import QPen, QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.ui import theme
from explorer.ui.lab.plot_library import library
from explorer.ui.turns import turns

HEIGHT = 170  # px, at the usual size


@dataclass(frozen=True)
class Curve:
    """One line: its name in the legend, its points, and which of the heads' colours it takes."""

    name: str
    x: ArrayLike
    y: ArrayLike
    colour: int = 0
    dashed: bool = False
    dots: bool = False


class Plot(QWidget):
    """A plot without buttons or menus: it is looked at. What it shows is also in words around it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self._widget: Any = None
        self._place = QWidget()  # where it will be
        self._legend = QLabel(wordWrap=True)
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        layout.addWidget(self._legend)
        layout.addWidget(self._place)
        self._bottom = ""
        self.curves: tuple[Curve, ...] = ()
        self._log = (False, False)
        self._mark: float | None = None
        library().loaded.connect(self._draw_soon)
        theme.watcher().changed.connect(self._draw)

    def show_curves(
        self,
        curves: Sequence[Curve],
        bottom: str,
        log: tuple[bool, bool] = (False, False),
        mark: float | None = None,
    ) -> None:
        """Show these over an axis named `bottom`; `log`: x and y in powers of ten; `mark`: an upright line at an x."""
        self.curves, self._bottom, self._log, self._mark = tuple(curves), bottom, log, mark
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def _make(self) -> None:
        """Not seen yet."""
        import pyqtgraph as pg

        self._widget = pg.PlotWidget(self, enableMenu=False)
        self._widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        item = self._widget.getPlotItem()
        item.hideButtons()
        item.setMouseEnabled(False, False)
        menu = item.ctrlMenu
        menu.setParent(self._widget, menu.windowFlags())  # else it outlives the window
        # It would look for a prefix such as "k" in a range that is still of the scale before, and 10**range overflows.
        item.getAxis("bottom").enableAutoSIPrefix(False)

    def _show_widget(self) -> None:
        self.layout().replaceWidget(self._place, self._widget)
        self._widget.show()  # the layout would do that a turn later, and until then it had no height
        self._place.deleteLater()

    def _draw_soon(self) -> None:
        turns().add(self, self._draw)

    def _draw(self) -> None:
        if not self.curves or not self.isVisible():  # else showEvent catches up
            return
        colours, small = theme.current(), theme.ui_font(0.82)
        height = round(HEIGHT * theme.ui_font().pixelSize() / theme.USUAL_SIZE)
        self._legend.setText(" &nbsp; ".join(_key(curve, colours) for curve in self.curves))
        if self._widget is None:
            self._place.setFixedHeight(height)
            if library().ask():
                self._make()
                self._draw_soon()  # half of the work is done
            return
        import pyqtgraph as pg

        self._widget.setFixedHeight(height)
        self._widget.setBackground(colours.surface)
        item = self._widget.getPlotItem()
        item.clear()
        above = small.pixelSize() // 2  # half of a number at the very top stands above the axis
        item.setContentsMargins(0, above, 0, 0)
        item.setLogMode(*self._log)
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setPen(colours.line)
            axis.setTextPen(colours.muted)
            axis.setTickFont(small)
        item.setLabel(
            "bottom", self._bottom, color=colours.muted.name(), **{"font-size": f"{small.pixelSize()}px"}
        )
        for curve in self.curves:
            pen = QPen(colours.head_colour(curve.colour), 2)
            pen.setCosmetic(True)
            if curve.dashed:
                pen.setStyle(Qt.PenStyle.DashLine)
            dots = {"symbol": "o", "symbolSize": 5, "symbolBrush": pen.color(), "symbolPen": None}
            item.plot(
                np.asarray(curve.x, dtype=float),
                np.asarray(curve.y, dtype=float),
                pen=pen,
                antialias=True,
                **(dots if curve.dots else {}),
            )
        if self._mark is not None:
            at = np.log10(self._mark) if self._log[0] else self._mark
            item.addItem(pg.InfiniteLine(at, pen=QPen(colours.muted, 0, Qt.PenStyle.DotLine)))
        if self._widget.isHidden():
            self._show_widget()


def _key(curve: Curve, colours: theme.Theme) -> str:
    """A curve's line in the legend, which must not be broken in the middle."""
    mark = "╌" if curve.dashed else "━"
    name = escape(curve.name).replace(" ", "&nbsp;")
    return f'<span style="color:{colours.head_colour(curve.colour).name()}">{mark}{mark}</span>&nbsp;{name}'
