"""Pictures in files, read back: the right numbers, in the right colours, where the screen has them."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import QBuffer, QMarginsF, QPoint, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from pytestqt.qtbot import QtBot

from explorer import resources
from explorer.attention import attend
from explorer.attention.trace import Trace
from explorer.files.session import load
from explorer.scene import Scene
from explorer.ui import painting, picture, svg, theme
from explorer.ui.painting import draw_image
from explorer.ui.panels import vector
from explorer.ui.panels.heatmap import colour_index, texts_of
from explorer.ui.panels.overlay import Marks
from explorer.ui.panels.panel import Panel
from explorer.ui.panels.view import TraceView
from explorer.ui.picture import Look, Picture
from explorer.ui.pipeline import Pipeline
from explorer.ui.preferences import preferences

CAT = load(resources.path("scenes", "cat-sat-down.attn.json"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def light(qapp: object) -> None:
    preferences().theme = "light"


@pytest.fixture
def pipeline(qtbot: QtBot) -> Iterator[Pipeline]:
    yield shown(qtbot, CAT)


def shown(qtbot: QtBot, scene: Scene, width: int = 1600) -> Pipeline:
    pipeline = Pipeline()
    qtbot.addWidget(pipeline)
    pipeline.resize(width, 700)
    pipeline.set_scene(scene)
    with qtbot.waitExposed(pipeline):
        pipeline.show()
    pipeline.show_trace(attend(scene))
    return pipeline


def texts(svg: str) -> list[str]:
    return ["".join(each.itertext()).strip() for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def rects(svg: str) -> dict[tuple[float, float], str]:
    """Where rectangles begin, in pixels of the picture, and their colour; of two in one place the last."""
    found: dict[tuple[float, float], str] = {}

    def walk(element: ElementTree.Element, fill: str, dx: float, dy: float) -> None:
        fill = element.get("fill", fill)
        if matrix := re.match(r"matrix\(1,0,0,1,([^,]+),([^)]+)\)", element.get("transform", "")):
            dx, dy = float(matrix[1]), float(matrix[2])
        if element.tag == f"{SVG}rect" and fill != "none":
            found[dx + float(element.get("x", 0)), dy + float(element.get("y", 0))] = fill
        for child in element:
            walk(child, fill, dx, dy)

    walk(ElementTree.fromstring(svg), "none", 0.0, 0.0)
    return found


def numbers_of(panel: Panel) -> list[str]:
    matrix = panel.matrix()
    assert matrix is not None
    return texts_of(matrix, panel.hidden(), preferences().decimals)


# ---- what is in it ----


def test_svg_holds_every_number_as_text(pipeline: Pipeline) -> None:
    found = texts(picture.vectors(picture.of_pipeline(pipeline), Look()))
    for panel in pipeline.panels.values():
        for text in numbers_of(panel):
            assert text in found
    wanted = sorted(text for panel in pipeline.panels.values() for text in numbers_of(panel))
    assert set(wanted) <= set(found)
    assert found.count("head 1") == 1 and "weights · 4 × 4" in found


@pytest.mark.parametrize("name", ["panel_scaled_2", "panel_weights_1", "panel_output"])
def test_svg_cells_are_rectangles_in_the_colours_of_the_trace(pipeline: Pipeline, name: str) -> None:
    panel = pipeline.panels[name]
    found = rects(picture.vectors(picture.of_panel(panel), Look()))
    matrix, span = panel.matrix(), panel.levels()
    assert matrix is not None and span is not None
    lut = theme.lut(panel.kind.stage.colours)[colour_index(matrix, span.low, span.high)]
    hidden = panel.hidden()
    for row, col in np.ndindex(matrix.shape):
        cell = panel.cell_rect(row, col).topLeft() + QPoint(picture.MARGIN, picture.MARGIN)
        off = hidden is not None and hidden[row, col]
        wanted = theme.LIGHT.surface.name() if off else QColor(*lut[row, col].tolist()).name()
        assert found[cell.x(), cell.y()] == wanted


def test_svg_of_one_panel_reads_row_by_row(pipeline: Pipeline) -> None:
    panel = pipeline.panels["panel_head_outputs_2"]
    found = texts(picture.vectors(picture.of_panel(panel), Look()))
    start = found.index("3.00")
    assert found[start : start + 8] == ["3.00", "2.00", "1.50", "3.00", "2.86", "3.63", "2.76", "3.43"]


def test_pdf_holds_the_numbers_and_its_fonts(pipeline: Pipeline, tmp_path: Path) -> None:
    picture.write(picture.of_pipeline(pipeline), Look(), tmp_path / "a.pdf")
    (page,) = PdfReader(tmp_path / "a.pdf").pages
    assert PdfReader(tmp_path / "a.pdf").metadata.title == "The cat sat down: two heads, causal"
    text = " ".join(page.extract_text().split())
    for panel in pipeline.panels.values():
        for number in numbers_of(panel):
            assert number in text
    assert "weights · 4 × 4" in text and "d_k = 2" in text
    size = picture.of_pipeline(pipeline).size
    assert float(page.mediabox.width) == pytest.approx(size.width() * 0.75, abs=1)
    assert float(page.mediabox.height) == pytest.approx(size.height() * 0.75, abs=1)
    fonts = page["/Resources"]["/Font"]
    assert fonts
    for font in fonts.values():
        (descendant,) = font.get_object()["/DescendantFonts"]
        descriptor = descendant.get_object()["/FontDescriptor"].get_object()
        assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor)
    assert not page.images


def test_pdf_cells_are_rectangles_in_the_colours_of_the_trace(pipeline: Pipeline, tmp_path: Path) -> None:
    panel = pipeline.panels["panel_weights_1"]
    picture.write(picture.of_panel(panel), Look(), tmp_path / "a.pdf")
    content = PdfReader(tmp_path / "a.pdf").pages[0].get_contents().get_data().decode("latin-1")
    colours = {
        tuple(round(float(c) * 255) for c in found)
        for found in re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) scn", content)
    }
    matrix, span = panel.matrix(), panel.levels()
    lut = theme.lut("unit")[colour_index(matrix, span.low, span.high)]
    assert {tuple(rgb) for rgb in lut[~panel.hidden()].tolist()} <= colours


# ---- as on the screen ----


def corners(panel: Panel) -> Iterator[QPoint]:
    """A place in each cell where no number is."""
    for row, col in np.ndindex(panel.shape):
        yield panel.cell_rect(row, col).topLeft() + QPoint(3, 3)


def difference(one: QColor, other: QColor) -> int:
    return max(abs(a - b) for a, b in zip(one.getRgb(), other.getRgb(), strict=True))


@pytest.mark.parametrize("name", ["panel_q_2", "panel_masked_1", "panel_weights_2", "panel_concat"])
def test_png_looks_as_on_the_screen(pipeline: Pipeline, name: str) -> None:
    panel = pipeline.panels[name]
    panel.set_marks(Marks())
    on_screen = panel.grab().toImage()
    drawn = picture.image(picture.of_panel(panel), Look())
    shift = QPoint(picture.MARGIN, picture.MARGIN)
    hidden = panel.hidden()
    for (row, col), corner in zip(np.ndindex(panel.shape), corners(panel), strict=True):
        if hidden is not None and hidden[row, col]:
            continue  # hatched: their ink is compared below
        assert difference(on_screen.pixelColor(corner), drawn.pixelColor(corner + shift)) <= 2
    # Numbers are there too, of the same darkness: a glyph more or less would tell.
    for row, col in np.ndindex(panel.shape):
        cell = panel.cell_rect(row, col).adjusted(4, 4, -4, -4)
        ink = [
            float(np.mean([im.pixelColor(p).lightness() for p in _grid(cell, at)]))
            for im, at in ((on_screen, QPoint()), (drawn, shift))
        ]
        assert ink[0] == pytest.approx(ink[1], abs=12)


def _grid(cell: object, shift: QPoint) -> Iterator[QPoint]:
    for x in range(cell.left(), cell.right(), 2):
        for y in range(cell.top(), cell.bottom(), 2):
            yield QPoint(x, y) + shift


def rendered(svg: str, size: QSize) -> QImage:
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(svg.encode()).render(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return image


@pytest.mark.parametrize("zoom", [1.0, 1.37, 2.0])
def test_svg_opened_again_shows_no_seams(pipeline: Pipeline, zoom: float) -> None:
    """Between two cells of one colour there is nothing, whatever the viewer's zoom."""
    panel = pipeline.panels["panel_q_1"]  # its middle rows are 2, 2, 2, 2
    drawn = picture.of_panel(panel)
    image = rendered(picture.vectors(drawn, Look()), drawn.size * zoom)
    first, second = panel.cell_rect(1, 0), panel.cell_rect(2, 0)
    x = (first.left() + 3 + picture.MARGIN) * zoom
    top, bottom = (first.top() + picture.MARGIN + 4) * zoom, (second.bottom() + picture.MARGIN - 4) * zoom
    colours = {image.pixelColor(round(x), y).name() for y in range(round(top), round(bottom))}
    assert len(colours) == 1


def test_hatching_stays_in_its_cells(pipeline: Pipeline) -> None:
    """SVG by Qt cannot clip, so nothing may need it."""
    panel = pipeline.panels["panel_masked_1"]
    drawn = picture.of_panel(panel)
    image = rendered(picture.vectors(drawn, Look()), drawn.size)
    hidden = panel.hidden()
    for row, col in np.ndindex(panel.shape):
        cell = panel.cell_rect(row, col).translated(picture.MARGIN, picture.MARGIN)
        edge = {image.pixelColor(x, cell.top() + 2).name() for x in range(cell.left() + 2, cell.right() - 2)}
        assert (len(edge) > 1) is bool(hidden[row, col])


# ---- how it may look ----


def test_transparent_dark_and_a_resolution(pipeline: Pipeline, tmp_path: Path) -> None:
    drawn = picture.of_panel(pipeline.panels["panel_weights_1"])
    path = tmp_path / "a.png"
    picture.write(drawn, Look(colours=theme.DARK, transparent=True, dpi=240), path)
    image = QImage(str(path))
    assert image.width() == pytest.approx(drawn.size.width() * 2.5, abs=1)
    assert image.dotsPerMeterX() == round(240 / 0.0254)
    assert image.pixelColor(2, 2).alpha() == 0
    opaque = picture.image(drawn, Look(colours=theme.DARK))
    assert opaque.pixelColor(2, 2) == theme.DARK.background and not opaque.hasAlphaChannel()
    svg = picture.vectors(drawn, Look(transparent=True))
    assert theme.LIGHT.background.name() not in rects(svg).values()
    assert theme.LIGHT.background.name() in rects(picture.vectors(drawn, Look())).values()


def test_the_theme_in_force_stays(pipeline: Pipeline) -> None:
    picture.image(picture.of_pipeline(pipeline), Look(colours=theme.CONTRAST))
    assert theme.current() is theme.LIGHT


def test_marks_may_be_left_out(pipeline: Pipeline) -> None:
    panel = pipeline.panels["panel_scores_1"]
    plain = picture.vectors(picture.of_panel(panel), Look())
    panel.set_marks(Marks(selected=(1, 1), sources=((range(0, 1), range(0, 4)),)))
    panel.set_pointed(((range(0, 2), range(0, 2)),))
    assert picture.vectors(picture.of_panel(panel), Look(marks=False)) == plain
    marked = picture.vectors(picture.of_panel(panel), Look())
    assert theme.LIGHT.source.name() in marked and theme.LIGHT.accent.name() in marked


def test_covered_numbers_stay_covered(pipeline: Pipeline) -> None:
    panel = pipeline.panels["panel_scores_1"]
    assert "16.00" in texts(picture.vectors(picture.of_panel(panel), Look()))
    panel.set_covered(frozenset({(1, 1), (2, 1)}))
    drawn = texts(picture.vectors(picture.of_panel(panel), Look()))
    assert drawn.count("?") == 2


def test_why_there_is_nothing_to_show_is_in_the_picture(pipeline: Pipeline) -> None:
    panel = pipeline.panels["panel_weights_1"]
    panel.show_view(TraceView(attend(CAT), missing={"weights": "not here"}))
    found = texts(picture.vectors(picture.of_panel(panel), Look()))
    assert "not here" in found and "1.00" not in found


def test_a_panel_zoomed_in_shows_what_is_in_view(pipeline: Pipeline) -> None:
    panel = pipeline.panels["panel_scores_2"]
    panel.zoom_at(panel.body().bottomRight() - QPoint(2, 2), 2.0)
    assert panel.zoom == 2.0
    found = texts(picture.vectors(picture.of_panel(panel), Look()))
    assert "7.00" in found and "5.00" not in found  # rows 3 and 4, columns 3 and 4
    body = panel.body()
    drawn = rects(picture.vectors(picture.of_panel(panel), Look()))
    assert all(x >= 0 for x, _y in drawn)
    assert (
        sum(body.contains(QPoint(int(x), int(y)) - QPoint(picture.MARGIN, picture.MARGIN)) for x, y in drawn)
        >= 4
    )


def test_larger_type_is_drawn_as_it_was_laid_out(qtbot: QtBot) -> None:
    preferences().scale = 1.5
    pipeline = shown(qtbot, CAT)
    drawn = picture.of_panel(pipeline.panels["panel_q_1"])
    assert drawn.type_scale == 1.5
    sizes = {float(s) for s in re.findall(r'font-size="([\d.]+)"', picture.vectors(drawn, Look()))}
    assert max(sizes) > 20
    smaller = picture.vectors(replace(drawn, type_scale=1.0), Look())
    assert max(float(s) for s in re.findall(r'font-size="([\d.]+)"', smaller)) < max(sizes)
    preferences().scale = 1.0


# ---- large ones ----


def many(rows: int) -> Trace:
    random = np.random.default_rng(1)
    w = random.normal(size=(3, 2, 2))
    return attend(Scene(x=random.normal(size=(rows, 2)), w_q=w[0], w_k=w[1], w_v=w[2]))


def test_too_many_cells_are_one_image(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "MOST_CELLS", 1000)
    trace = many(40)
    pipeline = shown(qtbot, trace.scene)
    text = picture.vectors(picture.of_pipeline(pipeline), Look())
    assert (
        text.count("<image ") == text.count("image-rendering: pixelated") == 4
    )  # scores, scaled, masked, weights
    assert len(rects(text)) < 1600


def one_image(painter: QPainter, _marks: bool) -> tuple[()]:
    dots = np.arange(60 * 50, dtype=np.uint32).reshape(60, 50) * 4111 | 0xFF000000
    draw_image(
        painter, QRectF(3, 5, 100, 120), QImage(dots.data, 50, 60, 200, QImage.Format.Format_RGB32).copy()
    )
    return ()


def test_an_image_in_svg_is_as_qt_writes_it(qapp: object) -> None:
    drawn = Picture(QSize(110, 130), one_image)
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    plain = QSvgGenerator()
    plain.setOutputDevice(buffer)
    plain.setResolution(picture.DPI)
    plain.setSize(drawn.size)
    plain.setViewBox(QRectF(0, 0, 110, 130))
    plain.setTitle(drawn.title)
    with QPainter(plain) as painter:
        drawn.paint(painter, Look())  # all by Qt: it is no Generator of ours
    assert picture.vectors(drawn, Look()) == svg.tidy(buffer.data().data().decode())


def test_an_image_in_pdf_is_as_qt_writes_it(qapp: object, tmp_path: Path) -> None:
    drawn = Picture(QSize(110, 130), two_images)
    picture.write(drawn, Look(), tmp_path / "ours.pdf")
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    plain = QPdfWriter(buffer)
    plain.setResolution(picture.DPI)
    points = QSizeF(110, 130) * (72 / picture.DPI)
    page = QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch)
    plain.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    plain.setTitle(drawn.title)
    plain.setCreator(picture.NAME)
    with pytest.MonkeyPatch.context() as patch, QPainter(plain) as painter:
        patch.setattr(painting, "STRIP", 1 << 20)  # all by Qt, and each in one piece
        drawn.paint(painter, Look())
    (tmp_path / "qts.pdf").write_bytes(buffer.data().data())
    ours, qts = images_in(tmp_path / "ours.pdf"), images_in(tmp_path / "qts.pdf")
    assert [(each["/Width"], each["/Height"]) for each in ours] == [(50, 60), (50, 60)]
    assert [dict(each) for each in ours] == [dict(each) for each in qts]
    assert [each.get_data() for each in ours] == [each.get_data() for each in qts]
    assert places_in(tmp_path / "ours.pdf") == places_in(tmp_path / "qts.pdf") == [[100, 120, 3, 5]] * 2


def places_in(path: Path) -> list[list[float]]:
    """Width, height, left and top of each image."""
    (page,) = PdfReader(path).pages
    content = page.get_contents().get_data().decode("latin-1")
    found = re.findall(r"(\S+) 0 0 (\S+) (\S+) (\S+) cm\n(\S+) 0 0 -(\S+) 0 \S+ cm /Im\d+ +Do", content)
    numbers = [list(map(float, each)) for each in found]
    return [[a * w, d * h, left, top] for a, d, left, top, w, h in numbers]


def two_images(painter: QPainter, marks: bool) -> tuple[()]:
    one_image(painter, marks)
    painter.translate(2, 9)
    return one_image(painter, marks)


def images_in(path: Path) -> list[dict[str, object]]:
    (page,) = PdfReader(path, strict=True).pages
    return [each.get_object() for each in page["/Resources"]["/XObject"].values()]


def test_an_image_on_paper_is_drawn_in_strips_that_lap(
    qapp: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    drawn, path = Picture(QSize(110, 130), one_image), tmp_path / "a.pdf"
    monkeypatch.setattr(painting, "STRIP", 50 * 25)
    paper = QPdfWriter(str(path))
    with QPainter(paper) as painter:
        drawn.paint(painter, Look())
    sizes = [(each["/Width"], each["/Height"]) for each in images_in(path)]
    assert sizes == [(50, 26), (50, 26), (50, 10)]


def test_one_pixel_more_than_can_be() -> None:
    drawn = Picture(QSize(9600, 9600), lambda _painter, _marks: ())
    most = picture.most_dpi(drawn.size)
    assert picture.image(drawn, Look(dpi=10)).size() == QSize(1000, 1000)
    with pytest.raises(ValueError, match=f"at most {int(most)} dpi, not 500"):
        picture.image(drawn, Look(dpi=500))
    wide = Picture(QSize(65_534, 8), lambda _painter, _marks: ())
    assert picture.image(wide, Look(dpi=None)).size() == QSize(32_767, 4)  # as much as there can be, unasked
    assert picture.image(Picture(QSize(40, 8), wide.draw), Look(dpi=None)).size() == QSize(40, 8)


def test_texts_keep_their_middle_in_another_font(pipeline: Pipeline) -> None:
    panel = pipeline.panels["panel_scores_1"]
    root = ElementTree.fromstring(picture.vectors(picture.of_panel(panel), Look()))
    found = {"".join(text.itertext()).strip(): text for text in root.iter(f"{SVG}text")}
    cell = panel.cell_rect(1, 1).translated(picture.MARGIN, picture.MARGIN)
    text = found["16.00"]
    assert text.get("text-anchor") == "middle"
    assert float(text.get("x")) + picture.MARGIN == pytest.approx(cell.center().x() + 0.5, abs=1.5)
    assert all(
        "sans-serif" in text.get("font-family") or "serif" in text.get("font-family")
        for text in found.values()
    )
