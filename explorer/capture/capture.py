"""`capture`: a context manager around a model's forward pass that writes sessions."""

import errno
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from torch import nn

from explorer.capture.agreement import difference, is_close
from explorer.capture.copies import Copies
from explorer.capture.finding import watches
from explorer.capture.naming import (
    KEY,
    CachedError,
    CaptureError,
    CaptureWarning,
    Place,
    calls_in,
    here,
    name_of,
)
from explorer.capture.watching import Call, Item, Watch, stood_in
from explorer.checkpoints import CheckpointError
from explorer.files.session import save
from explorer.scene import Array, Scene, SceneError


@contextmanager
def capture(
    model: nn.Module,
    folder: str | os.PathLike[str],
    *,
    layers: Iterable[int | str] | None = None,
    items: Sequence[int] | None = (0,),
    tokens: Sequence[Sequence[str]] | None = None,
    context_tokens: Sequence[Sequence[str]] | None = None,
    projections: Mapping[str, Sequence[str]] | None = None,
    heads: int | None = None,
    known: Mapping[str, Any] | None = None,
    check: bool = True,
    tensor_parallel: bool | tuple[int, int] = False,
) -> Iterator[None]:
    """Write each attention layer that runs within the block as sessions into `folder`.

    One session per chosen layer, call of that layer, and chosen item of the batch. They are named
    `MODULE.callN.itemN.attn.json` and written when the block ends; calls count on from what the folder has, so that
    nothing is overwritten. A block that ends in an exception writes nothing. The model computes exactly what it
    computes outside the block; each tensor is copied as it passes by.

    `layers`: numbers (from 0, in the model's order) or dotted names, in which `*` stands for anything; None: all.
    `items`: which items of each batch, from 0; the first alone unless said otherwise, None: all.
    `tokens`, `context_tokens`: labels, one list per item of the batch.
    `projections`: layers that are none of torch's and of no known model family, as
    `{"blocks.*.attn": ("wq", "wk", "wv", "wo")}`: the attention module, and within it those that make queries,
    keys, values and output, or two, `("qkv", "proj")`, where the first three are one.
    `heads`: how many, where they cannot be seen (they can where the layer calls softmax or torch's own
    scaled_dot_product_attention).
    `known`: fields of the Scene that such a layer has and its weights do not tell, as `{"position": Rotary()}`; what a
    layer adds to its scores by itself is `{"bias": …}`, what it gives torch's product as a mask of numbers is seen.
    `check`: compare each session's output with the model's; one that differs is written, with a CaptureWarning.

    With several processes each writes its own files. Where they divide the heads of a layer among them,
    `explorer.capture.join` makes one session of the parts; DTensor says so by itself, for modules that simply hold
    a part of the matrices `tensor_parallel=True` does (or `(rank, ranks)`, from 0, within a larger job).

    Raises CaptureError for a layer that cannot be captured: one sentence that names it, once all others have been
    written; SessionError from a file; OSError where nothing can be written into the folder, before the model runs.
    """
    target = Path(folder)
    _check_folder(target)
    copies = Copies(items)
    watched = watches(model, copies, layers=layers, projections=projections, heads=heads, known=known)
    with ExitStack() as stack:
        for watch in watched:
            for module, stand_in in watch.stand_ins():
                stack.enter_context(stood_in(module, stand_in))
        yield
    copies.arrived()
    place = _place(tensor_parallel, copies)
    target.mkdir(parents=True, exist_ok=True)
    before = calls_in(target, place)
    labels = {"tokens": tokens, "context_tokens": context_tokens}
    wrong: list[CaptureError] = []  # the others are written all the same
    for watch in watched:
        for number, call in enumerate(watch.calls, before + 1):
            for item in _items(watch, call, wrong):
                about = {"module": watch.name, "layer": watch.number, "call": number, "item": item.number + 1}
                try:
                    scene = _labelled(item, labels, watch.name)
                    if place.split:
                        about |= {"rank": place.rank + 1, "ranks": place.ranks}
                    elif check and item.output is not None:
                        about["difference"] = _checked(watch.name, scene, item.output)
                except CaptureError as error:
                    wrong.append(error)
                    continue
                path = target / name_of(watch.name, number, item.number + 1, place)
                save(scene.replace(title=watch.name, extra={**scene.extra, KEY: about}), path)
    if wrong:
        raise wrong[0]


def _check_folder(folder: Path) -> None:
    """Raises OSError where no file can be written there, before the model runs for nothing."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(there))
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(there))


def _place(tensor_parallel: bool | tuple[int, int], copies: Copies) -> Place:
    if copies.split is not None:
        return copies.split
    if tensor_parallel is False:
        return here()
    process = here()
    rank, ranks = (process.rank, process.ranks) if tensor_parallel is True else tensor_parallel
    return Place(rank, ranks, split=True, group=process.rank - rank)


def _items(watch: Watch, call: Call, wrong: list[CaptureError]) -> Iterator[Item]:
    """The items of a call; a call that cannot be a session is left out, and what is wrong with it is noted."""
    try:
        yield from call.items()
    except CachedError as error:
        warnings.warn(f"{watch.name}: a call is left out: {error}.", CaptureWarning, stacklevel=4)
    except (CaptureError, CheckpointError, SceneError) as error:
        wrong.append(CaptureError(f"{watch.name}: {str(error).rstrip('.')}."))


def _checked(name: str, scene: Scene, output: Array) -> float:
    """How far the scene's output is from the model's; warns where that is more than rounding. Raises CaptureError."""
    try:
        apart = difference(scene, output)
    except CaptureError as error:
        raise CaptureError(f"{name}: {error}.") from None
    if not is_close(scene, apart, output):
        warnings.warn(
            f"{name}: the session's output differs from the model's by up to {apart:.2g}; the layer does something that"
            " its projections do not tell.",
            CaptureWarning,
            stacklevel=4,
        )
    return apart


def _labelled(item: Item, labels: Mapping[str, Sequence[Sequence[str]] | None], name: str) -> Scene:
    given = {
        key: tuple(rows[item.number]) for key, rows in labels.items() if rows and item.number < len(rows)
    }
    if not item.scene.is_cross:
        given.pop("context_tokens", None)
    try:
        return item.scene.replace(**given)
    except SceneError as error:
        raise CaptureError(f"{name}: {error}") from None
