"""torch's own nn.MultiheadAttention, alone or within an nn.TransformerEncoderLayer."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from explorer.capture.copies import Copies, array, dtype_of, same
from explorer.capture.families import Live
from explorer.capture.visibility import fields_of_added
from explorer.capture.watching import Call, Forward, Item
from explorer.checkpoints.tensors import Reading
from explorer.checkpoints.torch_mha import KEYS, projections
from explorer.scene import Array, Scene

_FORWARD = inspect.signature(nn.MultiheadAttention.forward)
_LAYER = inspect.signature(nn.TransformerEncoderLayer.forward)
OWN = (
    "in_proj_weight",
    "q_proj_weight",
    "k_proj_weight",
    "v_proj_weight",
    "in_proj_bias",
    "bias_k",
    "bias_v",
)


class MultiheadWatch:
    """One nn.MultiheadAttention.

    `layer`: the encoder layer it belongs to. In eval mode that one computes everything in a single fused
    operation, past its attention; then the layer's own input says what the attention has received.
    """

    def __init__(
        self,
        name: str,
        module: nn.MultiheadAttention,
        layer: nn.TransformerEncoderLayer | None,
        copies: Copies,
    ) -> None:
        self.name, self.number = name, 0
        self.calls: list[Call] = []
        self._module, self._layer, self._copies = module, layer, copies

    def stand_ins(self) -> Iterator[tuple[nn.Module, Callable[[Forward], Forward]]]:
        yield self._module, self._attention
        if self._layer is not None:
            yield self._layer, self._around

    def _attention(self, original: Forward) -> Forward:
        def forward(*args: Any, **kwargs: Any) -> Any:
            given = _FORWARD.bind(self._module, *args, **kwargs)
            given.apply_defaults()
            call = self._begun(given.arguments)
            result = original(*args, **kwargs)
            if call is not None:
                call.output = self._rows(result[0])
                self.calls.append(call)
            return result

        return forward

    def _around(self, original: Forward) -> Forward:
        def forward(*args: Any, **kwargs: Any) -> Any:
            before = len(self.calls)
            result = original(*args, **kwargs)
            if len(self.calls) == before:
                assert self._layer is not None
                given = _LAYER.bind(self._layer, *args, **kwargs)
                given.apply_defaults()
                call = self._fused(self._layer, given.arguments)
                if call is not None:
                    self.calls.append(call)
            return result

        return forward

    def _fused(self, layer: nn.TransformerEncoderLayer, given: Mapping[str, Any]) -> "_Call | None":
        source = given["src"]
        with torch.no_grad():
            normed = source
            if layer.norm_first:
                norm = layer.norm1
                normed = nn.functional.layer_norm(
                    source, norm.normalized_shape, norm.weight, norm.bias, norm.eps
                )
        return self._begun(
            {
                "query": normed, "key": normed, "value": normed,
                "attn_mask": given["src_mask"], "key_padding_mask": given["src_key_padding_mask"],
            }
        )  # fmt: skip

    def _begun(self, given: Mapping[str, Any]) -> "_Call | None":
        query, key, value = (given[name] for name in ("query", "key", "value"))
        batch = self._size(query)
        if not (chosen := self._copies.chosen(batch)):
            return None
        x = self._rows(query)
        keys = x if same(key, query) else self._rows(key)
        values = keys if same(value, key) else x if same(value, query) else self._rows(value)
        mask, padding = given["attn_mask"], given["key_padding_mask"]
        if mask is not None and mask.dim() == 3:  # (B·H, n, m)
            mask = mask.reshape(batch, -1, *mask.shape[1:])
        module = self._module
        own = {key: tensor for key in KEYS if (tensor := attrgetter(key)(module)) is not None}
        return _Call(
            chosen=chosen,
            x=x,
            keys=keys,
            values=values,
            mask=None
            if mask is None
            else self._copies.of(mask)
            if mask.dim() == 2
            else self._copies.of_batch(mask),
            padding=None if padding is None else self._padding(padding),
            own={name: self._copies.parameter(tensor) for name, tensor in own.items()},
            heads=module.num_heads,
            zero=module.add_zero_attn,
            dtype=dtype_of(query),
            random=module.training and module.dropout > 0,
        )

    def _size(self, rows: Tensor) -> int:
        """B; rows alone are a batch of one."""
        if rows.is_nested:
            return int(rows.size(0))
        return 1 if rows.dim() == 2 else rows.shape[0 if self._module.batch_first else 1]

    def _rows(self, rows: Tensor) -> list[Tensor]:
        """(n, D) of each chosen item."""
        if rows.is_nested:
            parts = rows.unbind()
            return [self._copies.of(parts[i]) for i in self._copies.chosen(len(parts))]
        if rows.dim() == 2:
            return [self._copies.of(rows)]
        return list(self._copies.of_batch(rows if self._module.batch_first else rows.transpose(0, 1)))

    def _padding(self, padding: Tensor) -> Tensor:
        return self._copies.of_batch(padding if padding.dim() == 2 else padding[None])


@dataclass(eq=False)
class _Call:
    """One call, copied. A list has one entry per chosen item."""

    chosen: list[int]
    x: list[Tensor]  # (n, D)
    keys: list[Tensor]  # (m, kdim); the list `x` itself for self-attention
    values: list[Tensor]  # (m, vdim)
    mask: Tensor | None  # (n, m), or (items, H, n, m)
    padding: Tensor | None  # (items, m)
    own: dict[str, Tensor]  # by torch's names
    heads: int
    zero: bool
    dtype: str
    random: bool
    output: list[Tensor] | None = None  # (n, D)

    def items(self) -> Iterator[Item]:
        weights = _weights(self.own)
        for place, number in enumerate(self.chosen):
            comparable = self.output is not None and not self.random
            yield Item(
                number,
                self._scene(place, weights),
                array(self.output[place]) if comparable and self.output else None,
            )

    def _scene(self, place: int, weights: Mapping[str, Array]) -> Scene:
        x, keys, values = (array(rows[place]) for rows in (self.x, self.keys, self.values))
        fields: dict[str, Any] = dict(weights)
        added = self._added(place, len(keys))
        if self.values is not self.keys:  # a context has one width: keys' columns, then values'
            fields["context"] = np.concatenate([keys, values], axis=1)
            fields["w_k"] = _padded(weights["w_k"], below=values.shape[1])
            fields["w_v"] = _padded(weights["w_v"], above=keys.shape[1])
        elif self.keys is not self.x:
            fields["context"] = keys
        if extra := self._extra_keys(fields):
            fields["context"] = fields.get("context", x)
            for _label, key, value in extra:
                _add_key(fields, key, value)
                added = np.pad(added, ((0, 0), (0, 0), (0, 1)))
            labels = tuple(f"c{i}" for i in range(1, len(keys) + 1))
            fields["context_tokens"] = labels + tuple(name for name, _, _ in extra)
        return Scene(x=x, heads=self.heads, dtype=self.dtype, **fields, **fields_of_added(added))

    def _added(self, place: int, m: int) -> Array:
        """(H or 1, n, m): what the masks add to the scores."""
        n = len(self.x[place])
        added = np.zeros((1, n, m))
        if self.mask is not None:
            added = added + _additive(self.mask if self.mask.dim() == 2 else self.mask[place])
        if self.padding is not None:
            added = added + _additive(self.padding[place])
        return added

    def _extra_keys(self, fields: Mapping[str, Array]) -> list[tuple[str, Array, Array]]:
        """The keys that the module itself appends: label, projected key, projected value."""
        extra = []
        if "bias_k" in self.own:
            key, value = (array(self.own[name].flatten()) for name in ("bias_k", "bias_v"))
            extra.append(("bias", key, value))
        if self.zero:
            key, value = (np.zeros(fields[name].shape[1]) for name in ("w_k", "w_v"))
            extra.append(("zero", key, value))
        return extra


def _weights(own: Mapping[str, Tensor]) -> dict[str, Array]:
    """The Scene's matrices."""
    matrices = vars(projections(Reading(Live(own), "")))
    return {name: matrix for name, matrix in matrices.items() if matrix is not None}


def _additive(mask: Tensor) -> Array:
    """A mask of torch, in which true hides, or which is added."""
    if mask.is_floating_point():
        return mask.double().numpy()
    return np.where(mask.numpy().astype(bool), -np.inf, 0.0)


def _padded(matrix: Array, above: int = 0, below: int = 0) -> Array:
    return np.pad(matrix, ((above, below), (0, 0)))


def _add_key(fields: dict[str, Any], key: Array, value: Array) -> None:
    """One more row of the context that projects to `key` and `value`: a column of its own says that it is there."""
    fields["context"] = np.pad(fields["context"], ((0, 1), (0, 1)))
    fields["context"][-1, -1] = 1.0
    for name, projected in (("k", key), ("v", value)):
        bias = fields.get(f"b_{name}", 0.0)
        fields[f"w_{name}"] = np.concatenate([fields[f"w_{name}"], (projected - bias)[None]])
