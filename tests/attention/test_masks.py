import numpy as np
import pytest

from explorer.attention.masks import MASKS, Causal, Custom, Padding, Window
from explorer.scene import Mask, Scene, SceneError


def rows(mask: Mask, n: int, m: int) -> list[str]:
    return ["".join("1" if flag else "0" for flag in row) for row in mask.allowed(n, m)]


@pytest.mark.parametrize(
    ("mask", "n", "m", "expected"),
    [
        (Causal(), 3, 3, "100 110 111"),
        (Causal(), 2, 5, "10000 11000"),
        (Causal(align="bottom_right"), 2, 5, "11110 11111"),
        (Causal(align="bottom_right"), 3, 2, "00 10 11"),
        (Padding(keys=(True, False, True)), 2, 3, "101 101"),
        (Window(left=1, right=0), 3, 3, "100 110 011"),
        (Window(left=0, right=2), 3, 4, "1110 0111 0011"),
        (Window(left=0, right=10**30), 2, 2, "11 01"),
        (Custom(table=np.array([[False, True]])), 1, 2, "01"),
    ],
)
def test_what_a_query_may_see(mask: Mask, n: int, m: int, expected: str) -> None:
    assert rows(mask, n, m) == expected.split()


def scene(*masks: Mask) -> Scene:
    return Scene(x=np.ones((2, 1)), context=np.ones((3, 1)), w_q=[[1]], w_k=[[1]], w_v=[[1]], mask=masks)


def test_a_key_is_visible_where_all_masks_allow_it() -> None:
    visible = scene(Causal(), Padding(keys=(False, True, True))).visible()
    assert visible.tolist() == [[False, False, False], [False, True, False]]
    assert scene().visible().all()


@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (Causal(align="middle"), 'align is \'middle\' but must be "top_left" or "bottom_right"'),
        (Causal(align=[]), 'align is a list but must be "top_left" or "bottom_right"'),
        (Padding(keys=(True,)), "keys has length 1 but must have length 3, one flag per key"),
        (Padding(keys=(1, 0, 1)), "keys must be a list of true and false"),
        (Padding(keys="abc"), "keys must be a list of true and false"),
        (Window(left=-1), "left is -1 but must be a whole number of at least 0"),
        (Window(right=1.5), "right is 1.5 but must be a whole number of at least 0"),
        (Window(right=True), "right is true but must be a whole number of at least 0"),
        (Custom(table=np.ones((3, 3), dtype=bool)), "allowed is 3 × 3 but must be n × m = 2 × 3"),
        (Custom(table=np.ones((2, 3))), "allowed must be a table of true and false with equally long rows"),
        (
            Custom.from_json({"allowed": [[True], [True, False]]}),
            "allowed must be a table of true and false with equally long rows",
        ),
        (Custom.from_json({}), "allowed must be a table of true and false with equally long rows"),
    ],
)
def test_sentences(mask: Mask, sentence: str) -> None:
    with pytest.raises(SceneError) as caught:
        scene(Causal(), mask)
    assert str(caught.value) == f"mask entry 2 ({mask.kind}): {sentence}."
    assert caught.value.key == "mask"


def test_a_custom_table_is_frozen() -> None:
    table = np.ones((2, 3), dtype=bool)
    mask = Custom(table=table)
    table[:] = False
    assert mask.table.all() and not mask.table.flags.writeable


def test_masks_follow_their_tokens() -> None:
    """−1 stands for a new token, which sees and is seen."""
    padding = Padding(keys=(True, False)).follow([1, 0, -1], [1, 0, -1])
    assert padding.keys == (False, True, True)
    custom = Custom(table=np.array([[True, False], [False, False]])).follow([1, -1], [1, 0, -1])
    assert custom.table.tolist() == [[False, False, True], [True, True, True]]
    causal = Causal()
    assert causal.follow([0], [0]) is causal


def test_every_kind_survives_json() -> None:
    entries = {
        "causal": {"kind": "causal", "align": "bottom_right"},
        "padding": {"kind": "padding", "keys": [True, False]},
        "window": {"kind": "window", "left": 2, "right": 0},
        "custom": {"kind": "custom", "allowed": [[True, False], [False, True]]},
    }
    assert set(entries) == set(MASKS)
    for kind, entry in entries.items():
        written = MASKS[kind].from_json(entry | {"mine": {"a": 1}}).to_json()
        assert {k: list(v) if isinstance(v, tuple) else v for k, v in written.items()} == entry | {
            "mine": {"a": 1}
        }
