import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.files.tables import Table, TableError, format_table, joined, parse_table, table_pieces


def rows(text: str) -> list[list[float]]:
    return parse_table(text).values.tolist()


SQUARE = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    "text",
    [
        "1\t2\n3\t4",
        "1\t2\r\n3\t4\r\n",
        "1\t2\r3\t4\r",
        "\ufeff1\t2\n3\t4\n\n",
        "1,2\n3,4",
        "1, 2\n3, 4\n",
        "1,2,\n3,4,\n",
        "1;2\n3;4",
        '"1";"2"\n"3";"4"',
        "1 2\n3 4",
        "  1   2\n  3   4  \n",
        "1.0 2e0\n3.00 40e-1",
        "[[1. 2.]\n [3. 4.]]",
        "[[1, 2], [3, 4]]",
        "[[1, 2], [3, 4],]",
        "[1, 2],\n[3, 4],",
        "array([[1., 2.],\n       [3., 4.]])",
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
        "np.array([[1, 2],\n [3, 4]])",
        "tensor([[1., 2.],\n        [3., 4.]], dtype=torch.float64, grad_fn=<AddBackward0>)",
        "tensor([[1., 2.],\n        [3., 4.]], device='cuda:0', requires_grad=True)\n",
        "torch.tensor([[1., 2.], [3., 4.]])",
        "Parameter containing:\ntensor([[1., 2.],\n        [3., 4.]], requires_grad=True)",
        "tensor([[[1., 2.],\n         [3., 4.]]])",
        "tensor([[1.0000e+00, 2.0000e+00],\n        [3.0000e+00, 4.0000e+00]])",
    ],
)
def test_reads_the_same_table(text: str) -> None:
    table = parse_table(text)
    assert table.values.tolist() == SQUARE
    assert table.row_labels is None and table.column_labels is None
    assert not table.values.flags.writeable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", [[7.0]]),
        ("1 2 3", [[1.0, 2.0, 3.0]]),
        ("1\n2\n3", [[1.0], [2.0], [3.0]]),
        ("[1. 2. 3.]", [[1.0, 2.0, 3.0]]),
        ("[[1.]\n [2.]]", [[1.0], [2.0]]),
        ("1,5\t2,25\n-3\t4,0", [[1.5, 2.25], [-3.0, 4.0]]),
        ("1,5;2,25", [[1.5, 2.25]]),
        ("1,5 2,25", [[1.5, 2.25]]),
        ('"1,5","2,25"', [[1.5, 2.25]]),
        ("1,5", [[1.0, 5.0]]),
        ("1/3\tsqrt(4)", [[1 / 3, 2.0]]),
        ("[[1/2, sqrt(4)], [-inf, 2**3]]", [[0.5, 2.0], [-np.inf, 8.0]]),
        ("[[       inf -1.0e+00]\n [-inf  2.]]", [[np.inf, -1.0], [-np.inf, 2.0]]),
        ("−1\t∞", [[-1.0, np.inf]]),
        ("[[ 1.  2.  3.\n   4.]\n [ 5.  6.  7.\n   8.]]", [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]),
    ],
)
def test_reads(text: str, expected: list[list[float]]) -> None:
    assert rows(text) == expected


def test_numpy_and_torch_printouts_of_today() -> None:
    values = np.linspace(-3, 3, 60).reshape(3, 20)
    with np.printoptions(precision=17):
        assert rows(str(values)) == values.tolist()
        assert rows(repr(values)) == values.tolist()
    torch = pytest.importorskip("torch")
    tensor = torch.arange(60.0).reshape(3, 20).requires_grad_() * 1
    assert rows(repr(tensor)) == tensor.tolist()
    assert rows(repr(torch.nn.Parameter(tensor.detach()))) == tensor.tolist()


@pytest.mark.parametrize(
    ("text", "row_labels", "column_labels"),
    [
        ("a\tb\n1\t2\n3\t4", None, ("a", "b")),
        ("The\t1\t2\ncat\t3\t4", ("The", "cat"), None),
        ("\ta\tb\nThe\t1\t2\ncat\t3\t4", ("The", "cat"), ("a", "b")),
        ("token,a,b\nThe,1,2\ncat,3,4", ("The", "cat"), ("a", "b")),
        ("\t1\t2\n7\t1\t2\n8\t3\t4", ("7", "8"), ("1", "2")),
        ("e 1 2\npi 3 4", ("e", "pi"), None),
        ('"New, York",1,2\n"say ""hi""",3,4', ("New, York", 'say "hi"'), None),
    ],
)
def test_labels(text: str, row_labels: tuple[str, ...] | None, column_labels: tuple[str, ...] | None) -> None:
    table = parse_table(text)
    assert table.values.tolist() == SQUARE
    assert (table.row_labels, table.column_labels) == (row_labels, column_labels)


def test_one_labelled_row() -> None:
    table = parse_table("The\t1\t2")
    assert table.row_labels == ("The",) and table.values.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no table in this text: it is empty"),
        (" \n\t\n", "There is no table in this text: it is empty"),
        (",,\n,", "There is no table in this text: every cell is empty"),
        ("1 2\n3", "Row 2 has 1 numbers where row 1 has 2"),
        ("[[1, 2], [3]]", "Row 2 has 1 numbers where row 1 has 2"),
        ("1 2\n3 abc", "Row 2, column 2 holds 'abc': 'abc' at character 1 is not a number"),
        ("1 2\n3 1/0", "Row 2, column 2 holds '1/0': Division by zero at character 2"),
        ("a\tb\n1\t2\n3\tx", "Row 3, column 2 holds 'x': 'x' at character 1 is not a number"),
        ("1\t\n3\t4", "Row 1, column 2 is empty"),
        ("abc", "Row 1, column 1 holds 'abc': 'abc' at character 1 is not a number"),
        (
            "1.2,5\t2",
            "Row 1, column 1 holds '1.2,5': A decimal is written with a point, not a comma (at character 4)",
        ),
        ("a\tb\nThe\t1\t2", "The first row has 1 labels for 2 columns"),
        ("[[1 2]\n [3 4]", "The brackets of this printout don't match; was it copied whole?"),
        ("[[1 2]\n [3 4]]]", "The brackets of this printout don't match; was it copied whole?"),
        ("[]", "This printout holds no numbers"),
        ("[", "The brackets of this printout don't match; was it copied whole?"),
        ("tensor([], size=(0, 2))", "This printout holds no numbers"),
        ("[[[1 2]]\n\n [[3 4]]]", "This printout holds 2 tables (3 axes); copy one of them"),
        ("[[1 2] 3]", "'3' stands outside the innermost brackets"),
        ("[[1 2] [[3 4]]]", "Row 2 of the printout is not as deep in brackets as row 1"),
        ("array([[1, 2]]); import os", "'); import os' after the last bracket is not part of a printout"),
        ('1,"2', "Line 1 cannot be read: unexpected end of data"),
    ],
)
def test_refuses_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_table(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", [str(np.zeros((2000, 2))), "tensor([[1., ..., 2.]])", "[[1 … 2]]"])
def test_shortened_printouts_are_refused(text: str) -> None:
    with pytest.raises(TableError, match=r"shortened with '\.\.\.'"):
        parse_table(text)


@pytest.mark.parametrize(
    "text", ["1," * 5_000_000, "1 " * 5_000_000, "[" + "1 " * 5_000_000 + "]", "0" * 65_000_000]
)
def test_huge_text_is_refused_before_work(text: str) -> None:
    with pytest.raises(TableError, match="1,000,000 numbers|32,000,000"):
        parse_table(text)


def test_format() -> None:
    values = np.array([[1.0, 0.1], [-np.inf, 1 / 3]])
    assert format_table(values) == "1\t0.1\n-inf\t0.3333333333333333\n"
    assert format_table(values, exact=False) == "1\t0.1\n-inf\t0.3333\n"
    assert format_table(values, ("The", "cat"), ("a", "b")).splitlines()[:2] == ["\ta\tb", "The\t1\t0.1"]


matrices = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6))
words = st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1, max_size=5)


@given(matrices)
def test_round_trip_is_exact(values: np.ndarray) -> None:
    back = parse_table(format_table(values)).values
    assert back.shape == values.shape
    np.testing.assert_array_equal(back, values)
    assert np.array_equal(np.signbit(back)[~np.isnan(values)], np.signbit(values)[~np.isnan(values)])


@given(matrices, st.data())
def test_round_trip_with_labels(values: np.ndarray, data: st.DataObject) -> None:
    row_labels = data.draw(st.tuples(*[words] * values.shape[0]))
    column_labels = data.draw(st.tuples(*[words] * values.shape[1]))
    back = parse_table(format_table(values, row_labels, column_labels))
    np.testing.assert_array_equal(back.values, values)
    assert (back.row_labels, back.column_labels) == (row_labels, column_labels)


@pytest.mark.parametrize("label", ["[CLS]", "[", "[[", "[1", "tensor([", "[1]", "array( ["])
def test_labels_that_look_like_printouts(label: str) -> None:
    """Tokens of a model: what is copied from a panel is no printout for that."""
    values, labels = np.array([[0.25, 0.75], [1.0, 0.0]]), (label, "the")
    back = parse_table(format_table(values, labels, labels))
    np.testing.assert_array_equal(back.values, values)
    assert (back.row_labels, back.column_labels) == (labels, labels)


@pytest.mark.parametrize("text", ["[CLS]\tthe\n0.25\t0.75\n", "[CLS],the\n0.25,0.75\n"])
def test_a_header_that_begins_with_a_bracket(text: str) -> None:
    table = parse_table(text)
    assert table.column_labels == ("[CLS]", "the") and table.values.tolist() == [[0.25, 0.75]]


def test_a_printout_behind_a_tab() -> None:
    assert parse_table("\t[[1., 2.],\n\t [3., 4.]]").values.tolist() == [[1, 2], [3, 4]]
    assert parse_table("\ttensor([[1.,\t2.],\n\t [3.,\t4.]])").values.tolist() == [[1, 2], [3, 4]]


@given(st.text(max_size=80) | st.text(alphabet='12.,;\t\n []"()-e…tensor', max_size=80))
def test_any_text_gives_a_table_or_one_sentence(text: str) -> None:
    try:
        table = parse_table(text)
    except TableError as error:
        assert str(error)
    else:
        assert isinstance(table, Table) and table.values.ndim == 2 and table.values.size


def test_texts_that_come_in_pieces() -> None:
    """Wherever they are cut, also within a letter."""
    text = "\t中文\té\n1\t2\t3\n"
    data = text.encode()
    for size in (1, 2, 5, 100):
        assert joined(data[first : first + size] for first in range(0, len(data), size)) == text
    with pytest.raises(TableError, match="The text has 33,000,000 characters; at most 32,000,000 are read"):
        joined(b"0" * 1_000_000 for _ in range(33))


def test_pieces_of_a_table_are_the_table() -> None:
    values = np.random.default_rng(0).normal(size=(5000, 2))
    pieces = list(table_pieces(values))
    assert len(pieces) > 2 and "".join(pieces) == format_table(values)
    assert all(piece.endswith("\n") for piece in pieces if piece)
