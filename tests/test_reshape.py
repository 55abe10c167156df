"""Edits that change sizes: everything else follows and keeps what it can."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.masks import Causal, Custom, Padding
from explorer.attention.positions import Learned, Rotary
from explorer.reshape import (
    SIZES,
    delete_tokens,
    insert_tokens,
    move_tokens,
    possible_kv_heads,
    reorder_tokens,
    resize,
    with_bias,
    with_context,
    with_kv_heads,
    with_w_o,
)
from explorer.scene import MATRICES, Scene, SceneError
from tests.attention.random_scenes import scenes

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def counted(*shape: int) -> np.ndarray:
    return np.arange(1.0, 1 + np.prod(shape)).reshape(shape)


def scene(**fields: object) -> Scene:
    """3 tokens, d_model = 2, H = 2, d_k = 2, d_v = 1; every number another."""
    start = {"x": counted(3, 2), "w_q": counted(2, 4), "w_k": counted(2, 4), "w_v": counted(2, 2), "heads": 2}
    return Scene(**(start | fields))


# ---- tokens ----


def test_insert() -> None:
    new = insert_tokens(scene(), 1, 2)
    assert new.x.tolist() == [[1, 2], [0, 0], [0, 0], [3, 4], [5, 6]]
    assert new.tokens == ("x1", "x4", "x5", "x2", "x3")
    named = insert_tokens(scene(tokens=("a", "b", "x1")), 3, 2, labels=["c"])
    assert named.tokens == ("a", "b", "x1", "c", "x2")
    series = insert_tokens(scene(tokens=("a1", "a2", "a4")), 3, 2)
    assert series.tokens == ("a1", "a2", "a4", "a3", "a5")
    mixed = insert_tokens(scene(tokens=("a1", "b2", "a3")), 3, 1)
    assert mixed.tokens[3] == "x1"
    assert all(getattr(new, name) is getattr(scene(), name) or name != "w_o" for name in MATRICES)


def test_delete() -> None:
    new = delete_tokens(scene(), [0, 2])
    assert (new.x.tolist(), new.tokens) == ([[3, 4]], ("x2",))
    with pytest.raises(SceneError, match=r"The last token cannot be deleted\.") as caught:
        delete_tokens(new, [0])
    assert caught.value.key == "x"


@pytest.mark.parametrize(
    ("rows", "to", "expected"),
    [
        ([0], 3, "231"),
        ([2], 0, "312"),
        ([1], 0, "213"),
        ([0, 2], 3, "213"),
        ([2, 0], 1, "132"),
        ([0, 1], 3, "312"),
    ],
)
def test_move(rows: list[int], to: int, expected: str) -> None:
    new = move_tokens(scene(), rows, to)
    assert "".join(token[1:] for token in new.tokens) == expected
    assert [row[0] for row in new.x.tolist()] == [2 * int(number) - 1 for number in expected]


def test_move_to_the_same_place_is_no_edit() -> None:
    own = scene()
    assert move_tokens(own, [1], 1) is own is move_tokens(own, [1], 2)


def test_masks_follow_and_positions_stay() -> None:
    own = scene(
        mask=(Padding(keys=(True, False, True)), Custom(table=np.eye(3, dtype=bool)), Causal()),
        position=Learned(table=counted(3, 2)),
    )
    new = reorder_tokens(own, [2, -1, 1])
    padding, custom, causal = new.mask
    assert padding.keys == (True, True, False)
    assert custom.table.tolist() == [[True, True, False], [True, True, True], [False, True, True]]
    assert causal is own.mask[2]
    assert new.position is own.position
    grown = insert_tokens(own, 3).position
    assert grown.table.tolist() == [*counted(3, 2).tolist(), [0, 0]]


def test_tokens_of_the_context() -> None:
    own = scene(
        context=counted(2, 2), mask=(Padding(keys=(True, False)), Custom(table=np.ones((3, 2), dtype=bool)))
    )
    new = insert_tokens(own, 2, side="context")
    assert (new.n, new.m, new.context_tokens) == (3, 3, ("c1", "c2", "c3"))
    assert new.x is own.x
    assert new.mask[0].keys == (True, False, True)
    assert new.mask[1].table.shape == (3, 3)
    assert delete_tokens(own, [1], "x").mask[1].table.shape == (2, 2)
    with pytest.raises(SceneError, match="There is no context"):
        insert_tokens(scene(), 0, side="context")


# ---- widths ----


def test_each_head_keeps_its_own_columns() -> None:
    new = resize(scene(b_q=[1, 2, 3, 4], b_k=[5, 6, 7, 8]), d_k=3)
    assert new.w_q.tolist() == [[1, 2, 0, 3, 4, 0], [5, 6, 0, 7, 8, 0]] == new.w_k.tolist()
    assert (new.b_q.tolist(), new.b_k.tolist()) == ([1, 2, 0, 3, 4, 0], [5, 6, 0, 7, 8, 0])
    assert resize(scene(), d_k=1).w_q.tolist() == [[1, 3], [5, 7]]


def test_d_v_takes_the_rows_of_w_o_along() -> None:
    new = resize(scene(w_o=counted(2, 2), b_v=[1, 2]), d_v=2)
    assert new.w_v.tolist() == [[1, 0, 2, 0], [3, 0, 4, 0]]
    assert new.w_o.tolist() == [[1, 2], [0, 0], [3, 4], [0, 0]]
    assert new.b_v.tolist() == [1, 0, 2, 0]
    without = resize(scene(b_o=[1, 2]), d_v=2)
    assert without.w_o is None and without.b_o.tolist() == [1, 0, 2, 0]


def test_d_model_is_the_width_of_x_and_the_height_of_its_projections() -> None:
    new = resize(scene(), d_model=3)
    assert new.x.tolist() == [[1, 2, 0], [3, 4, 0], [5, 6, 0]]
    for old, grown in zip(("w_q", "w_k", "w_v"), (new.w_q, new.w_k, new.w_v), strict=True):
        assert grown.tolist() == [*getattr(scene(), old).tolist(), [0] * grown.shape[1]]
    cross = resize(scene(context=counted(2, 2)), d_model=1)
    assert (cross.w_q.shape, cross.w_k.shape, cross.context.shape) == ((1, 4), (2, 4), (2, 2))
    assert resize(scene(context=counted(2, 2)), d_context=1).w_v.tolist() == [[1, 2]]
    assert resize(scene(), d_context=3).d_model == 3  # self-attention: the same width


def test_d_out_makes_the_identity_explicit() -> None:
    new = resize(scene(b_o=[1, 2]), d_out=3)
    assert new.w_o.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert new.b_o.tolist() == [1, 2, 0]
    assert resize(scene(), d_out=2, d_v=3).d_out == 2  # in whatever order they are named


def test_widths_that_cannot_be() -> None:
    with pytest.raises(SceneError, match=r"d_k must be at least 1\."):
        resize(scene(), d_k=0)
    with pytest.raises(
        SceneError, match="heads is not a width; the widths are d_model, d_context, d_k, d_v, d_out"
    ):
        resize(scene(), heads=1)
    with pytest.raises(SceneError, match="d_k = 3 is odd"):
        resize(scene(position=Rotary()), d_k=3)


def test_tables_of_positions_follow() -> None:
    own = scene(context=counted(2, 2), position=Learned(table=counted(3, 2), context_table=counted(2, 2)))
    assert resize(own, d_model=3).position.table.tolist() == [[1, 2, 0], [3, 4, 0], [5, 6, 0]]
    assert resize(own, d_context=1).position.context_table.tolist() == [[1], [3]]
    alone = scene(position=Learned(table=counted(3, 2)))
    assert with_context(alone, counted(4, 3)).position.context_table.tolist() == np.zeros((4, 3)).tolist()


@given(scenes(), st.dictionaries(st.sampled_from(SIZES), st.integers(1, 5), min_size=1))
def test_resize_gives_what_was_asked_and_keeps_the_rest(own: Scene, sizes: dict[str, int]) -> None:
    assume(own.is_cross or not {"d_model", "d_context"} <= set(sizes))
    try:
        new = resize(own, **sizes)
    except SceneError as error:
        assert own.position.kind == "rotary" and error.key == "position"
        return
    assert all(getattr(new, name) == size for name, size in sizes.items())
    touched = set(sizes)
    if not own.is_cross and touched & {"d_model", "d_context"}:
        touched |= {"d_model", "d_context"}
    assert all(getattr(new, name) == getattr(own, name) for name in ("n", "m", "heads", "groups"))
    assert all(getattr(new, name) == getattr(own, name) for name in set(SIZES) - touched - {"d_out"})
    assert np.isfinite(attend(new).output).all()


@given(scenes())
def test_the_present_size_is_no_edit(own: Scene) -> None:
    assert resize(own, **{name: getattr(own, name) for name in SIZES}) is own


@given(scenes(), st.sampled_from(SIZES))
def test_growing_and_shrinking_back_loses_nothing(own: Scene, name: str) -> None:
    size = getattr(own, name)
    back = resize(resize(own, **{name: size + 2}), **{name: size})
    for matrix in set(MATRICES) - {"w_o"}:
        np.testing.assert_array_equal(getattr(back, matrix), getattr(own, matrix))
    np.testing.assert_allclose(attend(back).output, attend(own).output, **CLOSE)


# ---- parts that come and go ----


def test_context_on_and_off() -> None:
    own = scene(mask=(Padding(keys=(True, False, True)), Custom(table=np.eye(3, dtype=bool))))
    cross = with_context(own, counted(2, 3), ["u", "v"])
    assert (cross.n, cross.m, cross.context_tokens) == (3, 2, ("u", "v"))
    assert cross.w_k.tolist() == [*own.w_k.tolist(), [0] * 4]
    assert cross.mask[0].keys == (True, False)
    back = with_context(cross, None)
    assert not back.is_cross and back.context_tokens == ()
    assert back.w_k.tolist() == own.w_k.tolist()
    assert back.mask[0].keys == (True, False, True)
    assert back.mask[1].table.tolist() == [[True, False, True], [False, True, True], [False, False, True]]


@given(scenes(("float64",)))
def test_explicit_identity_and_zero_biases_change_nothing(own: Scene) -> None:
    before = attend(own).output
    full = with_w_o(own, True)
    for name in ("b_q", "b_k", "b_v", "b_o"):
        full = with_bias(full, name, True)
        assert with_bias(full, name, True) is full
    np.testing.assert_allclose(attend(full).output, before, **CLOSE)
    bare = with_w_o(full, False)
    assert bare.w_o is None and with_w_o(bare, False) is bare
    assert with_bias(bare, "b_o", False).b_o is None


@given(scenes(("float64",)), st.data())
def test_more_kv_heads_by_repeating_change_nothing(own: Scene, data: st.DataObject) -> None:
    finer = [g for g in possible_kv_heads(own) if g % own.groups == 0]
    groups = data.draw(st.sampled_from(finer))
    new = with_kv_heads(own, groups)
    assert (new.groups, new.d_k, new.d_v) == (groups, own.d_k, own.d_v)
    np.testing.assert_allclose(attend(new).output, attend(own).output, **CLOSE)
    np.testing.assert_allclose(with_kv_heads(new, own.groups).w_k, own.w_k, **CLOSE)


def test_fewer_kv_heads_are_the_mean() -> None:
    new = with_kv_heads(scene(b_v=[1, 3]), 1)
    assert new.w_k.tolist() == [[2, 3], [6, 7]]
    assert new.w_v.tolist() == [[1.5], [3.5]]
    assert new.b_v.tolist() == [2]
    assert with_kv_heads(new, None).kv_heads is None
    assert with_kv_heads(new, None).w_k.tolist() == [[2, 3, 2, 3], [6, 7, 6, 7]]
    for wrong in (0, 3, -1):
        with pytest.raises(SceneError, match=f"{wrong} K/V heads do not divide 2 heads; possible: 1, 2"):
            with_kv_heads(scene(), wrong)
