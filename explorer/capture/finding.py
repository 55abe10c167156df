"""Which layers of a model there are to watch."""

from collections.abc import Iterable, Mapping
from typing import Any

from torch import nn

from explorer.capture import families, named
from explorer.capture.copies import Copies
from explorer.capture.multihead import MultiheadWatch
from explorer.capture.naming import CaptureError, matches
from explorer.capture.watching import Watch


def watches(
    model: nn.Module,
    copies: Copies,
    *,
    layers: Iterable[int | str] | None,
    projections: named.Names | None,
    heads: int | None,
    known: Mapping[str, Any] | None,
) -> list[Watch]:
    """The chosen layers in the model's order, not watched yet. Raises CaptureError where there are none."""
    if projections:
        found = named.layers(model, copies, projections, heads, known or {})
    else:
        found = _torch(model, copies) or families.layers(model, copies, heads)
    if not found:
        raise CaptureError(
            f"{type(model).__name__} has no attention layers that are known; name its projections, as"
            ' projections={"blocks.*.attn": ("wq", "wk", "wv", "wo")}.'
        )
    for number, watch in enumerate(found):
        watch.number = number
    return found if layers is None else _chosen(found, layers)


def _torch(model: nn.Module, copies: Copies) -> list[Watch]:
    modules = dict(model.named_modules())
    around = {
        id(module.self_attn): module
        for module in modules.values()
        if isinstance(module, nn.TransformerEncoderLayer)
    }
    return [
        MultiheadWatch(name or "attention", module, around.get(id(module)), copies)
        for name, module in modules.items()
        if isinstance(module, nn.MultiheadAttention)
    ]


def _chosen(found: list[Watch], layers: Iterable[int | str]) -> list[Watch]:
    chosen = set()
    for wanted in layers:
        if isinstance(wanted, str):
            numbers = {watch.number for watch in found if matches(watch.name, wanted)}
        else:
            numbers = {wanted} & set(range(len(found)))
        if not numbers:
            raise CaptureError(f"there is no layer {wanted!r}; there are {_listed(found)}.")
        chosen |= numbers
    return [watch for watch in found if watch.number in chosen]


def _listed(found: list[Watch]) -> str:
    if len(found) <= 4:
        return ", ".join(f"{watch.number} ({watch.name})" for watch in found)
    return f"0 ({found[0].name}) to {found[-1].number} ({found[-1].name})"
