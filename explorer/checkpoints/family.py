"""What a model family is: where its attention lies among the tensors, and how it becomes the fields of a Scene."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from explorer.attention.masks import Causal, Window
from explorer.checkpoints.config import Config
from explorer.checkpoints.errors import CheckpointError, HeadsNeededError
from explorer.checkpoints.tensors import Reading, Tensors
from explorer.norm import Norm
from explorer.scene import Array, Mask, Position, Scene


@dataclass(frozen=True)
class Spot:
    """One attention of a model. Layers count from 0, as the names of their tensors do.

    `part` tells those of one number apart, such as "encoder", "decoder", "cross"; empty where a model has one kind.
    """

    part: str
    number: int
    prefix: str  # of its tensors' names
    model: str = ""  # what stands before the names of the family

    @property
    def is_cross(self) -> bool:
        """Whether keys and values come from another sequence."""
        return self.part == "cross"


@dataclass(frozen=True, eq=False, kw_only=True)
class Projections:
    """The matrices as a Scene has them, Y = X·W + b.

    w_q (d_model, H·d_k), w_k (d_context, G·d_k), w_v (d_context, G·d_v), w_o (H·d_v, d_out).
    """

    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    b_q: Array | None = None
    b_k: Array | None = None
    b_v: Array | None = None
    b_o: Array | None = None

    @property
    def width(self) -> int:
        """H·d_k."""
        return int(self.w_q.shape[1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Layer:
    """One attention as a Scene has it, without the rows that go through it."""

    matrices: Projections
    heads: int
    kv_heads: int | None = None
    q_norm: Norm | None = None
    k_norm: Norm | None = None
    scale: str | float = "sqrt_dk"
    softcap: float | None = None
    is_cross: bool = False
    causal: bool = False
    window: int | None = None  # a query sees so many keys, itself the last
    position: Position = field(default_factory=Position)
    beyond: tuple[int, Position] | None = None  # from more than so many tokens on, this position

    @property
    def d_model(self) -> int:
        """The width of the rows that queries are made of."""
        return int(self.matrices.w_q.shape[0])

    @property
    def d_context(self) -> int:
        """The width of the rows that keys and values are made of."""
        return int(self.matrices.w_k.shape[0])

    @property
    def d_k(self) -> int:
        """The width of a head."""
        return self.matrices.width // self.heads

    @property
    def groups(self) -> int:
        """K/V heads."""
        return self.kv_heads or self.heads

    def placing(self, n: int) -> Position:
        """The position among n tokens."""
        return self.beyond[1] if self.beyond is not None and n > self.beyond[0] else self.position

    def masks(self, n: int) -> tuple[Mask, ...]:
        """What the model itself hides among n tokens."""
        masks: list[Mask] = [Causal()] if self.causal else []
        if self.window is not None and self.window < n:
            masks.append(Window(left=self.window - 1, right=0))
        return tuple(masks)

    def scene(
        self,
        x: Array,
        context: Array | None = None,
        tokens: Sequence[str] = (),
        context_tokens: Sequence[str] = (),
        masks: Sequence[Mask] = (),
        title: str = "",
        notes: str = "",
        dtype: str = "float32",
    ) -> Scene:
        """This attention over the rows x (n, d_model), and context (m, d_context) where it is cross-attention.

        `masks` come on top of those of the model, for padding. Raises SceneError.
        """
        longest = max(len(x), 0 if context is None else len(context))
        return Scene(
            x=x, context=context, **vars(self.matrices), heads=self.heads, kv_heads=self.kv_heads,
            q_norm=self.q_norm, k_norm=self.k_norm, scale=self.scale, softcap=self.softcap,
            position=self.placing(longest),
            mask=(*self.masks(len(x)), *masks), tokens=tuple(tokens), context_tokens=tuple(context_tokens),
            title=title, notes=notes, dtype=dtype,
        )  # fmt: skip


class Family:
    """One family of models. To add one: a subclass in a file of its own, and its name in FAMILIES.

    `places` maps each part to a pattern of the name of one tensor that every such layer has; its group "layer" is
    the number, and what stands before the group "rest" is the prefix of the layer's tensors.
    """

    name: ClassVar[str]
    model_types: ClassVar[tuple[str, ...]] = ()  # of config.json
    needs_config: ClassVar[bool] = False  # where the tensors alone leave too much open
    places: ClassVar[dict[str, str]]
    # Of a whole model: a name that others share, and one that only this family has beside it
    mark: ClassVar[tuple[str, str] | None] = None

    def spots(self, names: Collection[str]) -> list[Spot]:
        """The layers of this family among the names: by part, then by number."""
        found: list[Spot] = []
        for part, pattern in self.places.items():
            matches = [re.fullmatch(rf"(?:(?P<model>.+)\.)?{pattern}", name) for name in names]
            found += sorted(
                (
                    Spot(part, int(match["layer"]), match.string[: match.start("rest")], match["model"] or "")
                    for match in matches
                    if match is not None and _is_number(match["layer"])
                ),
                key=lambda spot: spot.number,
            )
        return found

    def lacks(self, names: Collection[str]) -> str | None:
        """What a whole model of this family would have, and these names, which hold a whole model, have not."""
        if self.mark is None:
            return None
        shared, own = self.mark
        found = [name.removesuffix(shared) for name in names if name.endswith(shared)]
        return next((stem + own for stem in found if stem + own not in names), None)

    def fits(self, tensors: Tensors, spot: Spot) -> bool:
        """Whether the shapes are those of this family, where another one has the same names."""
        return True

    def layer(self, tensors: Tensors, spot: Spot, config: Config | None, heads: int | None = None) -> Layer:
        """The attention at a spot. `heads` is what a person said, where there is no config.

        Raises CheckpointError; HeadsNeededError where the number of heads has to be said.
        """
        raise NotImplementedError


def _is_number(text: str) -> bool:
    """Whether a number is spelled as a library does; 07 would be layer 7, too."""
    return text.isascii() and str(int(text)) == text


def heads_of(config: Config | None, asked: int | None, width: int, *keys: str) -> int:
    """The number of heads: as config.json has it under the first of `keys`, or as a person said it.

    Raises CheckpointError where it does not divide `width`, or both are there and differ.
    """
    heads = asked
    if config is not None and any(map(config.has, keys)):
        heads = config.count(*keys)
        if asked not in (None, heads):
            raise CheckpointError(f"it has {heads} heads, as {config.name} says, not {asked}")
    if heads is None:
        raise HeadsNeededError(width)
    if heads < 1 or width % heads:
        raise CheckpointError(f"{heads} heads do not divide its width of {width}")
    return heads


def apart(reading: Reading, q: str, k: str, v: str, o: str) -> Projections:
    """Four Linears of their own."""
    (w_q, b_q), (w_k, b_k), (w_v, b_v), (w_o, b_o) = (reading.linear(name) for name in (q, k, v, o))
    return Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, b_q=b_q, b_k=b_k, b_v=b_v, b_o=b_o)


def joined(
    weight: Array, bias: Array | None, w_o: Array, b_o: Array | None, heads: int | None = None
) -> Projections:
    """Q, K, V of one W (in, 3·out) and b: one after another, or with `heads` each head's own q, k, v.

    The second is view(in, H, 3, d): a flat split of it would be silent garbage. Raises CheckpointError.
    """
    width = w_o.shape[0]
    if weight.shape[1] != 3 * width:
        raise CheckpointError(
            f"its joined projection is {weight.shape[1]} wide, which is not three times {width}, as its output takes"
        )
    w_q, w_k, w_v = (part.T for part in _three(weight.T, heads))
    b_q, b_k, b_v = (None,) * 3 if bias is None else _three(bias, heads)
    return Projections(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, b_q=b_q, b_k=b_k, b_v=b_v, b_o=b_o)


def _three(rows: Array, heads: int | None) -> Sequence[Array]:
    """q, k and v of the rows of a joined matrix as it is stored: views, or with `heads` each gathered."""
    if heads is None:
        return np.split(rows, 3)
    each = rows.reshape(heads, 3, -1, *rows.shape[1:])  # (H, 3, d, in)
    return [each[:, i].reshape(-1, *rows.shape[1:]) for i in range(3)]  # (H·d, in)
