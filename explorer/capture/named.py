"""Attention layers whose projections the user names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor, nn

from explorer.attention import attend
from explorer.capture.copies import Copies, array
from explorer.capture.naming import CaptureError, matches
from explorer.capture.observing import Observed
from explorer.capture.projected import ProjectedWatch, Rows
from explorer.capture.visibility import HIDES, fields_of_added
from explorer.capture.watching import Watch
from explorer.checkpoints.errors import CheckpointError
from explorer.checkpoints.family import Projections, joined
from explorer.scene import Scene

Names = Mapping[str, Sequence[str]]  # pattern of the attention modules → their projections

APART, PACKED = 4, 2  # how many are named


def layers(
    model: nn.Module, copies: Copies, names: Names, heads: int | None, known: Mapping[str, Any]
) -> list[Watch]:
    """The modules that fit the patterns, in the model's order. Raises CaptureError."""
    modules = dict(model.named_modules())
    found: list[Watch] = []
    for pattern, parts in names.items():
        if isinstance(parts, str) or len(parts) not in (APART, PACKED):
            raise CaptureError(
                f'{pattern}: name the four projections, as ("wq", "wk", "wv", "wo"), or two, as ("qkv", "proj").'
            )
        if not any(matches(name, pattern) for name in modules):
            raise CaptureError(f"there is no module {pattern!r} in {type(model).__name__}.")
    for name, module in modules.items():
        for pattern, parts in names.items():
            if matches(name, pattern):
                told = name or type(module).__name__
                projections = {part: _part(told, module, part) for part in parts}
                maker = NamedMaker(list(projections.values()), heads, known)
                found.append(
                    ProjectedWatch(
                        name or "attention",
                        module,
                        projections,
                        copies,
                        maker,
                        reads_x=parts[0],
                        writes=parts[-1],
                        keep_rows=True,
                    )  # fmt: skip
                )
                break
    return found


@dataclass(frozen=True, eq=False)
class Affine:
    """One projection, copied: Y = X·W + b."""

    weight: Tensor  # as its module holds it
    bias: Tensor | None
    turned: bool  # (out, in), as a Linear has it

    @property
    def matrix(self) -> Tensor:
        """(in, out)"""
        return self.weight.mT if self.turned else self.weight


class NamedMaker:
    """Scenes of one layer: what its projections do, and what was seen between them."""

    def __init__(self, parts: Sequence[nn.Module], heads: int | None, known: Mapping[str, Any]) -> None:
        self._parts, self._heads, self._known = parts, heads, known

    def taken(self, copies: Copies) -> list[Affine]:
        return [_affine(part, copies) for part in self._parts]

    def scene(self, rows: Rows, taken: Sequence[Affine]) -> Scene:
        heads = self._heads or (None if rows.seen is None else rows.seen.heads)
        if heads is None:
            raise CaptureError("how many heads it has cannot be seen; say heads=")
        if rows.seen is not None and rows.seen.heads != heads:
            raise CaptureError(f"it computes with {rows.seen.heads} heads, not {heads}")
        scenes = [self._fitted(rows, matrices, heads) for matrices in _matrices(taken, heads)]
        if len(scenes) == 1:
            return scenes[0]
        if rows.output is None:
            raise CaptureError(
                "how its joined projection is laid out shows in the output alone, and that cannot be compared here"
            )
        output = rows.output
        return min(scenes, key=lambda scene: float(np.abs(attend(scene).output - output).max()))

    def _fitted(self, rows: Rows, matrices: Projections, heads: int) -> Scene:
        """With the scale that explains the scores that were seen; then its masks."""
        width = matrices.width // heads
        groups, rest = divmod(matrices.w_k.shape[1], max(width, 1))
        if width == 0 or matrices.width % heads or rest:
            raise CaptureError(
                f"its queries are {matrices.width} wide and its keys {matrices.w_k.shape[1]}, which {heads} heads do"
                " not divide"
            )
        scene = Scene(
            x=rows.x, context=rows.context, **vars(matrices), heads=heads,
            kv_heads=groups if groups != heads else None, dtype=rows.dtype, **self._known,
        )  # fmt: skip
        added = rows.added()
        if added is None:
            return scene
        assert rows.seen is not None
        if "scale" not in self._known:
            scene = scene.replace(scale=_scale(scene, rows.seen, rows.place))
        return scene if "mask" in self._known else scene.replace(**fields_of_added(added))


def _scale(scene: Scene, seen: Observed, place: int) -> str | float:
    """The factor between Q·Kᵀ and the scores that were seen, by least squares; a usual one where it is one."""
    scaled, added = seen.scaled(place), scene.added()
    if scaled is None:
        return "sqrt_dk"
    if added is not None and seen.scores is not None:  # softmax sees it in them
        scaled = scaled - added
    raw = attend(scene.replace(scale="none", mask=(), dtype="float64")).scores[: len(scaled)]
    if raw.shape != scaled.shape:
        raise CaptureError(f"its scores have the shape {scaled.shape}, where {raw.shape} was expected")
    visible = scaled > HIDES
    product = float((raw[visible] ** 2).sum())
    factor = float((raw[visible] * scaled[visible]).sum()) / product if product else 0.0
    for name, usual in (("sqrt_dk", scene.d_k**-0.5), ("none", 1.0)):
        if not product or abs(factor - usual) <= 1e-3 * usual:
            return name
    return factor


def _matrices(taken: Sequence[Affine], heads: int) -> list[Projections]:
    """The projections as a Scene has them; of a joined one, each layout that is in use."""
    weights = [array(part.matrix) for part in taken]
    biases = [None if part.bias is None else array(part.bias) for part in taken]
    if len(taken) == APART:
        w_q, w_k, w_v, w_o = weights
        b_q, b_k, b_v, b_o = biases
        return [Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, b_q=b_q, b_k=b_k, b_v=b_v, b_o=b_o)]
    if weights[0].shape[1] % (3 * heads):
        raise CaptureError(
            f"its joined projection is {weights[0].shape[1]} wide, which 3·{heads} does not divide"
        )
    try:
        return [joined(weights[0], biases[0], weights[1], biases[1], layout) for layout in (None, heads)]
    except CheckpointError as error:
        raise CaptureError(str(error)) from None


def _affine(part: nn.Module, copies: Copies) -> Affine:
    bias = getattr(part, "bias", None)
    held = copies.parameter(bias) if isinstance(bias, Tensor) else None
    return Affine(copies.parameter(part.weight), held, type(part).__name__ != "Conv1D")  # type: ignore[arg-type]


def _part(name: str, module: nn.Module, part: str) -> nn.Module:
    """One projection; its weight is laid out as torch's Linear does, or Hugging Face's Conv1D. Raises CaptureError."""
    try:
        found = module.get_submodule(part)
    except AttributeError:
        raise CaptureError(f"{name}: it has no module {part!r}.") from None
    weight = getattr(found, "weight", None)
    plain = isinstance(weight, Tensor) and weight.dim() == 2 and weight.is_floating_point()
    linear = isinstance(found, nn.Linear) or type(found).__name__.endswith(("Linear", "Conv1D"))
    if not plain or not linear:
        raise CaptureError(f"{name}: {part} is a {type(found).__name__}, and no plain Linear.")
    return found
