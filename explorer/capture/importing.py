"""A layer of a model on disk as a scene: over made-up rows, or over what a text makes of them."""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from explorer.capture.naming import CaptureError
from explorer.checkpoints import CheckpointError, Model, Spot
from explorer.files.origin import KEY, Origin
from explorer.scene import Scene, SceneError

PROBLEMS = (CheckpointError, SceneError, CaptureError)  # what can go wrong, each one whole sentence


def layer_of(model: Model, spot: Spot, text: str = "", target: str = "", rows: Scene | None = None) -> Scene:
    """One layer. Without a text it is over the X of `rows`, or made-up ones. Raises PROBLEMS."""
    if not text:
        return marked(model.scene(spot, rows), model, spot)
    # Not imported at the top: it brings torch, and the library of the model.
    opened = import_module("explorer.capture.texts").TextModel(model, spot)
    scene = opened.scene(spot, text, target or None)
    return marked(scene, model, spot, text, target)


def layers_of(model: Model, text: str, target: str = "") -> Sequence[Scene]:
    """All layers that the texts reach. Raises PROBLEMS."""
    opened = import_module("explorer.capture.texts").TextModel(model)
    spots, scenes = opened.reached(target), opened.scenes(text, target or None)
    return [marked(scene, model, spot, text, target) for spot, scene in zip(spots, scenes, strict=True)]


def neighbour(scene: Scene, origin: Origin, step: int) -> Scene:
    """The layer so many after the one that a scene is, of the same model and part; the rest of the scene stays: what
    the tools keep, and X where no text has made it. Raises PROBLEMS.
    """
    model = Model(origin.path, origin.heads)
    new = layer_of(model, model.spot(origin.layer + step, origin.part), origin.text, origin.target, scene)
    return new.replace(extra={**scene.extra, **new.extra})


def marked(scene: Scene, model: Model, spot: Spot, text: str = "", target: str = "") -> Scene:
    """The scene that says where it comes from."""
    numbers = [each.number for each in model.spots_of(spot.part)]
    path = Path(os.path.abspath(model.checkpoint.path))
    origin = Origin(path, spot.part, spot.number, numbers[0], numbers[-1], model.heads, text, target)
    return scene.replace(extra={**scene.extra, KEY: origin.entry()})
