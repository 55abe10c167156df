"""The rules of a Scene, each with its sentence, and the edits that make new ones."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.attention.masks import Custom
from explorer.attention.positions import Rotary
from explorer.norm import Norm
from explorer.patched import LARGE
from explorer.scene import BIASES, MATRICES, Position, Scene, SceneError, follow, told
from tests.attention.random_scenes import scenes


def scene(**fields: object) -> Scene:
    """2 tokens, d_model = 3, H = 2, d_k = 1, d_v = 2."""
    start = {
        "x": np.ones((2, 3)),
        "w_q": np.ones((3, 2)),
        "w_k": np.ones((3, 2)),
        "w_v": np.ones((3, 4)),
        "heads": 2,
    }
    return Scene(**(start | fields))


def test_sizes() -> None:
    own = scene()
    sizes = (own.n, own.m, own.d_model, own.d_context, own.groups, own.d_k, own.d_v, own.d_out)
    assert sizes == (2, 2, 3, 3, 2, 1, 2, 4)
    assert own.source is own.x and not own.is_cross
    cross = scene(
        context=np.ones((5, 4)), w_k=np.ones((4, 1)), w_v=np.ones((4, 2)), w_o=np.ones((4, 7)), kv_heads=1
    )
    assert (cross.n, cross.m, cross.d_context, cross.groups, cross.d_v, cross.d_out) == (2, 5, 4, 1, 2, 7)
    assert [cross.kv_head(h) for h in range(2)] == [0, 0]
    assert scene(heads=1).kv_head(0) == 0


def test_labels_are_made_up_where_missing() -> None:
    assert scene().tokens == ("x1", "x2") == scene().key_tokens
    cross = scene(context=np.ones((3, 3)), tokens=("a", "b"))
    assert (cross.tokens, cross.key_tokens) == (("a", "b"), ("c1", "c2", "c3"))


def test_factor() -> None:
    assert scene().factor == 1.0
    assert scene(heads=1).factor == 1 / np.sqrt(2)
    assert scene(scale="none").factor == 1.0
    assert scene(scale=-2).factor == -2.0


@pytest.mark.parametrize(
    ("fields", "key", "sentence"),
    [
        ({"x": [1, 2]}, "x", "x has shape (2,) but must be a table: rows of equally many numbers, at least one."),
        ({"x": [[]]}, "x", "x has shape (1, 0) but must be a table: rows of equally many numbers, at least one."),
        ({"x": [["a"]]}, "x", "x must be a table: rows of equally many numbers."),
        ({"x": [[1], [1, 2]]}, "x", "x must be a table: rows of equally many numbers."),
        ({"x": [[10**400]]}, "x", "x must be a table: rows of equally many numbers."),
        ({"b_q": [[1, 2]]}, "b_q", "b_q has shape (1, 2) but must be one row of numbers, at least one."),
        ({"w_q": np.ones((2, 2))}, "w_q", "w_q is 2 × 2 but must have d_model = 3 rows."),
        ({"w_k": np.ones((2, 2))}, "w_k", "w_k is 2 × 2 but must have d_model = 3 rows."),
        ({"w_v": np.ones((2, 4))}, "w_v", "w_v is 2 × 4 but must have d_model = 3 rows."),
        ({"context": np.ones((1, 2))}, "w_k", "w_k is 3 × 2 but must have d_context = 2 rows."),
        ({"w_q": np.ones((3, 3))}, "w_q", "w_q is 3 × 3: its columns must be divisible by heads = 2."),
        ({"w_k": np.ones((3, 4))}, "w_k", "w_k is 3 × 4 but must have G·d_k = 2·1 = 2 columns."),
        ({"w_v": np.ones((3, 3))}, "w_v", "w_v is 3 × 3: its columns must be divisible by kv_heads = 2."),
        ({"w_o": np.ones((3, 3))}, "w_o", "w_o is 3 × 3 but must have H·d_v = 2·2 = 4 rows."),
        ({"b_q": [1]}, "b_q", "b_q has length 1 but must have length 2."),
        ({"b_k": [1, 2, 3]}, "b_k", "b_k has length 3 but must have length 2."),
        ({"b_v": [1]}, "b_v", "b_v has length 1 but must have length 4."),
        ({"b_o": [1]}, "b_o", "b_o has length 1 but must have length 4."),
        ({"b_o": [1], "w_o": np.ones((4, 3))}, "b_o", "b_o has length 1 but must have length 3."),
        ({"heads": 0}, "heads", "heads is 0 but must be a whole number from 1."),
        ({"heads": True}, "heads", "heads is true but must be a whole number from 1."),
        ({"heads": 1.0}, "heads", "heads is 1.0 but must be a whole number from 1."),
        ({"heads": "2"}, "heads", "heads is '2' but must be a whole number from 1."),
        ({"heads": None}, "heads", "heads is null but must be a whole number from 1."),
        ({"heads": 3}, "w_q", "w_q is 3 × 2: its columns must be divisible by heads = 3."),
        ({"kv_heads": 3}, "kv_heads", "kv_heads is 3 but must divide heads = 2."),
        ({"kv_heads": 0}, "kv_heads", "kv_heads is 0 but must divide heads = 2."),
        ({"kv_heads": 1}, "w_k", "w_k is 3 × 2 but must have G·d_k = 1·1 = 1 columns."),
        ({"dtype": "int8"}, "dtype", "dtype is 'int8' but must be one of float64, float32, bfloat16, float16."),
        ({"scale": "sqrt"}, "scale", "scale is 'sqrt' but must be \"sqrt_dk\", \"none\" or a finite number."),
        ({"scale": np.inf}, "scale", "scale is inf but must be \"sqrt_dk\", \"none\" or a finite number."),
        ({"scale": [1]}, "scale", "scale is a list but must be \"sqrt_dk\", \"none\" or a finite number."),
        ({"softcap": 0}, "softcap", "softcap is 0 but must be a number above 0, or null."),
        ({"softcap": np.nan}, "softcap", "softcap is nan but must be a number above 0, or null."),
        ({"q_norm": Norm(weight=[1, 2])}, "q_norm", "q_norm.weight has length 2 but must have length d_k = 1."),
        ({"k_norm": Norm(weight=[[1]])}, "k_norm", "k_norm.weight must be a list of numbers."),
        ({"k_norm": Norm(weight=[1], eps=-1)}, "k_norm", "k_norm.eps must be a number of at least 0."),
        ({"mask_fill": np.inf}, "mask_fill", "mask_fill is inf but must be \"-inf\" or a finite number."),
        ({"mask_fill": "low"}, "mask_fill", "mask_fill is 'low' but must be \"-inf\" or a finite number."),
        ({"mask_fill": {}}, "mask_fill", "mask_fill is an object but must be \"-inf\" or a finite number."),
        ({"tokens": ("a",)}, "tokens", "tokens has length 1 but must have length 2, one label per row."),
        ({"tokens": ("a", 5)}, "tokens", "tokens[2] is 5 but must be text."),
        ({"context": np.ones((1, 3)), "context_tokens": ("a", "b")}, "context_tokens",
         "context_tokens has length 2 but must have length 1, one label per row."),
    ],
)  # fmt: skip
def test_sentences(fields: dict[str, object], key: str, sentence: str) -> None:
    with pytest.raises(SceneError) as caught:
        scene(**fields)
    assert (caught.value.key, str(caught.value)) == (key, sentence)


def test_told_is_short_and_on_one_line() -> None:
    assert told("a\nb") == r"'a\nb'"
    assert told("x" * 1000) == "'" + "x" * 36 + "…'"
    assert len(told(10**300)) <= 40
    assert [told(v) for v in (None, True, 1.5, [1], {})] == ["null", "true", "1.5", "a list", "an object"]


def test_frozen_all_the_way() -> None:
    x = np.ones((2, 3))
    own = scene(x=x)
    x[0, 0] = 5
    assert own.x[0, 0] == 1
    for name in MATRICES:
        array = getattr(own, name)
        assert array is None or not array.flags.writeable
    with pytest.raises(FrozenInstanceError):
        own.heads = 1  # type: ignore[misc]


def test_arrays_of_other_kinds_are_converted() -> None:
    assert scene(x=np.ones((2, 3), dtype=int)).x.dtype == np.float64
    assert scene(x=np.ones((2, 3), dtype=">f8")).x.dtype.isnative
    assert scene(x=np.ones((2, 3), dtype=np.float32)).x.dtype == np.float32
    view = np.arange(6.0).reshape(2, 3)[::-1]
    view.setflags(write=False)
    assert scene(x=view).x.flags.c_contiguous  # torch reads no negative strides


# ---- edits ----


def test_with_cell_shares_what_it_did_not_change() -> None:
    old = scene(w_o=np.eye(4), b_q=[1, 2])
    new = old.with_cell("w_q", 2, 1, 7)
    assert new.w_q.tolist() == [[1, 1], [1, 1], [1, 7]] and old.w_q[2, 1] == 1
    assert all(getattr(new, name) is getattr(old, name) for name in MATRICES if name != "w_q")
    assert old.with_cell("b_q", 0, 1, 9).b_q.tolist() == [1, 9]


def test_the_same_number_is_the_same_scene() -> None:
    old = scene(x=[[1, np.nan, 0.0], [2, 3, -0.0]])
    assert old.with_cell("x", 0, 0, 1) is old
    assert old.with_cell("x", 0, 1, np.nan) is old
    assert old.with_cell("x", 1, 2, 0.0) is not old  # −0 is another number
    assert old.with_cells("x", []) is old


def test_cells_of_a_missing_matrix() -> None:
    with pytest.raises(SceneError, match="w_o is not set, so it has no cells") as caught:
        scene().with_cell("w_o", 0, 0, 1)
    assert caught.value.key == "w_o"


def test_with_matrix() -> None:
    assert scene().with_matrix("w_o", np.eye(4)).d_out == 4
    assert scene(w_o=np.eye(4)).with_matrix("w_o", None).w_o is None
    assert scene().with_matrix("b_q", [[3, 4]]).b_q.tolist() == [3, 4]
    with pytest.raises(SceneError, match="w_q is 2 × 2"):
        scene().with_matrix("w_q", np.eye(2))


def test_matrix_shows_a_bias_as_a_row() -> None:
    own = scene(b_o=[1, 2, 3, 4])
    assert own.matrix("b_o").tolist() == [[1, 2, 3, 4]]
    assert own.matrix("b_q") is None
    assert own.matrix("x") is own.x


def test_heads_that_divide() -> None:
    wide = Scene(x=np.ones((1, 2)), w_q=np.ones((2, 12)), w_k=np.ones((2, 12)), w_v=np.ones((2, 6)))
    assert wide.possible_heads() == (1, 2, 3, 6)  # W_v's 6 columns too
    assert wide.with_heads(3).d_k == 4
    assert wide.with_heads(1) is wide
    with pytest.raises(SceneError) as caught:
        wide.with_heads(5)
    assert str(caught.value) == "5 heads do not divide the 12 columns of W_q evenly; possible: 1, 2, 3, 6."
    with pytest.raises(SceneError) as caught:
        wide.with_heads(4)
    expected = "4 heads do not divide the columns of W_k and W_v evenly; possible: 1, 2, 3, 6."
    assert (str(caught.value), caught.value.key) == (expected, "heads")
    for count in (0, -1):
        with pytest.raises(SceneError, match=f"{count} heads do not divide"):
            wide.with_heads(count)


def test_grouped_heads_keep_their_ratio() -> None:
    grouped = Scene(
        x=np.ones((1, 2)), w_q=np.ones((2, 8)), w_k=np.ones((2, 4)), w_v=np.ones((2, 4)), heads=4, kv_heads=2
    )
    assert grouped.possible_heads() == (2, 4, 8)
    assert (grouped.with_heads(8).kv_heads, grouped.with_heads(2).kv_heads) == (4, 1)


def test_rotary_needs_an_even_width_per_head() -> None:
    eye = np.eye(6)
    turned = Scene(x=eye, w_q=eye, w_k=eye, w_v=eye, position=Rotary())
    assert turned.possible_heads() == (1, 3)


@given(scenes())
def test_possible_heads_are_possible(own: Scene) -> None:
    possible = own.possible_heads()
    assert own.heads in possible
    for heads in range(1, own.w_q.shape[1] + 2):
        if heads in possible:
            cut = own.with_heads(heads)
            assert cut.heads == heads and cut.w_q is own.w_q and cut.d_out == own.d_out
        else:
            with pytest.raises(SceneError):
                own.with_heads(heads)


def test_replace_keeps_labels_and_unknown_keys() -> None:
    own = scene(tokens=("a", "b"), extra={"mine": 1}).replace(title="T")
    assert (own.title, own.tokens, own.extra) == ("T", ("a", "b"), {"mine": 1})


@given(st.lists(st.integers(-1, 2), min_size=1))
def test_follow(index: list[int]) -> None:
    array = np.array([[1.0, 2], [3, 4], [5, 6]])
    expected = [[9.0, 9] if i < 0 else array[i].tolist() for i in index]
    assert follow(array, index, new=9).tolist() == expected
    assert follow(array.T, index, axis=1, new=9).T.tolist() == expected


def test_base_classes_do_nothing() -> None:
    own = scene()
    none = Position()
    assert none.problem(own) is None and none.added(2, 3) is None
    assert none.rotation(2, 2) is None and none.bias(1, 2, 2) is None and none.resized({}) is none
    assert Custom(table=np.ones((2, 2), dtype=bool)).kind == "custom"
    assert set(BIASES) < set(MATRICES)


def test_one_number_of_a_bias_of_a_million() -> None:
    wide = np.ones((1, LARGE))
    before = Scene(x=wide[:, :1], w_q=wide, w_k=wide, w_v=wide, b_q=wide[0])
    after = before.with_cell("b_q", 0, 7, 2.5)
    assert after.b_q is not None and after.b_q.shape == (LARGE,) and after.b_q[7] == 2.5
