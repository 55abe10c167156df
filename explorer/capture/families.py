"""Layers of the known model families, in memory: of Hugging Face models, nanoGPT, timm."""

from collections.abc import Collection, Mapping
from typing import Any

from torch import Tensor, nn

from explorer.capture.copies import Copies, array
from explorer.capture.naming import CaptureError
from explorer.capture.projected import ProjectedWatch, Rows
from explorer.capture.visibility import fields_of_added, fields_of_visible
from explorer.capture.watching import Watch
from explorer.checkpoints import CheckpointError, Family, Spot, recognise
from explorer.checkpoints.config import Config
from explorer.scene import Array, Scene

BIASES = ("alibi", "relative")  # positions that add to the scores
OUTPUTS = ("out_proj", "o_proj", "c_proj", "out_lin", "dense", "proj", "o")  # what the families call W^O


def layers(model: nn.Module, copies: Copies, heads: int | None) -> list[Watch]:
    """The attention layers of a model of a known family. Raises CaptureError where it is of none."""
    return [watch for _, watch in spots(model, copies, heads)]


def spots(model: nn.Module, copies: Copies, heads: int | None = None) -> list[tuple[Spot, ProjectedWatch]]:
    """Likewise, each with its place in the family."""
    base, whole = _configured(model)
    config = _config(whole)
    state = Live(dict(whole.state_dict(keep_vars=True)))
    try:
        family, places = recognise(state, config)
    except CheckpointError as error:
        raise CaptureError(
            f'{type(model).__name__}: {error}; name its projections, as projections={{"blocks.*.attn": ("wq", "wk",'
            ' "wv", "wo")}.'
        ) from None
    found: list[tuple[Spot, ProjectedWatch]] = []
    for spot in places:
        path = spot.prefix.rstrip(".")
        module = whole.get_submodule(path)
        name = ".".join(filter(None, (base, path)))
        maker = FamilyMaker(family, spot, config, state, heads)
        parts = _projections(module)
        leaves = {part: part.rpartition(".")[2] for part in parts}
        reads_x = next((part for part, leaf in leaves.items() if leaf.startswith("q")), "")
        writes = next((part for part, leaf in leaves.items() if leaf in OUTPUTS), "")
        watch = ProjectedWatch(
            name or "attention", module, parts, copies, maker, reads_x=reads_x, writes=writes
        )
        watch.number = len(found)
        found.append((spot, watch))
    return found


class Live:
    """The tensors of a model in memory, by name; those that were copied while it ran as they were then."""

    def __init__(self, state: Mapping[str, Tensor], copied: Mapping[str, Tensor] | None = None) -> None:
        self.state = state
        self._copied = copied or {}

    @property
    def names(self) -> Collection[str]:
        return self.state.keys()

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self._tensor(name).shape)

    def kind(self, name: str) -> str:
        return str(self._tensor(name).dtype).removeprefix("torch.")

    def read(self, name: str) -> Array:
        return array(self._tensor(name).detach().cpu())

    def _tensor(self, name: str) -> Tensor:
        return self._copied.get(name, self.state[name])


class FamilyMaker:
    """Scenes of one layer, as its family reads it."""

    def __init__(
        self, family: Family, spot: Spot, config: Config | None, state: Live, heads: int | None
    ) -> None:
        self._family, self._spot, self._config, self._state, self._heads = family, spot, config, state, heads
        self._own = [(name, t) for name, t in state.state.items() if name.startswith(spot.prefix)]

    def taken(self, copies: Copies) -> Live:
        own = {name: copies.parameter(tensor, gathered=True) for name, tensor in self._own}
        return Live(self._state.state, own)

    def scene(self, rows: Rows, taken: Live) -> Scene:
        heads = self._heads
        if heads is None and self._config is None and rows.seen is not None:
            heads = rows.seen.heads
        added = rows.added()
        layer = self._family.layer(taken, self._spot, self._config, heads)
        scene = layer.scene(rows.x, rows.context, dtype=rows.dtype)
        if added is None:
            return scene
        known = scene.position.kind in BIASES  # then what is added is that
        return scene.replace(**(fields_of_visible if known else fields_of_added)(added))


def _configured(model: nn.Module) -> tuple[str, nn.Module]:
    """The outermost part of a model that has a configuration as Hugging Face models do, and its name."""
    for name, module in model.named_modules():
        if hasattr(getattr(module, "config", None), "to_dict"):
            return name, module
    return "", model


def _config(model: nn.Module) -> Config | None:
    config: Any = getattr(model, "config", None)
    return Config(config.to_dict(), type(config).__name__) if hasattr(config, "to_dict") else None


def _projections(module: nn.Module) -> dict[str, nn.Module]:
    """The parts of an attention module that multiply rows with a matrix."""
    return {
        name: part
        for name, part in module.named_modules()
        if name
        and not isinstance(part, nn.Embedding)
        and isinstance(weight := getattr(part, "weight", None), Tensor)
        and weight.dim() == 2
    }
