"""packaging/dev.py: what it installs, when, and what it says where it can't."""

import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """packaging/environment.py over a folder of the test's own."""
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "packaging")
    import environment

    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(environment, "STAMP", tmp_path / ".venv" / "set-up.stamp")
    monkeypatch.setattr(environment, "CONSTRAINTS", tmp_path / "constraints.txt")
    monkeypatch.setattr(environment, "make_venv", (tmp_path / ".venv").mkdir)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "constraints.txt").write_text("", encoding="utf-8")
    return environment


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "packaging")
    import system

    return system


def test_sets_up_once_and_again_when_a_version_moves(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installs: list[bool] = []
    monkeypatch.setattr(environment, "install", installs.append)
    environment.ensure()
    environment.ensure()
    assert len(installs) == 1
    monkeypatch.setattr(environment, "is_usable", lambda: True)
    environment.CONSTRAINTS.write_text("numpy==2.4.6", encoding="utf-8")
    environment.ensure()
    assert len(installs) == 2


def test_who_only_runs_the_program_gets_no_tools_until_they_are_needed(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[tuple[str, ...]] = []
    monkeypatch.setattr(environment, "pip_knows_an_index", lambda: True)
    monkeypatch.setattr(environment, "is_usable", lambda: True)
    monkeypatch.setattr(environment, "pip", lambda *arguments: installed.append(arguments) or True)
    (environment.ROOT / ".venv").mkdir()
    environment.ensure(tools=False)
    assert environment.is_ready(tools=False) and not environment.is_ready()
    assert not any("[dev" in text for arguments in installed for text in arguments)
    environment.ensure()
    assert "[dev,models]" in installed[-1][-1]
    count = len(installed)
    environment.ensure(tools=False)  # what is there is more than enough
    assert len(installed) == count


def test_a_set_up_that_was_cut_short_is_done_again(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "pip_knows_an_index", lambda: True)
    monkeypatch.setattr(environment, "pip", lambda *arguments: False)
    with pytest.raises(environment.SetUpError):
        environment.ensure()
    assert not environment.is_ready()
    monkeypatch.setattr(environment, "is_usable", lambda: True)
    monkeypatch.setattr(environment, "pip", lambda *arguments: True)
    environment.ensure()
    assert environment.is_ready()


@pytest.mark.parametrize(
    ("platform", "gpu", "configured", "from_cpu_index"),
    [
        ("linux", False, False, True),
        ("linux", True, False, False),
        ("linux", False, True, False),
        ("darwin", False, False, False),
        ("win32", False, False, False),
    ],
)
def test_torch_without_cuda_where_nobody_said_otherwise(
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    gpu: bool,
    configured: bool,
    from_cpu_index: bool,
) -> None:
    installed: list[tuple[str, ...]] = []

    def pip(*arguments: str) -> bool:
        installed.append(arguments)
        return True

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(environment, "has_nvidia_gpu", lambda: gpu)
    monkeypatch.setattr(environment, "pip_knows_an_index", lambda: configured)
    monkeypatch.setattr(environment, "pip", pip)
    environment.install()
    assert [arguments for arguments in installed if environment.TORCH_CPU_INDEX in arguments] == (
        installed[:1] if from_cpu_index else []
    )
    assert installed[-1][-1].endswith("[dev,models]")


@pytest.mark.skipif(sys.platform != "linux", reason="only there Qt needs packages of the system")
@pytest.mark.parametrize("root", [False, True])
def test_missing_libraries_are_installed_or_named(
    system: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], root: bool
) -> None:
    missing = {"libEGL.so.1"}
    asked: list[str] = []

    def apt_get(packages: list[str]) -> None:
        asked.extend(packages)
        missing.clear()

    monkeypatch.setattr(system, "loads", lambda library: library not in missing)
    monkeypatch.setattr(system, "apt_get", apt_get)
    monkeypatch.setattr(system.os, "geteuid", lambda: 0 if root else 1000)
    monkeypatch.setattr(system.shutil, "which", lambda program: f"bin/{program}")
    assert system.ensure(tests=False) is root
    assert asked == (["libegl1"] if root else [])
    assert ("sudo apt-get install libegl1" in capsys.readouterr().err) is not root
