"""The command line. A verb imports what it needs when it runs: help comes at once, `trace` does without Qt.

Exit status 0; 2 for bad usage or bad input, with one sentence per fault on stderr and no traceback.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from explorer import __version__
from explorer.verbs import code, model, render, trace, worksheet
from explorer.verbs.inputs import (
    BAD_INPUT,
    PROGRAM,
    InputError,
    attend,
    check_range,
    checked_head,
    checked_language,
    on_x11,
    say,
)

INTERRUPTED = 130  # as shells say it of a program ended with Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a √ on a terminal that has none
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except InputError as error:
        say(error)
        return BAD_INPUT
    except ImportError as error:
        say(f"a library cannot be loaded: {error}")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has seen enough; Python shall not try again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: list[str]) -> int:
    from explorer.files.session import SessionError

    verb = arguments[0] if arguments and arguments[0] in VERBS else ""
    parser = _Parser(prog=f"{PROGRAM} {verb}".strip(), allow_abbrev=False)
    run = VERBS[verb](parser)
    options = parser.parse_args(arguments[1:] if verb else arguments)
    try:
        return run(options)
    except SessionError as error:
        raise InputError(str(error)) from None


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the usage before it."""

    def format_help(self) -> str:
        return super().format_help() + ("" if " " in self.prog else _verbs_text())

    def error(self, message: str) -> NoReturn:
        say(f"{message}; see {self.prog} --help")
        sys.exit(BAD_INPUT)


Run = Callable[[argparse.Namespace], int]


# ---- the window ----


def _window(parser: argparse.ArgumentParser) -> Run:
    parser.description = "Type numbers into the matrices of attention and watch every stage change."
    parser.add_argument("session", metavar="SESSION", nargs="?", type=Path, help="the session file to open")
    parser.add_argument(
        "--lesson", metavar="NAME", help="open a lesson, by its name (`lessons` lists them) or its file"
    )
    parser.add_argument("--present", action="store_true", help="full screen, one stage after another")
    parser.add_argument("--lang", metavar="CODE", help="language of the window, this time: en, zh_CN")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return _open_window


def _open_window(options: argparse.Namespace) -> int:
    if options.session is not None:
        # Before Qt is loaded, and before a window is there to say it.
        from explorer.files.session import load

        load(options.session)
    if options.lesson is not None:
        _check_lesson(options.lesson)
    if on_x11() and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise InputError("there is no display to open a window on; trace, explain and render do without one.")
    from explorer.app import main as open_app

    lang = None if options.lang is None else checked_language(options.lang)
    return open_app(options.session, options.lesson, options.present, lang)


def _check_lesson(name: str) -> None:
    """A lesson that comes with the program, or a file."""
    from explorer.lessons.builtin import LESSONS
    from explorer.lessons.lesson import LessonError
    from explorer.lessons.reader import load

    if name in LESSONS:
        return
    if not os.path.isfile(name):  # also where the name is too long
        raise InputError(f"there is no lesson {name!r}; the lessons are {', '.join(LESSONS)}.")
    try:
        load(Path(name))
    except LessonError as error:
        raise InputError(str(error)) from None


# ---- explain ----


def _explain(parser: argparse.ArgumentParser) -> Run:
    parser.description = "Print the arithmetic behind one number. Everything counts from 1."
    parser.add_argument("session", metavar="SESSION", type=Path)
    parser.add_argument("--stage", required=True, help="such as scaled, weights, output")
    parser.add_argument("--head", type=int, help="1 if left out; for k and v the K/V head")
    parser.add_argument("--row", type=int, required=True)
    parser.add_argument("--col", type=int, required=True)
    return _print_explanation


def _print_explanation(options: argparse.Namespace) -> int:
    from explorer.attention.explain import explain
    from explorer.attention.places import shape_of
    from explorer.attention.trace import Cell
    from explorer.files.session import load

    scene = load(options.session)
    head = checked_head(scene, options.session, options.stage, options.head)
    rows, columns = shape_of(scene, options.stage)
    for name, value, count in (("row", options.row, rows), ("column", options.col, columns)):
        check_range(options.session, options.stage, name, value, count)
    cell = Cell(options.stage, head, options.row - 1, options.col - 1)
    print(explain(scene, attend(scene, options.session), cell).text())
    return 0


# ---- the others ----


def _lessons(parser: argparse.ArgumentParser) -> Run:
    parser.description = "List the lessons: name and title."
    parser.add_argument("--lang", metavar="CODE", default="en", help="language of the titles: en, zh")
    return _print_lessons


def _print_lessons(options: argparse.Namespace) -> int:
    from explorer.lessons.builtin import LESSONS, catalogue

    width = max(map(len, LESSONS))
    for lesson in catalogue():
        print(f"{lesson.name:{width}}  {lesson.title.to(options.lang)}")
    return 0


VERBS: dict[str, Callable[[argparse.ArgumentParser], Run]] = {
    "": _window,
    "trace": trace.arguments,
    "explain": _explain,
    "render": render.arguments,
    "lessons": _lessons,
    "import": model.arguments,
    "code": code.arguments,
    "worksheet": worksheet.arguments,
}


def _verbs_text() -> str:
    """For the help of the window: a line per verb, its name and the first sentence that it says of itself."""
    lines = ["\nverbs, each with its own --help:\n"]
    for verb in filter(None, VERBS):
        parser = argparse.ArgumentParser()
        VERBS[verb](parser)
        sentence = (parser.description or "").split(". ")[0].rstrip(".")
        lines.append(f"  {verb:<14} {sentence}\n")
    return "".join(lines)
