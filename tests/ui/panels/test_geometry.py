"""The layout of the pipeline: pure, so properties are cheap to hold."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.ui.panels.geometry import resolve
from explorer.ui.panels.measures import Box, Metrics, Rect, Section, narrowest

METRICS = Metrics(cell=(44, 28), title=40, foot=24, gap=24, margin=80, section_gap=20)


def head(number: int, n: int, d: int) -> Section:
    def box(name: str, cols: int, arrow: bool = True) -> Box:
        return Box(
            f"{name}_{number}", n, cols, title=70, labels=30, longest=30, lying=18, standing=40, arrow=arrow
        )

    projections = tuple(box(name, d, False) for name in "qkv")
    attention = (*(box(name, n) for name in ("scores", "scaled", "masked", "weights")), box("out", d))
    return Section((projections, attention), beside=True)


def overlap(a: Rect, b: Rect) -> bool:
    return a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h


@given(heads=st.integers(1, 8), n=st.integers(1, 64), d=st.integers(1, 16), width=st.integers(600, 4000))
def test_panels_fit_the_width_and_never_overlap(heads: int, n: int, d: int, width: int) -> None:
    layout = resolve([head(h, n, d) for h in range(1, heads + 1)], METRICS, width)
    rects = list(layout.panels.values())
    assert len(rects) == 8 * heads
    assert all(rect.x >= METRICS.margin and rect.x + rect.w <= width for rect in rects)
    assert not any(overlap(a, b) for i, a in enumerate(rects) for b in rects[:i])
    assert all(rect.y + rect.h <= layout.size[1] for rect in rects)


JOINED = Section(((Box("concat", 16, 32, 60, 30), Box("output", 16, 32, 60, 30)),))


@given(
    heads=st.integers(2, 8),
    n=st.integers(1, 64),
    d=st.integers(1, 8),
    width=st.integers(600, 4000),
    height=st.integers(300, 2200),
    zoom=st.sampled_from([1.0, 1.0, 0.7, 1.6]),
)
def test_heads_side_by_side_keep_their_numbers_and_never_overlap(
    heads: int, n: int, d: int, width: int, height: int, zoom: float
) -> None:
    sections = [*(head(h, n, d) for h in range(1, heads + 1)), JOINED]
    alone = resolve(sections, METRICS, width, zoom)
    layout = resolve(sections, METRICS, width, zoom, height)
    rects = list(layout.panels.values())
    assert not any(overlap(a, b) for i, a in enumerate(rects) for b in rects[:i])
    assert zoom > 1.0 or all(rect.x + rect.w <= width for rect in rects)
    if zoom == 1.0:
        assert layout.size[1] <= alone.size[1]
        full, fewer = METRICS.cell[0], 0.75 * METRICS.cell[0]
        assert layout.cell[0] >= min(alone.cell[0], full if alone.cell[0] >= full else fewer)
        if alone.size[1] <= height:
            assert layout == alone
    for one, (section, strip) in enumerate(zip(sections, layout.sections, strict=True)):
        for box in section.boxes:
            rect = layout.panels[box.key]
            assert strip.x + METRICS.margin <= rect.x and strip.y <= rect.y, one
            assert rect.y + rect.h <= strip.y + strip.h
    assert layout.sections[-1].x == 0  # the joined stages have a line for themselves


def test_a_projected_window_has_two_heads_in_a_row() -> None:
    """16 tokens × 8 heads at 3840 × 2160: as many decimals, a quarter less to scroll."""
    heads = [head(h, 16, 4) for h in range(1, 9)]
    alone, layout = resolve(heads, METRICS, 3260), resolve(heads, METRICS, 3260, 1.0, 2060)
    assert layout.panels["q_1"].y == layout.panels["q_2"].y < layout.panels["q_3"].y
    assert layout.panels["q_1"].x == layout.panels["q_3"].x < layout.panels["q_2"].x
    assert all(layout.panels[box.key].x < layout.panels["q_2"].x for box in heads[0].boxes)
    assert layout.size[1] < 0.8 * alone.size[1]


@given(n=st.integers(1, 40), width=st.integers(700, 3000))
def test_a_wider_window_never_shows_fewer_heads_at_a_smaller_size(n: int, width: int) -> None:
    narrow, wide = (resolve([head(1, n, 2)], METRICS, w) for w in (width, width + 400))
    assert wide.cell[0] >= narrow.cell[0] or wide.size[1] <= narrow.size[1]


def test_two_tokens_stand_on_one_line_at_1200_pixels() -> None:
    layout = resolve([head(1, 2, 2)], METRICS, 1250)
    assert len({rect.y for rect in layout.panels.values()}) == 1
    assert layout.cell[0] >= METRICS.cell[0]


def test_a_narrow_window_puts_projections_above_attention() -> None:
    layout = resolve([head(1, 2, 2)], METRICS, 760)
    assert layout.panels["q_1"].y == layout.panels["v_1"].y < layout.panels["scores_1"].y
    assert layout.panels["scores_1"].y == layout.panels["out_1"].y


def test_scores_stand_beside_the_projections_where_that_saves_a_line() -> None:
    layout = resolve([head(1, 16, 4)], METRICS, 1370)
    rows = [rect.y for rect in layout.panels.values()]
    assert layout.panels["q_1"].y == layout.panels["scores_1"].y < layout.panels["scaled_1"].y
    assert len(set(rows)) == 3


def test_cells_too_small_for_numbers_are_square() -> None:
    layout = resolve([head(1, 40, 8)], METRICS, 900)
    assert layout.cell[0] == layout.cell[1] < 20


def test_a_thousand_tokens_become_pictures_of_fixed_size() -> None:
    layout = resolve([head(1, 1024, 64)], METRICS, 1600)
    assert layout.panels["weights_1"].h < 500


def test_zoom_multiplies_the_cells() -> None:
    fitted, zoomed = (resolve([head(1, 8, 2)], METRICS, 1600, zoom) for zoom in (1.0, 2.0))
    assert zoomed.cell[0] == 2 * fitted.cell[0]


def test_no_arrow_leads_into_k_or_v() -> None:
    layout = resolve([head(1, 2, 2)], METRICS, 1250)
    assert len(layout.arrows) == 5  # into scores, scaled, masked, weights, output


def test_a_long_matrix_of_few_rows_shrinks_alone() -> None:
    layout = resolve([head(1, 4, 64)], METRICS, 660)
    assert layout.cell[0] >= 0.75 * METRICS.cell[0]  # numbers fit
    assert layout.cells["weights_1"] == layout.cell
    assert layout.cells["q_1"] == layout.cells["k_1"] < layout.cell
    assert all(rect.x + rect.w <= 660 for rect in layout.panels.values())
    high = resolve([head(1, 40, 128)], METRICS, 660)
    assert high.cells["q_1"] == high.cells["v_1"] < high.cells["weights_1"]


def test_high_matrices_are_pictures_and_leave_the_rest_its_numbers() -> None:
    """Cross-attention of 5 queries to 1,500 keys."""
    k, v = (Box(name, 1500, 16, 70, 30, 30, 18, 40, arrow=False) for name in "kv")
    q, out = (Box(name, 5, 16, 70, 30, 30, 18, 40) for name in ("q", "out"))
    weights = Box("weights", 5, 1500, 70, 30, 30, 18, 40)
    layout = resolve([Section(((q, k, v), (weights, out)))], METRICS, 900)
    assert layout.cells["k"] == layout.cells["v"] == (96 / 16, 360 / 1500)
    assert layout.size[1] < 1200
    assert layout.cells["weights"][1] == 96 / 5 and layout.cells["weights"][0] < 1
    assert layout.cells["q"][0] >= 0.75 * 44


def test_a_wide_model_leaves_the_weights_readable() -> None:
    """Six tokens in a layer of 384 columns: the joined matrices are bands, the weights have numbers."""
    joined = Section(((Box("concat", 6, 384, 60, 30), Box("output", 6, 384, 60, 30)),))
    layout = resolve([head(1, 6, 32), joined], METRICS, 700)
    assert layout.cells["weights_1"][0] >= 0.75 * METRICS.cell[0]
    assert layout.cells["q_1"] == layout.cells["k_1"] == layout.cells["v_1"]
    assert layout.panels["q_1"].y == layout.panels["v_1"].y  # on one line
    assert all(rect.x + rect.w <= 700 for rect in layout.panels.values())


def test_a_small_scene_keeps_its_numbers_in_a_narrow_window() -> None:
    large_type = Metrics(cell=(66, 42), title=60, foot=36, gap=36, margin=120, section_gap=30)
    layout = resolve([head(1, 2, 2)], large_type, 400)
    assert layout.cell[0] >= 0.75 * large_type.cell[0]
    assert all(rect.x + rect.w <= 400 for rect in layout.panels.values())


@given(n=st.integers(2, 20))
def test_cells_are_seen_wherever_the_widest_title_has_room(n: int) -> None:
    width = narrowest([head(1, n, 2)], METRICS)
    assert width == 80 + 30 + 70 + 24 // 2
    layout = resolve([head(1, n, 2)], METRICS, width)
    assert layout.size[0] <= width
    assert layout.cell[0] == min(70 // n, 33)  # the title's pixels; 33: as wide as numbers need
