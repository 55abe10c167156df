"""`attention-explorer code`, as a user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer import cli, resources
from explorer.attention import attend
from explorer.files.session import load, save
from explorer.scene import Scene

CAT = resources.path("scenes", "cat-sat-down.attn.json")
TWO = resources.path("scenes", "two-tokens.attn.json")


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main([*map(str, arguments)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err.removeprefix("attention-explorer: ").strip()


@pytest.mark.parametrize("dialect", ["plain", "sdpa", "mha"])
def test_prints_a_script(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["code", str(CAT), "--dialect", dialect]) == 0
    text = capsys.readouterr().out
    compile(text, "script", "exec")
    assert text.startswith("# The cat sat down: two heads, causal\n")
    assert ("nn.MultiheadAttention" in text) == (dialect == "mha")


def test_written_and_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scene = load(CAT).replace(title="猫", tokens=("猫", "é", "\u2028", "x"))
    session, out = tmp_path / "cat.attn.json", tmp_path / "cat.py"
    save(scene, session)
    assert cli.main(["code", str(session), "-o", str(out)]) == 0
    assert capsys.readouterr().out == ""
    done = subprocess.run([sys.executable, str(out)], capture_output=True, text=True, check=True)
    np.testing.assert_allclose(json.loads(done.stdout), attend(scene).output, rtol=0, atol=1e-9)


def test_latex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["code", str(CAT), "--latex"]) == 0
    assert capsys.readouterr().out.endswith("\\end{document}\n")
    session = tmp_path / "long.attn.json"
    save(Scene(x=np.ones((7, 2)), w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2)), session)
    said = refused(capsys, "code", session, "--latex")
    assert said == "long.attn.json: A worked solution is for scenes with n up to 6, and here n = 7."


def test_several_go_into_a_folder_and_a_bad_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, out = tmp_path / "bad.attn.json", tmp_path / "scripts"
    bad.write_text("{}", encoding="utf-8")
    for more, suffix in (([], ".py"), (["--latex"], ".tex")):
        said = refused(capsys, "code", CAT, bad, TWO, *more, "-o", out)
        assert said.startswith("bad.attn.json: ")
        for session in (CAT, TWO):
            assert cli.main(["code", str(session), *more]) == 0
            written = out / session.name.replace(".attn.json", suffix)
            assert written.read_text(encoding="utf-8") == capsys.readouterr().out
    assert len(list(out.iterdir())) == 4
    said = refused(capsys, "code", CAT, TWO)
    assert said == "several sessions need a folder to be written to: -o FOLDER."
    said = refused(capsys, "code", CAT, TWO, "-o", tmp_path / "both.py")
    assert said.endswith("both.py: several sessions need a folder to be written to, not one file.")
    assert cli.main(["code", str(CAT), "-o", f"{tmp_path}/"]) == 0
    assert (tmp_path / "cat-sat-down.py").is_file()


def test_utf8_wherever_it_goes(tmp_path: Path) -> None:
    """Redirected into a file on a system whose encoding is another one."""
    session = tmp_path / "cat.attn.json"
    save(load(CAT).replace(title="猫"), session)
    command = [sys.executable, "-m", "explorer", "code", str(session)]
    done = subprocess.run(command, capture_output=True, check=True, env={"PYTHONIOENCODING": "latin-1"})
    assert done.stdout.decode("utf-8").startswith("# 猫\n")


def test_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = tmp_path / "capped.attn.json"
    save(Scene(x=np.eye(2), w_q=np.eye(2), w_k=np.eye(2), w_v=np.eye(2), softcap=2.0), session)
    said = refused(capsys, "code", session, "--dialect", "mha", "-o", tmp_path / "out.py")
    assert said == "capped.attn.json: nn.MultiheadAttention cannot express this scene: it has no softcap."
    assert not (tmp_path / "out.py").exists()
    said = refused(capsys, "code", session, "--dialect", "jax")
    assert said == "there is no dialect 'jax'; the dialects are plain, sdpa, mha."
    said = refused(capsys, "code", session, "-o", session / "out.py")
    assert said.endswith("out.py: it cannot be written: a file is where its folder should be.")
    assert refused(capsys, "code", tmp_path / "none.json").startswith("none.json: it cannot be read")
