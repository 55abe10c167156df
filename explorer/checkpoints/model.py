"""A checkpoint whose family is known: its layers, and each of them as a Layer or a Scene."""

import os
from pathlib import Path

import numpy as np

from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError, whole
from explorer.checkpoints.families import FAMILIES
from explorer.checkpoints.family import Family, Layer, Spot
from explorer.checkpoints.reader import Checkpoint
from explorer.checkpoints.tensors import Hollow, Tensors
from explorer.scene import Array, Scene, brief

ROWS = 6  # of a made-up input


class Model:
    """Opens a checkpoint. What goes wrong here is one whole sentence that names the file and what was found."""

    def __init__(self, path: Path, heads: int | None = None) -> None:
        """`heads` is what a person says, where the files do not. Raises CheckpointError."""
        self.heads = heads
        with whole(path):
            self.checkpoint = Checkpoint(path)
            self.family, self.spots = recognise(self.checkpoint, self.checkpoint.config)

    @property
    def parts(self) -> tuple[str, ...]:
        """The sorts of attention it has: ("",), or such as ("encoder", "decoder", "cross")."""
        return tuple(dict.fromkeys(spot.part for spot in self.spots))

    def spot(self, number: int, part: str | None = None) -> Spot:
        """A layer by its number from 0; of the first part, or the one named. Raises CheckpointError."""
        wanted = self.parts[0] if part is None else part
        with whole(self.checkpoint.path):
            if wanted not in self.parts:
                listed = ", ".join(self.parts) if self.parts != ("",) else "no parts to choose from"
                raise CheckpointError(f"there is no part {wanted!r}; it has {listed}")
            spots = {spot.number: spot for spot in self.spots_of(wanted)}
            if number not in spots:
                raise CheckpointError(
                    f"there is no layer {number}; its layers are {min(spots)} to {max(spots)}, counted from 0"
                )
        return spots[number]

    def spots_of(self, part: str) -> list[Spot]:
        """The layers of one part, in their order."""
        return [spot for spot in self.spots if spot.part == part]

    def layer(self, spot: Spot, hollow: bool = False) -> Layer:
        """The attention at a spot; `hollow`: its sizes alone, no number read. Raises CheckpointError."""
        tensors: Tensors = Hollow(self.checkpoint) if hollow else self.checkpoint
        with whole(self.checkpoint.path):
            return self.family.layer(tensors, spot, self.checkpoint.config, self.heads)

    def scene(self, spot: Spot, rows: Scene | None = None) -> Scene:
        """The layer over the X and the context of `rows`, where they are as wide as it takes them; else over made-up
        ones: nobody said what goes through it. Raises CheckpointError, SceneError.
        """
        layer = self.layer(spot)
        widths = (layer.d_model, layer.d_context, layer.is_cross)
        kind = f"{spot.part} layer" if spot.part else "layer"
        title = f"{Path(os.path.realpath(self.checkpoint.path)).name} · {kind} {spot.number}"
        with whole(self.checkpoint.path):
            if rows is not None and (rows.d_model, rows.d_context, rows.is_cross) == widths:
                scene = layer.scene(rows.x, rows.context, rows.tokens, rows.context_tokens)
                return scene.replace(title=title, notes=rows.notes)
            return layer.scene(
                made_up(layer.d_model, 0),
                made_up(layer.d_context, 1) if layer.is_cross else None,
                title=title,
                notes=f"{self.family.name}. X is made up: {ROWS} rows of normally distributed numbers (seed 0). "
                "Import with a text to see what the model itself puts there.",
            )


def made_up(width: int, seed: int) -> Array:
    """(ROWS, width): rows with mean 0 and variance 1, as they leave a norm."""
    return np.random.default_rng(seed).normal(size=(ROWS, width)).astype(np.float32).astype(np.float64)


def is_made_up(x: Array) -> bool:
    """Whether it is still the X that a scene gets here when nobody has said what goes through the layer."""
    return len(x) == ROWS and np.array_equal(x, made_up(x.shape[1], 0))


def recognise(tensors: Tensors, config: Config | None) -> tuple[Family, list[Spot]]:
    """The family, without a guess: names, shapes and config.json must leave exactly one. Raises CheckpointError."""
    named = [(family, spots) for family in FAMILIES if (spots := family.spots(tensors.names))]
    model_type = "" if config is None else config.model_type
    if model_type:
        claimed = [family for family in FAMILIES if model_type in family.model_types]
        if not claimed:
            raise CheckpointError(
                f"config.json: the model type {model_type[:40]!r} is not known; known are "
                + ", ".join(t for family in FAMILIES for t in family.model_types)
            )
        named = [(family, spots) for family, spots in named if family in claimed]
        if not named:
            raise CheckpointError(
                f"config.json says {model_type!r}, but no tensor is named as in {claimed[0].name}: {_some(tensors)}"
            )
    fitting = [(family, spots) for family, spots in named if family.fits(tensors, spots[0])]
    if not model_type:
        for family, _ in fitting:
            if lacking := family.lacks(tensors.names):
                raise CheckpointError(
                    f"its layers are named as in {family.name}, but such a model has a tensor {lacking} and this one"
                    " has none: it is of another family"
                )
    open_ones = [family.name for family, _ in fitting if family.needs_config and not model_type]
    if open_ones:
        raise CheckpointError(
            f"its tensors are named as in {', '.join(open_ones)}, and only config.json tells which, and what else"
            " the attention needs; put it beside the file"
        )
    if len(fitting) != 1:
        raise CheckpointError(
            f"it is of no family that is known ({', '.join(family.name for family in FAMILIES)}):"
            f" its tensors are {_some(tensors)}"
            if not fitting
            else f"it may be {' or '.join(family.name for family, _ in fitting)}; config.json would tell"
        )
    family, spots = fitting[0]
    models = sorted({spot.model for spot in spots})
    if len(models) > 1:
        raise CheckpointError(
            f"it holds more than one model of the family {family.name}: {', '.join(models[:4])}"
        )
    return family, spots


def _some(tensors: Tensors) -> str:
    names = list(tensors.names)
    return ", ".join(brief(name, 60) for name in names[:3]) + (" …" if len(names) > 3 else "")
