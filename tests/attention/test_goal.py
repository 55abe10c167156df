"""Goal seek: what it reaches, and what it says where it cannot."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer import resources
from explorer.attention import attend
from explorer.attention.descent import seek
from explorer.attention.goal import Goal, Progress, Wish, impossible
from explorer.attention.masks import Causal, Custom
from explorer.attention.positions import Rotary
from explorer.attention.trace import Cell
from explorer.files.session import load
from explorer.scene import MATRICES, Scene
from tests.attention.random_scenes import scenes


def shipped(name: str) -> Scene:
    return load(resources.path("scenes", f"{name}.attn.json"))


TWO = shipped("two-tokens")
CAT = shipped("cat-sat-down")
SHARED = shipped("shared-keys").replace(position=Rotary())


def end(scene: Scene, goal: Goal, steps: int = 1000) -> Progress:
    *_, last = seek(scene, goal, steps)
    assert last.ending is not None
    return last


def text(progress: Progress) -> str:
    assert progress.ending is not None
    return progress.ending.text


@pytest.mark.parametrize("matrices", [["w_q"], ["w_k"], ["w_q", "w_k"], ["x"], ["x", "w_q", "w_k", "w_v"]])
@pytest.mark.parametrize(
    ("scene", "head", "query", "key"),
    [(TWO, 0, 1, 0), (CAT, 1, 2, 0), (SHARED, 2, 0, 1)],
    ids=["two tokens", "the cat sat down", "grouped and rotary"],
)
def test_a_weight_of_nine_tenths(scene: Scene, head: int, query: int, key: int, matrices: list[str]) -> None:
    last = end(scene, Goal.weight(head, query, key, 0.9, matrices))
    assert last.reached and text(last) == f"Reached after {last.step} steps."
    assert attend(last.scene).weights[head, query, key] == pytest.approx(0.9, abs=0.01)
    assert last.values == (attend(last.scene).weights[head, query, key],)
    for name in MATRICES:
        if name not in matrices:
            assert getattr(last.scene, name) is getattr(scene, name)
        else:  # few decimals, and no −0
            array = getattr(last.scene, name)
            assert np.array_equal(array, array.round(2)) and not np.signbit(array[array == 0]).any()


def test_a_step_at_a_time() -> None:
    goal = Goal.weight(1, 2, 0, 0.9, ["w_q"])
    way = list(seek(CAT, goal))
    assert way[0].step == 0 and way[0].scene is CAT and way[0].ending is None
    assert [p.step for p in way[:-1]] == list(range(len(way) - 1)) and way[-1].step == way[-2].step
    losses = [p.loss for p in way[:-1]]
    assert losses == sorted(losses, reverse=True) and way[-1].loss < 1e-3
    again = list(seek(CAT, goal))
    assert [p.values for p in way] == [p.values for p in again]
    # It can be left at any time, and gone on with from there.
    middle = next(p for p in way if p.step == 2)
    assert middle.stopped().text == f"Stopped after 2 steps: still {middle.miss:.4f} to go."
    assert end(middle.scene, goal).reached


def test_the_change_is_the_smallest() -> None:
    """With two keys and W_q ticked the difference of the scores is linear in W_q, and it has to grow by
    log 9 from 0: the least change is along the gradient x ⊗ (k₁ − k₂)/√d_k.
    """
    goal = Goal.weight(0, 1, 0, 0.9, ["w_q"], tolerance=1e-5)
    start = TWO.with_cell("w_q", 0, 0, 1)  # q₂ = (1, 1), K the identity: scores alike
    change = end(start, goal).scene.w_q - start.w_q
    along = np.outer([1, 0], [1, -1]) / np.sqrt(2)
    np.testing.assert_allclose(change, along * log(9) / (along**2).sum(), atol=1e-3)


def test_an_output_vector() -> None:
    wished = [1.0, 2.0, 3.0, 4.0]
    last = end(CAT, Goal.row("output", None, 2, wished, ["w_v", "w_o"]))
    assert last.reached
    np.testing.assert_allclose(attend(last.scene).output[2], wished, atol=0.01)


def test_wishes_together() -> None:
    last = end(CAT, Goal.row("weights", 0, 3, [0.1, 0.2, 0.3, 0.4], ["w_q", "w_k"]))
    assert last.reached
    np.testing.assert_allclose(attend(last.scene).weights[0, 3], [0.1, 0.2, 0.3, 0.4], atol=0.01)
    mixed = Goal((Wish(Cell("weights", 0, 1, 0), 0.5), Wish(Cell("output", None, 3, 0), 0.0)), ("w_q", "w_v"))
    trace = attend(end(CAT, mixed).scene)
    assert trace.weights[0, 1, 0] == pytest.approx(0.5, abs=0.01)
    assert trace.output[3, 0] == pytest.approx(0, abs=0.01)


def test_out_of_saturation() -> None:
    """At weights of 1e-62 the gradient of (α − target)² is 0; that of the divergence is not."""
    saturated = CAT.with_matrix("w_q", CAT.w_q * 100)
    assert attend(saturated).weights[1, 2, 0] < 1e-60
    assert end(saturated, Goal.weight(1, 2, 0, 0.9, ["w_q"])).reached


@pytest.mark.parametrize(
    ("scene", "goal", "sentence"),
    [
        (CAT, Goal.weight(0, 1, 3, 0.9, ["w_q"]), "The key is hidden from this query"),
        (CAT, Goal.weight(0, 0, 0, 0.9, ["w_q"]), "It is the only key that this query may see"),
        (
            TWO.replace(mask=(Custom(table=[[False, False], [True, True]]),)),
            Goal.weight(0, 0, 0, 0.9, ["w_q"]),
            "This query attends to nothing",
        ),
        (CAT, Goal.weight(0, 3, 0, 1.2, ["w_q"]), "A weight lies between 0 and 1; 1.2 does not."),
        (CAT, Goal.row("weights", 0, 3, [0.5] * 4, ["w_q"]), "add up to 2."),
        (CAT, Goal.row("weights", 0, 3, [0.1] * 4, ["w_q"]), "add up to 0.4."),
        (CAT, Goal.weight(0, 3, 0, 0.9, ["w_v"]), "The ticked matrices have no influence here"),
        (CAT, Goal.weight(0, 3, 0, 0.9, []), "No matrix is ticked"),
        (CAT.with_cell("x", 0, 0, np.nan), Goal.weight(0, 3, 0, 0.9, ["w_q"]), "A number here is NaN or ∞"),
        (
            TWO.replace(mask=(Custom(table=[[False, False], [True, True]]),)),
            Goal.row("output", None, 0, [1, 1], ["w_v"]),
            "The ticked matrices have no influence here",
        ),
    ],
)
def test_says_beforehand_what_cannot_be(scene: Scene, goal: Goal, sentence: str) -> None:
    (only,) = seek(scene, goal)
    assert sentence in text(only) and not only.reached
    assert only.step == 0 and only.scene is scene


def test_what_is_so_already() -> None:
    (only,) = seek(TWO, Goal.weight(0, 1, 0, 0.501, ["w_q"]))
    assert only.reached and text(only) == "It is so already."
    (hidden,) = seek(CAT, Goal.weight(0, 0, 3, 0.0, ["w_q"]))
    assert hidden.reached and hidden.scene is CAT


@pytest.mark.parametrize("target", [0, 1])
def test_softmax_never_quite_gets_there(target: float) -> None:
    last = end(CAT, Goal.weight(1, 2, 0, target, ["w_q"]))
    assert last.reached and last.values[0] == pytest.approx(target, abs=0.01) and last.values[0] != target
    assert f"Exactly {target} is out of reach" in text(last)


def test_as_near_as_it_gets() -> None:
    """An output is a mix of the values: with V as it is, none is outside of them. And softcap bounds a weight:
    with c = 1 the scores lie in ±1, and of two keys none has more than 1/(1 + e⁻²).
    """
    far = end(CAT, Goal.row("output", None, 2, [1, 2, 3, 99], ["w_q", "w_k"]))
    assert not far.reached and far.miss > 50 and text(far).startswith("It gets no better from here")
    capped = end(TWO.replace(softcap=1.0), Goal.weight(0, 1, 0, 0.95, ["w_q"]))
    assert not capped.reached and 0.85 < capped.values[0] < 1 / (1 + np.exp(-2))
    assert text(capped).endswith(f"still {capped.miss:.4f} to go.")


def test_too_few_steps_and_on_from_there() -> None:
    goal = Goal.weight(1, 2, 0, 0.9, ["w_q"])
    first = end(CAT, goal, steps=2)
    assert not first.reached and text(first).startswith("Not reached in 2 steps, still 0.")
    assert end(first.scene, goal).reached


def test_a_precision_that_is_too_coarse() -> None:
    goal = Goal.weight(1, 2, 0, 0.9, ["w_q"], tolerance=1e-4)
    last = end(CAT.replace(dtype="bfloat16"), goal)
    assert not last.reached and "but bfloat16 is too coarse to hold it" in text(last)
    assert end(CAT.replace(dtype="float16"), Goal.weight(1, 2, 0, 0.9, ["w_q"])).reached


@settings(max_examples=25)
@given(scenes(dtypes=("float64", "float32")), st.data())
def test_honest_on_any_scene(scene: Scene, data: st.DataObject) -> None:
    head, query, key = (data.draw(st.integers(0, size - 1)) for size in (scene.heads, scene.n, scene.m))
    target = data.draw(st.sampled_from([0.1, 0.5, 0.9]))
    goal = Goal.weight(head, query, key, target, ["w_q", "w_k"])
    way = list(seek(scene, goal, steps=100))
    last = way[-1]
    weight = attend(last.scene).weights[head, query, key]
    assert last.reached == (abs(weight - target) <= 0.01) and last.ending is not None
    assert all(p.ending is None and not p.reached for p in way[:-1])
    assert all(b.loss <= a.loss for a, b in zip(way, way[1:-1], strict=False))
    if impossible(scene, goal) is not None:
        assert not last.reached or last.ending.key == "already"


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [
        (Goal.weight(0, 9, 0, 0.5, ["w_q"]), "there is no row 10"),
        (Goal.weight(0, 0, 0, 0.5, ["w_o"]), "w_o is not set in this scene"),
        (Goal.weight(0, 0, 0, 0.5, ["heads"]), "heads is not set in this scene"),
        (Goal((Wish(Cell("w_q", None, 0, 0), 1.0),), ("w_q",)), "w_q is set by you"),
    ],
)
def test_goals_that_the_scene_has_no_place_for(goal: Goal, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        next(seek(TWO, goal))


def test_a_finite_fill_gives_even_a_hidden_key_a_weight() -> None:
    scene = TWO.replace(mask=(Causal(),), mask_fill=-1.0)
    assert end(scene, Goal.weight(0, 0, 1, 0.9, ["w_q"])).reached
