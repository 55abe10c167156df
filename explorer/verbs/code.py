"""`code`: the scene as a PyTorch script, or its worked solution as LaTeX. Needs no Qt."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from explorer.verbs.inputs import InputError


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = "Print a PyTorch script of the scene; when it is run, it prints the scene's output."
    parser.add_argument("session", metavar="SESSION", type=Path)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--dialect", metavar="NAME", default="plain",
        help="plain: tensors, every step written out (if left out); sdpa: F.scaled_dot_product_attention;"
        " mha: nn.MultiheadAttention",
    )  # fmt: skip
    form.add_argument("--latex", action="store_true", help="the worked solution of a small scene instead")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write it to this file")
    return run


def run(options: argparse.Namespace) -> int:
    """Print or write it; the exit status."""
    from explorer.files.code import DIALECTS, CodeError, script
    from explorer.files.latex import LatexError, worked_solution
    from explorer.files.session import load

    if options.dialect not in DIALECTS:
        raise InputError(f"there is no dialect {options.dialect!r}; the dialects are {', '.join(DIALECTS)}.")
    scene = load(options.session)
    try:
        text = worked_solution(scene) if options.latex else script(scene, options.dialect)
    except (CodeError, LatexError) as error:
        raise InputError(f"{options.session.name}: {error}") from None
    except (RuntimeError, MemoryError):  # whether a fill counts takes computing it
        raise InputError(f"{options.session.name}: this scene is too large for this machine.") from None
    if options.output is not None:
        _write(text, options.output, options.session)
    else:
        _print(text)
    return 0


def _write(text: str, path: Path, session: Path) -> None:
    from explorer.files.atomic import reason, write
    from explorer.files.session import check_apart, sources

    try:
        check_apart(path, sources([session]))
        write(path, text.encode())
    except OSError as error:
        raise InputError(f"{path}: it cannot be written: {reason(error)}.") from None


def _print(text: str) -> None:
    """In UTF-8, as Python reads a script, whatever the terminal's encoding: the output may go into a file."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)
