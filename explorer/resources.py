"""Where the files that come with the program are: lessons, scenes, icons, translations."""

import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def path(*parts: str) -> Path:
    """The path of a resource, e.g. `path("scenes", "first.attn.json")`; it need not exist."""
    return _root().joinpath(*parts)


def _root() -> Path:
    """`resources/` of a frozen program, of an installed wheel, or of the source tree."""
    bundle = getattr(sys, "_MEIPASS", None)  # set by PyInstaller: its folder of unpacked files
    if bundle is not None:
        return Path(bundle) / "explorer" / "resources"
    installed = _PACKAGE / "resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"
