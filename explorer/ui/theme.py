"""Colours and type of the program: light, dark and high contrast, and the size of everything."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import local

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from explorer.ui.preferences import preferences
from explorer.ui.style import style_sheet

Lut = NDArray[np.uint8]  # (256, 3)

MODES = ("system", "light", "dark", "contrast")
SCALES = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
USUAL_SIZE = 13  # pixels
FAMILIES = [
    "Inter",
    "Segoe UI",
    "SF Pro Text",
    "Noto Sans",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "PingFang SC",
    "DejaVu Sans",
    "sans-serif",
]
# Inter draws "4 × 4" and "=" with other shapes beside digits; read back from a PDF, those are no letters.
ALTERNATES = QFont.Tag("calt")
FORMULA_FAMILIES = ["STIX Two Text", "Cambria", "Noto Serif", "DejaVu Serif", "serif"]

# Stops of the two maps. Sequential: paper to deep blue. Diverging: burnt orange, paper at 0, deep purple;
# both orders of lightness survive a grey print and the common colour-vision deficiencies.
UNIT_STOPS = ("#fbfcfe", "#d6e6f4", "#a3cbe6", "#5fa4d2", "#2675b5", "#0a4488", "#062a5c")
SIGNED_STOPS = (
    "#6b2f00",
    "#a9540a",
    "#dd8f3c",
    "#f6cf9c",
    "#f7f5f4",
    "#d3cce4",
    "#9d8fc6",
    "#5f449c",
    "#2d0a52",
)


@dataclass(frozen=True)
class Theme:
    """One set of colours. Frames: `selection` for the chosen cell, `source` before it, `dependent` after it."""

    name: str
    background: QColor  # behind the pipeline
    surface: QColor  # docks, grids, hidden cells
    text: QColor
    muted: QColor
    line: QColor
    accent: QColor
    selection: QColor
    source: QColor
    dependent: QColor
    error: QColor
    good: QColor
    hatch: QColor
    heads: tuple[QColor, ...]

    @property
    def is_dark(self) -> bool:
        """True where the text is lighter than the surface."""
        return self.surface.lightness() < 128

    def head_colour(self, head: int) -> QColor:
        """The colour of one head (from 0), everywhere."""
        return self.heads[head % len(self.heads)]


def _theme(name: str, heads: str, **colours: str) -> Theme:
    return Theme(
        name=name,
        heads=tuple(QColor(c) for c in heads.split()),
        **{key: QColor(value) for key, value in colours.items()},
    )


LIGHT = _theme(
    "light",
    background="#f3f3f1", surface="#ffffff", text="#1c1d1f", muted="#62656a", line="#d9dadc",
    accent="#0068a8", selection="#101114", source="#e3ad00", dependent="#00916b",
    error="#b3261e", good="#1a7a34", hatch="#b4b6ba",
    heads="#0068a8 #b84e00 #007a5c #a8457f #806400 #2f72b0 #7646b0 #a03b3b",
)  # fmt: skip
DARK = _theme(
    "dark",
    background="#1b1c1f", surface="#26272b", text="#ececee", muted="#a2a5ab", line="#3d3f45",
    accent="#56b4e9", selection="#ffffff", source="#f2c200", dependent="#2fd6a3",
    error="#ff8a80", good="#7bd88f", hatch="#5b5e66",
    heads="#56b4e9 #f08a3c #2cc79a #e08cc0 #d8bb3a #8fb8f0 #b79af0 #f09090",
)  # fmt: skip
CONTRAST = _theme(
    "contrast",
    background="#ffffff", surface="#ffffff", text="#000000", muted="#333333", line="#555555",
    accent="#0040c0", selection="#000000", source="#ffb000", dependent="#007a3d",
    error="#b00000", good="#005c1f", hatch="#777777",
    heads="#0040c0 #c03000 #006b3c #8a0060 #6b5000 #005f99 #5a1fb0 #7a1010",
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}


class Watcher(QObject):
    """Tells of other colours, or another size of everything; knows the system's, which may turn dark at night."""

    changing = Signal()  # before anything is drawn otherwise
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        hints = QGuiApplication.styleHints()
        self.system = _like(hints.colorScheme())  # asked for by every panel that is painted
        hints.colorSchemeChanged.connect(self._follow_system)

    def _follow_system(self, scheme: Qt.ColorScheme) -> None:
        self.system = _like(scheme)
        if preferences().theme == "system" and _applied:
            apply()


def _like(scheme: Qt.ColorScheme) -> Theme:
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT


@cache
def watcher() -> Watcher:
    """The one Watcher."""
    return Watcher()


class _Forced(local):
    """What is drawn otherwise for the time being: of each thread its own."""

    def __init__(self) -> None:
        self.stack: list[tuple[Theme, float]] = []


_forced = _Forced()


@contextmanager
def using(theme: Theme, scale: float = 1.0) -> Iterator[None]:
    """Draw in other colours and at another size for the length of a block: pictures in files, the presenter.

    In this thread alone: a picture may be drawn beside the window's.
    """
    _forced.stack.append((theme, scale))
    try:
        yield
    finally:
        _forced.stack.pop()


def current() -> Theme:
    """The colours in force: the chosen ones, or the system's light or dark."""
    if _forced.stack:
        return _forced.stack[-1][0]
    mode = preferences().theme
    return watcher().system if mode == "system" else THEMES.get(mode, LIGHT)


_applied: list[tuple[Theme, int]] = []  # the last one alone


def apply() -> None:
    """Give the application the current colours and size."""
    watcher().changing.emit()
    _prepare()
    watcher().changed.emit()


def prepare() -> None:
    """Before a window is made."""
    if _applied and _applied != [(current(), ui_size())]:
        apply()  # one stands already, perhaps
    else:
        _prepare()


def sheet() -> str:
    """The style sheet of what stands in a window."""
    return style_sheet(current(), ui_font().pixelSize())


def _prepare() -> None:
    if not _applied:
        _app().setStyle("Fusion")  # to set it takes as long as to dress everything
    _applied[:] = [(current(), ui_size())]
    _app().setPalette(_palette(current()))
    _app().setFont(ui_font())


def _app() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


def set_mode(mode: str) -> None:
    """Choose one of MODES; remembered."""
    preferences().theme = mode
    apply()


def set_scale(scale: float) -> None:
    """Choose the size of everything, 1.0 for the usual one; remembered."""
    preferences().scale = min(max(scale, SCALES[0]), SCALES[-1])
    apply()


def step_scale(direction: int) -> None:
    """The next larger (+1) or smaller (−1) of SCALES."""
    now = preferences().scale
    if direction > 0:
        set_scale(next((s for s in SCALES if s > now + 1e-6), SCALES[-1]))
    else:
        set_scale(next((s for s in reversed(SCALES) if s < now - 1e-6), SCALES[0]))


def ui_font(size: float = 1.0) -> QFont:
    """The program's font, `size` times the usual one."""
    return QFont(_font(ui_size(size)))  # a copy: who asked may make it bold


@cache
def _font(pixels: int) -> QFont:
    font = QFont()
    font.setFamilies(FAMILIES)
    font.setPixelSize(pixels)
    font.setFeature(ALTERNATES, 0)
    return font


def ui_size(size: float = 1.0) -> int:
    """Pixels of `ui_font`."""
    scale = _forced.stack[-1][1] if _forced.stack else preferences().scale
    return max(6, round(USUAL_SIZE * scale * size))


def formula_font(size: float = 1.0) -> QFont:
    """The font of formulas in titles; the titles set it in italics."""
    font = ui_font(size)
    font.setFamilies(FORMULA_FAMILIES)
    return font


def lut(colours: str) -> Lut:
    """(256, 3) the map "unit" (on [0, 1]) or "signed" (symmetric about 0)."""
    return _lut(UNIT_STOPS if colours == "unit" else SIGNED_STOPS)


@cache
def _lut(stops: tuple[str, ...]) -> Lut:
    colours = np.array([QColor(stop).getRgb()[:3] for stop in stops])  # (stops, 3)
    at, places = np.linspace(0, 1, len(stops)), np.linspace(0, 1, 256)
    return np.stack([np.interp(places, at, channel) for channel in colours.T], axis=1).astype(np.uint8)


def light_text(rgb: Lut) -> NDArray[np.bool_]:
    """For colours (…, 3): True where white reads better than black. Either way the contrast is at least 4.5:1
    (WCAG 2.2: relative luminance 0.179 is where both reach 4.58).
    """
    linear = (rgb / 255.0) ** 2.2
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]) < 0.179)


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for roles, colour in (
        ((role.Window, role.Button, role.Base, role.AlternateBase, role.ToolTipBase), theme.surface),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), theme.text),
        ((role.Highlight, role.Link), theme.accent),
        ((role.HighlightedText, role.BrightText), theme.surface),
        ((role.PlaceholderText,), theme.muted),
        ((role.Mid, role.Midlight, role.Dark), theme.line),
    ):
        for each in roles:
            palette.setColor(each, colour)
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, theme.muted)
    return palette
