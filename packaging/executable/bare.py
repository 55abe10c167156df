"""A Debian with nothing in it but what every Debian has: does the program run there, and what does it lack?"""

import os
import shutil
import subprocess
from pathlib import Path

from executable.native import libraries

SUITE = "bookworm"
LEAST = 5_000  # bytes of a picture that shows something
# What a person has who has a desktop at all. The bare system has neither a screen nor a letter to draw.
DESKTOP = ("xvfb", "xdotool", "fonts-dejavu-core", "shared-mime-info", "desktop-file-utils")
MIME_TYPE = "application/x-attention-explorer+json"


def run(folder: Path, package: Path | None, root: Path) -> str:
    """Make a minimal Debian below `root`, put `folder` into it, run the program there. Needs root and debootstrap.

    Then the same from the Debian `package`, where there is one.
    The sentence says which libraries the program takes from the system.
    """
    assert os.geteuid() == 0, "only root can make a root"
    assert shutil.which("debootstrap"), "debootstrap is missing: apt-get install debootstrap"
    shell(["debootstrap", "--variant=minbase", SUITE, root])
    shutil.copytree(folder, root / "program", symlinks=True)
    assert not list(root.glob("usr/bin/python3*")), "this Debian has a Python"
    needed = outside(root)
    scene = "/program/_internal/explorer/resources/scenes/two-tokens.attn.json"
    inside(root, "/program/attention-explorer", "trace", scene, "-o", "/trace.json")
    inside(root, "/program/attention-explorer", "render", scene, "-o", "/picture.png")
    assert (root / "trace.json").stat().st_size and (root / "picture.png").stat().st_size > LEAST
    inside(root, "apt-get", "-q", "update")
    inside(root, "apt-get", "-q", "-y", "--no-install-recommends", "install", *DESKTOP)
    inside(root, "sh", "-c", WINDOW.format(program="/program/attention-explorer"))
    said = f"trace, render and the window; of the system only {', '.join(sorted(needed))}"
    return said if package is None else f"{said}; {installed(package, root)}"


def installed(package: Path, root: Path) -> str:
    """Install the package with nothing but dpkg, use it, and remove it."""
    shutil.copy(package, root / "package.deb")
    inside(root, "dpkg", "--install", "/package.deb")
    inside(root, "attention-explorer", "lessons")
    inside(root, "sh", "-c", WINDOW.format(program="attention-explorer"))
    share = root / "usr" / "share"
    assert f"{MIME_TYPE}:*.attn.json" in (share / "mime" / "globs2").read_text(encoding="utf-8")
    opened = (share / "applications" / "mimeinfo.cache").read_text(encoding="utf-8")
    assert f"{MIME_TYPE}=attention-explorer.desktop" in opened, opened
    inside(root, "dpkg", "--remove", "attention-explorer")
    assert not list(share.glob("applications/attention-*"))
    return f"{package.name} installs, opens .attn.json and goes again"


# xvfb-run needs more than is there
WINDOW = """
Xvfb :99 -screen 0 1280x800x24 -nolisten tcp & server=$!
sleep 2
export DISPLAY=:99
{program} & program=$!
timeout 60 xdotool search --sync --onlyvisible --name 'Attention Explorer' || exit 1
sleep 3
xdotool mousemove 640 790 click 1 key ctrl+q
wait $program && kill $server
"""


def outside(root: Path) -> set[str]:
    """The libraries that the loader finds outside the program's folder. Raises AssertionError where it finds none."""
    found: set[str] = set()
    for library in libraries(root / "program"):
        listing = inside(root, "ldd", f"/{library.relative_to(root)}", check=False)
        for line in listing.splitlines():
            name, _arrow, place = line.strip().partition(" => ")
            if place.startswith("not found"):
                # The bootloader names the folder of all libraries; a plugin of the printers is left to the system
                if not list((root / "program").rglob(name)) and "printsupport" not in library.parts:
                    raise AssertionError(f"{library.name} needs {name}, which is nowhere")
            elif place and not place.startswith("/program"):
                found.add(name)
    return {name for name in found if not list((root / "program").rglob(name))}


def inside(root: Path, *command: str, check: bool = True) -> str:
    """Run something in there, with the environment of nobody."""
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
    }  # fmt: skip
    done = subprocess.run(
        ["chroot", root, *command], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert not check or done.returncode == 0, f"{command}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
    return done.stdout


def shell(command: list[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
