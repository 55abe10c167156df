"""A Debian with nothing in it but what every Debian has: does the program run there?"""

from pathlib import Path


def run(folder: Path, root: Path) -> str:
    """Make the root, put `folder` into it, run the program there; what it needs of the system."""
    raise NotImplementedError
