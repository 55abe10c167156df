"""Pictures and numbers out of the window: to files and to the clipboard."""

import errno
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QMimeData, QObject, QPoint
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from shiboken6 import isValid

from explorer.attention.trace import STAGE
from explorer.files import atomic, traces
from explorer.files.session import check_apart, sources, stem
from explorer.files.tables import table_pieces
from explorer.patience import CancelledError, GoingOn
from explorer.ui import picture, saving, theme
from explorer.ui.clipboard import gathered, offer
from explorer.ui.export.asking import accepted
from explorer.ui.export.numbers_dialog import NumbersDialog, NumbersWish
from explorer.ui.export.picture_dialog import PictureDialog, Subject, Wish
from explorer.ui.export.printing import Beside, print_pipeline
from explorer.ui.maps import StillMaps
from explorer.ui.panels.panel import Panel
from explorer.ui.picture import Look
from explorer.ui.problems import problem_text
from explorer.ui.texts import head_text, scene_title, stage_title
from explorer.ui.waiting import Result

if TYPE_CHECKING:
    from explorer.ui.export.worksheet_dialog import WorksheetDialog, WorksheetWish
    from explorer.ui.main_window import MainWindow

COPY_DPI = 192  # of a picture on the clipboard
SAID_MS = 6000


class Exports(QObject):
    """What the window shows, as files. `ask_*` are plain callables, so that tests can answer."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        picture.rehearse()
        self.ask_picture: Callable[[Sequence[Subject], int], Wish | None] = self._picture_dialog
        self.ask_numbers: Callable[[str | None], NumbersWish | None] = self._numbers_dialog
        self.ask_file: Callable[[Path], Path | None] = self._file_dialog
        self.ask_folder: Callable[[Path], Path | None] = self._folder_dialog
        self.ask_printer: Callable[[QPageLayout | None], QPrinter | None] = self._printer_dialog
        self.ask_worksheet: Callable[[WorksheetDialog], WorksheetWish | None] | None = None  # None: by itself

    # ---- pictures ----

    def export_picture(self, panel: Panel | None = None) -> bool:
        """Ask what, how and where to; `panel` is proposed, else the one that has the keyboard, else the pipeline."""
        view = self._window.pipeline.view
        if view is None:
            return False
        panels = list(self._window.pipeline.panels.values())
        if panel is None and (focus := QApplication.focusWidget()) in panels:
            panel = focus
        subjects = [
            Subject(
                self.tr("the whole pipeline"), "", picture.of_pipeline(self._window.pipeline, StillMaps())
            ),
            *(Subject(panel_title(each), _stem(each), picture.of_panel(each, view.trace)) for each in panels),
        ]
        wish = self.ask_picture(subjects, 0 if panel is None else 1 + panels.index(panel))
        if wish is None:
            return False
        subject = subjects[wish.subject]
        if wish.copy:
            self._copy(subject.picture, wish.look)
            return True
        path = self.ask_file(self._proposed("-".join(filter(None, (self._stem, subject.stem))) + wish.suffix))
        return path is not None and self._save(
            path, lambda going_on: _write_picture(path, subject, wish.look, going_on)
        )

    def copy_picture(self, panel: Panel) -> None:
        """One panel, as it looks, to the clipboard: as an image, and as SVG for programs that take it. The mouse
        that opened the menu is over some number, which nobody has chosen by that.
        """
        self._window.provenance.forget_hover()
        self._copy(picture.of_panel(panel), Look(colours=theme.current(), dpi=COPY_DPI))

    def _copy(self, drawn: picture.Picture, look: Look) -> None:
        def draw(going_on: GoingOn) -> tuple[QImage, str]:
            return picture.image(drawn, look, going_on), picture.vectors(drawn, look, going_on)

        if (made := self._made(draw)) is not None:
            data = QMimeData()
            data.setImageData(made[0])
            data.setData("image/svg+xml", QByteArray(made[1].encode()))
            QGuiApplication.clipboard().setMimeData(data)
            self._say(self.tr("The picture is on the clipboard"))

    # ---- numbers ----

    def export_numbers(self, stage: str | None = None) -> bool:
        """Ask for stages of what is shown, a form and a place."""
        view = self._window.pipeline.view
        wish = None if view is None else self.ask_numbers(stage)
        if view is None or wish is None:
            return False
        trace = view.trace
        if wish.to_folder:
            folder = self.ask_folder(self._proposed(self._stem).parent)
            if folder is None:
                return False
            folder = folder / self._stem
            return self._save(
                folder, lambda going_on: traces.save_folder(trace, folder, wish.stages, going_on)
            )
        name = self._stem if len(wish.stages) > 1 else f"{self._stem}-{wish.stages[0]}"
        path = self.ask_file(self._proposed(name + wish.suffix))
        return path is not None and self._save(
            path, lambda going_on: traces.save(trace, path, wish.stages, going_on)
        )

    def copy_table(self, panel: Panel) -> None:
        """The numbers of a panel in full precision, with labels, as spreadsheets take them."""
        matrix, kind = panel.matrix(), panel.kind
        if matrix is not None:
            labels = kind.row_labels(panel.scene), kind.column_labels(panel.scene)
            text = self._made(lambda going_on: gathered(table_pieces(matrix, *labels), going_on))
            if text is not None:
                offer(text)
                self._say(self.tr("The table is on the clipboard"))

    # ---- paper ----

    def print_pipeline(self) -> bool:
        """Ask for a printer, and print all that the pipeline shows."""
        pipeline = self._window.pipeline
        printer = None if pipeline.view is None else self.ask_printer(None)
        if printer is None:
            return False
        return self._print(lambda beside: print_pipeline(pipeline, printer, beside))

    def worksheet(self) -> bool:
        """Put a worksheet together from the scene, and save or print it."""
        trace = self._window.engine.trace
        if trace is None:
            return False
        # Not loaded at the start: the window is on the screen some 50 ms earlier.
        from explorer.ui.export import worksheets
        from explorer.ui.export.worksheet_dialog import PRINT, WorksheetDialog
        from explorer.ui.paper.output import page_layout

        covered = [cell for cell in self._window.covers.cells if cell.place in STAGE]
        dialog = WorksheetDialog(trace, covered, self._window)
        wish = worksheets.answer(dialog) if self.ask_worksheet is None else self.ask_worksheet(dialog)
        if wish is None:
            return False
        if wish.form == PRINT:
            printer = self.ask_printer(page_layout(wish.pages[0]))
            return printer is not None and self._print(
                lambda beside: beside(lambda going_on: worksheets.print_out(wish, printer, going_on))
            )
        name = self.tr("worksheet")  # by itself: Qt's tools do not look into f-strings
        path = self.ask_file(self._proposed(f"{self._stem}-{name}{wish.form}"))
        return path is not None and self._save(path, lambda going_on: worksheets.write(path, wish, going_on))

    # ---- the menu of a panel ----

    def panel_menu(self, panel: Panel) -> QMenu:
        """What can be done with one panel."""
        menu = QMenu(panel)
        for name, text, do in (
            ("copy_picture", self.tr("Copy &picture"), lambda: self.copy_picture(panel)),
            ("copy_table", self.tr("Copy &table"), lambda: self.copy_table(panel)),
            ("", "", None),
            ("panel_picture", self.tr("&Export picture…"), lambda: self.export_picture(panel)),
            ("panel_numbers", self.tr("Export &numbers…"), lambda: self.export_numbers(panel.kind.name)),
            ("", "", None),
            ("enlarge", self._enlarge_text(panel), lambda: self._enlarge(panel)),
        ):
            if do is None:
                menu.addSeparator()
                continue
            action = menu.addAction(text)
            action.setObjectName(name)
            action.setEnabled(panel.matrix() is not None or name == "enlarge")
            action.triggered.connect(lambda _on, do=do: do())
        return menu

    def _enlarge_text(self, panel: Panel) -> str:
        one = self._window.pipeline.only is not None or panel.head is None
        return (
            self.tr("Show &all heads")
            if one
            else self.tr("En&large head {number}").format(number=panel.head + 1)
        )

    def _enlarge(self, panel: Panel) -> None:
        panel.enlarge_asked.emit(
            -1 if self._window.pipeline.only is not None or panel.head is None else panel.head
        )

    def pop_up(self, panel: Panel, at: QPoint) -> None:
        menu = self.panel_menu(panel)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    # ---- saving ----

    @property
    def _stem(self) -> str:
        """Of the names that are proposed."""
        document = self._window.document
        if document.path is not None:
            return stem(document.path)
        return saving.file_name(scene_title(document.scene.title)) or self.tr("scene")

    def _proposed(self, name: str) -> Path:
        return saving.start(name, self._window.document.path)

    def _made(self, make: Callable[[GoingOn], Result]) -> Result | None:
        """What is to be copied; None where nobody wanted to wait for it, or there is too much, which is said."""
        try:
            return self._window.files.beside(self.tr("Copying …"), make)
        except CancelledError:
            pass
        except ValueError as error:
            self._window.banner.say(problem_text(str(error)))
        return None

    def _save(self, path: Path, write: Callable[[GoingOn], None]) -> bool:
        """Do it, and say what came of it; what the session is read from is no place for it."""
        own = self._window.document.path
        try:
            check_apart(path, sources([] if own is None else [own]))
            self._window.files.beside(self.tr("Saving {name} …").format(name=path.name), write)
        except CancelledError:
            return False
        except (OSError, ValueError) as error:
            why = f"it cannot be saved: {atomic.reason(error)}." if isinstance(error, OSError) else str(error)
            self._window.banner.say(problem_text(f"{path.name}: {why}"))
            return False
        saving.remember(path)
        self._say(self.tr("Saved {name}").format(name=path.name))
        return True

    def _say(self, text: str) -> None:
        self._window.statusBar().showMessage(text, SAID_MS)

    def _print(self, draw: Callable[[Beside], object]) -> bool:
        """Do it, and say so if nothing came of it."""
        try:
            draw(lambda task: self._window.files.beside(self.tr("Printing …"), task))
        except CancelledError:
            return False
        except OSError as error:
            full = self.tr("The PDF is not whole: the disk may be full.")
            self._window.banner.say(
                full if error.errno == errno.ENOSPC else self.tr("The printer does not answer.")
            )
            return False
        return True

    # ---- dialogs ----

    def _picture_dialog(self, subjects: Sequence[Subject], chosen: int) -> Wish | None:
        return _answer(PictureDialog(subjects, chosen, self._window))

    def _numbers_dialog(self, stage: str | None) -> NumbersWish | None:
        return _answer(NumbersDialog(stage, self._window))

    def _file_dialog(self, proposed: Path) -> Path | None:
        suffix = proposed.suffix
        kind = f"{suffix.removeprefix('.').upper()} (*{suffix})"
        return saving.ask_file(self._window, self.tr("Export"), proposed, kind, suffix)

    def _printer_dialog(self, layout: QPageLayout | None) -> QPrinter | None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if layout is not None:
            printer.setPageSize(layout.pageSize())
        printer.setDocName(self._stem)
        dialog = QPrintDialog(printer, self._window)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        return printer if accepted else None

    def _folder_dialog(self, proposed: Path) -> Path | None:
        return saving.ask_folder(self._window, self.tr("Export into a folder"), proposed)


def panel_title(panel: Panel) -> str:
    """'weights · head 2'."""
    kind, scene = panel.kind, panel.scene
    if panel.head is None or scene.heads == 1:
        return stage_title(kind.stage.name)
    shared = kind.stage.per == "kv_head" and scene.groups != scene.heads
    return f"{stage_title(kind.stage.name)} · {head_text(panel.head + 1, shared)}"


def _stem(panel: Panel) -> str:
    return panel.objectName().removeprefix("panel_").replace("_", "-")


def _answer(dialog: PictureDialog | NumbersDialog) -> Wish | NumbersWish | None:
    wish = dialog.wish() if accepted(dialog) else None
    if isValid(dialog):
        dialog.deleteLater()
    return wish


def _write_picture(path: Path, subject: Subject, look: Look, going_on: GoingOn) -> None:
    with atomic.replacing(path) as draft:
        picture.write(subject.picture, look, draft, going_on)
