"""What becomes of a worksheet that was put together."""

from pathlib import Path

from PySide6.QtPrintSupport import QPrinter
from shiboken6 import isValid

from explorer.files import atomic
from explorer.files.worksheet.markdown import markdown
from explorer.patience import GoingOn, go_on
from explorer.ui.export.asking import accepted
from explorer.ui.export.worksheet_dialog import MARKDOWN, WorksheetDialog, WorksheetWish
from explorer.ui.paper.output import print_pages, write_pdf


def answer(dialog: WorksheetDialog) -> WorksheetWish | None:
    """What a person asked the dialog for."""
    wish = dialog.wish if accepted(dialog) else None
    if isValid(dialog):
        dialog.deleteLater()
    return wish


def write(path: Path, wish: WorksheetWish, going_on: GoingOn = go_on) -> None:
    """As a file, whole or not at all. Raises OSError. `going_on` is called now and then; what it raises ends it."""
    if wish.form == MARKDOWN:
        atomic.write(path, markdown(wish.sheets, wish.parts).encode(errors="replace"))
        return
    with atomic.replacing(path) as draft:
        write_pdf(wish.pages, draft, wish.sheets[0].title, going_on)


def print_out(wish: WorksheetWish, printer: QPrinter, going_on: GoingOn = go_on) -> None:
    """On paper, as large as it is meant to be: the pages have margins of their own. Raises OSError; `going_on` as in
    `write`.
    """
    printer.setFullPage(True)
    print_pages(wish.pages, printer, going_on)
