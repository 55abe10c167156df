"""The command line. A verb imports what it needs when it runs: help comes at once, `trace` does without Qt.

Exit status 0; 2 for bad usage or bad input, with one sentence per fault on stderr and no traceback.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from explorer import __version__

if TYPE_CHECKING:
    from explorer.attention.trace import Trace
    from explorer.scene import Scene

PROGRAM = "attention-explorer"
BAD_INPUT = 2
INTERRUPTED = 130  # as shells say it of a program ended with Ctrl-C
PICTURES = (".png", ".svg", ".pdf")
LARGEST = 16_384  # pixels of a picture's side


class InputError(Exception):
    """What was asked for cannot be done: one plain sentence."""


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
        _say(error)
        return BAD_INPUT
    except ImportError as error:
        _say(f"a library cannot be loaded: {error}")
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

    def error(self, message: str) -> NoReturn:
        _say(f"{message}; see {self.prog} --help")
        sys.exit(BAD_INPUT)


Run = Callable[[argparse.Namespace], int]


# ---- the window ----


def _window(parser: argparse.ArgumentParser) -> Run:
    parser.description = "Type numbers into the matrices of attention and watch every stage change."
    parser.epilog = f"Other verbs: {', '.join(filter(None, VERBS))}; each has its own --help."
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
    if _on_x11() and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    ):
        raise InputError("there is no display to open a window on; trace, explain and render do without one.")
    from explorer.app import main as open_app

    lang = None if options.lang is None else _checked_language(options.lang)
    return open_app(options.session, options.lesson, options.present, lang)


def _checked_language(code: str) -> str:
    from explorer.ui.language import LANGUAGES, find

    if (found := find(code)) is None:
        raise InputError(f"there is no language {code!r}; the languages are {', '.join(LANGUAGES)}.")
    return found


def _check_lesson(name: str) -> None:
    """A lesson that comes with the program, or a file."""
    from explorer.lessons.builtin import LESSONS
    from explorer.lessons.lesson import LessonError
    from explorer.lessons.reader import load

    if name in LESSONS:
        return
    if not Path(name).is_file():
        raise InputError(f"there is no lesson {name!r}; the lessons are {', '.join(LESSONS)}.")
    try:
        load(Path(name))
    except LessonError as error:
        raise InputError(str(error)) from None


def _on_x11() -> bool:
    """Where Qt needs a display server, and aborts the process without one."""
    return sys.platform not in ("win32", "darwin")


# ---- trace ----


def _trace(parser: argparse.ArgumentParser) -> Run:
    parser.description = "Write every stage of attention, by name, as .npz or .json."
    parser.add_argument("sessions", metavar="SESSION", nargs="+", type=Path)
    parser.add_argument(
        *("-o", "--output"), metavar="OUT", required=True,
        help="one session: a file ending in .npz or .json; several: a folder, which gets one .npz each",
    )  # fmt: skip
    return _write_traces


def _write_traces(options: argparse.Namespace) -> int:
    from explorer.files.session import SessionError

    status = 0
    for session, out in _trace_outputs(options.sessions, options.output):
        try:
            if out is None:
                raise InputError(f"{session}: another session of this name has been written there already.")
            _write_trace(session, out)
        except (SessionError, InputError) as error:  # the others are not to blame
            _say(error)
            status = BAD_INPUT
    return status


def _trace_outputs(sessions: list[Path], output: str) -> list[tuple[Path, Path | None]]:
    """Each session with the file that it is to be written to; None where that is another one's already."""
    from explorer.files.session import stem
    from explorer.files.traces import SUFFIXES

    out = Path(output)
    is_folder = out.is_dir() or output.endswith(("/", os.sep))
    if out.suffix in SUFFIXES and not is_folder:
        if len(sessions) > 1:
            raise InputError(f"{out}: several sessions need a folder to be written to, not one file.")
        return [(sessions[0], out)]
    if len(sessions) == 1 and out.suffix and not is_folder:
        raise InputError(f"{out}: its name must end in .npz or .json, or it must be a folder.")
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: it is a file, and a folder is needed.")
    taken: set[str] = set()
    pairs: list[tuple[Path, Path | None]] = []
    for session in sessions:
        file = out / f"{stem(session)}.npz"
        name = os.path.normcase(file)
        pairs.append((session, None if name in taken else file))
        taken.add(name)
    return pairs


def _write_trace(session: Path, out: Path) -> None:
    from explorer.files import traces
    from explorer.files.atomic import reason
    from explorer.files.session import load

    trace = _attend(load(session), session)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        traces.save(trace, out)
    except OSError as error:
        raise InputError(f"{out}: it cannot be written: {reason(error)}.") from None


def _attend(scene: "Scene", session: Path) -> "Trace":
    from explorer.attention import attend

    try:
        return attend(scene)
    except (RuntimeError, MemoryError) as error:  # too large for this machine
        first, *_ = str(error).splitlines() or ["there is not enough memory"]
        raise InputError(f"{session.name}: this scene could not be computed: {first}") from None


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
    head = _checked_head(scene, options.session, options.stage, options.head)
    rows, columns = shape_of(scene, options.stage)
    for name, value, count in (("row", options.row, rows), ("column", options.col, columns)):
        _check_range(options.session, options.stage, name, value, count)
    cell = Cell(options.stage, head, options.row - 1, options.col - 1)
    print(explain(scene, _attend(scene, options.session), cell).text())
    return 0


def _checked_head(scene: "Scene", session: Path, stage: str, head: int | None) -> int | None:
    """The head counted from 0; None for a stage without heads."""
    from explorer.attention.places import heads_of
    from explorer.attention.trace import STAGE

    if stage not in STAGE:
        raise InputError(f"{session.name}: there is no stage {stage!r}; the stages are {', '.join(STAGE)}.")
    count = heads_of(scene, stage)
    if count is None:
        if head is not None:
            raise InputError(f"{session.name}: {stage} belongs to all heads; leave out --head.")
        return None
    _check_range(session, stage, "head", 1 if head is None else head, count)
    return 0 if head is None else head - 1


def _check_range(session: Path, stage: str, name: str, value: int, count: int) -> None:
    if not 1 <= value <= count:
        has = f"only {name} 1" if count == 1 else f"{name}s 1 to {count}"
        raise InputError(f"{session.name}: {stage} has {has}, not {value}.")


# ---- render ----


def _render(parser: argparse.ArgumentParser) -> Run:
    parser.description = "Draw the pipeline, or one stage of it. Needs no display."
    parser.add_argument("session", metavar="SESSION", type=Path)
    parser.add_argument("-o", "--output", metavar="OUT", required=True, type=Path, help=".png, .svg or .pdf")
    parser.add_argument("--stage", help="this stage alone")
    parser.add_argument("--head", type=int, help="this head alone, counted from 1; for k and v the K/V head")
    parser.add_argument("--size", metavar="WxH", type=_size, help="in pixels; as large as needed if left out")
    parser.add_argument("--dark", action="store_true", help="dark colours")
    return _write_picture


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})[x×]([0-9]{1,6})", text)
    if match is None or not all(1 <= int(side) <= LARGEST for side in match.groups()):
        raise argparse.ArgumentTypeError(f"it is {text!r} but must be like 1600x900, at most {LARGEST} each")
    return int(match[1]), int(match[2])


def _write_picture(options: argparse.Namespace) -> int:
    from explorer.files.atomic import reason, replacing
    from explorer.files.session import load

    out = options.output
    if out.suffix not in PICTURES:
        raise InputError(f"{out}: its name must end in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}.")
    scene = load(options.session)
    head = options.head
    if options.stage is not None:
        head = _checked_head(scene, options.session, options.stage, head)
    elif head is not None:
        _check_range(options.session, "the scene", "head", head, scene.heads)
        head -= 1
    if _on_x11():  # elsewhere the platform's own plugin needs no server, and knows the fonts
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from explorer.ui.render import render

    try:
        with replacing(out) as draft:
            render(scene, draft, stage=options.stage, head=head, size=options.size, dark=options.dark)
            if draft.stat().st_size == 0:
                raise OSError(None, "nothing was drawn")
    except OSError as error:
        raise InputError(f"{out}: it cannot be written: {reason(error)}.") from None
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


def _not_yet(parser: argparse.ArgumentParser) -> Run:
    parser.description = "Not in this version yet."
    parser.add_argument("anything", nargs=argparse.REMAINDER)

    def run(_options: argparse.Namespace) -> int:
        raise InputError(f"`{parser.prog}` is not in this version yet.")

    return run


VERBS: dict[str, Callable[[argparse.ArgumentParser], Run]] = {
    "": _window,
    "trace": _trace,
    "explain": _explain,
    "render": _render,
    "lessons": _lessons,
    "import": _not_yet,
    "code": _not_yet,
    "worksheet": _not_yet,
}


def _say(sentence: object) -> None:
    """One line on stderr, whatever a file's name holds."""
    with suppress(BrokenPipeError):
        print(f"{PROGRAM}: {' '.join(str(sentence).splitlines())}", file=sys.stderr)
