"""Large tables with few changes: the same numbers as in a copy, bit for bit, whenever they are put together."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from explorer.patched import LARGE, MOST, Patched
from explorer.scene import MATRICES, Array, Scene, SceneError

ROWS, COLS = 2048, 512
NUMBERS = np.random.default_rng(0).normal(size=(ROWS, COLS))


def scene(**fields: object) -> Scene:
    """Of so many numbers in X, and in the context, that they are not copied."""
    narrow = np.ones((COLS, 2))
    context = NUMBERS[::-1]
    return Scene(**{"x": NUMBERS, "context": context, "w_q": narrow, "w_k": narrow, "w_v": narrow, **fields})


def same_bits(a: Array, b: Array) -> bool:
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


@pytest.mark.parametrize("name", ["x", "context", "w_q", "w_o"])
def test_numbers_are_those_of_a_copy(name: str) -> None:
    assert NUMBERS.size >= LARGE
    if name == "w_q":
        tall = np.random.default_rng(1).normal(size=(COLS, ROWS))
        old = scene(w_q=tall, w_k=tall)
    else:
        old = scene(w_o=np.random.default_rng(2).normal(size=(2, LARGE // 2)))
    before = getattr(old, name)
    expected, kept = before.copy(), before.tobytes()
    cells = [(0, 3, 1.5), (1, 1, -0.0), (-1, -1, np.nan), (0, 3, 2.5)]
    for row, col, value in cells:
        expected[row, col] = value
    new = old.with_cells(name, cells[:2]).with_cells(name, cells[2:])
    table = new.table(name)
    assert isinstance(table, Patched) and table.shape == before.shape and table.size == before.size
    assert table.item(0, 3) == 2.5 and np.signbit(table.item(1, 1)) and table.item(0, 0) == before[0, 0]
    found = getattr(new, name)
    assert same_bits(found, expected) and not found.flags.writeable
    assert getattr(new, name) is found  # put together once
    assert getattr(old, name) is before and before.tobytes() == kept
    assert all(getattr(new, other) is getattr(old, other) for other in MATRICES if other != name)
    sizes = "n", "m", "d_model", "d_context", "d_k", "d_v", "d_out", "is_cross"
    assert all(getattr(new, size) == getattr(old, size) for size in sizes)


def test_each_of_many_is_itself() -> None:
    """Whichever is asked for first, and also from several threads at once."""
    steps = [scene()]
    for step in range(20):
        steps.append(steps[-1].with_cell("x", step, step, float(step)))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda step: steps[step].x.trace(), [5, 20, 5, 0, 13, 20, 1]))
    expected = [steps[0].x.trace() + sum(i - NUMBERS[i, i] for i in range(step)) for step in range(21)]
    np.testing.assert_allclose(found, [expected[step] for step in [5, 20, 5, 0, 13, 20, 1]], rtol=1e-12)


def test_small_edits_take_no_room() -> None:
    own = scene()
    tracemalloc.start()
    steps = [own := own.with_cell("x", step, 0, 0.5) for step in range(100)]
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert taken < NUMBERS.nbytes and steps[-1].x[:100, 0].tolist() == [0.5] * 100


def test_more_changes_than_are_kept_apart() -> None:
    own, expected = scene(), NUMBERS.copy()
    for step in range(MOST + 10):
        own = own.with_cell("x", step, 7, float(step))
        expected[step, 7] = step
    assert same_bits(own.x, expected)
    block = [(row, 8, 1.0) for row in range(MOST + 1)]
    own = own.with_cells("x", block)
    expected[: MOST + 1, 8] = 1
    assert own.table("x") is own.x and same_bits(own.x, expected)


def test_the_same_number_is_the_same_scene() -> None:
    own = scene().with_cell("x", 3, 4, 5.0)
    assert own.with_cell("x", 3, 4, 5.0) is own
    assert own.with_cell("x", 3, 4, float(NUMBERS[3, 4])) is not own
    with pytest.raises(IndexError):
        own.with_cell("x", ROWS, 0, 1.0)


def test_other_changes_share_it() -> None:
    own = scene().with_cell("x", 3, 4, 5.0)
    other = own.replace(title="T")
    assert other.table("x") is own.table("x") and other.title == "T"
    assert own.with_matrix("context", None).source is own.x
    with pytest.raises(SceneError, match="w_q is 512 × 2"):
        own.replace(heads=3)
    with pytest.raises(AttributeError, match="y"):
        own.y  # type: ignore[attr-defined] # noqa: B018


def test_numbers_of_float32_become_float64() -> None:
    own = scene(x=NUMBERS.astype(np.float32)).with_cell("x", 0, 0, 0.1)
    expected = NUMBERS.astype(np.float32).astype(np.float64)
    expected[0, 0] = 0.1
    assert same_bits(own.x, expected)
