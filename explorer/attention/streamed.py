"""An array that is not held: any part of it is computed when it is asked for."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike, NDArray

from explorer.scene import Index

# (head or None, rows, columns or None for all) → (rows, columns)
Part = Callable[[int | None, Index, Index | None], NDArray[Any]]

BLOCK = 2**20  # numbers that are computed at a time: 8 MB in float64
LARGEST = 2**30  # bytes: what is larger is not made a whole array, whoever asks
KEPT = 8  # single rows that are remembered, since they are asked for again and again


class TooLargeError(ValueError):
    """More numbers than can be held; the message is one plain sentence."""


class Streamed(NDArrayOperatorsMixin):
    """Reads like a numpy array of `shape`, (rows, columns) or (heads, rows, columns).

    A cell, a row, a rectangle cost what they are; one head of three dimensions is another Streamed. Arithmetic and
    numpy's functions work on the whole array, if it is not too large: they raise TooLargeError.
    """

    def __init__(
        self, name: str, shape: tuple[int, ...], dtype: DTypeLike, part: Part, head: int | None = None
    ) -> None:
        self.name, self.shape, self.dtype = name, shape, np.dtype(dtype)
        self._part, self._head = part, head
        self._heads: dict[int, Streamed] = {}
        self._rows: dict[int, NDArray[Any]] = {}

    @property
    def ndim(self) -> int:
        """2 or 3."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """What they would take."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        if self.ndim == 3:
            if keys and isinstance(keys[0], int | np.integer):
                head = self._of_head(int(keys[0]))
                return head[keys[1:]] if len(keys) > 1 else head
            return np.asarray(self)[key]
        if len(keys) == 2 and _is_mesh(*keys):
            return self._block(keys[0][:, 0], keys[1][0])
        rows, cols = (_index(k, size) for k, size in zip((*keys, ..., ...)[:2], self.shape, strict=True))
        paired = sum(isinstance(k, list | np.ndarray) for k in keys) > 1  # cell by cell, not a block
        if paired or len(keys) > 2 or isinstance(rows, _Other) or isinstance(cols, _Other):
            return np.asarray(self)[key]
        values = self._row(rows) if isinstance(rows, int) else self._block(rows, cols)
        if isinstance(rows, int):
            return values if cols is None else values[cols]
        return values[:, 0] if isinstance(cols, int) else values

    def _of_head(self, head: int) -> "Streamed":
        head = range(self.shape[0])[head]
        if head not in self._heads:
            self._heads[head] = Streamed(self.name, self.shape[1:], self.dtype, self._part, head)
        return self._heads[head]

    def _row(self, row: int) -> NDArray[Any]:
        if row not in self._rows:
            while len(self._rows) >= KEPT:
                del self._rows[next(iter(self._rows))]
            values = self._part(self._head, np.array([row]), None)[0]
            values.setflags(write=False)
            self._rows[row] = values
        return self._rows[row]

    def _block(self, rows: Index | None, cols: "Index | int | None") -> NDArray[Any]:
        rows = np.arange(self.shape[0]) if rows is None else rows
        cols = np.array([cols]) if isinstance(cols, int) else cols
        width = self.shape[1] if cols is None else len(cols)
        if len(rows) * width * self.dtype.itemsize > LARGEST:
            raise TooLargeError(
                f"{self.name} has {' × '.join(map(str, self.shape))} numbers, too many to be held."
            )
        block = np.empty((len(rows), width), self.dtype)
        step = self._at_once(width)
        for first in range(0, len(rows), step):
            block[first : first + step] = self._part(self._head, rows[first : first + step], cols)
        return block

    def _at_once(self, _width: int) -> int:
        """How many rows of so many columns are computed in one go; each may take all of its columns to be known."""
        return max(1, BLOCK // self.shape[1])

    def blocks(self) -> Iterator[NDArray[Any]]:
        """All rows, head after head, some at a time."""
        if self.ndim == 3:
            for head in range(len(self)):
                yield from self._of_head(head).blocks()
            return
        every, step = np.arange(self.shape[0]), max(1, BLOCK // self.shape[1])
        for first in range(0, len(every), step):
            yield self._block(every[first : first + step], None)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if self.nbytes > LARGEST:
            raise TooLargeError(
                f"{self.name} has {' × '.join(map(str, self.shape))} numbers, too many to be held."
            )
        if self.ndim == 2:
            whole = self._block(None, None)
        else:
            whole = np.stack([np.asarray(self._of_head(head)) for head in range(len(self))])
        return whole if dtype is None else whole.astype(dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        whole = (np.asarray(each) if isinstance(each, Streamed) else each for each in inputs)
        return getattr(ufunc, method)(*whole, **kwargs)

    def __getattr__(self, name: str) -> Any:
        """What else an array can do, the whole one does."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)

    def all(self, *axis: Any, **how: Any) -> Any:
        """As numpy's; of the whole array no further than to the first that is false."""
        if axis or how:
            return np.asarray(self).all(*axis, **how)
        return all(block.all() for block in self.blocks())


def _is_mesh(rows: Any, cols: Any) -> bool:
    """Whether they are np.ix_ of places: a block."""
    both = isinstance(rows, np.ndarray) and isinstance(cols, np.ndarray)
    return both and rows.ndim == cols.ndim == 2 and rows.shape[1] == cols.shape[0] == 1


class _Other:
    """A key that only a whole array understands."""


def _index(key: Any, size: int) -> "int | Index | None | _Other":
    """A key of one axis: a place, places, None for all of them."""
    if key is Ellipsis or (isinstance(key, slice) and key == slice(None)):
        return None
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        return range(size)[int(key)]
    if isinstance(key, slice):
        return np.arange(size)[key]
    array = np.asarray(key)
    if array.ndim == 1 and array.dtype.kind in "iu":
        places: Index = np.arange(size)[array]
        return places
    return np.flatnonzero(array) if array.ndim == 1 and array.dtype == np.bool_ else _Other()
