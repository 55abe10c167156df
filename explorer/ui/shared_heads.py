"""Stepping through numbers of K/V heads without losing the matrices that were joined on the way. No widgets."""

from explorer.reshape import with_kv_heads
from explorer.scene import Array, Scene

NAMES = ("w_k", "w_v", "b_k", "b_v")
Matrices = tuple[Array | None, ...]


class SharedHeads:
    """W_k, W_v and their biases as a person last set them, and what other numbers of K/V heads made of them.

    Joining takes a mean, which cannot be taken back from the mean alone. So every number of K/V heads is made from
    the matrices as they were set, and coming back to a number brings back what stood there, for as long as nobody
    changes them or the number of heads: arrays that no edit touched are the same objects.
    """

    def __init__(self) -> None:
        self._heads = 0
        self._made: dict[int, Matrices] = {}  # by the number of K/V heads; the first is what was set

    def with_groups(self, scene: Scene, groups: int) -> Scene:
        """`scene` with so many K/V heads; the same Scene if it has them. Raises SceneError where it cannot be."""
        if groups == scene.groups:
            return scene
        if scene.heads != self._heads or not _same(self._made.get(scene.groups), _matrices(scene)):
            self._heads, self._made = scene.heads, {scene.groups: _matrices(scene)}
        if groups in self._made:
            new = _with(scene, groups, self._made[groups])
        else:
            start = next(iter(self._made))
            new = with_kv_heads(_with(scene, start, self._made[start]), groups)
            self._made[groups] = _matrices(new)
        return new.replace(kv_heads=None if groups == scene.heads else groups)


def _matrices(scene: Scene) -> Matrices:
    return tuple(getattr(scene, name) for name in NAMES)


def _same(made: Matrices | None, found: Matrices) -> bool:
    return made is not None and all(a is b for a, b in zip(made, found, strict=True))


def _with(scene: Scene, groups: int, matrices: Matrices) -> Scene:
    return scene.replace(kv_heads=groups, **dict(zip(NAMES, matrices, strict=True)))
