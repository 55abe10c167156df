import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.attention import attend
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.attention.permute import compare_orders, equivariance, tied_to_places
from explorer.attention.positions import Alibi, Learned, Rotary, Sinusoidal
from explorer.scene import Position, Scene, SceneError
from tests.attention.random_scenes import scenes

# t1 of the lesson on order
ORDER = Scene(x=[[1, 2], [2, 3], [3, 4]], w_q=np.eye(2) / 2, w_k=[[1, -1], [0, 1]], w_v=np.eye(2))


def test_outputs_trade_places() -> None:
    found = equivariance(ORDER, [0, 2, 1])
    assert found.holds and found.difference <= 1e-15
    assert found.moved == (1, 2) and found.changed == () and found.tied == ()


@pytest.mark.parametrize(
    "position",
    [Sinusoidal(), Learned(table=np.arange(6.0).reshape(3, 2) % 5), Rotary(), Alibi()],
    ids=lambda p: p.kind,
)
def test_with_positions_order_counts(position: Position) -> None:
    found = equivariance(ORDER.replace(position=position), [0, 2, 1])
    assert not found.holds and found.difference > 1e-3
    assert 1 in found.changed and 2 in found.changed
    assert [remark.text for remark in found.tied] == [
        f"The {position.kind} position belongs to the place, not to the token."
    ]


def test_padding_and_custom_masks_move_with_their_tokens() -> None:
    table = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool)
    for mask in (Padding(keys=(True, False, True)), Custom(table=table)):
        found = equivariance(ORDER.replace(mask=(mask,)), [2, 0, 1])
        assert found.holds and found.moved == (0, 1, 2) and not found.tied


def test_causal_and_window_stay() -> None:
    scene = ORDER.replace(mask=(Causal(), Window(left=1, right=0), Causal()))
    found = equivariance(scene, [2, 0, 1])
    assert not found.holds and found.changed
    assert [remark.values["kind"] for remark in found.tied] == ["causal", "window"]


@settings(max_examples=50)
@given(scenes(), st.data())
def test_holds_where_nothing_is_tied_to_places(scene: Scene, data: st.DataObject) -> None:
    scene = scene.replace(position=Position(), mask=tuple(m for m in scene.mask if m.kind == "padding"))
    side = data.draw(st.sampled_from(["x", "context"] if scene.is_cross else ["x"]))
    order = data.draw(st.permutations(range(scene.n if side == "x" else scene.m)))
    found = equivariance(scene, order, side)
    assert found.holds and not found.tied
    if scene.dtype == "float64":
        assert found.difference <= 1e-12 * (1 + np.abs(attend(scene).output).max())
    assert len(found.moved) == (0 if side == "context" else sum(i != j for i, j in enumerate(order)))


@settings(max_examples=50)
@given(scenes(dtypes=("float64",)), st.data())
def test_what_breaks_it_is_named(scene: Scene, data: st.DataObject) -> None:
    found = equivariance(scene, data.draw(st.permutations(range(scene.n))))
    assert found.holds or found.tied
    assert found.holds == (found.changed == ())


def test_queries_alone_know_no_order() -> None:
    """In cross-attention every query is by itself; keys may come in any order."""
    scene = ORDER.replace(context=[[1, 0], [0, 3], [2, 2], [1, 1]])
    assert equivariance(scene, [2, 1, 0]).moved == (0, 2)
    assert equivariance(scene, [3, 1, 0, 2], "context").moved == ()
    assert not tied_to_places(scene.replace(mask=(Padding(keys=(True,) * 4),)))


def test_nan_moves_too() -> None:
    scene = ORDER.replace(mask=(Custom(table=np.eye(3, dtype=bool)),)).with_cell("x", 1, 0, np.nan)
    found = equivariance(scene, [1, 0, 2])
    assert found.holds and found.moved == (0, 1)
    wrong = compare_orders(attend(ORDER), attend(ORDER.with_cell("w_v", 0, 0, np.nan)), [0, 1, 2])
    assert wrong.difference == np.inf and wrong.changed == (0, 1, 2)


def test_what_is_no_order() -> None:
    with pytest.raises(ValueError, match=r"\[0, 0, 1\] is not an order of 3 tokens."):
        equivariance(ORDER, [0, 0, 1])
    with pytest.raises(SceneError, match="There is no context"):
        equivariance(ORDER, [0, 1, 2], "context")
