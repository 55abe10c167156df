"""`import`: one layer of a real model as a session. Needs no Qt."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.verbs.inputs import InputError

if TYPE_CHECKING:
    from explorer.checkpoints import Model


def arguments(parser: argparse.ArgumentParser) -> Callable[[argparse.Namespace], int]:
    """What it takes, and what it does."""
    parser.description = (
        "Write one layer of a real model as a session. Reads files alone: a folder with config.json and"
        " .safetensors (or .bin), one such file, or an index of shards. Nothing is fetched."
    )
    parser.add_argument("checkpoint", metavar="CHECKPOINT", type=Path)
    parser.add_argument("--layer", metavar="N", type=int, help="counted from 0, as the model's own names do")
    parser.add_argument(
        "--part", metavar="NAME", help="encoder, decoder or cross, in a model that has several"
    )
    parser.add_argument(
        "--heads", metavar="H", type=int, help="the number of heads, where the files do not tell it"
    )
    parser.add_argument(
        "--list", action="store_true", help="say what the checkpoint holds, and write nothing"
    )
    parser.add_argument("-o", "--output", metavar="SESSION", type=Path)
    return run


def run(options: argparse.Namespace) -> int:
    """Write it; the exit status."""
    from explorer.checkpoints import CheckpointError, Model
    from explorer.files.session import save
    from explorer.scene import SceneError

    if not options.list and (options.layer is None or options.output is None):
        raise InputError("import needs --layer N and -o SESSION, or --list.")
    try:
        model = Model(options.checkpoint, options.heads)
        if options.list:
            print(_listed(model))
            return 0
        scene = model.scene(model.spot(options.layer, options.part))
    except (CheckpointError, SceneError) as error:
        raise InputError(_sentence(options.checkpoint, error)) from None
    except MemoryError:
        raise InputError(f"{options.checkpoint}: this layer is too large for this machine.") from None
    save(scene, options.output)
    return 0


def _sentence(path: Path, error: Exception) -> str:
    """With the name before it, where it does not begin with a file's name already."""
    text = str(error).rstrip(".") + "."
    named = text.startswith((path.name, path.resolve().name)) or text.partition(":")[0].endswith(
        (".json", ".bin")
    )
    return text if named else f"{path.name or path}: {text}"


def _listed(model: "Model") -> str:
    """Family, and of each part the layers and their sizes."""
    lines = [model.family.name]
    for part in model.parts:
        spots = [spot for spot in model.spots if spot.part == part]
        layer = model.layer(spots[0], hollow=True)
        kv = "" if layer.groups == layer.heads else f", {layer.groups} K/V heads"
        lines.append(
            f"{part or 'layers'} {spots[0].number} to {spots[-1].number}: d_model {layer.d_model},"
            f" {layer.heads} heads of width {layer.d_k}{kv}"
        )
    return "\n".join(lines)
