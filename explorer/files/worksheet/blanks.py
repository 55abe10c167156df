"""Which cells of a trace are to be filled in, and what has to be given for that."""

from collections.abc import Callable, Collection, Iterable

import numpy as np

from explorer.attention.places import source_place
from explorer.attention.sight import hides
from explorer.attention.trace import STAGE, Cell, Trace
from explorer.files.worksheet.model import check_count
from explorer.scene import Array, Flags, Index, Scene

PROJECTIONS = ("q", "k", "v")

BiasAt = Callable[[Index, Index, Index], Array | None]  # heads, rows, columns: the block of them


def default_stages(scene: Scene) -> tuple[str, ...]:
    """All that can be worked out by hand; where Q and K are normed or turned, these are given."""
    left_out = {"x"}
    if scene.position.kind == "rotary" or scene.q_norm is not None or scene.k_norm is not None:
        left_out |= {"q", "k"}
    if np.isneginf(scene.mask_fill):
        left_out.add("masked")
    return tuple(name for name in STAGE if name not in left_out and has_step(scene, name))


def has_step(scene: Scene, stage: str) -> bool:
    """Whether the stage differs from the one before it: there is something to do."""
    match stage:
        case "x":
            return scene.position.added_at(0, scene.d_model) is not None
        case "scaled":
            return scene.factor != 1.0 or scene.softcap is not None or _is_added(scene.added_at)
        case "masked":
            return hides(scene)
        case "concat":
            return scene.heads > 1
        case "output":
            return scene.w_o is not None or scene.b_o is not None
        case _:
            return True


def before(scene: Scene, stage: str) -> str:
    """The stage whose numbers `stage` has where it itself is no step."""
    earlier = {"scaled": "scores", "masked": "scaled", "concat": "head_outputs", "output": "concat"}
    while not has_step(scene, stage):
        stage = earlier[stage]
    return stage


def hidden(trace: Trace, stage: str) -> Flags:
    """(n, m) of a stage of scores or weights: cells that nothing depends on, whatever is in them; else nowhere."""
    if stage not in ("scores", "scaled", "masked", "weights"):
        return np.zeros(trace.matrix(stage).shape, dtype=bool)
    out: Flags = ~trace.visible & np.isneginf(trace.masked[0])
    return out


def blanks_of(trace: Trace, stages: Iterable[str]) -> frozenset[Cell]:
    """All cells of these stages, but for those that the mask makes irrelevant; a blank mask is all blank.

    Raises WorksheetError where they are far too many.
    """
    stages = list(stages)
    if trace.large is not None:
        check_count(sum(trace.stage(stage).size for stage in stages))
    cells = set()
    for stage in stages:
        array = trace.stage(stage)
        kept = ~hidden(trace, stage) if stage != "masked" else np.ones(array.shape[-2:], dtype=bool)
        heads = range(array.shape[0]) if array.ndim == 3 else [None]
        places = np.argwhere(kept).tolist()
        cells |= {Cell(stage, head, row, col) for head in heads for row, col in places}
    return frozenset(cells)


def needed(scene: Scene, stages: Collection[str]) -> tuple[str, ...]:
    """The matrices and stages that must be known to work out `stages`, as far as they are not among them."""
    wanted: dict[str, None] = {}
    for stage in STAGE:
        if stage in stages:
            wanted |= dict.fromkeys(_sources(scene, stage, stages))
    return tuple(name for name in wanted if name not in stages and _is_there(scene, name))


def _sources(scene: Scene, stage: str, stages: Collection[str]) -> tuple[str, ...]:
    if stage in PROJECTIONS:
        origin = "x" if stage == "q" else source_place(scene)
        return origin, f"w_{stage}", f"b_{stage}"
    match stage:
        case "x":
            return ("typed_x", "positions")
        case "scores":
            return ("q", "k")
        case "scaled":
            return ("scores", "bias")
        case "masked":
            return (before(scene, "scaled"),)
        case "weights":
            # What the mask hides is hatched; the masked scores themselves are needed where hiding is not −∞.
            masked = "masked" in stages or not np.isneginf(scene.mask_fill)
            return (before(scene, "masked" if masked else "scaled"),)
        case "head_outputs":
            return ("weights", "v")
        case "concat":
            return ("head_outputs",)
        case _:
            return (before(scene, "concat"), "w_o", "b_o")


def given_bias(scene: Scene) -> Array | None:
    """(H or 1, n, m): what is added to the scores and cannot be worked out, as alibi's part can; None: nothing."""
    return _given_at(scene)(np.arange(scene.heads), np.arange(scene.n), np.arange(scene.m))


def has_given_bias(scene: Scene) -> bool:
    """Whether there is one, also of a scene of which it could not be held."""
    return _is_added(_given_at(scene))


def _given_at(scene: Scene) -> BiasAt:
    return scene.bias_at if scene.position.kind == "alibi" else scene.added_at


def _is_added(bias_at: BiasAt) -> bool:
    """Whether there is anything: one number of it tells."""
    first = np.arange(1)
    return bias_at(first, first, first) is not None


def _is_there(scene: Scene, name: str) -> bool:
    if name == "bias":
        return has_given_bias(scene)
    return name in STAGE or name in ("typed_x", "positions") or scene.matrix(name) is not None
