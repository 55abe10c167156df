"""`code`: scenes as PyTorch scripts, or their worked solutions as LaTeX. Needs no Qt."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from explorer.verbs.batch import folder_of, write_each
from explorer.verbs.inputs import InputError


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = "Print a PyTorch script of the scene; when it is run, it prints the scene's output."
    parser.add_argument("sessions", metavar="SESSION", nargs="+", type=Path)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--dialect", metavar="NAME", default="plain",
        help="plain: tensors, every step written out (if left out); sdpa: F.scaled_dot_product_attention;"
        " mha: nn.MultiheadAttention",
    )  # fmt: skip
    form.add_argument("--latex", action="store_true", help="the worked solution of a small scene instead")
    parser.add_argument(
        *("-o", "--output"), metavar="OUT", help="write it to this file; several sessions: into this folder"
    )
    return run


def run(options: argparse.Namespace) -> int:
    """Print or write them; the exit status."""
    from explorer.files.code import DIALECTS

    if options.dialect not in DIALECTS:
        raise InputError(f"there is no dialect {options.dialect!r}; the dialects are {', '.join(DIALECTS)}.")
    sessions, output = options.sessions, options.output
    if output is None:
        if len(sessions) > 1:
            raise InputError("several sessions need a folder to be written to: -o FOLDER.")
        _print(_text(sessions[0], options))
        return 0
    suffix = ".tex" if options.latex else ".py"
    any_name = [Path(output).suffix.lower()]  # of one, as it is asked for
    return write_each(
        sessions,
        output,
        any_name if len(sessions) == 1 else [suffix],
        suffix,
        lambda session, out: _write(session, out, options),
    )


def _text(session: Path, options: argparse.Namespace) -> str:
    from explorer.files.code import CodeError, script
    from explorer.files.latex import LatexError, worked_solution
    from explorer.files.session import load

    scene = load(session)
    try:
        return worked_solution(scene) if options.latex else script(scene, options.dialect)
    except (CodeError, LatexError) as error:
        raise InputError(f"{session.name}: {error}") from None
    except (RuntimeError, MemoryError):  # whether a fill counts takes computing it
        raise InputError(f"{session.name}: this scene is too large for this machine.") from None


def _write(session: Path, out: Path, options: argparse.Namespace) -> None:
    from explorer.files import atomic

    text = _text(session, options)
    folder_of(out)
    atomic.write(out, text.encode())


def _print(text: str) -> None:
    """In UTF-8, as Python reads a script, whatever the terminal's encoding: the output may go into a file."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)
