"""Files of arrays: what is read to the last bit, and what is refused before anything is allocated or run."""

import json
import os
import pickle
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save_file

from explorer.files import arrays, npy, pickles, tensors, zips
from explorer.files.arrays import View, axis_pairs, load
from explorer.files.tables import TableError

KINDS = ["<f8", ">f8", "<f4", "<f2", "<i8", "<i4", "i2", "i1", "<u4", "u1", "?"]
any_array = hnp.arrays(
    st.sampled_from([np.dtype(kind) for kind in KINDS]), hnp.array_shapes(min_dims=0, max_dims=4, max_side=4)
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arrays")


def same(read: np.ndarray, written: np.ndarray) -> None:
    """Bit for bit, NaN as well."""
    assert read.dtype == np.float64 and read.shape == written.shape and not read.flags.writeable
    assert read.tobytes() == written.astype(np.float64).tobytes()


def sentence(path: Path) -> str:
    """What is said of a file, or of its first array, that is refused, with next to no memory."""
    tracemalloc.start()
    with pytest.raises(TableError) as caught:
        file = load(path)
        for entry in file.entries:
            file.read(entry)
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    text = str(caught.value)
    assert text.startswith(f"{path.name}: ") and "\n" not in text and len(text) < 300
    return text.removeprefix(f"{path.name}: ")


# ---- there and back ----


@given(any_array, st.booleans())
def test_npy_there_and_back(folder: Path, array: np.ndarray, by_column: bool) -> None:
    np.save(folder / "a.npy", np.asarray(array, order="F" if by_column else "C"))
    file = load(folder / "a.npy")
    (entry,) = file.entries
    assert (entry.name, entry.shape) == ("", array.shape)
    same(file.read(entry), array)


@given(st.dictionaries(st.sampled_from(["x", "w_q", "a.b", "ü"]), any_array, min_size=1), st.booleans())
def test_npz_there_and_back(folder: Path, written: dict[str, np.ndarray], packed: bool) -> None:
    (np.savez_compressed if packed else np.savez)(folder / "a.npz", **written)
    file = load(folder / "a.npz")
    assert {entry.name: entry.shape for entry in file.entries} == {k: v.shape for k, v in written.items()}
    for entry in file.entries:
        same(file.read(entry), written[entry.name])


@given(st.dictionaries(st.text(min_size=1, max_size=5), any_array, min_size=1))
def test_safetensors_there_and_back(folder: Path, written: dict[str, np.ndarray]) -> None:
    written = {k: v.astype(v.dtype.newbyteorder("=")) for k, v in written.items() if k != "__metadata__"}
    (folder / "a.safetensors").write_bytes(b"")
    tensors.write(folder / "a.safetensors", written, {"note": "of ours"})
    if not written:
        return
    file = load(folder / "a.safetensors")
    assert {entry.name: entry.shape for entry in file.entries} == {k: v.shape for k, v in written.items()}
    for entry in file.entries:
        same(file.read(entry), written[entry.name])
    assert tensors.metadata(folder / "a.safetensors") == {"note": "of ours"}


@pytest.mark.parametrize("length", [0x80, 0x280, 0x4B50])
@pytest.mark.parametrize("name", ["a.safetensors", "a.bin"])
def test_a_header_length_that_reads_like_a_pickle_or_an_archive(
    tmp_path: Path, length: int, name: str
) -> None:
    head = b'{"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}}'.ljust(length)
    (tmp_path / name).write_bytes(struct.pack("<Q", length) + head + struct.pack("<d", 0.5))
    file = load(tmp_path / name)
    assert file.read(file.entries[0]).tolist() == [[0.5]]


@pytest.mark.parametrize("zipped", [True, False])
@pytest.mark.parametrize(
    "kind", ["float64", "float32", "bfloat16", "float16", "int64", "bool", "float8_e4m3fn", "uint8"]
)
def test_torch_files_there_and_back(tmp_path: Path, kind: str, zipped: bool) -> None:
    import torch

    tensor = torch.arange(24).reshape(2, 3, 4).to(getattr(torch, kind))
    if not zipped and kind.startswith("float8"):
        pytest.skip("newer than that form of file")
    content = {
        "w": tensor,
        "model": {"a.b": tensor.mT, "list": [tensor[0], torch.nn.Parameter(torch.ones(2))]},
        "epoch": 10**12 if zipped else 7,
        "name": "x",
    }
    torch.save(content, tmp_path / "a.pt", _use_new_zipfile_serialization=zipped)
    file = load(tmp_path / "a.pt")
    assert [entry.name for entry in file.entries] == ["w", "model.a.b", "model.list.0", "model.list.1"]
    same(file.read(file.entries[0]), tensor.double().numpy())
    same(file.read(file.entries[1]), tensor.mT.double().numpy())


def test_a_single_tensor_and_a_state_dict(tmp_path: Path) -> None:
    import torch

    torch.save(torch.eye(2), tmp_path / "one.pt")
    (entry,) = load(tmp_path / "one.pt").entries
    assert (entry.name, entry.shape, entry.kind) == ("", (2, 2), "float32")
    module = torch.nn.MultiheadAttention(4, 2)
    torch.save(module.state_dict(), tmp_path / "mha.pth")
    assert {e.name: e.shape for e in load(tmp_path / "mha.pth").entries} == {
        "in_proj_weight": (12, 4), "in_proj_bias": (12,), "out_proj.weight": (4, 4), "out_proj.bias": (4,),
    }  # fmt: skip


def test_what_is_no_number_is_listed_and_refused_when_asked_for(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", good=np.eye(2), words=np.array(["a"]), complex=np.zeros(1, complex))
    file = load(tmp_path / "a.npz")
    assert [entry.name for entry in file.entries] == ["good", "words", "complex"]
    same(file.read(file.entries[0]), np.eye(2))
    with pytest.raises(TableError, match=r'^a\.npz: its tensor "words" has the type <U1, which is not read$'):
        file.read(file.entries[1])


@pytest.mark.parametrize("first", [0x80, 0x50, 0x93, 0x7B])
def test_a_safetensors_file_may_begin_like_any_other(tmp_path: Path, first: int) -> None:
    """Its first byte is the lowest of the header's length."""
    head = b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}'
    head += b" " * ((first - len(head) - 1) % 256) + b"}"
    for name in ("a.safetensors", "a.bin", "a.pt"):
        (tmp_path / name).write_bytes(safetensors(head, struct.pack("<d", 1.5)))
        assert (tmp_path / name).read_bytes()[0] == first and arrays.is_arrays(tmp_path / name)
        file = load(tmp_path / name)
        assert file.read(file.entries[0]).tolist() == [1.5]


def test_the_form_counts_not_the_name(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.eye(2))
    (tmp_path / "a.npy").rename(tmp_path / "a.csv")
    assert arrays.is_arrays(tmp_path / "a.csv")
    same(load(tmp_path / "a.csv").read(load(tmp_path / "a.csv").entries[0]), np.eye(2))
    (tmp_path / "b.csv").write_text("1,2\n3,4")
    assert not arrays.is_arrays(tmp_path / "b.csv")


# ---- hostile ----


class Trap:
    """Unpickled, it would leave a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> Any:
        return os.mkdir, (self.path,)


def header(shape: str = "(2, 2)", descr: str = "'<f8'", order: str = "False", rest: str = "") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, {rest}}}".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (header(f"({2**60}, 4)"), "it claims 36,893,488,147,419,103,232 bytes of numbers and has 0"),
        (header(f"({2**64}, {2**64})"), "it claims"),
        (header("(2, 2)") + bytes(31), "it claims 32 bytes of numbers and has 31"),
        (header("(" + "1, " * 60 + ")") + bytes(8), "it has a header that cannot be read"),
        (header("(-1, 2)") + bytes(99), "it has a header that cannot be read"),
        (header("__import__('os').getcwd()"), "it has a header that cannot be read"),
        (header("(2, 2)", rest="'more': 1"), "it has a header that cannot be read"),
        (header("(2, 2)", order="0") + bytes(32), "it has a header that cannot be read"),
        (header("(2, 2)", descr="[('a', '<f8')]") + bytes(32), "it has a header that cannot be read"),
        (header("(2, 2)", descr="'|O'"), "it holds Python objects (a pickle), which are never loaded"),
        (header("(2, 2)", descr="'<c16'") + bytes(64), "it has the type <c16, which is not read"),
        (b"\x93NUMPY\x02\x00" + b"\xff\xff\xff\xff" + b"(" * 100, "it has a header of 4,294,967,295 bytes;"),
        (b"\x93NUMPY\x01\x00" + b"\x10\x27" + b"(" * 10_000, "it has a header that cannot be read"),
        (b"\x93NUMPY\x01\x00" + b"\x10\x27" + b"-" * 10_000, "it has a header that cannot be read"),
        (b"\x93NUMPY\x01\x00\x40\x00{", "it ends within its header"),
        (b"\x93NUMPY\x09\x00\x02\x00{}", "it is no npy file"),
        (b"\x93NUM", "it is no npy file"),
        (b"", "it is no npy file"),
    ],
)
def test_npy_headers(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    assert sentence(tmp_path / "a.npy").startswith(expected)


def test_a_pickle_in_npy_and_npz_is_not_run(tmp_path: Path) -> None:
    trap = np.array([Trap(tmp_path / "sprung")], dtype=object)
    np.save(tmp_path / "a.npy", trap, allow_pickle=True)
    np.savez(tmp_path / "a.npz", trap=trap)
    assert sentence(tmp_path / "a.npy") == "it holds Python objects (a pickle), which are never loaded"
    assert "(a pickle), which are never loaded" in sentence(tmp_path / "a.npz")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("name", ["a.pt", "a.pth", "a.npy", "a.npz"])
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_bare_pickle_is_not_run(tmp_path: Path, name: str, protocol: int) -> None:
    (tmp_path / name).write_bytes(pickle.dumps(Trap(tmp_path / "sprung"), protocol))
    sentence(tmp_path / name)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_in_pt_is_not_run(tmp_path: Path, zipped: bool) -> None:
    import torch

    torch.save(
        {"w": torch.eye(2), "trap": Trap(tmp_path / "sprung")},
        tmp_path / "a.pt",
        _use_new_zipfile_serialization=zipped,
    )
    module = os.mkdir.__module__
    assert sentence(tmp_path / "a.pt") == (
        f"it holds {module}.mkdir, and only tensors are read from such a file"
    )
    assert not (tmp_path / "sprung").exists()


def test_a_whole_module_is_not_unpickled(tmp_path: Path) -> None:
    import torch

    torch.save(torch.nn.Linear(2, 2), tmp_path / "a.pt")
    assert sentence(tmp_path / "a.pt").startswith("it holds torch.nn.modules.linear.Linear, and only tensors")


def repacked(source: Path, target: Path, change: Any, method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", method) as new:
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))


def test_a_storage_that_claims_more_than_it_has(tmp_path: Path) -> None:
    """Unmapped, torch 2.13 takes the claim's word and reads past the end."""
    import torch

    torch.save(torch.ones(4), tmp_path / "a.pt")
    claims = struct.pack("<i", 1 << 28)

    def change(name: str, content: bytes) -> bytes:
        return content.replace(b"K\x04", b"J" + claims) if name.endswith("data.pkl") else content

    repacked(tmp_path / "a.pt", tmp_path / "b.pt", change)
    assert sentence(tmp_path / "b.pt").startswith("torch cannot read it: ")


def test_a_legacy_storage_that_claims_more_than_it_has(tmp_path: Path) -> None:
    import torch

    torch.save(torch.ones(4), tmp_path / "a.pt", _use_new_zipfile_serialization=False)
    content = (tmp_path / "a.pt").read_bytes().replace(b"K\x04", b"\x8a\x08" + struct.pack("<q", 2**60))
    (tmp_path / "a.pt").write_bytes(content)
    assert sentence(tmp_path / "a.pt") == (
        "it claims 1,152,921,504,606,846,976 numbers, which it does not hold"
    )


def test_a_view_of_few_numbers_as_a_table_of_many(tmp_path: Path) -> None:
    import torch

    torch.save({"w": torch.ones(1).expand(1 << 20, 1 << 20)}, tmp_path / "a.pt")
    assert sentence(tmp_path / "a.pt") == (
        'its tensor "w" has 1,099,511,627,776 numbers; at most 20,000,000 are read'
    )


def test_a_packed_torch_file(tmp_path: Path) -> None:
    import torch

    torch.save(torch.ones(4), tmp_path / "a.pt")
    repacked(tmp_path / "a.pt", tmp_path / "b.pt", lambda _, content: content, zipfile.ZIP_DEFLATED)
    assert sentence(tmp_path / "b.pt") == "it is packed, which torch does not do"


def test_a_script_is_not_loaded(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.pt", "w") as archive:
        archive.writestr("a/data.pkl", b"\x80\x02.")
        archive.writestr("a/code/__torch__.py", "")
    assert sentence(tmp_path / "a.pt").startswith("it is a TorchScript program")


def test_an_npz_that_is_a_bomb(tmp_path: Path) -> None:
    """True to its claim, and far larger than anything that is read; and one that lies about its size."""
    zeros = header(f"({2**18}, {2**10})")
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("x.npy", "w", force_zip64=True) as member:
            member.write(zeros)
            for _ in range(16):
                member.write(bytes(2**24))
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert archive.getinfo("x.npy").file_size > 100 * (tmp_path / "a.npz").stat().st_size
    assert sentence(tmp_path / "a.npz").startswith('its tensor "x" claims 2,147,483,648 bytes of numbers')
    content = bytearray((tmp_path / "a.npz").read_bytes())
    at = content.rindex(b"PK\x01\x02")
    content[at + 24 : at + 28] = struct.pack("<I", 2**32 - 2)
    (tmp_path / "a.npz").write_bytes(content)
    assert sentence(tmp_path / "a.npz").startswith("its member 'x.npy' claims 4,294,967,294 bytes and holds")


def test_more_numbers_than_are_read(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "a.npz", x=np.zeros(npy.MAX_NUMBERS + 1, np.int8))
    assert sentence(tmp_path / "a.npz") == (
        'its tensor "x" has 20,000,001 numbers; at most 20,000,000 are read'
    )


def test_other_oddities_of_archives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, x=np.eye(2), y=np.eye(2))
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert sentence(path) == "it is no whole archive"
    path.write_bytes(whole.replace(np.eye(2).tobytes(), bytes(32), 1))
    assert sentence(path) == 'its tensor "x" is damaged'  # its checksum
    path.write_bytes(whole)
    monkeypatch.setattr(zips, "MAX_MEMBERS", 1)
    assert sentence(path) == "it has 2 members; at most 1 are read"
    monkeypatch.setattr(zips, "MAX_READ", 10)
    assert sentence(path) == "it claims a directory too large to be true"
    monkeypatch.undo()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "")
    assert sentence(path).startswith("it is a spreadsheet's own file")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x.npy", header() + bytes(32))
    assert sentence(path) == "its member 'x.npy' is packed in a way that is not read"
    with zipfile.ZipFile(path, "w"):
        pass
    assert sentence(path) == "it holds no tensors"


def safetensors(header: bytes, content: bytes = b"", length: int | None = None) -> bytes:
    return (len(header) if length is None else length).to_bytes(8, "little") + header + content


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "it is not a whole safetensors file"),
        (b"\0\0\0", "it is not a whole safetensors file"),
        (safetensors(b"{}", length=2**63), "it is not a whole safetensors file"),
        (safetensors(b" " * (5 << 20)), "its header claims 5,242,880 bytes; at most 4,194,304 are read"),
        (safetensors(b"[" * 1_000_000), "it is not a whole safetensors file"),
        (safetensors(b'{"a":' * 1000), "it is not a whole safetensors file"),
        (safetensors(b"[]"), "it is not a whole safetensors file"),
        (safetensors(b"\xff\xfe"), "it is not a whole safetensors file"),
        (safetensors(b"{}"), "it holds no tensors"),
        (safetensors(b'{"a": 1}'), 'its tensor "a" is not described as it must be'),
        (safetensors(b'{"a":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]}}', bytes(8)),
         'its tensor "a" is not described as it must be'),
        (safetensors(b'{"a":{"dtype":"F64","shape":[true],"data_offsets":[0,8]}}', bytes(8)),
         'its tensor "a" is not described as it must be'),
        (safetensors(b'{"a":{"dtype":"F64","shape":[1152921504606846976],"data_offsets":[0,8]}}', bytes(8)),
         'its tensor "a" claims more or fewer numbers than it holds'),
        (safetensors(b'{"a":{"dtype":"F64","shape":[1e3],"data_offsets":[0,8]}}', bytes(8)),
         'its tensor "a" is not described as it must be'),
        (safetensors(b'{"a":{"dtype":"F64","shape":[2],"data_offsets":[0,16]}}', bytes(8)),
         'its tensor "a" reaches past the end of the file'),
        (safetensors(b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},'
                     b'"b":{"dtype":"F64","shape":[1],"data_offsets":[4,12]}}', bytes(16)),
         "its tensors overlap"),
        (safetensors(b'{"a":{"dtype":"Q4","shape":[1],"data_offsets":[0,8]}}', bytes(8)),
         'its tensor "a" has the type Q4, which is not read'),
    ],
)  # fmt: skip
def test_safetensors_headers(tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "a.safetensors").write_bytes(content)
    assert sentence(tmp_path / "a.safetensors") == expected


def test_a_tensor_too_large_for_memory_in_a_file_full_of_holes(tmp_path: Path) -> None:
    size = 2**40
    head = b'{"a":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (size, size)
    with (tmp_path / "a.safetensors").open("wb") as file:
        file.write(safetensors(head))
        try:
            file.truncate(size + 8 + len(head))
        except OSError:
            pytest.skip("this disk has no files with holes")
    assert sentence(tmp_path / "a.safetensors").startswith('its tensor "a" has 1,099,511,627,776 numbers')


def test_agrees_with_the_library(tmp_path: Path) -> None:
    written = {"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.ones(2), "none": np.zeros((0, 2))}
    save_file(written, tmp_path / "a.safetensors", metadata={"format": "pt"})
    for name, values in written.items():
        read = tensors.read(tmp_path / "a.safetensors", name)
        assert read.dtype == values.dtype and np.array_equal(read, values)


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices of POSIX")
def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.npy")
    assert sentence(tmp_path / "a.npy") == "it cannot be read: it is no ordinary file"
    (tmp_path / "b.npz").mkdir()
    assert sentence(tmp_path / "b.npz") == "it cannot be read: it is a folder"
    assert sentence(tmp_path / "c.npz") == "it cannot be read: there is no such file or folder"
    (tmp_path / "d.npy").symlink_to("/dev/zero")
    assert sentence(tmp_path / "d.npy") == "it cannot be read: it is no ordinary file"


def test_only_a_short_list_of_names_passes() -> None:
    for name in ("torch FloatStorage", "torch float32", "torch uint16", "collections OrderedDict"):
        pickles.check(f"c{name.replace(' ', chr(10))}\n.".encode(), 1, 0)
    for name in ("builtins bytearray", "torch load", "torch.hub load", "torch._utils x", "torch.float x"):
        with pytest.raises(tensors.TensorError, match="only tensors"):
            pickles.check(f"c{name.replace(' ', chr(10))}\n.".encode(), 1, 0)


# ---- tables of them ----


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=4, max_side=4)), st.data())
def test_a_view_is_what_indexing_gives(array: np.ndarray, data: st.DataObject) -> None:
    rows, columns = data.draw(st.sampled_from(axis_pairs(array.ndim)))
    others = [axis for axis in range(array.ndim) if axis not in (rows, columns)]
    at = tuple(data.draw(st.integers(0, array.shape[axis] - 1)) for axis in others)
    table = View(rows, columns, at).of(array)
    moved = np.moveaxis(array, [*others, rows, columns], range(array.ndim))
    assert np.array_equal(table, moved[at], equal_nan=True)
    assert np.array_equal(View(rows, columns, at, transposed=True).of(array), table.T, equal_nan=True)


def test_fewer_than_two_axes_are_a_row() -> None:
    assert View().of(np.array(3.0)).tolist() == [[3]]
    assert View().of(np.arange(3.0)).tolist() == [[0, 1, 2]]
    assert View(transposed=True).of(np.arange(3.0)).tolist() == [[0], [1], [2]]
    assert axis_pairs(3) == [(1, 2), (0, 2), (0, 1)]
    assert View().of(np.arange(24.0).reshape(2, 3, 4)).tolist() == np.arange(12).reshape(3, 4).tolist()


def test_names_and_types_that_cannot_be_printed(tmp_path: Path) -> None:
    """A sentence stays one line, whatever a file calls its tensors."""
    path = tmp_path / "a.npy"
    np.save(path, np.eye(2))
    path.write_bytes(path.read_bytes().replace(b"'<f8'", b"'<\n8'"))
    with pytest.raises(TableError, match="^a.npy: it has the type <�8, which is not read$"):
        (file := load(path)).read(file.entries[0])
    table = {"a\nb\u202e": {"dtype": "F8\r", "shape": [1], "data_offsets": [0, 1]}}
    header = json.dumps(table).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + b"1")
    with pytest.raises(
        TableError, match='^a.safetensors: its tensor "a�b�" has the type F8�, which is not read$'
    ):
        (file := load(path)).read(file.entries[0])


def test_a_torch_file_whose_member_has_no_name(tmp_path: Path) -> None:
    """Where a member begins it is named once more, with bytes that are no text."""
    import torch

    path = tmp_path / "a.pt"
    torch.save({"x": torch.eye(2)}, path)
    content = bytearray(path.read_bytes())
    at = content.index(b"data.pkl")
    content[at] = 0x80
    content[6:8] = (0x800).to_bytes(2, "little")  # "the names are UTF-8"
    path.write_bytes(content)
    assert sentence(path) == "it is no whole torch file"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("<f8", "float64"), ("<f2", "float16"), ("|b1", "bool"), (">i4", "int32"), ("F32", "float32"),
        ("BF16", "bfloat16"), ("BOOL", "bool"), ("float32", "float32"), ("bfloat16", "bfloat16"),
        ("F8_E4M3", "F8_E4M3"), ("<U5", "<U5"), ("|O", "|O"), ("", ""),
    ],
)  # fmt: skip
def test_the_kind_of_numbers_has_the_name_that_people_know(kind: str, name: str) -> None:
    assert tensors.Entry("w", (2, 2), kind).kind_name == name
