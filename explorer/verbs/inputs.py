"""What the verbs share: how they say that something is wrong, and what they read."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.attention.trace import Trace
    from explorer.scene import Scene

PROGRAM = "attention-explorer"
BAD_INPUT = 2  # the exit status


class InputError(Exception):
    """What was asked for cannot be done: one plain sentence."""


def say(sentence: object) -> None:
    """One line on stderr, whatever a file's name holds."""
    with suppress(BrokenPipeError):
        print(f"{PROGRAM}: {' '.join(str(sentence).splitlines())}", file=sys.stderr)


def attend(scene: "Scene", session: Path) -> "Trace":
    """The trace of a session's scene. Raises InputError."""
    from explorer import attention

    try:
        return attention.attend(scene)
    except (RuntimeError, MemoryError) as error:  # too large for this machine
        first, *_ = str(error).splitlines() or ["there is not enough memory"]
        raise InputError(f"{session.name}: this scene could not be computed: {first}") from None


def checked_stage(session: Path, stage: str) -> str:
    """A stage that there is. Raises InputError."""
    from explorer.attention.trace import STAGE

    if stage not in STAGE:
        raise InputError(f"{session.name}: there is no stage {stage!r}; the stages are {', '.join(STAGE)}.")
    return stage


def checked_head(scene: "Scene", session: Path, stage: str, head: int | None) -> int | None:
    """The head counted from 0; None for a stage without heads. Raises InputError."""
    from explorer.attention.places import heads_of

    count = heads_of(scene, checked_stage(session, stage))
    if count is None:
        if head is not None:
            raise InputError(f"{session.name}: {stage} belongs to all heads; leave out --head.")
        return None
    check_range(session, stage, "head", 1 if head is None else head, count)
    return 0 if head is None else head - 1


def check_range(session: Path, stage: str, name: str, value: int, count: int) -> None:
    """Raises InputError for a number that is not between 1 and `count`."""
    if not 1 <= value <= count:
        has = f"only {name} 1" if count == 1 else f"{name}s 1 to {count}"
        raise InputError(f"{session.name}: {stage} has {has}, not {value}.")


def checked_language(code: str) -> str:
    """The key of LANGUAGES that is meant. Raises InputError. Loads Qt."""
    from explorer.ui.language import LANGUAGES, find

    if (found := find(code)) is None:
        raise InputError(f"there is no language {code!r}; the languages are {', '.join(LANGUAGES)}.")
    return found


def on_x11() -> bool:
    """Where Qt needs a display server, and aborts the process without one."""
    return sys.platform not in ("win32", "darwin")


def draw_without_display() -> None:
    """Before Qt is loaded by a verb that opens no window."""
    if sys.platform == "win32":  # there, torch fails to load once Qt has been (pytorch issue 166628)
        from explorer import attention

        attention.attend  # noqa: B018  it is loaded when it is asked for
    if on_x11():  # elsewhere the platform's own plugin needs no server, and knows the fonts
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
