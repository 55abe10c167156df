#!/usr/bin/env python3
"""Everything a developer does, from a bare Python and pip: python3 packaging/dev.py VERB

  run [ARGS]           start the program from source
  test                 translations, lint and all tests: what has to pass
  test ARGS            pytest alone, with ARGS
  lint [--fix]         ruff, mypy, import-linter
  bench [ARGS]         time from an edit to pixels
  fuzz [ARGS]          damaged and hostile files of every kind
  build [--no-smoke]   the standalone executable of this platform, in dist/; then the smoke test
  smoke [ARCHIVE]      run what was built as people do; --bare: also in an empty Debian
  translate            build the .qm files from resources/translations/*.ts
  translate --update   put new and changed texts of the program into the .ts files

The first call makes .venv (about a minute and 1.5 GB); later ones reuse it.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (whoever starts this has not installed anything yet)
    sys.exit("Attention Explorer needs Python 3.11 or newer; this is " + sys.version.split()[0])

import os
import subprocess
from pathlib import Path

import environment
import system
from environment import BIN, PYTHON, ROOT

TRANSLATIONS = ROOT / "resources" / "translations"
USAGE = 2  # exit status for bad usage, as the program itself has it


def main(arguments: list[str]) -> int:
    verb, *rest = arguments or ["--help"]
    if verb in ("-h", "--help", "help"):
        print(__doc__)
        return 0
    if verb not in VERBS:
        print(f"dev.py: no verb {verb!r}; there are {', '.join(VERBS)}", file=sys.stderr)
        return USAGE
    try:
        return VERBS[verb](rest)
    except environment.SetUpError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def run(arguments: list[str]) -> int:
    system.ensure(tests=False)  # what is missing has been said; perhaps the desktop here does without
    environment.ensure(tools=False)
    build_translations()
    return call(PYTHON, "-P", "-m", "explorer", *arguments, cwd=None)  # file names count from where one is


def test(arguments: list[str]) -> int:
    if not system.ensure(tests=True):
        return 1
    environment.ensure()
    if arguments:
        return call(PYTHON, "-m", "pytest", *arguments)
    failed = [] if translate([]) == 0 else ["translate"]
    return summary(failed + failing(LINTERS) + failing({"pytest": [PYTHON, "-m", "pytest"]}))


def lint(arguments: list[str]) -> int:
    if arguments not in ([], ["--fix"]):
        print("dev.py lint takes nothing or --fix", file=sys.stderr)
        return USAGE
    environment.ensure()
    if arguments:
        call(PYTHON, "-m", "ruff", "check", "--fix-only", ".")
        call(PYTHON, "-m", "ruff", "format", ".")
    return summary(failing(LINTERS))


def bench(arguments: list[str]) -> int:
    script = ROOT / "packaging" / "bench.py"
    if not script.is_file():
        print("dev.py bench: there is no packaging/bench.py yet", file=sys.stderr)
        return USAGE
    if not system.ensure(tests=True):
        return 1
    environment.ensure()
    if "--quick" not in arguments and not environment.pip("matplotlib"):
        print("dev.py bench: without matplotlib a notebook's heat maps are not compared", file=sys.stderr)
    return call(PYTHON, script, *arguments)


def fuzz(arguments: list[str]) -> int:
    environment.ensure()
    return call(PYTHON, ROOT / "packaging" / "fuzz.py", *arguments)


def build(arguments: list[str]) -> int:
    if not system.ensure(tests=True, packing=True):
        return 1
    environment.ensure()
    if not environment.pip("pyinstaller") or translate([]) != 0:
        return 1
    return call(PYTHON, ROOT / "packaging" / "build.py", *arguments)


def smoke(arguments: list[str]) -> int:
    if not system.ensure(tests=True, packing=True):
        return 1
    environment.ensure()
    return call(PYTHON, ROOT / "packaging" / "smoke.py", *arguments)


def translate(arguments: list[str]) -> int:
    """Build each .qm that is older than its .ts; with --update, bring the .ts files up to date first."""
    if arguments not in ([], ["--update"]):
        print("dev.py translate takes nothing or --update", file=sys.stderr)
        return USAGE
    sources = sorted(TRANSLATIONS.glob("*.ts"))
    if not sources:
        return 0
    environment.ensure()
    if arguments:
        texts = sorted((ROOT / "explorer").rglob("*.py"))
        options = ("-no-obsolete", "-locations", "none")
        if call(tool("pyside6-lupdate"), *texts, *options, "-ts", *sources) != 0:
            return 1
    return build_translations()


def build_translations() -> int:
    """The .qm files, where the .ts files are newer."""
    for source in sorted(TRANSLATIONS.glob("*.ts")):
        built = source.with_suffix(".qm")
        if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
            if call(tool("pyside6-lrelease"), "-silent", source, "-qm", built) != 0:
                return 1
    return 0


VERBS = {
    "run": run, "test": test, "lint": lint, "bench": bench, "fuzz": fuzz, "build": build, "smoke": smoke,
    "translate": translate,
}  # fmt: skip


def tool(name: str) -> Path:
    """A command that a package has put into the environment."""
    return BIN / (f"{name}.exe" if os.name == "nt" else name)


LINTERS: dict[str, list[str | Path]] = {
    "ruff check": [PYTHON, "-m", "ruff", "check", "."],
    "ruff format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "mypy": [PYTHON, "-m", "mypy"],
    "lint-imports": [tool("lint-imports"), "--no-logo"],
}


def failing(steps: dict[str, list[str | Path]]) -> list[str]:
    """Run all steps, also after a failure; the names of those that failed."""
    failed = []
    for name, command in steps.items():
        print(f"\n== {name}", flush=True)
        if call(*command) != 0:
            failed.append(name)
    return failed


def summary(failed: list[str]) -> int:
    print(f"\nFAILED: {', '.join(failed)}" if failed else "\nAll passed.", flush=True)
    return 1 if failed else 0


def call(*command: str | Path, cwd: Path | None = ROOT) -> int:
    return subprocess.run(command, cwd=cwd).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
