"""`render`: the pipeline or one panel as pictures. Needs no display."""

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from explorer.verbs.batch import folder_of, write_each
from explorer.verbs.inputs import (
    InputError,
    attend,
    check_range,
    checked_head,
    checked_language,
    checked_stage,
    draw_without_display,
)

FORMATS = ("png", "svg", "pdf")
LARGEST = 16_384  # pixels of a picture's side
DPI = (10.0, 1200.0)


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = "Draw the pipeline, or one stage of it. Needs no display."
    parser.add_argument("sessions", metavar="SESSION", nargs="+", type=Path)
    parser.add_argument(
        *("-o", "--output"), metavar="OUT", required=True,
        help="one session: a file ending in .png, .svg or .pdf; several: a folder",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS, default="png", help="of the files in a folder; png if left out"
    )
    parser.add_argument("--stage", metavar="S", help="this stage alone")
    parser.add_argument(
        "--head", metavar="H", type=int, help="this head alone, counted from 1; for k and v the K/V head"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--size", metavar="WxH", type=_size, help="in pixels; as large as needed if left out")
    size.add_argument(
        "--dpi", type=_dpi, help="pixels of a PNG to the inch; 96 if left out, fewer for a very large picture"
    )
    colours = parser.add_mutually_exclusive_group()
    for name, text in (("dark", "dark colours"), ("contrast", "colours of high contrast")):
        colours.add_argument(
            f"--{name}", dest="colours", action="store_const", const=name, default="light", help=text
        )
    parser.add_argument("--transparent", action="store_true", help="without a background")
    parser.add_argument("--lang", metavar="CODE", default="en", help="language of the titles: en, zh_CN")
    return run


def run(options: argparse.Namespace) -> int:
    """Draw them; the exit status."""
    draw_without_display()
    from explorer.ui.render import drawing

    suffixes = [f".{name}" for name in FORMATS]
    with drawing(checked_language(options.lang)):
        return write_each(
            options.sessions,
            options.output,
            suffixes,
            f".{options.format}",
            lambda session, out: _write(session, out, options),
        )


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})[x×]([0-9]{1,6})", text)
    if match is None or not all(1 <= int(side) <= LARGEST for side in match.groups()):
        raise argparse.ArgumentTypeError(f"it is {text!r} but must be like 1600x900, at most {LARGEST} each")
    return int(match[1]), int(match[2])


def _dpi(text: str) -> float:
    low, high = DPI
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]*)?", text) or not low <= float(text) <= high:
        raise argparse.ArgumentTypeError(f"it is {text!r} but must be a number from {low:g} to {high:g}")
    return float(text)


def _write(session: Path, out: Path, options: argparse.Namespace) -> None:
    from explorer.files.atomic import replacing
    from explorer.files.session import load

    scene, stage, head = load(session), options.stage, options.head
    if stage is not None:
        head = checked_head(scene, session, checked_stage(session, stage), head)
    elif head is not None:
        check_range(session, "the scene", "head", head, scene.heads)
        head -= 1
    trace = attend(scene, session)
    from explorer.ui import theme
    from explorer.ui.picture import Look
    from explorer.ui.render import render

    look = Look(
        theme.THEMES[options.colours], options.transparent, marks=False, dpi=options.dpi, size=options.size
    )
    folder_of(out)
    with replacing(out) as draft:
        try:
            render(scene, trace, draft, stage, head, look)
        except ValueError as error:  # more pixels than a picture can have
            raise InputError(f"{out}: {error}") from None
