"""To cross-attention and back: what both sides share, what is set aside, what comes back."""

import json

import numpy as np
import pytest
from hypothesis import given

from explorer.attention import attend
from explorer.attention.crossing import Aside, crossed
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.positions import Alibi, Learned, Rotary, Sinusoidal
from explorer.files.session import dump
from explorer.reshape import delete_tokens, insert_tokens, move_tokens, resize
from explorer.scene import Position, Scene
from tests.attention.random_scenes import scenes

EYE = np.eye(4)


def self_scene(**fields: object) -> Scene:
    rng = np.random.default_rng(0)
    numbers = {name: rng.normal(size=(4, 4)) for name in ("w_q", "w_k", "w_v")}
    return Scene(x=rng.normal(size=(3, 4)), **{**numbers, **fields})


def cross_scene(**fields: object) -> Scene:
    """n = 2, m = 5, d_model = 4, d_context = 6."""
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(size=(6, 4)) for name in ("w_k", "w_v")}
    return Scene(
        x=rng.normal(size=(2, 4)), context=rng.normal(size=(5, 6)), w_q=np.eye(4), **{**arrays, **fields}
    )


def there_and_back(scene: Scene) -> Scene:
    """Through JSON, as a session file keeps it."""
    other, left = crossed(scene, not scene.is_cross)
    back, nothing = crossed(other, scene.is_cross, Aside.read(json.loads(json.dumps(left.to_json()))))
    return back


@pytest.mark.parametrize(
    "position", [Position(), Sinusoidal(), Learned(table=EYE), Rotary(), Alibi()], ids=lambda p: p.kind
)
def test_it_begins_with_a_copy_and_no_number_changes(position: Position) -> None:
    own = self_scene(position=position, mask=(Causal(), Padding(keys=(True, True, False))), heads=2)
    cross, left = crossed(own, True)
    assert cross.context is not None and cross.context.tolist() == own.x.tolist()
    assert cross.context_tokens == ("c1", "c2", "c3")
    assert left.to_json() == {}
    np.testing.assert_array_equal(attend(cross).output, attend(own).output)


def test_words_go_along_with_the_copy() -> None:
    assert crossed(self_scene(tokens=("a", "cat", "sat")), True)[0].context_tokens == ("a", "cat", "sat")


def test_what_is_there_already_stays() -> None:
    own, cross = self_scene(), cross_scene()
    assert crossed(own, False)[0] is own
    assert crossed(cross, True)[0] is cross


def test_what_only_the_context_has_is_set_aside_and_comes_back() -> None:
    table = np.array([[1, 1, 1, 0, 1], [1, 0, 1, 1, 0]], dtype=bool)
    masks = (Padding(keys=(True, False, True, True, False)), Custom(table=table), Window(left=2, right=0))
    cross = cross_scene(mask=masks, context_tokens=tuple("abcde"))
    own, left = crossed(cross, False)
    assert (own.n, own.m, own.w_k.shape, own.w_v.shape) == (2, 2, (4, 4), (4, 4))
    assert own.mask[0].to_json() == {"kind": "padding", "keys": (True, False)}
    assert own.visible().tolist() == (masks[2].allowed(2, 2) & table[:, :2] & [True, False]).tolist()
    assert left.to_json() == {
        "context": cross.source.tolist(),
        "context_tokens": ["a", "b", "c", "d", "e"],
        "rows": 4,
        "w_k": cross.w_k[4:].tolist(),
        "w_v": cross.w_v[4:].tolist(),
        "keys": 2,
        "tokens": ["x1", "x2"],
        "mask": [
            {"kind": "padding", "keys": (True, True, False)},
            {"kind": "custom", "allowed": [[True, False, True], [True, True, False]]},
        ],
    }
    assert left.size == 30 + 2 * 8 + 3 + 6
    assert dump(there_and_back(cross)) == dump(cross)


def test_edits_meanwhile_are_kept_where_both_sides_have_them() -> None:
    cross = cross_scene(mask=(Padding(keys=(True, True, True, True, False)),))
    own, left = crossed(cross, False)
    own = own.with_cell("w_k", 0, 0, 9.0).replace(mask=(Padding(keys=(False, True)),))
    back, _ = crossed(own, True, left)
    assert back.w_k[0, 0] == 9 and back.w_k[1:].tolist() == cross.w_k[1:].tolist()
    assert back.mask[0].to_json()["keys"] == (False, True, True, True, False)


def test_a_narrow_context_sets_rows_of_the_own_side_aside() -> None:
    own = self_scene(mask=(Padding(keys=(True, True, False)),))
    narrow = Aside(context=np.ones((1, 2)), context_tokens=("only",))
    cross, left = crossed(own, True, narrow)
    assert (cross.m, cross.w_k.tolist()) == (1, own.w_k[:2].tolist())
    assert left.context is None and left.rows == 2 and left.keys == 1
    assert dump(crossed(cross, False, left)[0]) == dump(own)


def test_flags_follow_their_queries() -> None:
    table = np.array([[1, 1, 0], [1, 1, 1]], dtype=bool)
    cross = cross_scene(tokens=("first", "second"))
    cross = delete_tokens(cross, [3, 4], "context").replace(mask=(Custom(table=table),))
    own, left = crossed(cross, False)
    swapped = insert_tokens(move_tokens(own, [0], 2), 0)
    assert swapped.tokens == ("x1", "second", "first")
    back, _ = crossed(delete_tokens(swapped, [0]), True, left)
    assert back.visible().tolist() == [[True, True, True], [True, True, False]]
    back, _ = crossed(swapped, True, left)
    assert back.visible().tolist() == [[True] * 3] * 3  # three shared keys now


def test_another_width_of_the_heads_meanwhile() -> None:
    cross = cross_scene(heads=2)
    own, left = crossed(cross, False)
    back, _ = crossed(resize(own, d_k=3), True, left)
    assert back.w_k[4:].tolist() == resize(cross, d_k=3).w_k[4:].tolist()


@given(scenes())
def test_there_and_back_is_where_one_was(scene: Scene) -> None:
    back = there_and_back(scene)
    if scene.position.kind == "learned" and not scene.is_cross:  # the context's table waits where it is
        back = back.replace(position=scene.position)
    assert dump(back) == dump(scene)


@pytest.mark.parametrize(
    "entry",
    [
        None, 3, [], {"context": "x"}, {"context": [[1], [1, 2]]}, {"context": [[1]], "context_tokens": [1]},
        {"mask": [3, {"kind": "no"}, {"kind": "custom", "allowed": [[1]]}, {"kind": "padding", "keys": 3}]},
        {"rows": -1, "w_k": None, "keys": "x", "tokens": "abc"},
    ],
)  # fmt: skip
def test_what_a_session_cannot_mean_is_nothing(entry: object) -> None:
    left = Aside.read(entry)
    assert left.masks == () and left.rows == 0 and left.keys == 0
    cross, _ = crossed(self_scene(), True, left)
    assert cross.is_cross


def test_a_context_without_its_labels() -> None:
    left = Aside.read({"context": [[1, 2], [3, 4]], "context_tokens": ["too", "many", "labels"]})
    assert crossed(self_scene(), True, left)[0].context_tokens == ("c1", "c2")


def test_causal_over_five_keys() -> None:
    five = cross_scene(mask=(Causal(),))
    assert five.visible().astype(int).tolist() == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]
    ends = five.replace(mask=(Causal(align="bottom_right"),))
    assert ends.visible().astype(int).tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert dump(there_and_back(ends)) == dump(ends)
