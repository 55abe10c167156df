"""The letters around the cells of a panel: their fonts, and how much room they take."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QFont, QFontMetrics

from explorer.scene import Scene
from explorer.ui import theme
from explorer.ui.panels.frame import Geometry
from explorer.ui.rich_text import RichText
from explorer.ui.texts import heads_text, some_of, stage_title
from explorer.ui.words import shown

if TYPE_CHECKING:
    from explorer.ui.panels.kinds import StagePanel

_DIGIT = re.compile(r"\d")
LABEL_SHARE = 9  # a row label is at most so many times as wide as its font is high
SLANT_LIMIT = 5  # an upright column label is at most so many times as long as its font is high
SWATCH = 7  # pixels of a square in a head's colour
SMALL = 0.82  # of the usual font
MOST_SWATCHES = 4  # more heads share a strip as wide as so many


def number_font(geometry: Geometry) -> QFont:
    """The font of the numbers in the cells."""
    return theme.ui_font(geometry.font_size)


def label_font() -> QFont:
    """The font of the token labels."""
    return theme.ui_font(0.88)


def small_font() -> QFont:
    """Shapes, roles, ends of the colour bar."""
    return theme.ui_font(SMALL)


def title_font() -> QFont:
    """The font of a panel's formula."""
    font = theme.formula_font(1.2)
    font.setItalic(True)
    return font


@lru_cache(maxsize=512)
def _html_width(html: str, family: str, size: int) -> float:
    font = title_font()
    font.setPixelSize(size)
    return RichText(html, font, QColor()).width


def role_of(kind: "StagePanel", scene: Scene, head: int | None, shape: bool = True) -> str:
    """'weights · 4 × 4'; of keys and values that heads share also whose they are: 'keys · 4 × 2 · heads 1–2'."""
    size = " × ".join(map(str, kind.shape(scene))) if shape else ""
    readers = kind.readers(scene, head)
    return " · ".join(filter(None, (stage_title(kind.stage.name), size, heads_text(readers))))


def title_width(kind: "StagePanel", scene: Scene, head: int | None) -> int:
    """Logical pixels that the formula needs, and the role without the shape."""
    formula, role = kind.formula(scene, head), role_of(kind, scene, head, shape=False)
    return _title_width(
        _DIGIT.sub("0", formula),
        role,
        swatches_width(kind, scene, head),
        theme.ui_size(1.2),
        theme.ui_size(SMALL),
    )


@lru_cache(maxsize=256)
def _title_width(formula: str, role: str, swatches: int, _size: int, _small: int) -> int:
    """Digits are all of one width: so the titles of a dozen heads are one."""
    font = title_font()
    width = _html_width(formula, font.family(), font.pixelSize())
    return int(max(width, QFontMetrics(small_font()).horizontalAdvance(role) + swatches)) + 3


def swatches_width(kind: "StagePanel", scene: Scene, head: int | None) -> int:
    """Logical pixels of the squares after the role, and of the gap before them."""
    count = min(len(kind.readers(scene, head)), MOST_SWATCHES)
    return count * (SWATCH + 2) + SWATCH * bool(count)


def labels_width(labels: Sequence[str]) -> int:
    """Logical pixels of the longest row label, up to a limit; longer ones are cut with an ellipsis."""
    longest, height = _label_sizes(tuple(labels), theme.ui_size(0.88))
    return min(LABEL_SHARE * height, longest) + 8


def column_room(labels: Sequence[str]) -> tuple[int, int, int]:
    """For the column labels: the cell width that the longest needs to lie; the height of lying and standing ones."""
    longest, height = _label_sizes(tuple(labels), theme.ui_size(0.88))
    return longest + 4, height + 4, min(SLANT_LIMIT * height, longest) + 8


@lru_cache(maxsize=64)
def _label_sizes(labels: tuple[str, ...], pixels: int) -> tuple[int, int]:
    """Logical pixels of the longest label, and of a line: most panels of a scene share theirs."""
    font = label_font()
    font.setPixelSize(pixels)
    metrics = QFontMetrics(font)
    return max(map(metrics.horizontalAdvance, some_of(shown(labels)))), metrics.height()


def title_height() -> int:
    """Logical pixels of title and role."""
    return QFontMetrics(title_font()).height() + QFontMetrics(small_font()).height() + 4


def foot_height() -> int:
    """Logical pixels of the colour bar with its ends."""
    return QFontMetrics(small_font()).height() + 8
