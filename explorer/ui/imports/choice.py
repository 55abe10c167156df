"""What a person takes out of a file of several arrays."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.files.arrays import View
from explorer.files.tensors import Entry

if TYPE_CHECKING:
    from explorer.checkpoints.attention_layer import Layer


@dataclass(frozen=True)
class TableChoice:
    """One array, seen as a table."""

    entry: Entry
    view: View


@dataclass(frozen=True)
class LayerChoice:
    """A whole layer, cut into so many heads."""

    layer: "Layer"
    heads: int


Choice = TableChoice | LayerChoice
