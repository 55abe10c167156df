"""What a layer does between its projections: seen where it calls softmax or torch's scaled_dot_product_attention."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from explorer.capture.copies import Copies
from explorer.capture.naming import CaptureError
from explorer.capture.visibility import HIDES
from explorer.scene import Array

unobserved = (
    torch._C.DisableTorchFunction
)  # what is done within is not for an Observer, which is quicker for it
SOFTMAXES = frozenset({F.softmax, torch.softmax, Tensor.softmax})


@dataclass(eq=False)
class Observed:
    """One call of either. Copies hold the chosen items alone, in front."""

    heads: int  # of this call
    scores: Tensor | None = None  # (items, H, n, m): what softmax was given
    q: Tensor | None = None  # (items, 1, n, d): the first head's, which is enough to tell the scale
    k: Tensor | None = None  # (items, 1, m, d)
    mask: Tensor | None = None  # (items or 1, H or 1, n or 1, m): true is visible, or numbers that are added
    causal: bool = False
    scale: float | None = None
    sizes: tuple[int, int] = (0, 0)  # n, m

    def added(self, place: int) -> Array:
        """(H or 1, n, m): what is added to the scores of an item; of softmax, only what it hides."""
        n, m = self.sizes
        if self.scores is not None:
            scores = self.scores[place].double().numpy()
            return np.where(scores > HIDES, 0.0, scores)
        added = np.zeros((1, n, m))
        if self.causal:
            added = np.where(np.tri(n, m, dtype=bool), 0.0, -np.inf)[None]
        if self.mask is not None:
            mask = self.mask[place if self.mask.shape[0] > 1 else 0]
            table = (
                mask.double().numpy() if mask.is_floating_point() else np.where(mask.numpy(), 0.0, -np.inf)
            )
            added = added + np.broadcast_to(table, (table.shape[0], n, m))
        return added

    def scaled(self, place: int) -> Array | None:
        """(H or the first 1, n, m): the scores as softmax sees them; where a mask hides, they are far below. Of
        torch's product without the numbers that are added to them.
        """
        if self.scores is not None:
            return self.scores[place].double().numpy()
        if self.q is None or self.k is None:
            return None
        q, k = self.q[place].double(), self.k[place].double()
        factor = q.shape[-1] ** -0.5 if self.scale is None else self.scale
        added = self.added(place)[:1]
        return (q @ k.mT * factor).numpy() + np.where(added > HIDES, 0.0, added)


class Observer(TorchFunctionMode):
    """Notes such calls while it is entered; everything computes as without it."""

    def __init__(self, copies: Copies, batch: int, rows: bool) -> None:
        """`rows`: keep also the queries and keys that are given to scaled_dot_product_attention."""
        super().__init__()
        self.found: list[Observed] = []
        self._copies, self._batch, self._rows = copies, batch, rows

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        given = kwargs or {}
        if func is F.scaled_dot_product_attention:
            self._note_product(*args, **given)
        elif func in SOFTMAXES:
            self._note_softmax(args[0] if args else given.get("input"))
        return func(*args, **given)

    def _note_softmax(self, scores: Any) -> None:
        if isinstance(scores, Tensor) and scores.dim() >= 3 and scores.numel():
            self.found.append(
                Observed(
                    heads=self._heads(scores), scores=self._copies.of_batch(self._split(scores)),
                    sizes=(scores.shape[-2], scores.shape[-1]),
                )
            )  # fmt: skip

    def _note_product(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> None:
        mask = None
        if attn_mask is not None:
            mask = attn_mask[(None,) * max(0, 4 - attn_mask.dim())]
            if query.dim() == 3 and attn_mask.dim() == 3:  # (B·H, n, m)
                mask = self._split(attn_mask) if attn_mask.shape[0] > 1 else mask
            mask = self._copies.of(mask) if mask.shape[0] == 1 else self._copies.of_batch(mask)
        self.found.append(
            Observed(
                heads=self._heads(query),
                q=self._first_head(query) if self._rows else None,
                k=self._first_head(key) if self._rows else None,
                mask=mask, causal=is_causal, scale=scale, sizes=(query.shape[-2], key.shape[-2]),
            )
        )  # fmt: skip

    def _heads(self, tensor: Tensor) -> int:
        leading = prod(tensor.shape[:-2])
        if leading % self._batch:
            raise CaptureError("its heads cannot be told from the shapes it computes with")
        return leading // self._batch

    def _first_head(self, rows: Tensor) -> Tensor:
        """(items, 1, n, d)"""
        return self._copies.of_batch((rows if rows.dim() == 4 else self._split(rows))[:, :1])

    def _split(self, tensor: Tensor) -> Tensor:
        """(…, n, m) → (B, H, n, m)."""
        return tensor.reshape(self._batch, -1, *tensor.shape[-2:])


def joined(found: list[Observed]) -> Observed | None:
    """All heads of one call of a layer, whether computed at once or one after another; None where nothing was seen."""
    if not found:
        return None
    first = found[0]
    if len(found) == 1:
        return first
    if any(one.sizes != first.sizes or (one.scores is None) != (first.scores is None) for one in found):
        return None
    parts = {}
    for name in ("scores", "q", "k"):
        tensors = [getattr(one, name) for one in found]
        if all(tensor is not None for tensor in tensors):
            parts[name] = torch.cat(tensors, dim=1)
    return Observed(
        heads=sum(one.heads for one in found), mask=first.mask, causal=first.causal, scale=first.scale,
        sizes=first.sizes, **parts,
    )  # fmt: skip
