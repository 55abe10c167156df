"""`import`: one layer of a real model as a session. Needs no Qt."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.verbs.batch import folder_of
from explorer.verbs.inputs import InputError

if TYPE_CHECKING:
    from explorer.checkpoints import Model

ALL = "all"


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = (
        "Write one layer of a real model as a session. Reads files alone: a folder with config.json and"
        " .safetensors (or .bin), one such file, or an index of shards. Nothing is fetched."
    )
    parser.add_argument("checkpoint", metavar="CHECKPOINT", type=Path)
    parser.add_argument(
        "--layer",
        metavar="N",
        help="counted from 0, as the model's own names do; with --text also `all`, into a folder",
    )
    parser.add_argument(
        "--part", metavar="NAME", help="encoder, decoder or cross, in a model that has several"
    )
    parser.add_argument(
        "--heads", metavar="H", type=int, help="the number of heads, where the files do not tell it"
    )
    parser.add_argument(
        "--text", help="what goes through the model, up to that layer; without it the input is made up"
    )
    parser.add_argument(
        "--target", metavar="TEXT", help="the text that the decoder reads, in a model that has one"
    )
    parser.add_argument(
        "--list", action="store_true", help="say what the checkpoint holds, and write nothing"
    )
    parser.add_argument("-o", "--output", metavar="SESSION", type=Path)
    return run


def run(options: argparse.Namespace) -> int:
    """Write it; the exit status."""
    from explorer.capture.importing import PROBLEMS, layer_of
    from explorer.checkpoints import Model
    from explorer.files.session import save

    if not options.list and (options.layer is None or options.output is None):
        raise InputError("import needs --layer N and -o SESSION, or --list.")
    if options.text is not None and not options.text.strip():
        raise InputError("--text is empty; without it the input is made up.")
    layer = _layer(options)
    if not options.list:
        _check_apart(options.output, options.checkpoint)
    try:
        model = Model(options.checkpoint, options.heads)
        if options.list:
            print(_listed(model))
            return 0
        if layer is None:
            _save_all(model, options)
            return 0
        spot = model.spot(layer, options.part)
        scene = layer_of(model, spot, options.text or "", options.target or "")
    except PROBLEMS as error:
        raise InputError(str(error)) from None
    except MemoryError:
        raise InputError(f"{options.checkpoint}: this layer is too large for this machine.") from None
    save(scene, options.output)
    return 0


def _check_apart(output: Path, checkpoint: Path) -> None:
    """Raises InputError where a session would take the place of the model's own files."""
    output, checkpoint = Path(os.path.realpath(output)), Path(os.path.realpath(checkpoint))
    own = output.parent == checkpoint and (
        output.suffix.lower() in (".safetensors", ".bin") or output.name in ("config.json", "tokenizer.json")
        or output.name.endswith(".index.json")
    )  # fmt: skip
    if os.path.isfile(output) and (output == checkpoint or own):
        raise InputError(f"{output.name}: it cannot be written: the model is read from it.")


def _layer(options: argparse.Namespace) -> int | None:
    """The number; None: all of them. Raises InputError."""
    if options.layer is None or options.layer == ALL and options.text is not None:
        return None
    if options.layer == ALL:
        raise InputError("--layer all needs --text.")
    if options.target is not None and options.text is None:
        raise InputError("--target needs --text.")
    try:
        return int(options.layer)
    except ValueError:
        raise InputError(f"--layer is {options.layer!r} but must be a number, or `all`.") from None


def _save_all(model: "Model", options: argparse.Namespace) -> None:
    """A session per layer, named as a capture names them."""
    from explorer.capture.importing import layers_of
    from explorer.capture.naming import KEY, Place, name_of
    from explorer.files.atomic import reason
    from explorer.files.session import save

    folder: Path = options.output
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"{folder}: all layers go into a folder, and this is a file.")
    for scene in layers_of(model, options.text, options.target or ""):
        path = folder / name_of(scene.extra[KEY]["module"], 1, 1, Place())
        try:
            folder_of(path)
        except OSError as error:
            raise InputError(f"{folder}: it cannot be made: {reason(error)}.") from None
        save(scene, path)


def _listed(model: "Model") -> str:
    """Family, and of each part the layers and their sizes."""
    lines = [model.family.name]
    for part in model.parts:
        spots = model.spots_of(part)
        layer = model.layer(spots[0], hollow=True)
        kv = "" if layer.groups == layer.heads else f", {layer.groups} K/V heads"
        lines.append(
            f"{part or 'layers'} {spots[0].number} to {spots[-1].number}: d_model {layer.d_model},"
            f" {layer.heads} heads of width {layer.d_k}{kv}"
        )
    return "\n".join(lines)
