"""Worksheets on paper, read back and looked at."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from explorer import resources
from explorer.attention import attend
from explorer.files.session import load
from explorer.files.worksheet import Grid, Sheet, blanks_of, default_stages, versions, worksheet
from explorer.files.worksheet.markdown import ANSWERS, EXERCISES
from explorer.scene import Scene
from explorer.ui.paper import grids, ink
from explorer.ui.paper.atoms import Atom, gap, paginate
from explorer.ui.paper.ink import MILLIMETRE, PAPERS
from explorer.ui.paper.output import page_image, write_pdf
from explorer.ui.paper.sheets import FOOT, MARGIN, Page, pages

NAMES = sorted(path.name.removesuffix(".attn.json") for path in resources.path("scenes").glob("*.attn.json"))
CAT = load(resources.path("scenes", "cat-sat-down.attn.json"))


@pytest.fixture(autouse=True)
def application(qapp: object) -> None:
    """There is no type without one."""


def sheet_of(scene: Scene, language: str = "en", version: str = "") -> Sheet:
    trace = attend(scene)
    return worksheet(trace, blanks_of(trace, default_stages(scene)), language, version=version)


def texts(path: Path) -> list[str]:
    return [" ".join(page.extract_text().split()) for page in PdfReader(path).pages]


def written(made: list[Page], path: Path) -> list[str]:
    write_pdf(made, path, "title")
    return texts(path)


# ---- what is on them ----


def test_exercises_first_then_answers(tmp_path: Path) -> None:
    sheets = [sheet_of(scene, version=letter) for letter, scene in versions(CAT, 2, seed=7)]
    found = written(pages(sheets), tmp_path / "a.pdf")
    kinds = [re.search(r"(Attention by hand|Answers) · Version ([AB])", text).groups() for text in found]
    assert kinds == sorted(kinds, key=lambda kind: (kind[0] == "Answers", kind[1]))
    assert {kind for kind in kinds} == {(p, v) for p in ("Attention by hand", "Answers") for v in "AB"}
    assert found[0].startswith("Attention by hand The cat sat down: two heads, causal A Name Date 4 tokens")
    counted = [
        re.search(r"(\d) of (\d)", text).groups()
        for text, kind in zip(found, kinds, strict=True)
        if kind == kinds[0]
    ]
    assert [int(number) for number, _count in counted] == list(range(1, int(counted[0][1]) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_on_paper(name: str, tmp_path: Path) -> None:
    sheet = sheet_of(load(resources.path("scenes", f"{name}.attn.json")))
    asked = " ".join(written(pages([sheet], parts=[EXERCISES]), tmp_path / "a.pdf"))
    for grid in sheet.given:
        assert numbers(grid, given=True) <= set(asked.split())
    answered = " ".join(written(pages([sheet], parts=[ANSWERS]), tmp_path / "b.pdf"))
    for grid in sheet.grids:
        assert numbers(grid) <= set(answered.split())
    blank = {text for grid in sheet.grids for text in numbers(grid) if "." in text}
    shown = {text for grid in (*sheet.given, *sheet.grids) for text in numbers(grid, given=True)}
    tables = {
        text for task in sheet.tasks for table in task.tables for _name, row in table.rows for text in row
    }
    others = {text for text in re.findall(r"[\d.]+", " ".join(h for task in sheet.tasks for h in task.hints))}
    assert not (blank - shown - tables - others) & set(asked.split())


def numbers(grid: Grid, given: bool = False) -> set[str]:
    """Those that are printed, or those that are to be filled in."""
    wanted = ~grid.blank if given else grid.blank
    return {grid.texts[row][col] for row, col in np.argwhere(wanted).tolist()} - {""}


def test_worked_lines_are_in_the_answers(tmp_path: Path) -> None:
    found = " ".join(written(pages([sheet_of(CAT)], parts=[ANSWERS]), tmp_path / "a.pdf"))
    assert "(1·0 + 2·1)/√2 = 1.41" in found or "= 2.03/2.03 = 1" in found


def test_in_chinese(tmp_path: Path) -> None:
    found = written(pages([sheet_of(CAT, "zh_CN", "A")]), tmp_path / "a.pdf")
    # Of two letters that share a glyph, Qt notes the radical in a PDF: ⼿ for 手.
    joined = unicodedata.normalize("NFKC", "".join(found).replace(" ", ""))
    for text in ("手算注意力", "姓名", "查询、键、值", "因果掩码", "答案·A卷"):
        assert text in joined
    fonts = [
        font.get_object()
        for page in PdfReader(tmp_path / "a.pdf").pages
        for font in page["/Resources"]["/Font"].values()
    ]
    assert all("/FontDescriptor" in font["/DescendantFonts"][0].get_object() for font in fonts)


@pytest.mark.parametrize(("paper", "size"), [("A4", (595.3, 841.9)), ("Letter", (612, 792))])
def test_paper(paper: str, size: tuple[float, float], tmp_path: Path) -> None:
    write_pdf(pages([sheet_of(CAT)], paper), tmp_path / "a.pdf", "title")
    for page in PdfReader(tmp_path / "a.pdf").pages:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(size, abs=1)


# ---- how they look ----


def drawn(name: str, language: str, paper: str = "A4") -> Iterator[tuple[Page, QImage]]:
    scene = load(resources.path("scenes", f"{name}.attn.json"))
    for page in pages([sheet_of(scene, language)], paper):
        yield page, page_image(page, QSize(600, 850))


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


@pytest.mark.parametrize(
    ("name", "language"),
    [("cat-sat-down", "en"), ("cat-sat-down", "zh_CN"), ("translation", "en"), ("shared-keys", "zh_CN")],
)
def test_black_and_white_and_nothing_cut_off(name: str, language: str) -> None:
    for page, image in drawn(name, language):
        rgb = pixels(image)
        assert (np.ptp(rgb, axis=2) == 0).all()
        edge = round(0.8 * MARGIN / page.size.width() * image.width())
        assert (rgb[:, :edge] == 255).all() and (rgb[:, -edge:] == 255).all()
        assert (rgb[:edge] == 255).all()
        assert rgb.min() < 60  # there is black on it
        bottom = page.size.height() - MARGIN - FOOT + 6 * MILLIMETRE
        assert all(MARGIN + top + atom.height <= bottom + 1 for top, atom in page.atoms)


@pytest.mark.parametrize("paper", PAPERS)
def test_matrices_stay_within_the_width(paper: str) -> None:
    wide = PAPERS[paper].width() - 2 * MARGIN
    random = np.random.default_rng(1)
    scene = Scene(
        x=random.normal(size=(4, 3)), w_q=random.normal(size=(3, 2)), w_k=random.normal(size=(3, 2)),
        w_v=random.normal(size=(3, 18)), tokens=("incomprehensibilities", "a", "b", "c"),
    )  # fmt: skip
    sheet = sheet_of(scene)
    shapes = [grids.shape_of(grid, wide) for grid in (*sheet.given, *sheet.grids)]
    assert max(shape.width for shape in shapes) <= wide + 1
    assert min(shape.cell[0] for shape in shapes) >= grids.NARROWEST


def test_there_is_room_to_write() -> None:
    sheet = sheet_of(CAT)
    wide = PAPERS["A4"].width() - 2 * MARGIN
    for grid in sheet.grids:
        width, height = grids.shape_of(grid, wide).cell
        assert width >= 12 * MILLIMETRE and height >= 8 * MILLIMETRE


def test_a_long_title_is_cut_off_and_runs_into_nothing() -> None:
    scene = CAT.replace(title="A title as long as a sentence, and longer, " * 9)
    for page in pages([sheet_of(scene, version="A")])[:1]:
        rgb = pixels(page_image(page, QSize(600, 850)))
        edge = round(0.8 * MARGIN / page.size.width() * rgb.shape[1])
        assert (rgb[:, -edge:] == 255).all()
    room = 1000.0
    assert ink.width(ink.elided(scene.title, 10, room), 10) <= room
    assert ink.elided("two\nlines", 10, room) == "two lines"


# ---- pages ----


def atom(height: float, stays: bool = False) -> Atom:
    return Atom(height, lambda _painter, _x, _y: QPainter, stays)  # type: ignore[arg-type,return-value]


def test_what_stays_together_goes_together() -> None:
    title, body = atom(10, stays=True), atom(50)
    made = paginate([atom(60), gap(5), title, body], 100)
    assert [[height.height for _top, height in page] for page in made] == [[60], [10, 50]]
    assert made[1][0][0] == 0.0  # no air at the top of a page


def test_what_is_higher_than_a_page_stands_alone() -> None:
    made = paginate([atom(10), atom(300), atom(10)], 100)
    assert [len(page) for page in made] == [1, 1, 1]


def test_squares_grow_to_fill_a_page() -> None:
    def stretched(room: float) -> Atom:
        return atom(20 + min(room, 30))

    grows = Atom(20, lambda _painter, _x, _y: None, stretched=stretched)
    (page,) = paginate([grows, atom(10), grows], 100)
    assert [top for top, _atom in page] == [0, 45, 55] and page[-1][1].height == 45
    (page,) = paginate([grows], 100)
    assert page[0][1].height == 50


# ---- formulas ----


def test_formulas_are_outlines_as_ziamath_draws_them() -> None:
    line = ink.maths(r"\alpha_{i,j}=\frac{e^{s}}{2}", "α", 10)
    assert line.width > 300 and line.ascent > 0
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    line.draw(painter, 20, 250)
    painter.end()
    black = (pixels(image)[..., 0] < 128).mean()
    assert 0.01 < black < 0.1  # filled, and not drawn around


def test_what_ziamath_cannot_set_is_rich_text() -> None:
    line = ink.maths(r"\undefined{", "x<sub>1</sub>", 10)
    assert line.width > 0


def test_indices_in_texts() -> None:
    assert ink.rich("√d_k & W^O < W_q") == "√d<sub>k</sub> &amp; W<sup>O</sup> &lt; W<sub>q</sub>"
