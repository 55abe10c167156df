"""Session files: what is read, what is refused and how it is said, what is written."""

import json
import os
import struct
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer import resources
from explorer.attention import attend
from explorer.attention.masks import Custom
from explorer.attention.positions import Learned
from explorer.files import session
from explorer.files.session import SessionError, check_apart, dump, load, parse, save, sources, stem
from explorer.scene import MATRICES, NORMS, Scene
from tests.attention.random_scenes import scenes

DATA = Path(__file__).parent.parent / "data"
SAMPLES = sorted((DATA / "sessions").glob("*.attn.json"))
EXAMPLES = sorted(resources.path("scenes").glob("*.attn.json"))

ONE: dict[str, Any] = {"format": "attention-explorer/1", "x": [[1]], "w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}


def sentence(source: Any, folder: Path | None = None) -> str:
    """What is said of a session that cannot be read, after its name."""
    with pytest.raises(SessionError) as caught:
        parse(source, "two.attn.json", folder)
    text = str(caught.value)
    assert text.startswith("two.attn.json: ") and text.endswith(".") and "\n" not in text
    return text.removeprefix("two.attn.json: ")


def same(one: Scene, other: Scene) -> None:
    """Equal to the last bit."""
    for name in (*MATRICES, "bias"):
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None)
        if a is not None:
            assert a.shape == b.shape and a.astype(float).tobytes() == b.astype(float).tobytes(), name
    for name in set(Scene.__dataclass_fields__) - {*MATRICES, *NORMS, "bias", "mask", "position"}:
        assert getattr(one, name) == getattr(other, name), name
    for name in NORMS:
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None)
        assert a is None or (a.weight.tolist(), a.eps, a.extra) == (b.weight.tolist(), b.eps, b.extra)
    for a, b in zip((*one.mask, one.position), (*other.mask, other.position), strict=True):
        assert told_as_floats(a.to_json()) == told_as_floats(b.to_json())


def told_as_floats(entry: dict[str, Any]) -> str:
    """5 and 5.0 are the same number to JSON."""
    return repr(json.loads(json.dumps(entry), parse_int=float))


# ---- there and back ----


@given(scenes())
def test_random_scenes_there_and_back(scene: Scene) -> None:
    text = dump(scene)
    again = parse(text)
    same(scene, again)
    assert dump(again) == text
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@given(st.lists(st.floats(), min_size=1))
def test_every_float64_there_and_back(numbers: list[float]) -> None:
    scene = parse({**ONE, "x": [[number] for number in numbers]})
    again = parse(dump(scene)).x[:, 0]
    assert [struct.pack("d", v) for v in again if v == v] == [struct.pack("d", v) for v in numbers if v == v]
    assert np.isnan(again).tolist() == np.isnan(numbers).tolist()


@given(st.text(), st.lists(st.text(), min_size=1, max_size=1))
def test_every_text_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, text: str, tokens: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "text.attn.json"
    scene = parse({**ONE, "title": text, "tokens": tokens})
    save(scene, path)
    again = load(path)
    assert (again.title, again.tokens) == (text, tuple(tokens))


def test_half_a_surrogate_pair_there_and_back(tmp_path: Path) -> None:
    scene = parse(json.dumps({**ONE, "title": "\ud800 and \U0001f600"}))
    save(scene, tmp_path / "a.json")
    assert load(tmp_path / "a.json").title == scene.title == "\ud800 and \U0001f600"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_old_sessions_open_forever(path: Path) -> None:
    scene = load(path)
    tolerance = 1e-9 if scene.dtype == "float64" else 1e-5
    np.testing.assert_allclose(
        attend(scene).output, scene.extra["expected_output"], rtol=tolerance, atol=tolerance
    )
    same(parse(dump(scene)), scene)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_written_as_we_write(path: Path) -> None:
    scene = load(path)
    assert scene.title and scene.notes and not scene.extra
    assert dump(scene) == path.read_text(encoding="utf-8")


def test_there_are_examples_and_samples() -> None:
    assert len(EXAMPLES) >= 6 and len(SAMPLES) >= 4
    assert "two-tokens.attn" in {path.stem for path in EXAMPLES}


def test_the_layout() -> None:
    scene = parse(
        {
            "mine": {"a": [1.50, None]}, **ONE, "x": [[1, -0.0], [0.1, "-inf"]], "tokens": ["ü", "b"],
            "w_q": [[1], [2]], "w_k": [[1], [2]], "w_v": [[1], [2]], "b_q": [1e300], "softcap": 30.0,
            "mask": [{"kind": "causal"}, {"kind": "custom", "allowed": [[True, False], [True, True]], "why": "so"}],
        }
    )  # fmt: skip
    assert (
        dump(scene)
        == """\
{
  "format": "attention-explorer/1",
  "tokens": ["ü", "b"],
  "x": [
    [1, -0.0],
    [0.1, "-inf"]
  ],
  "w_q": [
    [1],
    [2]
  ],
  "w_k": [
    [1],
    [2]
  ],
  "w_v": [
    [1],
    [2]
  ],
  "b_q": [1e+300],
  "softcap": 30,
  "mask": [
    {"kind": "causal", "align": "top_left"},
    {"kind": "custom", "allowed": [
      [true, false],
      [true, true]
    ], "why": "so"}
  ],
  "mine": {"a": [1.5, null]}
}
"""
    )


def test_unknown_keys_are_kept_everywhere() -> None:
    entry = {
        **ONE,
        "zoom": 2,
        "mask": [{"kind": "causal", "align": "top_left", "note": [1, {"a": None}]}],
        "position": {"kind": "none", "later": True},
        "author": "A",
        "huge": 5,
    }
    text = json.dumps(entry).replace('"huge": 5', '"huge": [1e999, -1' + "0" * 500 + "]")
    written = dump(parse(text))
    assert list(json.loads(written))[-3:] == ["zoom", "author", "huge"]
    assert json.loads(written)["mask"] == entry["mask"]
    assert json.loads(written)["position"] == entry["position"]
    assert '"huge": [1e999, -1' + "0" * 500 + "]" in written


def test_null_is_the_default() -> None:
    keys = [*session.READERS]
    same(parse({**dict.fromkeys(keys), **ONE}), parse(ONE))


@pytest.mark.parametrize("spelling", ["NaN", '"nan"', '"NaN"'])
def test_nan(spelling: str) -> None:
    scene = parse(json.dumps(ONE).replace('"x": [[1]]', f'"x": [[{spelling}]]'))
    assert np.isnan(scene.x[0, 0])
    assert '["nan"]' in dump(scene)


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("Infinity", np.inf),
        ("-Infinity", -np.inf),
        ('"inf"', np.inf),
        ('"-inf"', -np.inf),
        ('"+Inf"', np.inf),
    ],
)
def test_infinity(spelling: str, value: float) -> None:
    assert parse(json.dumps(ONE).replace('"x": [[1]]', f'"x": [[{spelling}]]')).x[0, 0] == value


def test_mask_fill() -> None:
    for value in ("-inf", -np.inf, None):
        assert parse({**ONE, "mask_fill": value}).mask_fill == -np.inf
    scene = parse({**ONE, "mask_fill": -1e9})
    assert scene.mask_fill == -1e9 and '"mask_fill": -1000000000' in dump(scene)


# ---- what is refused ----


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": None}, 'format is missing; a session has "attention-explorer/1" there.'),
        ({"format": 1}, 'format is 1 but must be "attention-explorer/1".'),
        ({"format": "attention-explorer/0"}, "format is 'attention-explorer/0' but must be \"attention-explorer/1\"."),
        (
            {"format": "attention-explorer/2"},
            'it was saved by a newer version: format is attention-explorer/2, and this one reads attention-explorer/1.',
        ),
        ({"x": None}, "x is missing."),
        ({"w_v": None}, "w_v is missing."),
        ({"x": 5}, "x is 5 but must be a table: a list of rows."),
        ({"x": "abc"}, "x is 'abc' but must be a table: a list of rows."),
        ({"x": []}, "x has no rows but must be a table: a list of rows."),
        ({"x": [1]}, "x row 1 is 1 but must be a list."),
        ({"x": [[]]}, "x row 1 is empty."),
        ({"x": [[1], [1, 2]]}, "x row 2 has length 2 but row 1 has length 1."),
        ({"x": [[1], ["abc"]]}, "x[2,1] is 'abc' but must be a number."),
        ({"x": [[None]]}, "x[1,1] is null but must be a number."),
        ({"x": [[True]]}, "x[1,1] is true but must be a number."),
        ({"x": [["1"]]}, "x[1,1] is '1' but must be a number."),
        ({"x": [[[1]]]}, "x[1,1] is a list but must be a number."),
        ({"x": [[10**310]]}, f"x[1,1] is 1{'0' * 36}…0, which is more than float64 holds."),
        ({"b_q": 1}, "b_q is 1 but must be a list of numbers."),
        ({"b_q": []}, "b_q has no numbers but must be a list of numbers."),
        ({"b_q": ["x"]}, "b_q[1] is 'x' but must be a number."),
        ({"b_q": [1, 2]}, "b_q has length 2 but must have length 1."),
        ({"w_k": [[1, 2]]}, "w_k is 1 × 2 but must have G·d_k = 1·1 = 1 columns."),
        ({"title": 5}, "title is 5 but must be text."),
        ({"tokens": "a"}, "tokens is 'a' but must be a list of labels."),
        ({"tokens": [1]}, "tokens[1] is 1 but must be text."),
        ({"tokens": ["a", "b"]}, "tokens has length 2 but must have length 1, one label per row."),
        ({"context_tokens": ["a"]}, "context_tokens is set, but there is no context."),
        ({"heads": [2]}, "heads is a list but must be a whole number from 1."),
        ({"heads": 2}, "w_q is 1 × 1: its columns must be divisible by heads = 2."),
        ({"scale": {"a": 1}}, 'scale is an object but must be "sqrt_dk", "none" or a finite number.'),
        ({"mask_fill": "inf"}, "mask_fill is 'inf' but must be \"-inf\" or a finite number."),
        ({"mask": {"kind": "causal"}}, "mask is an object but must be a list of masks."),
        ({"mask": [{}]},
         "mask entry 1 has the kind null but must have one of the kinds causal, padding, window, custom."),
        ({"mask": [5]}, "mask entry 1 is 5 but must have one of the kinds causal, padding, window, custom."),
        (
            {"mask": [{"kind": "causal"}, {"kind": ["causal"]}]},
            "mask entry 2 has the kind a list but must have one of the kinds causal, padding, window, custom.",
        ),
        ({"mask": [{"kind": "custom", "allowed": [[1]]}]},
         "mask entry 1 (custom): allowed[1,1] is 1 but must be true or false."),
        ({"mask": [{"kind": "custom", "allowed": [[True, True]]}]},
         "mask entry 1 (custom): allowed is 1 × 2 but must be n × m = 1 × 1."),
        ({"mask": [{"kind": "padding"}]},
         "mask entry 1 (padding): keys has length 0 but must have length 1, one flag per key."),
        ({"position": "rotary"},
         "position is 'rotary' but must have one of the kinds none, sinusoidal, learned, rotary, alibi, relative."),
        ({"position": {"kind": "learned"}}, "position (learned): table must be a table: rows of equally many numbers."),
        ({"position": {"kind": "learned", "table": [["a"]]}},
         "position (learned): table[1,1] is 'a' but must be a number."),
        ({"dtype": "float8"}, "dtype is 'float8' but must be one of float64, float32, bfloat16, float16."),
    ],
)  # fmt: skip
def test_sentences(changes: dict[str, Any], expected: str) -> None:
    assert sentence({**ONE, **changes}) == expected
    assert sentence(json.dumps({**ONE, **changes})) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "it is empty."),
        (" \n", "it is empty."),
        ("{", "it is not JSON: line 1, column 2, expecting property name enclosed in double quotes."),
        ('{"format": "attention-explorer/1",\n "x": [[1, 2',
         "it is not JSON: line 2, column 13, expecting ',' delimiter."),
        ("[]", "it holds a list but must hold an object with the keys of a session."),
        ("null", "it holds null but must hold an object with the keys of a session."),
        ('{"x": 1, "y": 2, "x": 3}', 'the key "x" appears more than once.'),
        ('{"mask": [{"kind": 1, "kind": 2}]}', 'the key "kind" appears more than once.'),
        ("[" * 500_000, "it is nested deeper than 100 levels."),
        ("[" + "1," * 3_000_001 + "1]", "it holds more than 3,000,000 values or 500,000 lists."),
        ("[" * 500_001, "it holds more than 3,000,000 values or 500,000 lists."),
        (json.dumps(ONE).replace("}", ', "a": ' + "[" * 200 + "]" * 200 + "}"), "it is nested deeper than 100 levels."),
        (json.dumps(ONE).replace('"x": [[1]]', '"x": [[1e400]]'), "x[1,1] is 1e400, which is more than float64 holds."),
        (json.dumps(ONE).replace("}", ', "heads": 1e400}'), "heads is 1e400 but must be a whole number from 1."),
        (json.dumps(ONE).replace("}", ', "heads": ' + "9" * 5000 + "}"),
         f"heads is {'9' * 37}…9 but must be a whole number from 1."),
        (json.dumps(ONE).replace("}", ', "softcap": NaN}'), "softcap is nan but must be a number above 0, or null."),
    ],
)  # fmt: skip
def test_sentences_about_the_text(text: str, expected: str) -> None:
    assert sentence(text) == expected


def test_a_newer_session_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "new.attn.json"
    content = json.dumps({**ONE, "format": "attention-explorer/2", "novelty": [1]}).encode()
    path.write_bytes(content)
    with pytest.raises(SessionError, match=r"^new\.attn\.json: it was saved by a newer version: format is"):
        load(path)
    assert path.read_bytes() == content and files(tmp_path) == ["new.attn.json"]


def test_save_tells_what_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.attn.json"
    assert session.fingerprint(path) is None and session.fingerprint("a\0b") is None
    stamp = save(parse(ONE), path)
    assert stamp == session.fingerprint(path)
    assert save(parse(ONE), path) == stamp
    assert save(parse({**ONE, "title": "other"}), path) == session.fingerprint(path) != stamp


def test_the_fingerprint_knows_the_tables_beside(tmp_path: Path) -> None:
    path = tmp_path / 'a "b".attn.json'
    weights = np.eye(1000, 2)
    scene = Scene(x=np.ones((1001, 1000)), w_q=weights, w_k=weights, w_v=weights)
    stamp = save(scene, path)
    assert session.fingerprint(path) == stamp
    (beside,) = session.files_beside(path)
    assert beside == path.with_name('a "b".safetensors')
    beside.write_bytes(beside.read_bytes() + b"\0")
    assert session.fingerprint(path) != stamp
    beside.unlink()
    assert session.fingerprint(path) != stamp


def test_the_error_names_its_key() -> None:
    with pytest.raises(SessionError) as caught:
        parse({**ONE, "w_k": [[1, "abc"]]}, "two.attn.json")
    assert (str(caught.value), caught.value.key) == (
        "two.attn.json: w_k[1,2] is 'abc' but must be a number.",
        "w_k",
    )


def refused(path: Path) -> str:
    with pytest.raises(SessionError) as caught:
        load(path)
    return str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(tmp_path / "a.json") == "a.json: it cannot be read: there is no such file or folder."
    assert refused(tmp_path) == f"{tmp_path.name}: it cannot be read: it is a folder."
    assert "cannot be read" in refused(Path("a\0b"))
    file = tmp_path / "b.json"
    file.write_bytes('{"title": "ü"}'.encode("latin-1"))
    assert refused(file) == "b.json: it is not UTF-8 text: byte 12 is 0xfc."
    file.write_bytes(json.dumps(ONE).encode("utf-16"))
    assert refused(file) == "b.json: it is not UTF-8 text: byte 1 is 0xff."
    monkeypatch.setattr(session, "MAX_BYTES", 2**20)
    file.write_bytes(b" " * (2**20 + 1))
    assert refused(file) == "b.json: it is larger than 1 MB, which is no session."


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(ONE).encode())
    same(load(file), parse(ONE))


@given(st.data())
def test_damaged_sessions_give_a_scene_or_a_sentence(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([path.read_text(encoding="utf-8") for path in SAMPLES]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 4) | st.just(len(text)))
        bits = [
            "",
            "[",
            "]",
            "{",
            "}",
            ",",
            '"',
            "-",
            "1e9",
            "null",
            "true",
            "NaN",
            "\\u",
            "\x00",
            "0",
            '"kind"',
        ]
        text = text[:at] + data.draw(st.sampled_from(bits)) + text[at + length :]
    try:
        scene = parse(text, "damaged.json", DATA / "sessions")
    except SessionError as error:
        assert str(error).startswith("damaged.json: ") and "\n" not in str(error) and len(str(error)) < 400
    else:
        same(parse(dump(scene)), scene)


Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=6,
)


@given(
    st.sampled_from([*session.READERS, "format", "kind", "allowed", "keys", "table", "base", "dims", "left"]),
    Json,
)
def test_any_value_of_any_key_gives_a_scene_or_a_sentence(key: str, value: Any) -> None:
    entry = {**ONE, "mask": [{"kind": "custom", "allowed": [[True]]}], "position": {"kind": "alibi"}}
    if key in ("allowed", "keys", "left"):
        entry["mask"] = [{"kind": kind, key: value} for kind in ("causal", "padding", "window", "custom")]
    elif key in ("table", "base", "dims", "kind"):
        entry["position"] = {
            "kind": {"table": "learned", "base": "sinusoidal"}.get(key, "rotary"),
            key: value,
        }
    else:
        entry[key] = value
    try:
        scene = parse(entry)
    except SessionError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
    else:
        same(parse(dump(scene)), scene)
        attend(scene)


# ---- tables beside the session ----


def beside(file: Any, key: Any = "x") -> dict[str, Any]:
    return {**ONE, "x": {"file": file, "key": key}}


@pytest.mark.parametrize(
    ("file", "key", "expected"),
    [
        ("../sessions/weights/layer.safetensors", "x", "which is not in the session's folder."),
        (str(DATA / "sessions" / "weights" / "layer.safetensors"), "x", "which is not in the session's folder."),
        ("weights\\layer.safetensors", "x", "which is not in the session's folder."),
        ("C:layer.safetensors", "x", "which is not in the session's folder."),
        (".", "x", "which is not in the session's folder."),
        ("none.safetensors", "x", "which cannot be read: there is no such file or folder."),
        ("weights", "x", "which cannot be read: it is a folder."),
        ("v1-smallest.attn.json", "x", "it is not a whole safetensors file."),
        ("weights/layer.safetensors", "y",
         'it has no tensor "y"; it has "allowed", "bias", "layer.k", "layer.o", "layer.q" ….'),
        ("weights/layer.safetensors", "bias", "has shape (4,) but must have 2 dimensions."),
        ("weights/layer.safetensors", "allowed", "must be numbers."),
        ("weights/layer.safetensors", 5, 'x is an object but must be a list, or {"file": …, "key": …}.'),
        (None, "x", 'x is an object but must be a list, or {"file": …, "key": …}.'),
    ],
)  # fmt: skip
def test_sentences_about_the_file_beside(file: Any, key: Any, expected: str) -> None:
    text = sentence(beside(file, key), DATA / "sessions")
    assert text.startswith("x ") and text.endswith(expected)


def test_a_text_has_no_files_beside_it() -> None:
    assert (
        sentence(beside("a.safetensors")) == "x lies in 'a.safetensors', and a text has no files beside it."
    )


def test_bfloat16_is_read_without_torch() -> None:
    scene = load(DATA / "sessions" / "v1-beside.attn.json")
    import torch
    from safetensors.torch import load_file

    stored = load_file(DATA / "sessions" / "weights" / "layer.safetensors")
    assert stored["layer.q"].dtype == torch.bfloat16
    assert scene.w_q.tolist() == stored["layer.q"].tolist()
    assert scene.w_k.tolist() == stored["layer.k"].tolist()
    assert scene.w_v.dtype == np.float32


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything of more than 3 numbers goes beside, once there are more than 12."""
    monkeypatch.setattr(session, "MAX_NUMBERS", 12)
    monkeypatch.setattr(session, "SMALL", 3)


def large() -> Scene:
    eye = np.eye(3)
    return Scene(
        x=np.array([[0.1, np.nan, -0.0], [1e-320, -np.inf, 3]]), w_q=eye, w_k=eye, w_v=eye, b_o=[1, 2, 3],
        mask=(Custom(table=np.array([[True, False], [False, True]])),),
        position=Learned(table=np.arange(6.0).reshape(2, 3)),
    )  # fmt: skip


@pytest.mark.usefixtures("small_limits")
class TestLargeSessions:
    def test_there_and_back(self, tmp_path: Path) -> None:
        path = tmp_path / "two.attn.json"
        save(large(), path)
        assert files(tmp_path) == ["two.attn.json", "two.safetensors"]
        written = json.loads(path.read_text(encoding="utf-8"))
        assert written["x"] == {"file": "two.safetensors", "key": "x"}
        assert written["mask"][0]["allowed"] == {"file": "two.safetensors", "key": "mask.1.allowed"}
        assert written["position"]["table"] == {"file": "two.safetensors", "key": "position.table"}
        assert written["b_o"] == [1, 2, 3]
        same(load(path), large())

    def test_moved_together_they_open(self, tmp_path: Path) -> None:
        save(large(), tmp_path / "two.attn.json")
        (tmp_path / "there").mkdir()
        for name in files(tmp_path):
            (tmp_path / name).rename(tmp_path / "there" / name)
        same(load(tmp_path / "there" / "two.attn.json"), large())

    def test_saved_elsewhere_its_tables_go_along(self, tmp_path: Path) -> None:
        """By a relative path: neither session needs the other's folder."""
        (tmp_path / "one").mkdir()
        (tmp_path / "two").mkdir()
        save(large(), tmp_path / "one" / "a.attn.json")
        scene = load(tmp_path / "one" / "a.attn.json").with_cell("x", 0, 0, 7.0)
        save(scene, tmp_path / "two" / "b.attn.json")
        assert files(tmp_path / "two") == ["b.attn.json", "b.safetensors"]
        same(load(tmp_path / "one" / "a.attn.json"), large())
        for path in (tmp_path / "one").iterdir():
            path.unlink()
        (tmp_path / "two").rename(tmp_path / "three")
        same(load(tmp_path / "three" / "b.attn.json"), scene)
        text = (tmp_path / "three" / "b.attn.json").read_text(encoding="utf-8")
        assert str(tmp_path) not in text and "one" not in text

    def test_saving_again_leaves_one_file_beside(self, tmp_path: Path) -> None:
        path = tmp_path / "two.attn.json"
        for value in (1.0, 2.0, 3.0):
            save(large().with_cell("x", 0, 0, value), path)
            assert len(files(tmp_path)) == 2
            assert load(path).x[0, 0] == value
        save(parse(ONE), path)
        assert files(tmp_path) == ["two.attn.json"]

    def test_the_old_session_is_whole_until_the_new_one_is_in_place(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "two.attn.json"
        save(large(), path)

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(session, "write", full)
        with pytest.raises(SessionError, match=r"^two\.attn\.json: it cannot be saved: the disk is full\.$"):
            save(large().with_cell("x", 0, 0, 5), path)
        assert files(tmp_path) == ["two.attn.json", "two.safetensors"]
        same(load(path), large())

    def test_files_of_others_are_left_alone(self, tmp_path: Path) -> None:
        model = tmp_path / "two.safetensors"
        model.write_bytes(b"somebody's model")
        path = tmp_path / "two.attn.json"
        for _ in range(2):
            save(large(), path)
        assert model.read_bytes() == b"somebody's model"
        assert len(files(tmp_path)) == 3
        same(load(path), large())

    def test_a_copy_keeps_its_tables(self, tmp_path: Path) -> None:
        path = tmp_path / "two.attn.json"
        save(large(), path)
        copy = tmp_path / "copy.attn.json"
        copy.write_bytes(path.read_bytes())
        save(large().with_cell("x", 0, 0, 5), path)
        same(load(copy), large())

    @pytest.mark.parametrize("name", ["copy.attn.json", "two.attn.json.bak", "two.attn.json~"])
    def test_a_copy_spelled_in_escapes_and_a_backup_keep_their_tables(
        self, tmp_path: Path, name: str
    ) -> None:
        path = tmp_path / "二.attn.json"
        save(large(), path)
        copy = tmp_path / name
        copy.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="ascii")
        save(large().with_cell("x", 0, 0, 5), path)
        same(load(copy), large())

    @pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
    def test_a_pipe_in_the_folder_keeps_nobody_waiting(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.json")
        for _ in range(2):
            save(large(), tmp_path / "two.attn.json")
        assert len(files(tmp_path)) == 2

    def test_what_a_session_is_read_from(self, tmp_path: Path) -> None:
        save(large(), path := tmp_path / "two.attn.json")
        kept = sources([path])
        (tmp_path / "link.json").symlink_to(path)
        for name in ("two.attn.json", "two.safetensors", "link.json"):
            with pytest.raises(OSError, match="the session is read from it"):
                check_apart(tmp_path / name, kept)
        check_apart(tmp_path / "three.safetensors", kept)

    def test_permissions_are_those_of_any_new_file(self, tmp_path: Path) -> None:
        save(large(), tmp_path / "two.attn.json")
        (tmp_path / "plain").touch()
        modes = {path.stat().st_mode for path in tmp_path.iterdir()}
        assert len(modes) == 1


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def test_stem() -> None:
    assert [stem(Path(name)) for name in ("a/two.attn.json", "two.json", "two.b.attn.json", "two")] == [
        "two", "two", "two.b", "two",
    ]  # fmt: skip


@pytest.mark.parametrize(("kind", "width", "most"), [("F64", 8, 1.1), ("F32", 4, 1.1), ("BF16", 2, 1.3)])
def test_tables_are_in_memory_once_while_they_are_read(
    tmp_path: Path, kind: str, width: int, most: float
) -> None:
    shape, size = (1500, 1500), 1500 * 1500 * width
    keys = ("x", "w_q", "w_k", "w_v")
    places = {key: [at * size, (at + 1) * size] for at, key in enumerate(keys)}
    header = json.dumps(
        {key: {"dtype": kind, "shape": shape, "data_offsets": place} for key, place in places.items()}
    ).encode()
    with (tmp_path / "a.safetensors").open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + 4 * size)
    entries = {key: {"file": "a.safetensors", "key": key} for key in keys}
    path = tmp_path / "a.attn.json"
    path.write_text(json.dumps({"format": "attention-explorer/1", **entries}), encoding="utf-8")
    tracemalloc.start()
    scene = load(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < most * sum(scene.matrix(key).nbytes for key in keys)
