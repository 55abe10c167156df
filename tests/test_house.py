"""Rules of the house: what the program imports when, what it is built into, what lies where."""

import ast
import os
import re
import site
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = {
    ".ci", ".github", ".gitignore", "LICENSE", "README.md", "pyproject.toml",
    "explorer", "packaging", "resources", "tests",
}  # fmt: skip
# what git, dev.py and the tools it calls make; .gitignore names them too
MADE = {
    ".git", ".hypothesis", ".import_linter_cache", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".venv", ".venv.lock", "build", "dist",
}  # fmt: skip


def tree() -> Iterator[Path]:
    """Every file of the project."""
    for entry in sorted(ROOT.iterdir()):
        if entry.name not in MADE:
            yield from (path for path in [entry, *entry.rglob("*")] if path.is_file() and is_ours(path))


def is_ours(path: Path) -> bool:
    return path.suffix not in {".pyc", ".qm"}


def test_top_level_holds_what_the_readme_tours() -> None:
    assert {path.name for path in ROOT.iterdir()} - MADE <= ENTRIES


def test_no_file_knows_a_machine() -> None:
    """No absolute folder of somebody's machine, and no package index but the one that dev.py explains."""
    known = re.compile(
        rb"(?<![\w.~/-])/(?:home|opt|root|tmp|work|Users)/\w"
        rb"|https?://[\w.-]*(?:pypi|pythonhosted|anaconda|huggingface)\.\w+"
    )
    found = {str(path.relative_to(ROOT)) for path in tree() if known.search(path.read_bytes())}
    assert found == set()


def test_packaging_stays_a_folder_of_scripts() -> None:
    """With an __init__.py it would hide the library `packaging`, which pytest and pip import."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


@pytest.mark.parametrize("script", sorted((ROOT / "packaging").glob("*.py")), ids=lambda path: path.name)
def test_dev_needs_only_python(script: Path) -> None:
    if script.name in ("bench.py", "build.py", "fuzz.py"):
        pytest.skip("runs inside the environment that dev.py has made")
    siblings = {path.stem for path in script.parent.iterdir()}
    imported = set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").partition(".")[0])
    assert imported <= sys.stdlib_module_names | siblings


@pytest.mark.parametrize(
    ("module", "late"),
    [
        ("explorer.cli", "torch PySide6 pyqtgraph ziamath"),
        ("explorer.scene", "torch PySide6"),
        ("explorer.attention", "torch PySide6"),
        ("explorer.attention.attend", "PySide6 pyqtgraph"),
        ("explorer.attention.compare, explorer.attention.goal, explorer.attention.parts", "torch PySide6"),
        ("explorer.attention.permute, explorer.attention.saturation", "torch PySide6"),
        ("explorer.files.code, explorer.files.latex", "torch PySide6"),
        pytest.param(
            *("explorer.app", "torch ziamath pyqtgraph"),
            marks=pytest.mark.skipif(sys.platform == "win32", reason="there torch must be loaded before Qt"),
        ),
    ],
)
def test_heavy_imports_come_late(module: str, late: str) -> None:
    """The command line answers at once, and the window is painted before torch is loaded."""
    script = f"import sys, {module}; print(*(set({late.split()}) & set(sys.modules)))"
    assert python(script) == ""


START = """
import sys
from PySide6.QtCore import QCoreApplication, QSettings
from explorer.app import application, open_window
from explorer.ui import asked_for

asked_for.SETTLED_MS = 10**6  # so long without an edit, and the window would load more
QSettings.setDefaultFormat(QSettings.Format.IniFormat)
QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, sys.argv[1])
app = application()
window = open_window()
QCoreApplication.processEvents()

def loaded():
    ours = {name for name in sys.modules if name.startswith("explorer.ui.")}
    others = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"__mp_main__"}
    print(*sorted(others), "|", *sorted(ours))

def numbers(*_trace):
    QCoreApplication.processEvents()
    loaded()
    app.exit()

loaded()
window.engine.finished.connect(numbers)
app.exec()
window.close()
"""
QT = {"PySide6", "shiboken6", "shibokensupport", "signature_bootstrap", "__feature__"}
AT_START = {"__main__", "_distutils_hack", "explorer", "numpy", *QT}
WITH_TORCH = {"torch", "torchgen", "typing_extensions", "tqdm"}  # torch takes tqdm where it is installed
WHEN_ASKED = (
    "explorer.ui.about", "explorer.ui.export.", "explorer.ui.imports.chooser", "explorer.ui.imports.importer",
    "explorer.ui.imports.model_dialog", "explorer.ui.paper.", "explorer.ui.present.presenter",
    "explorer.ui.reading.layer_folder", "explorer.ui.reading.page",
)  # fmt: skip
AFTER_THE_PAINT = ("explorer.ui.lab.lab", "explorer.ui.lab.compare")


@pytest.mark.skipif(sys.platform == "win32", reason="there torch must be loaded before Qt")
def test_a_start_imports_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the window is painted, and from there until it shows its first numbers."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    for place in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(place, str(tmp_path))
    painted, counted = python(START.replace("sys.argv[1]", repr(str(tmp_path)))).splitlines()
    for line, allowed, late in (
        (painted, AT_START, WHEN_ASKED + AFTER_THE_PAINT), (counted, AT_START | WITH_TORCH, WHEN_ASKED)
    ):  # fmt: skip
        others, ours = (set(part.split()) for part in line.split(" | "))
        assert others <= allowed
        assert {name for name in ours if name.startswith(late)} == set()


def test_imports_after_qt_read_no_sources() -> None:
    """PySide6 would look into the source of each module for a feature that the program does not use."""
    script = "import linecache, {}; import wave; print(any('wave.py' in name for name in linecache.cache))"
    assert python(script.format("PySide6.QtCore")) == "True"
    assert python(script.format("explorer.app")) == "False"


def test_qt_keeps_none_alive(qapp: object) -> None:
    """PySide6 6.12.0 drops a reference to None in each of these calls; pyproject.toml excludes it."""
    from PySide6.QtCore import QPoint, QRect, Qt
    from PySide6.QtGui import QImage, QPainter, QPen
    from PySide6.QtWidgets import QLabel

    calls = 1000
    image, tile = (QImage(8, 8, QImage.Format.Format_RGB32) for _ in range(2))
    tile.fill(Qt.GlobalColor.white)
    label, pen, rect, origin = QLabel(), QPen(), QRect(0, 0, 4, 4), QPoint(0, 0)
    painter = QPainter(image)
    before = sys.getrefcount(None)
    for _ in range(calls):
        painter.save()
        painter.setPen(pen)
        painter.fillRect(rect, Qt.GlobalColor.black)
        painter.drawImage(origin, tile)
        painter.restore()
        label.setText("x")
        label.update()
    after = sys.getrefcount(None)
    painter.end()
    label.deleteLater()
    assert abs(after - before) < calls // 2


def test_resources_are_found_frozen_installed_and_from_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer import resources

    assert resources.path("translations").is_dir()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resources.path("scenes", "x") == tmp_path / "explorer" / "resources" / "scenes" / "x"


def test_wheel_opens_the_window(tmp_path: Path) -> None:
    """Built, installed in an environment of its own, started elsewhere: it opens and has its resources."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path, ROOT])
    (wheel,) = tmp_path.glob("attention_explorer-*.whl")
    home = tmp_path / "environment"
    venv.create(home)
    python_there = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run([*pip, "--python", python_there, "install", "--quiet", "--no-deps", "--no-index", wheel])
    packages = Path(python("import sysconfig; print(sysconfig.get_path('purelib'))", python_there))
    # The libraries of this environment are seen from there, so that none is downloaded. Ours is not: what
    # makes it importable here is itself a .pth file, and those count only in an environment's own folder.
    (packages / "libraries.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")

    files = {path.relative_to(ROOT / "resources") for path in tree() if ROOT / "resources" in path.parents}
    installed = packages / "explorer" / "resources"
    assert {path.relative_to(installed) for path in installed.rglob("*") if is_ours(path)} >= files
    assert python(OPEN, python_there, cwd=tmp_path) == f"{packages / 'explorer'}\n{installed}\n(2, 2)"
    assert "attention-explorer" in run([home / python_there.parent.name / "attention-explorer", "--help"])


@pytest.mark.skipif(sys.platform != "linux", reason="X is Linux's")
def test_opens_on_a_real_screen(xvfb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only offscreen: with the libraries that dev.py says Qt needs, Qt talks to an X server."""
    monkeypatch.setenv("DISPLAY", xvfb)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert python(OPEN).startswith(str(ROOT / "explorer"))


OPEN = """
from pathlib import Path
from PySide6.QtWidgets import QApplication
app = QApplication([])
import explorer.resources
from explorer.app import open_window
window = open_window()
window.show()
app.processEvents()
print(Path(explorer.__file__).parent, explorer.resources.path(), window.document.scene.x.shape, sep="\\n")
window.close()
app.processEvents()
"""


def python(script: str, interpreter: Path = Path(sys.executable), cwd: Path | None = None) -> str:
    """What a script prints in an interpreter of its own, where warnings are errors too."""
    return run([interpreter, "-W", "error", "-c", script], cwd)


def run(command: list[str | Path], cwd: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()
