"""`worksheet`: exercise sheets with answers, as PDF or Markdown. Markdown needs no Qt."""

import argparse
import re
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.verbs.batch import folder_of, write_each
from explorer.verbs.inputs import InputError, attend, draw_without_display

if TYPE_CHECKING:
    from explorer.attention.trace import Cell, Trace
    from explorer.files.worksheet import Sheet
    from explorer.scene import Scene

FORMATS = ("pdf", "md")
PAPERS = ("A4", "Letter")
LANGUAGES = {"en": "en", "zh": "zh_CN"}
PARTS = {"both": ("exercises", "answers"), "exercises": ("exercises",), "answers": ("answers",)}
MOST_VERSIONS = 60


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = "Write an exercise sheet with numbers to fill in, and the worked answers after it."
    parser.add_argument("sessions", metavar="SESSION", nargs="+", type=Path)
    parser.add_argument(
        *("-o", "--output"), metavar="OUT", required=True,
        help="one session: a file ending in .pdf or .md; several: a folder",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS, default="pdf", help="of the files in a folder; pdf if left out"
    )
    parser.add_argument(
        "--blank", metavar="S,…",
        help="what is to be filled in: stages, or cells of them such as weights[1,2,:] (head, row, column);"
        " all stages if left out",
    )  # fmt: skip
    parser.add_argument(
        "--versions", metavar="N", type=_count, help="so many versions A, B, C … in small whole numbers"
    )
    parser.add_argument("--seed", type=int, help="other whole numbers for each seed; 1 if left out")
    parser.add_argument("--part", choices=tuple(PARTS), default="both", help="both if left out")
    parser.add_argument("--paper", choices=PAPERS, default="A4", help="A4 if left out")
    parser.add_argument("--lang", metavar="CODE", type=_language, default="en", help="en or zh_CN")
    parser.add_argument(
        "--decimals", type=int, choices=range(5), default=2, help="of the answers; 2 if left out"
    )
    return run


def run(options: argparse.Namespace) -> int:
    """Write them; the exit status."""
    suffixes = [f".{name}" for name in FORMATS]
    default = f".{options.format}"

    def write(session: Path, out: Path) -> None:
        _write(session, out, options)

    if Path(options.output).suffix.lower() == ".md" or default == ".md":
        return write_each(options.sessions, options.output, suffixes, default, write)
    draw_without_display()
    from explorer.ui.render import drawing

    with drawing(options.lang):
        return write_each(options.sessions, options.output, suffixes, default, write)


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text) or not 1 <= int(text) <= MOST_VERSIONS:
        raise argparse.ArgumentTypeError(f"it is {text!r} but must be a number from 1 to {MOST_VERSIONS}")
    return int(text)


def _language(code: str) -> str:
    found = LANGUAGES.get(re.split("[-_]", code.lower())[0])
    if found is None:
        raise argparse.ArgumentTypeError(f"there is no language {code!r}; the languages are en, zh_CN")
    return found


def _write(session: Path, out: Path, options: argparse.Namespace) -> None:
    from explorer.files import atomic
    from explorer.files.worksheet import WorksheetError
    from explorer.files.worksheet.markdown import markdown

    try:
        sheets = _sheets(session, options)
    except WorksheetError as error:
        raise InputError(f"{session.name}: {error}") from None
    parts = PARTS[options.part]
    if out.suffix.lower() == ".md":
        folder_of(out)
        atomic.write(out, markdown(sheets, parts).encode(errors="replace"))
        return
    from explorer.ui.paper.output import write_pdf
    from explorer.ui.paper.sheets import pages

    made = pages(sheets, options.paper, parts)
    folder_of(out)
    with atomic.replacing(out) as draft:
        write_pdf(made, draft, sheets[0].title)


def _sheets(session: Path, options: argparse.Namespace) -> "list[Sheet]":
    from explorer.files.session import load
    from explorer.files.worksheet import versions

    scene = load(session)
    own = _sheet(scene, "", session, options)  # also says whether paper has room for such a scene
    if options.versions is None and options.seed is None:
        return [own]
    made = versions(scene, options.versions or 1, 1 if options.seed is None else options.seed)
    letters = options.versions is not None
    return [_sheet(version, letter if letters else "", session, options) for letter, version in made]


def _sheet(scene: "Scene", version: str, session: Path, options: argparse.Namespace) -> "Sheet":
    from explorer.files.worksheet import worksheet

    trace = attend(scene, session)
    blanks = _blanks(trace, session, options.blank)
    return worksheet(trace, blanks, options.lang, version=version, decimals=options.decimals)


def _blanks(trace: "Trace", session: Path, text: str | None) -> "Collection[Cell]":
    from explorer.files.worksheet import blanks_of, default_stages

    if text is None:
        return blanks_of(trace, default_stages(trace.scene))
    return [cell for part in _parts(text) for cell in _named(trace, session, part)]


def _parts(text: str) -> Sequence[str]:
    """Cut at commas that are in no brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text)]


def _named(trace: "Trace", session: Path, text: str) -> "Collection[Cell]":
    from explorer.attention.trace import STAGE
    from explorer.files.worksheet import blanks_of
    from explorer.lessons.cells import CellsError, parse_cells

    try:
        cells = parse_cells(text)
    except CellsError as error:
        raise InputError(f"{session.name}: {error}") from None
    if cells.place not in STAGE:
        raise InputError(
            f"{session.name}: {cells.place} is given, so it cannot be blank; stages can: {', '.join(STAGE)}."
        )
    if problem := cells.problem(trace.scene):
        raise InputError(f"{session.name}: {problem}")
    kept = blanks_of(trace, [cells.place])
    return [cell for cell in cells.cells(trace.scene) if cell in kept]
