"""Numbers on disk and back: every form keeps every bit."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load_file

from explorer import resources
from explorer.attention import attend
from explorer.attention.masks import Causal
from explorer.attention.trace import STAGES, Trace
from explorer.files import traces
from explorer.files.session import load
from explorer.files.tables import parse_table
from tests.attention.large_scenes import scene_of
from tests.attention.random_scenes import scenes

CAT = attend(load(resources.path("scenes", "cat-sat-down.attn.json")))
# What a short way of writing numbers would lose.
ODD = [
    0.1,
    1 / 3,
    -0.0,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    np.inf,
    -np.inf,
    np.nan,
    1e23,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("traces")


def odd(trace: Trace, seed: int) -> Trace:
    """The same trace, its scores replaced by numbers that are hard to keep."""
    random = np.random.default_rng(seed)
    shape = trace.scores.shape
    values = random.choice([*ODD, *random.normal(size=8)], size=shape)
    with np.errstate(over="ignore"):
        return replace(trace, scores=values.astype(trace.scores.dtype))


def same(read: NDArray[np.floating], written: NDArray[np.floating]) -> bool:
    """Bit for bit, but for what kind of NaN it is."""
    if (read.shape, read.dtype) != (written.shape, written.dtype):
        return False
    numbers = ~np.isnan(written)
    return (
        bool(np.array_equal(np.isnan(read), ~numbers))
        and read[numbers].tobytes() == written[numbers].tobytes()
    )


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


@given(scene=scenes(), seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_every_form_gives_back_every_bit(folder: Path, scene: object, seed: int) -> None:
    trace = odd(attend(scene), seed)
    for suffix in (".npz", ".safetensors", ".json"):
        traces.save(trace, folder / f"all{suffix}")
    traces.save_folder(trace, folder / "csv")
    with np.load(folder / "all.npz", allow_pickle=False) as file:
        npz = dict(file)
    tensors = load_file(folder / "all.safetensors")
    plain = json.loads((folder / "all.json").read_text(encoding="utf-8"))
    for stage in STAGES:
        wanted = trace.stage(stage.name)
        assert same(npz[stage.name], wanted)
        assert same(tensors[stage.name], wanted)
        assert same(np.array(plain[stage.name], dtype=float).astype(wanted.dtype), wanted)
        _header, rows = read_csv(folder / "csv" / f"{stage.name}.csv")
        first = 1 + (wanted.ndim == 3)
        numbers = np.array([[float(cell) for cell in row[first:]] for row in rows])
        assert same(numbers.reshape(wanted.shape).astype(wanted.dtype), wanted)
    assert set(npz) == set(tensors) == set(plain) == {stage.name for stage in STAGES}


def test_csv_bears_heads_tokens_and_labels(tmp_path: Path) -> None:
    traces.save_folder(CAT, tmp_path / "new")
    assert sorted(path.stem for path in (tmp_path / "new").iterdir()) == sorted(s.name for s in STAGES)
    header, rows = read_csv(tmp_path / "new" / "weights.csv")
    assert header == ["head", "", "The", "cat", "sat", "down"]
    assert [row[:2] for row in rows] == [[h, token] for h in "12" for token in header[2:]]
    header, rows = read_csv(tmp_path / "new" / "concat.csv")
    assert header == ["", "1,1", "1,2", "2,1", "2,2"]
    assert [row[0] for row in rows] == ["The", "cat", "sat", "down"]


def test_what_has_no_heads_can_be_pasted_back(tmp_path: Path) -> None:
    traces.save(CAT, tmp_path / "output.csv", ("output",))
    table = parse_table((tmp_path / "output.csv").read_text(encoding="utf-8"))
    assert table.row_labels == ("The", "cat", "sat", "down")
    assert table.values.tobytes() == CAT.output.tobytes()


def test_spreadsheets_are_told_that_it_is_utf_8(tmp_path: Path) -> None:
    scene = CAT.scene.replace(tokens=("猫", 'say "hi", twice', "two\nlines", "=1+1"))
    trace = attend(scene)
    traces.save(trace, tmp_path / "x.csv", ("x",))
    assert (tmp_path / "x.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    _header, rows = read_csv(tmp_path / "x.csv")
    assert [row[0] for row in rows] == list(scene.tokens)
    traces.save(CAT, tmp_path / "x.csv", ("x",))
    assert (tmp_path / "x.csv").read_bytes().isascii()


@pytest.mark.parametrize("suffix", traces.SUFFIXES)
def test_a_failure_leaves_the_old_file(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"old")
    monkeypatch.setattr("explorer.files.atomic._to_disk", fail)
    with pytest.raises(OSError, match="space"):
        traces.save(CAT, path, ("weights",))
    assert [p.name for p in tmp_path.iterdir()] == [path.name] and path.read_bytes() == b"old"


def test_what_is_not_held_is_written_block_by_block(folder: Path) -> None:
    """With 1500 tokens a stage is three blocks of rows."""
    scene = scene_of(1500, heads=2, width=2, mask=(Causal(),))
    streamed = attend(scene, hold=0)
    assert streamed.large is not None
    traces.save(streamed, folder / "streamed.npz")
    traces.save(attend(scene), folder / "held.npz")
    with np.load(folder / "streamed.npz") as ours, np.load(folder / "held.npz") as plain:
        assert ours.files == plain.files == list(traces.NAMES)
        for name in ours.files:
            np.testing.assert_allclose(ours[name], plain[name], rtol=1e-9, atol=1e-12)
