"""What is said where a checkpoint cannot be read: one plain sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.scene import SceneError


class CheckpointError(ValueError):
    """A model that cannot be read, or not without a guess: what was found, and what would help."""


@contextmanager
def whole(path: Path) -> Iterator[None]:
    """What goes wrong within is said in a whole sentence, which begins with the name of the model or of its file."""
    try:
        yield
    except (CheckpointError, SceneError) as error:
        text = str(error).rstrip(".") + "."
        name = path.name or str(path)
        named = text.startswith((f"{name}: ", f"{ascii(name)}: "))
        if not named and not text.partition(":")[0].endswith((".json", ".bin")):
            text = f"{name}: {text}"
        error.args = (text,)
        raise


class HeadsNeededError(CheckpointError):
    """The shapes do not tell the number of heads and there is no config.json: somebody has to say it.

    `possible` are the numbers that fit, ascending.
    """

    def __init__(self, width: int) -> None:
        self.possible = tuple(heads for heads in range(1, width + 1) if width % heads == 0)
        listed = ", ".join(map(str, self.possible[:12])) + (" …" if len(self.possible) > 12 else "")
        super().__init__(
            f"the number of heads is in none of its tensors, and there is no config.json that tells it;"
            f" say it (--heads). It divides {width}: {listed}"
        )
