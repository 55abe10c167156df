"""Stepping through numbers of K/V heads: means on the way down, the matrices themselves on the way back."""

import numpy as np
import pytest

from explorer.attention import attend
from explorer.scene import Scene, SceneError
from explorer.ui.shared_heads import SharedHeads

KEYS = [[1, 3, 5, 7], [0, 4, -8, 12]]
SCENE = Scene(x=[[1, 0], [2, 1]], w_q=np.ones((2, 4)), w_k=KEYS, w_v=np.eye(2, 4), b_k=[0, 2, 4, 6], heads=4)


def test_fewer_are_means_of_the_matrices_as_they_were_set() -> None:
    shared = SharedHeads()
    two = shared.with_groups(SCENE, 2)
    assert two.w_k.tolist() == [[2, 6], [2, 2]]
    assert two.b_k.tolist() == [1, 5]
    one = shared.with_groups(two, 1)
    assert one.w_k.tolist() == [[4], [2]]
    assert (one.heads, one.kv_heads) == (4, 1)


def test_stepping_back_brings_back_what_stood_there() -> None:
    shared = SharedHeads()
    one = shared.with_groups(shared.with_groups(SCENE, 2), 1)
    two = shared.with_groups(one, 2)
    assert two.w_k.tolist() == [[2, 6], [2, 2]]  # not the mean of all, repeated
    four = shared.with_groups(two, 4)
    assert four.w_k is SCENE.w_k and four.w_v is SCENE.w_v and four.b_k is SCENE.b_k
    assert four.kv_heads is None


def test_after_an_undo_too() -> None:
    shared = SharedHeads()
    two = shared.with_groups(SCENE, 2)
    shared.with_groups(two, 1)
    assert shared.with_groups(two, 4).w_k is SCENE.w_k


def test_matrices_that_were_changed_are_a_new_start() -> None:
    shared = SharedHeads()
    changed = shared.with_groups(SCENE, 2).with_cell("w_k", 0, 0, 9)
    four = shared.with_groups(changed, 4)
    assert four.w_k.tolist() == [[9, 9, 6, 6], [2, 2, 2, 2]]
    assert attend(four).output == pytest.approx(attend(changed).output, abs=1e-12)
    other_heads = shared.with_groups(SCENE, 2).with_heads(2)
    assert other_heads.groups == 1
    assert shared.with_groups(other_heads, 2).w_k.tolist() == [[2, 6, 2, 6], [2, 2, 2, 2]]


def test_what_does_not_divide_is_refused() -> None:
    with pytest.raises(SceneError, match="3 K/V heads do not divide 4 heads"):
        SharedHeads().with_groups(SCENE, 3)
    assert SharedHeads().with_groups(SCENE, 4) is SCENE
