"""Layers of real models as Scenes. FAMILIES lists what is known; `Model` opens a file or folder."""

from explorer.checkpoints.errors import CheckpointError, HeadsNeededError
from explorer.checkpoints.families import FAMILIES
from explorer.checkpoints.family import Family, Layer, Spot
from explorer.checkpoints.model import Model, is_made_up, recognise
from explorer.checkpoints.reader import Checkpoint

__all__ = [
    "FAMILIES",
    "Checkpoint",
    "CheckpointError",
    "Family",
    "HeadsNeededError",
    "Layer",
    "Model",
    "Spot",
    "is_made_up",
    "recognise",
]
