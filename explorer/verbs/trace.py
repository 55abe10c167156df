"""`trace`: the numbers of every stage, or of some, into files. Needs no Qt."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.verbs.batch import folder_of, write_each
from explorer.verbs.inputs import InputError, attend

FORMATS = ("npz", "json", "csv", "safetensors")


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = "Write every stage of attention, by name, as .npz, .json, .safetensors or .csv."
    parser.add_argument("sessions", metavar="SESSION", nargs="+", type=Path)
    parser.add_argument(
        *("-o", "--output"), metavar="OUT", required=True,
        help="one session: a file ending in .npz, .json, .safetensors or (one stage) .csv;"
        " several, or CSV of all stages: a folder",
    )  # fmt: skip
    parser.add_argument("--stage", metavar="S,…", help="these stages alone, separated by commas")
    parser.add_argument(
        "--format", choices=FORMATS, default="npz",
        help="of the files in a folder; npz if left out. csv: a folder per session, with a file per stage",
    )  # fmt: skip
    return run


def run(options: argparse.Namespace) -> int:
    """Write them; the exit status."""
    from explorer.files.traces import NAMES, SUFFIXES

    stages = NAMES if options.stage is None else _stages(options.stage)
    suffix = "" if options.format == "csv" else f".{options.format}"
    return write_each(
        options.sessions, options.output, SUFFIXES, suffix, lambda session, out: _write(session, out, stages)
    )


def _stages(text: str) -> Sequence[str]:
    from explorer.attention.trace import STAGE

    names = list(dict.fromkeys(name.strip() for name in text.split(",")))
    if unknown := [name for name in names if name not in STAGE]:
        raise InputError(f"there is no stage {unknown[0]!r}; the stages are {', '.join(STAGE)}.")
    return names


def _write(session: Path, out: Path, stages: Sequence[str]) -> None:
    from explorer.attention.streamed import TooLargeError
    from explorer.files import traces
    from explorer.files.session import load

    if out.suffix.lower() == ".csv" and len(stages) > 1:
        raise InputError(
            f"{out}: a CSV file holds one stage; name it with --stage, or write to a folder with --format csv."
        )
    trace = attend(load(session), session)
    folder_of(out)
    try:
        if out.suffix.lower() in traces.SUFFIXES:
            traces.save(trace, out, stages)
        else:
            traces.save_folder(trace, out, stages)
    except TooLargeError as error:
        raise InputError(f"{out}: {error} Only .npz takes them; --stage chooses others.") from None
