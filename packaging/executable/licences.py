"""THIRD-PARTY-LICENSES: everything that the folder of the executable holds, and the terms it comes under."""

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RULE = "=" * 100

HEAD = """\
Attention Explorer is under the MIT licence (LICENSE). Below is everything else in this folder: first a list, then
the texts.

Qt and PySide6 are used under the GNU Lesser General Public License, version 3 (LGPL-3.0), unmodified, as shared
libraries of their own: those in _internal/PySide6, and their parts in _internal/shiboken6. You may replace them by
your own build of the same version: put your files in the place of ours, under the same names. To work on Attention
Explorer itself and build it anew, follow "Build" in its README. The source of Qt is at
https://download.qt.io/official_releases/qt, that of PySide6 and Shiboken6 at
https://download.qt.io/official_releases/QtForPython/pyside6.
"""

# What comes inside of others, without a licence file there.
INSIDE = """\
Qt's shared libraries contain code by others, all of it under permissive terms: https://doc.qt.io/qt-6/licenses-used-in-qt.html
names each with its text (among them HarfBuzz, libpng, libjpeg-turbo, PCRE2, double-conversion, TinyCBOR, md4c, zlib).
ICU (libicu*): Unicode License v3, https://www.unicode.org/license.txt.
DejaVu Sans (in ziafont): Bitstream Vera licence, https://dejavu-fonts.github.io/License.html.
STIX Two Math (in ziamath): SIL Open Font License 1.1, https://openfontlicense.org.
The colour maps CET-* (in pyqtgraph): CC BY, Peter Kovesi; viridis, magma, plasma, inferno, cividis: CC0.
The starter (attention-explorer itself): PyInstaller's bootloader, GPL-2.0-or-later with an exception that lets it start
programs under any terms: https://pyinstaller.org/en/stable/license.html
"""

# Where a package of many parts says more than holds for the one library of it that is here.
NARROWER = {"libuuid1": "BSD-3-Clause"}

Part = tuple[str, str, str]  # name and version, licence in short, texts
Entry = tuple[str, str, str]  # name in the folder, source, kind


class MissingError(Exception):
    """Something is in the folder whose terms are not known; the message names it."""


def write(folder: Path, table: list[Entry], out: Path) -> list[str]:
    """Write `out` for the executable in `folder`, made of the files in PyInstaller's `table`; the names of the parts.

    Runs in the environment and on the system that it was made from. Raises MissingError.
    """
    parts = [python(), *packages(folder), *system_libraries(table)]
    check(parts, unowned(folder, table))
    width = max(len(name) for name, *_ in parts)
    listing = "\n".join(f"{name:{width}}  {licence}" for name, licence, _text in parts)
    texts = "\n".join(
        f"{RULE}\n{name} — {licence}\n{RULE}\n\n{text.strip()}\n" for name, licence, text in parts if text
    )
    common = "\n".join(
        f"{RULE}\n{name}\n{RULE}\n\n{(HERE / 'texts' / f'{name}.txt').read_text(encoding='utf-8').strip()}\n"
        for name in ("LGPL-3.0", "GPL-3.0")
    )
    out.write_text(f"{HEAD}\n{listing}\n\n{INSIDE}\n{texts}\n{common}", encoding="utf-8")
    return [name for name, *_ in parts]


def check(parts: list[Part], unknown: list[str]) -> None:
    """Raise MissingError for parts without a text, and for files that belong to no part."""
    silent = [name for name, _licence, text in parts if not text.strip()]
    if silent or unknown:
        raise MissingError("no licence is known of " + ", ".join(sorted([*silent, *unknown])))


def unowned(folder: Path, table: list[Entry]) -> list[str]:
    """The files from outside of the program, of Python and of its packages, and from no Debian package."""
    known = tuple(
        str(place) for place in (ROOT, Path(sys.prefix), Path(sys.base_prefix), folder.parent.parent)
    )
    outside = [source for name, source, kind in table if kind == "BINARY" and not source.startswith(known)]
    if not shutil.which("dpkg-query"):
        return []  # what Windows and macOS bring themselves is theirs to license
    return [source for source in outside if not list(owners([Path(source).name]))]


def python() -> Part:
    """Python itself."""
    places = (Path(sysconfig.get_path("stdlib"), "LICENSE.txt"), Path(sys.base_prefix, "LICENSE.txt"))
    text = next((place.read_text(encoding="utf-8") for place in places if place.is_file()), "")
    return f"Python {sys.version.split()[0]}", "PSF-2.0", text or "https://docs.python.org/3/license.html"


def packages(folder: Path) -> Iterator[Part]:
    """The Python packages of which something is in the folder: as files, or in the program's own archive."""
    there = modules(folder)
    for package in sorted(distributions(), key=lambda package: package.name.lower()):
        if package.name.lower() != "attention-explorer" and top_levels(package) & there:
            said = licence(package)
            text = "\n\n".join(licence_texts(package)) or standard_text(package, said)
            yield f"{package.name} {package.version}", said, text


def modules(folder: Path) -> set[str]:
    """The top-level modules in the folder."""
    from PyInstaller.archive.readers import CArchiveReader

    program = next(
        path for path in (folder / "attention-explorer", folder / "attention-explorer.exe") if path.is_file()
    )
    archive = CArchiveReader(str(program)).open_embedded_archive("PYZ.pyz")
    names = {str(name).partition(".")[0] for name in archive.toc}
    return names | {path.name for path in (folder / "_internal").iterdir() if path.is_dir()}


def top_levels(package: Distribution) -> set[str]:
    """The modules that a package installs, by their first names."""
    files = (
        str(file).split("/")[0].partition(".")[0] for file in package.files or [] if str(file).count("/") <= 1
    )
    return {name for name in files if name.isidentifier()} - {
        "__pycache__",
        "tests",
        "test",
        "examples",
        "bin",
    }


def licence(package: Distribution) -> str:
    """In short, as the package says it."""
    fields = ("License-Expression", "License")
    said = next((text for field in fields for text in package.metadata.get_all(field) or [] if text), "")
    if not said or "\n" in said or len(said) > 120:
        classifiers = [
            line for line in package.metadata.get_all("Classifier") or [] if line.startswith("License ::")
        ]
        said = ", ".join(line.rpartition(" :: ")[2] for line in classifiers)
    return said.partition("\n")[0] or "see its text"


def licence_texts(package: Distribution) -> Iterator[str]:
    """Its licence files."""
    for file in package.files or []:
        inside = ".dist-info/" in str(file) and re.search(
            r"licen[cs]e|copying|notice|authors", str(file), re.IGNORECASE
        )
        if inside:
            path = Path(str(package.locate_file(file)))
            if path.is_file():
                yield f"[{path.name}]\n\n{path.read_text(encoding='utf-8', errors='replace').strip()}"


def standard_text(package: Distribution, said: str) -> str:
    """For a package that says its licence but brings no text; empty where we have none, either."""
    if said.startswith("LGPL-3.0"):
        return "The texts of the LGPL-3.0 and of the GPL-3.0, on which it builds, stand at the end."
    if said.startswith("MIT"):
        terms = (ROOT / "LICENSE").read_text(encoding="utf-8")
        terms = terms[terms.index("Permission is hereby granted") :]
        authors = next(iter(package.metadata.get_all("Author") or []), f"the authors of {package.name}")
        return f"Copyright (c) {authors}\n\n{terms}"
    return ""


def system_libraries(table: list[Entry]) -> Iterator[Part]:
    """On Debian: the packages whose libraries are in the folder. Elsewhere they are not known by name."""
    if not shutil.which("dpkg-query"):
        return
    ours = (sys.prefix, sys.base_prefix)
    names = [
        Path(source).name for _name, source, kind in table if kind == "BINARY" and not source.startswith(ours)
    ]
    for package in sorted(set(owners(names))):
        text = Path("/usr/share/doc", package, "copyright")
        version = dpkg("-W", "-f", "${source:Package} ${source:Version}", package).strip()
        content = text.read_text(encoding="utf-8", errors="replace") if text.is_file() else ""
        main = re.search(r"^Files: *\*$.*?^License: *(\S.*?)$", content, re.MULTILINE | re.DOTALL)
        said = NARROWER.get(package) or (main[1] if main else "see its text")
        yield f"{package} (Debian: {version})", said, content


def owners(names: Iterable[str]) -> Iterator[str]:
    """The Debian packages that bring these libraries."""
    for name in names:
        for line in dpkg("-S", f"*/{name}").splitlines():
            yield line.partition(":")[0]


def dpkg(*arguments: str) -> str:
    return subprocess.run(["dpkg-query", *arguments], capture_output=True, text=True).stdout
