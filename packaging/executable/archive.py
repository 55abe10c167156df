"""The folder of the executable as files to download: an archive, on Debian also a package; SHA-256 beside each."""

import gzip
import hashlib
import lzma
import platform
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

LEVEL = "1"  # of xz: higher ones take minutes more for a few per cent
NAME = "attention-explorer"
ARCHITECTURES = {"AMD64": "x86_64", "arm64": "aarch64"}  # one name each
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}

CONTROL = """\
Package: attention-explorer
Version: {version}
Architecture: {architecture}
Maintainer: Attention Explorer contributors <attention-explorer@users.noreply.github.com>
Installed-Size: {kilobytes}
Depends: libc6 (>= {glibc})
Recommends: fonts-dejavu-core | fonts-noto-core, xdg-desktop-portal
Suggests: fonts-noto-cjk
Section: education
Priority: optional
Description: see every stage of attention change while you type
 Type numbers into the input and the weights of an attention layer and watch
 scores, scaling, mask, softmax, heads, concat and W^O change, with the
 arithmetic behind every number. For lectures, for students, and for layers of
 real models.
"""


def platform_name() -> str:
    """Such as linux-x86_64."""
    system = {"linux": "linux", "darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform)
    return f"{system}-{ARCHITECTURES.get(platform.machine(), platform.machine())}"


def pack(folder: Path, version: str, out: Path) -> Path:
    """The archive of `folder`, which it holds as one folder, in `out`: .tar.xz; .zip on Windows and macOS."""
    out.mkdir(parents=True, exist_ok=True)
    stem = out / f"{NAME}-{version}-{platform_name()}"
    if sys.platform == "darwin":  # keeps links, rights and what the system attaches to a bundle
        archive = stem.with_name(f"{stem.name}.zip")
        archive.unlink(missing_ok=True)
        subprocess.run(["ditto", "-c", "-k", "--keepParent", folder, archive], check=True)
    elif sys.platform == "win32":
        archive = stem.with_name(f"{stem.name}.zip")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(folder.rglob("*")):
                file.write(path, path.relative_to(folder.parent))
    else:
        archive = stem.with_name(f"{stem.name}.tar.xz")
        draft = stem.with_name(
            f"{stem.name}.part"
        )  # the smoke test takes the newest archive: only whole ones
        with xz(draft) as stream, tarfile.open(fileobj=stream, mode="w|") as tar:
            tar.add(folder, folder.name, filter=nobodys)
        draft.replace(archive)
    checksum(archive)
    return archive


@contextmanager
def xz(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, compressed with all cores where there is `xz`."""
    tool = shutil.which("xz")
    if tool is None:
        with lzma.open(path, "wb", preset=int(LEVEL)) as compressed:
            yield compressed
        return
    with path.open("wb") as file, subprocess.Popen(
        [tool, "--threads=0", f"-{LEVEL}"], stdin=subprocess.PIPE, stdout=file
    ) as process:  # fmt: skip
        assert process.stdin is not None
        yield process.stdin
        process.stdin.close()
        if process.wait() != 0:
            raise OSError(f"{path.name} could not be compressed")


def nobodys(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Whoever built it does not show in the archive."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


def checksum(path: Path) -> Path:
    """The file beside `path` that `sha256sum --check` reads."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    beside = path.with_name(f"{path.name}.sha256")
    beside.write_text(f"{digest}  {path.name}\n", encoding="utf-8", newline="\n")
    return beside


def debian(folder: Path, version: str, glibc: tuple[int, int], work: Path, out: Path) -> Path | None:
    """A package for Debian and Ubuntu that puts `folder` below /opt; None where there is no dpkg-deb."""
    if not shutil.which("dpkg-deb"):
        return None
    shutil.rmtree(work, ignore_errors=True)
    opt, share = work / "opt", work / "usr" / "share"
    opt.mkdir(parents=True)
    # As links to the same files, where the disk can: they are only read
    shutil.copytree(folder, opt / NAME, symlinks=True, copy_function=link)
    (work / "usr" / "bin").mkdir(parents=True)
    (work / "usr" / "bin" / NAME).symlink_to(f"/opt/{NAME}/{NAME}")
    for source, place in desktop_files(folder):
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        link(source, share / place)
    doc = share / "doc" / NAME
    doc.mkdir(parents=True)
    (doc / "copyright").write_bytes((folder / "LICENSE").read_bytes() + b"\n" + other_licences(folder))
    (doc / "changelog.gz").write_bytes(gzip.compress(f"{NAME} ({version})\n".encode(), mtime=0))
    size = sum(path.lstat().st_size for path in work.rglob("*"))
    architecture = platform_name().rpartition("-")[2]
    debian = DEBIAN.get(architecture, architecture)
    (work / "DEBIAN").mkdir()
    (work / "DEBIAN" / "control").write_text(
        CONTROL.format(
            version=version,
            architecture=debian,
            kilobytes=size // 1024,
            glibc=".".join(map(str, glibc)),
        ),
        encoding="utf-8",
    )
    package = out / f"{NAME}_{version}_{debian}.deb"
    options = ["--root-owner-group", "-Zxz", f"-z{LEVEL}"]
    subprocess.run(["dpkg-deb", *options, "--build", work, package], check=True, stdout=subprocess.DEVNULL)
    checksum(package)
    return package


def desktop_files(folder: Path) -> Iterator[tuple[Path, str]]:
    """What tells a Linux desktop of the program: each file of `folder`, and its place below a `share`."""
    desktop = folder / "desktop"
    yield desktop / f"{NAME}.desktop", f"applications/{NAME}.desktop"
    yield desktop / f"{NAME}.xml", f"mime/packages/{NAME}.xml"
    for icon in sorted(desktop.glob("icons/*.png")):
        size = icon.stem
        yield icon, f"icons/hicolor/{size}x{size}/apps/{NAME}.png"
    yield desktop / "icons" / "scalable.svg", f"icons/hicolor/scalable/apps/{NAME}.svg"


def other_licences(folder: Path) -> bytes:
    return f"Of everything else: /opt/{NAME}/{next(folder.glob('THIRD-PARTY*')).name}\n".encode()


def link(source: str | Path, target: str | Path) -> None:
    """A hard link, or a copy where there can be none."""
    try:
        Path(target).hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)
