"""Pictures, numbers, worksheets and prints out of the window, as a person asks for them."""

import csv
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QImage, QPageLayout
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot
from safetensors.numpy import load_file

from explorer import resources
from explorer.attention import attend
from explorer.attention.trace import STAGES, Cell
from explorer.files.tables import parse_table
from explorer.ui import picture, saving, theme
from explorer.ui.export import printing
from explorer.ui.export.numbers_dialog import NumbersDialog, NumbersWish
from explorer.ui.export.picture_dialog import PictureDialog, Subject, Wish
from explorer.ui.export.worksheet_dialog import MARKDOWN, PDF, PRINT, WorksheetDialog
from explorer.ui.lab.code import Code
from explorer.ui.main_window import MainWindow
from explorer.ui.panels.panel import Panel
from explorer.ui.picture import Look
from explorer.ui.render import delete, laid_out
from tests.limits import limited, only_so_much_fits

CAT = resources.path("scenes", "cat-sat-down.attn.json")


@pytest.fixture
def cat(open_it: object) -> MainWindow:
    return open_it(CAT)


def panel(window: MainWindow, name: str) -> Panel:
    return window.pipeline.panels[name]


def action(window: object, name: str) -> QAction:
    found = window.findChild(QAction, name)
    assert found is not None, name
    return found


def ask(dialog: PictureDialog | NumbersDialog | WorksheetDialog) -> object:
    """What the dialog wishes for as it stands; it goes away."""
    wish = dialog.wish() if callable(dialog.wish) else dialog.wish
    dialog.deleteLater()
    return wish


# ---- pictures ----


def test_a_picture_of_the_whole_pipeline(cat: MainWindow, tmp_path: Path) -> None:
    asked: list[Sequence[Subject]] = []

    def wish(subjects: Sequence[Subject], chosen: int) -> Wish:
        asked.append(subjects)
        return Wish(chosen, ".svg", Look(colours=theme.DARK))

    proposed: list[Path] = []
    cat.exports.ask_picture = wish
    cat.exports.ask_file = lambda start: proposed.append(start) or tmp_path / "a.svg"
    height = cat.statusBar().height()
    action(cat, "export_picture").trigger()
    assert [subject.title for subject in asked[0]][:2] == ["the whole pipeline", "queries · head 1"]
    assert proposed[0].name == "cat-sat-down.svg" and proposed[0].parent == CAT.parent
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert theme.DARK.background.name() in text and ">head 2<" in text
    assert cat.statusBar().currentMessage() == "Saved a.svg"
    QApplication.processEvents()
    cat.layout().activate()
    assert cat.statusBar().height() == height  # the panels above do not move
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
    action(cat, "export_picture").trigger()
    assert proposed[1].parent == tmp_path  # where something was exported last


def test_the_panel_with_the_focus_is_proposed(qtbot: QtBot, cat: MainWindow) -> None:
    chosen: list[str] = []
    cat.exports.ask_picture = lambda subjects, number: chosen.append(subjects[number].title)
    target = panel(cat, "panel_weights_2")
    qtbot.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.cell_rect(0, 0).center())
    action(cat, "export_picture").trigger()
    assert chosen.pop() == "weights · head 2"
    cat.exports.export_picture(panel(cat, "panel_output"))
    assert chosen.pop() == "output"


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_picture_of_one_panel(cat: MainWindow, tmp_path: Path, suffix: str) -> None:
    cat.exports.ask_picture = lambda _subjects, chosen: Wish(chosen, suffix, Look(dpi=120))
    names: list[str] = []
    path = tmp_path / f"w{suffix}"
    cat.exports.ask_file = lambda start: names.append(start.name) or path
    assert cat.exports.export_picture(panel(cat, "panel_weights_1"))
    assert names == [f"cat-sat-down-weights-1{suffix}"]
    assert path.read_bytes()[:4] in (b"\x89PNG", b"<?xm", b"%PDF")


def test_a_picture_that_cannot_be_saved_says_why(cat: MainWindow, tmp_path: Path) -> None:
    cat.exports.ask_picture = lambda _subjects, chosen: Wish(chosen, ".png", Look())
    cat.exports.ask_file = lambda _start: tmp_path / "none" / "a.png"
    assert not cat.exports.export_picture()
    assert cat.banner.text == "a.png: it cannot be saved: there is no such file or folder."
    cat.exports.ask_picture = lambda _subjects, chosen: Wish(chosen, ".png", Look(dpi=99999))
    cat.exports.ask_file = lambda _start: tmp_path / "a.png"
    assert not cat.exports.export_picture()
    assert cat.banner.text.startswith("a.png: a picture of this size can have at most ")
    assert list(tmp_path.iterdir()) == []


def test_leaving_a_dialog_does_nothing(cat: MainWindow, tmp_path: Path) -> None:
    exports = cat.exports
    exports.ask_picture = exports.ask_numbers = exports.ask_worksheet = lambda *_: None
    exports.ask_printer = lambda _layout: None
    assert not any((exports.export_picture(), exports.export_numbers(), exports.print_pipeline()))
    exports.ask_picture = lambda _subjects, chosen: Wish(chosen, ".png", Look())
    exports.ask_file = lambda _start: None
    assert not exports.export_picture()


def test_the_picture_dialog(qtbot: QtBot, cat: MainWindow) -> None:
    dialogs: list[PictureDialog] = []

    def wish(subjects: Sequence[Subject], chosen: int) -> None:
        dialogs.append(PictureDialog(subjects, chosen))

    cat.exports.ask_picture = wish
    cat.exports.export_picture(panel(cat, "panel_scores_1"))
    (dialog,) = dialogs
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    size = cat.pipeline.panels["panel_scores_1"].size()
    assert dialog.subject.currentText() == "raw scores · head 1"
    dialog.dpi.setValue(300)
    assert dialog.pixels.value() == round((size.width() + 32) * 300 / 96)
    assert dialog.measure.text().endswith("pixels")
    qtbot.waitUntil(lambda: dialog.preview.is_done)
    assert dialog.preview.image.pixelColor(1, 1) == theme.LIGHT.background
    dialog.colours.setCurrentIndex(dialog.colours.findData("dark"))
    qtbot.waitUntil(lambda: dialog.preview.is_done)
    assert dialog.preview.image.pixelColor(1, 1) == theme.DARK.background
    dialog.transparent.setChecked(True)
    qtbot.waitUntil(lambda: dialog.preview.is_done)
    assert dialog.preview.image.pixelColor(1, 1).alpha() == 0
    dialog.form.setCurrentIndex(dialog.form.findData(".pdf"))
    assert not dialog.dpi.isVisible() and dialog.measure.text().endswith("mm")
    dialog.accept()
    look = dialog.wish().look
    assert (look.colours, look.transparent, look.marks, look.dpi) == (theme.DARK, True, True, 300)
    # The next one begins as this one ended.
    again = PictureDialog([Subject("x", "x", dialog._subjects[0].picture)], 0)
    qtbot.addWidget(again)
    assert again.wish() == Wish(0, ".pdf", look)


def test_a_width_in_pixels_is_a_resolution(qtbot: QtBot, cat: MainWindow) -> None:
    dialog: list[PictureDialog] = []
    cat.exports.ask_picture = lambda subjects, chosen: dialog.append(PictureDialog(subjects, chosen))
    cat.exports.export_picture()
    qtbot.addWidget(dialog[0])
    width = picture.of_pipeline(cat.pipeline).size.width()
    dialog[0].pixels.setValue(2 * width)
    assert dialog[0].dpi.value() == 192
    dialog[0].pixels.setValue(1001)
    assert dialog[0].dpi.value() == round(1001 * 96 / width)
    assert picture.image(picture.of_pipeline(cat.pipeline), dialog[0].wish().look).width() == 1001
    dialog[0].pixels.setValue(10**9)  # no more than can be painted
    assert picture.most_dpi(picture.of_pipeline(cat.pipeline).size) >= dialog[0].wish().look.dpi > 1000


def test_settings_that_somebody_spoiled(qtbot: QtBot, cat: MainWindow) -> None:
    for key, value in (("dpi", "many"), ("form", ".gif"), ("colours", "pink"), ("transparent", "?")):
        QSettings().setValue(f"picture/{key}", value)
    dialogs: list[PictureDialog] = []
    cat.exports.ask_picture = lambda subjects, chosen: dialogs.append(PictureDialog(subjects, chosen))
    cat.exports.export_picture()
    qtbot.addWidget(dialogs[0])
    wish = dialogs[0].wish()
    assert (wish.suffix, wish.look.dpi, wish.look.transparent) == (".png", 192, False)


# ---- the menu of a panel ----


def entries(menu: QMenu) -> dict[str, QAction]:
    return {entry.objectName(): entry for entry in menu.actions() if not entry.isSeparator()}


def test_right_click_opens_the_panels_menu(qtbot: QtBot, cat: MainWindow) -> None:
    target = panel(cat, "panel_weights_1")
    selected = cat.selection.cell
    at = target.cell_rect(1, 0).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, target.mapToGlobal(at))
    QApplication.sendEvent(target, event)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert list(entries(menu)) == ["copy_picture", "copy_table", "panel_picture", "panel_numbers", "enlarge"]
    assert cat.selection.cell == selected
    menu.close()


def test_copy_picture_and_table(cat: MainWindow) -> None:
    menu = entries(cat.exports.panel_menu(panel(cat, "panel_weights_1")))
    menu["copy_table"].trigger()
    assert cat.statusBar().currentMessage() == "The table is on the clipboard"
    table = parse_table(QGuiApplication.clipboard().text())
    assert table.row_labels == table.column_labels == ("The", "cat", "sat", "down")
    assert table.values.tobytes() == cat.engine.trace.weights[0].tobytes()
    menu["copy_picture"].trigger()
    data = QGuiApplication.clipboard().mimeData()
    image = QImage(data.imageData())
    assert image.width() == 2 * (panel(cat, "panel_weights_1").width() + 32)
    assert b"<svg" in bytes(data.data("image/svg+xml").data())


def test_a_copied_picture_has_no_frame_of_the_number_that_the_menu_was_opened_over(
    qtbot: QtBot, cat: MainWindow
) -> None:
    weights = panel(cat, "panel_weights_1")
    plain = picture.image(picture.of_panel(weights), Look(colours=theme.current(), dpi=192, marks=False))
    with qtbot.waitSignal(cat.provenance.shown):
        cat.selection.hover(Cell("weights", 0, 1, 1))
    framed = picture.image(picture.of_panel(weights), Look(colours=theme.current(), dpi=192))
    assert framed != plain
    entries(cat.exports.panel_menu(weights))["copy_picture"].trigger()
    copied = QImage(QGuiApplication.clipboard().mimeData().imageData())
    assert copied.convertToFormat(plain.format()) == plain
    cat.selection.select(Cell("weights", 0, 1, 1))  # chosen: it is meant
    entries(cat.exports.panel_menu(weights))["copy_picture"].trigger()
    copied = QImage(QGuiApplication.clipboard().mimeData().imageData())
    assert copied.convertToFormat(framed.format()) == framed
    assert cat.statusBar().currentMessage() == "The picture is on the clipboard"


def test_menu_exports_this_panel(cat: MainWindow) -> None:
    asked: list[object] = []
    cat.exports.ask_picture = lambda subjects, chosen: asked.append(subjects[chosen].title)
    cat.exports.ask_numbers = lambda stage: asked.append(stage)
    menu = entries(cat.exports.panel_menu(panel(cat, "panel_k_2")))
    menu["panel_picture"].trigger()
    menu["panel_numbers"].trigger()
    assert asked == ["keys · head 2", "k"]


def test_menu_enlarges_a_head_and_comes_back(cat: MainWindow) -> None:
    menu = entries(cat.exports.panel_menu(panel(cat, "panel_k_2")))
    assert menu["enlarge"].text().replace("&", "") == "Enlarge head 2"
    menu["enlarge"].trigger()
    assert cat.pipeline.only == 1
    menu = entries(cat.exports.panel_menu(panel(cat, "panel_k_2")))
    assert menu["enlarge"].text().replace("&", "") == "Show all heads"
    menu["enlarge"].trigger()
    assert cat.pipeline.only is None


# ---- numbers ----


def test_one_stage_to_csv(cat: MainWindow, tmp_path: Path) -> None:
    cat.exports.ask_numbers = lambda _stage: NumbersWish(("weights",), ".csv")
    names: list[str] = []
    cat.exports.ask_file = lambda start: names.append(start.name) or tmp_path / "w.csv"
    action(cat, "export_numbers").trigger()
    assert names == ["cat-sat-down-weights.csv"]
    rows = list(csv.reader((tmp_path / "w.csv").read_text(encoding="utf-8").splitlines()))
    numbers = np.array([[float(cell) for cell in row[2:]] for row in rows[1:]]).reshape(2, 4, 4)
    assert numbers.tobytes() == cat.engine.trace.weights.tobytes()


def test_every_stage_to_a_folder_of_csv_or_one_file(cat: MainWindow, tmp_path: Path) -> None:
    every = tuple(stage.name for stage in STAGES)
    cat.exports.ask_numbers = lambda _stage: NumbersWish(every, ".csv")
    cat.exports.ask_folder = lambda _start: tmp_path
    assert cat.exports.export_numbers()
    assert len(list((tmp_path / "cat-sat-down").iterdir())) == len(every)
    cat.exports.ask_numbers = lambda _stage: NumbersWish(every, ".safetensors")
    cat.exports.ask_file = lambda start: tmp_path / start.name
    assert cat.exports.export_numbers()
    assert set(load_file(tmp_path / "cat-sat-down.safetensors")) == set(every)


def test_numbers_do_not_take_the_place_of_their_session(cat: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "cat.json"
    cat.files.ask_save = lambda _start: path
    assert cat.files.save_as()
    before = path.read_bytes()
    cat.exports.ask_numbers = lambda _stage: NumbersWish(("q", "k"), ".json")
    cat.exports.ask_file = lambda _start: path
    assert not cat.exports.export_numbers()
    assert cat.banner.text == "cat.json: it cannot be saved: the session is read from it."
    assert path.read_bytes() == before


def test_numbers_that_cannot_be_saved(cat: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "cat-sat-down").touch()
    cat.exports.ask_numbers = lambda _stage: NumbersWish(("q", "k"), ".csv")
    cat.exports.ask_folder = lambda _start: tmp_path
    assert not cat.exports.export_numbers()
    assert cat.banner.text.startswith("cat-sat-down: it cannot be saved: ")


def test_the_numbers_dialog(qtbot: QtBot, qapp: QApplication) -> None:
    dialog = NumbersDialog("weights")
    qtbot.addWidget(dialog)
    assert dialog.wish() == NumbersWish(("weights",), ".csv") and "One file" in dialog.note.text()
    dialog.stage.setCurrentIndex(0)
    assert dialog.wish().to_folder and "folder" in dialog.note.text()
    dialog.form.setCurrentIndex(dialog.form.findData(".npz"))
    assert not dialog.wish().to_folder
    dialog.accept()
    again = NumbersDialog(None)
    qtbot.addWidget(again)
    assert again.wish().suffix == ".npz" and len(again.wish().stages) == len(STAGES)


# ---- print ----


def printer_to(path: Path, layout: QPageLayout | None) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    if layout is not None:
        printer.setPageSize(layout.pageSize())
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    return printer


def test_the_pipeline_on_paper(cat: MainWindow, tmp_path: Path) -> None:
    cat.exports.ask_printer = lambda layout: printer_to(tmp_path / "a.pdf", layout)
    action(cat, "print").trigger()
    text = " ".join(" ".join(page.extract_text() for page in PdfReader(tmp_path / "a.pdf").pages).split())
    assert "head 1" in text and "head 2" in text and "16.0" in text


def test_the_window_lives_while_it_prints_and_one_may_give_up(cat: MainWindow, tmp_path: Path) -> None:
    cat.exports.ask_printer = lambda layout: printer_to(tmp_path / "a.pdf", layout)
    threads, drawn, cancelled = [], Panel.render_to, threading.Event()

    def held_up(self: Panel, *arguments: object) -> None:
        threads.append(threading.current_thread())
        cancelled.wait(10)
        drawn(self, *arguments)

    def cancel() -> None:
        dialog = cat.findChild(QProgressDialog, "waiting")
        if dialog is not None and dialog.isVisible():
            said.append(dialog.labelText())
            dialog.findChild(QPushButton).click()
            cancelled.set()

    said: list[str] = []
    timer = QTimer(interval=20)
    timer.timeout.connect(cancel)
    timer.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Panel, "render_to", held_up)
        assert not cat.exports.print_pipeline()
    timer.stop()
    assert said[0] == "Printing …" and threading.main_thread() not in threads
    assert len(threads) == 1 and cat.banner.isHidden()


def test_heads_are_kept_whole_on_paper(qtbot: QtBot, cat: MainWindow) -> None:
    trace = cat.engine.trace
    pipeline = laid_out(trace.scene, trace, 1000)
    sections, height = pipeline.sections(), pipeline.content_size().height()
    parts = printing.pages(sections, height, max(section.height() for section in sections) + 60)
    delete(pipeline)
    assert len(parts) == 3
    assert [part.y() for part in parts] == [0, *(section.y() for section in sections[1:])]
    assert sum(part.height() for part in parts) == height
    assert len(printing.pages(sections, height, height)) == 1


# ---- worksheets ----


def test_a_worksheet_as_pdf_markdown_and_print(cat: MainWindow, tmp_path: Path) -> None:
    for name, form in (("save_pdf", PDF), ("save_markdown", MARKDOWN), ("print", PRINT)):

        def wish(dialog: WorksheetDialog, name: str = name) -> object:
            dialog.findChild(QPushButton, name).click()
            return ask(dialog)

        names: list[str] = []
        cat.exports.ask_worksheet = wish
        cat.exports.ask_file = lambda start, names=names: names.append(start.name) or tmp_path / start.name
        cat.exports.ask_printer = lambda layout: printer_to(tmp_path / "printed.pdf", layout)
        action(cat, "worksheet").trigger()
        assert names == ([] if form == PRINT else [f"cat-sat-down-worksheet{form}"])
    pages = PdfReader(tmp_path / "cat-sat-down-worksheet.pdf").pages
    printed = PdfReader(tmp_path / "printed.pdf").pages
    assert len(pages) == len(printed) > 4
    for one, other in zip(pages, printed, strict=True):  # as large on paper as in the file
        for side in ("width", "height"):
            assert float(getattr(one.mediabox, side)) == pytest.approx(
                float(getattr(other.mediabox, side)), abs=1
            )
    assert (
        (tmp_path / "cat-sat-down-worksheet.md").read_text(encoding="utf-8").startswith("# Attention by hand")
    )


def renew(qtbot: QtBot, dialog: WorksheetDialog) -> None:
    dialog.renew()
    qtbot.waitUntil(lambda: dialog.is_done)


def test_the_worksheet_dialog(qtbot: QtBot, cat: MainWindow) -> None:
    dialog = WorksheetDialog(cat.engine.trace)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    renew(qtbot, dialog)
    assert dialog.view.count > 4 and len(dialog.order.sheets()) == 1
    assert not dialog.count.isEnabled()
    dialog.whole.setChecked(True)
    dialog.count.setValue(3)
    dialog.part.setCurrentIndex(1)
    renew(qtbot, dialog)
    assert [sheet.version for sheet in dialog.order.sheets()] == ["A", "B", "C"]
    assert dialog.order.parts == ("exercises",) and dialog.count.isEnabled()
    first = dialog.order.sheets()[0].given[0].values
    dialog.seed.setValue(2)
    assert (dialog.order.sheets()[0].given[0].values != first).any()
    for name, box in dialog.stages.items():
        box.setChecked(name == "weights")
    renew(qtbot, dialog)
    assert [task.stages for task in dialog.order.sheets()[0].tasks] == [("weights",)]
    dialog.stages["weights"].setChecked(False)
    renew(qtbot, dialog)
    assert dialog.problem.text() == "no cell is left blank, so there is nothing to fill in."
    assert not dialog.findChild(QPushButton, "save_pdf").isEnabled() and dialog.view.count == 0
    dialog.stages["output"].setChecked(True)
    dialog.findChild(QPushButton, "print").setEnabled(True)
    qtbot.waitUntil(lambda: dialog.view.count == 3)  # after a rest, unasked
    assert dialog.wish is None


def test_covered_numbers_make_a_worksheet(qtbot: QtBot, cat: MainWindow) -> None:
    cells = [Cell("weights", 0, 1, 0), Cell("output", None, 0, 0)]
    cat.covers.cover(cells)
    dialogs: list[WorksheetDialog] = []
    cat.exports.ask_worksheet = lambda dialog: dialogs.append(dialog)
    cat.exports.worksheet()
    (dialog,) = dialogs
    qtbot.addWidget(dialog)
    assert not dialog.stages["weights"].isEnabled()
    assert (
        sum(
            grid.blank.sum() for grid in dialog.order.sheets()[0].grids if not grid.name.text.startswith("e^")
        )
        == 2
    )
    dialog.only_covered.setChecked(False)
    assert dialog.stages["weights"].isEnabled() and len(dialog.order.sheets()[0].tasks) == 7


def test_a_scene_too_large_for_paper(qtbot: QtBot, cat: MainWindow) -> None:
    scene = cat.document.scene
    wide = scene.replace(x=np.ones((60, 4)), tokens=())
    dialog = WorksheetDialog(attend(wide))
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.is_done)
    assert "cells would be blank" in dialog.problem.text()
    dialog.whole.setChecked(True)
    renew(qtbot, dialog)
    assert "cells would be blank" in dialog.problem.text()


def test_pages_in_view_are_drawn_when_they_are_seen(qtbot: QtBot, cat: MainWindow) -> None:
    dialog = WorksheetDialog(cat.engine.trace)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.waitUntil(lambda: dialog.is_done)
    qtbot.waitUntil(lambda: 0 in dialog.view._images)
    assert len(dialog.view._images) < dialog.view.count
    assert dialog.view.page_rect(1).top() > dialog.view.page_rect(0).bottom()
    assert dialog.view.minimumHeight() > dialog.view.page_rect(dialog.view.count - 1).bottom()


def test_pages_that_nobody_looks_at_are_not_drawn(qtbot: QtBot, cat: MainWindow) -> None:
    dialog = WorksheetDialog(cat.engine.trace)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    qtbot.waitUntil(lambda: 0 in dialog.view._images)
    dialog.view._images.clear()
    dialog.view._make_next()
    assert dialog.view._maker.is_busy
    dialog.hide()
    assert not dialog.view._maker.is_busy
    dialog.show()
    qtbot.waitUntil(lambda: 0 in dialog.view._images)


# ---- the file dialog ----


NAMES = [  # what a person types, and the file
    ("mine", "mine{}"), ("fig1.2", "fig1.2{}"), ("v1.", "v1{}"), ("a.tex.bak", "a.tex.bak{}"), ("b{}", "b{}"),
    ("c.doc", "c.doc{}"),
]  # fmt: skip


def dialogs(window: MainWindow) -> dict[str, Callable[[Path], Path | None]]:
    """Every dialog that asks for a file to write, by the suffix of what it writes."""
    window.lab.open("code")
    code = window.findChild(Code)
    export = window.exports._file_dialog
    return {
        ".png": export, ".svg": export, ".pdf": export, ".csv": export, ".npz": export, ".safetensors": export,
        ".json": export, ".md": export, ".py": code._dialog, ".tex": code._dialog,
        ".attn.json": window.files._save_dialog,
    }  # fmt: skip


def test_every_file_that_is_asked_for_has_its_suffix(cat: MainWindow, tmp_path: Path) -> None:
    """A point in the name is none of it; capital letters will do; and what is overwritten is asked about."""

    def typed(text: str) -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        seen.append(Path(dialog.selectedFiles()[0]).name)
        dialog.findChild(QLineEdit, "fileNameEdit").setText(text)
        dialog.accept()

    def look_and_leave() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        seen.append(Path(dialog.selectedFiles()[0]).name)
        dialog.reject()

    for suffix, ask in dialogs(cat).items():
        for text, expected in (*NAMES, (f"D{suffix.upper()}", f"D{suffix.upper()}")):
            seen: list[str] = []
            QTimer.singleShot(0, partial(typed, text.format(suffix)))
            path = ask(tmp_path / f"proposed{suffix}")
            assert path == tmp_path / expected.format(suffix) and seen == [f"proposed{suffix}"]
        (tmp_path / f"there.1{suffix}").touch()
        seen = []

        def type_one_that_is_there() -> None:
            QTimer.singleShot(0, look_and_leave)
            typed("there.1")

        QTimer.singleShot(0, type_one_that_is_there)
        assert ask(tmp_path / f"proposed{suffix}") is None
        assert seen == [f"proposed{suffix}", f"there.1{suffix}"]


@pytest.mark.parametrize("suffix", [".PNG", ".Svg", ".PDF"])
def test_capital_suffixes_name_the_same_forms(cat: MainWindow, tmp_path: Path, suffix: str) -> None:
    drawn = picture.of_panel(cat.pipeline.panels["panel_weights_1"])
    small, large = tmp_path / f"a{suffix.lower()}", tmp_path / f"a1{suffix}"
    for path in (small, large):
        picture.write(drawn, Look(), path)
    assert large.read_bytes()[:8] == small.read_bytes()[:8]


def test_a_title_as_the_name_of_a_file() -> None:
    assert saving.file_name("Two tokens: a/b?") == "Two tokens- a-b-"
    assert saving.file_name(" ../x. ") == "-x"
    assert saving.file_name("y" * 500) == "y" * 80
    assert saving.file_name("...") == ""


def test_where_a_file_is_proposed(qapp: QApplication, tmp_path: Path) -> None:
    assert saving.start("a.svg", None) == Path.home() / "a.svg"
    assert saving.start("a.svg", tmp_path / "x.attn.json") == tmp_path / "a.svg"
    saving.remember(tmp_path / "pictures.png")
    assert saving.start("a.svg", None) == tmp_path / "a.svg"
    saving.remember(tmp_path / "gone" / "b.png")
    assert saving.start("a.svg", None) == Path.home() / "a.svg"


@pytest.mark.skipif(os.name == "nt", reason="folders of POSIX")
@pytest.mark.qt_log_ignore("^QPainter::begin", extend=True)  # it is what the sentence is about
def test_a_printer_that_takes_nothing(cat: MainWindow, tmp_path: Path) -> None:
    cat.exports.ask_printer = lambda layout: printer_to(tmp_path / "none" / "a.pdf", layout)
    assert not cat.exports.print_pipeline()
    assert cat.banner.text == "The printer does not answer."


@limited
def test_a_disk_that_is_full_in_the_middle_of_printing(cat: MainWindow, tmp_path: Path) -> None:
    cat.exports.ask_printer = lambda layout: printer_to(tmp_path / "a.pdf", layout)
    with only_so_much_fits(20_000):
        assert not cat.exports.print_pipeline()
    assert cat.banner.text == "The PDF is not whole: the disk may be full."
    assert cat.exports.print_pipeline()
