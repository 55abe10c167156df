"""What choosing a mask or a position does to a Scene, and what the kinds are called. No widgets."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from explorer.attention.masks import MASKS, Causal, Custom, Padding
from explorer.attention.positions import POSITIONS, Learned, Rotary
from explorer.scene import Array, Mask, Position, Scene, SceneError, Setting
from explorer.ui.shared_heads import SharedHeads

NONE = "none"
MOST_FLAGS = 2**24  # of a custom mask: 4,096 × 4,096, a session file of 100 MB

# A kind that is not listed is called by its own name and described by its docstring.
NAMES = {
    "none": QT_TRANSLATE_NOOP("Kind", "none"),
    "causal": QT_TRANSLATE_NOOP("Kind", "causal"),
    "padding": QT_TRANSLATE_NOOP("Kind", "padding"),
    "window": QT_TRANSLATE_NOOP("Kind", "window"),
    "custom": QT_TRANSLATE_NOOP("Kind", "custom"),
    "sinusoidal": QT_TRANSLATE_NOOP("Kind", "sinusoidal"),
    "learned": QT_TRANSLATE_NOOP("Kind", "learned"),
    "rotary": QT_TRANSLATE_NOOP("Kind", "rotary"),
    "alibi": QT_TRANSLATE_NOOP("Kind", "ALiBi"),
    "relative": QT_TRANSLATE_NOOP("Kind", "relative"),
}
HINTS = {
    "causal": QT_TRANSLATE_NOOP("Kind", "a query sees the keys up to its own position"),
    "padding": QT_TRANSLATE_NOOP("Kind", "some keys are hidden from every query"),
    "window": QT_TRANSLATE_NOOP("Kind", "a query sees the keys around its own position"),
    "custom": QT_TRANSLATE_NOOP("Kind", "any table: which query sees which key"),
}


def kind_name(kind: str) -> str:
    """'causal', translated."""
    return QCoreApplication.translate("Kind", NAMES[kind]) if kind in NAMES else kind


def kind_hint(kind: str, registry: Mapping[str, type[Setting]]) -> str:
    """What a kind does, in a few words."""
    if kind in HINTS:
        return QCoreApplication.translate("Kind", HINTS[kind])
    return (registry[kind].__doc__ or "").partition("\n")[0].rstrip(".")


# ---- masks ----


def mask_kind(scene: Scene) -> str | None:
    """The kind of the only mask, "none" without one; None where several are combined."""
    if len(scene.mask) > 1:
        return None
    return scene.mask[0].kind if scene.mask else NONE


def start_mask(kind: str, scene: Scene) -> Mask:
    """A mask to begin with: padding hides the last key, custom holds what can be seen now.

    Raises SceneError for a custom one of more than MOST_FLAGS.
    """
    if kind == "padding":
        return Padding(keys=(True,) * (scene.m - 1) + (scene.m == 1,))
    if kind == "custom":
        if scene.n * scene.m > MOST_FLAGS:
            raise SceneError("mask", f"The mask has {scene.n} × {scene.m} numbers, too many to be held.")
        return Custom(table=scene.visible())
    return MASKS[kind]()


# ---- positions ----


def start_position(kind: str, scene: Scene) -> Position:
    """An encoding to begin with: a learned table is filled with small random numbers, always the same; rotary
    leaves the last column of an odd d_k as it is, for it turns pairs.
    """
    if kind == "rotary" and scene.d_k % 2 and scene.d_k > 1:
        return Rotary(dims=scene.d_k - 1)
    if kind == "learned":
        context = scene.context
        return Learned(
            table=random_table(scene.x.shape, 0),
            context_table=None if context is None else random_table(context.shape, 1),
        )
    return POSITIONS[kind]()


def random_table(shape: tuple[int, ...], seed: int) -> Array:
    """Normal with deviation 0.5, to two decimals: a class can read the numbers and see what they do."""
    return np.asarray(np.random.default_rng(seed).normal(0, 0.5, shape).round(2) + 0.0)


class Memory:
    """The settings of what is switched off, so that it comes back as it was."""

    def __init__(self, scene: Scene) -> None:
        self.forget(scene)

    def forget(self, scene: Scene) -> None:
        """Remember only what `scene` holds."""
        self._masks: dict[str, Mask] = {}
        self._positions: dict[str, Position] = {}
        self._last_on: tuple[Mask, ...] = ()
        self.shared = SharedHeads()
        self.learn(scene)

    def learn(self, scene: Scene) -> None:
        """Remember the masks and the position of `scene`."""
        self._last_on = scene.mask or self._last_on
        self._masks |= {mask.kind: mask for mask in reversed(scene.mask)}
        self._positions[scene.position.kind] = scene.position

    def mask(self, kind: str, scene: Scene) -> Mask:
        """The mask of this kind that was on last, if it still fits the tokens; else one to begin with."""
        mask = self._masks.get(kind)
        return mask if mask is not None and _fits(mask, scene) else start_mask(kind, scene)

    def masks(self, scene: Scene) -> tuple[Mask, ...]:
        """What the switch switches on: the masks that were on last, or causal."""
        return tuple(mask for mask in self._last_on if _fits(mask, scene)) or (Causal(),)

    def position(self, kind: str, scene: Scene) -> Position:
        """The encoding of this kind that was on last, in the scene's sizes; else one to begin with."""
        position = self._positions.get(kind)
        if position is not None:
            sizes = {"n": scene.n, "d_model": scene.d_model}
            if scene.is_cross:
                sizes |= {"m": scene.m, "d_context": scene.d_context}
            position = position.resized(sizes)
            if position.problem(scene) is None:
                return position
        return start_position(kind, scene)


def with_mask_kind(scene: Scene, kind: str, memory: Memory) -> Scene:
    """Only this mask ("none": no mask); the same Scene if it is so already."""
    if kind == mask_kind(scene):
        return scene
    return scene.replace(mask=() if kind == NONE else (memory.mask(kind, scene),))


def with_position_kind(scene: Scene, kind: str, memory: Memory) -> Scene:
    """This encoding; the same Scene if it has it already. Raises SceneError where it cannot be."""
    if kind == scene.position.kind:
        return scene
    return scene.replace(position=memory.position(kind, scene))


def _fits(mask: Mask, scene: Scene) -> bool:
    return mask.problem(scene.n, scene.m) is None
