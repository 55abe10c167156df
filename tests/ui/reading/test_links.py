"""Which lines there are, how several heads look together, and which one a click means."""

import numpy as np
import pytest

from explorer.scene import Scene
from explorer.ui.reading import links as module
from explorer.ui.reading.links import blended, links_of, nearest
from explorer.ui.reading.settings import Filters, differ_in_filters_alone, filters_of, with_filters
from explorer.ui.reading.tiles import GAP, Measures, placed

WEIGHTS = np.array([[[0.9, 0.1], [0.0, 1.0]], [[0.5, 0.5], [1.0, 0.0]]])  # (H=2, n=2, m=2)
RED, BLUE = (255, 0, 0), (0, 0, 255)


def cells(links: module.Links) -> list[tuple[int, int, int]]:
    return list(zip(links.heads.tolist(), links.rows.tolist(), links.cols.tolist(), strict=True))


def test_a_line_for_each_weight_the_strongest_last() -> None:
    links = links_of(WEIGHTS, [0], 1.0, 0.0, None)
    assert cells(links) == [(0, 0, 1), (0, 0, 0), (0, 1, 1)]
    assert links.strengths.tolist() == [0.1, 0.9, 1.0]
    assert links.left_out == 0


def test_filters() -> None:
    assert cells(links_of(WEIGHTS, [0, 1], 1.0, 0.6, None)) == [(0, 0, 0), (0, 1, 1), (1, 1, 0)]
    assert cells(links_of(WEIGHTS, [1], 1.0, 0.0, 1)) == [(1, 0, 0), (1, 1, 0)]
    assert cells(links_of(4 * WEIGHTS, [0], 4.0, 0.5, None)) == [
        (0, 0, 0),
        (0, 1, 1),
    ]  # a share of the largest


def test_next_to_nothing_is_not_seen() -> None:
    links = links_of(np.array([[[0.96, 0.04]]]), [0], 1.0, 0.0, None)
    assert links.seen.tolist() == [False, True]


def test_too_many_lines_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    links = links_of(WEIGHTS, [0, 1], 1.0, 0.0, None)
    assert (len(links), links.left_out) == (2, 4)
    assert links.strengths.tolist() == [1.0, 1.0]


def test_touching() -> None:
    links = links_of(WEIGHTS, [0, 1], 1.0, 0.0, None)
    assert {cells(links)[i] for i in np.flatnonzero(links.touching(row=1))} == {(0, 1, 1), (1, 1, 0)}
    assert {cells(links)[i] for i in np.flatnonzero(links.touching(col=1))} == {
        (0, 0, 1),
        (0, 1, 1),
        (1, 0, 1),
    }


def test_heads_between_the_same_words_are_one_line() -> None:
    links = links_of(np.array([[[0.5]], [[0.5]]]), [0, 1], 1.0, 0.0, None)
    rows, cols, shades = blended(links, links.touching(), np.array([RED, BLUE], dtype=np.uint8), 0.0)
    assert (rows.tolist(), cols.tolist()) == ([0], [0])
    # half blue over half red: three quarters opaque, two thirds of what is seen blue
    assert shades[0] == pytest.approx([1 / 3, 0, 2 / 3, 0.75])


def test_a_lone_line_has_its_heads_colour() -> None:
    links = links_of(WEIGHTS, [1], 1.0, 0.0, None)
    _rows, _cols, shades = blended(links, links.touching(), np.array([RED, BLUE], dtype=np.uint8), 0.6)
    assert shades == pytest.approx(np.array([[0, 0, 1, 0.6], [0, 0, 1, 0.6], [0, 0, 1, 1]]))
    assert not len(blended(links, ~links.touching(), np.array([RED], dtype=np.uint8), 0.6)[0])


def test_the_nearest_line() -> None:
    ends = np.array([[0, 0, 10, 0], [0, 4, 10, 4], [0, 4, 10, 4]], dtype=float)
    assert nearest(ends, (5, 1), 3) == 0
    assert nearest(ends, (5, 3), 3) == 2  # of equals the last, which lies on top
    assert nearest(ends, (5, 20), 3) is None
    assert nearest(ends, (14, 0), 3) is None
    assert nearest(ends[:0], (0, 0), 3) is None


# ---- what a scene keeps ----

PLAIN = Scene(x=np.eye(2), w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2))


def test_filters_are_kept_in_the_scene() -> None:
    filters = Filters(threshold=0.25, top=2)
    scene = with_filters(PLAIN, filters)
    assert scene.extra == {"lab": {"reading": {"threshold": 0.25, "top": 2}}}
    assert filters_of(scene) == filters
    assert with_filters(scene, Filters()).extra == {}
    assert differ_in_filters_alone(PLAIN, scene)
    assert not differ_in_filters_alone(PLAIN, scene.with_cell("w_q", 0, 0, 2.0))


@pytest.mark.parametrize("entry", [None, 3, {"threshold": 2}, {"threshold": True, "top": -1}, {"top": "all"}])
def test_nonsense_filters_nothing(entry: object) -> None:
    assert filters_of(PLAIN.replace(extra={"lab": {"reading": entry}})) == Filters()


def test_many_keys_have_few_lines_unless_asked_for() -> None:
    assert Filters().top_of(30) is None
    assert Filters().top_of(512) == 3
    assert Filters(top=0).top_of(512) is None
    assert Filters(top=7).top_of(512) == 7


# ---- where tiles go ----

SIZES = Measures(least=100, most=300, above=20, below=10, heading=30)


def test_tiles_are_as_large_as_can_all_be_in_view() -> None:
    (rects,), headings, height = placed([[(4, 4)] * 12], SIZES, (720, 600))
    assert headings == [0]
    assert height <= 600
    assert len({rect.y() for rect in rects}) == 3  # four in a line
    assert rects[1].x() - rects[0].right() - 1 == GAP
    assert rects[-1].right() < 720


def test_where_they_cannot_all_be_in_view_as_many_as_fit_stand_side_by_side() -> None:
    (rects,), _headings, height = placed([[(4, 4)] * 64], SIZES, (720, 300))
    assert len({rect.x() for rect in rects}) == (720 + GAP) // (100 + GAP)
    assert height > 300


def test_groups_have_headings() -> None:
    groups, headings, _height = placed([[(4, 4)] * 2, [(4, 4)] * 2], SIZES, (720, 2000))
    assert groups[0][0].y() == headings[0] + 30
    assert headings[1] >= groups[0][-1].bottom()


def test_one_tile_is_no_larger_than_need_be() -> None:
    (rects,), _headings, _height = placed([[(2, 2)]], SIZES, (3000, 2000))
    assert rects[0].width() == 300
    assert placed([[]], SIZES, (300, 300)) == ([[]], [0], 0)
