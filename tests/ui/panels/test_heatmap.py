"""Colours and numbers of a panel: known values in, known pixels out."""

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication, QImage, QPainter
from pytestqt.qtbot import QtBot

from explorer.ui import theme
from explorer.ui.panels.chrome import bar_ends
from explorer.ui.panels.glyphs import Glyphs, shared_glyphs
from explorer.ui.panels.heatmap import (
    Levels,
    colour_image,
    colour_index,
    fitting_decimals,
    levels,
    pooled,
    texts_of,
)
from explorer.ui.panels.picture import Content, Look, Picture, redraw


def advance(text: str) -> float:
    """The width of a text in the program's font."""
    return QFontMetricsF(theme.ui_font()).horizontalAdvance(text)


def contrast(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """WCAG 2.2 contrast ratio of two sRGB colours, 0…255."""

    def luminance(rgb: tuple[float, ...]) -> float:
        parts = [c / 255 for c in rgb]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", ["unit", "signed"])
def test_text_on_every_colour_keeps_a_contrast_of_4_5(colours: str) -> None:
    lut = theme.lut(colours)
    for rgb, white in zip(lut.tolist(), theme.light_text(lut).tolist(), strict=True):
        assert contrast(tuple(rgb), (255, 255, 255) if white else (0, 0, 0)) >= 4.5


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK, theme.CONTRAST])
def test_words_keep_a_contrast_of_4_5(colours: theme.Theme) -> None:
    for ground in (colours.surface, colours.background):
        for ink in (colours.text, colours.muted, colours.error, colours.good, colours.accent, *colours.heads):
            assert contrast(ink.getRgb()[:3], ground.getRgb()[:3]) >= 4.5, (ink.name(), ground.name())


def test_the_signed_map_is_symmetric_about_zero() -> None:
    assert levels(np.array([[-1.0, 3.0]]), "signed") == Levels(-3.0, 3.0)
    assert colour_index(np.array([-3.0, 0.0, 3.0]), -3.0, 3.0).tolist() == [0, 128, 255]


def test_infinities_and_nan_do_not_poison_the_levels() -> None:
    assert levels(np.array([[np.nan, np.inf], [-np.inf, -2.0]]), "signed") == Levels(-2.0, 2.0)
    assert levels(np.array([[np.nan]]), "signed") == Levels(-1.0, 1.0)
    assert levels(np.array([[0.2]]), "unit") == Levels(0.0, 1.0)


def test_huge_numbers_are_coloured_without_overflow() -> None:
    top = np.finfo(np.float64).max
    assert colour_index(np.array([-top, top]), -top, top).tolist() == [0, 255]


def test_one_pixel_per_cell_not_transposed() -> None:
    image = colour_image(np.array([[0.0, 1.0, 0.5]]), None, theme.lut("unit"), Levels(0.0, 1.0))
    assert (image.width(), image.height()) == (3, 1)
    assert image.pixelColor(1, 0) == QColor(theme.UNIT_STOPS[-1])
    assert image.pixelColor(0, 0) == QColor(theme.UNIT_STOPS[0])


def test_hidden_cells_and_nan_let_the_hatching_through() -> None:
    hidden = np.array([[False, True, False]])
    image = colour_image(np.array([[1.0, 1.0, np.nan]]), hidden, theme.lut("unit"), Levels(0.0, 1.0))
    assert [image.pixelColor(x, 0).alpha() for x in range(3)] == [255, 0, 0]


def test_texts() -> None:
    values = np.array([[1 / 3, -2.0], [-np.inf, 0.0]])
    hidden = np.array([[False, False], [True, True]])
    assert texts_of(values, hidden, 2) == ["0.33", "−2.00", "−∞", "0"]


def test_numbers_lose_decimals_before_they_vanish(qapp: QGuiApplication) -> None:
    values = np.array([[0.1234]])
    found = [fitting_decimals(values, 2, width, advance) for width in (60, 26, 4)]
    assert found[0] == 2 and found[1] in (1, 2) and found[2] is None


def test_a_fraction_never_reads_as_a_whole_number(qapp: QGuiApplication) -> None:
    room_for_one_digit = 12
    assert fitting_decimals(np.array([[0.4]]), 2, room_for_one_digit, advance) is None
    assert fitting_decimals(np.array([[4.0]]), 2, room_for_one_digit, advance) == 0


def test_panels_of_a_stage_have_equally_many_decimals(qapp: QGuiApplication) -> None:
    room = advance("−0.00")
    own, others = np.array([[0.5, -1.25]]), (-10.5, 3.0)
    assert fitting_decimals(own, 2, room, advance) == 2
    assert fitting_decimals(own, 2, room, advance, others) == 1
    assert fitting_decimals(own, 2, room, advance, (-1e4, 0.0)) == 2  # rather than none


def test_a_short_colour_bar_tells_how_far_it_goes(qapp: QGuiApplication) -> None:
    span, pixels = Levels(-0.03674, 0.03674), 11

    def ends(room: int) -> tuple[str, str]:
        texts, widths = bar_ends(span, pixels, room)
        assert sum(widths) <= room
        return texts

    found = list(dict.fromkeys(ends(room) for room in range(140, 0, -1)))
    assert found == [("−0.0367", "0.0367"), ("", "±0.0367"), ("", "±0.037"), ("", "±0.04"), ("", "")]
    assert bar_ends(Levels(0.0, 0.25, beyond=True), pixels, 60)[0] == ("0", "≥0.25")
    assert bar_ends(Levels(0.0, 1.0), pixels, 5)[0] == ("", "")


def test_which_digits_a_number_has_does_not_matter(qapp: QGuiApplication) -> None:
    for room in range(10, 60):
        found = {fitting_decimals(np.array([[v, 0.5]]), 2, room, advance) for v in (-1.11, -9.74, -8.88)}
        assert len(found) == 1


def test_minus_infinity_does_not_take_the_decimals_away(qapp: QGuiApplication) -> None:
    assert fitting_decimals(np.array([[0.5, -np.inf]]), 2, 44, advance) == 2


def test_the_same_text_has_the_same_stamp_and_others_differ(qapp: QGuiApplication) -> None:
    glyphs = Glyphs(theme.ui_font(), 44, 28)
    first = glyphs.alphas(["0.33", "0.67", "0.33", ""])
    assert first.shape == (4, glyphs.height, 44) and 0 < glyphs.height < 28
    assert (first[0] == first[2]).all() and (first[0] != first[1]).any() and not first[3].any()
    again = glyphs.alphas([f"{i / 100:.2f}" for i in range(200)] + ["0.33"])
    assert (again[-1] == first[0]).all()


@pytest.mark.parametrize(
    ("size", "width", "height"), [(9, 36, 23), (13, 44, 28), (20, 74, 45), (26, 101, 56)]
)
def test_a_stamp_is_the_text_in_the_middle_of_the_cell(
    qapp: QGuiApplication, size: int, width: int, height: int
) -> None:
    glyphs = shared_glyphs(size, width, height)
    font = theme.ui_font()
    font.setPixelSize(size)
    for text in ("0.33", "−12.07", "1.2e8", "−∞", "NaN"):
        cell = QImage(width, height, QImage.Format.Format_Grayscale8)
        cell.fill(Qt.GlobalColor.black)
        with QPainter(cell) as painter:
            painter.setFont(font)
            painter.setPen(Qt.GlobalColor.white)
            painter.drawText(cell.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, text)
        pixels = np.frombuffer(cell.constBits(), np.uint8).reshape(height, -1)[:, :width]
        stamp = np.zeros((height, width), np.uint8)
        stamp[glyphs.top : glyphs.top + glyphs.height] = glyphs.alphas([text])[0]
        assert (stamp == pixels).all(), text


def test_numbers_are_white_on_dark_and_black_on_light(qapp: QGuiApplication) -> None:
    picture = Picture()
    look = Look(shared_glyphs(13, 44, 28), decimals=2, room=41, on_light=True)
    redraw([picture], [Content(np.array([[0.0, 1.0]]), None, "unit", Levels(0.0, 1.0))], look)
    image = picture.numbers
    assert image is not None
    assert (image.width(), image.height()) == (88, look.glyphs.height)
    lightest = [
        max(image.pixelColor(x, y).lightness() for x in xs for y in range(image.height()))
        for xs in (range(44), range(44, 88))
    ]
    assert lightest[0] == 0 and lightest[1] > 200


def test_pooling_keeps_a_single_peak() -> None:
    values = np.zeros((1000, 700))
    values[613, 5] = -7.0
    small = pooled(values, 100, 50)
    assert small.shape == (100, 50)
    assert small.min() == -7.0 and np.count_nonzero(small) == 1
    assert pooled(values, 2000, 2000) is values


def test_two_glyph_sizes_do_not_mix(qtbot: QtBot) -> None:
    assert Glyphs(theme.ui_font(), 30, 20).alphas(["1"]).shape[2] == 30


def test_of_each_tall_block_the_number_furthest_from_0_stays() -> None:
    values = np.random.default_rng(0).normal(size=(1003, 3))
    values[17, 1] = np.nan
    blocks = [values[start:stop] for start, stop in pairwise(np.linspace(0, 1003, 21).astype(int))]
    furthest = [[column[np.argmax(np.abs(column))] for column in block.T] for block in blocks]
    assert np.array_equal(pooled(values, 20, 3), furthest, equal_nan=True)
