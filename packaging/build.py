#!/usr/bin/env python3
"""The standalone executable of this platform, in dist/: python3 packaging/dev.py build [--no-smoke]

One folder made by PyInstaller from attention-explorer.spec, as an archive (on Debian also as a package) with its
SHA-256 beside it. Then the smoke test runs what was packed; without it nothing here should be given away.
Runs in the environment that dev.py has made. build/ keeps what lies between.
"""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

from executable import archive, icons, licences, native

from explorer import __version__ as version

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging"
BUILD, DIST = ROOT / "build", ROOT / "dist"
NAME = "attention-explorer"
LIMITS = {"unpacked": 650, "archive": 200}  # MB, of 10⁶ bytes

VERSION_INFO = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3f, flags=0, OS=0x40004, fileType=1, subtype=0),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "Attention Explorer contributors"),
      StringStruct("FileDescription", "Attention Explorer"),
      StringStruct("FileVersion", "{version}"),
      StringStruct("InternalName", "attention-explorer"),
      StringStruct("LegalCopyright", "MIT licence"),
      StringStruct("OriginalFilename", "attention-explorer.exe"),
      StringStruct("ProductName", "Attention Explorer"),
      StringStruct("ProductVersion", "{version}"),
    ])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 1200])]),
  ],
)
"""


def main(arguments: list[str]) -> int:
    """Build, pack, try; 0 if all of it holds."""
    if arguments not in ([], ["--no-smoke"]):
        print("dev.py build takes nothing or --no-smoke", file=sys.stderr)
        return 2
    say(f"Attention Explorer {version} for {archive.platform_name()}")
    made = BUILD / "made"
    icons.make(ROOT / "resources" / "icons" / f"{NAME}.svg", made)
    (made / "version.txt").write_text(version_info(), encoding="utf-8")

    say("PyInstaller")
    frozen = freeze()
    shutil.rmtree(BUILD / "folder", ignore_errors=True)
    folder = BUILD / "folder" / f"{NAME}-{version}"
    if sys.platform == "darwin":
        bundle = "Attention Explorer.app"
        shutil.copytree(frozen.with_name(bundle), folder / bundle, symlinks=True)
    else:
        shutil.copytree(frozen, folder, symlinks=True, copy_function=archive.link)
    if sys.platform == "linux":
        say(f"strip: {native.strip(folder / '_internal') / 1e6:.0f} MB less")
    parts = complete(folder, frozen, made)
    say(f"{len(parts)} parts by others, in THIRD-PARTY-LICENSES.txt")

    say("packing")
    file = archive.pack(folder, version, DIST)
    sizes = {"unpacked": size(folder), "archive": file.stat().st_size}
    for name, limit in LIMITS.items():
        say(f"{name}: {sizes[name] / 1e6:.0f} MB (limit {limit})")
    if sys.platform == "linux":
        glibc = native.oldest_glibc(folder)
        say(f"needs the GNU C library {glibc[0]}.{glibc[1]} or newer")
        archive.debian(folder, version, glibc, BUILD / "debian", DIST)
    say("in dist: " + ", ".join(sorted(path.name for path in DIST.iterdir() if version in path.name)))
    if any(sizes[name] > limit * 1e6 for name, limit in LIMITS.items()):
        say("too large")
        return 1
    if arguments:
        return 0
    return subprocess.run([sys.executable, HERE / "smoke.py", file]).returncode


def version_info() -> str:
    """What Windows shows of the program file."""
    numbers = [int(part) for part in version.split(".") if part.isdecimal()]
    return VERSION_INFO.format(version=version, numbers=tuple((numbers + [0] * 4)[:4]))


def freeze() -> Path:
    """Run PyInstaller; the folder that it made (on macOS with the bundle beside it)."""
    places = ("--distpath", BUILD / "frozen", "--workpath", BUILD / "work")
    # The same hashes in each run: the order of names in compiled sets, so that two builds differ in less.
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    command: list[str | Path] = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += [*places, HERE / f"{NAME}.spec"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return BUILD / "frozen" / NAME


def complete(folder: Path, frozen: Path, made: Path) -> list[str]:
    """Put in what is no program: licences, guides, what a desktop wants to know. The parts by others."""
    table = ast.literal_eval((BUILD / "work" / NAME / "COLLECT-00.toc").read_text(encoding="utf-8"))
    entries = next(part for part in table if isinstance(part, list))
    parts = licences.write(frozen, entries, folder / "THIRD-PARTY-LICENSES.txt")
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE")
    shutil.copytree(ROOT / "resources" / "guides", folder / "guides")
    if sys.platform == "linux":
        desktop = folder / "desktop"
        shutil.copytree(HERE / "desktop", desktop)
        (desktop / "icons").mkdir()
        for size in icons.LINUX:
            shutil.copy(made / f"icon-{size}.png", desktop / "icons" / f"{size}.png")
        shutil.copy(ROOT / "resources" / "icons" / f"{NAME}.svg", desktop / "icons" / "scalable.svg")
    return parts


def size(folder: Path) -> int:
    """Bytes in all files of a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def say(text: str) -> None:
    print(f"build: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
