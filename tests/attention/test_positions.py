import numpy as np
import pytest

from explorer.attention.positions import POSITIONS, Alibi, Learned, Relative, Rotary, Sinusoidal, alibi_slopes
from explorer.scene import Position, Scene, SceneError

EYE = np.eye(2)


def scene(position: Position, **settings: object) -> Scene:
    return Scene(**({"x": np.ones((3, 2)), "w_q": EYE, "w_k": EYE, "w_v": EYE} | settings), position=position)


def test_sinusoidal() -> None:
    """PE(p, 2i) = sin(p/10000^(2i/d)), PE(p, 2i+1) = cos(p/10000^(2i/d))."""
    table = Sinusoidal().added(3, 4)
    np.testing.assert_allclose(table[0], [0, 1, 0, 1])
    np.testing.assert_allclose(table[2], [np.sin(2), np.cos(2), np.sin(0.02), np.cos(0.02)])
    odd = Sinusoidal(base=9).added(2, 3)
    np.testing.assert_allclose(odd[1], [np.sin(1), np.cos(1), np.sin(1 / 9 ** (2 / 3))])


def test_sinusoidal_with_an_absurd_base_warns_nobody() -> None:
    assert Sinusoidal(base=1e-300).added(4, 3).shape == (4, 3)
    assert Rotary(base=1e-300).rotation(4, 4).cos.shape == (4, 4)
    assert Rotary(base=10**30).rotation(4, 4).cos.dtype == Sinusoidal(base=10**30).added(2, 2).dtype == float


def turned(position: Rotary, row: list[float], place: int) -> np.ndarray:
    rotation = position.rotation(place + 1, len(row))
    values = np.array(row)
    return rotation.cos[place] * values + rotation.sin[place] * values[rotation.partner]


def test_rotary_by_hand() -> None:
    """The point (1, 0) at position p turns to (cos pθ, sin pθ); θ is 1 and 1/100 for four columns."""
    c, s, fine_c, fine_s = np.cos(2), np.sin(2), np.cos(0.02), np.sin(0.02)
    np.testing.assert_allclose(turned(Rotary(), [1, 1, 0, 0], 2), [c, fine_c, s, fine_s])
    interleaved = Rotary(layout="interleaved")
    np.testing.assert_allclose(turned(interleaved, [1, 0, 1, 0], 2), [c, s, fine_c, fine_s])
    np.testing.assert_allclose(turned(Rotary(dims=2), [1, 0, 5, 6], 2), [c, s, 5, 6])
    partial = turned(Rotary(dims=4), [1, 1, 0, 0, 5, 6], 2)  # the frequencies follow dims, not d_k
    np.testing.assert_allclose(partial, [c, fine_c, s, fine_s, 5, 6])


def test_published_alibi_slopes() -> None:
    """Press et al. 2022, section 3, and the function of its authors for 12 heads."""
    assert alibi_slopes(8).tolist() == [2.0**-i for i in range(1, 9)]
    halves = [2 ** -(i / 2) for i in (1, 3, 5, 7)]
    np.testing.assert_allclose(alibi_slopes(12), [*(2.0**-i for i in range(1, 9)), *halves])
    assert alibi_slopes(1).tolist() == [2.0**-8]
    assert all(len(alibi_slopes(heads)) == heads for heads in range(1, 70))


def test_alibi_falls_with_the_distance() -> None:
    bias = Alibi().bias(8, 3, 4)
    assert bias.shape == (8, 3, 4)
    assert bias[0].tolist() == [[0, -0.5, -1, -1.5], [-0.5, 0, -0.5, -1], [-1, -0.5, 0, -0.5]]


def test_learned_table_is_frozen_and_may_be_longer() -> None:
    table = np.ones((5, 2))
    position = scene(Learned(table=table)).position
    table[:] = 9
    assert isinstance(position, Learned) and not position.table.flags.writeable
    assert position.added(3, 2).tolist() == np.ones((3, 2)).tolist()
    assert position.added(3, 2, "context") is None


@pytest.mark.parametrize(
    ("position", "settings", "sentence"),
    [
        (Sinusoidal(base=0), {}, "position (sinusoidal): base is 0 but must be a number above 0."),
        (Sinusoidal(base="x"), {}, "position (sinusoidal): base is 'x' but must be a number above 0."),
        (Sinusoidal(base=10**400), {}, f"position (sinusoidal): base is 1{'0' * 36}…0 but must be a number above 0."),
        (Rotary(layout="both"), {}, "position (rotary): layout is 'both' but must be \"half\" or \"interleaved\"."),
        (Rotary(dims=3), {}, "position (rotary): dims is 3 but must be an even number from 2 to d_k = 2."),
        (Rotary(dims=4), {}, "position (rotary): dims is 4 but must be an even number from 2 to d_k = 2."),
        (Rotary(dims=True), {}, "position (rotary): dims is true but must be an even number from 2 to d_k = 2."),
        (
            Rotary(), {"heads": 2},
            "position (rotary): it turns pairs of columns, so d_k must be at least 2, and it is 1.",
        ),
        (Rotary(base=-1), {}, "position (rotary): base is -1 but must be a number above 0."),
        (Learned(), {}, "position (learned): table must be a table: rows of equally many numbers."),
        (Learned(table="x"), {}, "position (learned): table must be a table: rows of equally many numbers."),
        (Learned(table=np.ones((2, 2))), {},
         "position (learned): table is 2 × 2 but must have at least 3 rows of 2 numbers."),
        (Learned(table=np.ones((3, 1))), {},
         "position (learned): table is 3 × 1 but must have at least 3 rows of 2 numbers."),
        (
            Learned(table=np.ones((3, 2))), {"context": np.ones((4, 2))},
            "position (learned): context_table is missing, and there is a context.",
        ),
        (
            Learned(table=np.ones((3, 2)), context_table=np.ones((3, 2))), {"context": np.ones((4, 2))},
            "position (learned): context_table is 3 × 2 but must have at least 4 rows of 2 numbers.",
        ),
    ],
)  # fmt: skip
def test_sentences(position: Position, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(SceneError) as caught:
        scene(position, **settings)
    assert (str(caught.value), caught.value.key) == (sentence, "position")


def test_frequencies_of_its_own_take_the_base_s_place() -> None:
    own = Rotary(dims=2, frequencies=[[0.25]])
    np.testing.assert_allclose(turned(own, [1, 0, 5], 2), [np.cos(0.5), np.sin(0.5), 5])
    base = Rotary(frequencies=[[1.0, 0.01]])
    np.testing.assert_allclose(turned(base, [1, 2, 3, 4], 3), turned(Rotary(), [1, 2, 3, 4], 3))
    with pytest.raises(SceneError, match="frequencies is 1 × 2 but must be a row of 1 numbers"):
        scene(base)


def test_a_number_for_each_distance() -> None:
    """Key − query from −1 to 1, farther as far as that; a third head takes the first row again."""
    bias = Relative(table=[[1, 2, 3], [4, 5, 6]]).bias(3, 2, 3)
    assert bias[0].tolist() == [[2, 3, 3], [1, 2, 3]]
    assert bias[1].tolist() == [[5, 6, 6], [4, 5, 6]]
    assert bias[2].tolist() == bias[0].tolist()
    with pytest.raises(SceneError, match="must have an odd number of columns"):
        scene(Relative(table=[[1, 2]]))


def test_every_kind_survives_json() -> None:
    entries = {
        "none": {"kind": "none"},
        "sinusoidal": {"kind": "sinusoidal", "base": 10.0},
        "learned": {"kind": "learned", "table": [[1.0, 2.0]], "context_table": [[3.0]]},
        "rotary": {"kind": "rotary", "base": 10.0, "layout": "interleaved", "dims": 2},
        "alibi": {"kind": "alibi"},
        "relative": {"kind": "relative", "table": [[1.0, 0.0, 2.0]]},
    }
    assert set(entries) == set(POSITIONS)
    for kind, entry in entries.items():
        assert POSITIONS[kind].from_json(entry | {"mine": [1]}).to_json() == entry | {"mine": [1]}
