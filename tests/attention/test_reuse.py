"""A scene made from the one before is the scene made from nothing, up to the rounding of sums in another order."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention.large import Large
from explorer.scene import MATRICES, Scene
from tests.attention.large_scenes import scene_of
from tests.attention.random_scenes import scenes

HELD = ("x", "source", "q_plain", "k_plain", "q", "k", "v")


def same(ours: Large, plain: Large, near: float = 1e-12) -> None:
    assert ours.held.keys() == plain.held.keys()
    for name, tensor in plain.held.items():
        torch.testing.assert_close(ours.held[name], tensor, rtol=near, atol=near, equal_nan=True, msg=name)
        assert ours.held[name].is_contiguous()


@settings(deadline=None)
@given(scenes(dtypes=("float64",)), st.data())
def test_any_edit_of_any_scene(scene: Scene, data: st.DataObject) -> None:
    """Several edits, each trace made from the one before: nothing adds up."""
    large = Large(scene)
    for _ in range(3):
        name = data.draw(st.sampled_from([name for name in MATRICES if getattr(scene, name) is not None]))
        rows, cols = scene.matrix(name).shape
        cell = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1))
        scene = scene.with_cell(name, *cell, data.draw(st.sampled_from([0.25, -3.0, 1e3])))
        large = Large(scene, before=large)
        same(large, Large(scene), near=1e-9)


@pytest.mark.parametrize("name", ["x", "context", "w_q", "w_k", "w_v", "w_o", "b_q"])
@pytest.mark.parametrize(("dtype", "near"), [("float64", 1e-13), ("float32", 1e-5), ("bfloat16", 0.04)])
def test_512_tokens(name: str, dtype: str, near: float) -> None:
    scene = scene_of(512, m=300, dtype=dtype, b_q=np.linspace(0, 1, 16))
    edited = scene.with_cell(name, 0, 3, 2.5)
    before = Large(scene)
    same(Large(edited, before=before), Large(edited), near)
    same(before, Large(scene), 0.0)  # as it was


EDITS: dict[str, tuple[Callable[[Scene], Scene], set[str]]] = {
    "a cell of X": (lambda s: s.with_cell("x", 7, 3, 1.5), {"q", "k", "v"}),
    "a cell of W_q": (lambda s: s.with_cell("w_q", 7, 3, 1.5), {"q"}),
    "a cell of W_v": (lambda s: s.with_cell("w_v", 7, 3, 1.5), {"v"}),
    "a cell of W_o": (lambda s: s.with_cell("w_o", 7, 3, 1.5), set()),
    "the mask's fill": (lambda s: s.replace(mask_fill=-1.0), set()),
}


@pytest.mark.parametrize("kind", EDITS)
def test_what_did_not_change_is_not_computed(kind: str) -> None:
    """Of the results, those of other letters are the very tensors; of the letter's own all rows or columns but one."""
    edit, touched = EDITS[kind]
    scene = scene_of(512)
    before = Large(scene)
    after = Large(edit(scene), before=before)
    for letter in "qkv":
        old, new = before._products._made[letter].result, after._products._made[letter].result
        assert (new is not old) == (letter in touched)
        differs = new != old
        assert min(int(differs.any(dim=0).sum()), int(differs.any(dim=1).sum())) == (letter in touched)


def test_many_changes_and_other_sizes_are_computed_as_a_whole() -> None:
    scene = scene_of(64)
    before = Large(scene)
    for other in (
        scene.with_matrix("x", 2 * scene.x),
        scene.replace(x=scene.x[:40], tokens=()),
        scene.with_cell("x", 3, 3, 9.0).with_cell("w_q", 3, 3, 9.0),
        scene.replace(dtype="float32"),
        scene.replace(b_k=np.ones(16)),
        scene.with_heads(4),
    ):
        same(Large(other, before=before), Large(other), 0.0 if other.heads == 2 else 1e-13)


def test_nothing_of_older_scenes_is_kept() -> None:
    scene = scene_of(64)
    large = Large(scene)
    for k in range(3):
        scene = scene.with_cell("x", 0, 0, float(k))
        large = Large(scene, before=large)
        assert not large._products._before and set(large._products._made) == {"q", "k", "v"}
