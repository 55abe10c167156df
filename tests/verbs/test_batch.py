"""Several sessions in one call: the bar, where each goes, what is said of a bad one."""

import io
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from explorer import cli, resources
from explorer.attention import attend
from explorer.files import session
from explorer.files.session import load, save
from explorer.verbs.batch import Progress
from tests.limits import limited, only_so_much_fits

CAT = resources.path("scenes", "cat-sat-down.attn.json")
TWO = resources.path("scenes", "two-tokens.attn.json")
ORDER = resources.path("scenes", "order.attn.json")


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


# ---- the bar ----


def test_the_bar_fills_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    terminal = Terminal()
    with Progress(4, terminal) as bar:
        bar.show(0, "a.attn.json")
        bar.show(3, "d.attn.json")
    text = terminal.getvalue()
    assert "─" * 24 + " 0/4 a.attn.json" in text
    assert "━" * 18 + "─" * 6 + " 3/4 d.attn.json" in text
    last = text.rsplit("\r", 2)
    assert last[1].strip() == "" and last[2] == "" and len(last[1]) == len("━" * 24 + " 3/4 d.attn.json")


def test_a_narrow_terminal_and_one_without_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal = Terminal()
    terminal.encoding = "ascii"
    Progress(2, terminal).show(1, "long-name.attn.json")
    assert terminal.getvalue() == "############-------"


def test_no_bar_for_one_or_in_a_file() -> None:
    terminal, file = Terminal(), io.StringIO()
    Progress(1, terminal).show(0, "a")
    Progress(5, file).show(0, "a")
    assert terminal.getvalue() == file.getvalue() == ""


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
def test_on_a_real_terminal_the_bar_gives_way_to_sentences(tmp_path: Path) -> None:
    import pty
    import subprocess

    bad = tmp_path / "bad.attn.json"
    bad.write_text("{", encoding="utf-8")
    master, slave = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "explorer",
        "trace",
        str(TWO),
        str(bad),
        str(CAT),
        "-o",
        str(tmp_path / "out"),
    ]
    root = Path(cli.__file__).parent.parent
    with subprocess.Popen(command, cwd=root, stderr=slave, stdout=subprocess.PIPE) as process:
        os.close(slave)
        text = b""
        try:
            while chunk := os.read(master, 4096):
                text += chunk
        except OSError:  # how a terminal says that nobody writes any more
            pass
        os.close(master)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    lines = [part for part in text.decode().replace("\r\n", "\n").split("\n") if part.strip()]
    assert len(lines) == 2  # the sentence, and what was wiped out after it
    assert lines[0].rsplit("\r", 1)[1].startswith("attention-explorer: bad.attn.json: it is not JSON")
    assert "2/3 cat-sat-down.attn.json" in lines[1] and lines[1].endswith(" \r")
    assert files(tmp_path / "out") == ["cat-sat-down.npz", "two-tokens.npz"]


# ---- trace ----


def test_trace_writes_what_is_asked_for(tmp_path: Path) -> None:
    trace = attend(load(CAT))
    out = tmp_path / "w.csv"
    assert cli.main(["trace", str(CAT), "--stage", "weights", "-o", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("head,,The,cat,sat,down\n1,The,1,0,0,0\n")
    out = tmp_path / "some.safetensors"
    assert cli.main(["trace", str(CAT), "--stage", "q,weights", "-o", str(out)]) == 0
    assert set(load_file(out)) == {"q", "weights"}
    assert cli.main(["trace", str(CAT), str(TWO), "--format", "csv", "-o", str(tmp_path / "all")]) == 0
    assert len(files(tmp_path / "all" / "cat-sat-down")) == len(files(tmp_path / "all" / "two-tokens")) == 11
    assert cli.main(["trace", str(CAT), str(TWO), "--format", "safetensors", "-o", str(tmp_path / "st")]) == 0
    assert files(tmp_path / "st") == ["cat-sat-down.safetensors", "two-tokens.safetensors"]
    np.testing.assert_array_equal(
        load_file(tmp_path / "st" / "cat-sat-down.safetensors")["output"], trace.output
    )


def test_trace_knows_its_stages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trace", str(CAT), "--stage", "q,nope", "-o", str(tmp_path / "a.npz")]) == 2
    assert capsys.readouterr().err.startswith(
        "attention-explorer: there is no stage 'nope'; the stages are x, q,"
    )


# ---- what is read is not written over ----


def test_a_trace_does_not_take_the_place_of_its_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its tables lie beside a large session in a file whose name a trace of it would have as well."""
    monkeypatch.setattr(session, "MAX_NUMBERS", 8)
    monkeypatch.setattr(session, "SMALL", 3)
    save(load(CAT), cat := tmp_path / "cat.attn.json")
    (tmp_path / "two.json").write_bytes(TWO.read_bytes())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert sorted(before) == ["cat.attn.json", "cat.safetensors", "two.json"]
    two = tmp_path / "two.json"
    for arguments, out in (
        (["trace", str(cat), "-o", str(cat)], cat),
        (["trace", str(two), str(cat), "--format", "safetensors", "-o", str(tmp_path)], None),
        (["trace", str(two), "--format", "json", "-o", str(tmp_path)], two),
        (["code", str(two), "-o", str(two)], two),
    ):
        assert cli.main(arguments) == 2
        place = out or tmp_path / "cat.safetensors"
        sentence = f"attention-explorer: {place}: it cannot be written: the session is read from it.\n"
        assert capsys.readouterr().err == sentence
        assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert files(tmp_path) == sorted([*before, "two.safetensors"])


def test_half_a_surrogate_pair_goes_into_every_file(tmp_path: Path, qapp: object) -> None:
    odd = tmp_path / "odd.attn.json"
    odd.write_text(TWO.read_text(encoding="utf-8").replace("Two tokens", "\\ud800 tokens"), encoding="utf-8")
    assert load(odd).title.startswith("\ud800")
    for verb, name in (("trace", "a.safetensors"), ("worksheet", "a.md"), ("worksheet", "a.pdf")):
        assert cli.main([verb, str(odd), "-o", str(tmp_path / name)]) == 0
    assert "? tokens" in (tmp_path / "a.md").read_text(encoding="utf-8")


# ---- render, worksheet ----


@pytest.mark.parametrize(
    ("verb", "options", "suffix"),
    [
        ("render", ["--stage", "weights"], ".png"),
        ("render", ["--format", "svg"], ".svg"),
        ("worksheet", [], ".pdf"),
        ("worksheet", ["--format", "md", "--versions", "2"], ".md"),
    ],
)
def test_goes_on_after_a_bad_one(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    qapp: object,
    verb: str,
    options: list[str],
    suffix: str,
) -> None:
    bad = tmp_path / "bad.attn.json"
    bad.write_text("{}", encoding="utf-8")
    out = tmp_path / "new" / "out"
    assert cli.main([verb, str(TWO), str(bad), str(ORDER), "-o", str(out), *options]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and err.startswith("attention-explorer: bad.attn.json: format is missing")
    assert files(out) == [f"order{suffix}", f"two-tokens{suffix}"]
    assert all(path.stat().st_size > 500 for path in out.iterdir())


def test_one_file_for_several_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    for verb, name in (("render", "a.svg"), ("worksheet", "a.pdf")):
        assert cli.main([verb, str(TWO), str(CAT), "-o", str(tmp_path / name)]) == 2
        assert "several sessions need a folder to be written to" in capsys.readouterr().err
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("verb", "suffix"), [("render", s) for s in (".png", ".svg", ".pdf")] + [("worksheet", ".pdf")]
)
@limited
def test_what_does_not_fit_leaves_nothing_half(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object, verb: str, suffix: str
) -> None:
    out = tmp_path / f"a{suffix}"
    with only_so_much_fits(100):
        assert cli.main([verb, str(TWO), "-o", str(out)]) == 2
    assert (
        capsys.readouterr().err
        == f"attention-explorer: {out}: it cannot be written: the file would be too large.\n"
    )
    assert files(tmp_path) == []


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_drawing_that_is_broken_off_ends_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: object, suffix: str
) -> None:
    """A painter that is still at work when its picture goes would take the process with it."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    from explorer.ui.picture import Picture

    monkeypatch.setattr(Picture, "paint", stop)
    assert cli.main(["render", str(TWO), "-o", str(tmp_path / f"a{suffix}")]) == cli.INTERRUPTED
    assert files(tmp_path) == []


def test_a_name_that_is_too_long(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    long = tmp_path / ("n" * 300 + ".npz")
    assert cli.main(["trace", str(TWO), "-o", str(long)]) == 2
    sentence = f"attention-explorer: {long}: it cannot be written: the name is too long.\n"
    assert capsys.readouterr().err == sentence
    assert cli.main(["--lesson", "n" * 300]) == 2
    assert "there is no lesson" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("verb", "name", "start"),
    [
        ("trace", "A.JSON", b"{"),
        ("trace", "A.NPZ", b"PK"),
        ("render", "A.SVG", b"<?xml"),
        ("worksheet", "A.MD", b"# "),
    ],
)
def test_a_suffix_in_capitals(tmp_path: Path, qapp: object, verb: str, name: str, start: bytes) -> None:
    assert cli.main([verb, str(TWO), "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(start)
