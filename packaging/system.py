"""What Qt needs of a Linux system: which shared libraries and tools are missing, and how to get them."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# Shared library -> the Debian package that brings it. Qt's wheels bring Qt, but not what it draws through.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}


# What the executable takes along besides, for desktops that have it or not, and what its smoke test needs.
PACKED_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
PACKING_TOOLS = {"strip": "binutils", "xdotool": "xdotool", "xz": "xz-utils"}


def ensure(*, tests: bool, packing: bool = False) -> bool:
    """True if Qt has what it needs here, after installing it where that needs no question (root on Debian).

    With `tests`, an X server without a screen and fonts (also Chinese ones) are needed too; with `packing`, what
    the executable is made and tried with. Where something stays missing, the command that brings it has been
    printed.
    """
    if sys.platform != "linux":
        return True
    missing = missing_packages(tests=tests, packing=packing)
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        apt_get(missing)
        missing = missing_packages(tests=tests, packing=packing)
    if missing:
        print("Something that Qt needs is missing on this system. On Debian or Ubuntu run", file=sys.stderr)
        print(f"    sudo apt-get install {' '.join(missing)}", file=sys.stderr)
    return not missing


def missing_packages(*, tests: bool, packing: bool = False) -> list[str]:
    """Debian's names of what is missing, in a stable order."""
    libraries = LIBRARIES | (PACKED_LIBRARIES if packing else {})
    packages = [package for library, package in libraries.items() if not loads(library)]
    if packing:
        packages += [package for tool, package in PACKING_TOOLS.items() if not shutil.which(tool)]
    if tests:
        if not shutil.which("Xvfb"):
            packages.append("xvfb")
        if not shutil.which("fc-list"):
            packages += ["fontconfig", "fonts-dejavu-core", "fonts-noto-cjk"]
        else:
            packages += [] if has_font("en") else ["fonts-dejavu-core"]
            packages += [] if has_font("zh-cn") else ["fonts-noto-cjk"]
    return packages


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font(language: str) -> bool:
    listing = subprocess.run(["fc-list", f":lang={language}", "family"], capture_output=True, text=True)
    return bool(listing.stdout.strip())


def apt_get(packages: Iterable[str]) -> None:
    """Install Debian packages; a failure shows itself in what is still missing afterwards."""
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    print(f"apt-get install {' '.join(packages)}", flush=True)
    # The lists first: they may be old or, in a container, not there at all.
    subprocess.run(["apt-get", "-q", "update"], env=quiet, stdin=subprocess.DEVNULL)
    install = ["apt-get", "-q", "-y", "--no-install-recommends", "install", *packages]
    subprocess.run(install, env=quiet, stdin=subprocess.DEVNULL)


def has_nvidia_gpu() -> bool:
    return Path("/dev/nvidia0").exists() or shutil.which("nvidia-smi") is not None
