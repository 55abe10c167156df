"""Masks taken apart and painted, with tables known beforehand."""

import numpy as np
import pytest

from explorer.attention.mask_edits import (
    as_painted,
    block,
    hidden_by,
    line,
    mask_of,
    painted,
    parts,
    with_key,
    with_mask_of,
    with_window,
)
from explorer.attention.masks import Causal, Custom, Padding, Window
from explorer.scene import Flags, Scene


def scene(n: int = 3, m: int | None = None, **fields: object) -> Scene:
    context = None if m is None else np.ones((m, 1))
    return Scene(x=np.ones((n, 1)), context=context, w_q=[[1]], w_k=[[1]], w_v=[[1]], **fields)


def digits(flags: Flags) -> str:
    """'10000/11000'"""
    return "/".join("".join(str(int(flag)) for flag in row) for row in flags)


def cells(*places: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    rows, cols = zip(*places, strict=True)
    return np.array(rows), np.array(cols)


def test_what_each_kind_contributes() -> None:
    own = scene(mask=(Padding(keys=(True, True, False)), Causal(), Window(left=1, right=9)))
    found = parts(own)
    assert list(found) == ["causal", "padding", "window"]  # in the order of the list of kinds
    assert [digits(part.allowed) for part in found.values()] == ["100/110/111", "110/110/110", "111/111/011"]
    assert [digits(part.alone) for part in found.values()] == ["010/000/000", "000/000/001", "000/000/100"]
    assert [part.hidden for part in found.values()] == [3, 3, 1]
    assert digits(own.visible()) == "100/110/010"
    assert parts(scene()) == {}


def test_masks_of_one_kind_count_together() -> None:
    own = scene(mask=(Padding(keys=(True, True, False)), Padding(keys=(False, True, True))))
    assert digits(parts(own)["padding"].allowed) == "010/010/010"
    assert digits(parts(own)["padding"].alone) == "101/101/101"


def test_who_hides_a_cell() -> None:
    own = scene(mask=(Causal(), Padding(keys=(True, True, False))))
    assert hidden_by(own, 0, 2) == ("causal", "padding")
    assert hidden_by(own, 2, 2) == ("padding",)
    assert hidden_by(own, 2, 0) == ()


def test_painting_adds_a_table_and_keeps_the_other_kinds() -> None:
    own = painted(scene(2, 5, mask=(Causal(),)), cells((1, 0), (0, 4)), False)
    assert [mask.kind for mask in own.mask] == ["causal", "custom"]
    assert digits(mask_of(own, "custom").allowed(2, 5)) == "11110/01111"
    assert digits(own.visible()) == "10000/01000"
    shown = painted(own, cells((1, 0), (0, 1)), True)
    assert digits(shown.visible()) == "10000/11000"  # causal still hides the other


def test_painting_what_is_so_is_no_edit() -> None:
    own = scene()
    assert painted(own, cells((0, 0)), True) is own
    hidden = painted(own, cells((0, 0)), False)
    assert painted(hidden, cells((0, 0)), False) is hidden
    assert painted(hidden, cells((1, 1)), True) is hidden


def test_several_painted_masks() -> None:
    one, two = np.ones((2, 2), dtype=bool), np.ones((2, 2), dtype=bool)
    one[0, 0] = two[0, 0] = False
    own = scene(2, mask=(Custom(table=one), Custom(table=two)))
    assert painted(own, cells((0, 0)), True).visible().all()
    hidden = painted(own, cells((1, 1)), False)
    assert digits(hidden.visible()) == "01/10" and hidden.mask[1] is own.mask[1]


def test_as_one_painted_mask() -> None:
    own = scene(2, 5, mask=(Causal(align="bottom_right"), Padding(keys=(False, True, True, True, True))))
    flat = as_painted(own)
    assert [mask.kind for mask in flat.mask] == ["custom"]
    assert digits(flat.visible()) == digits(own.visible()) == "01110/01111"
    assert digits(painted(flat, cells((0, 4)), True).visible()) == "01111/01111"


def test_keys() -> None:
    own = scene(2, 3)
    hidden = with_key(own, 1, False)
    assert hidden.mask[0].to_json() == {"kind": "padding", "keys": (True, False, True)}
    assert with_key(own, 1, True) is own and with_key(hidden, 1, False) is hidden
    assert with_key(hidden, 1, True).visible().all()
    twice = own.replace(mask=(Padding(keys=(True, True, False)), Causal(), Padding(keys=(False, True, True))))
    assert [m.to_json().get("keys") for m in with_key(twice, 0, True).mask] == [(True, True, False), None]


def test_windows() -> None:
    own = with_window(scene(4), 0, 1)
    assert digits(own.visible()) == "1100/0110/0011/0001"
    assert with_window(own, 0, 1) is own
    assert digits(with_window(own, 1, 0).visible()) == "1000/1100/0110/0011"


def test_kinds_come_and_go() -> None:
    own = scene(mask=(Causal(), Window()))
    assert [mask.kind for mask in with_mask_of(own, "causal", None).mask] == ["window"]
    assert mask_of(own, "padding") is None


@pytest.mark.parametrize(
    ("start", "end", "passed"),
    [
        ((1, 1), (1, 1), {(1, 1)}),
        ((0, 0), (0, 3), {(0, 0), (0, 1), (0, 2), (0, 3)}),
        ((3, 0), (0, 0), {(0, 0), (1, 0), (2, 0), (3, 0)}),
        ((0, 0), (2, 2), {(0, 0), (1, 1), (2, 2)}),
    ],
)
def test_strokes(start: tuple[int, int], end: tuple[int, int], passed: set[tuple[int, int]]) -> None:
    assert set(zip(*(part.tolist() for part in line(start, end)), strict=True)) == passed


def test_a_fast_stroke_has_no_gaps() -> None:
    rows, cols = line((0, 0), (300, 7))
    assert rows.tolist() == list(range(301)) and np.abs(np.diff(cols)).max() == 1


def test_rectangles() -> None:
    own = painted(scene(3), block((2, 2), (1, 0)), False)
    assert digits(own.visible()) == "111/000/000"
