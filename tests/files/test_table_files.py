"""Tables out of files of text and out of HTML."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.files.html_tables import parse_html
from explorer.files.table_files import from_offer, load
from explorer.files.tables import Table, TableError, format_table
from tests.files.test_tables import SQUARE, words

SPREADSHEET = """<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>
<!--table {mso-displayed-decimal-separator:"\\."; }--></style></head><body><table border=0>
<!--StartFragment--> <col width=64><tr height=20><td height=20 class=xl65>token</td><td>a</td><td>b</td></tr>
 <tr><td>The</td><td x:num="0.33333333333333331">0.33</td><td align=right>2</td></tr>
 <tr><td>c&amp;t</td><td>&minus;1,5</td><td>4</td></tr><!--EndFragment--></table></body></html>"""


def table(html: str) -> list[list[float]]:
    return parse_html(html).values.tolist()


def test_a_spreadsheets_table() -> None:
    found = parse_html(SPREADSHEET)
    assert found.values.tolist() == [[1 / 3, 2], [-1.5, 4]]
    assert (found.row_labels, found.column_labels) == (("The", "c&t"), ("a", "b"))


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
        "<TABLE><TR><TD>1<TD>2<TR><TD>3<TD>4",  # nothing closed, as HTML allows
        "<table><td>1<td>2<tr><td>3<td>4</table>",
        "<p>before 9</p><table><tbody><tr><th>1</th><td><b>2</b></td></tr>\n<tr><td> 3\n</td><td>4<br></td>",
        "<table><tr><td>1&nbsp;</td><td>&#50;</td></tr><tr><td></td></tr><tr><td>3</td><td>4</td></tr></table>",
        "<table><tr><td>7</td></tr></table><table><tr><td>1<td>2<tr><td>3<td>4</table>",
        "<table><tr><td><table><tr><td>1<td>2<tr><td>3<td>4</table></td></tr></table>",
        '<table><tr><td sdval="1" sdnum="1033;">1,00 €<td>2<tr><td sdval="3">drei<td>4</table>',
        '<table><tr><td data-sheets-value="{&quot;1&quot;:3,&quot;3&quot;:1}">01<td>2<tr><td>3<td>4</table>',
        "<table><!-- <tr><td>9 --><tr><td>1<td>2<tr><td>3<td>4<!-- never ended",
    ],
)
def test_tables_of_every_kind(html: str) -> None:
    assert table(html) == SQUARE


def test_a_cell_over_several_columns() -> None:
    found = parse_html("<table><tr><td><td colspan=2>x<tr><td>A<td>1<td>2</table>")
    assert (
        found.row_labels == ("A",) and found.column_labels == ("x", "") and found.values.tolist() == [[1, 2]]
    )


@pytest.mark.parametrize(
    ("html", "sentence"),
    [
        ("", "There is no table in this text: it is empty"),
        ("<p>1 2 3</p>", "There is no table in this text: it is empty"),
        ("<td>1</td>", "There is no table in this text: it is empty"),
        ("<table><tr><td>1<td>x</table>", "Row 1, column 2 holds 'x': 'x' at character 1 is not a number"),
        ("<table><tr><td>1<tr><td>1<td>2</table>", "Row 1, column 2 is empty"),
    ],
)
def test_refuses_with_a_sentence(html: str, sentence: str) -> None:
    with pytest.raises(TableError) as caught:
        parse_html(html)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "html",
    ["<a" * 500_000, "<!--" * 500_000, "<table>" * 500_000, "<table><td colspan=4096>" * 100_000,
     "<td x:num=" * 300_000, "<table><td>&#" + "9" * 100_000, "&" * 1_000_000, "<td a='" * 300_000],
    ids=lambda html: html[:12],
)  # fmt: skip
def test_hostile_html_is_gone_through_once(html: str) -> None:
    """What reads it again for every tag, as html.parser does, takes hours."""
    with pytest.raises(TableError):
        parse_html(html)


tags = st.sampled_from(
    [
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "<td colspan=3>",
        "</td>",
        "<!--",
        "-->",
        "1",
        ",5",
        "a",
        "&lt;",
        "<",
    ]
)


@given(st.lists(tags, max_size=30).map("".join) | st.text(max_size=60))
def test_any_html_gives_a_table_or_one_sentence(html: str) -> None:
    try:
        assert isinstance(parse_html(html), Table)
    except TableError as error:
        assert str(error) and "\n" not in str(error)


# ---- the clipboard's two forms ----


def test_the_plain_text_is_preferred_where_it_is_a_table() -> None:
    html = "<table><tr><td>9</table>"
    assert from_offer("1\t2", html).values.tolist() == [[1, 2]]
    assert from_offer("Nine, they say", html).values.tolist() == [[9]]
    for other in ("", "<p>nothing</p>"):
        with pytest.raises(TableError, match="'they say'"):
            from_offer("Nine, they say", other)


# ---- files ----


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b"1,2\n3,4\n"),
        ("a.csv", b"\xef\xbb\xbf1;2\r\n3;4\r\n"),
        ("a.tsv", b"1\t2\n3\t4"),
        ("a.txt", "1\t2\r\n3\t4".encode("utf-16")),
        ("a.txt", b"tensor([[1., 2.],\n        [3., 4.]])"),
        ("a.html", b"<html><table><tr><td>1<td>2<tr><td>3<td>4</table>"),
        ("a", b" 1 2\n 3 4\n"),
    ],
)
def test_files(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert load(tmp_path / name).values.tolist() == SQUARE


def test_an_older_spreadsheets_letters(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Größe;1,5;2\n".encode("latin-1"))
    found = load(tmp_path / "a.csv")
    assert found.row_labels == ("Größe",) and found.values.tolist() == [[1.5, 2]]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "There is no table in this text: it is empty"),
        (b"1,2\n3", "Row 2 has 1 numbers where row 1 has 2"),
        (b"\x00\x01\x02", "It is no text"),
        (b"PNG\xff\x00", "It is no text"),
    ],
)
def test_files_without_a_table(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(TableError) as caught:
        load(tmp_path / "a.csv")
    assert str(caught.value) == f"a.csv: {sentence}"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "none.csv", "there is no such file or folder"),
        (tmp_path, "it is a folder"),
        (tmp_path / "a\0b", "there is no such file or folder"),
    ):
        with pytest.raises(TableError, match=f"it cannot be read: {reason}$"):
            load(path)


def test_a_file_of_gigabytes(tmp_path: Path) -> None:
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(2**33)
    with pytest.raises(TableError, match=r"^a\.csv: it is larger than 64 MB"):
        load(tmp_path / "a.csv")


@given(
    hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=5)),
    st.sampled_from([("\t", "."), (",", "."), (";", ","), (";", ".")]),
    st.booleans(),
    st.data(),
)
def test_csv_there_and_back(
    tmp_path_factory: pytest.TempPathFactory,
    values: np.ndarray,
    style: tuple[str, str],
    bom: bool,
    data: st.DataObject,
) -> None:
    """Every float64 to the last bit, in each dialect, with labels quoted as tokens."""
    delimiter, point = style
    labels = data.draw(st.tuples(*[words] * len(values)))
    quoted = ['"' + label.replace('"', '""') + '"' for label in labels]
    lines = (line.replace(".", point).split("\t") for line in format_table(values).splitlines())
    rows = [delimiter.join((label, *cells)) for label, cells in zip(quoted, lines, strict=True)]
    head = delimiter.join(["", *(f'"c{i}"' for i in range(values.shape[1]))])
    path = tmp_path_factory.getbasetemp() / "a.csv"
    path.write_text("\n".join([head, *rows]), encoding="utf-8-sig" if bom else "utf-8")
    found = load(path)
    assert found.row_labels == labels
    np.testing.assert_array_equal(found.values, values)
    numbers = ~np.isnan(values)
    assert np.array_equal(np.signbit(found.values)[numbers], np.signbit(values)[numbers])
