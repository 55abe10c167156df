"""One session to a file, or several to a folder: where each goes, how far we are, and on after a bad one."""

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TextIO

from explorer.verbs.inputs import BAD_INPUT, InputError, say

BAR = 24  # characters of a full bar


def write_each(
    sessions: Sequence[Path],
    output: str,
    suffixes: Sequence[str],
    default: str,
    write: Callable[[Path, Path], None],
) -> int:
    """`write(session, out)` for each of them; the exit status. What is wrong with one does not stop the others.
    No session, and no table beside one, is written over.

    `output` is a file whose suffix is one of `suffixes`, or a folder, where each session goes to a file by its stem
    with the suffix `default`, or to a folder by its stem where `default` is empty.
    """
    from explorer.files.atomic import reason
    from explorer.files.session import SessionError, check_apart, sources

    status = 0
    pairs = outputs(sessions, output, suffixes, default)
    kept = sources(sessions)
    with Progress(len(pairs)) as progress:
        for number, (session, out) in enumerate(pairs):
            progress.show(number, session.name)
            try:
                if out is None:
                    raise InputError(
                        f"{session}: another session of this name has been written there already."
                    )
                try:
                    check_apart(out, kept)
                    write(session, out)
                except OSError as error:
                    raise InputError(f"{out}: it cannot be written: {reason(error)}.") from None
            except (SessionError, InputError) as error:
                progress.hide()
                say(error)
                status = BAD_INPUT
    return status


def folder_of(out: Path) -> None:
    """Make it, just before something is written there. Raises OSError."""
    out.parent.mkdir(parents=True, exist_ok=True)


def outputs(
    sessions: Sequence[Path], output: str, suffixes: Sequence[str], default: str
) -> list[tuple[Path, Path | None]]:
    """Each session with what it is to be written to; None where that is another one's already.

    Raises InputError for an output that cannot be.
    """
    from explorer.files.session import stem

    out = Path(output)
    is_folder = os.path.isdir(out) or output.endswith(("/", os.sep))
    if out.suffix.lower() in suffixes and not is_folder:
        if len(sessions) > 1:
            raise InputError(f"{out}: several sessions need a folder to be written to, not one file.")
        return [(sessions[0], out)]
    if len(sessions) == 1 and out.suffix and not is_folder:
        *others, last = suffixes
        names = f"{', '.join(others)} or {last}" if others else last
        raise InputError(f"{out}: its name must end in {names}, or it must be a folder.")
    if os.path.exists(out) and not os.path.isdir(out):  # os.path: a name may be too long to be asked for
        raise InputError(f"{out}: it is a file, and a folder is needed.")
    taken: set[str] = set()
    pairs: list[tuple[Path, Path | None]] = []
    for session in sessions:
        file = out / f"{stem(session)}{default}"
        name = os.path.normcase(file)
        pairs.append((session, None if name in taken else file))
        taken.add(name)
    return pairs


class Progress:
    """A line at the bottom of a terminal: a bar, and what is being worked on. Nothing for one alone, or elsewhere."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self._shown = 0  # characters
        self._on = total > 1 and self._stream is not None and self._stream.isatty()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.hide()

    def show(self, done: int, name: str) -> None:
        """So many are done, and this one is next."""
        if not self._on:
            return
        self.hide()
        filled = BAR * done // self._total
        full, empty = ("━", "─") if "utf" in (self._stream.encoding or "").lower() else ("#", "-")
        line = f"{full * filled}{empty * (BAR - filled)} {done}/{self._total} {name}"
        line = line[: shutil.get_terminal_size().columns - 1]
        self._write(line)
        self._shown = len(line)

    def hide(self) -> None:
        """Leave the line empty, for something else to be printed."""
        if self._shown:
            self._write(f"\r{' ' * self._shown}\r")
            self._shown = 0

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
