"""The executable: what goes into it and what does not, and that the program does without what does not."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCENE = ROOT / "resources" / "scenes" / "two-tokens.attn.json"
Importer = Callable[[str], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Importer:
    """Imports a module of packaging/executable."""
    monkeypatch.syspath_prepend(ROOT / "packaging")

    return lambda name: import_module(f"executable.{name}")


# torch names some of these only to say that they are not there
FORBIDDEN = """
import importlib.abc, json, sys
sys.path[:0] = [{root!r}, {packaging!r}]
from executable.contents import LEFT_OUT, keeps_module
from executable import no_compiler
sys.modules["torch._dynamo"] = no_compiler

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if not keeps_module(name):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Gone())
from explorer.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "arguments",
    [["trace", "-o", "{out}.json"], ["render", "-o", "{out}.svg"], ["worksheet", "-o", "{out}.pdf"]],
    ids=lambda arguments: arguments[0],
)
def test_the_program_does_without_what_is_left_out(tmp_path: Path, arguments: list[str]) -> None:
    """In a process of its own, where those modules cannot be imported."""
    program = FORBIDDEN.format(root=str(ROOT), packaging=str(ROOT / "packaging"))
    verb, *more = (text.format(out=tmp_path / "out") for text in arguments)
    done = subprocess.run(
        [sys.executable, "-c", program, verb, SCENE, *more], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    (out,) = tmp_path.iterdir()
    assert out.stat().st_size > 500
    if out.suffix == ".json":
        ((first, second),) = json.loads(out.read_text(encoding="utf-8"))["weights"]
        assert first == pytest.approx([0.330, 0.670], abs=5e-4) and second == [0.5, 0.5]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("torch.nn.functional", True),
        ("torch._dynamo.eval_frame", False),
        ("transformers", False),
        ("sympy.core", False),
        ("sympytools", True),
        ("ssl", False),
    ],
)
def test_modules_are_left_out_with_all_below_them(load: Importer, name: str, kept: bool) -> None:
    assert load("contents").keeps_module(name) is kept


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("explorer/resources/translations/explorer_zh_CN.qm", True),
        ("explorer/resources/translations/explorer_zh_CN.ts", False),
        ("explorer/resources/guides/student.en.md", True),
        ("torch/include/ATen/ATen.h", False),
        ("torch/bin/torch_shm_manager", True),
        ("numpy-2.4.6.dist-info/METADATA", True),
        ("numpy-2.4.6.dist-info/RECORD", False),
    ],
)
def test_files_that_go_in(load: Importer, name: str, kept: bool) -> None:
    assert load("contents").keeps_file(name) is kept


def test_libraries_go_with_the_last_that_was_linked_to_them(load: Importer) -> None:
    entries = [
        ("numpy/core.so", "core", "EXTENSION"),
        ("libblas.so", "blas", "BINARY"),
        ("libfortran.so", "fortran", "BINARY"),
        ("libalone.so", "alone", "BINARY"),
    ]
    links = {"core": ["libblas.so"], "blas": ["libfortran.so"], "fortran": [], "alone": []}
    kept = load("contents").linked(entries, links.__getitem__)
    assert [name for name, *_ in kept] == ["numpy/core.so", "libblas.so", "libfortran.so"]


def test_about_names_all_that_the_program_requires() -> None:
    """A new dependency says its licence in About, and comes with its version into the executable."""
    from explorer.ui.about import PACKAGES

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.match(r"[\w-]+", text)[0] for text in project["dependencies"]}  # type: ignore[index]
    assert needed <= {name.replace("_", "-") for name in PACKAGES}


@pytest.mark.parametrize("text", ["", "   \n"])
def test_a_part_without_a_licence_stops_the_build(load: Importer, text: str) -> None:
    licences = load("licences")
    with pytest.raises(licences.MissingError, match="spam 1.0"):
        licences.check([("eggs 2.0", "MIT", "Permission is hereby granted"), ("spam 1.0", "MIT", text)], [])


def test_a_library_that_nobody_owns_stops_the_build(load: Importer) -> None:
    licences = load("licences")
    with pytest.raises(licences.MissingError, match="libspam.so.1"):
        licences.check([], ["libspam.so.1"])


def test_the_archive_is_read_back_as_it_was(load: Importer, tmp_path: Path) -> None:
    """Links and rights kept, nobody's name in it, and a sum that says so."""
    if sys.platform != "linux":
        pytest.skip("zip elsewhere")
    folder = tmp_path / "attention-explorer-1"
    folder.mkdir()
    (folder / "attention-explorer").write_text("#!/bin/sh\n", encoding="utf-8")
    (folder / "attention-explorer").chmod(0o755)
    (folder / "link").symlink_to("attention-explorer")
    packed = load("archive").pack(folder, "1", tmp_path / "out")
    with tarfile.open(packed) as tar:
        member = {each.name: each for each in tar.getmembers()}
    program = member["attention-explorer-1/attention-explorer"]
    assert (program.mode, program.uname, member["attention-explorer-1/link"].issym()) == (0o755, "root", True)
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    assert (
        packed.with_name(f"{packed.name}.sha256").read_text(encoding="utf-8") == f"{digest}  {packed.name}\n"
    )
