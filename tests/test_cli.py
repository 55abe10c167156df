"""The command line, run as a user runs it: in a process of its own where that matters, else in this one."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer import __version__, attention, cli, resources
from explorer.attention import attend
from explorer.attention.trace import STAGES
from explorer.files import traces
from explorer.files.session import load, parse, save
from explorer.scene import Scene

ROOT = Path(__file__).parent.parent
TWO = resources.path("scenes", "two-tokens.attn.json")
CAT = resources.path("scenes", "cat-sat-down.attn.json")
GROUPED = resources.path("scenes", "shared-keys.attn.json")


def run(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "explorer", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120, **options,
    )  # fmt: skip


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one sentence on stderr; the exit status was 2, and nothing went to stdout."""
    try:
        status = cli.main([str(argument) for argument in arguments])
    except SystemExit as error:
        status = error.code
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("attention-explorer: ") and err.endswith("\n") and err.count("\n") == 1
    return err.removeprefix("attention-explorer: ").strip()


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ---- as a program ----


def test_trace_loads_no_qt(tmp_path: Path) -> None:
    script = (
        "import sys; from explorer.cli import main; "
        f"status = main(['trace', {str(TWO)!r}, '-o', {str(tmp_path / 'two.npz')!r}]); "
        "print(status, *sorted({name.partition('.')[0] for name in sys.modules} & {'PySide6', 'pyqtgraph'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "0\n" and done.stderr == ""
    assert files(tmp_path) == ["two.npz"]


def test_a_bad_session_gets_a_sentence_and_no_traceback(tmp_path: Path) -> None:
    bad = tmp_path / "two.attn.json"
    bad.write_text(TWO.read_text(encoding="utf-8").replace("[1, -1]", '[1, "abc"]', 1), encoding="utf-8")
    done = run("trace", bad, "-o", tmp_path / "out.npz")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "attention-explorer: two.attn.json: w_k[2,2] is 'abc' but must be a number.\n"
    assert files(tmp_path) == ["two.attn.json"]


def test_version_and_help() -> None:
    assert run("--version").stdout == f"attention-explorer {__version__}\n"
    help_ = run("--help").stdout
    assert "--present" in help_
    for verb in ("trace", "explain", "render", "lessons", "import", "code", "worksheet"):
        assert re.search(rf"^  {verb} +[A-Z]\w+ .{{10,}}$", help_, re.MULTILINE), verb  # and what it does
        assert "verbs, each" not in run(verb, "--help").stdout
    assert "OUT" in run("trace", "--help").stdout


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_leaves_no_traceback(tmp_path: Path) -> None:
    """Pressed while it waits for a reader that does not read on: the script is longer than what a pipe holds."""
    wide = np.random.default_rng(0).normal(size=(120, 120))
    save(Scene(x=wide, w_q=wide, w_k=wide, w_v=wide), tmp_path / "wide.attn.json")
    command = [sys.executable, "-m", "explorer", "code", str(tmp_path / "wide.attn.json")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in background jobs
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_has_seen_enough() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "explorer", "lessons"]
    done = subprocess.run(command, cwd=ROOT, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert done.stderr == ""


def test_a_terminal_without_roots(tmp_path: Path) -> None:
    done = run(
        "explain", TWO, "--stage", "scaled", "--row", 1, "--col", 2,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0 and "1.41" in done.stdout and done.stderr == ""


# ---- trace ----


def test_every_stage_is_written(tmp_path: Path) -> None:
    out = tmp_path / "cat.npz"
    assert cli.main(["trace", str(CAT), "-o", str(out)]) == 0
    trace = attend(load(CAT))
    with np.load(out) as written:
        assert set(written) == {stage.name for stage in STAGES}
        for name in written:
            np.testing.assert_array_equal(written[name], trace.stage(name))


def test_json_is_valid_and_holds_the_same(tmp_path: Path) -> None:
    out = tmp_path / "cat.json"
    assert cli.main(["trace", str(CAT), "-o", str(out)]) == 0
    written = json.loads(out.read_text(encoding="utf-8"), parse_constant=lambda name: pytest.fail(name))
    trace = attend(load(CAT))
    assert list(written) == [stage.name for stage in STAGES]
    assert written["masked"][0][0][1:] == ["-inf"] * 3
    for name, value in written.items():
        np.testing.assert_array_equal(np.array(value, dtype=float), trace.stage(name))


def test_several_sessions_go_to_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    assert cli.main(["trace", str(TWO), str(CAT), "-o", str(out)]) == 0
    assert files(out) == ["cat-sat-down.npz", "two-tokens.npz"]
    assert cli.main(["trace", str(GROUPED), "-o", str(out)]) == 0  # one session, and a folder that is there
    assert cli.main(["trace", str(GROUPED), "-o", f"{tmp_path}/v1.2/"]) == 0
    assert files(out) == ["cat-sat-down.npz", "shared-keys.npz", "two-tokens.npz"]
    assert files(tmp_path / "v1.2") == ["shared-keys.npz"]


def test_a_bad_session_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.attn.json"
    bad.write_text("{", encoding="utf-8")
    out = tmp_path / "out"
    assert cli.main(["trace", str(bad), str(TWO), str(tmp_path / "none.json"), str(CAT), "-o", str(out)]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "attention-explorer: bad.attn.json: it is not JSON: line 1, column 2, "
        "expecting property name enclosed in double quotes.",
        "attention-explorer: none.json: it cannot be read: there is no such file or folder.",
    ]
    assert files(out) == ["cat-sat-down.npz", "two-tokens.npz"]


def test_sessions_of_one_name_do_not_overwrite_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "two-tokens.attn.json"
    other.write_bytes(CAT.read_bytes())
    out = tmp_path / "out"
    assert cli.main(["trace", str(TWO), str(other), "-o", str(out)]) == 2
    err = capsys.readouterr().err
    assert (
        err == f"attention-explorer: {other}: another session of this name has been written there already.\n"
    )
    with np.load(out / "two-tokens.npz") as written:
        assert written["x"].shape == (2, 2)


@pytest.mark.parametrize(
    ("sessions", "out", "expected"),
    [
        (
            [TWO],
            "a.txt",
            "a.txt: its name must end in .npz, .json, .csv or .safetensors, or it must be a folder.",
        ),
        (
            [TWO],
            "a.csv",
            "a.csv: a CSV file holds one stage; name it with --stage, or write to a folder with --format csv.",
        ),
        ([TWO, CAT], "a.npz", "a.npz: several sessions need a folder to be written to, not one file."),
        ([TWO, CAT], "there.npz/", "there.npz: it is a file, and a folder is needed."),
        (
            [TWO],
            "there.npz/a.npz",
            "there.npz/a.npz: it cannot be written: a file is where its folder should be.",
        ),
        ([TWO], "folder/is.npz", "folder/is.npz: it cannot be written: it is a folder."),
        ([], "a.npz", "the following arguments are required: SESSION; see attention-explorer trace --help"),
    ],
)
def test_outputs_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    sessions: list[Path], out: str, expected: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("there.npz").touch()
    if out.startswith("folder"):
        Path("folder/is.npz/two-tokens.npz").mkdir(parents=True)
        expected = expected.replace("is.npz", "is.npz/two-tokens.npz")
    assert refused(capsys, "trace", *sessions, "-o", out) == expected
    assert files(tmp_path)[-1] == "there.npz"


def test_a_disk_that_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    out = tmp_path / "a.npz"
    out.write_bytes(b"old")
    monkeypatch.setattr(traces.np.lib.format, "write_array", full)
    assert refused(capsys, "trace", TWO, "-o", out) == f"{out}: it cannot be written: the disk is full."
    assert files(tmp_path) == ["a.npz"] and out.read_bytes() == b"old"


def test_a_scene_too_large_for_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def too_large(_: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: not enough memory\nand a long story")

    monkeypatch.setattr(type(attention), "attend", property(lambda _: too_large))
    said = refused(capsys, "trace", TWO, "-o", tmp_path / "a.npz")
    assert (
        said
        == "two-tokens.attn.json: this scene could not be computed: DefaultCPUAllocator: not enough memory"
    )
    assert files(tmp_path) == []


def test_a_name_of_two_lines_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "trace", tmp_path / "a\nb", "-o", tmp_path / "a.npz").startswith("a b: it cannot")


# ---- explain ----


def explain(session: Path, **options: object) -> list[object]:
    return ["explain", session, *(part for name, value in options.items() for part in (f"--{name}", value))]


def test_explain_prints_the_arithmetic(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([str(a) for a in explain(TWO, stage="scaled", row=1, col=2)]) == 0
    out, err = capsys.readouterr()
    assert "1·0 + 2·1" in out and "√2" in out and "1.41" in out and err == ""


@pytest.mark.parametrize(("stage", "head"), [("scores", 4), ("k", 2), ("output", None), ("weights", None)])
def test_explain_counts_from_one(stage: str, head: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    options = {} if head is None else {"head": head}
    assert cli.main([str(a) for a in explain(GROUPED, stage=stage, row=3, col=2, **options)]) == 0
    matrix = attend(load(GROUPED)).matrix(stage, (head or 1) - 1)
    assert f"{matrix[2, 1]:.4g}"[:4] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"stage": "weights", "row": 4, "col": 1}, "weights has rows 1 to 3, not 4."),
        ({"stage": "weights", "row": 0, "col": 1}, "weights has rows 1 to 3, not 0."),
        ({"stage": "output", "row": 1, "col": 9}, "output has columns 1 to 8, not 9."),
        ({"stage": "weights", "head": 5, "row": 1, "col": 1}, "weights has heads 1 to 4, not 5."),
        ({"stage": "v", "head": 3, "row": 1, "col": 1}, "v has heads 1 to 2, not 3."),
        (
            {"stage": "concat", "head": 1, "row": 1, "col": 1},
            "concat belongs to all heads; leave out --head.",
        ),
        (
            {"stage": "value", "row": 1, "col": 1},
            "there is no stage 'value'; the stages are x, q, k, v, scores, scaled, masked, weights, "
            "head_outputs, concat, output.",
        ),
    ],
)
def test_explain_says_what_there_is(
    options: dict[str, object], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, *explain(GROUPED, **options)) == f"shared-keys.attn.json: {expected}"


def test_explain_of_a_single_head(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, *explain(TWO, stage="q", head=2, row=1, col=1))
    assert said == "two-tokens.attn.json: q has only head 1, not 2."
    assert "invalid int value: 'one'" in refused(capsys, *explain(TWO, stage="q", row="one", col=1))


# ---- render ----


def test_render_draws_without_a_display(tmp_path: Path) -> None:
    displays = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    bare = {key: value for key, value in os.environ.items() if key not in displays}
    done = run("render", CAT, "-o", tmp_path / "a.png", "--size", "400x300", "--dark", env=bare)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert files(tmp_path) == ["a.png"]
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("name", "options", "start"),
    [("a.svg", ["--stage", "weights", "--head", "2"], b"<?xml"), ("a.pdf", ["--stage", "output"], b"%PDF")],
)
def test_render_writes_vectors(
    tmp_path: Path, name: str, options: list[str], start: bytes, qapp: object
) -> None:
    assert cli.main(["render", str(CAT), "-o", str(tmp_path / name), *options]) == 0
    assert files(tmp_path) == [name]
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-o", "a.gif"], "a.gif: its name must end in .png, .svg or .pdf, or it must be a folder."),
        (["-o", "a.png", "--dpi", "5"], "argument --dpi: it is '5' but must be a number from 10 to 1200"),
        (
            ["-o", "a.png", "--dpi", "1200"],
            "a.png: a picture of this size can have at most ",
        ),  # by its layout
        (["-o", "a.png", "--lang", "xx"], "there is no language 'xx'; the languages are en, zh_CN."),
        (["-o", "a.png", "--stage", "nope"], "cat-sat-down.attn.json: there is no stage 'nope'"),
        (["-o", "a.png", "--head", "3"], "cat-sat-down.attn.json: the scene has heads 1 to 2, not 3."),
        (
            ["-o", "a.png", "--stage", "q", "--head", "0"],
            "cat-sat-down.attn.json: q has heads 1 to 2, not 0.",
        ),
        (["-o", "a.png", "--size", "0x5"], "argument --size: it is '0x5' but must be like 1600x900"),
        (["-o", "a.png", "--size", "99999x5"], "argument --size: it is '99999x5' but must be like 1600x900"),
        (["-o", "there/a.png"], "there/a.png: it cannot be written: a file is where its folder should be."),
    ],
)
def test_pictures_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], expected: str, qapp: object,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("there").touch()
    assert refused(capsys, "render", CAT, *arguments).startswith(expected)
    assert files(tmp_path) == ["there"]


# ---- the window, and the rest ----


def test_bad_input_is_answered_before_a_window_opens(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "none.attn.json") == (
        "none.attn.json: it cannot be read: there is no such file or folder."
    )
    assert refused(capsys, "--lesson", "none").startswith(
        "there is no lesson 'none'; the lessons are by-hand"
    )
    assert (
        refused(capsys, "--nonsense") == "unrecognized arguments: --nonsense; see attention-explorer --help"
    )


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_no_display(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert refused(capsys, TWO).startswith("there is no display to open a window on")


def test_the_window_gets_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    import explorer.app

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    asked: list[object] = []
    monkeypatch.setattr(explorer.app, "main", lambda *arguments: asked.append(arguments) or 0)
    assert cli.main([]) == 0
    assert cli.main([str(TWO), "--lesson", "masks", "--present", "--lang", "zh_CN"]) == 0
    assert asked == [(None, None, False, None), (TWO, "masks", True, "zh_CN")]


def test_lessons_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    from explorer.lessons.builtin import LESSONS

    assert cli.main(["lessons"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(LESSONS)
    assert cli.main(["lessons", "--lang", "zh"]) == 0
    assert "自注意力" in capsys.readouterr().out


def test_a_layer_of_a_model_is_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from safetensors.numpy import save_file

    rng = np.random.default_rng(0)
    shapes = {"c_attn.weight": (4, 12), "c_attn.bias": (12,), "c_proj.weight": (4, 4), "c_proj.bias": (4,)}
    tensors = {f"h.{i}.attn.{name}": rng.normal(size=shape) for i in (0, 1) for name, shape in shapes.items()}
    save_file(tensors, tmp_path / "model.safetensors")
    session = tmp_path / "layer.attn.json"
    said = refused(capsys, "import", str(tmp_path), "--layer", "1", "-o", str(session))
    assert "the number of heads is in none of its tensors" in said and "1, 2, 4" in said
    assert not session.exists()
    assert cli.main(["import", str(tmp_path), "--layer", "1", "--heads", "2", "-o", str(session)]) == 0
    scene = load(session)
    assert np.array_equal(scene.w_k, tensors["h.1.attn.c_attn.weight"][:, 4:8])
    assert (scene.heads, [mask.kind for mask in scene.mask]) == (2, ["causal"])
    assert cli.main(["import", str(tmp_path), "--heads", "2", "--list"]) == 0
    assert "layers 0 to 1: d_model 4, 2 heads of width 2" in capsys.readouterr().out
    said = refused(capsys, "import", str(tmp_path), "--layer", "2", "--heads", "2", "-o", str(session))
    assert said.endswith("there is no layer 2; its layers are 0 to 1, counted from 0.")


def test_a_session_does_not_take_the_place_of_its_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "model.safetensors"
    model.write_bytes(b"weights")
    for checkpoint in (tmp_path, model):
        said = refused(capsys, "import", str(checkpoint), "--layer", "0", "-o", str(model))
        assert "model.safetensors: it cannot be written: the model is read from it." in said
        assert model.read_bytes() == b"weights"


def test_help_comes_at_once() -> None:
    """Without numpy, torch or Qt."""
    script = "import sys, explorer.cli; print(*sorted({'numpy', 'torch', 'PySide6'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_float16_overflow_reaches_the_file(tmp_path: Path) -> None:
    entry = {"format": "attention-explorer/1", "dtype": "float16", "x": [[300, 1]], "scale": 1}
    scene = parse(entry | {name: [[1, 0], [0, 1]] for name in ("w_q", "w_k", "w_v")})
    save(scene, tmp_path / "a.attn.json")
    assert cli.main(["trace", str(tmp_path / "a.attn.json"), "-o", str(tmp_path / "a.json")]) == 0
    written = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert written["scores"] == [[["inf"]]] and written["weights"] == [[["nan"]]]
