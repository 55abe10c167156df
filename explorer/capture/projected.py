"""Attention made of projections that are modules of their own: of known model families, or named by the user."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from torch import Tensor, nn

from explorer.capture.copies import Copies, array, dtype_of, same, whole
from explorer.capture.naming import CachedError, CaptureError
from explorer.capture.observing import Observed, Observer, joined, unobserved
from explorer.capture.watching import Call, Forward, Item
from explorer.scene import Array, Scene


@dataclass(frozen=True, eq=False)
class Rows:
    """One item of one call."""

    x: Array  # (n, d_model)
    context: Array | None  # (m, d_context)
    output: Array | None  # (n, d_out), where it can be compared
    seen: Observed | None
    place: int  # of the item in `seen`
    dtype: str

    def added(self) -> Array | None:
        """(H or 1, n, m): what the model adds to the scores; None where it was not seen. Raises CachedError."""
        if self.seen is None:
            return None
        n, m = len(self.x), len(self.x if self.context is None else self.context)
        if self.seen.sizes != (n, m):
            raise CachedError(
                f"{self.seen.sizes[0]} queries met {self.seen.sizes[1]} keys, but {n} and {m} rows came in; keys of"
                " an earlier call were kept (call the model with use_cache=False)"
            )
        return self.seen.added(self.place)


class Maker(Protocol):
    """How the rows of a call become scenes."""

    def taken(self, copies: Copies) -> Any:
        """The layer's parameters, copied as they are now."""

    def scene(self, rows: Rows, taken: Any) -> Scene:
        """Raises CaptureError, CheckpointError, SceneError."""


class ProjectedWatch:
    """One attention module; `projections`, by name, are the modules within it that rows go through.

    The one that `reads_x` (empty: the first one called) gets x; if others get other rows, they are the context; the
    last of all, named `writes`, gives the output.
    """

    def __init__(
        self,
        name: str,
        module: nn.Module,
        projections: Mapping[str, nn.Module],
        copies: Copies,
        maker: Maker,
        *,
        reads_x: str,
        writes: str,
        keep_rows: bool = False,
    ) -> None:
        self.name, self.number = name, 0
        self.calls: list[Call] = []
        self.module, self._projections, self._copies, self._maker = module, projections, copies, maker
        self._reads_x, self._writes, self._keep_rows = reads_x, writes, keep_rows
        self._running = threading.local()  # each thread has a call of its own

    @property
    def _now(self) -> "_Passing | None":
        """What passes in the call that runs in this thread."""
        return getattr(self._running, "now", None)

    def stand_ins(self) -> Iterator[tuple[nn.Module, Callable[[Forward], Forward]]]:
        yield self.module, self._attention
        for name, projection in self._projections.items():
            yield projection, partial(self._projection, name)

    def _attention(self, original: Forward) -> Forward:
        def forward(*args: Any, **kwargs: Any) -> Any:
            batch = _batch(args, kwargs)
            if not self._copies.chosen(batch):
                return original(*args, **kwargs)
            observer = Observer(self._copies, batch, self._keep_rows)
            before, passing = self._now, _Passing(self._copies)
            self._running.now = passing
            try:
                with observer:
                    result = original(*args, **kwargs)
                if passing.inputs:
                    self.calls.append(self._call(passing, batch, observer))
            finally:
                self._running.now = before
            return result

        return forward

    def _projection(self, name: str, original: Forward) -> Forward:
        def forward(rows: Tensor, *args: Any, **kwargs: Any) -> Any:
            now = self._now
            if now is None:
                return original(rows, *args, **kwargs)
            if name != self._writes:
                with unobserved():
                    now.enters(rows, first=name == self._reads_x)
                return original(rows, *args, **kwargs)
            result = original(rows, *args, **kwargs)
            if not self._random():
                with unobserved():
                    now.output = now.copied(result[0] if isinstance(result, tuple) else result)
            return result

        return forward

    def _random(self) -> bool:
        """Whether dropout makes the output another one each time."""
        return self.module.training and any(
            isinstance(part, nn.Dropout) and part.p > 0 for part in self.module.modules()
        )

    def _call(self, passing: "_Passing", batch: int, observer: Observer) -> "_Call":
        x, *others = passing.inputs
        if len(others) > 1:
            raise CaptureError(f"{self.name}: its keys and values are made from different rows.")
        return _Call(
            x=x[1],
            context=others[0][1] if others else None,
            dtype=passing.dtype,
            output=passing.output,
            chosen=self._copies.chosen(batch),
            seen=joined(observer.found),
            taken=self._maker.taken(self._copies),
            maker=self._maker,
        )


class _Passing:
    """What goes through the projections during one call."""

    def __init__(self, copies: Copies) -> None:
        self._copies = copies
        self.inputs: list[tuple[Tensor, Tensor]] = []  # as it came, copied: each once
        self._last: Tensor | None = None
        self.output: Tensor | None = None
        self.dtype = ""

    def enters(self, rows: Tensor, first: bool) -> None:
        """`first`: these rows are x, whatever came before."""
        if rows is self._last and len(self.inputs) == 1:
            return  # queries, keys and values of one and the same
        self._last = rows
        self.dtype = self.dtype or dtype_of(rows)
        rows = whole(rows)  # each projection of a divided layer may wrap the same rows anew
        number = next((i for i, (known, _) in enumerate(self.inputs) if same(known, rows)), None)
        entry = (rows, self.copied(rows)) if number is None else self.inputs.pop(number)
        self.inputs.insert(0 if first else len(self.inputs) if number is None else number, entry)

    def copied(self, rows: Tensor) -> Tensor:
        """(items, n, D)."""
        return self._copies.of_batch(rows if rows.dim() > 2 else rows[None])


@dataclass(eq=False)
class _Call:
    """One call, copied: (items, …)."""

    x: Tensor
    context: Tensor | None
    dtype: str
    output: Tensor | None
    chosen: list[int]
    seen: Observed | None
    taken: Any
    maker: Maker

    def items(self) -> Iterator[Item]:
        for place, number in enumerate(self.chosen):
            rows = Rows(
                x=array(self.x[place]),
                context=None if self.context is None else array(self.context[place]),
                output=None if self.output is None else array(self.output[place]),
                seen=self.seen, place=place, dtype=self.dtype,
            )  # fmt: skip
            yield Item(number, self.maker.scene(rows, self.taken), rows.output)


def _batch(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> int:
    """B: the length of the first tensor of rows, (B, n, D); rows alone are a batch of one."""
    named = [kwargs[name] for name in ("hidden_states", "x") if name in kwargs]
    for argument in (*args, *named, *kwargs.values()):
        if isinstance(argument, Tensor) and argument.is_floating_point() and argument.dim() >= 2:
            return 1 if argument.dim() == 2 else argument.shape[0]
    raise CaptureError("an attention module is called without rows.")
